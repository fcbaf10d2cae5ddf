"""Plays of the reviews; the gate is the real one."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from autopilot.events import happened as h
from autopilot.events import recovery as r
from autopilot.events.accounts import reviewed_in_parts
from autopilot.events.criteria import criteria_of
from autopilot.events.state import PhaseState, RunState
from autopilot.flows.command import RunStep
from autopilot.gates.integrity import CROSS_REFERENCE, VALIDITY
from autopilot.model.agent import Role
from autopilot.model.assessment import CannotVerify, CriterionReading, JudgeFindings, Recommendation, Verification
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.planning.criterion import Form
from autopilot.model.ruling import Deduction
from autopilot.steps.context import Result, StepRun
from autopilot.steps.evidence.collecting import phase_verdicts
from autopilot.steps.pipeline import gate
from tests.unit.flows.playing import Choose, ask, quiet_context
from tests.unit.making import alter, make_judgement, make_observation, make_rating, make_verification

TRIED = CannotVerify("a card is charged", ("read the handler",), "the card network answers only in production")


def play_verify(state: RunState, phase: PhaseState, command: RunStep, choose: Choose) -> StepRun:
    tip = state.tip_of(phase)
    observations = phase.observed.observations if phase.observed.commit == tip else None
    if observations is None:
        observations = _observe(state, phase, choose)
        if any(o.seen is Seen.NOTHING for o in observations):
            return Result("unproven", detail="a check could not be run: no sandbox")
        yield (h.PhaseObserved(phase.id, tip, observations),)
    if any(v.outcome is not Outcome.PASS for v in phase_verdicts(alter(phase, observations=observations))):
        return Result("fail", detail="a check is red")
    if reviewed_in_parts(phase):
        return Result("observed", detail="every part was reviewed by itself")
    yield from ask(phase, command, Role.VERIFIER)
    word = choose("verifier", "pass", "fail", "error", "unsure", "unsure of everything", "careless")
    if word == "error":
        return Result("error", detail="the verifier ran no command")
    report = _report(phase, word)
    return Result("pass" if report.passed else "fail", (h.PhaseVerified(phase.id, tip, report, 5),))


def _observe(state: RunState, phase: PhaseState, choose: Choose) -> tuple[Observation, ...]:
    seen = choose("verification", Seen.PASSED, Seen.FAILED, Seen.TIMED_OUT, Seen.NOTHING)
    subjects = [c.id for c in criteria_of(phase) if c.form is Form.COMMAND]
    subjects += [name for name, _ in state.policy.commands.checks()]
    looks = (CROSS_REFERENCE, VALIDITY, "wire") if choose("looked at its type", True, False) else ("wire",)
    seens = {**dict.fromkeys((*subjects, *looks), Seen.PASSED), **dict.fromkeys(subjects[:1], seen)}
    return tuple(make_observation(subject, one, commit=state.tip_of(phase)) for subject, one in seens.items())


def _report(phase: PhaseState, word: str) -> Verification:
    readings = tuple(CriterionReading(c.text, "verified", "a.py:3 it is there") for c in criteria_of(phase))
    more: dict[str, Any] = {"criteria_results": () if word == "careless" else readings}
    if word in ("unsure", "unsure of everything"):
        more |= {"autonomous_confidence": 4.0, "deferral_evidence": (TRIED,) if word == "unsure" else ()}
    return replace(make_verification(word in ("pass", "careless")), **more)


def play_judge(state: RunState, phase: PhaseState, command: RunStep, choose: Choose) -> StepRun:
    yield from ask(phase, command, Role.JUDGE)
    found = JudgeFindings(Recommendation.PROCEED, ("no limit",), ("a.py:1 read",), (), (), notes="")
    yield (r.JudgeFound(phase.id, state.tip_of(phase), found),)
    yield from ask(phase, command, Role.JUDGE, nth=1)
    word = choose("judge", *Recommendation, "error")
    if word == "error":
        return Result("error", detail="the judge crashed")
    return Result(word, (h.PhaseJudged(phase.id, state.tip_of(phase), make_judgement(word)),))


def play_rate(state: RunState, phase: PhaseState, command: RunStep, choose: Choose) -> StepRun:
    yield from ask(phase, command, Role.RATER)
    aims_high = state.inputs.intent.quality or state.inputs.intent.gaps
    usual, higher = (9.6, 8.2, 8.4, 8.5, 6.4), (9.9, 9.6, 9.4, 9.2, 9.0, 8.4, 6.4)
    score = choose("higher score", *higher) if aims_high else choose("score", *usual)
    if choose("rater", "well", "badly") == "badly":
        return Result("error", detail="the rating was refused: the scorecard is empty")
    files = range(choose("files found wanting", 1, 5))
    lost = tuple(Deduction(f"promise {n}", 8.0, 2.0, 0.4, "it is slow", f"part_{n}.py") for n in files)
    tip = state.tip_of(phase)
    event = h.PhaseRated(phase.id, tip, make_rating(), score, "a band", lost if score < 9.8 else ())
    return Result("pass" if score >= state.policy.pass_threshold else "fail", (event,), f"{score}/10")


def play_gate(state: RunState, phase: PhaseState, command: RunStep, _: Choose) -> StepRun:
    return (yield from gate.perform(quiet_context(state, phase, command)))
