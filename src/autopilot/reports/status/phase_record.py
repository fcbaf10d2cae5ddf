"""A phase as ``state.json`` holds it."""

from __future__ import annotations

from typing import Any

import msgspec

from autopilot.events.pieces import Deferral, StepState, TaskState
from autopilot.events.state import PhaseState, RunState
from autopilot.model.agent import Usage
from autopilot.model.evidence.observation import Seen
from autopilot.model.policy import CHECKS
from autopilot.model.run import PhaseStatus, StepStatus, TaskStatus
from autopilot.model.step import Step, StepKind, steps_of
from autopilot.reports.documents.tasks import home_of, is_done, parts_of, tasks_of
from autopilot.reports.evidence.failure_text import failure_document, failure_lines
from autopilot.reports.evidence.failures import failures_of
from autopilot.reports.evidence.packages import package_lines
from autopilot.reports.evidence.planned import planned_document
from autopilot.reports.evidence.promised import promised_document
from autopilot.reports.evidence.proofs import count_strengths
from autopilot.reports.markdown import stamp
from autopilot.reports.status.files import confidence_path
from autopilot.reports.status.result import build_result
from autopilot.reports.status.scores import needs_diagnostic, score_history, score_of

# What is done to one task stands with that task, as what is done to a part with that part; a debug round and a rollback
# are told by what they leave, as is what comes before and after all phases, and what is done for an issue.
ELSEWHERE = (
    *(Step.MINI_VERIFY, Step.DEBUG, Step.ROLLBACK, Step.INTEGRATE, Step.RESOLVE),
    *steps_of(StepKind.PREPARING, StepKind.CLOSING, StepKind.ISSUE),
)
STEPS = tuple(step.value for step in Step if step not in ELSEWHERE)
TASK_WORDS = {"verified": "completed", "already": "completed", "refused": "failed"}


def phase_record(state: RunState, phase: PhaseState, *, is_suspect: bool) -> dict[str, Any]:
    used = usage_of(state, phase)
    return {
        "name": phase.brief.name,
        "phase_type": phase.intake.phase_type or None,
        "status": phase.status.value,
        "attempt": phase.totals.attempt,
        "started_at": stamp(phase.started_at) or None,
        "completed_at": stamp(phase.ending.completed_at) or None,
        "steps": {name: _step(state, phase, name) for name in STEPS if name in phase.steps or _has(state, phase, name)},
        "alignment_score": score_of(state, phase),
        "score_history": score_history(phase),
        "commit_shas": _commits(state, phase),
        "automated_checks": checks_of(state, phase),
        "packages": [*package_lines(state, phase)],
        "evidence": count_strengths(state, phase),
        "promised": {**promised_document(state, phase), **planned_document(phase)},
        "debug_attempts": debugs_of(state, phase),
        "task_retries": sum(task.debugs for task in tasks_of(state, phase).values()),
        "replan_attempts": phase.retries.replans,
        "remediation_cycles": len(phase.remediation.cycles),
        "tokens_used": used.tokens,
        "usd": round(used.usd, 4),
        "usd_is_estimate": used.usd_is_estimate,
        "estimated_tokens": phase.intake.estimate,
        "checkpoint_sha": phase.ending.records_commit or None,
        "landing": phase.landing.state or None,
        "failure": phase.ending.failure or None,
        "blocked_by": phase.ending.blocked_by or None,
        "failures": _failures(state, phase),
        "failure_category": phase.ending.failure_category or None,
        "diagnostic_branch": phase.line.diagnostic_branch or None,
        **_deferral(phase.deferral),
        "force_incomplete": phase.remediation.incomplete,
        "quality_exhausted": "quality" in phase.remediation.exhausted,
        "gaps_exhausted": "gaps" in phase.remediation.exhausted,
        "refinement_withdrawn": phase.remediation.withdrawn or None,
        "errand": phase.brief.purpose.value,
        "diagnostic_path": confidence_path(phase.id) if needs_diagnostic(state, phase) else None,
        "rubber_stamp_suspect": is_suspect,
        "not_looked_at": list(phase.gate.unseen),
        "warnings": list(phase.warnings),
        "split": {"reason": phase.split.reason, "integrated": list(phase.split.integrated)}
        if phase.split.parts
        else None,
        "sub_phases": [_part(state.parts[name]) for name in phase.split.parts],
        "result": _result(state, phase),
    }


def _failures(state: RunState, phase: PhaseState) -> list[dict[str, Any]]:
    """Of a phase that failed, or of one at which the run rests; while agents are at it, they are still fixing it."""
    if phase.status is not PhaseStatus.FAILED and not (state.halted and phase.status is PhaseStatus.IN_PROGRESS):
        return []
    return [
        {**failure_document(failure), "lines": [failure.text, *failure_lines(failure)]}
        for failure in failures_of(state, phase)
    ]


def debugs_of(state: RunState, phase: PhaseState) -> int:
    """Rounds of debugging, at tasks and at the whole phase."""
    debugs = sum(len(home.retries.debug_rounds) for home in (phase, *parts_of(state, phase)))
    return debugs + sum(task.debugs for task in tasks_of(state, phase).values())


