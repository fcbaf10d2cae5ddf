"""What an agent did, by its own transcript: files it read and wrote, commands it ran. For traces, never for a gate.

Each kind of agent prints its own JSON lines; what no form here knows is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from autopilot.model.agent import Act, Action

MOST = 100  # of one call
LONGEST = 200
LARGEST_LINE = 200_000
READS, WRITES = ("Read", "NotebookRead"), ("Write", "Edit", "MultiEdit", "NotebookEdit")
KINDS: Mapping[str, Action] = {"read": "file_read", **dict.fromkeys(("edit", "delete", "move"), "file_write")}


def list_acts(transcript: str, project: str) -> tuple[Act, ...]:
    """Each once, in the order they began; paths of the project without the place where it stands."""
    found: dict[Act, None] = {}
    for line in transcript.splitlines():
        for action, subject in _acts(line) if line.startswith("{") and len(line) <= LARGEST_LINE else ():
            found.setdefault(Act(action, _short(subject, project)))
            if len(found) == MOST:
                return tuple(found)
    return tuple(found)


def _acts(line: str) -> Iterator[tuple[Action, str]]:
    try:
        event = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return
    match event:
        case {"type": "assistant", "message": {"content": [*blocks]}}:
            for block in blocks:
                yield from _of_claude(block)
        case {"type": "item.completed", "item": {"type": "file_change", "changes": [*changes]}}:
            yield from (("file_write", path) for path in _paths(changes))
        case {"type": "item.completed", "item": {"type": "command_execution", "command": str(command)}}:
            yield "command_run", command
        case {"type": "update", "update": {"kind": str(kind), "locations": [*places]}} if kind in KINDS:
            yield from ((KINDS[kind], path) for path in _paths(places))
        case {"type": "update", "update": {"kind": "execute", "rawInput": {"command": str(command)}}}:
            yield "command_run", command
        case {"type": "action", "kind": "write" | "delete", "what": str(path)}:
            yield "file_write", path
        case {"type": "action", "kind": "run", "what": str(command)}:
            yield "command_run", command


def _of_claude(block: Any) -> Iterator[tuple[Action, str]]:
    match block:
        case {"type": "tool_use", "name": str(name), "input": {"file_path": str(path)} | {"notebook_path": str(path)}}:
            if name in (*READS, *WRITES):
                yield "file_read" if name in READS else "file_write", path
        case {"type": "tool_use", "name": "Bash", "input": {"command": str(command)}}:
            yield "command_run", command


def _paths(entries: Sequence[Any]) -> Iterator[str]:
    return (path for entry in entries if isinstance(entry, Mapping) and isinstance(path := entry.get("path"), str))


def _short(subject: str, project: str) -> str:
    line = " ".join(subject.split()).replace(f"{project}/", "")
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
