"""What agents ask beside the work takes nothing from the script."""

from __future__ import annotations

import json
from typing import Any

import pytest

from autopilot.ports.reply import REPLIES
from autopilot.ports.wire import wire_schema
from autopilot.simulation.model_server.conversation import Wire
from autopilot.simulation.model_server.script import Fault, Rule, Say, Wrong
from tests.contract.model_server.clients import User, ask, listen
from tests.contract.model_server.conftest import Serve

ASKED = [User("go")]
TITLE = {
    "type": "object",
    "properties": {"title": {"type": "string"}},
    "required": ["title"],
    "additionalProperties": False,
}


def test_a_request_without_tools_is_answered_beside_the_script(serve: Serve, wire: Wire, stream: bool) -> None:
    server = serve(Rule("", (Fault(Wrong.RATE_LIMIT, first=1), Say("work")), times=1))
    assert ask(server.url, wire, ASKED, stream=stream, tools=[]).text == "ok"
    assert [ask(server.url, wire, ASKED).status for _ in range(2)] == [429, 200]
    assert [request.played for request in server.requests] == ["side", "rate_limit", "say"]


def test_a_script_may_expect_no_tools(serve: Serve, wire: Wire) -> None:
    assert ask(serve(Say("work"), tools_expected=False).url, wire, ASKED, tools=[]).text == "work"


def test_a_title_in_a_form_is_given_in_that_form(serve: Serve) -> None:
    heard = ask(serve(Say("work")).url, Wire.MESSAGES, ASKED, tools=[], schema=TITLE)
    assert json.loads(heard.text) == {"title": "ok"}


@pytest.mark.parametrize("wire", [Wire.RESPONSES, Wire.CHAT], ids=str)
def test_a_form_without_tools_is_work_where_agents_give_theirs_so(serve: Serve, wire: Wire) -> None:
    assert ask(serve(Say("work")).url, wire, ASKED, tools=[], schema=TITLE).text == "work"


@pytest.mark.parametrize(
    ("wire", "key"),
    [(Wire.MESSAGES, "max_tokens"), (Wire.RESPONSES, "max_output_tokens"), (Wire.CHAT, "max_completion_tokens")],
)
def test_a_warm_up_of_one_token_is_no_work(serve: Serve, wire: Wire, key: str) -> None:
    server = serve(Fault(Wrong.AUTH))
    more: dict[str, Any] = {key: 1}
    assert ask(server.url, wire, ASKED, **more).text == "ok"
    assert server.requests[0].played == "side"


def test_tokens_are_counted(serve: Serve) -> None:
    server = serve(Fault(Wrong.AUTH))
    heard = listen(server.url, Wire.MESSAGES, "/v1/messages/count_tokens?beta=true", b'{"messages": []}')
    assert (heard.status, heard.body["input_tokens"]) == (200, 4)


def test_models_are_listed(serve: Serve) -> None:
    heard = listen(serve().url, Wire.MESSAGES, "/v1/models?client_version=1", b"", "GET")
    assert [model["id"] for model in heard.body["data"]] == ["scripted"]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("HEAD", "/"),
        ("GET", "/"),
        ("GET", "/v1/messages"),
        ("POST", "/v1/else"),
        ("POST", "/v1/responses/count_tokens"),
    ],
)
def test_any_other_path_is_not_found(serve: Serve, method: str, path: str) -> None:
    server = serve(Say("work"))
    heard = listen(server.url, Wire.CHAT, path, b"", method)
    assert (heard.status, heard.headers["content-type"]) == (404, "application/json")
    assert method == "HEAD" or heard.body["error"]["type"] == "invalid_request_error"
    assert server.requests[0].played == "not found"


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"\xff"])
def test_a_body_that_is_no_object_is_refused(serve: Serve, wire: Wire, content: bytes) -> None:
    path = {Wire.MESSAGES: "/v1/messages", Wire.RESPONSES: "/v1/responses", Wire.CHAT: "/v1/chat/completions"}[wire]
    assert listen(serve(Say("work")).url, wire, path, content).status == 400


def test_our_own_forms_are_taken(serve: Serve, wire: Wire) -> None:
    server = serve(Say("work"))
    statuses = {ask(server.url, wire, ASKED, schema=wire_schema(reply)).status for reply in REPLIES.values()}
    assert statuses == {200}
