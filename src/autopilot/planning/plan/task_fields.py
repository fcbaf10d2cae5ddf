"""What a task block says: child tags (GSD) or ``**Label:**`` blocks, both as name -> lines."""

from __future__ import annotations

import re
from collections.abc import Sequence

from autopilot.text.lines import Line

_TAG = re.compile(
    r"<(name|n|title|files|action|description|verify|acceptance_criteria|acceptance|done|what-built|how-to-verify|id|"
    r"automated|behavior|implementation)(?:\s[^<>]*)?>"
)
_LABELS = {
    "files",
    "action",
    "verify",
    "verification",
    "acceptance criteria",
    "done",
    "done when",
    "type",
    "complexity",
}
_PLAIN = re.compile(
    r"^\s*[-*+]\s+(Files?|Verify|Verification|Acceptance criteria|Done when|Done)\s*:\s*(.*)$", re.IGNORECASE
)
_LABEL = re.compile(r"^\s*(?:[-*+]\s+)?\*\*([A-Za-z ]{2,24}?)\s*(?::\*\*|\*\*\s*:)\s*(.*)$")

Fields = dict[str, tuple[Line, ...]]


def child_tags(body: Sequence[Line]) -> Fields:
    """The outermost known children in turn; what stands inside one (tags in code included) belongs to it."""
    shown = "\n".join(" " * len(line.text) if line.hidden else line.text for line in body)
    fields: Fields = {}
    never_closed: set[str] = set()
    position = 0
    while opened := _TAG.search(shown, position):
        name, position = opened[1], opened.end()
        closed = -1 if name in never_closed else shown.find(f"</{name}>", position)
        if closed == -1:
            never_closed.add(name)
        else:
            fields.setdefault(name, _cut(body, position, closed))
            position = closed
    return fields


def labels(body: Sequence[Line], *, unbold: bool = False) -> Fields:
    """Known labels only: another bold word inside an action is part of the action.

    Below an item of a list, ``- Files: a.py`` is one too (``unbold``).
    """
    fields: dict[str, list[Line]] = {}
    current = ""
    for line in body:
        found = None if line.hidden else _LABEL.match(line.text) or (_PLAIN.match(line.text) if unbold else None)
        name = found[1].strip().lower() if found else ""
        name = "files" if name == "file" else name
        if found and name in _LABELS:
            current = name
            fields.setdefault(current, []).append(Line(line.number, found[2]))
        elif current:
            fields[current].append(line)
    return {name: tuple(lines) for name, lines in fields.items()}


def join_text(lines: Sequence[Line]) -> str:
    return "\n".join(line.text for line in lines).strip()


def _cut(body: Sequence[Line], start: int, end: int) -> tuple[Line, ...]:
    """The lines between two offsets of the joined body."""
    kept: list[Line] = []
    offset = 0
    for line in body:
        after = offset + len(line.text)
        if after >= start and offset <= end:
            text = line.text[max(0, start - offset) : max(0, end - offset)]
            kept.append(Line(line.number, text, line.hidden, line.archived))
        offset = after + 1
    return tuple(kept)
