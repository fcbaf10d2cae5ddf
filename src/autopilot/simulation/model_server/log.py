"""What came to the server, in the order of coming."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from autopilot.simulation.model_server.answer import RESULT
from autopilot.simulation.model_server.conversation import Conversation, Wire

SECRET = frozenset({"authorization", "x-api-key", "api-key", "cookie"})
SHOWN_OF_KEY = 4


class Request(Struct, frozen=True):
    """``played`` is a kind of turn or fault, or ``side``, ``count``, ``models``, ``refused``, ``not found``."""

    method: str
    path: str
    number: int = 0  # in the order of coming, from 1
    wire: Wire | None = None
    model: str = ""
    session: str = ""
    prompt: str = ""
    steps: int = 0
    outputs: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    stream: bool = False
    structured: bool = False
    rule: int | None = None
    step: int | None = None
    played: str = ""
    status: int = 200
    auth: str = ""  # the end of the key, enough to tell two apart
    headers: dict[str, str] = {}


def describe(
    method: str, path: str, headers: Mapping[str, str], wire: Wire | None, talk: Conversation | None
) -> Request:
    """What came, without the secrets in it."""
    lower = {name.lower(): value for name, value in headers.items()}
    auth = lower.get("x-api-key") or lower.get("authorization") or ""
    shown = {name: value for name, value in lower.items() if name not in SECRET}
    came = Request(method, path, wire=wire, auth=auth[-SHOWN_OF_KEY:], headers=shown)
    if not talk:
        return came
    return replace(
        came,
        model=talk.model,
        session=talk.session,
        prompt=talk.prompt,
        steps=talk.steps,
        outputs=talk.outputs,
        tools=tuple(tool.name for tool in talk.tools),
        stream=talk.stream,
        structured=talk.schema is not None or talk.tool(RESULT) is not None,
    )


class RequestLog:
    """Safe to use from many threads; with a file, every request is a line of JSON in it at once."""

    def __init__(self, file: Path | None = None) -> None:
        self._requests: list[Request] = []
        self._guard = threading.Lock()
        self._file = file

    def add(self, request: Request) -> None:
        with self._guard:
            numbered = replace(request, number=len(self._requests) + 1)
            self._requests.append(numbered)
            if self._file:
                with self._file.open("ab") as lines:
                    lines.write(msgspec.json.encode(numbered) + b"\n")

    def all(self) -> list[Request]:
        with self._guard:
            return list(self._requests)
