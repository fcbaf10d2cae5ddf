"""STATE.md after an edit of the roadmap: at which phase the project is, of how many, and what became of the roadmap."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from autopilot.planning.editing.mentions import Mentions
from autopilot.planning.editing.renumbered_lines import Stale, renumber_lines
from autopilot.planning.roadmap.phase_id import ID
from autopilot.text.frontmatter import parse_frontmatter
from autopilot.text.lines import scan_lines

_LABEL = r"\s{0,8}(?:[-*+]\s{1,4})?\**"
_POSITION = re.compile(
    rf"({_LABEL}(?:(?:Current|Active)\s)?Phase\**\s?:\**\s{{0,4}}\[?)({ID})(?!\w|\.[0-9])", re.IGNORECASE
)
_CURRENT = re.compile(rf"(current_phase:\s{{0,4}}[\"']?)({ID})(?=[\"']?\s*$)")
_OF = re.compile(r"(\]?\s{0,3}(?:of|/)\s{0,3}\[?)([0-9]{1,5})(?![\w.])")
_TOTAL = re.compile(rf"({_LABEL}total[ _]phases\**\s?:\**\s{{0,4}})([0-9]{{1,5}})(?=\s*$)", re.IGNORECASE)
_FIELD = re.compile(r"(\s{0,4}(?:[-*+]\s)?\**)([A-Za-z][A-Za-z_ ]{1,30}?)(\**\s?:\**\s{0,4})[^\n]*")
_EVOLUTION = re.compile(r"\W{0,4}roadmap evolution\b", re.IGNORECASE)


class StateChange(Struct, frozen=True):
    mentions: Mentions
    count: int = 0  # how many phases there are more
    happened: str = ""  # a line for "Roadmap Evolution"
    position_only: bool = False  # other numbers may be those of an earlier milestone


def edit_state(text: str, change: StateChange) -> tuple[str, list[Stale]]:
    raw, lines = text.split("\n"), scan_lines(text)
    if change.position_only:
        written, stale = list(raw), list[Stale]()
    else:
        written, stale = renumber_lines(raw, lines, change.mentions)
    for index, line in enumerate(lines):
        if not line.hidden:
            written[index] = _positioned(raw[index], written[index], change)
    written, gone = _evolved(written, raw, change)
    return "\n".join(written), [found for found in stale if found.line - 1 not in gone]


def _positioned(raw: str, written: str, change: StateChange) -> str:
    """The number after the label, and behind it of how many; what follows as it was rewritten, or as it is."""
    place = _POSITION.match(raw) or _CURRENT.match(raw)
    if place:
        number = change.mentions.number(place[2])
        rest = raw[place.end() :] if change.position_only else change.mentions.in_prose(raw[place.end() :]).text
        if total := _OF.match(rest):
            rest = f"{total[1]}{int(total[2]) + change.count}{rest[total.end() :]}"
        return f"{place[1]}{number}{rest}"
    if total := _TOTAL.match(written):
        return f"{total[1]}{int(total[2]) + change.count}{written[total.end() :]}"
    return written


def _evolved(written: list[str], raw: list[str], change: StateChange) -> tuple[list[str], set[int]]:
    """Where the file keeps a list of what became of the roadmap: a line more, and none about what is gone."""
    start = next((line.number for line in scan_lines("\n".join(raw)) if _is_evolution(line.text)), 0)
    if not start:
        return written, set()
    end = next((n for n in range(start, len(raw)) if raw[n].startswith("#")), len(raw))
    removed = change.mentions.renumbering.removed
    gone = (
        {
            index
            for index in range(start, end)
            if (found := re.match(rf"\s*[-*+]\sPhase\s({ID})\s(?:added|inserted)\b", raw[index]))
            and change.mentions.is_removed(found[1])
        }
        if removed
        else set()
    )
    while end > start and not raw[end - 1].strip():
        end -= 1
    ending = "\r" if raw[start - 1].endswith("\r") else ""
    more = [f"- {change.happened}{ending}"] if change.happened else []
    kept = [line for index, line in enumerate(written[:end]) if index not in gone]
    return [*kept, *more, *written[end:]], gone


def _is_evolution(text: str) -> bool:
    return text.startswith("#") and _EVOLUTION.match(text.lstrip("#")) is not None


def with_fields(text: str, front: Mapping[str, str], body: Mapping[str, str]) -> str:
    """Fields that the file has, with other values: those of its front matter, and the first of each label below it."""
    raw, lines, head = text.split("\n"), scan_lines(text), parse_frontmatter(text).lines
    left = dict(body)
    for index, line in enumerate(lines):
        found = _FIELD.match(raw[index]) if index < head or not line.hidden else None
        name = found[2].casefold() if found else ""
        value = front.get(name) if index < head else left.pop(name, None)
        if found and value is not None:
            ending = "\r" if raw[index].endswith("\r") else ""
            raw[index] = f"{found[1]}{found[2]}{found[3]}{value}".rstrip() + ending
    return "\n".join(raw)
