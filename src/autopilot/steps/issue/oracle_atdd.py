"""The oracle of a whole implementation: acceptance tests red on the baseline, green now, every criterion covered."""

from __future__ import annotations

from msgspec.structs import replace

from autopilot.events.happened import Event
from autopilot.events.issue.happened import OracleJudged, WorkTaken
from autopilot.gates.check import judge_checks_of_task
from autopilot.gates.issue.coverage import Coverage, find_kept, judge_coverage
from autopilot.gates.issue.oracle import Oracle, Ran, flag_unasked, judge_earlier, judge_oracle
from autopilot.gates.issue.scope import judge_scope
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind, probe_subject
from autopilot.model.evidence.testing import Ended, TestReport
from autopilot.model.evidence.verdict import Verdict
from autopilot.model.issue.issue import PRD, STORIES_FILE, TESTS_FILE, AcceptanceTest, RedRow, Route
from autopilot.model.planning.criterion import Expectation, Strength
from autopilot.model.run import StepStatus
from autopilot.planning.issue.acceptance import find_criteria, parse_tests
from autopilot.planning.issue.audit_log import stamp
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.evidence.evaluation import Evaluation, evaluate, evaluate_unseen
from autopilot.steps.evidence.held_out import run_examples
from autopilot.steps.evidence.proving import Proving
from autopilot.steps.evidence.second_looking import flag_suspicious_code
from autopilot.steps.evidence.work import commit_with, survey
from autopilot.steps.issue.issue_context import (
    AT,
    approved_at,
    at_command,
    at_criterion,
    issue_of,
    issue_task,
    round_of,
    tests_text,
    whole_at,
)
from autopilot.steps.issue.uncompiled import run_with_constants
from autopilot.steps.issue.unspoken_criteria import flag_unspoken_criteria
from autopilot.steps.observing.observing import Check, list_configured_checks, observe, observe_made
from autopilot.steps.observing.test_reports import report_of
from autopilot.testtools.formats.printed import read_printed


def verify_iteration(ctx: StepContext) -> StepRun:
    yield from ()
    work = round_of(ctx).work
    assert work is not None and work.commit, "only work that was taken is looked at"
    red = see_red(ctx, work)
    if red.seen.seen is Seen.NOTHING:
        return Result(
            StepStatus.UNPROVEN, detail=f"the acceptance tests could not be run on the baseline: {red.seen.reason}"
        )
    evaluation = hold_to_earlier(ctx, work, evaluate_issue(ctx, work))
    evaluation = run_with_constants(ctx, work, at_check(ctx), red, evaluation)
    if evaluation.undone:
        return Result(StepStatus.UNPROVEN, detail=evaluation.undone)
    green = next(observation for observation in evaluation.observations if observation.subject == AT)
    ran = Ran(green, full_report(ctx, green))
    coverage = cover(ctx, work.commit, ran.report)
    mutated = [
        report for observation in evaluation.proving.probes if (report := _mutated(ctx, observation)) is not None
    ]
    unspoken = flag_unspoken_criteria(ctx, work, ran, coverage)
    flags = Proving(objections=(*flag_unasked(red, coverage.links, mutated), *unspoken))
    evaluation = Evaluation(evaluation.observations, evaluation.proving + flags)
    oracle = judge_oracle(
        red,
        ran,
        coverage,
        evaluation.proving.objections,
        checks_of(ctx, evaluation.observations),
        kept_of(ctx, work.commit),
        mutated,
    )
    return judged(ctx, work, oracle, evaluation, red, coverage)


def _mutated(ctx: StepContext, probe: Observation) -> TestReport | None:
    return full_report(ctx, probe) if probe.subject == probe_subject(ProbeKind.MUTANT, AT) else None


def judged(
    ctx: StepContext,
    work: WorkTaken,
    oracle: Oracle,
    evaluation: Evaluation,
    red: Ran,
    coverage: Coverage | None = None,
) -> Result:
    event = replace(
        judgement(ctx, work, oracle, evaluation),
        links=coverage.links if coverage else (),
        red=red_row(ctx, work, red, oracle.by_constants) if oracle.state.red_observed else None,
        red_seen=red.seen,
        fixable=oracle.fixable,
    )
    return answer(event)


def judgement(ctx: StepContext, work: WorkTaken, oracle: Oracle, evaluation: Evaluation | None = None) -> OracleJudged:
    """What every route's oracle says of an iteration; each adds what is its own."""
    seen = evaluation or Evaluation(())
    event = OracleJudged(ctx.phase.id, ctx.task, work.iteration, work.commit, oracle.state, oracle.findings)
    proving = seen.proving
    return replace(event, observations=seen.observations, probes=proving.probes, objections=proving.objections)


def answer(event: OracleJudged, *also: Event) -> Result:
    state = event.state
    message = ", ".join(
        f"{name} {'yes' if value else 'no'}"
        for name, value in (("red", state.red_observed), ("green", state.at_green), ("covered", state.coverage_ok))
    )
    return Result(StepStatus.PASS if state.holds else StepStatus.FAIL, (*also, event), message)


