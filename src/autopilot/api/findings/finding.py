"""What `doctor` found out about one thing."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field


class Finding(Struct, frozen=True):
    subject: str = field(name="what")
    state: Literal["ok", "note", "warning", "problem"]
    detail: str
    remedy: str = ""
