"""The oracle of a flaky test: seen to fail now and then before, green many times in a row after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from autopilot.events.issue.happened import RateMeasured, WorkTaken
from autopilot.gates.issue.anchor_test import how_ended, is_in
from autopilot.gates.issue.flakiness import Ends, flag_luck, is_flaky, judge_after, judge_before, rate_of
from autopilot.gates.issue.oracle import Ran, red_checks, refusing
from autopilot.gates.issue.reproduction import judge_claim
from autopilot.inspection.control.changes import control_kind
from autopilot.inspection.steadying import find_evasions, find_waits
from autopilot.model.evidence.control import ControlKind
from autopilot.model.evidence.objection import Layer, Objection, Weight
from autopilot.model.evidence.observation import Observation
from autopilot.model.evidence.testing import Ended
from autopilot.model.issue.issue import Cause, FlakyKind, Rate, RedRow, SeedFinding
from autopilot.model.run import StepStatus
from autopilot.planning.issue.audit_log import stamp
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.evidence.base import base_of
from autopilot.steps.evidence.evaluation import Evaluation, evaluate_kept
from autopilot.steps.evidence.regression import compare
from autopilot.steps.evidence.second_looking import flag_suspicious_code
from autopilot.steps.evidence.work import Work, survey
from autopilot.steps.issue.anchor_runs import begun_at, commands_for, find_bytecode, run_often, run_until_red, undone
from autopilot.steps.issue.issue_context import AT, at_command, issue_of, issue_task, round_of
from autopilot.steps.issue.oracle_atdd import answer, at_file, checks_of, full_report, judgement
from autopilot.steps.observing.observing import list_configured_checks
from autopilot.steps.observing.texts import text_at

# What a person may agree to be the place of the fault: tests, what they read, and what sets them up.
TEST_SIDE = (ControlKind.TEST, ControlKind.FIXTURE, ControlKind.SNAPSHOT, ControlKind.SUPPORT)


class Measured(Struct, frozen=True):
    rate: Rate
    ends: tuple[Ended | None, ...]
    red: Observation | None = None  # one of the runs that failed


def measure_before(ctx: StepContext) -> StepRun:
    """The commit without a fix: at the issue's start, or with the new test that is to show the failure."""
    yield from ()
    work = round_of(ctx).work
    assert work is not None and work.commit, "only work that was taken is looked at"
    cause = work.cause
    others = [*judge_claim(cause, FlakyKind), *_misplaced(ctx, work, cause)]
    measured = _measured(ctx, work, cause) if cause is not None and not others else None
    if isinstance(measured, str):
        return Result(StepStatus.UNPROVEN, detail=measured)
    ends = measured.ends if measured else ()
    if measured and cause and measured.red and not is_in(cause.test, full_report(ctx, measured.red), cause.files):
        others.append(SeedFinding("cause.files", f"{cause.test} is in another file than the named ones"))
    oracle = judge_before(cause.test if cause and measured else "", ends, others)
    event = replace(judgement(ctx, work, oracle), red_seen=measured.red if measured else None)
    return answer(event, *((RateMeasured(ctx.phase.id, measured.rate),) if measured else ()))


def measure_after(ctx: StepContext) -> StepRun:
    """Replays and constants say nothing here: without the fix the test is green most of the time. So the row of greens
    decides, and what was there before has to be there and say the same."""
    yield from ()
    issue, work = issue_of(ctx), round_of(ctx).work
    assert work is not None and work.commit, "only work that was taken is looked at"
    assert issue.cause.agreed is not None, "a fix needs an agreed cause"
    test, wanted = issue.cause.agreed.test, issue.options.flaky_runs
    whole = survey(ctx, "issue", issue.baseline.commit, work.commit, (issue_task(ctx),))
    evaluation = _evaluate_others(ctx, whole)
    if evaluation.undone:
        return Result(StepStatus.UNPROVEN, detail=evaluation.undone)
    broken = [*_evasions(ctx, whole, issue.cause.agreed), *_broken(ctx, evaluation)]
    runs = [] if broken else run_until_red(ctx, work.commit, at_command(ctx), test, wanted)
    if reason := undone(*(ran.seen for ran in runs)):
        return Result(StepStatus.UNPROVEN, detail=reason)
    evaluation = _with_runs(ctx, whole, evaluation, runs)
    if evaluation.undone:
        return Result(StepStatus.UNPROVEN, detail=evaluation.undone)
    ends = [how_ended(test, ran) for ran in runs]
    oracle = judge_after(test, issue.baseline.rate, ends, wanted, broken or _broken(ctx, evaluation))
    luck = flag_luck(test, issue.baseline.rate, len(ends)) if issue.baseline.rate and oracle.state.holds else ()
    event = replace(
        judgement(ctx, work, oracle, evaluation),
        probes=(*evaluation.proving.probes, *(ran.seen for ran in runs[1:])),
        objections=(*evaluation.proving.objections, *_flags(ctx, whole), *luck),
        red=_red_row(ctx, work) if oracle.state.red_observed else None,
        red_seen=issue.baseline.red,
        rate=rate_of(work.commit, test, at_command(ctx), ends) if ends else None,
    )
    return answer(event)


