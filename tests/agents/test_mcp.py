"""The real agents take our tools as their users configure them: each lists them and calls three.

They run as a user's own, outside of our sandbox, with a HOME of the test's and a scripted model.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from autopilot.events.people import HumanAnswered
from autopilot.simulation.model_server.log import Request
from autopilot.simulation.model_server.script import Call, ModelScript, Rule, Say
from autopilot.simulation.model_server.server import ModelServer
from tests.agents import gemini_model
from tests.agents.gemini_model import GeminiModel
from tests.agents.installed import installed
from tests.agents.test_chat_commands import SETTLED
from tests.scenario.kit.aftermath import happened
from tests.scenario.kit.resting import at_rest
from tests.scenario.kit.world import World
from tests.unit.asking import CHECKPOINT

# covers: CMD-MCP, MCP-ANSWER

PROMPT = "How does the run stand?"
TURNS = (
    Call(tool="status"),
    Call(tool="gates"),
    Call(tool="map_query", input={"query": "similar-name", "name": "nothing"}),
    Call(tool="answer_gate", input={"name": "checkpoint-1", "decision": "approve"}),
    Say(text="seen"),
)
SERVER = (sys.executable, "-m", "autopilot", "mcp")
KEY = "test-key-of-nobody-4711"
PATIENCE_S = 180

Command = tuple[list[str], dict[str, str]]


def claude(world: World, url: str) -> Command:
    server = {"command": SERVER[0], "args": SERVER[1:], "env": {"AUTOPILOT_STATE_HOME": str(world.state)}}
    config = json.dumps({"mcpServers": {"autopilot": server}})
    chosen = ["--mcp-config", config, "--strict-mcp-config", "--allowedTools", "mcp__autopilot"]
    told = {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": KEY, "ENABLE_TOOL_SEARCH": "false"}
    quiet = {"DISABLE_AUTOUPDATER": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
    return ["-p", PROMPT, *chosen, "--model", "claude-sonnet-4-5"], {**told, **quiet}


def codex(world: World, url: str) -> Command:
    folder = world.home / ".codex"
    folder.mkdir(exist_ok=True)
    # A model that it does not know: those that it knows look for tools by a search of their vendor's.
    provider = f'[model_providers.t]\nname = "t"\nbase_url = "{url}/v1"\nenv_key = "K"\nwire_api = "responses"\n'
    started = f'command = "{SERVER[0]}"\nargs = {json.dumps(SERVER[1:])}\nrequired = true\nstartup_timeout_sec = 120\n'
    server = f'[mcp_servers.autopilot]\n{started}default_tools_approval_mode = "approve"\n'
    home = f'[mcp_servers.autopilot.env]\nAUTOPILOT_STATE_HOME = "{world.state}"\n'
    (folder / "config.toml").write_text(f'model = "m1"\nmodel_provider = "t"\n{provider}{server}{home}')
    return ["exec", "--sandbox", "read-only", "--skip-git-repo-check", PROMPT], {"K": KEY}


def opencode(world: World, url: str) -> Command:
    model = {
        "npm": "@ai-sdk/openai-compatible",
        "options": {"baseURL": f"{url}/v1", "apiKey": KEY},
        "models": {"m": {}},
    }
    server = {"type": "local", "command": list(SERVER), "environment": {"AUTOPILOT_STATE_HOME": str(world.state)}}
    config = {"provider": {"t": model}, "model": "t/m", "small_model": "t/m", "autoupdate": False}
    return ["run", PROMPT], {"OPENCODE_CONFIG_CONTENT": json.dumps({**config, "mcp": {"autopilot": server}})}


@pytest.mark.parametrize(("name", "prepare"), [(f.__name__, f) for f in (claude, codex, opencode)])
def test_it_lists_our_tools_calls_three_and_cannot_answer_for_its_user(
    tmp_path: Path, name: str, prepare: Callable[[World, str], Command]
) -> None:
    world = at_rest(tmp_path, CHECKPOINT)
    with ModelServer(ModelScript((Rule(PROMPT, TURNS),))) as model:
        words, told = prepare(world, model.url)
        ran = call(world, [str(installed(name)), *words], told)
        asked = [request for request in model.requests if request.rule is not None]
    assert ran.returncode == 0, ran.stderr
    assert {"status", "gates", "evidence", "start_run", "answer_gate"} <= tools_of(asked[0])
    status, gates, queried, answered = ("".join(request.outputs[-1:]) for request in asked[1:])
    assert '"run_id":"run-1"' in status.replace(": ", ":")
    assert "autopilot approve checkpoint-1" in gates
    assert '"found":[]' in queried.replace(": ", ":")
    assert "nothing was recorded" in answered or "needs the user's own confirmation" in answered
    assert happened(world, HumanAnswered) == []


def test_gemini_lists_our_tools_calls_three_and_cannot_answer_for_its_user(tmp_path: Path) -> None:
    world = at_rest(tmp_path, CHECKPOINT)
    server = {
        "command": SERVER[0],
        "args": SERVER[1:],
        "env": {"AUTOPILOT_STATE_HOME": str(world.state)},
        "trust": True,
    }
    settings = world.home / ".gemini" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps({**SETTLED, "mcpServers": {"autopilot": server}}))
    told = {"GEMINI_CLI_TRUST_WORKSPACE": "true", "GEMINI_CLI_NO_RELAUNCH": "true", "GEMINI_API_KEY": KEY}
    calls = [(f"_{turn.tool}", turn.input) for turn in TURNS if isinstance(turn, Call)]
    with GeminiModel("seen", calls).serving() as model:
        words = ("-m", "gemini-2.5-flash", "--yolo", "-p", PROMPT)
        ran = call(world, [str(installed("gemini")), *words], {**told, "GOOGLE_GEMINI_BASE_URL": model.url})
        last = json.loads(model.prompts[-1])
    assert ran.returncode == 0, ran.stderr
    assert {"mcp_autopilot_status", "mcp_autopilot_gates", "mcp_autopilot_answer_gate"} <= set(
        gemini_model.tools_of(last)
    )
    status, gates, queried, answered = gemini_model.outputs_of(last)
    assert "run-1" in status
    assert "autopilot approve checkpoint-1" in gates
    assert "similar-name" in queried
    assert "own confirmation" in answered or "nothing was recorded" in answered
    assert happened(world, HumanAnswered) == []


def call(world: World, command: list[str], told: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    environment = {**world.environment, **told}
    return subprocess.run(
        command,
        cwd=world.project,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )


def tools_of(request: Request) -> set[str]:
    """Without the prefix that each agent gives them."""
    ours = (tool for tool in request.tools if "autopilot" in tool)
    return {tool.replace("__", "_").partition("autopilot_")[2] for tool in ours}
