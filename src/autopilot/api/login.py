"""Signs agents in and out: credentials are stored below the state home, never in the user's own folders."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping

from autopilot.adapters.agents.known import Roster
from autopilot.model.errors import Unavailable, UsageError
from autopilot.settings.reading import Settings

# Variables that a program at a terminal needs to open a browser. No others are passed: one of them could
# lead the program to the user's own login, or to a keyring that no sandbox can reach.
PASSED_VARIABLES = (
    *("PATH", "TERM", "COLORTERM", "LANG", "LC_ALL", "LC_CTYPE", "DISPLAY", "XAUTHORITY", "BROWSER"),
    *("SSH_CONNECTION", "SSH_TTY", "http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"),
)


def save_key(settings: Settings, name: str, key: str) -> str:
    """Store an API key for an agent; returns a message."""
    settings.check_agents()
    credentials = _find_roster(settings, name).credentials(name)
    if not key.strip() or len(key.split()) > 1:
        if key.strip():
            raise UsageError("the key contains spaces", "the key must be one word and nothing else")
        hint = f"pass the key on standard input: `autopilot agents login {name} --key < key.txt`"
        raise UsageError("the key is empty", hint)
    credentials.keep_key(key)
    message = f"the key of {name} is stored in {credentials.folder / 'key'}"
    if variable := settings.agent[name].key_env if name in settings.agent else "":
        message += f"\nyour settings take its key from {variable}, which overrides the stored key"
    return message


def sign_in(settings: Settings, name: str) -> str:
    """Run the agent's own sign-in at this terminal; Unavailable when it stored no credentials."""
    settings.check_agents()
    roster = _find_roster(settings, name)
    login, credentials = roster.preset(name).dialect().login, roster.credentials(name)
    if not login.command:
        hint = f"store a key instead: `autopilot agents login {name} --key < key.txt`"
        raise UsageError(f"Autopilot knows no sign-in command of {name}", hint)
    argv = (str(roster.program(name).path), *login.command)
    if not sys.stdin.isatty():  # its questions would wait for ever
        hint = f"sign in at a terminal, or store a key: `autopilot agents login {name} --key < key.txt`"
        raise UsageError(f"the sign-in of {name} asks questions, and standard input is not a terminal", hint)
    home = credentials.home()
    env = {**_passed_environment(settings.environment), **roster.config(name).env, "HOME": str(home)}
    status = subprocess.run(argv, env=env, cwd=home, check=False).returncode
    files = [file for file in credentials.kept() if file.is_relative_to(home)]
    if status or not files:
        reason = f"its sign-in exited with status {status}" if status else "its sign-in stored no credentials"
        raise Unavailable(
            f"{name} is not signed in: {reason}",
            f"try again, or store a key: `autopilot agents login {name} --key < key.txt`",
        )
    return f"{name} is signed in; its credentials are in {', '.join(map(str, files))}"


def sign_out(settings: Settings, name: str) -> str:
    credentials = _find_roster(settings, name).credentials(name)
    removed = credentials.forget()
    message = "\n".join(f"removed {file}" for file in removed) or f"{name} was not signed in"
    if credentials.state(settings.roster().config(name), settings.environment):
        message += f"\nits key is still set in {settings.agent[name].key_env}; unset that variable yourself"
    return message


def _find_roster(settings: Settings, name: str) -> Roster:
    roster = settings.roster()
    if roster.is_scripted(name):
        hint = "`autopilot agents` lists the agents that need one"
        raise UsageError(f"{name} plays a script and needs no sign-in", hint)
    roster.preset(name)
    return roster


def _passed_environment(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: environment[name] for name in PASSED_VARIABLES if name in environment}
