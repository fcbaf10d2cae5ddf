"""JSON over HTTP to one host: a token goes nowhere else, an answer is bounded, nothing is followed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.request import Request

import msgspec
from msgspec import Struct

from autopilot.adapters.forge.rest import Answer
from autopilot.adapters.http.one_host import OneHost
from autopilot.model.errors import Unavailable

TIMEOUT_S = 30.0
MOST = 4 << 20  # bytes of an answer
MOST_COMPLAINT = 10_000
HINT = "Check `url` below [forge] in your settings.toml, and the network."


class _Complaint(Struct, frozen=True):
    message: str = ""


class HttpApi:
    def __init__(self, name: str, root: str, token: str, token_name: str, timeout_s: float = TIMEOUT_S) -> None:
        """``root``: where the API begins. ``token_name``: the variable that the token stands in."""
        self.name = name
        self._root = root.rstrip("/")
        self._token = token
        self._token_name = token_name
        self._host = OneHost(root, timeout_s, "{} could not be asked", HINT)

    def check(self) -> None:
        if not self._token:
            hint = f"Make a token there, and export it as {self._token_name}."
            raise Unavailable(f"{self._token_name} is not set: {self.name} asks for a token", hint)

    def ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Answer:
        self.check()
        headers = {"Authorization": f"token {self._token}", "Accept": "application/json", "User-Agent": "autopilot"}
        content = None if body is None else json.dumps(body).encode()
        if content is not None:
            headers["Content-Type"] = "application/json"
        request = Request(f"{self._root}{path}", content, headers, method=method)
        answered = self._host.send(request, MOST)
        if len(answered.content) > MOST:
            raise Unavailable(
                f"{self.name} sent more than {MOST:,} bytes",
                "Check that `url` below [forge] in your settings.toml is the address of a forge.",
            )
        if 200 <= answered.status < 300:
            return Answer(answered.status, answered.content)
        return Answer(answered.status, b"", _complaint(answered.content[:MOST_COMPLAINT]))


def _complaint(content: bytes) -> str:
    try:
        return msgspec.json.decode(content, type=_Complaint).message
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return ""
