"""Any program that takes a prompt and gives an answer: by stdin and stdout, or in files whose paths it gets.

    [agent.mine]
    kind = "command"
    program = "~/bin/my-agent"
    args = ["--model={model}", "--out", "{reply}", "--usage", "{usage}"]
    reply = "file"

It ends with 0 when it has answered, with 75 when its model is limited, with 77 when it is not signed in, and with
anything else when it could not answer. What it used it may say in the usage file, as often as it likes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import Meta, Struct

from autopilot.adapters.agents.dialect import Desk, Login, Program, Spelling
from autopilot.adapters.agents.instruction import json_instruction
from autopilot.adapters.agents.listening import PartialReply
from autopilot.adapters.beneath import read_beneath
from autopilot.adapters.files import translated
from autopilot.model.agent import AgentCall, Ending, Usage
from autopilot.model.secrecy.cutting import cut_end

REPLY, USAGE = "reply.json", "usage.json"
MEANINGS: Mapping[int, Ending] = {75: Ending.RATE_LIMITED, 77: Ending.AUTH}  # EX_TEMPFAIL, EX_NOPERM
KEY = "AUTOPILOT_AGENT_KEY"
LARGEST_USAGE = 64_000
ACTIVITY_CHARS = 80

Count = Annotated[int, Meta(ge=0, le=10**12)]
Amount = Annotated[float, Meta(ge=0, le=10**6)]


class Report(Struct, frozen=True):
    """What the usage file may say, of this call alone."""

    tokens_in: Count = 0
    tokens_out: Count = 0
    tokens_cached: Count = 0
    usd: Amount = 0.0
    session: str = ""
    retry_after_s: Amount | None = None
    detail: str = ""  # why it could not answer

    @property
    def usage(self) -> Usage:
        return Usage(self.tokens_in, self.tokens_out, self.tokens_cached, self.usd)


class CommandDialect:
    """What your settings leave open comes from here: one that ships by name is a subclass that fills these in."""

    program = ""
    login = Login()
    args: tuple[str, ...] = ()
    prompt = "stdin"
    reply = "stdout"
    exit_endings: ClassVar[Mapping[int, Ending]] = MEANINGS

    def locate(self, found: Path) -> Program:
        """Its version is its content: an unknown program might take any word, ``--version`` too, as an order."""
        path = PurePosixPath(found.resolve())
        with translated(found), found.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        return Program(path, (path,), version=f"sha256 {digest[:12]}")

    def spell(self, call: AgentCall, desk: Desk) -> Spelling:
        config = desk.config
        values = {
            "{prompt}": str(desk.private / "prompt"),
            "{schema}": str(desk.private / "schema.json"),
            "{reply}": str(desk.home / REPLY),
            "{usage}": str(desk.home / USAGE),
            "{model}": call.model,
            "{session}": call.session,
        }
        return Spelling(
            argv=(str(desk.program.path), *_filled(config.args or self.args, values)),
            env={config.key_env or self.login.key_variable or KEY: desk.key} if desk.key else {},
            files={
                "prompt": (call.prompt + json_instruction(call.schema)).encode(errors="replace"),
                "schema.json": msgspec.json.encode(call.schema),
            },
            # Empty at first: a HOME that is used again must not answer with what was said before.
            home_files={REPLY: b"", USAGE: b""},
            prompt_on_stdin=(config.prompt or self.prompt) != "file",
        )

    def read(self, lines: Iterable[bytes], call: AgentCall, desk: Desk) -> Iterator[PartialReply]:
        home, limit = Path(desk.home), call.caps.reply_bytes
        in_file = (desk.config.reply or self.reply) == "file"
        resumable = any("{session}" in word for word in desk.config.args or self.args)
        kept, size = [], 0
        report = Report()
        for line in lines:
            size += len(line) + 1
            if not in_file and size <= limit + 1:
                kept.append(line)
            report = _read_report(home) or report
            activity = cut_end(line[: 4 * ACTIVITY_CHARS].decode(errors="replace").strip(), ACTIVITY_CHARS)
            yield PartialReply(usage=report.usage, activity=activity)
        report = _read_report(home) or report
        answer = read_beneath(home, REPLY, limit) or b"" if in_file else b"\n".join(kept)
        too_long = len(answer) > limit if in_file else size > limit + 1
        partial = _refused(limit) if too_long else _answered(answer)
        yield msgspec.structs.replace(
            partial,
            usage=report.usage,
            session=report.session if resumable else "",
            retry_after_s=report.retry_after_s,
            detail=partial.detail or report.detail,
            exit_endings=self.exit_endings,
        )


def _filled(args: Iterable[str], values: Mapping[str, str]) -> Iterator[str]:
    """A word whose place stays empty is left out: ``--model={model}`` when the choice of a model is its own."""
    for arg in args:
        places = [place for place in values if place in arg]
        if any(not values[place] for place in places):
            continue
        for place in places:
            arg = arg.replace(place, values[place])
        yield arg


def _answered(answer: bytes) -> PartialReply:
    text = answer.decode(errors="replace").strip()
    if not text:
        return PartialReply()
    return PartialReply(ending=Ending.COMPLETED, text=text, value=_object(text))


def _refused(limit: int) -> PartialReply:
    return PartialReply(ending=Ending.SCHEMA_UNMET, detail=f"the reply has over {limit} bytes")


def _object(text: str) -> dict[str, Any] | None:
    """The whole answer as plain data; one with words around it is left to the reader of replies."""
    try:
        value = msgspec.json.decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _read_report(home: Path) -> Report | None:
    """None while there is none, or when it is half written or not understood: what was said before still holds."""
    content = read_beneath(home, USAGE, LARGEST_USAGE)
    if not content or len(content) > LARGEST_USAGE:
        return None
    try:
        return msgspec.json.decode(content, type=Report)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
