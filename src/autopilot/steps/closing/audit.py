"""Audit: the whole run, read by one who took no part in it. What it says is checked, and can only lower."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence

from msgspec.structs import replace

from autopilot.events.closing import Audited, IntegrationChecked
from autopilot.gates.audit import (
    GAP,
    NOT_AUDITED,
    NOT_SHOWN,
    PASS,
    by_name,
    gap_of,
    refuse_integration,
    refuse_result,
    unshown,
    wiring_gaps,
)
from autopilot.model.agent import Role, Usage
from autopilot.model.audit import INTEGRATION, Audit, AuditReport, Gap, IntegrationReport, RequirementAudit
from autopilot.model.evidence.observation import Seen
from autopilot.model.planning.criterion import Expectation, Strength
from autopilot.model.run import StepStatus
from autopilot.planning.spec.audited import Wanted, wanted
from autopilot.steps.asking.asking import BLAMELESS, Question, ask, no_answer
from autopilot.steps.asking.prompt import bullets, render_prompt
from autopilot.steps.closing.audit_facts import audit_facts, phase_lines, requirement_lines
from autopilot.steps.closing.audit_rules import read_rules
from autopilot.steps.context import Batch, Result, StepContext, StepRun
from autopilot.steps.observing.observing import Check, observe
from autopilot.steps.observing.texts import Lines, lines_of

ASKED_AT_MOST = 2
Results = dict[str, RequirementAudit]


def perform(ctx: StepContext) -> StepRun:
    match Audit(ctx.task):
        case Audit.INTEGRATION:
            return (yield from _check_integration(ctx))
        case Audit.REQUIREMENTS:
            return (yield from _check_requirements(ctx))
        case Audit.VERSION:
            return (yield from read_rules(ctx))


def _check_integration(ctx: StepContext) -> StepRun:
    lines, problem, spent = lines_of(ctx), "", Usage()
    report = IntegrationReport(False)
    for nth in range(ASKED_AT_MOST):
        prompt = render_prompt("audit_integration", phases=bullets(phase_lines(ctx)), refused=refused(problem))
        question = Question(Role.AUDITOR, prompt, "review", audit_facts(ctx), nth=nth, spent=spent)
        answer = yield from ask(ctx, question, IntegrationReport)
        if answer.value is None:
            return no_answer(answer)
        report, spent = answer.value, answer.event.usage
        problem = refuse_integration(report, lines)
        if not problem:
            break
    gaps = wiring_gaps(report) or ((unshown(INTEGRATION, "", f"not shown: {problem}"),) if problem else ())
    event = IntegrationChecked(ctx.phase.id, replace(report, passed=not gaps), _with_check_results(ctx, gaps))
    return Result(StepStatus.GAPS if gaps else StepStatus.PASS, (event,), "; ".join(gap.description for gap in gaps))


def _check_requirements(ctx: StepContext) -> StepRun:
    cycle = ctx.state.completion.audit.passes
    asked = wanted(ctx.state, _spec(ctx))
    lines = lines_of(ctx)
    results_by_id = yield from _ask_for(ctx, asked, lines)
    if isinstance(results_by_id, Result):
        return results_by_id
    results = tuple(_result(requirement, results_by_id.get(requirement.id)) for requirement in asked)
    gaps = _with_check_results(
        ctx,
        [
            gap
            for requirement in asked
            if (gap := _gap(requirement, results_by_id.get(requirement.id), lines)) is not None
        ],
    )
    gaps = (*gaps, *_still_red(ctx, asked, {gap.requirement for gap in gaps}))
    open_ = {gap.requirement for gap in gaps}
    closed = tuple(
        requirement.id for requirement in asked if requirement.gap is not None and requirement.id not in open_
    )
    results = tuple(replace(r, status=GAP) if r.requirement_id in open_ and r.status == PASS else r for r in results)
    summary = f"{len(asked)} audited, {len(gaps)} missing"
    return Result(
        StepStatus.GAPS if gaps else StepStatus.PASS, (Audited(ctx.phase.id, cycle, results, gaps, closed),), summary
    )


def _ask_for(ctx: StepContext, asked: Sequence[Wanted], lines: Lines) -> Generator[Batch, None, Results | Result]:
    """The auditor's result for each. What it left out, or passed without naming a place, is asked for once more."""
    results: Results = {}
    problem, spent, left = "", Usage(), list(asked)
    for nth in range(ASKED_AT_MOST):
        question = Question(
            Role.AUDITOR, _prompt(ctx, left, problem), "review", audit_facts(ctx, left), nth, spent=spent
        )
        answer = yield from ask(ctx, question, AuditReport)
        if answer.value is None and (nth == 0 or answer.event.ending in BLAMELESS):
            return no_answer(answer)
        if answer.value is None:
            break  # its first reply stands
        spent = answer.event.usage
        results |= by_name(answer.value.results, [requirement.id for requirement in left])
        reasons = {requirement.id: refuse_result(results.get(requirement.id), lines) for requirement in left}
        left = [requirement for requirement in left if reasons[requirement.id]]
        problem = "; ".join(f"{requirement.id}: {reasons[requirement.id]}" for requirement in left)
        if not left:
            break
    return results


