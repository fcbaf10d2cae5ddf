"""Gate: what happens to the phase now? Evidence first, integrity and assessments after, no claims."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from autopilot.events.accounts import accounts_of, reviewed_in_parts
from autopilot.events.criteria import promised_texts
from autopilot.events.earlier_journals import trouble_of
from autopilot.events.happened import Event, GateJudged
from autopilot.events.recovery import (
    Exhausted,
    IntegrityChecked,
    MarkedIncomplete,
    PhaseDeferred,
    RemediationEnded,
    ResolvedAlone,
)
from autopilot.events.state import PhaseState, RunState
from autopilot.gates.account import left_open, left_to_people, wait_for
from autopilot.gates.aim import Aim, aim_of, is_exhausted, target_of
from autopilot.gates.audit import is_shown
from autopilot.gates.decision import Case, is_stubborn, rule, rule_on_parts
from autopilot.gates.deferral import Settled, judge_deferral
from autopilot.gates.integrity import Records, check_result
from autopilot.gates.visual import describe_left
from autopilot.inspection.handlers import handles_events
from autopilot.model.assessment import CannotVerify
from autopilot.model.evidence.account import Account, headline, land_unseen
from autopilot.model.evidence.observation import Trouble
from autopilot.model.evidence.verdict import Outcome, Verdict
from autopilot.model.planning.plan import Task
from autopilot.model.planning.promise import Source
from autopilot.model.result import Justification
from autopilot.model.ruling import NEEDLESS_DEFERRAL, Action, Finding, Ruling
from autopilot.model.run import PhaseStatus, Step, StepStatus, TaskStatus
from autopilot.planning.gaps.gap_list import gaps_left
from autopilot.reports.documents.tasks import tasks_of
from autopilot.reports.status.result import build_result
from autopilot.steps.asking.reviewing import minimum_concerns
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.evidence.collecting import phase_verdicts
from autopilot.steps.observing.texts import lines_of, text_at
from autopilot.text.file_kind import is_frontend_code

QUOTED = 100  # characters of a reviewer's evidence


def perform(ctx: StepContext) -> StepRun:
    yield from ()
    phase = ctx.phase
    verdicts = phase_verdicts(phase)
    diff = _diff(ctx)
    ruling, findings = _rule(ctx, verdicts, diff)
    unseen = _unseen(ctx, ruling, findings)
    because = f"{ruling.because}; not looked at: {'; '.join(unseen)}" if unseen else ruling.because
    events: list[Event] = [IntegrityChecked(phase.id, findings)] if findings else []
    events += _end_of_cycle(ctx)
    events.append(
        GateJudged(
            phase=phase.id,
            commit=phase.observed.commit,
            outcome=ruling.outcome,
            reason=because,
            verdicts=verdicts,
            action=ruling.action,
            category=ruling.category,
            score=ruling.score,
            unseen=unseen,
            diff=diff,
        )
    )
    events += _consequences(ctx, ruling, alone=not unseen)
    # "unproven" is the word for what is ours; what the work left unproven fails it.
    return Result(_status(ruling), tuple(events), because)


def _status(ruling: Ruling) -> StepStatus:
    match ruling.action:
        case Action.PAUSE:
            return StepStatus.UNPROVEN
        case Action.PASS | Action.PASS_INCOMPLETE:
            return StepStatus.PASS
        case Action.DEFER:
            return StepStatus.DEFERRED
        case _:
            return StepStatus.FAIL


def _rule(ctx: StepContext, verdicts: tuple[Verdict, ...], diff: str) -> tuple[Ruling, tuple[Finding, ...]]:
    phase, policy = ctx.phase, ctx.policy
    accounts = accounts_of(phase, verdicts)
    accounted, unsettled = headline(accounts), left_open(accounts)
    if reviewed_in_parts(phase):
        scores = [ctx.state.parts[name].reviews.score or 0.0 for name in phase.split.parts]
        incomplete = any(ctx.state.parts[name].remediation.incomplete for name in phase.split.parts)
        whole = Case(verdicts, attempts=phase.other_chances, accounted=accounted, open=unsettled)
        return rule_on_parts(whole, scores, policy, incomplete=incomplete), ()
    doubted, findings = _person(ctx, verdicts)
    doubted = doubted or unshown_work(phase)
    needs_person = doubted or wait_for(accounts)
    founded = _integrity(ctx, needs_person, accounts, diff) if phase.reviews.verification is not None else ()
    findings = (*findings, *founded)
    # What the verifier itself doubts is not landed; what the plan leaves to a person says nothing against the rest.
    lands_before = policy.land_before_person and not doubted and bool(verdicts)
    if lands_before:
        accounted = headline(land_unseen(accounts))
    aim, earlier, refines = _aim(ctx), phase.brief.earlier, phase.brief.purpose.refines
    case = Case(
        verdicts=verdicts,
        verification=phase.reviews.verification,
        judgement=phase.reviews.judgement,
        refusals=phase.refusals,
        score=phase.reviews.score,
        attempts=phase.other_chances,
        integrity=findings,
        needs_person=needs_person,
        only_visual=any(f.check == NEEDLESS_DEFERRAL for f in founded) and not left_to_people(accounts),
        lands_before=lands_before,
        can_replan=phase.plan.ours and phase.owns_branch and phase.deferral is None and not refines,
        violations=frozenset(
            observation.subject
            for observation in phase.observed.observations or ()
            if trouble_of(observation) is Trouble.VIOLATION
        ),
        aim=aim,
        left=_untried(phase, aim),
        before=earlier.score if earlier and refines else None,
        accounted=accounted,
        open=unsettled,
    )
    return rule(case, policy), findings


def _aim(ctx: StepContext) -> Aim:
    phase = ctx.phase
    return aim_of(phase.brief, ctx.state.inputs.intent, ctx.policy, phase.other_chances, phase.reviews.score)


def _untried(phase: PhaseState, aim: Aim) -> int:
    return len(gaps_left(phase, aim.target)) if aim.one_at_a_time else 0


def _person(ctx: StepContext, verdicts: tuple[Verdict, ...]) -> tuple[str, tuple[Finding, ...]]:
    """Whether a person has to judge, and what is wrong with the request for it.

    Once a person has named issues and they are fixed, a verifier that passes the work is enough; one that still
    cannot say so leaves it to the person again.
    """
    phase = ctx.phase
    if phase.reviews.verification is None or (phase.deferral is not None and phase.reviews.verification.passed):
        return "", ()
    report = phase.reviews.verification
    judged = judge_deferral(
        report.autonomous_confidence, ctx.policy.deferral_confidence, report.deferral_evidence, human_tasks(phase)
    )
    if judged.settled is Settled.REFUSED and human_tasks(phase):
        # Asked for all the same: it is the report that has to be made again, not the work.
        return judged.because, (
            Finding(NEEDLESS_DEFERRAL, True, Step.VERIFY, f"the deferral was refused: {judged.because}"),
        )
    if judged.settled is Settled.RESOLVED and human_tasks(phase) and not verdicts:
        return "no criterion of it has a command, so only a person can decide it", ()
    return (judged.because if judged.settled is Settled.DEFERRED else ""), ()


def unshown_work(phase: PhaseState) -> str:
    """Why only a person can say that the work is there: this run changed nothing of it, and no check tells. Or ""."""
    if phase.deferral is not None:
        return ""
    left = [task.task.id for task in phase.planned if task.unshown and task.untouched]
    if left:
        return f"agents committed nothing for {', '.join(left)}, and nothing that can be run shows its work"
    summarised = [task.task.id for task in phase.planned if task.unshown]
    if summarised:
        names = ", ".join(summarised)
        return f"a summary says that {names} was carried out, and nothing that can be run shows its work"
    return phase.plan.unshown or describe_left(phase.observed.visual)


def _unseen(ctx: StepContext, ruling: Ruling, findings: Sequence[Finding]) -> tuple[str, ...]:
    """The visual part of a phase that passed although its verifier kept asking for a person: not looked at."""
    refusing = [finding for finding in findings if finding.refuses]
    if ruling.outcome is not Outcome.PASS or not is_stubborn(ctx.phase.other_chances, refusing):
        return ()
    return tuple(f"{task.id} {ctx.ports.blobs.clean(_what_to_look_at(task))}" for task in human_tasks(ctx.phase))


def _handlers(ctx: StepContext) -> tuple[str, ...]:
    """Of what the phase changed: where a user interface handles what people do."""
    read = text_at(ctx, ctx.tip)
    changed = (change.path for change in ctx.ports.vault.changes(ctx.phase.line.base, ctx.tip))
    code = (path for path in changed if is_frontend_code(path))
    return tuple(path for path in code if handles_events(path, read(path) or ""))


def _diff(ctx: StepContext) -> str:
    """What the phase changed, in figures. The plan alone is no change."""
    return ctx.ports.vault.diff_stat(ctx.phase.line.base, ctx.tip, leave_out=".planning")


def human_tasks(phase: PhaseState) -> list[Task]:
    return [task.task for task in phase.planned if task.task.asks_person]


def _unplaced(ctx: StepContext, accounts: Sequence[Account]) -> tuple[str, ...]:
    """What the verifier read in no place, or in one that is not there."""
    lines = lines_of(ctx)
    return tuple(
        f"{account.name} ({account.text}), which says {account.because[:QUOTED]!r}"
        if not account.unread
        else f"{account.name} ({account.text})"
        for account in accounts
        if account.read and (account.unread or not is_shown(account.because, lines))
    )


def _integrity(ctx: StepContext, needs_person: str, accounts: Sequence[Account], diff: str) -> tuple[Finding, ...]:
    phase = ctx.phase
    result = build_result(ctx.state, phase, diff)
    status = PhaseStatus.NEEDS_HUMAN_VERIFICATION if needs_person else PhaseStatus.COMPLETED
    result = replace(result, status=status)
    if needs_person:
        result = replace(result, human_verify_justification=justification(ctx.state, phase))
    criteria = tuple(map(ctx.ports.blobs.clean, promised_texts(phase)))
    begun = phase.started_at or ctx.state.now
    records = Records(
        criteria=criteria,
        observations=phase.observed.observations or (),
        verification=phase.reviews.verification,
        judgement=phase.reviews.judgement,
        duration_s=(ctx.state.now - begun).total_seconds(),
        verifier_min_s=ctx.policy.verifier_min_s,
        minimum_concerns=minimum_concerns(phase),
        unread=tuple(f"{a.name} ({a.text})" for a in accounts if a.unread and not a.read),
        unplaced=_unplaced(ctx, accounts),
        asked_by_owner=not human_tasks(phase),
        handlers=_handlers(ctx),
        asked_again=phase.other_chances.enforced,
    )
    return check_result(result, records)


def justification(state: RunState, phase: PhaseState) -> Justification:
    """The task that asks for a person; without one, what the roadmap asks for and only a person can tell."""
    asking = human_tasks(phase)
    planned = [task for task in tasks_of(state, phase).values() if not task.task.is_extra]
    automatic = [task for task in planned if task.task.is_automatic]
    passed = sum(task.status in (TaskStatus.VERIFIED, TaskStatus.ALREADY) for task in automatic)
    if asking:
        return Justification(asking[0].id, _what_to_look_at(asking[0]), passed, len(automatic))
    accounts = accounts_of(phase, phase_verdicts(phase))
    left = left_to_people(accounts) or [a for a in accounts if a.source is not Source.REQUIREMENT]
    names = ", ".join(a.name for a in left) or f"phase {phase.id}"
    asked = "; ".join(filter(None, ("; ".join(a.text for a in left) or phase.brief.name, unshown_work(phase))))
    return Justification(names, asked, passed, len(automatic))


def _what_to_look_at(task: Task) -> str:
    """All that its plan says to the person: what it is, what was built, how to verify it."""
    title = task.title if task.title != task.id else ""
    parts = (part.strip().rstrip(".") for part in (title, task.action, task.done) if part.strip())
    return " ".join(f"{part}." for part in parts)


def _end_of_cycle(ctx: StepContext) -> list[Event]:
    """The open remediation cycle ends with the score it led to, whatever the gate makes of it."""
    phase = ctx.phase
    return [
        RemediationEnded(
            phase=phase.id,
            cycle=cycle.number,
            old_score=cycle.old_score,
            new_score=phase.reviews.score,
            threshold=target_of(cycle.flag, phase.brief, ctx.policy),
            flag=cycle.flag,
            deficiency=cycle.deficiency,
            left=cycle.left,
        )
        for cycle in phase.remediation.cycles
        if not cycle.ended
    ]


def _short_of_aim(ctx: StepContext, ruling: Ruling) -> list[Event]:
    """A pass below what `--quality` or `--gaps` aims at. Of a split phase, where a part of it fell short."""
    phase, aim, attempts = ctx.phase, _aim(ctx), ctx.phase.other_chances
    if reviewed_in_parts(phase):
        parts = [ctx.state.parts[name] for name in phase.split.parts]
        short = any(part.remediation.exhausted for part in parts) and (ruling.score or 0.0) < aim.target
        cycles = max((len(part.remediation.cycles) for part in parts), default=0)
        return [Exhausted(phase.id, aim.flag, ruling.score, aim.target, cycles)] if short and aim.flag else []
    if not is_exhausted(aim, attempts, phase.reviews.score):
        return []
    return [Exhausted(phase.id, aim.flag, phase.reviews.score, aim.target, aim.cycles(attempts), _untried(phase, aim))]


def _cannot_verify(account: Account) -> CannotVerify:
    return CannotVerify(f"{account.name} {account.text}", ("the plan and the verifier were asked",), account.because)


def _consequences(ctx: StepContext, ruling: Ruling, *, alone: bool) -> list[Event]:
    """``alone``: what the plan leaves to a person was settled by the verifier."""
    phase = ctx.phase
    match ruling.action:
        case Action.PASS_INCOMPLETE:
            score = phase.reviews.score if phase.reviews.score is not None else ruling.score or 0.0
            return [MarkedIncomplete(phase.id, score, ctx.policy.pass_threshold, len(phase.remediation.cycles))]
        case Action.DEFER:
            assert phase.reviews.verification is not None, "only a verifier's doubt is deferred"
            branch = ctx.ports.checkout.offer(f"deferred-phase-{phase.id}-{ctx.state.run}", ctx.tip)
            report = phase.reviews.verification
            left = left_to_people(accounts_of(phase, phase_verdicts(phase)))
            evidence = (*report.deferral_evidence, *(_cannot_verify(account) for account in left))
            if why := unshown_work(phase):
                evidence = (
                    *evidence,
                    CannotVerify(f"phase {phase.id}", ("its criteria and reviewers were asked",), why),
                )
            asked = justification(ctx.state, phase)
            return [PhaseDeferred(phase.id, asked, evidence, report.autonomous_confidence, branch)]
        case Action.PASS if ruling.outcome is Outcome.PASS and phase.reviews.verification and phase.deferral is None:
            confidence = phase.reviews.verification.autonomous_confidence
            settled = [ResolvedAlone(phase.id, task.id, confidence) for task in human_tasks(phase) if alone]
            return [*settled, *_short_of_aim(ctx, ruling)]
        case Action.PASS:
            return _short_of_aim(ctx, ruling)
        case _:
            return []
