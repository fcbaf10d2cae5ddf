"""EXECUTION-LOG.md: every task, its commit, what was seen there, and what its agent claimed beside it."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.events.pieces import TaskState
from autopilot.events.state import PhaseState, RunState
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.run import PhaseStatus, TaskStatus
from autopilot.reports.documents.shortfalls import describe_result
from autopilot.reports.documents.tasks import is_done
from autopilot.reports.evidence.packages import name_packages
from autopilot.reports.markdown import bullets, shorten, table
from autopilot.reports.run.agents import workers_of

STATUS = {
    "verified": "COMPLETED",
    "already": "COMPLETED",
    "failed": "FAILED",
    "refused": "FAILED",
    "committed": "NEEDS_REVIEW",
    "handed_over": "NEEDS_REVIEW",
}
RESULT = {"verified": "PASS", "already": "PASS", "failed": "FAIL", "refused": "FAIL"}
SURE = 7.0  # an agent less sure of its own work asks for a review
SHOWN = 6


def render_execution_log(state: RunState, phase: PhaseState) -> str:
    parts = [
        f"# Phase {phase.id} Execution Log: {phase.brief.name}\n",
        f"## Before the first task\n\n{_priming(state, phase)}",
        *(_entry(phase, task) for task in phase.tasks.values()),
        _debug_rounds(phase),
    ]
    return "\n".join(part for part in parts if part)


def _priming(state: RunState, phase: PhaseState) -> str:
    """What the work began with: how the checks stood, and what earlier failures had taught."""
    rows = [
        (observation.subject, f"`{observation.command}`", describe_result(observation))
        for observation in phase.plan.baseline or ()
    ]
    baseline = table(("Check", "Command", "Baseline"), rows) if rows else "No check was run before the work began.\n"
    begun = phase.started_at or state.started_at
    failed = [p.id for p in state.phases.values() if p.status is PhaseStatus.FAILED and p.id != phase.id]
    earlier = [
        name for name in failed if (ended := state.phases[name].ending.completed_at) is not None and ended <= begun
    ]
    learnt = [f"the failure of phase {name}" for name in earlier]
    learnt += [f"verdicts of people ({len(state.inputs.calibration)})"] if state.inputs.calibration else []
    return f"{baseline}\nAvailable learnings: {', '.join(learnt) or 'none'}.\n"


def _entry(phase: PhaseState, state: TaskState) -> str:
    lines = [
        f"### Task {state.task.id}: {' '.join(state.task.title.split())}",
        f"- **Status:** {_status(state)}",
        f"- **Commit SHA:** {state.commit or 'none'}",
        f"- **Files modified:** {', '.join(state.files) or 'none'}",
        f"- **Outside the task's list:** {', '.join(state.outside) or 'none'}",
        f"- **Evidence:** {_evidence(state)}",
        f"- **Confidence:** {_confidence(state)}",
        f"- **Agents:** {workers_of(phase, state)}",
        *_history(phase, state),
        "- **Mini-Verification:**",
        *(f"  - {line}" for line in _mini(state)),
    ]
    whole = _at_the_end(phase, state)
    lines += [f"- **At the phase's last commit:** {whole}"] if whole else []
    text = "\n".join(" ".join(line.split()) if not line.startswith("  ") else line for line in lines) + "\n"
    return text + (f"\nClaims that were refused:\n\n{bullets(state.caught)}\n" if state.caught else "")


def _status(state: TaskState) -> str:
    """By what was seen. Only where nothing was, an agent's own doubt is all there is."""
    if not state.task.is_automatic and state.status == TaskStatus.PENDING:
        return "NOT RUN (the task needs a person)"
    return STATUS.get(state.status, "NOT RUN")


def _confidence(state: TaskState) -> str:
    if state.confidence is None:
        return "not given"
    doubt = (
        ", below 7: to be reviewed"
        if state.confidence < SURE and state.status not in (TaskStatus.VERIFIED, TaskStatus.ALREADY)
        else ""
    )
    return f"{state.confidence:g}/10 by its own agent{doubt}"


def _evidence(state: TaskState) -> str:
    if state.made_by:
        return f"red before the phase, and all of it holds since {state.made_by[:12]}, the commit of an earlier task"
    if state.status == TaskStatus.ALREADY:
        return "already there: every criterion held before the work began"
    seen = [
        f"`{shorten(observation.command, 100)}` {describe_result(observation)}" for observation in state.observations
    ]
    more = f"; and {len(seen) - SHOWN} more" if len(seen) > SHOWN else ""
    return ("; ".join(seen[:SHOWN]) + more) or "none"


def _history(phase: PhaseState, state: TaskState) -> Iterator[str]:
    cycle = next((cycle for cycle in phase.remediation.cycles if state.task.id in cycle.tasks), None)
    if cycle is not None:
        cause = "a person's verdict" if cycle.by_person else f"the score {cycle.old_score}"
        yield f"- **Remediation:** cycle {cycle.number}, because of {cause}"
    if state.handovers:
        yield f"- **Handovers:** {len(state.handovers)} ({'; '.join(state.handovers)})"


def _mini(state: TaskState) -> Iterator[str]:
    passed = sum(v.outcome is Outcome.PASS for v in state.verdicts)
    failures = [f"{v.subject}: {v.because}" for v in state.verdicts if v.outcome is not Outcome.PASS]
    failures += [state.refusal] if state.status == TaskStatus.REFUSED and state.refusal else []
    yield f"**Result:** {RESULT.get(state.status, 'NOT RUN')}"
    if state.packages:
        yield f"**Packages:** checks of {name_packages(state.packages)}; the others run with the last task"
    yield f"**Criteria checked:** {len(state.verdicts)}"
    yield f"**Criteria passed:** {passed}"
    yield f"**Failures:** {' '.join('; '.join(failures).split()) or 'None'}"
    yield f"**Reading:** {' '.join(_reading(state).split())}"
    yield f"**Debug attempts:** {state.debugs}"


def _reading(state: TaskState) -> str:
    """An agent's reading stands beside what code saw; it never takes its place."""
    reading = state.reading
    if reading is None:
        return f"none: {state.reading_problem}" if state.reading_problem else "none"
    against = [r.criterion for r in reading.criteria_results if r.status != "verified"]
    word = "pass" if reading.passed else "fail"
    seen = RESULT.get(state.status)
    contrary = f", contrary to the observation ({seen})" if seen and (seen == "PASS") is not reading.passed else ""
    remarks = [*(f"not verified: {text}" for text in against), *reading.concerns]
    return f"{word}{contrary}" + (f"; {'; '.join(remarks)}" if remarks else "")


def _at_the_end(phase: PhaseState, state: TaskState) -> str:
    if not phase.gate.verdicts or not state.task.is_automatic:
        return ""
    return "holds" if is_done(state, phase) else "does not hold"


def _debug_rounds(phase: PhaseState) -> str:
    if not phase.retries.debug_rounds:
        return ""
    rows = [
        (
            str(fix.attempt),
            fix.commit[:12] or f"none: {fix.refusal}",
            "; ".join(fix.findings),
            "; ".join(fix.changes) or "-",
            "; ".join(fix.remaining) or "-",
        )
        for fix in phase.retries.debug_rounds
    ]
    head = ("Attempt", "Commit", "Found before it", "Changes (reported)", "Remaining (reported)")
    return f"## Debugging of the whole phase\n\n{table(head, rows)}"
