"""A debug session in the middle, for the prompts of its steps."""

from __future__ import annotations

from autopilot.events.debugging.happened import HypothesisTested
from autopilot.events.debugging.state import DebugState, Idea
from autopilot.events.pieces import StepState
from autopilot.model.debugging.session import (
    SESSION,
    DebugBrief,
    Hypothesis,
    HypothesisResult,
    Prediction,
    Repeats,
    Symptoms,
)
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.step import Step
from autopilot.steps.context import StepContext
from tests.unit.making import START, make_phase, make_state
from tests.unit.steps.sample import sample_phase, sample_state
from tests.unit.steps.world import World

BRIEF = DebugBrief("totals", "totals are off by one")
SYMPTOMS = Symptoms("3", "2", "none", "python -m unittest tests.test_totals", "since the last release")
WRONG = Hypothesis(1, "the list is empty", "test -s list.txt", Prediction.FAILS)
RIGHT = Hypothesis(2, "the loop ends one too early", "python check_loop.py", Prediction.FAILS)


def debug_context(world: World, step: Step) -> StepContext:
    """Before gathering nothing is known; a fix has a cause."""
    ideas = {
        Step.HYPOTHESIZE: (_idea(WRONG, HypothesisResult.ELIMINATED),),
        Step.FIX: (_idea(WRONG, HypothesisResult.ELIMINATED), _idea(RIGHT, HypothesisResult.SUPPORTED)),
    }
    known = {} if step is Step.GATHER else {"symptoms": SYMPTOMS, "commit": "tip", "repeats": Repeats(3, 3)}
    session = DebugState(BRIEF, START, START, ideas=ideas.get(step, ()), **known)
    phase = make_phase(SESSION, steps={step.value: StepState(started_at=START)})
    policy = sample_state(sample_phase(Step.RESEARCH)).policy
    state = make_state(phase, tip="tip", policy=policy, debugging=session)
    return world.context(state, state.phases[SESSION], step, "")


def _idea(hypothesis: Hypothesis, result: HypothesisResult) -> Idea:
    seen = Observation(f"hypothesis-{hypothesis.number}", hypothesis.test, "tip", Seen.FAILED)
    return Idea(hypothesis, tested=HypothesisTested(SESSION, hypothesis.number, result, "as predicted", (seen,)))
