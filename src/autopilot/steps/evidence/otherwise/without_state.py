"""Without state: criteria whose run opens what the work has kept for its product, run without that (layer H)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from autopilot.gates.evidence.declared import covers
from autopilot.gates.evidence.otherwise.without_state import State, empty_like, find_state, judge_without_state
from autopilot.gates.evidence.sabotage import Trial
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind, probe_subject
from autopilot.model.planning.criterion import Criterion
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.held_out import files_of_tests
from autopilot.steps.evidence.neighbours import named_by_user
from autopilot.steps.evidence.otherwise.other_input import added_lines
from autopilot.steps.evidence.proving import Proving
from autopilot.steps.evidence.work import Work, commit_with
from autopilot.steps.observing.observing import list_criterion_checks, observe_made
from autopilot.steps.observing.test_reports import report_of
from autopilot.steps.observing.texts import files_opened, text_at
from autopilot.text.file_kind import is_test
from autopilot.text.masking import is_masked

MOST_FILES, MOST_CRITERIA = 8, 4


def run_without_state(
    ctx: StepContext, work: Work, criteria: Sequence[Criterion], after: Sequence[Observation]
) -> Proving:
    """No run where no such file came with the work, or none was opened."""
    states = _states(ctx, work, after) if ctx.policy.evidence.held_out else []
    if not states:
        return Proving()
    green = {seen.subject: seen for seen in after if seen.seen is Seen.PASSED}
    gone: dict[str, bytes | None] = {state.path: None for state in states}
    emptied = {path: empty_like(ctx.ports.vault.read(work.evidence, path) or b"") for path in gone}
    proving = Proving()
    for criterion in [c for c in criteria if c.id in green and c.is_runnable][:MOST_CRITERIA]:
        (check,) = list_criterion_checks(ctx, [criterion])
        probe = replace(check, subject=probe_subject(ProbeKind.INPUT, criterion.id))
        trials, written = list[Trial](), set[str]()
        for edits in (gone, {**gone, **emptied}):
            made = commit_with(ctx, work.evidence, edits)
            (seen,) = observe_made(ctx, made, work.evidence, [probe], is_spoiled=True, watched=True)
            proving += Proving((seen,))
            written |= {*seen.rewritten}
            trials.append(Trial("", seen.seen, report_of(ctx, seen)))
            if seen.seen is not Seen.FAILED or emptied == gone:
                break
        report = report_of(ctx, green[criterion.id])
        proving += Proving(objections=judge_without_state(criterion.id, report, states, trials, written))
    return proving


def _states(ctx: StepContext, work: Work, after: Sequence[Observation]) -> list[State]:
    came = [c.path for c in work.changes if c.status == "A" and not is_masked(c.path) and not is_test(c.path)]
    opened = {path for seen in after for path in files_opened(ctx, seen)} if came else set[str]()
    wanted = [path for path in came if path in opened][:MOST_FILES]
    if not wanted:
        return []
    code = {path: lines for path, lines in added_lines(ctx, work).items() if is_masked(path)}
    tests = [text_at(ctx, work.evidence)(path) or "" for path in files_of_tests(ctx, after)]
    named = named_by_user(ctx, work)

    def is_declared(path: str) -> bool:
        return path.rpartition("/")[2] in named or any(covers(name, path) for name in work.declared)

    read = ctx.ports.vault.read
    found = (find_state(p, read(work.evidence, p) or b"", code, tests, declared=is_declared(p)) for p in wanted)
    return [state for state in found if state]
