"""Which turn a request gets: told by the conversation in it alone."""

from __future__ import annotations

import pytest

from autopilot.simulation.model_server.conversation import Conversation, Wire
from autopilot.simulation.model_server.player import MOST_REPEATS
from autopilot.simulation.model_server.script import Fault, Reply, Rule, Run, Say, Turn, Wrong
from autopilot.simulation.model_server.server import ModelServer
from tests.contract.model_server.clients import CLAUDE, Called, PartialReply, Told, User, ask
from tests.contract.model_server.conftest import Serve
from tests.contract.model_server.test_answers import RESULT

STEPS = (Run("one"), Run("two"), Say("three"))
ASKED: list[Told] = [User("go")]


def played(server: ModelServer, wire: Wire, told: list[Told]) -> str:
    heard = ask(server.url, wire, told)
    return heard.text or str(heard.given.get("command", heard.given.get("cmd")))


@pytest.mark.parametrize(
    ("told", "turn"),
    [
        (ASKED, "one"),
        ([*ASKED, Called("1")], "two"),
        ([*ASKED, Called("1"), Called("2")], "three"),
        ([*ASKED, Called("1"), Called("2"), PartialReply("three")], "three"),
        ([*ASKED, Called("1"), Called("2"), PartialReply("three"), User("go on")], "one"),
        ([*ASKED, Called("1"), User("go on"), Called("1")], "two"),
    ],
)
def test_the_turn_follows_from_what_came_since_the_latest_prompt(
    serve: Serve, wire: Wire, told: list[Told], turn: str
) -> None:
    assert played(serve(*STEPS), wire, told) == turn


def test_a_request_sent_again_gets_the_same_turn_again(serve: Serve, wire: Wire) -> None:
    server = serve(*STEPS)
    again = [played(server, wire, [*ASKED, Called("1")]) for _ in range(3)]
    assert again == ["two"] * 3


@pytest.mark.parametrize(
    "added",
    [
        "<system-reminder>you have no todos</system-reminder>",
        "[structured-output-enforce] You MUST call the StructuredOutput tool to complete this request.",
        "# AGENTS.md instructions for /project",
    ],
)
def test_what_an_agent_adds_on_its_own_is_no_prompt(serve: Serve, wire: Wire, added: str) -> None:
    assert played(serve(*STEPS), wire, [*ASKED, Called("1"), User(added)]) == "two"


def test_the_first_rule_found_in_the_latest_prompt_wins(serve: Serve, wire: Wire) -> None:
    server = serve(Rule("review", (Say("reviewed"),)), Rule("plan|review", (Say("planned"),)))
    assert played(server, wire, [User("please review")]) == "reviewed"
    assert played(server, wire, [User("please plan")]) == "planned"
    assert played(server, wire, [User("please review"), PartialReply("reviewed"), User("now plan")]) == "planned"


def test_a_prompt_without_a_rule_is_done_at_once(serve: Serve, wire: Wire) -> None:
    assert played(serve(Rule("review", (Say("reviewed"),))), wire, ASKED) == "done"


def test_a_rule_for_one_conversation_still_answers_its_retries(serve: Serve, wire: Wire) -> None:
    server = serve(Rule("go", (Say("first"),), times=1), Rule("", (Say("later"),)))
    assert [played(server, wire, [User("go")]) for _ in range(2)] == ["first", "first"]
    assert played(server, wire, [User("go again")]) == "later"
    assert played(server, wire, [User("go")]) == "first"


def test_two_sessions_with_the_same_prompt_are_two_conversations(serve: Serve) -> None:
    server = serve(Rule("go", (Say("first"),), times=1), Rule("", (Say("later"),)))
    said = [ask(server.url, Wire.RESPONSES, ASKED, prompt_cache_key=key).text for key in ("a", "b", "a")]
    assert said == ["first", "later", "first"]


@pytest.mark.parametrize(
    ("last", "then"), [(Say("hm"), "hm"), (Run("one"), "done"), (Reply({"ok": True}), '{"ok":true}')]
)
def test_after_the_last_turn_words_are_repeated_and_deeds_are_not(
    serve: Serve, wire: Wire, last: Turn, then: str
) -> None:
    assert played(serve(last), wire, [*ASKED, PartialReply("x")]) == then


@pytest.mark.parametrize(("failed", "tool"), [(True, "StructuredOutput"), (False, "")])
def test_a_result_is_given_again_only_when_it_was_refused(serve: Serve, failed: bool, tool: str) -> None:
    told = [*ASKED, Called("does not match", failed)]
    heard = ask(serve(Reply({"ok": True})).url, Wire.MESSAGES, told, tools=[*CLAUDE, RESULT])
    assert heard.tool == tool


def test_repeating_has_an_end(serve: Serve, wire: Wire) -> None:
    assert played(serve(Say("hm")), wire, [*ASKED, *[PartialReply("hm")] * (MOST_REPEATS + 1)]) == "done"


def test_a_limited_fault_spoils_its_step_and_then_the_step_is_played(serve: Serve, wire: Wire) -> None:
    server = serve(Run("one"), Fault(Wrong.RATE_LIMIT, first=2), Fault(Wrong.OVERLOADED, first=1), Say("two"))
    assert played(server, wire, ASKED) == "one"
    answers = [ask(server.url, wire, [*ASKED, Called("1")]) for _ in range(4)]
    assert [heard.status for heard in answers] == [429, 429, 529, 200]
    assert played(server, wire, ASKED) == "one"


def test_a_fault_at_the_end_is_for_ever(serve: Serve, wire: Wire) -> None:
    server = serve(Run("one"), Fault(Wrong.ERROR))
    told = [*ASKED, Called("1")]
    for _ in range(3):
        assert ask(server.url, wire, told).status == 500
        told.append(PartialReply("sorry"))


def test_a_program_may_decide_in_place_of_turns(serve: Serve, wire: Wire) -> None:
    def answer(talk: Conversation) -> Turn:
        return Say(f"{talk.prompt}: {talk.steps} {talk.outputs}")

    server = serve(Rule("go", answer=answer))
    assert played(server, wire, [*ASKED, Called("1"), Called("2")]) == "go: 2 ('1', '2')"
