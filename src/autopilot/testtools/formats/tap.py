"""The Test Anything Protocol: ``1..2``, ``ok 1 - adds``, ``not ok 2 # TODO later``, ``Bail out!``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from autopilot.model.evidence.testing import By, Ended, TestResult
from autopilot.testtools.formats.results import shortened

LONGEST_LINE = 2_000
MOST_NOTES = 20
_POINT = re.compile(r"(not )?ok(?=\s|$)(?:[ \t]+(\d{1,9})(?=\s|$))?(?:[ \t]*(-)(?=\s|$))?[ \t]*+(.*)")
_PLAN = re.compile(r"1\.\.(\d{1,9})[ \t]*(?:#[ \t]*+(.*))?")
_DIRECTIVE = re.compile(r"(?:^|(?<=[^\\]))#[ \t]*(skip|todo)\w*:?(?:[ \t]+|$)(.*)", re.IGNORECASE)
_ENDS = {"skip": Ended.SKIPPED, "todo": Ended.XFAILED}


class Point(Struct):
    """One result. Points of nested tests are indented and stand for nothing here: their outer test sums them up."""

    ok: bool
    number: int | None
    text: str  # all behind the number
    dashed: bool
    notes: list[str]

    @property
    def name(self) -> str:
        title = directive(self.text)[0]
        return title or (f"test {self.number}" if self.number is not None else "a test without a name")


class Tap(Struct, frozen=True):
    points: tuple[Point, ...]
    plans: tuple[int, ...]
    bailed: str = ""  # why the rest was not run


def read_tap(lines: Sequence[str]) -> Tap:
    points, plans, bailed = list[Point](), list[int](), ""
    for line in (line.rstrip()[:LONGEST_LINE] for line in lines):
        if found := _POINT.fullmatch(line):
            number = int(found[2]) if found[2] else None
            points.append(Point(found[1] is None, number, found[4], found[3] is not None, []))
        elif plan := _PLAN.fullmatch(line):
            plans.append(int(plan[1]))
        elif line.startswith("Bail out!"):
            bailed = bailed or line.removeprefix("Bail out!").strip() or "no reason given"
        elif line.startswith("#") and points and len(points[-1].notes) < MOST_NOTES:
            points[-1].notes.append(line[1:].strip())
    return Tap(tuple(points), tuple(plans), bailed)


def directive(text: str) -> tuple[str, Ended | None, str]:
    """What a point is called, what it asks for instead of being judged, and why."""
    found = _DIRECTIVE.search(text)
    if not found:
        return text.replace("\\#", "#").strip(), None, ""
    return text[: found.start()].replace("\\#", "#").strip(), _ENDS[found[1].lower()], found[2].strip()


def result_of(point: Point, file: str = "", by: By = By.ASSERTION) -> TestResult:
    """A test that is still to do is expected to fail, whether it does or not."""
    _, directed, why = directive(point.text)
    ended = directed or (Ended.PASSED if point.ok else Ended.FAILED)
    id = f"{file}::{point.name}" if file else point.name
    failed = ended is Ended.FAILED
    return TestResult(id, ended, by if failed else None, file, shortened("\n".join(point.notes) if failed else why))


def doubt(tap: Tap) -> str:
    """Why the points are not all tests that were to run. Without a plan, the number of tests is not known."""
    if tap.bailed:
        return f"the tests bailed out: {shortened(tap.bailed)}"
    planned, ran = sum(tap.plans), len(tap.points)
    return f"{planned} tests were planned and {ran} reported" if tap.plans and planned != ran else ""
