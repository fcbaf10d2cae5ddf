"""Does a criterion that holds before the work show that the work is there already?"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from msgspec import Struct

from autopilot.model.evidence.deciding import deciding, script_of, seen_for
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.planning.complaint import Complaint
from autopilot.model.planning.criterion import Criterion, Strength, to_turn_green
from autopilot.model.planning.plan import Task
from autopilot.model.run import PhaseBrief

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


def complain_of_held(
    phase: str, path: str, criteria: Iterable[Criterion], before: Sequence[Observation]
) -> Iterator[Complaint]:
    """Where those of the criteria stand that hold already. ``path``: of those that do not say where they stand."""
    for criterion in find_held(to_turn_green(criteria), before, ()).criteria:
        yield Complaint(criterion.path or path, criterion.line, describe_held(phase, criterion))


def complain_before_run(
    brief: PhaseBrief, path: str, before: Sequence[Observation], checks: Collection[str]
) -> Iterator[tuple[Complaint, str]]:
    """The same of a phase of the roadmap, each with its remedy."""
    if find_held(brief.to_build, before, checks).is_whole:
        first, count = brief.to_build[0], len(brief.to_build)
        yield Complaint(first.path or path, first.line, describe_whole(brief.id, count)), LEAVE_WHOLE
        return
    for complaint in complain_of_held(brief.id, path, brief.to_build, before):
        yield complaint, NEW_OR_KEEP


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


def all_hold(brief: PhaseBrief, tasks: Sequence[Task], red: Sequence[Observation]) -> bool:
    """Whether there is nothing that the work could turn green, though something can be run for every task."""
    automatic = [task for task in tasks if task.is_automatic]
    wanted = {criterion.id for criterion in brief.criteria if criterion.is_runnable}
    is_red = any(seen.seen is not Seen.PASSED for seen in red if seen.subject in wanted)
    return bool(automatic) and not is_red and all(seen_for(task, red) and not is_left(task, red) for task in automatic)


def is_left(task: Task, red: Sequence[Observation]) -> bool:
    """Whether anything that can be run shows that the task is not done, whatever was written about it."""
    return any(seen is not Seen.PASSED for seen in seen_for(task, red))


def is_there(task: Task, red: Sequence[Observation], checks: Collection[str]) -> bool:
    """Whether everything a user's task promises holds already, seen by more than a search for words.

    That a whole file of tests is green says nothing of one task: it was before the task was thought of.
    """
    script = script_of(task.id, red)
    if not task.is_automatic or (script is not None and script.seen is not Seen.PASSED):
        return False
    promised = [c for c in task.criteria if c.is_new]
    runnable = all(c.is_runnable for c in task.criteria)
    general = {observation.subject for observation in red if is_general(observation, checks)}
    is_shown = script is not None or any(c.strength is not Strength.GREP and c.id not in general for c in promised)
    held = all(deciding(c, red, script).seen is Seen.PASSED for c in task.criteria)
    return bool(promised) and runnable and is_shown and held


def held_before(task: Task, red: Sequence[Observation]) -> bool:
    """Whether all of it that can be run held before the work, and one check at least is more than a search for words.

    What cannot be run is left to reviewers.
    """
    script = script_of(task.id, red)
    facts = (deciding(criterion, red, script) for criterion in task.criteria)
    is_shown = any(fact.strength is not Strength.GREP for fact in facts if fact.seen is not None)
    return is_shown and not is_left(task, red)
