"""SUMMARY.md of a phase, with the front matter other planning tools read."""

from __future__ import annotations

from autopilot.events.state import PhaseState, RunState
from autopilot.model.verdict import Outcome
from autopilot.reports.markdown import bullets, flow_list, seconds


def render_summary(state: RunState, phase: PhaseState) -> str:
    files = sorted({path for task in phase.tasks.values() for path in task.files})
    proven = sum(v.outcome is Outcome.PASS for v in phase.verdicts)
    step = phase.steps.get("gate")
    ended = step.ended_at if step else None
    caught = [f"{t.task.id}: {reason}" for t in phase.tasks.values() for reason in t.caught]
    front = [
        "---",
        f"phase: {phase.id}",
        "plan: all",
        "subsystem: " + (phase.brief.folder.rsplit("/", 1)[-1]),
        "tags: []",
        f"requires: {flow_list(phase.brief.depends_on)}",
        "key-files:",
        f"  modified: {flow_list(files)}",
        f"requirements-completed: {flow_list(phase.brief.requirements)}",
        f"duration: {seconds(phase.started_at, ended)}s",
        f"completed: {ended:%Y-%m-%d}" if ended else "completed:",
        "---",
    ]
    body = [
        "",
        f"# Phase {phase.id} Summary: {phase.brief.name}",
        "",
        phase.brief.goal,
        "",
        f"{proven} of {len(phase.verdicts)} checks proven, score {phase.score}/10 (threshold "
        f"{state.policy.pass_threshold}).",
        "",
        "## Commits",
        "",
        bullets(f"{t.commit[:12]} {t.task.id} {t.task.title}" for t in phase.tasks.values() if t.commit),
        "",
        "## Caught",
        "",
        bullets(caught, "Nothing was claimed that did not hold."),
        "",
    ]
    return "\n".join([*front, *body])
