"""One turn of talk with an ACP agent, told as events; loaded by acp_bridge.py only, inside the sandbox."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from acp import PROTOCOL_VERSION, RequestError, connect_to_agent, text_block
from acp.connection import StreamDirection, StreamEvent
from acp.core import ClientSideConnection
from acp.schema import Implementation, InitializeResponse
from pydantic import BaseModel, ValidationError

from autopilot.adapters.agents.acp.answers import NOT_FOUND, Client, Tell, shorten

AUTH_REQUIRED = -32000
LONGEST_MESSAGE = 50 * 1024 * 1024
PIECE = 100_000  # of its words: a line over 1 MiB would be cut
CANCEL_S = 0.3  # whoever stops us waits half a second
GONE_S = 2.0


def hold_turn(agent: subprocess.Popen[bytes], order: Mapping[str, Any], prompt: str, tell: Tell) -> None:
    asyncio.run(Turn(order, tell).hold(agent, prompt))


def ask_version(agent: subprocess.Popen[bytes]) -> str:
    """What the agent says it is, or ""."""
    events: dict[str, Any] = {}
    order = {"project": ".", "only_meet": True}
    asyncio.run(Turn(order, lambda event, **fields: events.update({event: fields})).hold(agent, ""))
    about = events.get("met", {}).get("agentInfo")
    if about is None:
        return "unknown" if "met" in events else ""
    return f"{about['name']} {about['version']}"


class Turn:
    def __init__(self, order: Mapping[str, Any], tell: Tell) -> None:
        self._order = order
        self._tell = tell
        self._stage = "initialize"
        self._session = ""

    async def hold(self, agent: subprocess.Popen[bytes], prompt: str) -> None:
        """However it goes, the last event tells how."""
        connection = await self._connect(agent)
        turn = asyncio.ensure_future(self._take(connection, prompt))
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, lambda: loop.create_task(self._cancel(connection, turn)))
        try:
            await turn
        except RequestError as error:
            self._fail(str(error), code=error.code, data=shorten(error.data))
        except ValidationError as error:
            self._fail(f"an answer that is not of the protocol: {error.errors()[0]['msg']}")
        except ConnectionError:
            self._fail("the agent has gone", exit_code=await _exit_code(agent))
        except asyncio.CancelledError:
            self._tell("stop", stopReason="cancelled")

    async def _connect(self, agent: subprocess.Popen[bytes]) -> ClientSideConnection:
        loop = asyncio.get_running_loop()
        reader, unused = asyncio.StreamReader(limit=LONGEST_MESSAGE), asyncio.StreamReader()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), agent.stdout)
        pipe, protocol = await loop.connect_write_pipe(lambda: asyncio.StreamReaderProtocol(unused), agent.stdin)
        wire = Wire(reader, asyncio.StreamWriter(pipe, protocol, unused, loop))
        client = Client(Path(self._order["project"]), self._tell)
        # Updates are taken off the wire: in their order, and also those the library does not know yet.
        return connect_to_agent(cast(Any, client), wire, observers=[self._receive])

    async def _take(self, connection: ClientSideConnection, prompt: str) -> None:
        us = Implementation(name="autopilot", version="1")
        met = await connection.initialize(PROTOCOL_VERSION, client_info=us)
        self._tell("met", **_plain(met))
        if self._order.get("only_meet"):
            return
        self._stage = "session"
        session = await self._open(connection, met)
        await self._choose(connection, session)
        self._stage, self._session = "prompt", session["sessionId"]
        answer = await connection.prompt(self._session, [text_block(prompt + self._order["closing"])])
        self._tell("stop", **_plain(answer))

    async def _open(self, connection: ClientSideConnection, met: InitializeResponse) -> dict[str, Any]:
        try:
            return await self._begin(connection, met)
        except RequestError as error:
            offered = {method.id for method in met.auth_methods or ()}
            fitting = [method for method in self._order["auth"] if method in offered]
            if error.code != AUTH_REQUIRED or not fitting:
                raise
        await connection.authenticate(fitting[0])
        return await self._begin(connection, met)

    async def _begin(self, connection: ClientSideConnection, met: InitializeResponse) -> dict[str, Any]:
        """A new session, or the one that is to go on."""
        can = met.agent_capabilities
        resumes = bool(can and can.session_capabilities and can.session_capabilities.resume)
        lasting = resumes or bool(can and can.load_session)
        cwd, wanted, meta = (self._order[name] for name in ("project", "session", "meta"))
        answer: BaseModel
        if not wanted:
            answer = await connection.new_session(cwd, **meta)
        elif resumes:
            answer = await connection.resume_session(wanted, cwd, **meta)
        elif lasting:
            answer = await connection.load_session(cwd, wanted, **meta)
        else:
            raise RequestError(NOT_FOUND, "this agent cannot go on with a session")
        session = {"sessionId": wanted} | _plain(answer)
        self._tell("session", id=session["sessionId"], lasting=lasting)
        return session

    async def _choose(self, connection: ClientSideConnection, session: dict[str, Any]) -> None:
        """The mode that asks least, and the model, where the agent leaves them to its client."""
        number = session["sessionId"]
        modes = session.get("modes") or {}
        offered = [mode["id"] for mode in modes.get("availableModes", ())]
        fitting = [mode for mode in self._order["modes"] if mode in offered]
        if fitting and modes.get("currentModeId") != fitting[0]:
            await connection.set_session_mode(number, fitting[0])
        if model := self._order["model"]:
            option = _find_option(session, "model")
            if model not in option["values"]:
                raise RequestError(NOT_FOUND, f"no model {model!r}", {"offered": option["values"]})
            await connection.set_config_option(option["id"], number, model)

    async def _cancel(self, connection: ClientSideConnection, turn: asyncio.Task[None]) -> None:
        if self._session:
            await connection.cancel(self._session)
            await asyncio.wait([turn], timeout=CANCEL_S)
        turn.cancel()

    def _receive(self, event: StreamEvent) -> None:
        """What an agent repeats of a session while resuming it was reported before, and is not reported again."""
        if event.direction is StreamDirection.OUTGOING or self._stage != "prompt":
            return
        match event.message:
            case {
                "method": "session/update",
                "params": {"update": {"content": {"text": str(text)} as content} as update},
            }:
                for start in range(0, len(text), PIECE):
                    piece = {**content, "text": text[start : start + PIECE]}
                    self._tell("update", update={**update, "content": piece})
            case {"method": "session/update", "params": {"update": update}}:
                self._tell("update", update=shorten(update))

    def _fail(self, message: str, **more: Any) -> None:
        self._tell("error", during=self._stage, message=message, **more)


class Wire:
    """One message a line. Whatever else an agent writes there is passed over; the library's own would end the talk."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def send(self, message: dict[str, Any]) -> None:
        self._writer.write(json.dumps(message).encode() + b"\n")
        await self._writer.drain()

    async def receive(self) -> dict[str, Any] | None:
        while line := await self._reader.readline():
            try:
                message = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(message, dict):
                return message
        return None

    async def close(self) -> None:
        self._writer.close()


def _plain(model: BaseModel) -> dict[str, Any]:
    plain: dict[str, Any] = model.model_dump(mode="json", by_alias=True, exclude_none=True)
    return plain


def _find_option(session: Mapping[str, Any], category: str) -> dict[str, Any]:
    """A choice the agent leaves to its client, with the values it offers; they may be grouped."""
    for option in session.get("configOptions", ()):
        if category in (option.get("category"), option["id"]) and option["type"] == "select":
            flat = [value for group in option["options"] for value in group.get("options", [group])]
            return {"id": option["id"], "values": [value["value"] for value in flat]}
    return {"id": "", "values": []}


async def _exit_code(agent: subprocess.Popen[bytes]) -> int | None:
    for _ in range(int(GONE_S / 0.05)):
        if agent.poll() is not None:
            break
        await asyncio.sleep(0.05)
    return agent.returncode
