"""A pure performer: brings back for every step the events the real one would, with what it saw and heard chosen.

``choose(question, good, *bad)`` answers for the world. The rules a step follows stay the product's own: what was seen
is judged by the real gates, and only what a person, an agent or a machine would contribute is made up here.
"""

from __future__ import annotations

from collections.abc import Mapping

from autopilot.events.state import RunState
from autopilot.flows.command import RunStep
from autopilot.model.run import Step
from autopilot.steps.context import StepRun
from tests.unit.flows import plays_before as before
from tests.unit.flows import plays_closing as closing
from tests.unit.flows import plays_review as review
from tests.unit.flows import plays_work as work
from tests.unit.flows.debugging import plays_debugging as debugging
from tests.unit.flows.issue import plays_issue as issue
from tests.unit.flows.playing import Choose, Play
from tests.unit.flows.provisioning import provided

# By name, as the steps have it: `play_preflight` stands in for PREFLIGHT.
PLAYS: Mapping[Step, Play] = {
    step: play
    for step in Step
    for module in (before, work, review, closing, issue, debugging)
    if (play := getattr(module, f"play_{step.value}", None)) is not None
}


def perform(command: RunStep, state: RunState, choose: Choose) -> StepRun:
    phase = state.phase(command.phase)
    return provided(PLAYS[command.step](state, phase, command, choose), state, phase, command, choose)
