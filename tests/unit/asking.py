"""Gates for tests: a run that asks, at rest, of every kind there is."""

from __future__ import annotations

from typing import Any

from autopilot.events import happened as h
from autopilot.events.fold import fold_all
from autopilot.events.people import AreasFound, ContextMapped, HumanAnswered, HumanAsked, MappingStarted
from autopilot.events.recovery import PhaseDeferred
from autopilot.events.state import RunState
from autopilot.model.assessment import CannotVerify
from autopilot.model.human import GateKind, HumanQuestion
from autopilot.model.intent import Intent
from autopilot.model.planning.sufficiency import Sufficiency
from autopilot.model.proposal import GrayArea
from autopilot.model.result import Justification
from autopilot.model.run import RunStatus
from tests.unit.making import ONE, THREE, TWO, make_brief, make_started, store

LOW = Sufficiency(4, 4.0, 4.0, 4.0, 4.0)
MAP_QUESTIONS = (
    HumanQuestion("1.1", "Which login?", ONE, "architecture", "two are possible"),
    HumanQuestion("1.2", "Which\nports?", ONE, "build_config"),
    HumanQuestion("2.1", "Q1: is this a question?", TWO, "domain"),
)
AREAS = (GrayArea("Totals", "how they are rounded", ("Up?", "When?")), GrayArea("Refunds", "who may", ("Who?",)))
TALK = (
    HumanQuestion("1.1", "Up?", ONE, area="Totals"),
    HumanQuestion("1.2", "When?", ONE, area="Totals"),
    HumanQuestion("2.1", "Who?", ONE, area="Refunds"),
)
CHECKPOINT = HumanAsked("checkpoint-1", GateKind.CHECKPOINT, "1 of 3 phases are done: continue?")
MAP = HumanAsked("map", GateKind.MAP, "2 phases need more information", MAP_QUESTIONS)
PICK = HumanAsked("areas-1", GateKind.AREAS, "Phase 1: which areas?", (HumanQuestion("areas", "areas", ONE),), ONE)
DISCUSS = HumanAsked("discuss-1-0", GateKind.DISCUSS, "Phase 1: before it is built", TALK, ONE)
DEFERRED = PhaseDeferred(
    THREE,
    Justification("03-02", "Listen to the tone", 1, 1),
    (CannotVerify("the tone is heard", ("looked for a phone",), "there is none"),),
    4.0,
    "autopilot/deferred-phase-3-run-1",
)
STARTED = make_started(make_brief(ONE), make_brief(TWO), make_brief(THREE), intent=Intent(map=True, discuss=True))
WAITS = h.RunStopped(RunStatus.WAITING, "it waits for you", 3)


def events_for(*asked: HumanAsked, deferred: bool = False, stopped: bool = True) -> tuple[h.Event, ...]:
    """A run in which these gates were asked, and nothing was answered."""
    events: list[Any] = [STARTED]
    if MAP in asked:
        mapped = (
            ContextMapped(phase, LOW, tuple(q for q in MAP_QUESTIONS if q.phase == phase)) for phase in (ONE, TWO)
        )
        events += [MappingStarted((ONE, TWO), "autopilot run --map"), *mapped]
    if PICK in asked or DISCUSS in asked:
        events.append(AreasFound(ONE, "CALL", "a shop", AREAS))
    if DISCUSS in asked:
        events += [PICK, HumanAnswered("areas-1", {"areas": "all"}, "you")]
    events += asked
    if deferred:
        events += [h.PhaseStarted(THREE, 1, "base"), DEFERRED]
    return (*events, WAITS) if stopped else tuple(events)


def state_with(*asked: HumanAsked, deferred: bool = False, stopped: bool = True) -> RunState:
    return fold_all(store(*events_for(*asked, deferred=deferred, stopped=stopped)))
