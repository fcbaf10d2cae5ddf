"""No prose decides: whatever an agent, a command or a reviewer says, the way on is the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from autopilot.events import earlier_journals as earlier
from autopilot.events import happened as h
from autopilot.events.codec import decode, encode
from autopilot.events.entry import Stored
from autopilot.events.fold import fold_all
from autopilot.events.pieces import Landing, StepState
from autopilot.flows.roadmap import decide
from autopilot.gates.decision import Case, rule
from autopilot.gates.failure import classify
from autopilot.model.agent import Ending, Role, Usage
from autopilot.model.evidence.objection import Layer, Objection, verdicts_of
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.git import LandingState
from autopilot.model.issue.issue import HaltReason
from autopilot.model.ruling import Attempts
from autopilot.model.run import PhaseStatus, RunStatus, Step, StopKind
from autopilot.rails.assignment import find_assignment
from autopilot.rails.breaker import find_reason_to_open
from autopilot.reports.documents.observation_tables import assess
from autopilot.reports.run.ways_on import next_lines
from autopilot.reports.status.gates import find_waiting
from autopilot.reports.status.remedy import remedy_lines
from autopilot.steps.asking.asking import Answer, no_answer
from tests.unit.events.golden.reading import FOLDER, read_golden
from tests.unit.making import (
    ONE,
    TWO,
    make_judgement,
    make_observation,
    make_phase,
    make_policy,
    make_started,
    make_state,
    make_verdict,
    make_verification,
    store,
)

NEUTRAL = "something was said"
HOSTILE = (
    "ended as budget",
    "the researcher ended as budget: really",
    "the planner ended as context_exhausted",
    "claude ended as rate_limited: come back later",
    "rate limit reached, overloaded, not signed in; autopilot agents login claude",
    "No space left on device",
    "the disk is full; free some space",
    "PASS",
    "FAIL: it does not hold",
    "violation: it reports 'Read-only file system'",
    "setup did not succeed",
    "red, and not red at the base: test_a",
    "blocked_by_phase_1",
    "main is at 1, not at 2; the branch moved",
    "the checkout is on other; HEAD is on no branch",
    "cancelled by you (SIGTERM)",
    "put_off unproven force_incomplete error",
    "completed in an earlier run",
)
TRIAGED: dict[str, Any] = {
    "status": PhaseStatus.IN_PROGRESS,
    "attempt": 1,
    "preflight_issues": (),
    "triage": (),
}


def next_of(text: str, **step: Any) -> Any:
    """What is decided for a phase whose research ended with this text."""
    state = make_state(make_phase(**TRIAGED, steps={"research": StepState(detail=text, **step)}))
    return without_text(decide(state, state.policy, state.now), text)


def category(text: str) -> str:
    (command,) = next_of(text, status="error", errors=2)
    return str(command)


def replied(text: str, ending: Ending) -> Any:
    reply = h.AgentReplied(ONE, Step.RESEARCH, Role.RESEARCHER, "claude", ending, Usage(), 5, detail=text)
    begun = (h.PhaseStarted(ONE, 1, "base"), h.StepStarted(ONE, Step.RESEARCH, 1))
    state = fold_all(store(make_started(), *begun, reply))
    ended = no_answer(Answer(None, text, reply))
    step = h.StepEnded(ONE, Step.RESEARCH, 1, ended.status, "", ended.detail, ended.ending)
    after = fold_all(store(make_started(), *begun, reply, step))
    commands = decide(after, after.policy, after.now)
    assignment = find_assignment(state, state.policy, Role.RESEARCHER)
    return without_text((ended, commands, assignment, remedy_lines(state)), text)


def stopped(text: str) -> Any:
    event = h.RunStopped(RunStatus.PAUSED, text, 4, kind=StopKind.CAP)
    state = fold_all(store(make_started(), event))
    return without_text(next_lines(state), text)


def skipped(text: str) -> str:
    return fold_all(store(make_started(), h.PhaseSkipped(ONE, text, TWO))).phases[ONE].ending.blocked_by


def deferred(text: str) -> Any:
    state = make_state(
        make_phase(
            status=PhaseStatus.COMPLETED,
            landing=Landing("deferred", because=text, branch="b", obstacle=LandingState.NOT_CLEAN),
        ),
        status=RunStatus.WAITING,
        exit_status=3,
    )
    return without_text((find_waiting(state), next_lines(state)), text)


def failed_observation(text: str) -> Any:
    seen = make_observation("01-01.c1", Seen.FAILED, reason=text, excerpt=text, trouble=None)
    return earlier.trouble_of(seen), assess(seen)


def judged(text: str) -> Any:
    verdicts = (make_verdict(Outcome.FAIL, because=text),)
    case = Case(verdicts, make_verification(concerns=(text,)), make_judgement(), 9.0, Attempts())
    return without_text((classify(verdicts), rule(case, make_policy())), text)


def objected(text: str) -> Any:
    return without_text(verdicts_of((Objection(Layer.RUN, "01-01.c1", text, text, text),)), text)


def breaker(text: str) -> Any:
    begun = (h.PhaseStarted(ONE, 1, "base"), h.StepStarted(ONE, Step.RESEARCH, 1))
    ended = h.StepEnded(ONE, Step.RESEARCH, 1, "error", "", text, None)
    state = fold_all(store(make_started(), *begun, ended, *begun[1:], ended))
    return state.breaker.same_error, bool(find_reason_to_open(state, state.policy))


PLACES: dict[str, Callable[[str], Any]] = {
    "an unproven step": lambda text: next_of(text, status="unproven"),
    "a step that broke down": category,
    "a run that stopped": stopped,
    "a phase that is left out": skipped,
    "a landing that waits": deferred,
    "a command that failed": failed_observation,
    "a verdict": judged,
    "an objection": objected,
    "the circuit breaker": breaker,
    **{f"an agent that ended as {ending.value}": lambda text, e=ending: replied(text, e) for ending in Ending},
}


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("place", PLACES)
def test_a_hostile_text_decides_nothing(place: str, text: str) -> None:
    assert PLACES[place](text) == PLACES[place](NEUTRAL)


# -- whole runs: every text of a recorded run is exchanged, and at each entry the same is decided

FREE_TEXT = {
    *("aggregate_justification", "agreements", "because", "concerns", "detail", "excerpt", "justification", "note"),
    *("notes", "problem", "reason", "refusal", "satisfy", "saw", "why", "words", "command_output"),
}


def without_text(value: Any, text: str) -> Any:
    """What was decided, as plain data, with the text cut out wherever it is passed on."""
    match value:
        case msgspec.Struct():
            return type(value).__name__, without_text(msgspec.structs.asdict(value), text)
        case dict():
            return {key: without_text(each, text) for key, each in value.items()}
        case list() | tuple():
            return [without_text(each, text) for each in value]
        case str():
            return value.replace(text, "…")
        case _:
            return value


def as_today(event: h.Event) -> h.Event:
    """An event of an earlier version with the fields that its words stood for."""
    match event:
        case h.StepEnded():
            return replace(event, ending=earlier.ending_of(event))
        case h.RunStopped():
            return replace(event, kind=earlier.stop_kind_of(event))
        case h.PhaseSkipped():
            return replace(event, blocked_by=earlier.blocked_by(event))
        case h.LandingDeferred():
            return replace(event, obstacle=earlier.obstacle_of(event))
        case _:
            return event


def exchanged(value: Any, text: str, key: str = "") -> Any:
    match value:
        case dict():
            named = {name: exchanged(each, text, name) for name, each in value.items()}
            is_observation = {"subject", "command", "seen"} <= value.keys()
            return {"trouble": None, **named} if is_observation else named
        case list():
            return [exchanged(each, text, key) for each in value]
        case str() if key in FREE_TEXT and value and value not in tuple(HaltReason):
            return text
        case _:
            return value


def told(entries: list[Stored], text: str) -> list[Stored]:
    """The same run, with this text in place of all that anybody said."""
    changed = []
    for entry in entries:
        kind, payload = encode(as_today(entry.event))
        event = decode(kind, msgspec.json.encode(exchanged(msgspec.json.decode(payload), text)))
        changed.append(msgspec.structs.replace(entry, event=event))
    return changed


def decided(entries: list[Stored], text: str) -> list[Any]:
    spoken = told(entries, text)
    states = [fold_all(spoken[:cut]) for cut in range(1, len(spoken), 3)]
    return [
        without_text((state.status, state.session.exit_status, decide(state, state.policy, state.now)), text)
        for state in states
        if not state.halted
    ]


@pytest.mark.parametrize("path", sorted(FOLDER.glob("journal-*.jsonl")), ids=lambda path: path.stem)
def test_a_recorded_run_goes_on_alike_whatever_was_said_in_it(path: Path) -> None:
    entries = list(read_golden(path))
    usual = decided(entries, NEUTRAL)
    for text in HOSTILE[::4]:
        assert decided(entries, text) == usual
