"""May a run begin on what is there? What is red before any work, and whether that is its user's will or its aim."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from msgspec import Struct

from autopilot.gates.evidence.test_id import around, file, is_named, name
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.testing import Ended, Grade, TestReport
from autopilot.model.planning.plan import Task
from autopilot.model.run import PhaseBrief

ALL = "all"  # accepts whatever is red
TEST = "test"


class Red(Struct, frozen=True):
    """Not green before the work: one test, or a whole check where no single test is known."""

    id: str  # of the test, or the name of the check
    check: str
    because: str = ""
    is_not_run: bool = False
    file: str = ""  # of a test, where its tool says it
    is_single: bool = False  # one test, known by the id that its tool gives it


class Goal(Struct, frozen=True):
    """What one phase is to reach, as its owner wrote it."""

    text: str
    commands: tuple[str, ...] = ()  # of its criteria
    turns_green: tuple[str, ...] = ()  # those of them that are to be red before and green after


def goal_of(brief: PhaseBrief, tasks: Sequence[Task] = ()) -> Goal:
    """A check of the whole that stands beside others keeps watch; one that stands alone is what the phase is for."""
    criteria = [criterion for criteria in (brief.criteria, *(t.criteria for t in tasks)) for criterion in criteria]
    runnable = [criterion for criterion in criteria if criterion.is_runnable]
    turns_green = [criterion.command for criterion in runnable if criterion.is_new] or [c.command for c in runnable]
    texts = [brief.name, brief.goal, *(criterion.text for criterion in criteria)]
    texts += [text for task in tasks for text in (task.title, task.action, task.done)]
    return Goal("\n".join(texts), tuple(c.command for c in runnable), tuple(turns_green))


def find_red(
    seen: Sequence[Observation], reports: Mapping[str, TestReport], written: Collection[str]
) -> tuple[Red, ...]:
    """What a run must not begin with unasked. ``written``: the checks that the config names.

    Findings of a linter or a compiler are compared with those after the work, so they stop nothing. A check that
    cannot run does; not so a linter that was only detected: no user asked for it.
    """
    return tuple(red for observation in seen for red in _find(observation, reports, written))


def _find(seen: Observation, reports: Mapping[str, TestReport], written: Collection[str]) -> Iterator[Red]:
    if seen.seen is Seen.PASSED:
        return
    if seen.is_not_run:
        if seen.subject == TEST or seen.subject in written:
            yield Red(seen.subject, seen.subject, seen.reason, is_not_run=True)
    elif seen.subject == TEST:
        yield from _red_tests(seen, reports.get(seen.subject))


def _red_tests(seen: Observation, report: TestReport | None) -> Iterator[Red]:
    """By their ids where a report tells; a run of no test at all is not red, since none was written yet."""
    if report is None or report.problem or report.grade is Grade.EXIT or seen.seen is Seen.TIMED_OUT:
        yield Red(TEST, TEST, seen.reason or "its tests are not known by name")
        return
    failed = [result for result in report.results if result.ended is Ended.FAILED]
    yield from (Red(result.id, TEST, result.message, file=result.file, is_single=True) for result in failed)
    yield from _unloaded(report.loading)
    if not failed and not report.loading and report.results:
        yield Red(TEST, TEST, seen.reason or "every test passed, and the command failed all the same")


def _unloaded(lines: Sequence[str]) -> Iterator[Red]:
    """By the file or package that a line begins with; what a compiler says of no place, as one of the whole check."""
    places = [(place.strip(), message.strip()) for place, _, message in (line.partition(":") for line in lines)]
    known = [place and not re.search(r"[\s`]", place) for place, _ in places]
    for (place, message), is_known in zip(places, known, strict=True):
        if is_known:
            yield Red(place, TEST, f"could not be loaded: {message}")
    if elsewhere := [line for line, is_known in zip(lines, known, strict=True) if not is_known]:
        yield Red(TEST, TEST, f"its tests could not be loaded: {'; '.join(elsewhere)}")


def is_green_again(red: Red, seen: Observation, report: TestReport | None) -> bool:
    """Whether another run of the same commit shows that it was red by chance.

    A single test by its own result; what is known by no name, or could not be loaded, by the command as a whole.
    """
    results = report.results if report is not None and not report.problem else ()
    ended = [result.ended for result in results if result.id == red.id]
    if red.is_single:
        return bool(ended) and all(end is Ended.PASSED for end in ended)
    return seen.seen is Seen.PASSED


def is_accepted(red: Red, accepted: Collection[str]) -> bool:
    """By its id, or by that of what it belongs to: its file, its folder, its class, its check."""
    if accepted and not {ALL, red.check, red.id}.isdisjoint(accepted):
        return True
    after = ("::", "/", "[") if "/" in red.id else ("::", "/", "[", ".")  # of a dotted id, also its module
    groups = [word.rstrip("/") for word in accepted]
    if red.file and any(red.file == word or red.file.startswith(f"{word}/") for word in groups):
        return True
    return any(red.id.startswith(f"{word}{mark}") for word in groups for mark in after)


def is_aimed_at(red: Red, goals: Sequence[Goal], command: str) -> bool:
    """Whether a phase is to turn it green: then it is where that phase starts. ``command``: that of its check."""
    if red.id == red.check:
        lines = [line for goal in goals for line in (goal.commands if red.is_not_run else goal.turns_green)]
        # The command itself, or the same with a part of the suite named behind it.
        return any(line == command or line.startswith(f"{command} ") for line in lines)
    names = [part for part in (red.id, name(red.id), around(red.id)) if part]
    if any(is_named(part, goal.text) for part in names for goal in goals):
        return True
    return any(_runs(red, line, command) for goal in goals for line in goal.turns_green)


def _runs(red: Red, line: str, command: str) -> bool:
    """Whether a criterion's command runs a test: the whole suite, its file, its folder, or itself by name."""
    if line == command:
        return True
    path = PurePosixPath(red.file or file(red.id))
    for word in (word.strip("'\"") for word in line.split()):
        if _is_module_of(word, red.id) or _is_package_of(word, red.id):
            return True
        head = word.partition("::")[0].removeprefix("./").rstrip("/")
        if head and path.name and (path == PurePosixPath(head) or PurePosixPath(head) in path.parents[:-1]):
            return "::" not in word or red.id.startswith(word.removeprefix("./"))
    return is_named(name(red.id), line)


def _is_module_of(word: str, id: str) -> bool:
    """``tests.test_a`` or ``tests.test_a.Case``, as unittest takes them."""
    return "." in word.strip(".") and "/" not in word and (id == word or id.startswith(f"{word}."))


def _is_package_of(word: str, id: str) -> bool:
    """``./version``, ``./version/...`` or ``./...`` as go takes them, of a package by its import path."""
    if not word.startswith("./"):
        return False
    folder, below = PurePosixPath(word.removesuffix("...")), word.endswith("/...")
    if not folder.parts:
        return below
    package = PurePosixPath(around(id) or id)
    ends = [package, *package.parents] if below else [package]
    return any(end.parts[-len(folder.parts) :] == folder.parts for end in ends)
