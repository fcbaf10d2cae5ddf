"""Says why a decision comes too late: what was decided before, and that it stands."""

from __future__ import annotations

from collections.abc import Sequence

from autopilot.events.people import HumanAnswered
from autopilot.events.state import RunState
from autopilot.model.errors import UsageError
from autopilot.planning.roadmap.phase_id import phase_named
from autopilot.reports.markdown import shorten, stamp

MAX_SHOWN = 300  # characters of an earlier answer
NOTHING_WAITS = "nothing in this repository is waiting for your decision"
_HINT = "`autopilot status` shows the last run; `autopilot gates` lists what waits in all your repositories"


def explain_late(run: RunState, name: str) -> UsageError:
    """For a decision about ``name``, a gate or a phase, when ``run``, the last one, is over."""
    if settled := _answered(run, name) or verdict_before((run,), name):
        return UsageError(f"{settled}; {run.run} is over, and {NOTHING_WAITS}", _HINT)
    return UsageError(NOTHING_WAITS, _HINT)


def verdict_before(runs: Sequence[RunState], name: str) -> str:
    """The verdict that a phase got and that was acted on; "" without one."""
    wanted = phase_named(name)
    for phase in (run.phases[wanted] for run in reversed(runs) if wanted in run.phases):
        if phase.deferral is not None and phase.deferral.verdict:
            got = f"phase {phase.id} already has a verdict: {phase.deferral.verdict}"
            return f"{got}, given on {stamp(phase.deferral.verdict_at)}"
    return ""


def describe_answer(answer: HumanAnswered) -> str:
    return shorten(_describe(answer), MAX_SHOWN)


def _answered(run: RunState, name: str) -> str:
    named = (gate for gate in run.people.gates.values() if name and f"{gate.asked.gate}-".startswith(f"{name}-"))
    answers = [(gate.answered, gate.answered_at) for gate in named if gate.answered is not None]
    if not answers:
        return ""
    given, time = answers[-1]
    return f"{given.gate} has already been answered by {given.by} on {stamp(time)}: {describe_answer(given)}"


def _describe(answer: HumanAnswered) -> str:
    if answer.approved is not None:
        decision = "approved" if answer.approved else "rejected"
        return f"{decision}, {answer.comment}" if answer.comment else decision
    lines = [f"{id}: {text}" for id, text in answer.answers.items() if text]
    lines += [f"deferred: {idea}" for ideas in answer.deferred.values() for idea in ideas]
    return "; ".join((*lines, *(f"more questions about {area}" for area in answer.more))) or "no question answered"
