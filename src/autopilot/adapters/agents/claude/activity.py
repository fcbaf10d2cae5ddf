"""What Claude Code is at, in a few words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

LONGEST = 100
FILE_TOOLS = ("Write", "Edit", "MultiEdit", "NotebookEdit", "Read")
# Of other tools, the first of these that is given says most.
TELLING = ("command", "pattern", "url", "query", "description", "skill", "subject")


def tell_activity(blocks: Iterable[Mapping[str, Any]], project: str) -> str:
    """Of the last block that tells anything; "" when none does."""
    told = ""
    for block in blocks:
        match block.get("type"):
            case "text":
                told = _line(block.get("text")) or told
            case "thinking":
                told = "thinking"
            case "tool_use":
                given = block.get("input")
                told = _tell_tool(str(block.get("name")), given if isinstance(given, dict) else {}, project)
    return told


def _tell_tool(name: str, given: Mapping[str, Any], project: str) -> str:
    if name == "StructuredOutput":
        return "answering"
    if name in FILE_TOOLS:
        path = str(given.get("file_path") or given.get("notebook_path") or "")
        return _line(f"{name} {path.removeprefix(project + '/')}")
    what = next((given[key] for key in TELLING if given.get(key)), "")
    return _line(f"{name}: {what}" if what else name)


def _line(text: object) -> str:
    words = " ".join(str(text or "").split())
    return words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"
