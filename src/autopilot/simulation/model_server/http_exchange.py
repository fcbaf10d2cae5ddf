"""One HTTP request and its answer."""

from __future__ import annotations

import select
import socket
from collections.abc import Iterable, Iterator
from http.server import BaseHTTPRequestHandler
from threading import Event as Signal
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from autopilot.simulation.model_server import protocols
from autopilot.simulation.model_server.answer import Answer, make_answer
from autopilot.simulation.model_server.conversation import Conversation, Wire
from autopilot.simulation.model_server.faults import Refusal, refuse, refuse_request
from autopilot.simulation.model_server.log import RequestLog, describe
from autopilot.simulation.model_server.player import Play, Player
from autopilot.simulation.model_server.schemas import refuse_schemas
from autopilot.simulation.model_server.script import Fault, Wrong

MALFORMED = b'{"type": "garbage", "delta": {"text": "half a'
READ_TIMEOUT_S = 30.0
POLL_S = 0.1


class ServerState(Struct, frozen=True):
    """The state that all exchanges of a server share."""

    player: Player
    log: RequestLog
    stopping: Signal
    numbers: Iterator[int]


class Exchange(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = READ_TIMEOUT_S

    def __init__(self, request: Any, client_address: Any, server: Any, state: ServerState) -> None:
        self.state = state
        super().__init__(request, client_address, server)

    def handle(self) -> None:
        try:
            self.handle_one_request()
        except (ConnectionError, TimeoutError):
            return  # the client closed the connection, as stopped agents do

    def do_GET(self) -> None:
        if self.path.partition("?")[0] == "/v1/models":
            self._log("models")
            self._send(200, protocols.MODELS)
        else:
            self._not_found()

    do_HEAD = do_PUT = do_DELETE = do_OPTIONS = do_PATCH = do_GET

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers.get("content-length") or 0))
        path = self.path.partition("?")[0]
        protocol = protocols.PROTOCOLS.get(path.removesuffix("/count_tokens"))
        if not protocol or (path.endswith("/count_tokens") and protocol.wire is not Wire.MESSAGES):
            return self._not_found()
        body = _parse(content)
        if body is None:
            return self._refuse(
                refuse_request(protocol.wire, "the body is not a JSON object", None, None), protocol.wire
            )
        if path.endswith("/count_tokens"):
            self._log("count", wire=protocol.wire)
            return self._send(200, {"input_tokens": len(content) // 4})
        conversation = protocol.read(body, {name.lower(): value for name, value in self.headers.items()})
        if refusal := refuse_schemas(protocol.wire, body):
            return self._refuse(refusal, protocol.wire, conversation)
        return self._play(protocol, conversation)

    def _play(self, protocol: protocols.Protocol, conversation: Conversation) -> None:
        play = self.state.player.play(conversation)
        mark = f"{next(self.state.numbers):04d}p{conversation.prompts}s{conversation.steps}"
        if not isinstance(play.turn, Fault):
            answer = (
                Answer(protocols.answer_side_request(conversation))
                if play.side
                else make_answer(play.turn, conversation)
            )
            self._log_play(play, conversation, 200)
            return self._answer(protocol, answer, conversation, mark)
        fault = play.turn
        if fault.kind is Wrong.REFUSAL:
            self._log_play(play, conversation, 200)
            return self._answer(protocol, Answer("I cannot help with that.", refused=True), conversation, mark)
        if fault.kind in (Wrong.DROP, Wrong.HANG, Wrong.MALFORMED):
            self._log_play(play, conversation, 200)
            return self._spoil(protocol, fault.kind, conversation, mark)
        refusal = refuse(conversation.wire, fault)
        self._log_play(play, conversation, refusal.status)
        if conversation.stream and conversation.wire is Wire.RESPONSES and fault.kind is Wrong.CONTEXT:
            return self._stream(protocols.fail_stream(refusal.body["error"], mark))
        return self._send(refusal.status, refusal.body, refusal.headers)

    def _answer(self, protocol: protocols.Protocol, answer: Answer, conversation: Conversation, mark: str) -> None:
        if conversation.stream:
            self._stream(event.encode() for event in protocol.stream(answer, conversation, mark))
        else:
            self._send(200, protocol.write(answer, conversation, mark))

    def _spoil(self, protocol: protocols.Protocol, kind: Wrong, conversation: Conversation, mark: str) -> None:
        """Begin a normal answer and break it before its first complete part."""
        answer = Answer("I was about to say")
        if conversation.stream:
            events = [event.encode() for event in protocol.stream(answer, conversation, mark)]
            begun = events[: len(events) // 2]
        else:
            begun = [msgspec.json.encode(protocol.write(answer, conversation, mark))[:40]]
        if kind is Wrong.MALFORMED:
            return self._stream(
                [*begun, b"data: " + MALFORMED + b"\n\n"] if conversation.stream else begun, conversation.stream
            )
        self._open_stream(conversation.stream)
        for part in begun:
            self._send_chunk(part)
        if kind is Wrong.HANG:
            self._wait_silently()
        return None  # without the closing chunk the client sees a broken answer

    def _wait_silently(self) -> None:
        while not self.state.stopping.wait(POLL_S) and not _is_closed(self.connection):
            continue

    def _stream(self, parts: Iterable[bytes], events: bool = True) -> None:
        self._open_stream(events)
        for part in parts:
            self._send_chunk(part)
        self.wfile.write(b"0\r\n\r\n")

    def _open_stream(self, events: bool) -> None:
        kind = "text/event-stream; charset=utf-8" if events else "application/json"
        self._head(200, {"content-type": kind, "cache-control": "no-cache", "transfer-encoding": "chunked"})

    def _send_chunk(self, part: bytes) -> None:
        self.wfile.write(b"%x\r\n%b\r\n" % (len(part), part))

    def _send(self, status: int, body: dict[str, Any], headers: dict[str, str] | None = None) -> None:
        content = msgspec.json.encode(body)
        about = {"content-type": "application/json", "content-length": str(len(content))}
        self._head(status, about | (headers or {}))
        if self.command != "HEAD":
            self.wfile.write(content)

    def _head(self, status: int, headers: dict[str, str]) -> None:
        # One request per connection: a client that keeps connections open would keep a thread.
        self.send_response(status)
        for name, value in (headers | {"connection": "close"}).items():
            self.send_header(name, value)
        self.end_headers()

    def _not_found(self) -> None:
        self._refuse(refuse_request(None, f"no such path: {self.path}", None, None, status=404), None)

    def _refuse(self, refusal: Refusal, wire: Wire | None, conversation: Conversation | None = None) -> None:
        played = "not found" if refusal.status == 404 else "refused"
        self._log(played, wire=wire, conversation=conversation, status=refusal.status)
        self._send(refusal.status, refusal.body, refusal.headers)

    def _log_play(self, play: Play, conversation: Conversation, status: int) -> None:
        kind = play.turn.kind.value if isinstance(play.turn, Fault) else type(play.turn).__name__.lower()
        self._log("side" if play.side else kind, conversation.wire, conversation, status, play)

    def _log(
        self,
        played: str,
        wire: Wire | None = None,
        conversation: Conversation | None = None,
        status: int = 200,
        play: Play | None = None,
    ) -> None:
        request = describe(self.command, self.path, dict(self.headers.items()), wire, conversation)
        step = (play.rule, play.step) if play else (None, None)
        self.state.log.add(replace(request, played=played, status=status, rule=step[0], step=step[1]))

    def version_string(self) -> str:
        return "scripted-model"

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing to standard error; requests are in the log."""


def _parse(content: bytes) -> dict[str, Any] | None:
    try:
        body = msgspec.json.decode(content)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    return body if isinstance(body, dict) else None


def _is_closed(connection: socket.socket) -> bool:
    readable, _, _ = select.select([connection], [], [], 0)
    if not readable:
        return False
    try:
        return connection.recv(1, socket.MSG_PEEK) == b""
    except OSError:
        return True
