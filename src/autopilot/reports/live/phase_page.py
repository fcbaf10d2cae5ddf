"""One phase opened: its steps with their times, its tasks, what was asked for and how it stands, what fails."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from autopilot.events.pieces import StepState, TaskState
from autopilot.events.state import PhaseState, RunState
from autopilot.model.run import LandingStage, StepStatus
from autopilot.reports.documents.tasks import home_of, is_done, is_undone, tasks_of
from autopilot.reports.evidence.failure_text import failure_lines, head_line
from autopilot.reports.evidence.failures import failures_of
from autopilot.reports.evidence.promised import is_judged, promise_rows
from autopilot.reports.live.columns import wrap
from autopilot.reports.live.phase_row import stands
from autopilot.reports.live.row import Row, Tone
from autopilot.reports.status.brief import brief, failure_words
from autopilot.reports.status.status_text import money_words, render_time

NOT_HELD = (StepStatus.FAIL, StepStatus.REFUSED, StepStatus.ERROR, StepStatus.UNPROVEN)
STEP_WIDTH, STATUS_WIDTH, TIME_WIDTH = 22, 14, 8
PROVEN = "proven"


def phase_rows(state: RunState, phase: PhaseState, now: datetime, columns: int) -> Iterator[Row]:
    used = phase.totals.usage
    yield Row(f"phase {phase.id} {phase.brief.name}: {stands(state, phase, now)}", Tone.HEAD)
    yield Row(f"{used.tokens:,} tokens, {money_words(used.usd, used.usd_is_estimate)}", Tone.DIM)
    if phase.ending.failure and not state.phase(phase.id).gate.verdicts:
        yield from _wrapped(failure_words(phase), columns, Tone.BAD)
    yield from _section("steps", (_step(name, step, now) for name, step in phase.steps.items()))
    yield from _section("tasks", (_task(state, phase, task) for task in tasks_of(state, phase).values()))
    yield from _section("asked for", _asked(state, phase, columns))
    yield from _section("does not hold", _failures(state, phase, columns))
    yield from _section("landing", _landing(state, phase, columns))


def _section(title: str, rows: Iterable[Row]) -> Iterator[Row]:
    listed = list(rows)
    if listed:
        yield from (Row(), Row(title, Tone.DIM), *listed)


def _wrapped(text: str, columns: int, tone: Tone = Tone.PLAIN) -> Iterator[Row]:
    yield from (Row(line, tone) for line in wrap(f"  {text}", columns))


def _step(name: str, step: StepState, now: datetime) -> Row:
    took = render_time(max(0, int(((step.ended_at or now) - step.started_at).total_seconds())))
    mark, tone = ("✗", Tone.BAD) if step.status in NOT_HELD else ("✓", Tone.GOOD)
    if step.ended_at is None:
        mark, tone = ("-", Tone.DIM) if step.status == StepStatus.SKIPPED else ("▸", Tone.HEAD)
    columns = f"{name:<{STEP_WIDTH}} {step.status.replace('_', ' '):<{STATUS_WIDTH}} {took:>{TIME_WIDTH}}"
    return Row(f"  {mark} {columns}  {brief(step.detail)}".rstrip(), tone)


def _task(state: RunState, phase: PhaseState, task: TaskState) -> Row:
    home = home_of(state, phase, task.task.id)
    caught = f" (caught {len(task.caught)} times)" if len(task.caught) > 1 else " (caught once)" if task.caught else ""
    shown = f"{task.task.id}  {task.status.value.replace('_', ' ')}  {task.task.title}{caught}"
    if is_done(task, home):
        return Row(f"  ✓ {shown}", Tone.GOOD)
    return Row(f"  ✗ {shown}", Tone.BAD) if is_undone(task, home) else Row(f"  · {shown}")


def _asked(state: RunState, phase: PhaseState, columns: int) -> Iterator[Row]:
    for row in promise_rows(state, phase) if is_judged(phase) else ():
        by = f", by {', '.join(row.by)}" if row.by else ""
        is_proven = row.status == PROVEN
        mark, tone = ("✓", Tone.GOOD) if is_proven else ("!", Tone.WARN)
        yield from _wrapped(f"{mark} {row.name} {row.text}: {row.status_words}{by}", columns, tone)


def _failures(state: RunState, phase: PhaseState, columns: int) -> Iterator[Row]:
    for failure in failures_of(state, phase):
        yield from _wrapped(f"✗ {head_line(failure)}", columns, Tone.BAD)
        for line in failure_lines(failure):
            yield from _wrapped(f"    {line}", columns, Tone.DIM if line.startswith("| ") else Tone.PLAIN)


def _landing(state: RunState, phase: PhaseState, columns: int) -> Iterator[Row]:
    landing = phase.landing
    if landing.state is LandingStage.LANDED:
        yield Row(f"  ✓ landed on {state.line.branch}", Tone.GOOD)
    elif landing.state is LandingStage.DEFERRED:
        yield from _wrapped(f"! waits: {landing.because}; the work is on branch {landing.branch}", columns, Tone.WARN)
