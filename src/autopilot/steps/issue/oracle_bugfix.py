"""The oracle of a bug: its reproduction red before the fix and green after, and nothing else broken."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from autopilot.events.issue.happened import RateMeasured, WorkTaken
from autopilot.gates.issue.anchor_test import how_ended, names_test
from autopilot.gates.issue.flakiness import rate_of
from autopilot.gates.issue.oracle import Ran, judge_oracle
from autopilot.gates.issue.reproduction import Brought, cover_by_reproduction, judge_reproduction
from autopilot.model.evidence.observation import Seen
from autopilot.model.issue.issue import Cause
from autopilot.model.planning.plan import Task
from autopilot.model.run import StepStatus
from autopilot.planning.issue.added_lines import only_adds
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.evidence.work import survey
from autopilot.steps.issue.anchor_runs import begun_at, commands_for, find_bytecode, run_often, undone
from autopilot.steps.issue.issue_context import AT, issue_of, round_of, test_command
from autopilot.steps.issue.oracle_atdd import answer, checks_of, evaluate_issue, full_report, judged, judgement, see_red
from autopilot.steps.observing.texts import text_at

SHOWN_TIMES = 3  # a bug is there every time; what is red only now and then is another matter


def verify_reproduction(ctx: StepContext) -> StepRun:
    """At the agent's commit, which holds tests and no fix."""
    yield from ()
    work = round_of(ctx).work
    assert work is not None and work.commit, "only work that was taken is looked at"
    cause, command = work.cause, test_command(ctx)
    base = _before(ctx, command)
    (now,) = run_often(ctx, work.commit, command, 1, subject=AT)
    if reason := undone(base.seen, now.seen):
        return Result(StepStatus.UNPROVEN, detail=reason)
    shown_by, shown = _shown(ctx, work, cause, now)
    if reason := undone(*(ran.seen for ran in shown)):
        return Result(StepStatus.UNPROVEN, detail=reason)
    oracle = judge_reproduction(cause, base, now, shown, _brought(ctx, work, cause))
    probes = tuple(ran.seen for ran in shown if ran is not now)
    event = replace(judgement(ctx, work, oracle), observations=(now.seen,), probes=probes, red_seen=base.seen)
    if not oracle.state.red_observed or cause is None:
        return answer(event)
    rate = rate_of(work.commit, cause.test, shown_by, [how_ended(cause.test, ran) for ran in shown])
    return answer(event, RateMeasured(ctx.phase.id, rate))


def verify_fix(ctx: StepContext) -> StepRun:
    """By the command that showed the bug; the whole suite is among the checks, and may be as red as it was before."""
    yield from ()
    issue, work = issue_of(ctx), round_of(ctx).work
    assert work is not None and work.commit, "only work that was taken is looked at"
    assert issue.cause.agreed is not None, "a fix needs an agreed cause"
    red = see_red(ctx, work)
    if red.seen.seen is Seen.NOTHING:
        return Result(
            StepStatus.UNPROVEN, detail=f"the reproduction could not be run on the baseline: {red.seen.reason}"
        )
    evaluation = evaluate_issue(ctx, work)
    if evaluation.undone:
        return Result(StepStatus.UNPROVEN, detail=evaluation.undone)
    green = next(observation for observation in evaluation.observations if observation.subject == AT)
    ran = Ran(green, full_report(ctx, green))
    coverage = cover_by_reproduction(issue.cause.agreed.test, ran.report)
    checks = checks_of(ctx, evaluation.observations)
    oracle = judge_oracle(red, ran, coverage, evaluation.proving.objections, checks)
    return judged(ctx, work, oracle, evaluation, red, coverage)


def _before(ctx: StepContext, command: str) -> Ran:
    """The suite without any work on this issue; it is not run there twice."""
    commit, known = begun_at(ctx), issue_of(ctx).baseline.red
    if known is not None and known.commit == commit and known.command == command:
        return Ran(known, full_report(ctx, known))
    return next(run_often(ctx, commit, command, 1, subject=AT, at_base=True))


def _shown(ctx: StepContext, work: WorkTaken, cause: Cause | None, now: Ran) -> tuple[str, Sequence[Ran]]:
    """The runs the fix will be judged by, and their command: the reproduction's file alone, where that runs it."""
    whole = test_command(ctx)
    if cause is None or not names_test(cause.test):
        return whole, (now,)
    alone, *_ = commands_for(ctx, work.commit, cause) or (whole,)
    if alone != whole:
        runs = list(run_often(ctx, work.commit, alone, SHOWN_TIMES))
        if undone(*(ran.seen for ran in runs)) or all(how_ended(cause.test, ran) is not None for ran in runs):
            return alone, runs
    return whole, (now,)


def _brought(ctx: StepContext, work: WorkTaken, cause: Cause | None) -> Brought:
    issue, begun = issue_of(ctx), begun_at(ctx)
    task = Task(AT, issue.brief.title, files=cause.files if cause else ())
    whole = survey(ctx, "issue", begun, work.commit, (task,))
    old, new = text_at(ctx, begun), text_at(ctx, work.commit)
    tests = tuple(change.path for change in whole.tests)
    rewritten = [c.path for c in whole.tests if c.status != "A" and not only_adds(old(c.path) or "", new(c.path) or "")]
    return Brought(tests, tuple(rewritten), (*whole.objections, *find_bytecode(whole)))
