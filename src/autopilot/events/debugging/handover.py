"""What a pipeline leaves for a debug session: a phase that failed although it was debugged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from autopilot.events.pieces import PhaseDebug
from autopilot.events.state import PhaseState, RunState
from autopilot.model.debugging.session import DebugBrief, Origin, Tried
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.run import PhaseStatus

MOST_TRIED = 20


def sessions_left(runs: Iterable[RunState]) -> dict[str, DebugBrief]:
    """By name: of every phase of the roadmap the last run that had it, where its attempts at debugging were used up.

    A phase that a session took up already is that session's affair.
    """
    runs = tuple(runs)
    last: dict[str, tuple[RunState, PhaseState]] = {}
    for run in runs:
        if run.is_of_roadmap:
            last.update({phase.id: (run, phase) for phase in run.phases.values() if phase.started_at})
    taken = {(origin.run, origin.phase) for run in runs if run.debugging and (origin := run.debugging.brief.origin)}
    names = {run.debugging.brief.slug for run in runs if run.debugging}
    briefs = [
        brief_of(run, phase) for run, phase in last.values() if is_left(phase) and (run.run, phase.id) not in taken
    ]
    return {(slug := _free(brief.slug, names)): replace(brief, slug=slug) for brief in briefs}


def _free(slug: str, names: set[str]) -> str:
    """A phase may fail again after a session about it: that is another one."""
    return next(name for name in (slug, *(f"{slug}-{n}" for n in range(2, 10_000))) if name not in names)


def is_left(phase: PhaseState) -> bool:
    """Whether it failed although it was debugged."""
    tried = bool(phase.retries.debug_rounds) or any(task.debugs for task in phase.tasks.values())
    return phase.status is PhaseStatus.FAILED and tried


def brief_of(run: RunState, phase: PhaseState) -> DebugBrief:
    failure = " ".join(phase.ending.failure.split())
    origin = Origin(
        run.run, phase.id, phase.brief.name, failure, _red_command(phase), tuple(_tried(phase))[:MOST_TRIED]
    )
    text = f"phase {phase.id} ({phase.brief.name}) did not pass: {failure}"
    return DebugBrief(f"phase-{phase.id}".lower(), text, phase.id, origin=origin)


def _red_command(phase: PhaseState) -> str:
    seen = [
        *(phase.observed.observations or ()),
        *(observation for task in phase.tasks.values() for observation in task.observations),
    ]
    return next((observation.command for observation in seen if _is_red(observation)), "")


def _is_red(seen: Observation) -> bool:
    return seen.seen in (Seen.FAILED, Seen.TIMED_OUT) and bool(seen.command)


def _tried(phase: PhaseState) -> Iterator[Tried]:
    for task in phase.tasks.values():
        if task.debugs and task.refusal:
            yield Tried(f"task {task.task.id} was debugged {task.debugs} times", task.refusal)
        elif task.debugs:
            red = [
                f"`{observation.command}`: {observation.excerpt.strip()[:160]}"
                for observation in task.observations
                if _is_red(observation)
            ]
            yield Tried(f"task {task.task.id} was debugged {task.debugs} times", "; ".join(red) or task.status.value)
    for number, round_ in enumerate(phase.retries.debug_rounds, 1):
        yield Tried(f"debug {number}: {_done(round_)}", "; ".join(round_.findings)[:600])


def _done(round_: PhaseDebug) -> str:
    return round_.refusal or "; ".join(round_.changes) or f"committed {round_.commit[:12]}"