def _measured(ctx: StepContext, work: WorkTaken, cause: Cause) -> Measured | str:
    """By its own file alone, and where it is steady there with all the others; or why it could not be run."""
    commit, times = _where(ctx, work, cause), issue_of(ctx).options.flaky_runs
    if known := _known(ctx, commit, cause):
        return known
    measured: Measured | None = None
    for command in commands_for(ctx, commit, cause):
        runs = list(run_often(ctx, commit, command, times, at_base=True))
        if reason := undone(*(ran.seen for ran in runs)):
            return reason
        measured = _counted(commit, cause.test, command, runs)
        if is_flaky(measured.rate) and None not in measured.ends:
            break
    return measured or "no command that runs tests is configured: configure one, or pass --at-command"


def _counted(commit: str, test: str, command: str, runs: Sequence[Ran]) -> Measured:
    ends = tuple(how_ended(test, ran) for ran in runs)
    red = next((ran.seen for ran, end in zip(runs, ends, strict=True) if end is Ended.FAILED), None)
    return Measured(rate_of(commit, test, command, ends), ends, red)


def _known(ctx: StepContext, commit: str, cause: Cause) -> Measured | None:
    """What an earlier iteration measured there is not measured again."""
    issue = issue_of(ctx)
    rate, red = issue.baseline.rate, issue.baseline.red
    same = rate is not None and (rate.commit, rate.test, rate.runs) == (commit, cause.test, issue.options.flaky_runs)
    if rate is None or not same or not is_flaky(rate) or red is None or red.commit != commit:
        return None
    ends: Ends = [Ended.FAILED] * rate.failures + [Ended.PASSED] * (rate.runs - rate.failures)
    return Measured(rate, tuple(ends), red)


def _where(ctx: StepContext, work: WorkTaken, cause: Cause) -> str:
    """A test that came with the work is not to be found before it."""
    begun, vault = begun_at(ctx), ctx.ports.vault
    is_new = any(vault.read(begun, path) is None for path in cause.files)
    return work.commit if is_new else begun


def _misplaced(ctx: StepContext, work: WorkTaken, cause: Cause | None) -> Iterator[SeedFinding]:
    """Nothing that was there is changed before a person agrees; and only what tests are made of may be the fault."""
    whole = survey(ctx, "issue", begun_at(ctx), work.commit, ())
    yield from refusing((*whole.objections, *find_bytecode(whole)))
    read = ctx.ports.vault.read
    for path in cause.files if cause else ():
        if read(work.commit, path) is None:
            yield SeedFinding("cause.files", f"{path} does not exist")
        elif control_kind(path) not in TEST_SIDE:
            yield SeedFinding("cause.files", f"{path} is not a test file: name the files that contain the test")
    if cause and not cause.files:
        yield SeedFinding("cause.files", "name the files that contain the test")


def _evaluate_others(ctx: StepContext, whole: Work) -> Evaluation:
    """Every check but the test itself, which is run many times."""
    checks = [check for check in list_configured_checks(ctx) if check.command != at_command(ctx)]
    return evaluate_kept(ctx, whole, base_of(ctx), checks, as_pinned=False)


def _with_runs(ctx: StepContext, whole: Work, evaluation: Evaluation, runs: Sequence[Ran]) -> Evaluation:
    """The first of the runs stands for the acceptance tests, and is compared with the same run before the fix."""
    if not runs:
        return evaluation
    first = replace(runs[0].seen, subject=AT)
    compared = compare(ctx, whole, base_of(ctx), [first], as_pinned=False)
    return Evaluation((first, *evaluation.observations), evaluation.proving + compared)


def _broken(ctx: StepContext, evaluation: Evaluation) -> list[SeedFinding]:
    return [*refusing(evaluation.proving.objections), *red_checks(checks_of(ctx, evaluation.observations))]


def _evasions(ctx: StepContext, whole: Work, cause: Cause) -> Iterator[SeedFinding]:
    """What only seems stable. A test that was added to show the fault stays as a person saw it."""
    yield from refusing(find_bytecode(whole))
    for path, evasion in find_evasions(_texts(ctx, whole)):
        yield SeedFinding(path, f"the change adds {evasion}; fix the cause instead")
    begun, read = begun_at(ctx), ctx.ports.vault.read
    for path in cause.files:
        if read(begun, path) is None and read(whole.old, path) != read(whole.new, path):
            yield SeedFinding(path, "the test that was written to show the fault changed after its cause was agreed")


def _flags(ctx: StepContext, whole: Work) -> Iterator[Objection]:
    yield from flag_suspicious_code(ctx, whole)
    for path in find_waits(_texts(ctx, whole)):
        reason = f"{path} waits for a fixed time more often than before: that may only make a failure rarer"
        yield Objection(Layer.LOOK, "issue", reason, path, weight=Weight.FLAG)


def _texts(ctx: StepContext, whole: Work) -> dict[str, tuple[str, str]]:
    old, new = text_at(ctx, whole.old), text_at(ctx, whole.new)
    return {change.path: (old(change.path) or "", new(change.path) or "") for change in whole.changes}


def _red_row(ctx: StepContext, work: WorkTaken) -> RedRow:
    """It was red before the fix in some of the runs; one of them is recorded."""
    issue = issue_of(ctx)
    assert issue.baseline.rate is not None, "red was seen by measuring"
    red = issue.baseline.red
    return RedRow(
        step="red",
        commit=issue.baseline.rate.commit,
        impl_sha=work.commit,
        at_file=at_file(ctx),
        timestamp=stamp(ctx.time),
        exit_code=red.exit_code if red else None,
        tests=(issue.baseline.rate.test,),
        output=red.output if red else "",
    )