def _result(requirement: Wanted, result: RequirementAudit | None) -> RequirementAudit:
    if result is None or result.status not in (PASS, GAP):
        return RequirementAudit(requirement.id, requirement.phase, requirement.text, "", "", NOT_AUDITED)
    return replace(result, requirement_id=requirement.id, phase_id=requirement.phase)


def _gap(requirement: Wanted, result: RequirementAudit | None, lines: Lines) -> Gap | None:
    """A missing result closes no gap, and opens none."""
    if result is None or result.status not in (PASS, GAP):
        return requirement.gap
    if result.status == GAP:
        gap = gap_of(replace(result, requirement_id=requirement.id), requirement.phase)
        return replace(gap, check=gap.check or (requirement.gap.check if requirement.gap else ""))
    if refuse_result(result, lines):
        known = requirement.gap or unshown(requirement.id, requirement.phase)
        return replace(known, description=NOT_SHOWN, not_shown=True)
    return None


def _still_red(ctx: StepContext, asked: Iterable[Wanted], open_: set[str]) -> tuple[Gap, ...]:
    """Evidence wins over the report: while the check that showed the gap fails, the gap is open."""
    reported_closed = [
        requirement.gap
        for requirement in asked
        if requirement.gap is not None and requirement.gap.check_is_red and requirement.id not in open_
    ]
    return tuple(gap for gap in _with_check_results(ctx, reported_closed) if gap.check_is_red)


def _with_check_results(ctx: StepContext, gaps: Iterable[Gap]) -> tuple[Gap, ...]:
    """Each gap with what its own check showed, where it has one. A check that could not be run shows nothing."""
    return tuple(_with_check_result(ctx, gap) if gap.check else gap for gap in gaps)


def _with_check_result(ctx: StepContext, gap: Gap) -> Gap:
    timeout_s = ctx.policy.timeouts.criterion
    check = Check(f"gap {gap.requirement}", gap.check, Expectation(), Strength.COMMAND, timeout_s)
    (seen,) = observe(ctx, ctx.tip, [check])
    red = seen.seen is Seen.FAILED
    return replace(gap, check_is_red=red, seen=seen if red else None)


def _prompt(ctx: StepContext, asked: Sequence[Wanted], problem: str) -> str:
    is_later = ctx.state.completion.audit.passes > 0
    instruction = "Report only on these: they were missing, and work was done on them." if is_later else ""
    return render_prompt(
        "audit_requirements",
        spec=ctx.state.inputs.spec.path,
        phases=bullets(phase_lines(ctx)),
        requirements=bullets(requirement_lines(asked)),
        again=instruction,
        refused=refused(problem),
    )


def refused(problem: str) -> str:
    return f"\nYour last report was refused: {problem}\nReport on these once more.\n" if problem else ""


def _spec(ctx: StepContext) -> str:
    return (ctx.ports.vault.read(ctx.tip, ctx.state.inputs.spec.path) or b"").decode("utf-8", "replace")
