"""Discuss: areas worth a talk, new questions for who wants more, and a digest that loses no answer (DISC)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.engine.performing import STEPS
from autopilot.events.happened import Event, Warned
from autopilot.events.people import AreasFound, Discussed, FollowedUp, HumanAsked
from autopilot.events.pieces import StepState
from autopilot.events.state import RunState
from autopilot.events.talk import Answered, Discussion, HumanGate
from autopilot.model.agent import AgentReply, Ending
from autopilot.model.human import GateKind, HumanQuestion
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.proposal import DeferredIdea, GrayArea
from autopilot.model.run import Step
from autopilot.steps.asking.context_files import facts_for_review, facts_for_work
from autopilot.steps.context import Result, StepContext
from tests.unit.making import ONE, START, make_brief, make_phase, make_state, policy_of
from tests.unit.steps.world import World

# covers: DISC
NAMES = ("Order of the list", "Covers in the list", "Words of a refusal")
AREAS = [{"area": n, "description": "open", "questions": [f"{n} {m}?" for m in "abc"]} for n in NAMES]
FOUND = {"domain": "RUN", "domain_description": "It lists books.", "gray_areas": AREAS}
GENERIC = {**FOUND, "gray_areas": [{**AREAS[0], "area": "UI design"}, *AREAS[1:]]}
ASKED = tuple(HumanQuestion(f"1.{n}", f"{NAMES[0]} {m}?", ONE, area=NAMES[0]) for n, m in enumerate("abc", 1))
NEWEST = "Newest first.\n## Deferred Ideas\nLater I want to share lists with friends."
TALK = Discussion(
    "RUN",
    "It lists books.",
    tuple(GrayArea(n, "open", ()) for n in NAMES),
    START,
    picked=NAMES[:1],
    answers=(Answered(ASKED[0], NEWEST, START),),
)
DIGEST: dict[str, Any] = {
    "decisions": [{"area": NAMES[0], "decisions": ["Newest first."]}],
    "discretion": [],
    "ideas": ["like Zotero"],
    "deferred": [
        {"idea": "sharing lists", "quote": "share lists with friends"},
        {"idea": "telemetry", "quote": "I want telemetry"},
    ],
}


def state_with(talk: Discussion | None) -> RunState:
    task = {name: StepState(started_at=START) for name in ("discuss.areas", "discuss.more-1", "discuss.digest")}
    phase = make_phase(steps=task)
    gate = HumanGate(HumanAsked("discuss-1-0", GateKind.DISCUSS, "talk", ASKED, ONE), START)
    more: dict[str, Any] = {"discussions": {ONE: talk}, "gates": {"discuss-1-0": gate}} if talk else {}
    return make_state(phase, policy=policy_of(agents={"default": "ear"}), **more)


def context(world: World, task: str, talk: Discussion | None = TALK) -> StepContext:
    state = state_with(None if task == "areas" else talk)
    return world.context(state, state.phases[ONE], Step.DISCUSS, task)


def perform(world: World, task: str, *replies: object, talk: Discussion = TALK) -> Result:
    world.ear.replies = [
        said if isinstance(said, AgentReply) else AgentReply(Ending.COMPLETED, value=said) for said in replies
    ]
    running = STEPS[Step.DISCUSS](context(world, task, talk))
    while True:
        try:
            next(running)
        except StopIteration as end:
            result: Result = end.value
            return result


def last(result: Result) -> Any:
    return result.events[-1]


def warnings(events: tuple[Event, ...]) -> list[str]:
    return [event.text for event in events if isinstance(event, Warned)]


# --- areas


def test_the_areas_an_agent_finds_are_offered(tmp_path: Path) -> None:
    world = World(tmp_path, files={".planning/phases/01-part/RESEARCH.md": b""})
    result = perform(world, "areas", FOUND)
    found = last(result)
    assert isinstance(found, AreasFound)
    assert (found.domain, found.description, [each.area for each in found.areas]) == (
        "RUN",
        "It lists books.",
        list(NAMES),
    )
    assert len(world.ear.calls) == 1
    assert ".planning/phases/01-part/RESEARCH.md" in world.ear.calls[0].prompt
    assert "never WHETHER" in world.ear.calls[0].prompt


def test_areas_that_are_too_general_are_asked_for_once_more_with_the_reason(tmp_path: Path) -> None:
    world = World(tmp_path)
    result = perform(world, "areas", GENERIC, FOUND)
    assert len(last(result).areas) == 3
    assert "UI design: too general" in world.ear.calls[1].prompt


def test_what_is_sound_is_offered_when_there_is_no_better_second_reply(tmp_path: Path) -> None:
    crashed = AgentReply(Ending.CRASHED, detail="gone")
    result = perform(World(tmp_path), "areas", GENERIC, crashed)
    assert [each.area for each in last(result).areas] == list(NAMES[1:])


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (AgentReply(Ending.CRASHED, detail="gone"), "the discusser crashed: gone"),
        (AgentReply(Ending.COMPLETED, text="no idea"), "the discusser's reply does not match the schema"),
        ({**FOUND, "gray_areas": []}, "the agent found no area to discuss"),
    ],
)
def test_without_a_usable_reply_the_run_goes_on_without_a_talk(tmp_path: Path, said: object, why: str) -> None:
    world = World(tmp_path)
    result = perform(world, "areas", said, said)
    assert (result.status, last(result)) == ("nothing", AreasFound(ONE, "", "", ()))
    assert why in result.detail
    assert f"phase 1 is built without a discussion: {why}" in warnings(result.events)[0]
    assert len(world.ear.calls) == 2


@pytest.mark.parametrize("task", ["areas", "more-1", "digest"])
@pytest.mark.parametrize(("ending", "status"), [(Ending.RATE_LIMITED, "put_off"), (Ending.BUDGET, "unproven")])
def test_a_limit_is_no_reason_to_do_without_the_talk(tmp_path: Path, task: str, ending: Ending, status: str) -> None:
    result = perform(World(tmp_path), task, AgentReply(ending))
    assert (result.status, result.events) == (status, ())


# --- more


def test_further_questions_go_on_with_the_areas_numbers_and_repeat_none(tmp_path: Path) -> None:
    said = {"areas": [{"area": NAMES[0].upper(), "questions": [f"{NAMES[0]} A", "d?", "e?", "f?", "g?"]}]}
    world = World(tmp_path)
    followed = last(perform(world, "more-1", said, talk=replace(TALK, more=NAMES[:1])))
    assert isinstance(followed, FollowedUp)
    assert followed.round == 1
    assert [(q.id, q.text, q.area, q.phase) for q in followed.questions] == [
        (f"1.{n}", text, NAMES[0], ONE) for n, text in ((4, "d?"), (5, "e?"), (6, "f?"))
    ]
    assert "Newest first." in world.ear.calls[0].prompt
    told = json.loads(world.places.folders[0]["talk.json"])
    assert (told["more"], told["questions"][0]["answer"]) == ([NAMES[0]], NEWEST)


@pytest.mark.parametrize("said", [{"areas": []}, AgentReply(Ending.CRASHED)])
def test_a_user_who_wants_to_say_more_is_asked_something_in_any_case(tmp_path: Path, said: object) -> None:
    talk = replace(TALK, more=("nothing we know",))
    followed = last(perform(World(tmp_path), "more-1", said, said, talk=talk))
    assert [(q.id, q.text) for q in followed.questions] == [
        ("1.4", "What else do you want to say about Order of the list? (round 1)")
    ]


def test_a_wish_beyond_the_phase_is_deferred_when_the_next_questions_come(tmp_path: Path) -> None:
    found = [*DIGEST["deferred"], {"idea": "newest", "quote": "Newest first"}]
    said = {"areas": [{"area": NAMES[0], "questions": ["d?"]}], "deferred": found}
    known = DeferredIdea("newest", "newest first")
    result = perform(World(tmp_path), "more-1", said, talk=replace(TALK, more=NAMES[:1], deferred=(known,)))
    assert last(result).deferred == (DeferredIdea("sharing lists", "share lists with friends"),)
    assert "no answer contains 'I want telemetry'" in warnings(result.events)[0]


# --- digest


def test_a_digest_becomes_the_document_and_what_nobody_said_is_left_out(tmp_path: Path) -> None:
    world = World(tmp_path)
    result = perform(world, "digest", DIGEST)
    done = last(result)
    assert isinstance(done, Discussed)
    assert [each.idea for each in done.deferred] == ["sharing lists"]
    assert warnings(result.events) == [
        "phase 1: 'telemetry' was not recorded as a deferred idea: no answer contains 'I want telemetry'"
    ]
    text = world.blobs.get(done.document).decode()
    assert '## Deferred Ideas\n\n- sharing lists ("share lists with friends")' in text
    assert "> Later I want to share lists with friends." in text


def test_without_a_digest_the_answers_stand_as_they_are(tmp_path: Path) -> None:
    world = World(tmp_path)
    result = perform(world, "digest", AgentReply(Ending.CRASHED), AgentReply(Ending.CRASHED))
    done = last(result)
    assert done.decisions[0].decisions == (f"{ASKED[0].text} -- {NEWEST}",)
    assert "your answers are used as they are" in warnings(result.events)[0]
    assert "Newest first." in world.blobs.get(done.document).decode()


def test_nobody_is_asked_for_a_digest_of_nothing(tmp_path: Path) -> None:
    world = World(tmp_path)
    done = last(perform(world, "digest", talk=replace(TALK, answers=())))
    assert (world.ear.calls, done.discretion) == ([], (f"{NAMES[0]}: no question was answered",))


# --- who is told


def test_those_who_build_are_told_what_was_decided_and_reviewers_are_not(tmp_path: Path) -> None:
    world = World(tmp_path)
    document = world.blobs.put(b"# Phase 1: newest first\n")
    state = state_with(replace(TALK, document=document))
    part = replace(make_phase(PhaseId("1a")), parent=ONE)
    for phase in (state.phases[ONE], part):
        told = facts_for_work(world.context(state, phase, Step.PLAN))
        assert told["CONTEXT.md"] == b"# Phase 1: newest first\n"
    assert "CONTEXT.md" not in facts_for_review(state.phases[ONE], ())
    next(STEPS[Step.RESEARCH](world.context(state, state.phases[ONE], Step.RESEARCH)))
    words = "What the user decided (it takes precedence over your own assumptions):\n- .autopilot/CONTEXT.md"
    assert words in world.ear.calls[0].prompt


def test_a_reviewer_does_not_find_the_document_of_an_earlier_talk(tmp_path: Path) -> None:
    context = f"{make_brief().folder}/CONTEXT.md"
    world = World(tmp_path, files={context: b"what was decided"})
    state = state_with(TALK)
    next(STEPS[Step.JUDGE](world.context(state, state.phases[ONE], Step.JUDGE)))
    assert world.places.left_out == [context]
