"""Cases about isolation: the agent's key and the user's home stay private."""

from __future__ import annotations

import shlex
import socket
from pathlib import Path

from autopilot.simulation.conformance.cases_work import make_reply
from autopilot.simulation.conformance.environment import CaseEnvironment
from autopilot.simulation.conformance.processes import find_command_lines
from autopilot.simulation.conformance.result import Finding, not_supported, not_testable, passed, require
from autopilot.simulation.model_server.conversation import Conversation
from autopilot.simulation.model_server.script import Rule, Run, Turn

LISTING = "seen.txt"


def keeps_key_secret(environment: CaseEnvironment) -> Finding:
    received: list[str] = []
    leaks: list[str] = []

    def answer_model(conversation: Conversation) -> Turn:
        received.extend((conversation.prompt, *conversation.outputs))
        leaks.extend(find_command_lines(environment.key))
        return make_reply(environment) if conversation.steps else Run(command="pwd")

    with environment.start_session(rule=Rule("", answer=answer_model)) as session:
        reply = session.complete()
        shown = {request.auth for request in session.server.requests if request.wire}
    # Autopilot redacts output before it is stored, but an agent must not rely on that.
    require(environment.key.encode() not in environment.transcript(reply), "its key appears in its output")
    require(environment.key not in "".join(received), "its key appears in a request to the model")
    require(not leaks, "its key appears on a command line, which every user of the machine can read")
    require(shown == {environment.key[-4:]}, "it did not send the key that it was given to the model")
    return passed("sent to the model, and in none of its output")


def sees_no_home(environment: CaseEnvironment) -> Finding:
    """Compare the entries of the home with those that the agent can list."""
    home = Path(environment.settings.environment.get("HOME", "/")).resolve()
    if not environment.settings.confined:
        return not_testable("the sandbox is switched off in your settings, so the agent can read everything")
    command = f"{{ echo $HOME; ls -A {shlex.quote(str(home))}; }} >{LISTING} 2>/dev/null; true"
    with environment.start_session(Run(command=command), make_reply(environment)) as session:
        session.complete()
        own, *seen = session.read(LISTING).splitlines() or [""]
    require(bool(own), "it did not run the command that the model requested")
    require(Path(own).resolve() != home, "its HOME is your home")
    entries = {path.name for path in home.iterdir()} if home.is_dir() else set()
    visible = sorted(entries & set(seen) - _visible_entries(environment, home))
    require(not visible, f"it can read {', '.join(visible[:5])} in {home}")
    return passed(f"none of {len(entries)} entries of your home are visible, and it has its own HOME")


def reaches_no_service(environment: CaseEnvironment) -> Finding:
    """A service on loopback stands for everything that its settings do not name."""
    egress = environment.settings.roster().egress(environment.name)
    if not environment.settings.confined or egress is None:
        return not_supported("by your settings it may reach any host, and every service of this machine")
    with socket.create_server(("127.0.0.1", 0)) as service:
        connect = f"exec 3<>/dev/tcp/127.0.0.1/{service.getsockname()[1]}"
        command = f"bash -c '{connect}' 2>/dev/null && echo reached >{LISTING} || echo refused >{LISTING}"
        with environment.start_session(Run(command=command), make_reply(environment)) as session:
            session.complete()
            result = session.read(LISTING).strip()
    require(bool(result), "it did not run the command that the model requested")
    require(result == "refused", "a command of its reached a service of this machine")
    return passed(f"it may reach {egress.describe()}")


def _visible_entries(environment: CaseEnvironment, home: Path) -> set[str]:
    """Entries of the home that are visible on purpose: its program, toolchains, and folders from the settings."""
    folders = [*environment.shown(), *environment.toolchains, environment.project, environment.state]
    inside = [folder.resolve() for folder in folders]
    return {folder.relative_to(home).parts[0] for folder in inside if folder != home and folder.is_relative_to(home)}
