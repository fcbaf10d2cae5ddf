"""Does a criterion that holds before the work show that the work is there already?"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from msgspec import Struct

from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.planning.criterion import Criterion

# One test by its name: `pytest a.py::test_b`, `-k total`, `go test -run TestTotal`, `jest -t total`, `a_spec.rb:12`.
_ONE_TEST = re.compile(
    r"::|#\w|_spec\.rb:\d|"
    r"\s(?:-[ktenfg]|--?run|--filter|--grep|--name|--tests|--example|--test-name-pattern|--testNamePattern)[\s=]"
)

NEW_OR_KEEP = "ask for what is not there yet, or begin it with [keep] if it only has to stay so"
LEAVE_WHOLE = "leave it as it is if the work is there; else ask for what is missing"


class Held(Struct, frozen=True):
    """Of the criteria that a phase is to turn green, those that hold before its work."""

    criteria: tuple[Criterion, ...] = ()
    is_whole: bool = False  # all of them, and each shows that the work is there


def find_held(criteria: Sequence[Criterion], before: Sequence[Observation], checks: Collection[str]) -> Held:
    """``checks`` are the project's own commands."""
    green = {seen.subject: seen for seen in before if seen.seen is Seen.PASSED}
    held = tuple(criterion for criterion in criteria if criterion.id in green)
    is_whole = len(held) == len(criteria) and all(shows_that_it_is_there(green[c.id], checks) for c in held)
    return Held(held, bool(held) and is_whole)


def describe_held(phase: str, criterion: Criterion) -> str:
    return (
        f"phase {phase}: `{criterion.command[:80]}` ({criterion.expectation.in_words}) holds already:"
        " it will prove nothing of the work"
    )


def describe_whole(phase: str, count: int) -> str:
    subject = "its criterion holds" if count == 1 else f"all {count} criteria that are commands hold"
    return f"phase {phase}: {subject} already: a run verifies it and builds nothing, unless its plan asks for more"


def shows_that_it_is_there(base: Observation, checks: Collection[str]) -> bool:
    """Not where it says only that tests pass which may have stood there before the work was thought of.

    A whole file of tests, or the whole suite, is green before most work on it begins: `pytest tests/test_totals.py`
    promises the tests that the work is yet to add. ``checks`` are the project's own commands.
    """
    return base.seen is Seen.PASSED and not is_general(base, checks)


def is_general(base: Observation, checks: Collection[str]) -> bool:
    return base.command in checks or (base.tests is not None and not _ONE_TEST.search(base.command))
