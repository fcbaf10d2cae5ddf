"""Every turn of a script, on every wire, whole and as a stream."""

from __future__ import annotations

import json

import pytest

from autopilot.simulation.model_server.conversation import Wire
from autopilot.simulation.model_server.script import Reply, Run, Say, Tokens, Turn, Write
from tests.contract.model_server.clients import CLAUDE, CODEX, Offered, User, ask, listen
from tests.contract.model_server.conftest import Serve

ASKED = [User("please make a file")]
SCHEMA = {
    "type": "object",
    "properties": {"ok": {"type": "boolean"}},
    "required": ["ok"],
    "additionalProperties": False,
}
RESULT = Offered("StructuredOutput", ("ok",), SCHEMA)


def test_text_is_said_with_the_usage_in_the_shape_of_the_wire(serve: Serve, wire: Wire, stream: bool) -> None:
    server = serve(Say("hello ü", usage=Tokens(input=50, output=7, cached=20)))
    heard = ask(server.url, wire, ASKED, stream=stream)
    assert (heard.status, heard.text, heard.usage) == (200, "hello ü", (30, 7, 20))
    assert heard.reason in ("end_turn", "output_text", "stop")


@pytest.mark.parametrize(
    ("wire", "tool", "given"),
    [
        (Wire.MESSAGES, "Bash", {"command": "echo hi", "description": "Run a command"}),
        (Wire.RESPONSES, "exec_command", {"cmd": "echo hi"}),
        (Wire.CHAT, "bash", {"command": "echo hi", "description": "Run a command"}),
    ],
)
def test_a_command_goes_to_the_shell_the_agent_offers(
    serve: Serve, wire: Wire, stream: bool, tool: str, given: dict[str, str]
) -> None:
    heard = ask(serve(Run("echo hi")).url, wire, ASKED, stream=stream)
    assert (heard.tool, heard.given) == (tool, given)


def test_a_bridged_tool_is_found_by_the_name_behind_its_prefix(serve: Serve) -> None:
    bridged = [Offered("mcp__acp__Bash", ("command",))]
    heard = ask(serve(Run("echo hi")).url, Wire.MESSAGES, ASKED, tools=bridged)
    assert (heard.tool, heard.given) == ("mcp__acp__Bash", {"command": "echo hi"})


def test_a_shell_that_takes_a_list_gets_a_list(serve: Serve) -> None:
    schema = {"type": "object", "properties": {"command": {"type": "array", "items": {"type": "string"}}}}
    heard = ask(serve(Run("echo hi")).url, Wire.RESPONSES, ASKED, tools=[Offered("shell", (), schema)])
    assert heard.given == {"command": ["bash", "-lc", "echo hi"]}


def test_a_local_shell_gets_a_call_of_its_own_kind(serve: Serve) -> None:
    body = {"input": "go", "tools": [{"type": "local_shell"}]}
    heard = listen(serve(Run("echo hi")).url, Wire.RESPONSES, "/v1/responses", json.dumps(body).encode())
    (item,) = heard.body["output"]
    assert item["type"] == "local_shell_call"
    assert item["action"] == {"type": "exec", "command": ["bash", "-lc", "echo hi"], "env": {}}


def test_without_a_shell_the_model_says_so(serve: Serve, wire: Wire) -> None:
    heard = ask(serve(Run("echo hi")).url, wire, ASKED, tools=[Offered("glob", ("pattern",))])
    assert (heard.tool, "No shell tool" in heard.text) == ("", True)


@pytest.mark.parametrize(
    ("wire", "tool", "key"), [(Wire.MESSAGES, "Write", "file_path"), (Wire.CHAT, "write", "filePath")]
)
def test_a_file_is_written_with_the_tool_for_it(serve: Serve, wire: Wire, stream: bool, tool: str, key: str) -> None:
    heard = ask(serve(Write("a/b.txt", "it's\n")).url, wire, ASKED, stream=stream)
    assert (heard.tool, heard.given) == (tool, {key: "a/b.txt", "content": "it's\n"})


def test_a_file_is_written_through_the_shell_where_there_is_no_tool_for_it(serve: Serve) -> None:
    heard = ask(serve(Write("a/b.txt", "it's\n")).url, Wire.RESPONSES, ASKED, tools=CODEX)
    assert heard.given == {"cmd": "mkdir -p a && printf %s 'it'\"'\"'s\n' > a/b.txt"}


def test_a_result_goes_through_the_tool_for_it(serve: Serve, stream: bool) -> None:
    server = serve(Reply({"ok": True}))
    heard = ask(server.url, Wire.MESSAGES, ASKED, stream=stream, tools=[*CLAUDE, RESULT])
    assert (heard.tool, heard.given, heard.reason) == ("StructuredOutput", {"ok": True}, "tool_use")


def test_a_result_is_json_text_where_there_is_no_tool_for_it(serve: Serve, wire: Wire, stream: bool) -> None:
    heard = ask(serve(Reply({"ok": True})).url, wire, ASKED, stream=stream)
    assert (heard.tool, heard.text) == ("", '{"ok":true}')


STREAMS = {
    Wire.MESSAGES: [
        *("message_start", "ping", "content_block_start", "content_block_delta", "content_block_stop"),
        *("message_delta", "message_stop"),
    ],
    Wire.RESPONSES: [
        *("response.created", "response.in_progress", "response.output_item.added", "response.content_part.added"),
        *("response.output_text.delta", "response.output_text.done", "response.content_part.done"),
        *("response.output_item.done", "response.completed"),
    ],
}


@pytest.mark.parametrize("wire", STREAMS, ids=str)
def test_the_events_of_a_stream_come_in_the_vendors_order(serve: Serve, wire: Wire) -> None:
    heard = ask(serve(Say("hello")).url, wire, ASKED, stream=True)
    assert [event["type"] for event in heard.events] == STREAMS[wire]


def test_the_events_of_a_responses_stream_are_numbered(serve: Serve) -> None:
    heard = ask(serve(Run("true")).url, Wire.RESPONSES, ASKED, stream=True)
    assert [event["sequence_number"] for event in heard.events] == list(range(len(heard.events)))


def test_a_chat_stream_ends_with_its_reason_its_usage_and_the_word_done(serve: Serve) -> None:
    heard = ask(serve(Run("true")).url, Wire.CHAT, ASKED, stream=True)
    *_, reason, usage, done = heard.events
    assert reason["choices"][0]["finish_reason"] == "tool_calls"
    assert (usage["choices"], usage["usage"]["total_tokens"]) == ([], 110)
    assert done == {"type": "[DONE]"}


@pytest.mark.parametrize("turn", [Say("x"), Run("x")], ids=["text", "call"])
def test_no_two_answers_have_the_same_identity(serve: Serve, wire: Wire, turn: Turn) -> None:
    server = serve(turn)
    first, second = (ask(server.url, wire, ASKED) for _ in range(2))
    assert first.body["id"] != second.body["id"]
