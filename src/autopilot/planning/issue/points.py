"""A person's comment cut into its points, each with the headings and introductions it stands under."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from autopilot.text.lazy_regex import lazy_regex
from autopilot.text.lines import Line, heading, scan_lines

# The names of what is presented, as people write them; "prd" is presented earlier, and still talked about.
ARTEFACTS = {
    "stories": r"(?:user[- ])?stor(?:y|ies)(?:\.md)?",
    "plan": r"plan(?:\.md)?",
    "tests": r"(?:acceptance[- ])?tests?(?:\.md)?",
    "prd": r"prd(?:\.md)?|requirements",
}
LABEL = lazy_regex(
    r"\s*(?:\*\*|__|`)?(?:the\s+)?(?:" + "|".join(f"(?P<{k}>{v})" for k, v in ARTEFACTS.items()) + r")(?:\*\*|__|`)?"
    r"(?:\s*[:：]|\s+[-–—](?=\s))(?:\*\*|__|`)?",
    re.IGNORECASE,
)
_ITEM = lazy_regex(r"\s*(?:[-*+•]|\(?\d{1,3}[.)]|\(?[A-Za-z]\))\s+(?=\S)")
_BULLET = lazy_regex(r"\s*[-*+•]\s+")
_RULE = lazy_regex(r"\s*(?:-{3,}|\*{3,}|={3,})\s*\Z")
_MARKS_ALONE = lazy_regex(r"[-*+•#>=|\s]*\Z")
# "Two things: 1) this 2) that" on one line.
_NUMBER = lazy_regex(r"(?:(?<=\s)|\A)\(?(?P<number>\d{1,2})[.)](?=\s)")
_BEFORE_FIRST = lazy_regex(r"(?:\A|[:：;.,])\s*\Z")
_LABEL_LEVEL, _INTRO_LEVEL = 7, 8  # below every heading


class Point(Struct, frozen=True):
    text: str  # as they were written, without the bullet
    above: tuple[str, ...] = ()  # headings and introductions, the outermost first


class _Block(Struct):
    lines: list[str]
    level: int = 0  # of a heading, or of a label that opens a section
    is_item: bool = False
    indent: int = 0

    @property
    def text(self) -> str:
        return _without(_BULLET, "\n".join(self.lines)).strip()

    @property
    def opens_section(self) -> bool:
        return self.level > 0 and len(self.lines) == 1


class _Opened(Struct):
    """What the following blocks stand under."""

    level: int
    text: str
    indent: int  # of a list item; -1 for anything else
    used: bool = False  # above some point


def cut_points(text: str) -> tuple[Point, ...]:
    """Every word is in some point, or above one."""
    return tuple(_placed(_blocks(tuple(_unrolled(scan_lines(text))))))


def _unrolled(lines: Sequence[Line]) -> Iterator[Line]:
    """Numbers that count up from 1 within a line begin points of their own."""
    for line in lines:
        found = [] if line.hidden else list(_NUMBER.finditer(line.text))
        counts = [int(number["number"]) for number in found] == list(range(1, len(found) + 1))
        if len(found) < 2 or not counts or not _BEFORE_FIRST.search(line.text[: found[0].start()]):
            yield line
            continue
        ends = [0, *(number.start() for number in found), len(line.text)]
        yield from (Line(line.number, line.text[start:end]) for start, end in pairwise(ends))


def _blocks(lines: Sequence[Line]) -> list[_Block]:
    """Headings, list items, lines that begin with a label, paragraphs. Code belongs to what it follows."""
    blocks: list[_Block] = []
    gap = True
    for line in lines:
        last = blocks[-1] if blocks else None
        if line.hidden:
            starts = last is None or last.opens_section
        elif not line.text.strip() or _RULE.match(line.text):
            gap = True
            continue
        else:
            goes_on = last is not None and last.is_item and line.indent > last.indent
            starts = _opens(line) or last is None or 0 < last.level < _LABEL_LEVEL or (gap and not goes_on)
        if starts:
            blocks.append(_begun(line))
        else:
            blocks[-1].lines.append(line.text)
        gap = False
    return [block for block in blocks if not _MARKS_ALONE.match(block.text)]


def _opens(line: Line) -> bool:
    return bool(heading(line) or _ITEM.match(line.text) or LABEL.match(line.text))


def _begun(line: Line) -> _Block:
    if line.hidden:
        return _Block([line.text])
    if found := heading(line):
        return _Block([line.text], found.level)
    label = LABEL.match(_without(_ITEM, line.text))
    level = _LABEL_LEVEL if label and label.end() == len(label.string.rstrip()) else 0
    return _Block([line.text], level, bool(_ITEM.match(line.text)), line.indent)


def _placed(blocks: Sequence[_Block]) -> Iterator[Point]:
    opened: list[_Opened] = []
    for block in blocks:
        yield from _left(opened, [_closes(block, section) for section in opened])
        opened = [section for section in opened if not _closes(block, section)]
        level = block.level if block.opens_section else _INTRO_LEVEL if _introduces(block) else 0
        if level:
            opened.append(_Opened(level, block.text, block.indent if block.is_item else -1))
            continue
        yield _make_point(block.text, opened)
        # An introduction is about one list, or about one paragraph.
        opened = [section for section in opened if section.level < _INTRO_LEVEL or block.is_item]
    yield from _left(opened, [True] * len(opened))


def _left(opened: Sequence[_Opened], closed: Sequence[bool]) -> Iterator[Point]:
    """What ends with nothing beneath it is a point itself."""
    for number in reversed(range(len(opened))):
        if closed[number] and not opened[number].used:
            yield _make_point(opened[number].text, opened[:number])


def _make_point(text: str, opened: Sequence[_Opened]) -> Point:
    for section in opened:
        section.used = True
    return Point(text, tuple(section.text for section in opened))


def _closes(block: _Block, opened: _Opened) -> bool:
    if 0 < block.level < _LABEL_LEVEL:
        return block.level <= opened.level
    if block.is_item and block.indent <= opened.indent:
        return True
    if opened.level == _LABEL_LEVEL:
        return bool(LABEL.match(_without(_ITEM, block.text)))
    return opened.level == _INTRO_LEVEL and opened.used and not block.is_item


def _introduces(block: _Block) -> bool:
    """A line that ends with a colon, or a quotation, is about what follows."""
    is_quoted = all(line.lstrip().startswith(">") for line in block.lines)
    return is_quoted or block.text.endswith((":", "："))


def _without(mark: re.Pattern[str], text: str) -> str:
    return text[found.end() :] if (found := mark.match(text)) else text
