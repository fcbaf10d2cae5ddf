"""The requirements of a Kiro spec: numbered, each with its acceptance criteria in the form of EARS."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from autopilot.planning.formats.found import Promise
from autopilot.text.lines import Line, heading, lines_below, scan_lines

_NUMBER = re.compile(r"(?:(?P<word>[^\W\d]{2,30})[ \t]{0,4})?(?P<number>[0-9]{1,3})(?![\w.]*\.[0-9])")
_WORDS = re.compile(
    r"(?:req(?:uirement)?|requisito|requerimiento|exigence|anforderung|требование|需求|要件|要求|요구사항)\Z",
    re.IGNORECASE,
)
_ACCEPTANCE = re.compile(
    r"accept|aceptaci|aceita|akzeptanz|prijem|приемк|приёмк|验收|驗收|受け入れ|受入|수용|인수", re.IGNORECASE
)
_LABEL = re.compile(r"[ \t]*+(?:[-*+][ \t]++)?\*\*[^*\n]{1,80}+\*\*[ \t]*+[:：]?[ \t]*+\Z")
_MARK = r"[ \t]*+(?:[-*+][ \t]++(?:\[[ xX]\][ \t]++)?)?"
_OWN = (
    r"\*{0,2}(?:AC[- ]?)?(?P<first>[0-9]{1,3})(?:\.(?P<second>[0-9]{1,3}))?\*{0,2}[.):、．]?\*{0,2}"
    r"(?:[ \t]++|(?=[^\W\d]))"
)
_ITEM = re.compile(rf"{_MARK}(?:{_OWN})?(?P<text>[^\n]*+)")
_BULLET = re.compile(rf"[ \t]*+(?:[-*+][ \t]|{_OWN})")
_EARS = re.compile(r"\b(?:SHALL|WHEN|WHILE|WHERE|IF)\b")
_EXPECTED = re.compile(r"expected|correct|esperado|期望|期待|预期", re.IGNORECASE)
_UNCHANGED = re.compile(r"unchanged|regression|preserv|不变|不変|sem alter|sin cambios", re.IGNORECASE)
_LONGEST = 2_000  # characters of a criterion
_GOAL = 1_500


class Requirements(Struct, frozen=True):
    title: str = ""
    goal: str = ""
    promises: tuple[tuple[str, Promise], ...] = ()  # by "1.2": the second criterion of requirement 1

    def by_reference(self) -> dict[str, tuple[Promise, ...]]:
        """By "1.2", and all of requirement 3 by "3"."""
        found: dict[str, list[Promise]] = {}
        for key, promise in self.promises:
            found.setdefault(key, []).append(promise)
            found.setdefault(key.split(".")[0], []).append(promise)
        return {key: tuple(promises) for key, promises in found.items()}


def parse_requirements(text: str, path: str) -> Requirements:
    lines = scan_lines(text)
    found: list[tuple[str, Promise]] = []
    for number, body in _sections(lines):
        found += _criteria(number, body, path)
    return Requirements(_title(lines), _goal(lines), tuple(found))


def parse_bugfix(text: str, path: str) -> Requirements:
    """What is expected is new; what is called unchanged has to stay."""
    lines = scan_lines(text)
    found: list[tuple[str, Promise]] = []
    for index, line in enumerate(lines):
        title = heading(line)
        if title and title.level >= 3 and (stays := _UNCHANGED.search(title.text) or _EXPECTED.search(title.text)):
            mark = "[keep] " if stays.re is _UNCHANGED else ""
            for key, promise in _criteria("", _below(lines, index), path):
                found.append((key, Promise(path, promise.line, f"{mark}{promise.text}")))
    return Requirements(_title(lines), _goal(lines), tuple(found))


def _sections(lines: Sequence[Line]) -> Iterator[tuple[str, Sequence[Line]]]:
    """Headings with a number, such as "Requirement 3: Name", that have criteria below them."""
    for index, line in enumerate(lines):
        title = heading(line)
        found = _NUMBER.match(title.text) if title and 2 <= title.level <= 4 else None
        if not found:
            continue
        body = _below(lines, index)
        named = _WORDS.match(found["word"] or "") is not None
        if named or any(_is_label(other) for other in body):
            yield str(int(found["number"])), body


def _below(lines: Sequence[Line], index: int) -> Sequence[Line]:
    title = heading(lines[index])
    level = title.level if title else 0
    end = index + 1
    while end < len(lines) and not ((other := heading(lines[end])) and other.level <= level):
        end += 1
    return lines[index + 1 : end]


def _is_label(line: Line) -> bool:
    title = heading(line)
    if title:
        return _ACCEPTANCE.search(title.text) is not None
    return not line.hidden and _LABEL.match(line.text) is not None and _ACCEPTANCE.search(line.text) is not None


def _criteria(number: str, body: Sequence[Line], path: str) -> Iterator[tuple[str, Promise]]:
    """The items below the label; without one those that are written in the words of EARS."""
    labelled = next((index for index, line in enumerate(body) if _is_label(line)), None)
    taken = body[labelled + 1 :] if labelled is not None else body
    place = 0
    for first, text in _items(taken):
        if labelled is None and not _EARS.search(text):
            continue
        found = _ITEM.match(first.text)
        place += 1
        own, second = (found["first"], found["second"]) if found else (None, None)
        key = f"{int(own)}.{int(second)}" if own and second else f"{number}.{int(own) if own else place}"
        yield key, Promise(path, first.number, text[:_LONGEST])


def _items(lines: Sequence[Line]) -> Iterator[tuple[Line, str]]:
    """Each with what goes on below it; a heading or another label ends them."""
    start: Line | None = None
    parts: list[str] = []
    for line in lines:
        if heading(line) or (not line.hidden and _LABEL.match(line.text)):
            break
        begins = not line.hidden and _BULLET.match(line.text) is not None
        if begins and (start is None or line.indent <= start.indent):
            if start:
                yield start, " ".join(parts)
            found = _ITEM.match(line.text)
            start, parts = line, [found["text"].strip() if found else line.text.strip()]
        elif start and line.text.strip() and not line.hidden:
            parts.append(line.text.strip())
    if start:
        yield start, " ".join(parts)


def _title(lines: Sequence[Line]) -> str:
    return next((found.text for line in lines if (found := heading(line)) and found.level == 1), "")


def _goal(lines: Sequence[Line]) -> str:
    """The first section that is prose: the introduction, whatever it is called."""
    for index, line in enumerate(lines):
        title = heading(line)
        if title and title.level == 2:
            parts: list[str] = []
            for below in lines_below(lines, index):
                if heading(below):
                    break
                parts.append(below.text)
            if text := "\n".join(parts).strip():
                return text[:_GOAL]
    return ""
