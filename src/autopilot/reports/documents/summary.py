"""SUMMARY.md of a phase, with the front matter other planning tools read."""

from __future__ import annotations

from autopilot.events.pieces import TaskState
from autopilot.events.state import PhaseState, RunState
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.run import TaskStatus
from autopilot.reports.documents.objections import objection_words, objections_of
from autopilot.reports.documents.tasks import parts_of, tasks_of
from autopilot.reports.evidence.promised import standing_words
from autopilot.reports.evidence.proofs import proofs_of, strengths_words
from autopilot.reports.evidence.unchecked import switched_off, unchecked_in_phase
from autopilot.reports.markdown import bullets, flow_list, seconds
from autopilot.reports.run.agents import agent_lines
from autopilot.reports.status.deferral import verdict_words
from autopilot.reports.status.phase_record import usage_of
from autopilot.reports.status.status_text import spent_words
from autopilot.text.naming import plural


def render_summary(state: RunState, phase: PhaseState) -> str:
    used = usage_of(state, phase)
    body = [
        "",
        f"# Phase {phase.id} Summary: {phase.brief.name}",
        "",
        phase.brief.goal,
        "",
        *_standing(state, phase),
        "## Commits",
        "",
        bullets(_commits(state, phase)),
        "",
        "## Agents",
        "",
        bullets(agent_lines(state, phase), "No agent was asked."),
        "",
        spent_words(used.tokens, phase.intake.estimate or 0, used.usd, used.usd_is_estimate) + ".",
        "",
        "## Evidence",
        "",
        *_evidence(state, phase),
        "",
        "## Caught",
        "",
        bullets(_caught(state, phase), "Every claim of the agents held."),
        "",
        "## Not checked",
        "",
        bullets(unchecked_in_phase(state, phase)),
        "",
    ]
    return "\n".join([*_front(state, phase), *body])


def _evidence(state: RunState, phase: PhaseState) -> list[str]:
    """How strong what was proven is, and what was noticed without refusing it."""
    proven = f"Strength of the proven checks: {strengths_words(proofs_of(state, phase))}."
    lines = [*(objection_words(objection) for objection in objections_of(state, phase)), *switched_off(state)]
    return [proven, "", bullets(lines, "No objection and no flag; every layer of evidence was enabled.")]


def _front(state: RunState, phase: PhaseState) -> list[str]:
    """Requirements count as completed, and the phase as complete, when its gate said so."""
    files = sorted({path for task in tasks_of(state, phase).values() for path in task.files})
    step, passed = phase.steps.get("gate"), phase.ruling.outcome is Outcome.PASS
    ended = step.ended_at if step else None
    return [
        "---",
        f"phase: {phase.id}",
        "plan: all",
        "subsystem: " + (phase.brief.folder.rsplit("/", 1)[-1]),
        "tags: []",
        f"requires: {flow_list(phase.brief.depends_on)}",
        "key-files:",
        f"  modified: {flow_list(files)}",
        f"requirements-completed: {flow_list(phase.brief.requirements if passed else ())}",
        f"duration: {seconds(phase.started_at, ended)}s",
        f"completed: {ended:%Y-%m-%d}" if ended and passed else "completed:",
        *(["force_incomplete: true"] if phase.remediation.incomplete else []),
        "---",
    ]


def _standing(state: RunState, phase: PhaseState) -> list[str]:
    threshold, score = state.policy.pass_threshold, _scored(phase.reviews.score)
    lines = [
        f"{standing_words(phase)}, {score} (threshold {threshold}).",
        "",
    ]
    if phase.remediation.incomplete:
        spent = sum(len(home.remediation.cycles) for home in (phase, *parts_of(state, phase)))
        incomplete = f"INCOMPLETE: after {plural(spent, 'remediation cycle')} the score is still below {threshold}."
        lines += [incomplete + " The phase counts; what is missing is in its confidence diagnostic.", ""]
    if phase.deferral is not None:
        asked = phase.deferral.justification
        waits = f"It waits for a person, on branch `{phase.deferral.branch}`"
        status = f"A person reviewed it: {verdict_words(phase.deferral)}" if phase.deferral.verdict else waits
        lines += [f"{status} ({asked.label}: {' '.join(asked.task_description.split())}).", ""]
    if phase.split.parts:
        scores = ", ".join(f"{part.id} {_scored(part.reviews.score)}" for part in parts_of(state, phase))
        lines += [f"It was done in {plural(len(phase.split.parts), 'part')}: {scores}.", ""]
    return lines


def _scored(score: float | None) -> str:
    return "no score" if score is None else f"score {score}/10"


def _commits(state: RunState, phase: PhaseState) -> list[str]:
    known = tasks_of(state, phase).values()
    tasks = [f"{t.commit[:12]} {t.task.id} {t.task.title}" for t in known if t.commit]
    tasks += [f"none for {t.task.id} {t.task.title}: {_why_none(t)}" for t in known if t.status == TaskStatus.ALREADY]
    debugs = [fix for home in (phase, *parts_of(state, phase)) for fix in home.retries.debug_rounds if fix.commit]
    return [*tasks, *(f"{fix.commit[:12]} debug attempt {fix.attempt} of the whole phase" for fix in debugs)]


def _why_none(state: TaskState) -> str:
    return f"{state.made_by[:12]} fulfilled it as well" if state.made_by else "already there"


def _caught(state: RunState, phase: PhaseState) -> list[str]:
    return [f"{t.task.id}: {reason}" for t in tasks_of(state, phase).values() for reason in t.caught]
