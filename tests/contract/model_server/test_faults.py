"""Every fault, on every wire, as its vendor would word it."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from autopilot.simulation.model_server.conversation import Wire
from autopilot.simulation.model_server.script import Fault, Say, Wrong
from tests.contract.model_server.clients import PATHS, User, ask, parse_events
from tests.contract.model_server.conftest import Serve

ASKED = [User("go")]
KINDS = {
    Wire.MESSAGES: {
        Wrong.RATE_LIMIT: "rate_limit_error",
        Wrong.USAGE_LIMIT: "rate_limit_error",
        Wrong.OVERLOADED: "overloaded_error",
        Wrong.AUTH: "authentication_error",
        Wrong.CONTEXT: "invalid_request_error",
        Wrong.ERROR: "api_error",
    },
    Wire.CHAT: {
        Wrong.RATE_LIMIT: "rate_limit_exceeded",
        Wrong.USAGE_LIMIT: "usage_limit_reached",
        Wrong.OVERLOADED: "server_is_overloaded",
        Wrong.AUTH: "invalid_api_key",
        Wrong.CONTEXT: "context_length_exceeded",
        Wrong.ERROR: "server_error",
    },
}
KINDS[Wire.RESPONSES] = KINDS[Wire.CHAT]
STATUS = {
    Wrong.RATE_LIMIT: 429,
    Wrong.USAGE_LIMIT: 429,
    Wrong.OVERLOADED: 529,
    Wrong.AUTH: 401,
    Wrong.CONTEXT: 400,
    Wrong.ERROR: 500,
}


@pytest.mark.parametrize("kind", STATUS, ids=str)
def test_an_error_has_the_status_and_the_shape_of_its_vendor(serve: Serve, wire: Wire, kind: Wrong) -> None:
    heard = ask(serve(Fault(kind)).url, wire, ASKED)
    error: dict[str, Any] = heard.body["error"]
    assert heard.status == STATUS[kind]
    assert (error.get("code") or error["type"]) == KINDS[wire][kind]
    assert heard.body.get("type") == ("error" if wire is Wire.MESSAGES else None)
    assert error["message"]


def test_an_error_may_have_another_status(serve: Serve, wire: Wire, stream: bool) -> None:
    assert ask(serve(Fault(Wrong.OVERLOADED, status=503)).url, wire, ASKED, stream=stream).status == 503


@pytest.mark.parametrize(("seconds", "header"), [(3, "3"), (0.5, "0.5"), (0, "0"), (None, None)])
def test_a_limit_says_when_to_come_again(serve: Serve, wire: Wire, seconds: float | None, header: str | None) -> None:
    heard = ask(serve(Fault(Wrong.RATE_LIMIT, retry_after_s=seconds)).url, wire, ASKED, stream=True)
    assert heard.headers.get("retry-after") == header


def test_a_plan_that_is_used_up_tells_its_reset(serve: Serve) -> None:
    server = serve(Fault(Wrong.USAGE_LIMIT, retry_after_s=3600))
    said = ask(server.url, Wire.MESSAGES, ASKED).headers
    assert said["anthropic-ratelimit-unified-status"] == "rejected"
    assert int(said["anthropic-ratelimit-unified-reset"]) > 0
    assert ask(server.url, Wire.RESPONSES, ASKED).body["error"]["resets_at"] > 0


def test_a_prompt_too_long_fails_a_responses_stream_from_within(serve: Serve) -> None:
    heard = ask(serve(Fault(Wrong.CONTEXT)).url, Wire.RESPONSES, ASKED, stream=True)
    assert heard.status == 200
    assert [event["type"] for event in heard.events] == ["response.created", "response.failed"]
    assert heard.events[-1]["response"]["error"]["code"] == "context_length_exceeded"


def test_a_dropped_answer_breaks_off_with_nothing_whole_in_it(serve: Serve, wire: Wire, stream: bool) -> None:
    heard = ask(serve(Fault(Wrong.DROP)).url, wire, ASKED, stream=stream)
    assert (heard.status, heard.whole) == (200, False)
    assert heard.raw
    assert b"_stop" not in heard.raw and b".done" not in heard.raw and b"DONE" not in heard.raw


def test_a_malformed_answer_is_no_json(serve: Serve, wire: Wire, stream: bool) -> None:
    heard = ask(serve(Fault(Wrong.MALFORMED)).url, wire, ASKED, stream=stream)
    assert (heard.status, heard.whole) == (200, True)
    assert (heard.text, heard.tool, heard.body) == ("", "", {})
    assert not stream or parse_events(heard.raw)[-1] == {"type": "garbage"}


@pytest.mark.parametrize(
    ("wire", "reason"), [(Wire.MESSAGES, "refusal"), (Wire.RESPONSES, "refusal"), (Wire.CHAT, "content_filter")]
)
def test_a_model_that_declines_says_so_in_a_whole_answer(serve: Serve, wire: Wire, stream: bool, reason: str) -> None:
    heard = ask(serve(Fault(Wrong.REFUSAL)).url, wire, ASKED, stream=stream)
    assert (heard.status, heard.reason, heard.text) == (200, reason, "I cannot help with that.")


def begin(url: str, wire: Wire) -> socket.socket:
    """A request by hand, whose answer is not waited for."""
    told = {"messages": [{"role": "user", "content": "go"}], "input": "go", "stream": True}
    body = repr(told | {"tools": [{"name": "Bash", "function": {"name": "bash"}}]}).replace("'", '"')
    content = body.replace("True", "true").encode()
    connection = socket.create_connection(("127.0.0.1", int(url.rpartition(":")[2])), timeout=30)
    head = f"POST {PATHS[wire]} HTTP/1.1\r\nhost: x\r\ncontent-length: {len(content)}\r\n\r\n"
    connection.sendall(head.encode() + content)
    return connection


def read_until(connection: socket.socket, word: bytes) -> bytes:
    read = b""
    while word not in read and (part := connection.recv(4096)):
        read += part
    return read


@pytest.mark.parametrize("wire", [Wire.MESSAGES, Wire.RESPONSES], ids=str)
def test_a_hung_answer_ends_when_the_server_stops(serve: Serve, wire: Wire) -> None:
    server = serve(Fault(Wrong.HANG))
    with begin(server.url, wire) as connection:
        assert b"event-stream" in read_until(connection, b"data: ")
        server.stop()
        assert b"0\r\n\r\n" not in read_until(connection, b"never")


def test_a_hung_answer_lets_go_of_a_client_that_leaves(serve: Serve) -> None:
    server = serve(Fault(Wrong.HANG, first=1), Say("here"))
    with begin(server.url, Wire.MESSAGES) as connection:
        read_until(connection, b"data: ")
    assert ask(server.url, Wire.MESSAGES, ASKED).text == "here"
