"""What our side adds to an agent's own start: one turn of text through Autopilot, over the same command run bare.

Both are measured turn by turn in one run, from the request to the reaped child, against a scripted model on loopback,
and compared by their medians. Our side includes the sandbox, the desk, the listening and the transcript.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from msgspec import Struct

from autopilot.adapters.agents.dialect import Desk
from autopilot.adapters.agents.known import KnownAgents, Roster
from autopilot.adapters.agents.presets import PRESETS
from autopilot.adapters.blobs import FileBlobs
from autopilot.adapters.sandbox.bubblewrap import Bubblewrap
from autopilot.adapters.transcripts import FileTranscripts
from autopilot.model.agent import AgentCall, Ending, Role
from autopilot.model.agent_config import AgentConfig
from autopilot.model.secrecy.redaction import Redactor
from autopilot.simulation.model_server.script import ModelScript, Rule, Say
from autopilot.simulation.model_server.server import ModelServer
from autopilot.simulation.scripted.agent import ScriptedAgent

ROOT = Path(__file__).resolve().parents[1]
INSTALLED = Path(os.environ.get("AUTOPILOT_TEST_AGENTS") or ROOT / ".agents" / "node_modules")
ROUNDS = 5


class Subject(Struct, frozen=True):
    name: str
    model: str
    below: str  # where its wire stands at the server


SUBJECTS = (Subject("claude", "claude-sonnet-4-5", ""), Subject("codex", "gpt-5.5", "/v1"))


def main() -> None:
    told = []
    for subject in SUBJECTS:
        program = INSTALLED / ".bin" / subject.name
        if not program.exists():
            print(f"{subject.name}: not installed in {INSTALLED.parent}; run scripts/setup.sh agents")
            continue
        with (
            tempfile.TemporaryDirectory() as folder,
            ModelServer(ModelScript((Rule("", (Say(text="done"),)),))) as server,
        ):
            config = AgentConfig(
                program=str(program), base_url=server.url + subject.below, key_env="KEY", model=subject.model
            )
            took = measure(Path(folder), subject.name, config)
        bare, ours = (statistics.median(took[side]) for side in ("bare", "ours"))
        print(f"{subject.name}: bare {bare * 1000:.0f} ms, through Autopilot {ours * 1000:.0f} ms")
        told.append(f"{subject.name} {ours / bare:.2f}x")
    print(f"agents: {', '.join(told) or 'none installed'} (goal: as near to 1 as it gets)")


def measure(folder: Path, name: str, config: AgentConfig) -> dict[str, list[float]]:
    call = make_call(folder)
    environment = {"PATH": os.environ["PATH"], "KEY": "test-key-of-nobody"}
    blobs = FileBlobs(folder / "state" / "blobs", Redactor())
    roster = Roster(folder / "logins", {name: config}, environment)
    transcripts = FileTranscripts(folder / "state" / "live", blobs)
    agent = KnownAgents(roster, Bubblewrap(folder / "state"), transcripts, ScriptedAgent).named(name)

    def ours() -> None:
        reply = agent.call(call)
        assert reply.ending is Ending.COMPLETED, reply

    sides: dict[str, Callable[[], None]] = {"ours": ours, "bare": lambda: run_bare(folder, name, config, call)}
    took: dict[str, list[float]] = {side: [] for side in sides}
    for number in range(ROUNDS + 1):
        for side, run in sides.items():
            began = time.perf_counter()
            run()
            if number:  # the first round brings the program into memory
                took[side].append(time.perf_counter() - began)
    return took


def make_call(folder: Path) -> AgentCall:
    clone = folder / "clone"
    subprocess.run(["git", "init", "--quiet", str(clone)], check=True)
    (folder / "project").mkdir()
    return AgentCall(Role.EXECUTOR, "1", "Say done.", PurePosixPath(clone), PurePosixPath(folder / "project"))


def run_bare(folder: Path, name: str, config: AgentConfig, call: AgentCall) -> None:
    """The very command line of the adapter, with no sandbox and nobody who listens."""
    dialect = PRESETS[name].dialect()
    with tempfile.TemporaryDirectory(dir=folder) as place:
        private, home = Path(place), Path(place) / "home"
        desk = Desk(
            dialect.locate(Path(config.program)), config, PurePosixPath(private), PurePosixPath(home), "test-key"
        )
        spelling = dialect.spell(
            AgentCall(call.role, call.phase, call.prompt, call.workspace, call.workspace, model=config.model), desk
        )
        (home / "tmp").mkdir(parents=True)
        for base, files in ((private, spelling.files), (home, spelling.home_files)):
            for path, content in files.items():
                (base / path).parent.mkdir(parents=True, exist_ok=True)
                (base / path).write_bytes(content)
        # Root may do without permissions only where it says so; here the model is ours and does nothing.
        env = {"PATH": os.environ["PATH"], "HOME": str(home), "TMPDIR": str(home / "tmp"), "IS_SANDBOX": "1"}
        subprocess.run(
            spelling.argv,
            input=call.prompt.encode(),
            env={**env, **spelling.env},
            cwd=call.workspace,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=True,
        )


if __name__ == "__main__":
    main()
