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

from autopilot.simulation.model_server import wires
from autopilot.simulation.model_server.answer import Answer, put
from autopilot.simulation.model_server.conversation import Conversation, Wire
from autopilot.simulation.model_server.faults import Refusal, refuse, refuse_request
from autopilot.simulation.model_server.log import RequestLog, describe
from autopilot.simulation.model_server.playing import Play, Player
from autopilot.simulation.model_server.schemas import refuse_schemas
from autopilot.simulation.model_server.script import Fault, Wrong

BROKEN = b'{"type": "garbage", "delta": {"text": "half a'
READ_TIMEOUT_S = 30.0
POLL_S = 0.1


class Stage(Struct, frozen=True):
    """What all exchanges of a server share."""

    player: Player
    log: RequestLog
    stopping: Signal
    numbers: Iterator[int]


class Exchange(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = READ_TIMEOUT_S

    def __init__(self, request: Any, client_address: Any, server: Any, stage: Stage) -> None:
        self.stage = stage
        super().__init__(request, client_address, server)

    def handle(self) -> None:
        try:
            self.handle_one_request()
        except (ConnectionError, TimeoutError):
            return  # the client has left; agents do so whenever they are stopped

    def do_GET(self) -> None:
        if self.path.partition("?")[0] == "/v1/models":
            self._note("models")
            self._send(200, wires.MODELS)
        else:
            self._not_found()

    do_HEAD = do_PUT = do_DELETE = do_OPTIONS = do_PATCH = do_GET

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers.get("content-length") or 0))
        path = self.path.partition("?")[0]
        speech = wires.SPEECHES.get(path.removesuffix("/count_tokens"))
        if not speech or (path.endswith("/count_tokens") and speech.wire is not Wire.MESSAGES):
            return self._not_found()
        body = _parse(content)
        if body is None:
            return self._refuse(refuse_request(speech.wire, "the body is not a JSON object", None, None), speech.wire)
        if path.endswith("/count_tokens"):
            self._note("count", wire=speech.wire)
            return self._send(200, {"input_tokens": len(content) // 4})
        talk = speech.read(body, {name.lower(): value for name, value in self.headers.items()})
        if refusal := refuse_schemas(speech.wire, body):
            return self._refuse(refusal, speech.wire, talk)
        return self._play(speech, talk)

    def _play(self, speech: wires.Speech, talk: Conversation) -> None:
        play = self.stage.player.play(talk)
        mark = f"{next(self.stage.numbers):04d}p{talk.prompts}s{talk.steps}"
        if not isinstance(play.turn, Fault):
            answer = Answer(wires.small_talk(talk)) if play.side else put(play.turn, talk)
            self._note_play(play, talk, 200)
            return self._answer(speech, answer, talk, mark)
        fault = play.turn
        if fault.kind is Wrong.REFUSAL:
            self._note_play(play, talk, 200)
            return self._answer(speech, Answer("I cannot help with that.", refused=True), talk, mark)
        if fault.kind in (Wrong.DROP, Wrong.HANG, Wrong.MALFORMED):
            self._note_play(play, talk, 200)
            return self._spoil(speech, fault.kind, talk, mark)
        refusal = refuse(talk.wire, fault)
        self._note_play(play, talk, refusal.status)
        if talk.stream and talk.wire is Wire.RESPONSES and fault.kind is Wrong.CONTEXT:
            return self._stream(wires.fail_stream(refusal.body["error"], mark))
        return self._send(refusal.status, refusal.body, refusal.headers)

    def _answer(self, speech: wires.Speech, answer: Answer, talk: Conversation, mark: str) -> None:
        if talk.stream:
            self._stream(event.encode() for event in speech.stream(answer, talk, mark))
        else:
            self._send(200, speech.write(answer, talk, mark))

    def _spoil(self, speech: wires.Speech, kind: Wrong, talk: Conversation, mark: str) -> None:
        """Begin an answer as if all were well. No part of it is whole yet, so nothing of it can be kept."""
        answer = Answer("I was about to say")
        if talk.stream:
            events = [event.encode() for event in speech.stream(answer, talk, mark)]
            begun = events[: len(events) // 2]
        else:
            begun = [msgspec.json.encode(speech.write(answer, talk, mark))[:40]]
        if kind is Wrong.MALFORMED:
            return self._stream([*begun, b"data: " + BROKEN + b"\n\n"] if talk.stream else begun, talk.stream)
        self._open_stream(talk.stream)
        for part in begun:
            self._send_chunk(part)
        if kind is Wrong.HANG:
            self._wait_silently()
        return None  # without the closing chunk: the client sees an answer that broke off

    def _wait_silently(self) -> None:
        while not self.stage.stopping.wait(POLL_S) and not _has_left(self.connection):
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
        # One request per connection: no thread stays behind for a client that keeps its connections.
        self.send_response(status)
        for name, value in (headers | {"connection": "close"}).items():
            self.send_header(name, value)
        self.end_headers()

    def _not_found(self) -> None:
        self._refuse(refuse_request(None, f"no such path: {self.path}", None, None, status=404), None)

    def _refuse(self, refusal: Refusal, wire: Wire | None, talk: Conversation | None = None) -> None:
        played = "not found" if refusal.status == 404 else "refused"
        self._note(played, wire=wire, talk=talk, status=refusal.status)
        self._send(refusal.status, refusal.body, refusal.headers)

    def _note_play(self, play: Play, talk: Conversation, status: int) -> None:
        what = play.turn.kind.value if isinstance(play.turn, Fault) else type(play.turn).__name__.lower()
        self._note("side" if play.side else what, talk.wire, talk, status, play)

    def _note(
        self,
        played: str,
        wire: Wire | None = None,
        talk: Conversation | None = None,
        status: int = 200,
        play: Play | None = None,
    ) -> None:
        came = describe(self.command, self.path, dict(self.headers.items()), wire, talk)
        step = (play.rule, play.step) if play else (None, None)
        self.stage.log.add(replace(came, played=played, status=status, rule=step[0], step=step[1]))

    def version_string(self) -> str:
        return "scripted-model"

    def log_message(self, format: str, *args: Any) -> None:
        """Standard error belongs to whoever runs the server; what came is in the log."""


def _parse(content: bytes) -> dict[str, Any] | None:
    try:
        body = msgspec.json.decode(content)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    return body if isinstance(body, dict) else None


def _has_left(connection: socket.socket) -> bool:
    readable, _, _ = select.select([connection], [], [], 0)
    if not readable:
        return False
    try:
        return connection.recv(1, socket.MSG_PEEK) == b""
    except OSError:
        return True