def evaluate_issue(ctx: StepContext, work: WorkTaken) -> Evaluation:
    """Everything since the baseline, by every layer of evidence there is; the whole suite is among the checks."""
    whole = survey(ctx, "issue", issue_of(ctx).baseline.commit, work.commit, (issue_task(ctx),))
    command = at_command(ctx)
    checks = [at_check(ctx), *(check for check in list_configured_checks(ctx) if check.command != command)]
    evaluation = evaluate(ctx, whole, [at_criterion(ctx)], checks)
    if evaluation.undone:
        return evaluation
    changed = [change.path for change in whole.changes if not whole.is_control(change.path)]
    examples = run_examples(ctx, work.commit, changed)
    issue = issue_of(ctx)
    # Only a plan sets bounds: it is not known beforehand where a bug will be fixed.
    bounds = whole.declared if issue.route is Route.FULL else ()
    beside = (*flag_suspicious_code(ctx, whole), *judge_scope(whole.changes, bounds, issue.brief.folder))
    proving = evaluation.proving + Proving(*examples)
    if not proving.is_refused:
        proving += evaluate_unseen(ctx, whole, evaluation.observations)
    return Evaluation(evaluation.observations, proving + Proving(objections=beside))


def hold_to_earlier(ctx: StepContext, work: WorkTaken, evaluation: Evaluation) -> Evaluation:
    """Acceptance tests that were red in this cycle and were changed since hold as they were, too: none gets easier.

    A test that was wrong from the start cannot be fixed by its author alone; a person starts the next cycle.
    """
    green = next((observation for observation in evaluation.observations if observation.subject == AT), None)
    if green is None or green.seen is not Seen.PASSED or evaluation.undone:
        return evaluation
    earlier = _earlier_tests(ctx, work)
    if not earlier:
        return evaluation
    commit = commit_with(ctx, work.commit, earlier)
    (seen,) = observe_made(
        ctx, commit, work.commit, [replace(at_check(ctx), subject=probe_subject(ProbeKind.EARLIER, AT))]
    )
    earlier_runs = Proving((seen,), judge_earlier(Ran(seen, full_report(ctx, seen)), tuple(earlier)))
    return Evaluation(evaluation.observations, evaluation.proving + earlier_runs)


def _earlier_tests(ctx: StepContext, work: WorkTaken) -> dict[str, bytes | None]:
    """Of every test file that is not as it was when it was first red, that first version."""
    issue, vault = issue_of(ctx), ctx.ports.vault
    first: dict[str, bytes | None] = {}
    for red in issue.convergence.reds:
        for change in vault.changes(issue.baseline.commit, red):
            if change.path != issue.brief.path(TESTS_FILE):
                first.setdefault(change.path, vault.read(red, change.path))
    return {path: content for path, content in first.items() if vault.read(work.commit, path) != content}


def at_check(ctx: StepContext) -> Check:
    return Check(AT, at_command(ctx), Expectation(), Strength.COMMAND, ctx.policy.timeouts.test)


def see_red(ctx: StepContext, work: WorkTaken) -> Ran:
    """The tests of this iteration on the code before it; the same tests are not run there twice."""
    before, command = issue_of(ctx).baseline.red, at_command(ctx)
    same = before is not None and (before.commit, before.command) == (work.red_commit, command)
    if before is not None and same and before.seen is not Seen.NOTHING:
        return Ran(before, full_report(ctx, before))
    seen = observe(ctx, work.red_commit, [at_check(ctx)], at_base=True)[0]
    return Ran(seen, full_report(ctx, seen))


def full_report(ctx: StepContext, seen: Observation) -> TestReport | None:
    """Of a tool we know its own report; of anything else what it prints test by test."""
    report = report_of(ctx, seen)
    if report is not None or not seen.output:
        return report
    return read_printed(ctx.ports.blobs.get(seen.output).decode("utf-8", "replace"))


def cover(ctx: StepContext, commit: str, report: TestReport | None) -> Coverage:
    issue = issue_of(ctx)
    defined = [whole_at(ctx, commit, issue.brief.path(name)) for name in (PRD, STORIES_FILE)]
    criteria = tuple(dict.fromkeys(id for text in defined for id in find_criteria(text)))
    return judge_coverage(criteria, parse_tests(tests_text(ctx, commit)), report, _approved(ctx))


def kept_of(ctx: StepContext, commit: str) -> frozenset[str]:
    """As the approved design has them: a marker that was moved since says nothing."""
    return find_kept(_approved(ctx), parse_tests(tests_text(ctx, commit)))


def _approved(ctx: StepContext) -> tuple[AcceptanceTest, ...]:
    return parse_tests(tests_text(ctx, approved_at(ctx)))


def checks_of(ctx: StepContext, seen: tuple[Observation, ...]) -> tuple[Verdict, ...]:
    before = {observation.subject: observation for observation in ctx.phase.plan.baseline or ()}
    return judge_checks_of_task(seen, before)


def red_row(ctx: StepContext, work: WorkTaken, red: Ran, by_constants: frozenset[str] = frozenset()) -> RedRow:
    failed = sorted(by_constants or (red.report.of(Ended.FAILED) if red.report else ()))
    return RedRow(
        step="red",
        commit=work.red_commit,
        impl_sha=work.commit,
        at_file=at_file(ctx),
        timestamp=stamp(ctx.time),
        exit_code=red.seen.exit_code,
        tests=tuple(failed),
        output=red.seen.output,
    )


def at_file(ctx: StepContext) -> str:
    """Where the tests that were red are told; of a bug it is the test itself."""
    issue = issue_of(ctx)
    cause = issue.cause.agreed
    return cause.files[0] if cause and cause.files else issue.brief.path(TESTS_FILE)
