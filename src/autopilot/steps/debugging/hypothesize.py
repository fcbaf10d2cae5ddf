"""Hypothesize: an agent names one cause, and the command that would refute it. It is a claim until we ran that."""

from __future__ import annotations

from autopilot.events.debugging.happened import HypothesisRefused, HypothesisStated
from autopilot.events.debugging.state import Idea
from autopilot.gates.debugging.hypothesis import refuse_hypothesis
from autopilot.model.agent import Role
from autopilot.model.claim import HypothesisClaim
from autopilot.model.debugging.session import Hypothesis, Prediction
from autopilot.model.failure import WORDS
from autopilot.model.run import StepStatus
from autopilot.steps.accepting import cut_off
from autopilot.steps.asking.asking import Question, ask, no_answer
from autopilot.steps.asking.prompt import bullets
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.debugging.session_context import papers, render_session_prompt, session_in
from autopilot.text.shell import normalise_command


def perform(ctx: StepContext) -> StepRun:
    session = session_in(ctx)
    ideas = [_describe(idea) for idea in session.ideas if not idea.is_supported]
    prompt = render_session_prompt(ctx, "hypothesize", tried=bullets(ideas, "nothing yet"))
    answer = yield from ask(ctx, Question(Role.DEBUGGER, prompt, "clone", papers(ctx)), HypothesisClaim)
    if cut_off(ctx, answer) or answer.value is None:
        return no_answer(answer)
    new = _read(answer.value, len(session.ideas) + 1)
    assert session.symptoms is not None, "a bug that was reproduced has symptoms"
    old = [idea.hypothesis for idea in session.eliminated]
    reason = _refuse_prediction(answer.value) or refuse_hypothesis(new, old, session.symptoms.reproduction)
    if reason:
        return Result(StepStatus.REFUSED, (HypothesisRefused(ctx.phase.id, new, reason),), reason)
    return Result(StepStatus.COMPLETED, (HypothesisStated(ctx.phase.id, new),), new.statement)


def _describe(idea: Idea) -> str:
    result = idea.tested.because if idea.tested else f"refused, {idea.refused}"
    return f"{idea.hypothesis.statement} (`{idea.hypothesis.test}`): {result}"


def _refuse_prediction(claim: HypothesisClaim) -> str:
    if claim.predicts.strip().lower() in tuple(Prediction):
        return ""
    return f'predicts must be "passes" or "fails", and is {claim.predicts[:40]!r}'


def _read(claim: HypothesisClaim, number: int) -> Hypothesis:
    prediction = claim.predicts.strip().lower()
    predicts = Prediction(prediction) if prediction in tuple(Prediction) else Prediction.FAILS
    category = claim.category if claim.category in WORDS else ""
    statement, test = " ".join(claim.hypothesis.split()), normalise_command(claim.test)
    return Hypothesis(number, statement, test, predicts, claim.printing, category)
