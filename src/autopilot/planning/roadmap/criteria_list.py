"""Lists of criteria: which lines below a label belong to it, and the items among them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from autopilot.planning.roadmap.fields import field_of, is_known
from autopilot.text.lines import Line, heading

_ITEM = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+(.*)$")
_BOX = re.compile(r"\[[ xX✅✓✔-]\]\s+")
_MARKS = "✅✓✔☑⬜🔲❌🚧\ufe0f "
_ENDS = re.compile(r"^\s*(?:(?:---+|<\w+>)\s*$|(?:Plans|Waves?(?:\s[0-9]+)?)\s*(?:\([^()\n]{0,200}\))?:)")
# "01-02: …", "01-02-PLAN.md — …", "[12-PLAN-01.md]": a plan of the phase, which people list below the criteria.
_PLAN = re.compile(
    r"[*`\[~]*(?:Plan\s+)?(?:[0-9]{2,3}(?:\.[0-9]{1,3})*-[0-9]{2}[A-Za-z]?(?=\s*(?::|[–—]|-\s|[*`\]]|\Z))|[\w.-]{0,60}PLAN[\w.-]{0,60}\.md)"
)
_OPEN = re.compile(
    r"\W*(?:TB[DA]|to be (?:defined|determined|decided|added|filled in))\b[^.]{0,80}\W*\Z", re.IGNORECASE
)


def lines_under(body: Sequence[Line], index: int, *, under_heading: bool) -> tuple[Line, ...]:
    """What belongs to the label in this line: up to the next field, heading, list of plans, or other opening line.

    ``- **Speed**: under 2 s`` is a criterion with a bold start, not a field, unless the label is such an item itself.
    """
    kept: list[Line] = []
    label = body[index]
    for position in range(index + 1, len(body)):
        line = body[position]
        if heading(line) or (not line.hidden and _ENDS.match(line.text)):
            break
        field = field_of(line)
        if field and (is_known(field[0]) or not (under_heading or _is_own(line, label))):
            break
        kept.append(line)
    return tuple(kept)


def list_items(lines: Sequence[Line]) -> Iterator[tuple[Line, str]]:
    """Items with their lines joined; what is listed below one is part of it. Plans and places to fill are left out."""
    return ((line, text) for line, text in _items(lines) if not _PLAN.match(text) and not is_open(text))


def open_items(lines: Sequence[Line]) -> Iterator[Line]:
    """Items that only say that criteria are to come."""
    return (line for line, text in _items(lines) if is_open(text))


def is_open(text: str) -> bool:
    return _OPEN.match(text) is not None


def _is_own(line: Line, label: Line) -> bool:
    is_item, labelled = _ITEM.match(line.text), _ITEM.match(label.text)
    return is_item is not None and (labelled is None or line.indent > label.indent)


def _items(lines: Sequence[Line]) -> Iterator[tuple[Line, str]]:
    start: Line | None = None
    parts: list[str] = []
    gap = False
    for line in lines:
        found = None if line.hidden else _ITEM.match(line.text)
        below = start is not None and line.indent >= start.indent + 2
        if start is not None and ((found and not below) or (gap and line.text.strip() and not below)):
            yield start, _joined(parts)
            start = None
        gap = not line.text.strip()
        if found and start is None:
            start, parts = line, [_bare(found[1])]
        elif start is not None and not gap:
            parts.append(_bare(found[1]) if found else line.text.strip())
    if start is not None:
        yield start, _joined(parts)


def _bare(text: str) -> str:
    return _BOX.sub("", text, count=1) if _BOX.match(text) else text


def _joined(parts: Sequence[str]) -> str:
    return " ".join(part for part in parts if part).strip(_MARKS if parts[0][:1] in _MARKS else " ")
