"""Task blocks of a plan: ``<task …>`` to ``</task>``, or ``## Task N`` headings. Never XML: bodies hold bare ``<``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from autopilot.text.lines import Heading, Line, heading

_OPEN = re.compile(r"^\s*(?:[-*+]\s+)?<(task|feature|verification)(?=[\s>/])((?:\"[^\"]*\"|'[^']*'|[^>\"'])*)>(.*)$")
_CLOSE = re.compile(r"</(task|feature|verification)\s*>")
_ATTRIBUTE = re.compile(r"(?<![\w:-])([\w:-]++)\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)')")
_WAVE = re.compile(r"Wave\s+([0-9]{1,4})\b", re.IGNORECASE)
_HEADED = re.compile(r"Task\s+`?([0-9][\w.-]*|[A-Z][0-9]*)\b`?\s*[:.)–—-]*\s*(.*)$", re.IGNORECASE)


class Block(Struct, frozen=True):
    line: int
    attributes: Mapping[str, str]
    body: tuple[Line, ...]
    wave: int  # from the last "## Wave N" heading; 0 when there was none
    closed: bool = True

    @property
    def text(self) -> str:
        return "\n".join(line.text for line in self.body)


def task_blocks(lines: Sequence[Line]) -> Iterator[Block]:
    return tag_blocks(lines, "task")


def tag_blocks(lines: Sequence[Line], tag: str) -> Iterator[Block]:
    wave, start, attributes = 0, 0, dict[str, str]()
    body: list[Line] = []
    for line in lines:
        opened = None if line.hidden else _OPEN.match(line.text)
        if opened and opened[1] == tag:
            if start:
                yield Block(start, attributes, tuple(body), wave, closed=False)
            start, attributes, body = line.number, parse_attributes(opened[2]), []
            line = Line(line.number, opened[3])
        elif not start:
            wave = _wave(line) or wave
            continue
        closed = () if line.hidden else _CLOSE.finditer(line.text)
        ends = next((found for found in closed if found[1] == tag), None)
        body.append(Line(line.number, line.text[: ends.start()]) if ends else line)
        if ends:
            yield Block(start, attributes, tuple(body), wave)
            start = 0
    if start:
        yield Block(start, attributes, tuple(body), wave, closed=False)


def headed_blocks(lines: Sequence[Line]) -> Iterator[Block]:
    """``## Task 3: Title`` up to the next heading of that level or above."""
    wave, start, level, attributes = 0, 0, 0, dict[str, str]()
    body: list[Line] = []
    for line in lines:
        found = heading(line)
        named = _HEADED.match(found.text.strip("*")) if found and 2 <= found.level <= 4 else None
        if start and found and (named or found.level <= level):
            yield Block(start, attributes, tuple(body), wave)
            start = 0
        wave = _wave(line) or wave
        if named and found:
            start, level, body = line.number, found.level, []
            attributes = {"number": named[1], "name": named[2].strip(" *")}
        elif start:
            body.append(line)
    if start:
        yield Block(start, attributes, tuple(body), wave)


def parse_attributes(text: str) -> dict[str, str]:
    return {found[1].lower(): found[2] or found[3] or "" for found in _ATTRIBUTE.finditer(text)}


def wave_of(found: Heading) -> int:
    """The wave a heading names; 0 when it names none."""
    named = _WAVE.search(found.text)
    return int(named[1]) if named else 0


def _wave(line: Line) -> int:
    found = heading(line)
    return wave_of(found) if found else 0
