"""An agent proposes an answer to a gate; only the user's own word, typed in the client, records one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from autopilot.events.people import HumanAnswered
from autopilot.events.recovery import VerdictGiven
from tests.scenario.kit.aftermath import happened
from tests.scenario.kit.resting import at_rest
from tests.scenario.kit.world import World
from tests.scenario.tools.conversing import Person, converse, refused, told
from tests.unit.asking import CHECKPOINT, MAP

# covers: MCP-ANSWER

MODES = ("legacy", "2026-07-28")  # the server asks by a request of its own; it answers with what it needs
APPROVE = {"name": "checkpoint-1", "decision": "approve"}


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """For what is refused: nothing is recorded in it."""
    world = at_rest(tmp_path_factory.mktemp("asking"), CHECKPOINT, MAP, deferred=True)
    yield world
    assert happened(world, HumanAnswered) == happened(world, VerdictGiven) == []


def propose(world: World, given: dict[str, Any], person: Person | None, mode: str = "legacy") -> Any:
    async def talk(client: Client) -> Any:
        return await client.call_tool("answer_gate", given)

    return converse(world, talk, person, mode)


@pytest.mark.parametrize("mode", MODES)
def test_a_client_that_cannot_ask_gets_the_command_for_the_user(asking: World, mode: str) -> None:
    said = refused(propose(asking, APPROVE, None, mode))
    assert "needs the user's own confirmation, which this client does not offer" in said
    assert f"cd {asking.project} && autopilot approve checkpoint-1" in said


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("person", "why"),
    [
        (Person("decline"), "the user declined it"),
        (Person("cancel"), "the user did not answer"),
        (Person("accept"), '"approve checkpoint-1" was not typed'),
        (Person("accept", "yes"), '"approve checkpoint-1" was not typed'),
        (Person("accept", "approve checkpoint-2"), '"approve checkpoint-1" was not typed'),
    ],
    ids=["declined", "dismissed", "accepted by itself", "another word", "another gate"],
)
def test_nothing_is_recorded_but_by_the_typed_word(asking: World, mode: str, person: Person, why: str) -> None:
    said = refused(propose(asking, APPROVE, person, mode))
    assert "nothing was recorded" in said
    assert why in said
    assert f"cd {asking.project} && autopilot approve checkpoint-1" in said
    assert len(person.asked) == 1
    person.asked.clear()


@pytest.mark.parametrize("mode", MODES)
def test_what_the_user_confirms_is_recorded_once_as_theirs(tmp_path: Path, mode: str) -> None:
    world = at_rest(tmp_path, CHECKPOINT)
    person = Person("accept", " Approve  checkpoint-1 ")
    assert "your approval is recorded" in told(propose(world, APPROVE, person, mode))["message"]
    [question] = person.asked
    assert question.startswith("1 of 3 phases are done: continue?")
    assert "An agent proposes: approve checkpoint-1" in question
    [answer] = happened(world, HumanAnswered)
    assert (answer.approved, answer.by) == (True, "you, asked in mcp")
    assert "has already been answered" in refused(propose(world, {**APPROVE, "decision": "reject"}, person, mode))
    assert len(person.asked) == 1, "nobody is asked in vain"


def test_answers_and_verdicts_are_shown_word_by_word_before_they_count(tmp_path: Path) -> None:
    world = at_rest(tmp_path, MAP, deferred=True)
    answers = {"1.1": "OAuth\x1b[2J", "1.2": "80", "2.1": ""}
    person = Person("accept", "answer map")
    told(propose(world, {"name": "map", "decision": "answer", "answers": answers}, person))
    assert "  1.1: OAuth\n  1.2: 80\n" in person.asked[0]
    person = Person("accept", "issues_found 3")
    told(propose(world, {"name": "3", "decision": "issues_found", "comment": "too quiet\ntoo short"}, person))
    assert "Listen to the tone" in person.asked[0]
    [given] = happened(world, VerdictGiven)
    assert given.issues == ("too quiet", "too short")


def test_an_answer_to_a_question_that_was_not_asked_is_asked(asking: World) -> None:
    """A client of the newer kind may send an answer with its first call, or with the state of another."""
    person = Person("decline")

    async def talk(client: Client) -> Any:
        early = {"confirmation": {"action": "accept", "content": {"confirm": "approve checkpoint-1"}}}
        return await client.session.call_tool(
            "answer_gate", APPROVE, input_responses=early, request_state="made up", allow_input_required=True
        )

    assert type(converse(asking, talk, person, "2026-07-28")).__name__ == "InputRequiredResult"


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"name": "nothing-1", "decision": "approve"}, "there is no open gate named nothing-1"),
        ({"name": "7", "decision": "approve"}, "the run has no phase 7"),
        ({"name": "map", "decision": "approve"}, "cannot be approved or rejected"),
        ({"name": "map", "decision": "answer", "answers": {"9.9": "x"}}, "map has no question 9.9"),
        ({"name": "3", "decision": "answer"}, "waits for a verdict"),
        ({"name": "map", "decision": "issues_found"}, "is a verdict on a phase"),
    ],
)
def test_what_does_not_fit_asks_nobody(asking: World, given: dict[str, Any], why: str) -> None:
    person = Person("accept", "whatever")
    assert why in refused(propose(asking, given, person))
    assert person.asked == []
