"""The prevention rule of a failed phase: one or two sentences made by code from what really went wrong."""

from __future__ import annotations

from collections.abc import Callable

from autopilot.events.state import PhaseState, RunState
from autopilot.model.evidence.subject import SubjectKind, parse_subject
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.failure import Category
from autopilot.model.run import PhaseStatus
from autopilot.reports.documents.shortfalls import Shortfall, describe_result, shortfalls
from autopilot.reports.markdown import shorten
from autopilot.reports.places import file_in

LONGEST = 500


def prevention_rule(phase: PhaseState) -> str:
    """Names what kept failing and how to see it: a rule that fits every phase would help none."""
    rule = next(filter(None, (make(phase) for make in RULES)), "")
    return shorten(rule or _by_failure(phase), LONGEST)


def rule_of(state: RunState, phase: PhaseState) -> str:
    """A split phase that failed with one of its parts learns from that part."""
    parts = (state.parts[name] for name in phase.split.parts if name in state.parts)
    return prevention_rule(next((part for part in parts if part.status is PhaseStatus.FAILED), phase))


def _by_preflight(phase: PhaseState) -> str:
    issues = phase.intake.preflight_issues or ()
    return f"Before phase {phase.id} starts again, resolve the preflight problem: {issues[0]}." if issues else ""


def _by_plan(phase: PhaseState) -> str:
    if phase.plan.approved or not phase.plan.blockers:
        return ""
    place = file_in(phase.plan.blockers[0])
    where = f" in {place}" if place else ""
    return f"A plan for phase {phase.id} must not repeat this blocker{where}: {phase.plan.blockers[0]}."


def _by_context(phase: PhaseState) -> str:
    """Only when nothing was seen to fail: a task that was handed over and then failed its check failed its check."""
    tired = [task for task in phase.tasks.values() if len(task.handovers) > task.uncounted]
    if phase.ending.failure_category != Category.CONTEXT_EXHAUSTION and (not tired or shortfalls(phase)):
        return ""
    if not tired:
        return ""
    task = max(tired, key=lambda candidate: len(candidate.handovers))
    files = ", ".join(task.task.files) or "its files"
    return (
        f'Task {task.task.id} "{task.task.title}" ran out of context {len(task.handovers)} times: '
        f"cut it into tasks that each touch a part of {files}."
    )


def _by_conflict(phase: PhaseState) -> str:
    conflict = phase.split.conflict
    if conflict is None:
        return ""
    paths = ", ".join(conflict.paths) or "the files they share"
    return (
        f"Part {conflict.part} could not be merged with the other parts ({conflict.because}): "
        f"give {paths} to one part of phase {phase.id} only."
    )


def _by_evidence(phase: PhaseState) -> str:
    found = sorted(shortfalls(phase), key=_rank)
    return _of_shortfall(phase, found[0]) if found else ""


def _rank(found: Shortfall) -> tuple[bool, bool]:
    """A failed criterion says more than a script as a whole; what failed says more than what is unproven."""
    return found.outcome is not Outcome.FAIL, parse_subject(found.subject).is_plain(
        SubjectKind.SCRIPT, SubjectKind.TASK
    )


def _of_shortfall(phase: PhaseState, found: Shortfall) -> str:
    where = f" (task {found.task}: {', '.join(found.files) or 'no file'})" if found.task else ""
    seen = f"; last result: {describe_result(found.observation)}" if found.observation else ""
    about = parse_subject(found.subject)
    if about.is_plain(SubjectKind.CHECK):
        return f"Run `{found.command}` before a task of phase {phase.id} is committed: the {found.subject} check{seen}."
    if about.is_plain(SubjectKind.TASK):
        return f"Task {found.task}{_files(found)} was not accepted, {found.because}: fix this before it is committed."
    if about.is_plain(SubjectKind.SCRIPT):
        return f"Run `{found.command}` until every line says PASS before task {found.task} is committed{seen}."
    if found.outcome is Outcome.UNPROVEN:
        return f'"{found.text}"{where} stayed unproven, {found.because}: give it a check that fails without the work.'
    if not found.command:
        return f'"{found.text}"{where} kept failing: {found.because}.'
    want = f" and see {found.expectation}" if found.expectation else ""
    return f'"{found.text}"{where} kept failing: run `{found.command}`{want} before committing{seen}.'


def _files(found: Shortfall) -> str:
    return f" ({', '.join(found.files)})" if found.files else ""


def _by_scope(phase: PhaseState) -> str:
    if phase.ending.failure_category != Category.SCOPE_CREEP:
        return ""
    strayed = [task for task in phase.tasks.values() if task.outside]
    if not strayed:
        return ""
    listed = ", ".join(strayed[0].task.files) or "the files its plan lists"
    return f"Task {strayed[0].task.id} may change {listed} and nothing else: it also changed {strayed[0].outside[0]}."


def _by_review(phase: PhaseState) -> str:
    failures = [f.failure for f in phase.reviews.verification.failures] if phase.reviews.verification else []
    judged = (
        (*phase.reviews.judgement.missing_requirements, *phase.reviews.judgement.concerns)
        if phase.reviews.judgement
        else ()
    )
    person = phase.deferral.issues if phase.deferral else ()
    reasons = (*person, *failures, *judged)
    if not reasons:
        return ""
    place = file_in(reasons[0])
    who = "a person" if person else "the verifier" if failures else "the judge"
    return (
        f"Resolve in phase {phase.id}{f' ({place})' if place else ''} the reason why {who} rejected it: {reasons[0]}."
    )


def _by_score(phase: PhaseState) -> str:
    if not phase.reviews.deductions:
        return ""
    worst = phase.reviews.deductions[0]
    where = f" in {worst.file}" if worst.file else ""
    return f'"{worst.criterion}" scored {worst.score:.1f}/10{where}: {worst.why}.'


def _by_failure(phase: PhaseState) -> str:
    step = phase.ending.failure_step or "its pipeline"
    reason = phase.ending.failure or "no reason"
    return f"Phase {phase.id} ended in {step}: fix this before the phase starts again: {reason}."


RULES: tuple[Callable[[PhaseState], str], ...] = (
    _by_preflight,
    _by_plan,
    _by_conflict,
    _by_context,
    _by_scope,
    _by_evidence,
    _by_review,
    _by_score,
)
