"""Check boxes of a Markdown text: where they stand, what they say, what stands below each, and what ticks them."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence

from msgspec import Struct

from autopilot.text.lines import Heading, Line, heading

# "- [ ] text", "1. [x] text", "* [-] text", "- [ ]* optional (Kiro)"; never a link: "- [x](./place)", "- [a][b]".
_BOX = re.compile(
    r"^(?P<indent>[ \t]*+)(?:[-*+]|[0-9]{1,9}[.)])[ \t]++"
    r"\[(?P<inside>[ \t]{0,3}(?P<mark>[xX]|[^\]\w\s])?[ \t]{0,3})\](?![(\[])(?P<star>\*(?!\*))?(?P<text>.*)$"
)
_DONE = "xX✅✓✔☑"
# Characters: thousands of boxes may stand below one heading or box, and each is shown with it.
_TITLE, _TEXT = 120, 4_000


class Box(Struct, frozen=True):
    line: int  # 1-based
    indent: int
    mark: str  # what stands between the brackets: "", "x", "-"
    text: str
    optional: bool = False  # Kiro's "[ ]*"
    under: tuple[str, ...] = ()  # the headings above it, outermost first
    body: tuple[Line, ...] = ()  # its own lines, up to the next box or heading
    parent: int | None = None  # the index of the box that it stands below

    @property
    def is_done(self) -> bool:
        return self.mark != "" and self.mark in _DONE

    @property
    def section(self) -> str:
        return self.under[-1] if self.under else ""


class _Open(Struct):
    """A box whose lines are still being read."""

    box: Box
    body: list[Line]


def find_boxes(lines: Sequence[Line]) -> tuple[Box, ...]:
    """In the order of the file; code fences and HTML comments hold none."""
    found: list[_Open] = []
    above: list[Heading] = []
    stack: list[int] = []  # indexes of boxes that a deeper one may stand below
    gap = False
    taking = False
    for line in lines:
        title = heading(line)
        matched = None if line.hidden or title else _BOX.match(line.text)
        if title:
            above = [*(other for other in above if other.level < title.level), title]
            stack, taking = [], False
        elif matched:
            indent = _width(matched["indent"])
            while stack and found[stack[-1]].box.indent >= indent:
                stack.pop()
            box = _box(line, matched, tuple(other.text[:_TITLE] for other in above), stack[-1] if stack else None)
            stack.append(len(found))
            found.append(_Open(box, []))
            taking = True
        elif taking and line.text.strip():
            taking = not gap or line.hidden or line.indent > found[-1].box.indent
            if not taking:
                stack = []
        if taking and not matched and found:
            found[-1].body.append(line)
        gap = not line.text.strip()
    return tuple(_with_body(opened) for opened in found)


def open_spans(text: str, lines: Container[int]) -> Iterator[tuple[int, int]]:
    """What stands between the brackets of the boxes on these lines that are not ticked."""
    start = 0
    for number, raw in enumerate(text.split("\n"), start=1):
        found = _BOX.match(raw) if number in lines else None
        if found and (found["mark"] or " ") not in _DONE:
            yield start + found.start("inside"), start + found.end("inside")
        start += len(raw) + 1


def empty_boxes(text: str) -> str:
    """The text with every box alike, whatever it was marked with."""
    raw = text.split("\n")
    for index, line in enumerate(raw):
        if found := _BOX.match(line):
            raw[index] = f"{line[: found.start('inside')]} {line[found.end('inside') :]}"
    return "\n".join(raw)


def _box(line: Line, found: re.Match[str], under: tuple[str, ...], parent: int | None) -> Box:
    return Box(
        line.number,
        _width(found["indent"]),
        found["mark"] or "",
        found["text"].strip()[:_TEXT],
        optional=found["star"] is not None,
        under=under,
        parent=parent,
    )


def _with_body(opened: _Open) -> Box:
    while opened.body and not opened.body[-1].text.strip():
        opened.body.pop()
    box = opened.box
    return Box(box.line, box.indent, box.mark, box.text, box.optional, box.under, tuple(opened.body), box.parent)


def _width(indent: str) -> int:
    return len(indent.expandtabs(4))
