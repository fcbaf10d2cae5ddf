"""Unasked clauses: what the goal and the criteria of a phase say that no command and no test of its criteria speaks of.

They are listed as not checked, and put to the reviewers as questions: code cannot tell whether they hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from autopilot.events.accounts import checks_for, person_for, promises_of
from autopilot.events.criteria import criteria_of
from autopilot.events.state import PhaseState
from autopilot.gates.evidence.idle import GivenUp
from autopilot.gates.evidence.test_id import name
from autopilot.inspection.second_look.finding import added_lines
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind
from autopilot.model.planning.promise import Source
from autopilot.planning.spec.clauses import read_clauses, unasked
from autopilot.planning.spec.speaking import is_test_of, single_tests
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.brought.not_executed import Placed, list_expected_failures, list_not_executed
from autopilot.steps.evidence.brought.silent_tests import list_silent
from autopilot.steps.evidence.held_out import files_of_tests
from autopilot.steps.evidence.work import Work
from autopilot.steps.observing.texts import text_at

MOST_ALONE = 50  # tests that are expected to fail, each asked by itself


class Speaking(Struct, frozen=True):
    """What the checks of a phase say."""

    checks: tuple[str, ...]
    tested: frozenset[str]  # criteria that run tests


def find_unasked(
    ctx: StepContext, work: Work, seen: Sequence[Observation], probes: Sequence[Observation]
) -> tuple[str, ...]:
    """``probes``: the examples of spec and roadmap are among them. A part of a phase has no goal of its own."""
    if ctx.phase.parent or not ctx.phase.brief.accounted:
        return ()
    return _left(ctx.phase, _read_checks(ctx, work, seen, probes))


def find_given_up(
    ctx: StepContext, work: Work, seen: Sequence[Observation], probes: Sequence[Observation]
) -> tuple[GivenUp, ...]:
    """New tests that are expected to fail, do, and alone speak of a clause: their author says that it does not hold."""
    if ctx.phase.parent or not ctx.phase.brief.accounted:
        return ()
    failing = tuple(list_expected_failures(ctx, seen))
    if not failing:
        return ()
    speaking = _read_checks(ctx, work, seen, probes)
    left, found = _left(ctx.phase, speaking), list[GivenUp]()
    read = cache(lambda path: [*single_tests(text_at(ctx, work.new)(path) or "")])
    # A report may have 100,000 of them: behind the first ones the others are asked together.
    groups = [(placed,) for placed in failing[:MOST_ALONE]] + [group for group in [failing[MOST_ALONE:]] if group]
    for group in groups:
        own = [text for placed in _by_file(group) for text in _texts_of(*placed, read)]
        open_still = _left(ctx.phase, replace(speaking, checks=(*speaking.checks, *own)))
        path, test = group[0]
        found += [GivenUp(test, path, clause) for clause in left if clause not in open_still]
    return tuple(found)


def _by_file(placed: Sequence[Placed]) -> Iterator[tuple[str, frozenset[str]]]:
    names: dict[str, list[str]] = {}
    for path, test in placed:
        names.setdefault(path, []).append(name(test))
    yield from ((path, frozenset(named)) for path, named in names.items())


def _texts_of(path: str, names: frozenset[str], read: Callable[[str], Sequence[str]]) -> Iterator[str]:
    yield from (f"{path}\n{text}" for text in read(path) if is_test_of(f"{path}\n{text}", names))


def _read_checks(ctx: StepContext, work: Work, seen: Sequence[Observation], probes: Sequence[Observation]) -> Speaking:
    asked = {criterion.id: criterion for criterion in criteria_of(ctx.phase) if criterion.is_runnable}
    green = [run for run in seen if run.subject in asked and run.seen is Seen.PASSED]
    tested = frozenset(run.subject for run in green if run.tests)
    unheard = (*list_silent(ctx, work, seen, probes), *list_not_executed(ctx, green))
    checks = [*(run.command for run in green), *_speaking(ctx, work, green, unheard)]
    # A command that runs no tests is what its words say; tests say it themselves.
    checks += [asked[run.subject].text for run in green if not run.tests]
    checks += [probe.command for probe in probes if probe.about.probe is ProbeKind.HELD_OUT]
    return Speaking(tuple(checks), tested)


def _left(phase: PhaseState, speaking: Speaking) -> tuple[str, ...]:
    stated = [criterion.text for criterion in phase.brief.criteria if criterion.is_runnable]
    of_goal = unasked(read_clauses([phase.brief.goal]), [*speaking.checks, *stated])
    return tuple(dict.fromkeys((*of_goal, *unasked(tuple(_of_criteria(phase, speaking.tested)), speaking.checks))))


def _of_criteria(phase: PhaseState, tested: frozenset[str]) -> Iterator[str]:
    """Clauses of criteria that checks are to prove. One that says a single thing is among them where all its checks are
    tests (``tested``) that other criteria share: what is mapped to it alone is about that. The accounts tell of those
    without a check."""
    promised = [p for p in promises_of(phase) if p.source is Source.ROADMAP and not person_for(phase, p)]
    proving = {promise.name: checks_for(phase, promise) for promise in promised}
    shares = Counter(check for checks in proving.values() for check in checks)
    for promise in promised:
        clauses, checks = read_clauses([promise.text]), proving[promise.name]
        if checks and (len(clauses) > 1 or all(shares[check] > 1 and check in tested for check in checks)):
            yield from clauses


def _speaking(
    ctx: StepContext, work: Work, green: Sequence[Observation], unheard: Sequence[tuple[str, str]]
) -> Iterator[str]:
    """What the tests of criteria say; of a file that the work changed, what it added.

    ``unheard``: tests that ask nothing of the work, whatever their words, each with its file.
    """
    before, after = text_at(ctx, work.old), text_at(ctx, work.new)
    changed, silent = {change.path for change in work.changes}, dict(_by_file(unheard))
    for path in files_of_tests(ctx, green):
        text = after(path) or ""
        new = added_lines(before(path), text) if path in changed else None
        added = text if new is None else "\n".join(line for n, line in enumerate(text.split("\n"), 1) if n in new)
        names = silent.get(path, frozenset())
        yield from (f"{path}\n{test}" for test in single_tests(added) if not is_test_of(test, names))
