"""The result a phase ends in, built from the record alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from msgspec import structs

from autopilot.events.state import PhaseState, RunState
from autopilot.model.evidence.observation import Seen
from autopilot.model.policy import CHECKS
from autopilot.model.result import PhaseResult, ResultEvidence
from autopilot.model.ruling import Action
from autopilot.model.run import PhaseStatus
from autopilot.reports.documents.result_lines import commands_run, files_checked
from autopilot.reports.documents.shortfalls import shortfalls
from autopilot.reports.documents.tasks import home_of, is_done, is_undone, parts_of, tasks_of
from autopilot.reports.evidence.promised import standing_words
from autopilot.reports.markdown import shorten
from autopilot.reports.status.pipeline import mean_of_parts, pipeline_steps

ORDERED = {
    Action.PASS: "proceed",
    Action.PASS_INCOMPLETE: "proceed",
    Action.DEFER: "proceed",
    Action.REMEDIATE: "debug",
    Action.DEBUG: "debug",
    Action.REPLAN: "debug",
    Action.ENFORCE: "debug",
    Action.ROLLBACK: "rollback",
    Action.PAUSE: "halt",
}
COMPLEXITY = ("", "simple", "medium", "complex")


def build_result(state: RunState, phase: PhaseState, diff_summary: str = "") -> PhaseResult:
    """``diff_summary``: what was changed, where the gate has not recorded it yet."""
    tasks = {name: task for name, task in tasks_of(state, phase).items() if task.task.is_automatic}
    homes = {name: home_of(state, phase, name) for name in tasks}
    done = [task for name, task in tasks.items() if is_done(task, homes[name])]
    undone = [task for name, task in tasks.items() if is_undone(task, homes[name])]
    commits = tuple(dict.fromkeys([*(t.commit for t in tasks.values()), *_debug_commits(state, phase)]))
    commits = tuple(commit for commit in commits if commit)
    deferral, verification = phase.deferral, phase.reviews.verification
    confidence = deferral.confidence if deferral else verification.autonomous_confidence if verification else None
    return PhaseResult(
        phase=phase.id,
        status=_status(phase),
        alignment_score=_score(state, phase),
        tasks_completed=f"{len(done)}/{len(tasks)}",
        tasks_failed=f"{len(undone)}/{len(tasks)}",
        commit_shas=commits,
        automated_checks=_checks(state, phase),
        issues=_unique(issue for home in (phase, *parts_of(state, phase)) for issue in _issues(home)),
        debug_attempts=len(phase.retries.debug_rounds) + sum(task.debugs for task in tasks.values()),
        replan_attempts=phase.retries.replans,
        recommendation=_recommendation(phase),
        summary=_summary(state, phase),
        checkpoint_sha=phase.ending.records_commit or None,
        verification_duration_seconds=round(phase.reviews.verification_ms / 1000, 3) if verification else None,
        evidence=ResultEvidence(
            files_checked=_unique(line for home in (phase, *parts_of(state, phase)) for line in files_checked(home)),
            commands_run=_unique(line for home in (phase, *parts_of(state, phase)) for line in commands_run(home)),
            git_diff_summary=diff_summary or phase.gate.diff,
        ),
        phase_type=phase.intake.phase_type,
        pipeline_steps=pipeline_steps(state, phase),
        human_verify_justification=deferral.justification if deferral else None,
        deferral_evidence=tuple(structs.asdict(item) for item in deferral.evidence) if deferral else (),
        autonomous_confidence=confidence,
        split_details=_split(state, phase),
        diagnostic_branch=phase.line.diagnostic_branch or None,
        rollback_performed=bool(phase.ending.rolled_back_to),
        rollback_from=(phase.observed.commit or (commits[-1] if commits else None))
        if phase.ending.rolled_back_to
        else None,
        rollback_to=phase.ending.rolled_back_to or None,
        remediation_cycles=len(phase.remediation.cycles),
        force_incomplete=phase.remediation.incomplete,
        already_implemented=not commits and (phase.plan.verify_only or (bool(phase.tasks) and len(done) == len(tasks))),
    )


def _debug_commits(state: RunState, phase: PhaseState) -> list[str]:
    return [fix.commit for home in (phase, *parts_of(state, phase)) for fix in home.retries.debug_rounds]


def _status(phase: PhaseState) -> PhaseStatus | Literal["split_request"]:
    if phase.status is PhaseStatus.SPLIT or (phase.split.parts and not phase.split.integrated and not phase.settled):
        return "split_request"
    return phase.status


def _score(state: RunState, phase: PhaseState) -> float | None:
    return phase.reviews.score if phase.reviews.score is not None else mean_of_parts(state, phase)


def _checks(state: RunState, phase: PhaseState) -> dict[str, bool | str | None]:
    seen = {
        observation.subject: observation.seen
        for observation in phase.observed.observations or ()
        if observation.seen is not Seen.NOTHING and not observation.never_ran
    }
    return {
        name: seen[name] is Seen.PASSED if name in seen else None if getattr(state.policy.commands, name) else "n/a"
        for name in CHECKS
    }


def _issues(phase: PhaseState) -> Iterator[str]:
    """In the order they came: before the work, during it, at the gate, in the end."""
    yield from phase.intake.preflight_issues or ()
    yield from () if phase.plan.approved else phase.plan.blockers
    yield from phase.retries.replan_issues
    for task in phase.tasks.values():
        for reason in task.handovers:
            yield f"context_exhaustion: task {task.task.id} was handed over to a fresh agent: {reason}"
    for fix in phase.retries.debug_rounds:
        yield from (f"debug attempt {fix.attempt}: {left}" for left in fix.remaining)
        if fix.refusal:
            yield f"debug attempt {fix.attempt} was refused: {fix.refusal}"
    yield from (str(found) for found in shortfalls(phase))
    if phase.reviews.verification is not None:
        yield from (f"{f.category or 'unclassified'}: {f.failure}" for f in phase.reviews.verification.failures)
    if phase.reviews.judgement is not None:
        yield from phase.reviews.judgement.missing_requirements
    yield from (finding.message for finding in phase.gate.integrity if finding.refuses)
    yield from phase.deferral.issues if phase.deferral else ()
    if phase.ending.failure:
        yield phase.ending.failure


def _recommendation(phase: PhaseState) -> str:
    if phase.status is PhaseStatus.FAILED:
        return "rollback" if phase.ending.rolled_back_to else "halt"
    if phase.status in (PhaseStatus.COMPLETED, PhaseStatus.NEEDS_HUMAN_VERIFICATION):
        return "proceed"
    if phase.ruling.action is not None:
        return ORDERED[phase.ruling.action]
    # Whatever a judge says: what evidence refuses is not to be proceeded with.
    if shortfalls(phase):
        return "debug"
    return phase.reviews.judgement.recommendation.value if phase.reviews.judgement else "debug"


def _summary(state: RunState, phase: PhaseState) -> str:
    score = _score(state, phase)
    scored = f", score {score}/10" if score is not None else ""
    incomplete = " It counts as incomplete." if phase.remediation.incomplete else ""
    because = phase.ending.failure or phase.gate.reason
    reason = f" {because[:1].upper()}{shorten(because, 300)[1:]}." if because else ""
    return f"{standing_words(phase)}{scored}.{incomplete}{reason}"


def _split(state: RunState, phase: PhaseState) -> dict[str, Any] | None:
    if phase.parent:
        return {"parent_phase": phase.parent, **_sub_phase(phase)}
    if not phase.split.parts:
        return None
    parts = [_sub_phase(part) for part in parts_of(state, phase)]
    return {
        "reason": phase.split.reason,
        "recommended_sub_phases": parts,
        "total_sub_phases": len(phase.split.parts),
        "original_issue_count": sum(len(part["issues"]) for part in parts),
    }


def _sub_phase(part: PhaseState) -> dict[str, Any]:
    tasks = [state.task for state in part.tasks.values()]
    known = [task.complexity for task in tasks if task.complexity in COMPLEXITY]
    return {
        "sub_phase_id": part.id,
        "name": part.brief.name,
        "scope": part.brief.goal,
        "issues": [f"{task.id}: {task.title}" for task in tasks],
        "estimated_complexity": max(known, key=COMPLEXITY.index, default="") or "medium",
        "status": part.status.value,
        "alignment_score": part.reviews.score,
    }


def _unique(lines: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line for line in lines if line.strip()))
