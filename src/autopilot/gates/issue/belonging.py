"""Which executed tests belong to an acceptance test: those it names, or those that bear its id."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from autopilot.gates.evidence.test_id import file, parts
from autopilot.model.evidence.testing import TestResult
from autopilot.model.issue.issue import AcceptanceTest

# What may stand behind a test that was named, in the id of one of its cases.
_WITHIN = re.compile(r"::|\[| > | › | » |#|\(| \(\d+\)$")


def owned(test: AcceptanceTest, results: Sequence[TestResult], others: Sequence[str]) -> tuple[TestResult, ...]:
    """``others`` are the ids of all acceptance tests: of two that stand at one place the longer is meant."""
    if test.tests:
        return tuple(result for result in results if any(meets(name, result, test.id) for name in test.tests))
    return tuple(result for result in results if bears(result.id, test.id, others))


def meets(named: str, result: TestResult, test_id: str) -> bool:
    """Whether the result is the test of that name, a case of it, or one of the class or the file that is named.

    Where the file of a result is not known (lines that a script prints), a file alone is met by what also bears the
    acceptance test's id.
    """
    name = named.strip().removeprefix("./")
    if not name or result.id == name:
        return bool(name)
    rest = result.id[len(name) :]
    if result.id.startswith(name) and (_WITHIN.match(rest) or ("::" in name and rest.startswith("/"))):
        return True
    if name.endswith(("]", ")")):
        return result.id.endswith((f"::{name}", f" > {name}", f"#{name}"))
    place, own = _split(name)
    known = result.file or file(result.id)
    if place and known and place != known:
        return False
    if not own:
        return place == known or (not known and bears(result.id, test_id, (test_id,)))
    return _run_in(own, parts(result.id))


def bears(id: str, test_id: str, others: Sequence[str]) -> bool:
    """Whether an acceptance test's id stands in that of a test: ``AT-001``, ``test_at_001_adds``, ``testAT001Adds``."""
    found = {match.start(): match.end() for match in _token(test_id).finditer(id)}
    if not found:
        return False
    for other in others:
        if len(other) > len(test_id):
            for match in _token(other).finditer(id):
                if match.end() > found.get(match.start(), match.end()):
                    del found[match.start()]
    return bool(found)


def _token(test_id: str) -> re.Pattern[str]:
    """AT-001 stands neither in AT-0011 nor in AT-001-2 nor in FORMAT-001. Between two numbers there is a separator."""
    pieces = re.findall(r"[A-Za-z]+|\d+", test_id)
    spelled = pieces[0] if pieces else "(?!)"
    for before, piece in pairwise(pieces):
        spelled += ("[-_. ]{1,2}" if before.isdigit() and piece.isdigit() else "[-_. ]{0,2}") + piece
    begins = r"(?:(?<![A-Za-z0-9])|(?<=[a-z])(?=A))"
    ends = r"(?![0-9a-z])(?![A-Z](?![a-z]))(?![-.][A-Za-z]{0,2}[0-9])"
    return re.compile(f"{begins}(?i:{spelled}){ends}")


def _split(name: str) -> tuple[str, tuple[str, ...]]:
    """The file and the names inside it; either may be missing."""
    place = file(name)
    if place == name:
        return place, ()
    return place, parts(name)


def _run_in(some: tuple[str, ...], names: tuple[str, ...]) -> bool:
    size = len(some)
    return bool(some) and any(names[start : start + size] == some for start in range(len(names) - size + 1))
