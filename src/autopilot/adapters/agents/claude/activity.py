"""What Claude Code is at, in a few words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from autopilot.model.secrecy.cutting import cut_end

LONGEST = 100
FILE_TOOLS = ("Write", "Edit", "MultiEdit", "NotebookEdit", "Read")
# Of other tools, the first of these that is given says most.
TELLING = ("command", "pattern", "url", "query", "description", "skill", "subject")


def tell_activity(blocks: Iterable[Mapping[str, Any]], project: str) -> str:
    """Of the last block that tells anything; "" when none does."""
    activity = ""
    for block in blocks:
        match block.get("type"):
            case "text":
                activity = _line(block.get("text")) or activity
            case "thinking":
                activity = "thinking"
            case "tool_use":
                given = block.get("input")
                activity = _tell_tool(str(block.get("name")), given if isinstance(given, dict) else {}, project)
    return activity


def _tell_tool(name: str, given: Mapping[str, Any], project: str) -> str:
    if name == "StructuredOutput":
        return "answering"
    if name in FILE_TOOLS:
        path = str(given.get("file_path") or given.get("notebook_path") or "")
        return _line(f"{name} {path.removeprefix(project + '/')}")
    subject = next((given[key] for key in TELLING if given.get(key)), "")
    return _line(f"{name}: {subject}" if subject else name)


def _line(text: object) -> str:
    return cut_end(" ".join(str(text or "").split()), LONGEST)
