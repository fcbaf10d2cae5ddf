"""The commands that `autopilot install` writes, in the real chats: found, run, and showing how the run stands.

In one of them each time, by the seed of the day; in all when what is installed changed (changed.py), and in
`make chaos`.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from autopilot.simulation.model_server.script import ModelScript, Rule, Run, Say
from autopilot.simulation.model_server.server import ModelServer
from tests.agents.changed import CHAT, agents_changed
from tests.agents.gemini_model import GeminiModel
from tests.agents.installed import installed
from tests.agents.kit import KEY, KEY_VARIABLE, MODELS
from tests.chaos.level import LEVEL
from tests.scenario.kit.looking import PATIENCE_S
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import World, make_world
from tests.seed import chance

# covers: CMD-INSTALL

Shown = Callable[["Chat"], str]
ANSWER = "here it is"
SETTLED = {
    "security": {"auth": {"selectedType": "gemini-api-key"}},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "general": {"disableAutoUpdate": True},
}


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> World:
    """A repository with a run that is over."""
    world = make_world(tmp_path_factory.mktemp("finished"), Plot(planned=True))
    ran = world.run("all")
    assert ran.status == 0, ran.err
    return world


class Chat:
    """A user's chat in that repository: `autopilot` is on the PATH, the model answers by script."""

    def __init__(self, world: World, folder: Path) -> None:
        self.world, self.home = world, folder / "home"
        programs = folder / "bin"
        for made in (self.home, programs):
            made.mkdir()
        ours = (
            f'#!/bin/sh\nAUTOPILOT_STATE_HOME={shlex.quote(str(world.state))} exec {sys.executable} -m autopilot "$@"\n'
        )
        (programs / "autopilot").write_text(ours)
        (programs / "autopilot").chmod(0o755)
        path = f"{programs}:{world.environment['PATH']}"
        (self.home / ".profile").write_text(f"PATH={shlex.quote(path)}\n")  # of login shells, which begin anew
        self.environment = {"PATH": path, "HOME": str(self.home), "LANG": "C.UTF-8"}

    def autopilot(self, *words: str) -> str:
        argv = ("autopilot", *words)
        return subprocess.run(
            argv, cwd=self.world.project, env=self.environment, capture_output=True, text=True, check=True
        ).stdout

    def show_status_line(self, scope: str) -> str:
        """As Claude Code does it: by a shell, with a document on standard input that nobody reads."""
        folder = self.home if scope == "--user" else self.world.project
        command = json.loads((folder / ".claude/settings.json").read_text())["statusLine"]["command"]
        argv, said = ("sh", "-c", command), json.dumps({"session_id": "x"})
        where, env = self.world.project, self.environment
        return subprocess.run(argv, cwd=where, env=env, input=said, capture_output=True, text=True, check=True).stdout

    def ask(self, name: str, *words: str, **environment: str) -> None:
        argv = (str(installed(name)), *words)
        ended = subprocess.run(
            argv,
            cwd=self.world.project,
            env={**self.environment, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert ended.returncode == 0, ended.stderr
        assert ANSWER in ended.stdout


def scripted(*turns: Run | Say) -> ModelServer:
    return ModelServer(ModelScript((Rule("", turns),)))


def claude(chat: Chat) -> str:
    """It runs what a command shows by itself, because the command's file allows just that."""
    with scripted(Say(text=ANSWER)) as server:
        quiet = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"}
        words = ("-p", "--model", MODELS["claude"], "/autopilot:progress")
        chat.ask("claude", *words, ANTHROPIC_BASE_URL=server.url, ANTHROPIC_API_KEY=KEY, **quiet)
        return "\n".join(request.prompt for request in server.requests)


def codex(chat: Chat) -> str:
    """It sends the text of the skill along; the model then calls the command that the text names."""
    with scripted(Run(command="autopilot progress; autopilot status"), Say(text=ANSWER)) as server:
        provider = {"name": "x", "base_url": f"{server.url}/v1", "wire_api": "responses", "env_key": KEY_VARIABLE}
        settings = {"model": MODELS["codex"], "model_provider": "x"}
        settings |= {f"model_providers.x.{name}": value for name, value in provider.items()}
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={json.dumps(value)}")]
        free = "--dangerously-bypass-approvals-and-sandbox"  # the model only says what stands above
        chat.ask("codex", "exec", free, *options, "$autopilot-progress", **{KEY_VARIABLE: KEY})
        outputs = "\n".join(output for request in server.requests for output in request.outputs)
    [session] = (chat.home / ".codex/sessions").rglob("*.jsonl")
    assert "<name>autopilot-progress</name>" in session.read_text()
    return outputs


def opencode(chat: Chat) -> str:
    with scripted(Say(text=ANSWER)) as server:
        options = {"baseURL": f"{server.url}/v1", "apiKey": KEY}
        models = {"scripted": {"name": "scripted", "tool_call": True}}
        provider = {"npm": "@ai-sdk/openai-compatible", "name": "x", "options": options, "models": models}
        named = {"model": "x/scripted", "small_model": "x/scripted", "enabled_providers": ["x"]}
        config = {**named, "autoupdate": False, "share": "disabled", "provider": {"x": provider}}
        off = ("AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD", "DEFAULT_PLUGINS")
        quiet = {f"OPENCODE_DISABLE_{name}": "1" for name in off}
        words = ("run", "--command", "autopilot/progress")
        chat.ask("opencode", *words, OPENCODE_CONFIG_CONTENT=json.dumps(config), **quiet)
        return "\n".join(request.prompt for request in server.requests)


def gemini(chat: Chat) -> str:
    """At a terminal it asks whether it may run the command; here it is told so beforehand."""
    settings = chat.home / ".gemini/settings.json"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text(json.dumps(SETTLED))
    with GeminiModel(ANSWER).serving() as model:
        trusted = {"GEMINI_CLI_TRUST_WORKSPACE": "true", "GEMINI_CLI_NO_RELAUNCH": "true"}
        words = ("-m", "gemini-2.5-flash", "--yolo", "-p", "/autopilot:progress")
        chat.ask("gemini", *words, GEMINI_API_KEY=KEY, GOOGLE_GEMINI_BASE_URL=model.url, **trusted)
        return "\n".join(model.prompts)


CHATS: Mapping[str, Shown] = {"claude": claude, "codex": codex, "opencode": opencode, "gemini": gemini}
ASKED = tuple(CHATS) if LEVEL.every_story or agents_changed(CHAT) else (chance("chats").choice(tuple(CHATS)),)


@pytest.mark.parametrize("scope", ["--project", "--user"])
@pytest.mark.parametrize("name", ASKED)
def test_an_installed_command_is_found_run_and_shows_how_the_run_stands(
    finished: World, tmp_path: Path, name: str, scope: str
) -> None:
    chat = Chat(finished, tmp_path)
    chat.autopilot("install", name, scope)
    if name == "claude":
        assert "completed" in chat.show_status_line(scope)
    try:
        shown = CHATS[name](chat)
    finally:
        removed = chat.autopilot("uninstall", name, scope)
    assert "phase 1  completed" in shown
    assert "Recent Work" in shown, "progress"
    assert removed.count("removed ") >= 8
    assert finished.git("status", "--porcelain") == ""


@pytest.mark.parametrize("name", ASKED)
def test_before_the_first_run_the_chat_shows_the_project_and_why_there_is_no_status(tmp_path: Path, name: str) -> None:
    """A command that fails is shown as well, and nothing is dropped for it."""
    world = make_world(tmp_path / "world", Plot(planned=True))
    chat = Chat(world, tmp_path)
    chat.autopilot("install", name, "--project", "--no-status-line")
    shown = CHATS[name](chat)
    assert "Current Position" in shown
    assert "error: " in shown and "autopilot run" in shown
