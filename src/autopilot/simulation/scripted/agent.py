"""The scripted agent: does and says what a script tells it. For the demo, for tests, for your own dry runs."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from autopilot.adapters.agents.listening import Said, find_overrun, hear_out
from autopilot.adapters.files import translated
from autopilot.model.agent import AgentCall, AgentReply, Caps, Ending, Role, Usage
from autopilot.model.errors import Unavailable
from autopilot.ports.sandbox import CommandSpec, Mount, Profile, Sandbox
from autopilot.ports.transcripts import Transcripts
from autopilot.simulation.scripted import program as scripted_program
from autopilot.simulation.scripted.script import Call, choose, load_script

PYTHON = Path(sys.executable)
PROGRAM = PurePosixPath(scripted_program.__file__)
PACKAGE = PROGRAM.parents[2]
LONGEST_LINE = 1024 * 1024  # as the Running port promises
UNREPORTED = Usage()
# Shown in every sandbox anyway, so an interpreter that lives there needs no mount.
ALWAYS_SHOWN = PurePosixPath("/usr")
AUTHOR = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "Scripted Agent"), ("EMAIL", "scripted@autopilot.invalid"))
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
                f"the scripted agent needs Python, and {self._python} is not there", "install Python 3.11"
            )
        return scripted_program.VERSION

    def trouble(self) -> None:
        """It plays a script: there is nothing to sign in to."""

    def call(self, call: AgentCall) -> AgentReply:
        self.version()
        # Beside the context, so that what a killed run leaves behind goes with the workspace.
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
            running = self._sandbox.start(spell(call, PurePosixPath(folder), PurePosixPath(self._python.resolve())))

            def reader(lines: Iterable[bytes]) -> Iterator[Said]:
                return answer_reports(read(lines, call.caps.reply_bytes), call.caps, folder)

            return hear_out(running, reader, call.caps, self._transcripts.open(self.name, call))


class Order(Struct, frozen=True):
    """What the program is told: this call, and what the script says to it."""

    role: Role
    phase: str
    task: str
    attempt: int
    nth: int
    call: Call | None
    default: Literal["honest", "fail"]
    context: str  # where the context folder really lies: without a sandbox nothing is shown at .autopilot


def spell(call: AgentCall, private: PurePosixPath, python: PurePosixPath) -> CommandSpec:
    """The command of a call. Everything it needs is mounted read-only where it stands, the context in the project."""
    shown = [private, PACKAGE]
    if not python.is_relative_to(ALWAYS_SHOWN):
        shown.append(python.parents[1])  # …/bin/python3: the standard library lies beside bin
    context = [Mount(call.context, call.project / ".autopilot")] if call.context else []
    return CommandSpec(
        argv=(str(python), "-I", "-S", str(PROGRAM), str(private / "order.json")),
        profile=Profile.AGENT,
        project=call.project,
        backing=call.workspace,
        mounts=(*(Mount(path, path) for path in shown), *context),
        env=AUTHOR,
        timeout_s=call.caps.wall_s,
        stall_s=call.caps.stall_s,
        stdin=private / "prompt",
        label=call.label,
    )


def read(lines: Iterable[bytes], limit: int) -> Iterator[Said]:
    """What was said, growing with every event that is understood; other lines are passed over.

    A result over ``limit`` bytes is refused, not cut. The sandbox cuts lines, hence the look at how it begins.
    """
    said, most = Said(usage=UNREPORTED), min(limit, LONGEST_LINE - 1)
    for line in lines:
        if line.startswith(b'{"type": "result"') and len(line) > most:
            said = replace(said, ending=Ending.SCHEMA_UNMET, detail=f"the reply has over {most} bytes")
        elif event := _parse_event(line):
            said = _take_up(said, event)
        yield said


def answer_reports(said: Iterable[Said], caps: Caps, folder: Path) -> Iterator[Said]:
    """Let the program go on after every report of usage that is within the caps, and never after one that is not.

    A model takes seconds to its next message, a script none: without this a call over its cap could still get through
    its whole script before the stop reaches it.
    """
    usage, reports, within = UNREPORTED, 0, True
    for each in said:
        yield each
        if each.usage is not usage:  # two reports may be equal and are two all the same
            usage, reports = each.usage, reports + 1
            within = within and not find_overrun(usage, caps)
            if within:
                (folder / f"{scripted_program.HEARD}{reports}").touch()


def _take_up(said: Said, event: dict[str, Any]) -> Said:
    match event.get("type"):
        case "usage":
            return replace(said, usage=msgspec.convert(event, Usage))
        case "action":
            what = event.get("what")
            words = what if isinstance(what, list) else [what or ""]
            return replace(said, activity=" ".join(map(str, (event.get("kind"), *words))).strip())
        case "failed":
            return replace(said, detail=str(event.get("why", "")))
        case "result":
            value = event.get("reply")
            text = event.get("text") or ("" if value is None else msgspec.json.encode(value).decode())
            retry_after_s = event.get("retry_after_s")
            return replace(said, ending=Ending(event["ending"]), value=value, text=text, retry_after_s=retry_after_s)
    return said


def _parse_event(line: bytes) -> dict[str, Any] | None:
    if not line.startswith(b"{"):
        return None
    try:
        event = msgspec.json.decode(line)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    return event if isinstance(event, dict) else None
