"""What our client answers an ACP agent, and what it tells of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from autopilot.adapters.agents.acp.answers import LONGEST_SECRET
from tests.contract.agents.acp import LOADS, RESUMES, Event, answer, chunks, hold, of_type

ALLOW_ALWAYS = {"optionId": "for-ever", "name": "Always", "kind": "allow_always"}
ALLOW_ONCE = {"optionId": "now", "name": "Yes", "kind": "allow_once"}
REJECT = {"optionId": "no", "name": "No", "kind": "reject_once"}


def asks(method: str, **params: Any) -> Event:
    return {"do": [{"request": {"method": method, "params": params}}]}


@pytest.mark.parametrize(
    ("options", "chosen"),
    [
        ([REJECT, ALLOW_ALWAYS, ALLOW_ONCE], {"outcome": "selected", "optionId": "now"}),
        ([REJECT, ALLOW_ALWAYS], {"outcome": "selected", "optionId": "for-ever"}),
        ([REJECT], {"outcome": "cancelled"}),
    ],
)
def test_permission_is_given_for_this_once_where_it_can_be(tmp_path: Path, options: list[Event], chosen: Event) -> None:
    told = hold(
        asks("session/request_permission", toolCall={"toolCallId": "1", "title": "rm"}, options=options), tmp_path
    )
    assert answer(told) == {"outcome": chosen}
    assert of_type(told, "permission")[0]["title"] == "rm"


def test_a_file_of_the_project_is_read_from_the_line_it_asks_for(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    path = tmp_path / "project" / "four.txt"
    path.write_text("one\ntwo\nthree\nfour\n")
    told = hold(asks("fs/read_text_file", path=str(path), line=2, limit=2), tmp_path)
    assert answer(told) == {"content": "two\nthree\n"}


def test_a_file_of_the_project_is_written(tmp_path: Path) -> None:
    path = tmp_path / "project" / "new" / "file.txt"
    hold(asks("fs/write_text_file", path=str(path), content="written\n"), tmp_path)
    assert path.read_text() == "written\n"


@pytest.mark.parametrize("way", ["../secret.txt", "link/secret.txt", "/etc/hostname"])
def test_no_file_outside_the_project_is_read_or_written(tmp_path: Path, way: str) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "link").symlink_to(tmp_path)
    (tmp_path / "secret.txt").write_text("secret")
    path = str(tmp_path / "project" / way)
    told = hold(asks("fs/read_text_file", path=path), tmp_path)
    assert answer(told)["code"] == -32602
    told += hold(asks("fs/write_text_file", path=path, content="changed"), tmp_path)
    assert (tmp_path / "secret.txt").read_text() == "secret"
    assert [event["path"] for event in of_type(told, "refused")] == [path, path]


def test_a_file_that_is_not_there_is_an_error_to_the_agent_and_not_to_us(tmp_path: Path) -> None:
    told = hold(asks("fs/read_text_file", path=str(tmp_path / "project" / "nothing")), tmp_path)
    assert answer(told)["code"] == -32002
    assert of_type(told, "stop")[0]["stopReason"] == "end_turn"


def test_an_error_is_told_with_its_code_and_data(tmp_path: Path) -> None:
    error = {"code": -32603, "message": "Internal error", "data": {"statusCode": 429}}
    told = hold({"error": error}, tmp_path)
    assert told[-1] == {"type": "error", "during": "prompt", **error}


def test_an_agent_that_is_gone_is_told_with_its_exit_code(tmp_path: Path) -> None:
    told = hold({"do": [{"say": "about to"}, {"crash": 3}]}, tmp_path)
    assert told[-1] == {"type": "error", "during": "prompt", "message": "the agent has gone", "exit_code": 3}


def test_an_answer_that_is_not_of_the_protocol_is_told_and_not_raised(tmp_path: Path) -> None:
    told = hold({"stop": {"stopReason": "tired"}}, tmp_path)
    assert told[-1]["type"] == "error"
    assert "not of the protocol" in told[-1]["message"]


def test_words_beside_the_protocol_and_updates_nobody_knows_do_no_harm(tmp_path: Path) -> None:
    unknown = {"sessionUpdate": "dream", "of": "sheep"}
    told = hold(
        {"do": [{"write": "Update available!"}, {"write": "[1]"}, {"update": unknown}, {"say": "hello"}]}, tmp_path
    )
    assert unknown in [event["update"] for event in of_type(told, "update")]
    assert chunks(told) == "hello"
    assert told[-1] == {"type": "stop", "stopReason": "end_turn"}


def test_its_words_come_whole_in_pieces_and_the_output_of_tools_is_cut(tmp_path: Path) -> None:
    words = "ä" * 250_000
    output = {"sessionUpdate": "tool_call_update", "toolCallId": "1", "rawOutput": {"deep": ["~" * 50_000]}}
    told = hold({"do": [{"say": words}, {"update": output}]}, tmp_path)
    assert chunks(told) == words
    updates = [event["update"] for event in of_type(told, "update")]
    assert max(len(str(update)) for update in updates) < 110_000
    assert len(updates[-1]["rawOutput"]["deep"][0]) == 20_001 - LONGEST_SECRET, "half a secret is none that is known"


def test_the_prompt_is_followed_by_what_the_order_adds(tmp_path: Path) -> None:
    one, two = (
        chunks(hold({}, tmp_path, prompt=prompt, closing=closing), "agent_thought_chunk")
        for prompt, closing in (("Do it.\n", "Answer."), ("Do it.\nAnswer.", ""))
    )
    assert one == two


def test_only_a_session_that_can_go_on_is_called_lasting(tmp_path: Path) -> None:
    for capabilities, lasting in (({}, False), (RESUMES, True), (LOADS, True)):
        told = hold({"capabilities": capabilities}, tmp_path)
        assert of_type(told, "session") == [{"type": "session", "id": "session-1", "lasting": lasting}]


@pytest.mark.parametrize("capabilities", [RESUMES, LOADS])
def test_a_session_goes_on_and_what_it_repeats_is_not_told(tmp_path: Path, capabilities: Event) -> None:
    told = hold({"capabilities": capabilities, "do": [{"say": "said now"}]}, tmp_path, session="old-1")
    assert of_type(told, "session")[0]["id"] == "old-1"
    assert chunks(told) == "said now"


def test_an_agent_that_cannot_go_on_is_not_given_a_new_session_instead(tmp_path: Path) -> None:
    told = hold({}, tmp_path, session="old-1")
    assert (told[-1]["type"], told[-1]["during"], told[-1]["code"]) == ("error", "session", -32002)


def test_the_first_mode_that_the_agent_has_is_chosen(tmp_path: Path) -> None:
    modes = {"currentModeId": "ask", "availableModes": [{"id": name, "name": name} for name in ("ask", "free")]}
    errors = {"session/set_mode": {"code": 1, "message": "so it was chosen"}}
    told = hold({"session": {"modes": modes}, "errors": errors}, tmp_path, modes=["wild", "free", "ask"])
    assert told[-1]["message"] == "so it was chosen"
    told = hold({"session": {"modes": modes}, "errors": errors}, tmp_path, modes=["wild", "ask"])
    assert told[-1]["type"] == "stop"


def test_a_model_is_chosen_from_what_the_agent_offers_or_the_turn_is_not_held(tmp_path: Path) -> None:
    options = [{"group": "g", "name": "G", "options": [{"value": "m1", "name": "M1"}]}]
    choice = {"id": "model", "name": "Model", "category": "model", "type": "select", "currentValue": "m0"}
    script: Event = {"session": {"configOptions": [{**choice, "options": options}]}}
    assert hold(script, tmp_path, model="m1")[-1]["type"] == "stop"
    refused = hold(script, tmp_path, model="m2")[-1]
    assert (refused["code"], refused["data"]) == (-32002, {"offered": ["m1"]})


def test_a_way_to_sign_in_is_tried_once_and_then_the_agents_word_stands(tmp_path: Path) -> None:
    error = {"code": -32000, "message": "Authentication required"}
    script: Event = {"errors": {"session/new": error}, "auth_methods": [{"id": "key", "name": "Key"}]}
    told = hold(script, tmp_path, auth=["key"])
    assert (told[-1]["during"], told[-1]["code"]) == ("session", -32000)
    told = hold(
        {**script, "errors": {**script["errors"], "authenticate": {"code": 7, "message": "tried"}}},
        tmp_path,
        auth=["key"],
    )
    assert told[-1]["code"] == 7
