"""The log of requests, in the order of arrival."""

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
KEY_SUFFIX_LENGTH = 4


class Request(Struct, frozen=True):
    """``played`` is a kind of turn or fault, or ``side``, ``count``, ``models``, ``refused``, ``not found``."""

    method: str
    path: str
    number: int = 0  # in the order of arrival, from 1
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
    auth: str = ""  # the last characters of the key
    headers: dict[str, str] = {}


def describe(
    method: str, path: str, headers: Mapping[str, str], wire: Wire | None, conversation: Conversation | None
) -> Request:
    """The request without its secrets."""
    lower = {name.lower(): value for name, value in headers.items()}
    auth = lower.get("x-api-key") or lower.get("authorization") or ""
    shown = {name: value for name, value in lower.items() if name not in SECRET}
    request = Request(method, path, wire=wire, auth=auth[-KEY_SUFFIX_LENGTH:], headers=shown)
    if not conversation:
        return request
    return replace(
        request,
        model=conversation.model,
        session=conversation.session,
        prompt=conversation.prompt,
        steps=conversation.steps,
        outputs=conversation.outputs,
        tools=tuple(tool.name for tool in conversation.tools),
        stream=conversation.stream,
        structured=conversation.schema is not None or conversation.tool(RESULT) is not None,
    )


class RequestLog:
    """Thread-safe; with a file, every request is appended to it as a line of JSON at once."""

    def __init__(self, file: Path | None = None) -> None:
        self._requests: list[Request] = []
        self._lock = threading.Lock()
        self._file = file

    def add(self, request: Request) -> None:
        with self._lock:
            numbered = replace(request, number=len(self._requests) + 1)
            self._requests.append(numbered)
            if self._file:
                with self._file.open("ab") as lines:
                    lines.write(msgspec.json.encode(numbered) + b"\n")

    def all(self) -> list[Request]:
        with self._lock:
            return list(self._requests)