def retries_words(state: RunState, phase: PhaseState) -> str:
    """How often it was tried once more, its parts included."""
    homes = (phase, *parts_of(state, phase))
    counts = {
        "debug": debugs_of(state, phase),
        "re-plan": sum(home.retries.replans for home in homes),
        "remediation": sum(len(home.remediation.cycles) for home in homes),
    }
    return ", ".join(f"{count} {name}" for name, count in counts.items() if count) or "none"


def _commits(state: RunState, phase: PhaseState) -> list[str]:
    mended = (fix.commit for home in (phase, *parts_of(state, phase)) for fix in home.retries.debug_rounds)
    made = (*(task.commit for task in tasks_of(state, phase).values()), *mended)
    return list(dict.fromkeys(commit for commit in made if commit))


def usage_of(state: RunState, phase: PhaseState) -> Usage:
    """With what its parts spent."""
    parts = (part for part in state.parts.values() if part.parent == phase.id)
    return sum((part.totals.usage for part in parts), phase.totals.usage)


def checks_of(state: RunState, phase: PhaseState) -> dict[str, Any]:
    # What could not be run is neither true nor false.
    seen = {
        observation.subject: observation.seen is Seen.PASSED
        for observation in phase.observed.observations or ()
        if observation.seen is not Seen.NOTHING and not observation.never_ran
    }
    return {name: seen.get(name, "n/a" if not getattr(state.policy.commands, name) else None) for name in CHECKS}


def _deferral(deferral: Deferral | None) -> dict[str, Any]:
    if deferral is None:
        return {"human_verify_justification": None, "human_verdict": None}
    verdict = {
        "verdict": deferral.verdict,
        "timestamp": stamp(deferral.verdict_at),
        "issues": list(deferral.issues),
    }
    return {
        "human_verify_justification": msgspec.to_builtins(deferral.justification),
        "human_verdict": verdict if deferral.verdict else None,
        "deferral_branch": deferral.branch,
    }


def _part(part: PhaseState) -> dict[str, Any]:
    return {
        "sub_phase_id": part.id,
        "name": part.brief.name,
        "status": part.status.value,
        "alignment_score": part.reviews.score,
        "failure": part.ending.failure or None,
    }


def _result(state: RunState, phase: PhaseState) -> dict[str, Any] | None:
    if phase.status is PhaseStatus.NOT_STARTED:
        return None
    result: dict[str, Any] = msgspec.to_builtins(build_result(state, phase))
    return result


def _has(state: RunState, phase: PhaseState, name: str) -> bool:
    return name == "execute" and any(task.status != TaskStatus.PENDING for task in tasks_of(state, phase).values())


def _step(state: RunState, phase: PhaseState, name: str) -> dict[str, Any]:
    step = phase.steps.get(name)
    base: dict[str, Any] = {"status": step.status, "timestamp": stamp(step.started_at)} if step else {}
    folder = phase.brief.folder
    match name:
        case "research" if phase.plan.research:
            base |= {"output": f"{folder}/RESEARCH.md", "hash": f"sha256:{phase.plan.research}"}
        case "plan" if phase.plan.commit:
            plan = next((digest for path, digest in phase.plan.documents if path.endswith("PLAN.md")), "")
            base |= {"output": f"{folder}/PLAN.md", "hash": f"sha256:{plan}" if plan else None}
            base |= {"validation_rounds": phase.plan.rounds}
        case "plan_check" if phase.plan.check:
            base |= {"confidence": phase.plan.check.confidence}
        case "execute" if phase.tasks:
            base = _execute(state, phase, step)
        case "verify" if phase.observed.observations is not None:
            creep = phase.reviews.verification.scope_creep if phase.reviews.verification else ()
            base |= {"automated": checks_of(state, phase), "scope_creep": list(creep)}
        case "judge" if phase.reviews.judgement:
            word, concerns = phase.reviews.judgement.recommendation.value, list(phase.reviews.judgement.concerns)
            base |= {"recommendation": word, "concerns": concerns}
        case "rate" if phase.reviews.score is not None:
            base |= {"alignment_score": phase.reviews.score, "score_band": phase.reviews.band}
    return base


def _execute(state: RunState, phase: PhaseState, step: StepState | None) -> dict[str, Any]:
    tasks = tasks_of(state, phase)
    statuses = {name: _task_word(task, home_of(state, phase, name)) for name, task in tasks.items()}
    done = all(statuses[name] == "completed" for name, task in tasks.items() if task.task.is_automatic)
    word = "completed" if done else "partial"
    return {
        "status": StepStatus.SKIPPED if step is not None and step.status == StepStatus.SKIPPED else word,
        "tasks": {
            name: {
                "status": statuses[name],
                "commit": task.commit or None,
                "retries": task.debugs,
                "already_implemented": task.status == TaskStatus.ALREADY and not task.made_by,
                "fulfilled_by": task.made_by or None,
                "packages": [*task.packages],
            }
            for name, task in tasks.items()
        },
    }


def _task_word(task: TaskState, home: PhaseState) -> str:
    """As the phase's result counts it: a task that failed by itself may hold in the end, and the other way round."""
    word = TASK_WORDS.get(task.status, task.status)
    if task.status == TaskStatus.PENDING or not task.task.is_automatic:
        return word
    return "completed" if is_done(task, home) else word.replace("completed", "failed")
