"""A night: many phases with the usual troubles, none of which is everybody's."""

from __future__ import annotations

from pathlib import Path

from tests.scenario.kit.calls import Call, debugger_claim, executor_claim, work
from tests.scenario.kit.plot import Plot, part_text
from tests.scenario.kit.world import World, make_world
from tests.scenario.stories.story import Story

NOWHERE = (2, 5)  # phases in which no agent does anything
LIMITED = 3  # the phase whose verifier is limited once


def is_mended(phase: int) -> bool:
    """A third of the phases need one debug round."""
    return phase % 3 == 1


def night(folder: Path, phases: int = 6) -> World:
    world = make_world(folder, Plot(phases=phases, planned=True))
    limited: Call = {"ending": "rate_limited", "retry_after_s": 0.2}
    calls: list[Call] = [{"role": "verifier", "phase": str(LIMITED), "attempt": 1, **limited}]
    for phase in range(1, phases + 1):
        task = f"{phase:02}-01"
        if phase in NOWHERE:
            calls += (_idle(role, phase) for role in ("executor", "debugger"))
        elif is_mended(phase):
            calls += (work(task, text="echo to be done\n"), work(task, role="debugger", text=part_text(task)))
    world.play(*calls)
    return world


def _idle(role: str, phase: int) -> Call:
    """Says that it is done, and commits nothing."""
    task = f"{phase:02}-01"
    if role == "executor":
        return {"role": role, "phase": str(phase), "task": task, "reply": executor_claim(task)}
    return {"role": role, "phase": str(phase), "reply": debugger_claim()}


STORIES = (Story("night", night, 1),)
