"""Server-sent events, as bytes."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct


class Event(Struct, frozen=True):
    """``name`` may be empty and ``data`` plain text: one vendor ends its streams with ``[DONE]``."""

    name: str
    data: dict[str, Any] | str

    def encode(self) -> bytes:
        data = self.data.encode() if isinstance(self.data, str) else msgspec.json.encode(self.data)
        head = f"event: {self.name}\n".encode() if self.name else b""
        return head + b"data: " + data + b"\n\n"
