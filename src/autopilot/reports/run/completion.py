"""The report of one run, from its first phase to its version: `.autopilot/completion-{date}.md`."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.events.state import PhaseState, RunState
from autopilot.model.evidence.proven import Proven
from autopilot.model.run import PhaseStatus
from autopilot.reports.documents.objections import objection_words, objections_of
from autopilot.reports.evidence.failure_text import render_failures
from autopilot.reports.evidence.failures import failures_of
from autopilot.reports.evidence.promised import ratio_words, run_standing
from autopilot.reports.evidence.proofs import count_strengths
from autopilot.reports.evidence.unchecked import reach_of, unchecked_in_run
from autopilot.reports.inert import make_inert
from autopilot.reports.markdown import bullets, fenced, how_long, one_line, seconds, stamp, table
from autopilot.reports.run.agents import agent_lines
from autopilot.reports.run.audit import audit_section, integration_words, version_words
from autopilot.reports.run.batch import notes_of
from autopilot.reports.run.metrics import RunMetrics, run_metrics
from autopilot.reports.run.statistics import deferrals
from autopilot.reports.run.trend import Trend, trend_section
from autopilot.reports.run.ways_on import next_lines
from autopilot.reports.status.brief import stop_words
from autopilot.reports.status.caught import caught_lines
from autopilot.reports.status.phase_record import retries_words, usage_of
from autopilot.reports.status.scores import find_suspects, in_words, score_of
from autopilot.reports.status.status_text import money_words

PHASES_HEAD = ("Phase", "Name", "Status", "Proven", "Score", "Duration", "Retries", "Notes")
EVIDENCE_HEAD = ("Phase", *(word.value for word in Proven), "Objections", "Flags")
COST_HEAD = ("Phase", "Estimated tokens", "Tokens used", "Difference", "Money")


def head_line(run: str) -> str:
    return f"# Completion Report: {run}\n"


def render_completion(state: RunState, trend: Trend | None) -> str:
    parts = [
        head_line(state.run),
        bullets(_head(state)) + "\n",
        f"## Phases\n\n{table(PHASES_HEAD, (_phase_row(state, phase) for phase in state.phases.values()))}",
        _failures(state),
        f"## Evidence\n\n{table(EVIDENCE_HEAD, evidence_rows(state))}\n{_objections(state)}",
        *_rubber_stamp_alert(state),
        *_deferred_ideas(state),
        f"## Integration\n\n{one_line(integration_words(state))}\n",
        f"## Self-Audit Results\n\n{audit_section(state)}",
        f"## Version\n\n{one_line(version_words(state))}\n",
        f"## Left to You\n\n{bullets(deferrals(state).lines())}\n",
        f"## Metrics\n\n{bullets(metric_lines(run_metrics(state)))}\n",
        f"## Trend Analysis\n\n{trend_section(trend)}",
        f"## Cost\n\n{table(COST_HEAD, cost_rows(state))}",
        f"## Agents\n\n{bullets(agents_of_run(state), 'No agent was asked.')}\n",
        f"## Caught\n\n{bullets(caught_lines(state), 'Every claim of the agents held.')}\n",
        f"## Not checked\n\n{bullets(unchecked_in_run(state))}\n",
        f"## Next\n\n{bullets(next_lines(state))}\n",
    ]
    return make_inert("\n".join(part for part in parts if part))


def _rubber_stamp_alert(state: RunState) -> Iterator[str]:
    suspects = find_suspects(state)
    if suspects:
        named = [(p.id, p.brief.name, in_words(score_of(state, p))) for p in state.phases.values() if p.id in suspects]
        why = "The scores of these phases are so alike that the rater may not have examined the work:"
        yield f"## Rubber-Stamp Alert\n\n{why}\n\n{table(('Phase', 'Name', 'Score'), named)}"


def _deferred_ideas(state: RunState) -> Iterator[str]:
    """What people wished for beyond the phases they were asked about: for them to plan, and not built by this run."""
    ideas = state.people.ideas
    if ideas:
        places = [f"about phase {idea.phase}" if idea.phase else "at a checkpoint" for idea in ideas]
        lines = (f"{idea.idea} (said {place})" for idea, place in zip(ideas, places, strict=True))
        yield f"## Deferred Ideas\n\nNot built: each belongs in a phase of its own.\n\n{bullets(lines)}\n"


def _head(state: RunState) -> Iterator[str]:
    because = stop_words(state)
    yield f"Outcome: {state.status.value}, {because}" if because else "Outcome: still running"
    if standing := run_standing(state):
        yield f"Asked for: {standing}"
    last = "ended" if state.halted or state.archived else "last event"
    yield f"Began: {stamp(state.started_at)}; {last}: {stamp(state.now)}"
    if state.inputs.command:
        yield f"Command: `{state.inputs.command}`"
    yield f"Spec: {state.inputs.spec.path} (sha256 {state.inputs.spec.sha256[:12]})"
    yield f"Pass threshold: {state.policy.pass_threshold:g}/10"
    if not state.policy.confined:
        yield "Commands ran WITHOUT a sandbox, by your written opt-out"
    if reached := reach_of(state):
        yield f"Weaker evidence: checks may reach {reached}, by your settings"
    if names := [daemon.name for daemon in state.policy.conditions.services]:
        yield f"Services beside every check: {', '.join(names)}"
    if state.policy.open_agents:
        yield f"Agents that may reach any host, by your settings: {', '.join(state.policy.open_agents)}"


def _phase_row(state: RunState, phase: PhaseState) -> tuple[str, ...]:
    took = how_long(seconds(phase.started_at, phase.ending.completed_at or state.now)) if phase.started_at else ""
    return (
        phase.id,
        phase.brief.name,
        phase.status.value,
        ratio_words(phase).replace(" proven", "", 1) if phase.gate.verdicts else "not judged yet",
        in_words(score_of(state, phase)),
        took,
        retries_words(state, phase),
        notes_of(state, phase, failures_of(state, phase)),
    )


def _failures(state: RunState) -> str:
    """Of failed phases: expected against actual, and how to repeat it."""
    failed = (phase for phase in state.phases.values() if phase.status is PhaseStatus.FAILED)
    parts = [
        f"Phase {phase.id}; how to repeat it by hand: `autopilot why {phase.id}`\n\n{fenced(render_failures(failures))}"
        for phase in failed
        if (failures := failures_of(state, phase))
    ]
    return "\n".join(("## What does not hold\n", *parts)) if parts else ""


def evidence_rows(state: RunState) -> Iterator[tuple[str, ...]]:
    """How much of what holds is how strong."""
    for phase in (phase for phase in state.phases.values() if phase.started_at):
        yield phase.id, *(str(count) for count in count_strengths(state, phase).values())


def _objections(state: RunState) -> str:
    phases = (phase for phase in state.phases.values() if phase.started_at)
    lines = [
        f"phase {phase.id}: {objection_words(objection)}"
        for phase in phases
        for objection in objections_of(state, phase)
    ]
    return f"{bullets(lines)}\n" if lines else ""


def metric_lines(figures: RunMetrics) -> list[str]:
    failures = ", ".join(f"{name} {count}" for name, count in figures.failure_taxonomy_histogram.items()) or "none"
    return [
        f"Phases: {figures.phases_succeeded}/{figures.phases_attempted} succeeded | {figures.phases_failed} failed | "
        f"{figures.phases_skipped} skipped | {figures.phases_human_deferred} deferred",
        f"Success rate: {figures.success_rate:.0%}",
        f"Average alignment: {in_words(figures.avg_alignment_score)}",
        f"Duration: {figures.total_duration_minutes:g} min",
        f"Debug loops: {figures.total_debug_loops}; re-plans: {figures.total_replan_attempts}",
        f"Failures by kind: {failures}",
    ]


def cost_rows(state: RunState) -> Iterator[tuple[str, ...]]:
    """What the formula expected beside what the agents reported; what no phase used is the run's own."""
    for phase in state.phases.values():
        used = usage_of(state, phase)
        yield _cost_row(phase.id, phase.intake.estimate or 0, used.tokens, money_words(used.usd, used.usd_is_estimate))
    for phase in state.completion.closing.values():
        used = phase.totals.usage
        yield _cost_row(phase.id, phase.intake.estimate or 0, used.tokens, money_words(used.usd, used.usd_is_estimate))
    expected = sum(phase.intake.estimate or 0 for phase in state.phases.values())
    total = state.totals.usage
    yield _cost_row("all", expected, total.tokens, money_words(total.usd, total.usd_is_estimate))


def _cost_row(name: str, expected: int, used: int, money: str) -> tuple[str, ...]:
    difference = f"{(used - expected) / expected:+.0%}" if expected else ""
    return name, f"{expected:,}" if expected else "none", f"{used:,}", difference, money


def agents_of_run(state: RunState) -> list[str]:
    phases = (*state.phases.values(), *state.completion.closing.values())
    return [f"phase {phase.id}, {line}" for phase in phases for line in agent_lines(state, phase)]
