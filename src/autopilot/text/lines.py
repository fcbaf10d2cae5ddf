"""Lines of a Markdown file with what surrounds them: code fence, HTML comment, ``<details>``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from autopilot.text.fences import parse_fence

_HEADING = re.compile(r"^ {0,3}(#{1,6})(?!#)")


class Line(Struct, frozen=True):
    number: int  # 1-based
    text: str  # without its line ending
    hidden: bool = False  # inside a code fence or an HTML comment: an example, never a statement
    archived: bool = False  # inside <details>

    @property
    def indent(self) -> int:
        return len(self.text) - len(self.text.lstrip())


class Heading(Struct, frozen=True):
    level: int
    text: str


def scan_lines(text: str) -> tuple[Line, ...]:
    """Split at line feeds only (never at exotic separators), so that numbers agree with every editor."""
    raw = [line.removesuffix("\r") for line in text.split("\n")]
    fenced = _fenced(raw)
    lines: list[Line] = []
    comment, depth = False, 0
    for index, line in enumerate(raw):
        hidden = index in fenced
        was_comment = comment
        if not hidden:
            comment = _comment_after(line, comment)
            depth = max(0, depth + line.lower().count("<details") - line.lower().count("</details"))
        inside = was_comment and (comment or line.rstrip().endswith("-->"))
        is_comment = not was_comment and not comment and re.fullmatch(r"\s*<!--.*-->\s*", line) is not None
        lines.append(Line(index + 1, line, hidden or inside or is_comment, depth > 0))
    return tuple(lines)


def heading(line: Line) -> Heading | None:
    if line.hidden:
        return None
    found = _HEADING.match(line.text)
    title = line.text[found.end() :].rstrip("# \t\r").strip() if found else ""
    return Heading(len(found[1]), title) if found and title else None


def lines_below(lines: Sequence[Line], index: int) -> Iterator[Line]:
    """Without a slice: a copy for each of many thousand lines takes hours."""
    return (lines[place] for place in range(index + 1, len(lines)))


def items(lines: Sequence[Line]) -> Iterator[tuple[Line, str]]:
    """List items with their continuation lines joined; boxes and numbers taken off."""
    start: Line | None = None
    parts: list[str] = []
    for line in lines:
        found = None if line.hidden else re.match(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(.*)$", line.text)
        ends = not line.text.strip() or (not line.hidden and bool(heading(line)))
        if start is not None and (found or ends):
            yield start, " ".join(parts).strip()
            start = None
        if found:
            start, parts = line, [found[1]]
        elif start is not None:
            parts.append(line.text.strip())
    if start is not None:
        yield start, " ".join(parts).strip()


def _fenced(raw: Sequence[str]) -> set[int]:
    """Indexes of lines in code fences.

    An opening fence that meets another *opening* fence (one with a language) before its end was never closed, and one
    that holds half a task did not mean to: real plans hold such slips, and taking them at their word would swallow
    every task that follows.
    """
    fenced: set[int] = set()
    opened: tuple[int, str] | None = None
    for index, line in enumerate(raw):
        fence = parse_fence(line)
        if fence is None:
            continue
        if opened is None:
            opened = (index, fence.mark)
        elif fence.mark.startswith(opened[1]):
            if fence.info or _cuts_a_task(raw[opened[0] : index]):
                opened = (index, fence.mark)
            else:
                fenced.update(range(opened[0], index + 1))
                opened = None
    return fenced


def _cuts_a_task(raw: Sequence[str]) -> bool:
    opens = sum(1 for line in raw if re.match(r"\s*<task[\s>]", line))
    return opens != sum(1 for line in raw if "</task>" in line)


def _comment_after(line: str, comment: bool) -> bool:
    """Whether an HTML comment is open after this line."""
    last_open, last_close = line.rfind("<!--"), line.rfind("-->")
    if last_open == last_close == -1:
        return comment
    return last_open > last_close
