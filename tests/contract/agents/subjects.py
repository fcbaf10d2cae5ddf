"""The agents that go through the contract suite, each with its way to be told what to do."""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import asdict

from autopilot.adapters.agents.instruction import json_instruction
from autopilot.adapters.agents.known import KnownAgents, Roster
from autopilot.model.agent import Role
from autopilot.model.agent_config import AgentConfig
from autopilot.ports.agent import Agent
from autopilot.ports.reply import REPLIES, wire_schema
from autopilot.ports.sandbox import Sandbox
from autopilot.ports.transcripts import Transcripts
from autopilot.simulation.scripted import acp_program as scripted_acp
from autopilot.simulation.scripted.agent import ScriptedAgent
from tests.agents.changed import agents_changed
from tests.chaos.level import LEVEL
from tests.contract.agents.harness import Part, Subject
from tests.contract.agents.real import Claude, Codex, CodexAcp


class Scripted(Subject):
    name = "scripted"

    def make(self, part: Part, sandbox: Sandbox, transcripts: Transcripts, folder: Path) -> Agent:
        script = folder / "script.json"
        call = {"role": "executor", "do": self._actions(part), "reply": part.reply, "usage": asdict(part.usage)}
        script.write_text(json.dumps({"calls": [call], "default": "fail"}))
        return ScriptedAgent(script, sandbox, transcripts)

    def _actions(self, part: Part) -> list[dict[str, Any]]:
        actions: list[dict[str, Any]] = [{"run": command} for command in part.commands]
        actions += [{"write": path, "text": text} for path, text in part.writes.items()]
        if part.commit:
            actions += [{"git": ["add", "-A"]}, {"git": ["commit", "--quiet", "-m", part.commit]}]
        if part.flood_bytes:
            actions.append({"flood": part.flood_bytes})
        if part.crash:
            actions.append({"crash": 3})
        if part.hang:
            actions.append({"hang": True})
        return actions

    def heard(self, transcript: bytes, prompt: str) -> bool:
        start = json.loads(transcript.splitlines()[0])
        size, head, tail = (start[key] for key in ("prompt_bytes", "prompt_head", "prompt_tail"))
        return bool(size == len(prompt.encode()) and prompt.startswith(head) and prompt.endswith(tail))


class Command(Subject):
    """A shell script that answers in a file and reports what it used in another."""

    name = "command"

    def make(self, part: Part, sandbox: Sandbox, transcripts: Transcripts, folder: Path) -> Agent:
        program = write_program(folder / "program.sh", "\n".join(self._lines(part)))
        config = AgentConfig(kind="command", program=str(program), args=("{usage}", "{reply}"), reply="file")
        return hire(config, sandbox, transcripts, folder)

    def _lines(self, part: Part) -> Iterator[str]:
        yield "usage=$1 reply=$2"
        yield "sha256sum"
        yield f"printf %s {shlex.quote(json.dumps(asdict(part.usage)))} > $usage"
        yield "echo reported"
        yield from part.commands
        for path, text in part.writes.items():
            yield f"mkdir -p {shlex.quote(str(Path(path).parent))}; printf %s {shlex.quote(text)} > {shlex.quote(path)}"
        if part.commit:
            yield f"git add -A; git commit --quiet -m {shlex.quote(part.commit)}"
        if part.flood_bytes:
            yield f"head -c {part.flood_bytes} /dev/zero | tr '\\0' '~' | fold -w 1023"
        if part.crash:
            yield "exit 3"
        if part.hang:
            yield "sleep 86400"
        yield f"printf %s {shlex.quote(json.dumps(part.reply))} > $reply"

    def heard(self, transcript: bytes, prompt: str) -> bool:
        """It is told the form of the answer as well, after everything else."""
        whole = prompt + json_instruction(wire_schema(REPLIES[Role.EXECUTOR]))
        return transcript.startswith(hashlib.sha256(whole.encode()).hexdigest().encode())


class Acp(Subject):
    """The scripted ACP agent, as an agent of the user's that Autopilot has no name for."""

    name = "acp"

    def make(self, part: Part, sandbox: Sandbox, transcripts: Transcripts, folder: Path) -> Agent:
        shown = folder / "acp"
        shown.mkdir(exist_ok=True)
        script = {"do": list(self._actions(part)), "stop": self._stop(part)}
        (shown / "script.json").write_text(json.dumps(script))
        shutil.copy(scripted_acp.__file__, shown / "program.py")  # where it is installed, it is not visible inside
        python = Path(sys.executable).resolve()
        words = shlex.join([str(python), "-I", "-S", str(shown / "program.py"), str(shown / "script.json")])
        program = write_program(shown / "agent", f"exec {words}")
        config = AgentConfig(kind="acp", program=str(program), show=(str(shown),))
        return hire(config, sandbox, transcripts, folder, name="acp")

    def _actions(self, part: Part) -> Iterator[Mapping[str, Any]]:
        cost = {"amount": part.usage.usd, "currency": "USD"}
        yield {"update": {"sessionUpdate": "usage_update", "used": part.usage.tokens, "size": 200_000, "cost": cost}}
        yield from ({"run": command} for command in part.commands)
        for path, text in part.writes.items():
            yield {
                "run": f"mkdir -p $(dirname {shlex.quote(path)}); printf %s {shlex.quote(text)} > {shlex.quote(path)}"
            }
        if part.commit:
            yield {"run": f"git add -A; git commit --quiet -m {shlex.quote(part.commit)}"}
        if part.flood_bytes:
            yield {"flood": part.flood_bytes}
        if part.crash:
            yield {"crash": 3}
        if part.hang:
            yield {"hang": True}
        yield {"say": json.dumps(part.reply)}

    def _stop(self, part: Part) -> Mapping[str, Any]:
        used = {"inputTokens": part.usage.tokens_in, "outputTokens": part.usage.tokens_out}
        return {"stopReason": "end_turn", "usage": {**used, "totalTokens": part.usage.tokens}}

    def heard(self, transcript: bytes, prompt: str) -> bool:
        whole = prompt + json_instruction(wire_schema(REPLIES[Role.EXECUTOR]))
        return hashlib.sha256(whole.encode()).hexdigest().encode() in transcript


def write_program(path: Path, lines: str, shell: str = "/bin/sh") -> Path:
    path.write_text(f"#!{shell}\n{lines}\n")
    path.chmod(0o755)
    return path


def hire(config: AgentConfig, sandbox: Sandbox, transcripts: Transcripts, folder: Path, name: str = "command") -> Agent:
    """The agent of that name as settings.toml would describe it."""
    roster = Roster(folder / "logins", {name: config}, {"PATH": os.environ["PATH"], "MY_KEY": "key-of-mine-4711"})
    return KnownAgents(roster, sandbox, transcripts, ScriptedAgent).named(name)


QUICK: tuple[Subject, ...] = (Scripted(), Command())
REAL: tuple[Subject, ...] = (Codex(),)  # the quickest of them, when the code of the agents changed
# These take seconds to start, which is minutes for the suite: `make chaos`.
SLOW: tuple[Subject, ...] = (Acp(), Claude(), CodexAcp())
SUBJECTS = (*QUICK, *REAL, *SLOW) if LEVEL.every_story else (*QUICK, *REAL) if agents_changed() else QUICK
