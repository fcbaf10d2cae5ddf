"""Silent tests: single new tests that notice nothing when constants stand in place of the work (layer M).

One test that notices speaks for its file; what the others of it say may still be asked for by no test. They are shown,
and no clause of the roadmap counts as spoken of by their words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from autopilot.gates.evidence.idle import NewTests, judge_silent, silent_tests
from autopilot.gates.evidence.sabotage import Trial
from autopilot.model.evidence.observation import Observation
from autopilot.model.evidence.subject import ProbeKind
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.base import base_of
from autopilot.steps.evidence.brought.idle_tests import MOST_FILES, Attempt, new_tests_by_file, probes_of, trials_of
from autopilot.steps.evidence.proving import Proving, changed_contents, reverted_files
from autopilot.steps.evidence.work import Work
from autopilot.testtools.mutants.mutant import Mutant, mutants


def run_silent_tests(
    ctx: StepContext,
    work: Work,
    before: Mapping[str, Observation],
    after: Sequence[Observation],
    probes: Sequence[Observation],
) -> Proving:
    """``probes``: what was run already. Files with a test that noticed none of it are run with further constants."""
    if not ctx.policy.evidence.mutants or not ctx.policy.evidence.sabotage:
        return Proving()
    proving = Proving()
    for green, new in list(new_tests_by_file(ctx, work, before, after))[:MOST_FILES]:
        mutated, reverted = _trials(ctx, new, probes)
        attempt = Attempt(ctx, work, green, new)
        for mutant in _constants(attempt) if silent_tests(new, mutated, reverted) else ():
            mutated.append(attempt.run(mutant.description, mutant.edits))
            if not silent_tests(new, mutated, reverted):
                break
        proving += Proving(tuple(attempt.probes), judge_silent(work.subject, new, silent_tests(new, mutated, reverted)))
    return proving


def list_silent(
    ctx: StepContext, work: Work, after: Sequence[Observation], probes: Sequence[Observation]
) -> Iterator[tuple[str, str]]:
    """By what was run already: the file and the id of each. Of further files not every constant was tried."""
    for _, new in list(new_tests_by_file(ctx, work, base_of(ctx), after))[:MOST_FILES]:
        yield from ((new.path, test) for test in silent_tests(new, *_trials(ctx, new, probes)))


def _trials(ctx: StepContext, new: NewTests, probes: Sequence[Observation]) -> tuple[list[Trial], list[Trial]]:
    mutated, reverted = (trials_of(ctx, new, probes_of(ctx, probes, k)) for k in (ProbeKind.MUTANT, ProbeKind.REPLAY))
    return mutated, reverted


def _constants(attempt: Attempt) -> tuple[Mutant, ...]:
    reverted = reverted_files(attempt.ctx, attempt.work, [attempt.green.command])
    return mutants(changed_contents(attempt.ctx, attempt.work, reverted))
