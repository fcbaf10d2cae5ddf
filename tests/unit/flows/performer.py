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
from tests.unit.flows.playing import Choose, Play
from tests.unit.flows.provisioning import provided

PLAYS: Mapping[Step, Play] = {
    Step.PREFLIGHT: before.play_preflight,
    Step.TRIAGE: before.play_triage,
    Step.RESEARCH: before.play_research,
    Step.PLAN: before.play_plan,
    Step.PLAN_CHECK: before.play_plan_check,
    Step.SPLIT: before.play_split,
    Step.EXECUTE: work.play_execute,
    Step.MINI_VERIFY: work.play_mini_verify,
    Step.DEBUG: work.play_debug,
    Step.INTEGRATE: work.play_integrate,
    Step.RESOLVE: work.play_resolve,
    Step.ROLLBACK: work.play_rollback,
    Step.LAND: work.play_land,
    Step.VERIFY: review.play_verify,
    Step.JUDGE: review.play_judge,
    Step.RATE: review.play_rate,
    Step.GATE: review.play_gate,
    Step.AUDIT: closing.play_audit,
    Step.BUMP: closing.play_bump,
}


def perform(command: RunStep, state: RunState, choose: Choose) -> StepRun:
    phase = state.phase(command.phase)
    return provided(PLAYS[command.step](state, phase, command, choose), state, phase, command, choose)
