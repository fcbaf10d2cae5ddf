"""The live lines below a run's progress: where it is, what it has used of its caps, and who is at work."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct

from autopilot.events.pieces import step_name
from autopilot.events.state import PhaseState, RunState
from autopilot.model.run import PhaseStatus
from autopilot.model.step import COUNTED_STEPS
from autopilot.reports.live.columns import fit, shorten_to_width, wrap
from autopilot.reports.local_time import clock_words
from autopilot.reports.status.brief import brief
from autopilot.reports.status.status_text import render_doing, render_time
from autopilot.text.naming import name_phases

SHORTEST_COMMAND = 10
THOUSAND, MILLION = 1_000, 1_000_000


class AtWork(Struct, frozen=True):
    """What is at work now, beside the record: agents as `adapters.live` reads them, commands with their seconds."""

    agents: Sequence[Mapping[str, Any]] = ()
    commands: Sequence[tuple[str, int]] = ()


def footer_lines(state: RunState, work: AtWork, now: datetime, columns: int) -> list[str]:
    if state.availability.wait is not None:
        wait = state.availability.wait
        left = max(0, int((wait.until - now).total_seconds()))
        until = f"waiting until {clock_words(wait.until, seconds=True)}, {render_time(left)} to go"
        return wrap(f"{until} · {brief(wait.because)}", columns)
    phases = phases_at_work(state)
    return [
        fit([*_where(state, phases, now), *spent_pieces(state, work, now)], columns),
        *(_steps(phases, work, now) if len(phases) > 1 else ()),
        *(f"  {render_doing(doing, columns - 2)}" for doing in work.agents),
        *(command_line(shown, took, columns) for shown, took in work.commands),
    ]


def phases_at_work(state: RunState) -> list[PhaseState]:
    """Those with a step in progress; of a split phase its parts."""
    phases = state.at_work or ((state.current,) if state.current else tuple(state.phases.values()))
    parts = [state.parts[name] for phase in phases for name in phase.split.parts if name in state.parts]
    return [phase for phase in (*phases, *parts) if phase.open is not None]


def spent_pieces(state: RunState, work: AtWork, now: datetime) -> Iterator[tuple[str, int]]:
    """What the run has used of its caps, with what agents at work have used up to now."""
    used, caps = state.totals.usage, state.policy.budget
    tokens = used.tokens_counted + sum(doing["tokens_counted"] for doing in work.agents)
    usd = used.usd + sum(doing["usd"] for doing in work.agents)
    rough = "~" if used.usd_is_estimate else ""
    elapsed = max(0, int((now - state.session.since).total_seconds()))
    yield f"run {render_time(elapsed)}", 6
    yield f"{short_number(tokens)}/{short_number(caps.tokens)} tokens", 5
    yield f"{rough}{usd:.2f}/{caps.usd:g} USD", 4


def short_number(count: int) -> str:
    """ "950", "41k", "1.2M"."""
    if count < THOUSAND:
        return str(count)
    if count < MILLION:
        return f"{count // THOUSAND}k"
    return f"{count / MILLION:.1f}".removesuffix(".0") + "M"


def _where(state: RunState, phases: Sequence[PhaseState], now: datetime) -> Iterator[tuple[str, int]]:
    """Pieces of the first line with their importance."""
    if len(phases) == 1:
        [phase] = phases
        yield _name(state, phase), 1
        yield (phase.brief.name if state.is_of_roadmap else ""), 8
        yield step_words(phase, now), 2
    elif phases:
        yield name_phases([phase.id for phase in phases]), 1
    else:
        yield "between two steps", 1
    if state.is_of_roadmap and len(state.phases) > 1:
        done = sum(phase.status is PhaseStatus.COMPLETED for phase in state.phases.values())
        yield f"{done}/{len(state.phases)} done", 7


def _name(state: RunState, phase: PhaseState) -> str:
    if state.issue is not None:
        return f"issue {state.issue.brief.number} {phase.id}"
    if state.drafting is not None:
        return "draft"
    return "debug session" if state.debugging is not None else f"phase {phase.id}"


def step_words(phase: PhaseState, now: datetime) -> str:
    """ "execute 02-01 6/9, 12s"."""
    if phase.open is None:
        return ""
    step, task = phase.open.step, phase.open.task
    place = f" {COUNTED_STEPS.index(step) + 1}/{len(COUNTED_STEPS)}" if step in COUNTED_STEPS else ""
    known = phase.steps.get(step_name(step, task))
    took = f" {render_time(max(0, int((now - known.started_at).total_seconds())))}" if known else ""
    return f"{step.value.replace('_', ' ')}{f' {task}' if task else ''}{place}{took}"


def _steps(phases: Sequence[PhaseState], work: AtWork, now: datetime) -> Iterator[str]:
    """Of several phases; one whose agent is shown needs no line of its own, for room is scarce."""
    shown = {doing["phase"] for doing in work.agents}
    yield from (f"  phase {phase.id} · {step_words(phase, now)}" for phase in phases if phase.id not in shown)


def command_line(shown: str, took: int, columns: int) -> str:
    """Of a long command as much as there is room for: how long it runs stands at the end."""
    rest, text = f" · {render_time(took)}", " ".join(shown.split())
    room = max(SHORTEST_COMMAND, columns - 2 - len(rest))
    return f"  {shorten_to_width(text, room)}{rest}"
