"""Cases about what must not get through: the agent's key, and the user's home."""

from __future__ import annotations

import shlex
from pathlib import Path

from autopilot.simulation.conformance.cases_work import answer
from autopilot.simulation.conformance.finding import Finding, demand, not_testable, passed
from autopilot.simulation.conformance.processes import find_words
from autopilot.simulation.conformance.stage import Stage
from autopilot.simulation.model_server.conversation import Conversation
from autopilot.simulation.model_server.script import Rule, Run, Turn

SEEN = "seen.txt"


def keeps_its_key(stage: Stage) -> Finding:
    told: list[str] = []
    leaks: list[str] = []

    def listen(talk: Conversation) -> Turn:
        told.extend((talk.prompt, *talk.outputs))
        leaks.extend(find_words(stage.key))
        return answer(stage) if talk.steps else Run(command="pwd")

    with stage.sit(rule=Rule("", answer=listen)) as sitting:
        reply = sitting.complete()
        shown = {request.auth for request in sitting.server.requests if request.wire}
    # What it says is cleaned before it is kept; an agent that relies on that would be one mistake from a leak.
    demand(stage.key.encode() not in stage.transcript(reply), "it prints its key")
    demand(stage.key not in "".join(told), "it tells its key to its model")
    demand(not leaks, "its key stands on a command line, for everyone to read")
    demand(shown == {stage.key[-4:]}, "its model was not shown the key that it was given")
    return passed("shown to its model, and in nothing that it says")


def sees_no_home(stage: Stage) -> Finding:
    """By name: what is there outside, and is seen inside although nobody showed it."""
    home = Path(stage.settings.environment.get("HOME", "/")).resolve()
    if not stage.settings.confined:
        return not_testable("your settings have the sandbox off, so it sees everything")
    look = f"{{ echo $HOME; ls -A {shlex.quote(str(home))}; }} >{SEEN} 2>/dev/null; true"
    with stage.sit(Run(command=look), answer(stage)) as sitting:
        sitting.complete()
        own, *seen = sitting.read(SEEN).splitlines() or [""]
    demand(bool(own), "it did not run the command that its model ordered")
    demand(Path(own).resolve() != home, "its HOME is yours")
    there = {path.name for path in home.iterdir()} if home.is_dir() else set()
    visible = sorted(there & set(seen) - _shown(stage, home))
    demand(not visible, f"it sees {', '.join(visible[:5])} in {home}")
    return passed(f"none of {len(there)} entries of your home, and a HOME of its own")


def _shown(stage: Stage, home: Path) -> set[str]:
    """Entries of the home that lead to what is shown: its program, toolchains, and what the settings say."""
    folders = [*stage.shown(), *stage.toolchains, stage.project, stage.state]
    inside = [folder.resolve() for folder in folders]
    return {folder.relative_to(home).parts[0] for folder in inside if folder != home and folder.is_relative_to(home)}
