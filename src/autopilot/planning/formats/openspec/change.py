"""One change of OpenSpec: its proposal, its tasks, its deltas."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from autopilot.planning.formats.boxes import Box, find_boxes
from autopilot.planning.formats.found import Step
from autopilot.planning.formats.numbering import split_number
from autopilot.text.lines import Line, heading, scan_lines

_TITLE = re.compile(r"(?:change(?:[ \t]+proposal)?|proposal|openspec|提案)[ \t]*[:：–—-][ \t]*", re.IGNORECASE)
_WAITS = re.compile(
    r"\b(?:depends?[ \t]+on|depending[ \t]+on|dependenc(?:y|ies)|requires|prerequisites?|"
    r"blocked[ \t]+by|builds[ \t]+on)\b",
    re.IGNORECASE,
)
_WAITS_NOT = re.compile(r"\b(?:no|not|none|without|independent)\b", re.IGNORECASE)
_ID = re.compile(r"[A-Za-z0-9][\w-]*+")
_GOAL = 3_000  # characters


class Proposal(Struct, frozen=True):
    title: str = ""
    goal: str = ""
    waits: tuple[str, ...] = ()  # names of changes


def parse_proposal(text: str, known: Collection[str]) -> Proposal:
    lines = scan_lines(text)
    title = next((found.text for line in lines if (found := heading(line)) and found.level == 1), "")
    sections = list(_sections(lines))
    parts = [_prose(body) for name, body in sections if name.lower() in ("why", "what changes")]
    return Proposal(
        _TITLE.sub("", title, count=1).strip(),
        "\n\n".join(part for part in parts if part)[:_GOAL].strip(),
        tuple(dict.fromkeys(id for name, body in sections for id in _waits(name, body, known))),
    )


def parse_tasks(text: str, path: str) -> tuple[Step, ...]:
    """A box at the margin is a task, those below it are parts of it: it is done when all of them are."""
    boxes = find_boxes(scan_lines(text))
    below: dict[int, list[Box]] = {}
    tops: dict[int, int] = {}
    for index, box in enumerate(boxes):
        tops[index] = index if box.parent is None else tops[box.parent]
        below.setdefault(tops[index], []).append(box)
    return tuple(_step(parts, path) for parts in below.values())


def _step(parts: Sequence[Box], path: str) -> Step:
    top = parts[0]
    number, name = split_number(top.text)
    return Step(
        key=number,
        name=name,
        detail=_detail(name, parts),
        done=all(part.is_done for part in parts),
        path=path,
        line=top.line,
        lines=tuple(part.line for part in parts),
    )


def _detail(name: str, parts: Sequence[Box]) -> str:
    top = parts[0]
    lines = [f"{' / '.join(top.under)}: {name}" if top.under else name]
    lines += [line.text for line in top.body if line.text.strip()]
    for part in parts[1:]:
        lines += [f"- {part.text}", *(line.text for line in part.body if line.text.strip())]
    return "\n".join(lines)


def _sections(lines: Sequence[Line]) -> Iterator[tuple[str, list[Line]]]:
    """By the headings of the second level; what stands above the first one has no name."""
    name, body = "", list[Line]()
    for line in lines:
        title = heading(line)
        if title and title.level <= 2:
            yield name, body
            name, body = title.text, []
        else:
            body.append(line)
    yield name, body


def _waits(section: str, body: Sequence[Line], known: Collection[str]) -> Iterator[str]:
    """Changes that are named where dependencies are: below such a heading, or behind such a word."""
    under = _WAITS.search(section) is not None
    for line in body:
        text = line.text[:1_000]
        word = _WAITS.search(text)
        if line.hidden or not (under or word) or _WAITS_NOT.search(text):
            continue
        start = 0 if under or word is None else word.end()
        yield from (found[0] for found in _ID.finditer(text, start) if found[0] in known)


def _prose(lines: Sequence[Line]) -> str:
    return "\n".join(line.text for line in lines).strip()
