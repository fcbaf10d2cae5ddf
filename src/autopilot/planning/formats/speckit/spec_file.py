"""A feature's spec.md: its name, what was asked for, and its criteria.

Criteria are the acceptance scenarios of its user stories, its functional requirements and its measurable outcomes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from msgspec import Struct

from autopilot.planning.formats.asked import Asked
from autopilot.text.lines import Line, heading, lines_below, scan_lines

_TITLE = re.compile(
    r"(?:feature specification|feature spec|tasks|功能规格说明|機能仕様書?|任务清单|タスク)"
    r"\s{0,3}[:：—–-]\s{0,3}(.{1,200})\Z",
    re.IGNORECASE,
)
_INPUT = re.compile(
    r"\s{0,3}\*\*(?:Input|输入|入力)\*{0,2}\s{0,3}[:：]\s{0,3}\*{0,2}\s{0,3}(.{1,4000})\Z", re.IGNORECASE
)
_QUOTED = re.compile(r"[^\"“「]{0,60}[\"“「](.{1,3500})[\"”」]")
_STORY = re.compile(r"(?:user story|用户故事|ユーザーストーリー)\s{0,3}([0-9]{1,3})", re.IGNORECASE)
_SCENARIOS = re.compile(
    r"\s{0,3}\*\*(?:acceptance scenarios?|acceptance criteria|验收场景|验收标准|受け入れシナリオ|受入シナリオ)",
    re.IGNORECASE,
)
_ITEM = re.compile(r"^\s{0,12}(?:[0-9]{1,3}[.)]|[-*+])\s{1,9}(.*)$")
_NUMBERED = re.compile(
    r"\*\*((?:FR|NFR|SC|AC)-?[0-9]{1,4}[a-z]?)\*\*\s{0,3}[:：]?\s{0,3}(.*)\Z", re.IGNORECASE | re.DOTALL
)
_OPEN = re.compile(r"(?<!`)\[NEEDS CLARIFICATION\s{0,3}[:：]\s{0,3}([^\]\n]{0,400})")
_MARKS = re.compile(r"\*\*|__")
MOST = 300


class SpecFile(Struct, frozen=True):
    name: str = ""
    goal: str = ""
    asked: tuple[Asked, ...] = ()
    open: tuple[Asked, ...] = ()  # what it leaves to a person to clarify


def read_spec(text: str) -> SpecFile:
    lines = scan_lines(text)
    return SpecFile(read_title(lines), _goal(lines), tuple(islice(_asked(lines), MOST)), open_points(text))


def read_title(lines: Sequence[Line]) -> str:
    """What stands after "Feature Specification:" in the first heading; else the heading."""
    title = next((found.text for line in lines if (found := heading(line)) and found.level == 1), "")
    named = _TITLE.match(title)
    return (named[1] if named else title).strip(" *")[:200]


def open_points(text: str) -> tuple[Asked, ...]:
    """``[NEEDS CLARIFICATION: …]`` outside of code."""
    visible = (line for line in scan_lines(text) if not line.hidden)
    found = (Asked(mark[1].strip(), line.number) for line in visible for mark in _OPEN.finditer(line.text))
    return tuple(found)[:MOST]


def _goal(lines: Sequence[Line]) -> str:
    described = next((found[1] for line in lines if not line.hidden and (found := _INPUT.match(line.text))), "")
    quoted = _QUOTED.match(described)
    return (quoted[1] if quoted else described).strip()


def _asked(lines: Sequence[Line]) -> Iterator[Asked]:
    """In the order of the file. A scenario is named after its story: "US1.2: Given …"."""
    story, number, listed = "", 0, False
    for index, line in enumerate(lines):
        if title := heading(line):
            found = _STORY.search(title.text)
            if title.level <= 3 or found:
                story, number = (found[1] if found else ""), 0
            listed = bool(re.search(r"acceptance (?:scenarios|criteria)", title.text, re.IGNORECASE))
            continue
        if line.hidden:
            continue
        if _SCENARIOS.match(line.text):
            listed = True
        elif line.text.startswith("**"):
            listed = False
        item = _ITEM.match(line.text)
        if not item:
            continue
        body = _joined(lines, index, item[1])
        if named := _NUMBERED.match(body):
            if described := _plain(named[2]):
                yield Asked(described, line.number, named[1].upper())
        elif listed and line.indent < 2:
            number += 1
            label = f"US{story}.{number}" if story else f"Scenario {number}"
            yield Asked(_plain(body), line.number, label)


def _joined(lines: Sequence[Line], index: int, first: str) -> str:
    """The item with the indented lines below it."""
    parts, own = [first.strip()], lines[index].indent
    for line in lines_below(lines, index):
        if line.hidden or not line.text.strip() or line.indent <= own or heading(line):
            break
        parts.append((found[1] if (found := _ITEM.match(line.text)) else line.text).strip())
        if len(parts) > 40:
            break
    return " ".join(part for part in parts if part)[:2000]


def _plain(text: str) -> str:
    return _MARKS.sub("", text).strip()
