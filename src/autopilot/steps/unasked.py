"""Unasked clauses: what the goal and the criteria of a phase say that no command and no test of its criteria speaks of.

They are listed as not checked, and put to the reviewers as questions: code cannot tell whether they hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from autopilot.events.accounts import checks_for, person_for, promises_of
from autopilot.events.criteria import criteria_of
from autopilot.events.state import PhaseState
from autopilot.gates.evidence.test_id import name
from autopilot.inspection.second_look.finding import added_lines
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind
from autopilot.model.planning.promise import Source
from autopilot.planning.spec.clauses import read_clauses, unasked
from autopilot.planning.spec.speaking import is_test_of, single_tests
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.brought.silent_tests import list_silent
from autopilot.steps.evidence.held_out import files_of_tests
from autopilot.steps.evidence.work import Work
from autopilot.steps.observing.texts import text_at


def find_unasked(
    ctx: StepContext, work: Work, seen: Sequence[Observation], probes: Sequence[Observation]
) -> tuple[str, ...]:
    """``probes``: the examples of spec and roadmap are among them. A part of a phase has no goal of its own."""
    if ctx.phase.parent or not ctx.phase.brief.accounted:
        return ()
    asked = {criterion.id: criterion for criterion in criteria_of(ctx.phase) if criterion.is_runnable}
    green = [run for run in seen if run.subject in asked and run.seen is Seen.PASSED]
    tested = frozenset(run.subject for run in green if run.tests)
    silent = tuple(list_silent(ctx, work, seen, probes))
    checks = [*(run.command for run in green), *_speaking(ctx, work, green, silent)]
    # A command that runs no tests is what its words say; tests say it themselves.
    checks += [asked[run.subject].text for run in green if not run.tests]
    checks += [probe.command for probe in probes if probe.about.probe is ProbeKind.HELD_OUT]
    stated = [criterion.text for criterion in ctx.phase.brief.criteria if criterion.is_runnable]
    of_goal = unasked(read_clauses([ctx.phase.brief.goal]), [*checks, *stated])
    return tuple(dict.fromkeys((*of_goal, *unasked(tuple(_of_criteria(ctx.phase, tested)), checks))))


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
    ctx: StepContext, work: Work, green: Sequence[Observation], silent: Sequence[tuple[str, str]]
) -> Iterator[str]:
    """What the tests of criteria say; of a file that the work changed, what it added.

    ``silent``: tests that ask nothing of the work, whatever their words, each with its file.
    """
    before, after = text_at(ctx, work.old), text_at(ctx, work.new)
    changed = {change.path for change in work.changes}
    for path in files_of_tests(ctx, green):
        text = after(path) or ""
        new = added_lines(before(path), text) if path in changed else None
        added = text if new is None else "\n".join(line for n, line in enumerate(text.split("\n"), 1) if n in new)
        unheard = [name(test) for place, test in silent if place == path]
        yield from (f"{path}\n{test}" for test in single_tests(added) if not is_test_of(test, unheard))
