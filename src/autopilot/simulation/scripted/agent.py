"""The scripted agent: acts and replies by a script. For the demo, tests and trials of a roadmap."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from autopilot.adapters.agents.listening import PartialReply, collect_reply, find_overrun
from autopilot.adapters.files import translated
from autopilot.model.agent import AgentCall, AgentReply, Caps, Ending, Role, Usage
from autopilot.model.errors import Unavailable
from autopilot.ports.sandbox import CommandSpec, Mount, Profile, Sandbox
from autopilot.ports.transcripts import Transcripts
from autopilot.simulation.scripted import launcher
from autopilot.simulation.scripted import program as scripted_program
from autopilot.simulation.scripted.agent_script import Call, choose, load_script

PYTHON = Path(sys.executable)
PROGRAM = PurePosixPath(launcher.__file__)
PACKAGE = PROGRAM.parents[2]
LONGEST_LINE = 1024 * 1024  # as the Running port defines it
UNREPORTED = Usage()
# Visible in every sandbox, so an interpreter there needs no mount.
ALWAYS_SHOWN = PurePosixPath("/usr")
AUTHOR = {
    f"GIT_{who}_{field}": value
    for who in ("AUTHOR", "COMMITTER")
    for field, value in (("NAME", "Scripted Agent"), ("EMAIL", "scripted@autopilot.invalid"))
}


class ScriptedAgent:
    def __init__(
        self, script: Path, sandbox: Sandbox, transcripts: Transcripts, name: str = "scripted", python: Path = PYTHON
    ) -> None:
        self.name = name
        self._script = load_script(script)
        self._sandbox = sandbox
        self._transcripts = transcripts
        self._python = python

    def version(self) -> str:
        if not self._python.exists():
            raise Unavailable(
                f"the scripted agent needs Python, but {self._python} does not exist", "install Python 3.11 or newer"
            )
        return scripted_program.VERSION

    def trouble(self) -> None:
        """None: a script needs no sign-in."""

    def call(self, call: AgentCall) -> AgentReply:
        self.version()
        # Next to the context, so that it is removed with the workspace after a kill.
        beside = Path(call.context).parent if call.context else None
        place = translated(beside or Path(tempfile.gettempdir()))
        with place, tempfile.TemporaryDirectory(prefix="call-", dir=beside) as private:
            folder = Path(private)
            chosen = choose(self._script.calls, call.role, call.phase, call.task, call.attempt, call.nth)
            order = Order(
                role=call.role,
                phase=call.phase,
                task=call.task,
                attempt=call.attempt,
                nth=call.nth,
                call=chosen,
                default=self._script.default,
                context=str(call.context or ""),
            )
            (folder / "order.json").write_bytes(msgspec.json.encode(order))
            (folder / "prompt").write_bytes(call.prompt.encode(errors="replace"))
            self._sandbox.give_away(folder)
            running = self._sandbox.start(
                make_command(call, PurePosixPath(folder), PurePosixPath(self._python.resolve()))
            )

            def reader(lines: Iterable[bytes]) -> Iterator[PartialReply]:
                return confirm_reports(read(lines, call.caps.reply_bytes), call.caps, folder)

            return collect_reply(running, reader, call.caps, self._transcripts.open(self.name, call))


class Order(Struct, frozen=True):
    """The input of the program: this call and its entry in the script."""

    role: Role
    phase: str
    task: str
    attempt: int
    nth: int
    call: Call | None
    default: Literal["honest", "fail"]
    context: str  # path of the context folder: without a sandbox it is not mounted at .autopilot


def make_command(call: AgentCall, private: PurePosixPath, python: PurePosixPath) -> CommandSpec:
    """The command of a call. Its files are mounted read-only in place, the context inside the project."""
    shown = [private, PACKAGE]
    if not python.is_relative_to(ALWAYS_SHOWN):
        shown.append(python.parents[1])  # …/bin/python3: the standard library is next to bin
    context = [Mount(call.context, call.project / ".autopilot")] if call.context else []
    return CommandSpec(
        argv=(str(python), "-I", "-S", str(PROGRAM), str(private / "order.json")),
        profile=Profile.AGENT,
        project=call.project,
        backing=call.workspace,
        layers=call.layers,
        search=call.search,
        mounts=(*(Mount(path, path) for path in shown), *context),
        env=AUTHOR,
        timeout_s=call.caps.wall_s,
        stall_s=call.caps.stall_s,
        stdin=private / "prompt",
        label=call.label,
    )


def read(lines: Iterable[bytes], limit: int) -> Iterator[PartialReply]:
    """The output so far after every line; lines that are no events are ignored.

    A result over ``limit`` bytes is refused, not cut. The sandbox cuts long lines, so only their beginning is checked.
    """
    output, max_bytes = PartialReply(usage=UNREPORTED), min(limit, LONGEST_LINE - 1)
    for line in lines:
        if line.startswith(b'{"type": "result"') and len(line) > max_bytes:
            output = replace(output, ending=Ending.SCHEMA_UNMET, detail=f"the reply has over {max_bytes} bytes")
        elif event := _parse_event(line):
            output = _apply_event(output, event)
        yield output


def confirm_reports(output: Iterable[PartialReply], caps: Caps, folder: Path) -> Iterator[PartialReply]:
    """Let the program continue after every usage report within the caps, and stop it after one over a cap.

    A script needs no time between messages: without this, a call over its cap could finish its script before it is
    stopped.
    """
    usage, reports, is_within_caps = UNREPORTED, 0, True
    for item in output:
        yield item
        if item.usage is not usage:  # by identity: two equal reports are still two
            usage, reports = item.usage, reports + 1
            is_within_caps = is_within_caps and not find_overrun(usage, caps)
            if is_within_caps:
                (folder / f"{scripted_program.ACCEPTED}{reports}").touch()


def _apply_event(output: PartialReply, event: dict[str, Any]) -> PartialReply:
    match event.get("type"):
        case "usage":
            return replace(output, usage=msgspec.convert(event, Usage))
        case "action":
            detail = event.get("what")
            parts = detail if isinstance(detail, list) else [detail or ""]
            return replace(output, activity=" ".join(map(str, (event.get("kind"), *parts))).strip())
        case "failed":
            return replace(output, detail=str(event.get("why", "")))
        case "result":
            value = event.get("reply")
            text = event.get("text") or ("" if value is None else msgspec.json.encode(value).decode())
            retry_after_s = event.get("retry_after_s")
            return replace(output, ending=Ending(event["ending"]), value=value, text=text, retry_after_s=retry_after_s)
    return output


def _parse_event(line: bytes) -> dict[str, Any] | None:
    if not line.startswith(b"{"):
        return None
    try:
        event = msgspec.json.decode(line)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    return event if isinstance(event, dict) else None
