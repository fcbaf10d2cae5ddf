"""Plays of the steps of a debug session: what each brings back, with what an agent does and what is seen chosen."""

from __future__ import annotations

from autopilot.events import happened as h
from autopilot.events.debugging import happened as d
from autopilot.events.debugging.fold import session_of
from autopilot.events.state import PhaseState, RunState
from autopilot.flows.command import RunStep
from autopilot.model.agent import Role
from autopilot.model.debugging.bisection import next_candidate
from autopilot.model.debugging.session import (
    Candidate,
    Hypothesis,
    HypothesisResult,
    Prediction,
    Repeats,
    Status,
    Symptoms,
)
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.steps.context import Result, StepRun
from tests.unit.flows.playing import Choose, ask

SYMPTOMS = Symptoms("two rows", "one row", "none", "./shows", "always")
COMMITS = 9


def play_gather(state: RunState, phase: PhaseState, command: RunStep, choose: Choose) -> StepRun:
    yield from ask(phase, command, Role.DEBUGGER)
    if choose("symptoms", "given", "refused") == "refused":
        return Result("refused", (d.GatheringRefused(phase.id, "a reproduction command is missing"),))
    return Result("completed", (d.SymptomsGathered(phase.id, SYMPTOMS, state.line.base),))


def play_reproduce(state: RunState, phase: PhaseState, _: RunStep, choose: Choose) -> StepRun:
    yield from ()
    commit = session_of(state).commit
    if choose("reproduction", "fails", "passes") == "passes":
        seen = d.ReproductionSeen(phase.id, commit, Repeats(60, 0), None, problem="it passed in all of 60 runs")
        return Result("fail", (seen,))
    red = Observation("reproduction.c1", "./shows", commit, Seen.FAILED)
    return Result("pass", (d.ReproductionSeen(phase.id, commit, Repeats(3, 3), red),))


def play_bisect(state: RunState, phase: PhaseState, _: RunStep, choose: Choose) -> StepRun:
    yield from ()
    session = session_of(state)
    if session.bisection is None:
        problem = choose("good commit", "", "it fails there as well")
        return Result("completed", (d.BisectionBegun(phase.id, session.brief.good, COMMITS, problem),))
    tested = {index: event.result for index, event in session.bisection.tested.items()}
    index = next_candidate(COMMITS, tested)
    index = COMMITS - 1 if index is None else index
    result = Candidate.BAD if index == COMMITS - 1 else choose("candidate", *Candidate)
    return Result("completed", (d.CommitTested(phase.id, index, f"c{index}", result, "more"),))


def play_hypothesize(state: RunState, phase: PhaseState, command: RunStep, choose: Choose) -> StepRun:
    yield from ask(phase, command, Role.DEBUGGER)
    number = len(session_of(state).ideas) + 1
    idea = Hypothesis(number, f"cause {number}", f"./test {number}", Prediction.FAILS)
    if choose("hypothesis", "stated", "refused") == "refused":
        return Result("refused", (d.HypothesisRefused(phase.id, idea, "it was eliminated"),))
    return Result("completed", (d.HypothesisStated(phase.id, idea),))


def play_refute(state: RunState, phase: PhaseState, _: RunStep, choose: Choose) -> StepRun:
    yield from ()
    number = next(idea.hypothesis.number for idea in session_of(state).ideas if idea.is_open)
    result = choose("test", HypothesisResult.SUPPORTED, HypothesisResult.ELIMINATED, HypothesisResult.UNCLEAR)
    return Result("pass", (d.HypothesisTested(phase.id, number, result, "seen", ()),))


def play_fix(state: RunState, phase: PhaseState, command: RunStep, choose: Choose) -> StepRun:
    yield from ask(phase, command, Role.DEBUGGER)
    round_ = len(session_of(state).fixes) + 1
    if choose("fix", "taken", "refused") == "refused":
        return Result("refused", (d.FixTaken(phase.id, round_, refusal="the agent committed nothing"),))
    return Result("completed", (d.FixTaken(phase.id, round_, f"fix-{state.seq}", ("page.py",)),))


def play_prove(state: RunState, phase: PhaseState, _: RunStep, choose: Choose) -> StepRun:
    yield from ()
    fix = session_of(state).fix
    assert fix is not None, "only a fix that was taken is proven"
    proven = choose("proof", "holds", "fails") == "holds"
    findings = () if proven else ("the reproduction failed",)
    judged = d.FixJudged(phase.id, fix.round, fix.commit, proven, Repeats(1, int(not proven)), 1, findings)
    return Result("pass" if proven else "fail", (judged,))


def play_archive(state: RunState, phase: PhaseState, _: RunStep, __: Choose) -> StepRun:
    yield from ()
    closed = d.SessionClosed(phase.id, Status.RESOLVED, "the fix is proven")
    return Result("completed", (h.RecordsCommitted(phase.id, f"records-{state.seq}", ()), closed))
