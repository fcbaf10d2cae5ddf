"""What an ACP agent may ask of its client, and is answered; loaded by acp_client.py only."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

from acp import RequestError
from acp.schema import (
    AllowedOutcome,
    DeniedOutcome,
    PermissionOption,
    ReadTextFileResponse,
    RequestPermissionResponse,
    ToolCallUpdate,
)

NOT_FOUND = -32002
LONGEST_SECRET = 4_096  # as in model/secrecy/cutting.py
LONGEST_TEXT = 20_000  # of anything but the agent's words: files and the output of commands come in whole


class Tell(Protocol):
    def __call__(self, event: str, **fields: Any) -> None: ...


class Client:
    """What an agent may ask of us."""

    def __init__(self, project: Path, tell: Tell) -> None:
        self._project = project.resolve()
        self._tell = tell

    async def request_permission(
        self, tool_call: ToolCallUpdate, options: list[PermissionOption], **_: Any
    ) -> RequestPermissionResponse:
        """Always allowed, since no user is there to ask and the sandbox is the boundary, not the agent's manners.

        Once rather than always: some agents write what is always allowed into the project.
        """
        allowing = {option.kind: option.option_id for option in reversed(options)}
        chosen = allowing.get("allow_once") or allowing.get("allow_always")
        self._tell("permission", title=shorten(tool_call.title), chosen=chosen)
        if chosen is None:
            return RequestPermissionResponse(outcome=DeniedOutcome(outcome="cancelled"))
        return RequestPermissionResponse(outcome=AllowedOutcome(outcome="selected", option_id=chosen))

    async def session_update(self, **_: Any) -> None:
        """Heard already, on the wire."""

    async def read_text_file(
        self, path: str, line: int | None = None, limit: int | None = None, **_: Any
    ) -> ReadTextFileResponse:
        file = self._inside(path)
        try:
            lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
        except (OSError, UnicodeError) as error:
            raise RequestError(NOT_FOUND, f"{path} cannot be read: {error}") from error
        first = max(0, (line or 1) - 1)
        return ReadTextFileResponse(content="".join(lines[first:][:limit]))

    async def write_text_file(self, path: str, content: str, **_: Any) -> None:
        file = self._inside(path)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content, encoding="utf-8")
        except (OSError, UnicodeError) as error:
            raise RequestError(NOT_FOUND, f"{path} cannot be written: {error}") from error

    def _inside(self, path: str) -> Path:
        real = Path(path).resolve()
        if not real.is_relative_to(self._project):
            self._tell("refused", path=shorten(path))
            raise RequestError.invalid_params({"path": path, "reason": f"outside of {self._project}"})
        return real


def shorten(value: Any) -> Any:
    match value:
        case str() if len(value) > LONGEST_TEXT:
            # Inside the sandbox nothing else of ours can be imported. What is left out may hold the half of a secret.
            return f"{value[: LONGEST_TEXT - LONGEST_SECRET]}…"
        case dict():
            return {name: shorten(part) for name, part in value.items()}
        case list():
            return [shorten(part) for part in value]
    return value
