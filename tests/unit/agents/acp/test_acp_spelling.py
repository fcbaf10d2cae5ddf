"""How ACP agents are started, and what they are told about their model."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec
import pytest

import autopilot
from autopilot.adapters.agents.acp.dialect import AcpDialect, find_libraries
from autopilot.adapters.agents.dialect import Desk, Program, Spelling
from autopilot.model.agent import AgentCall, Caps, Role
from autopilot.model.agent_config import AgentConfig, Price

PLACE = PurePosixPath("/home/you/project")
HOME = PurePosixPath("/state/call-1/home")
SCHEMA = {"type": "object", "properties": {"done": {"type": "boolean"}}}
SOURCES = Path(autopilot.__file__).parents[1]
KEY = "key-of-nobody-4711"
EVERY = (AcpDialect, AcpDialect.opencode, AcpDialect.gemini, AcpDialect.claude, AcpDialect.codex)


def spell(dialect: AcpDialect, call: dict[str, Any] | None = None, key: str = "", **config: Any) -> Spelling:
    program = Program(PurePosixPath("/opt/agent"))
    desk = Desk(program, AgentConfig(**config), HOME.parent, HOME, key)
    said: dict[str, Any] = {"model": "m1", "schema": SCHEMA, **(call or {})}
    return dialect.spell(AgentCall(Role.EXECUTOR, "1", "THE PROMPT", PLACE, PLACE, **said), desk)


def order_of(spelling: Spelling) -> dict[str, Any]:
    order: dict[str, Any] = json.loads(spelling.files["order.json"])
    return order


def opencode_config(spelling: Spelling) -> dict[str, Any]:
    config: dict[str, Any] = json.loads(spelling.env["OPENCODE_CONFIG_CONTENT"])
    return config


@pytest.mark.parametrize("make", EVERY)
def test_the_bridge_is_started_and_neither_prompt_nor_key_stands_in_a_command_line(make: Any) -> None:
    spelling = spell(make(), key=KEY, base_url="http://127.0.0.1:1/v1")
    assert spelling.argv[1:3] == ("-I", "-S")
    assert spelling.argv[-1] == str(HOME.parent / "order.json")
    assert spelling.prompt_on_stdin
    words = " ".join((*spelling.argv, *order_of(spelling)["argv"]))
    assert KEY not in words
    assert "THE PROMPT" not in words + spelling.files["order.json"].decode()


@pytest.mark.parametrize("make", EVERY)
def test_the_form_of_the_answer_is_asked_for_after_the_prompt(make: Any) -> None:
    assert json.dumps(SCHEMA, separators=(",", ":")) in order_of(spell(make()))["closing"]
    assert order_of(spell(make(), {"schema": {}}))["closing"] == ""


@pytest.mark.parametrize("make", EVERY)
def test_a_session_is_handed_on_and_your_words_come_last(make: Any) -> None:
    order = order_of(spell(make(), {"session": "s1"}, args=("--loud",)))
    assert order["session"] == "s1"
    assert (order["argv"][0], order["argv"][-1]) == ("/opt/agent", "--loud")


def test_only_an_agent_without_a_name_is_asked_for_its_model_over_the_protocol() -> None:
    assert order_of(spell(AcpDialect()))["model"] == "m1"
    assert {order_of(spell(make()))["model"] for make in EVERY[1:]} == {""}


def test_opencode_gets_a_provider_of_your_own_with_prices_to_count_by() -> None:
    url = "http://127.0.0.1:1/v1"
    spelling = spell(AcpDialect.opencode(), key=KEY, base_url=url, price=Price(3, 15, 0.3))
    config = opencode_config(spelling)
    [(name, provider)] = config["provider"].items()
    assert config["model"] == config["small_model"] == f"{name}/m1"
    assert config["enabled_providers"] == [name]
    assert provider["options"] == {"baseURL": url, "apiKey": KEY}
    assert provider["models"]["m1"]["cost"] == {"input": 3, "output": 15, "cache_read": 0.3}
    assert spelling.env["XDG_DATA_HOME"] == str(HOME / ".local/share")
    assert AcpDialect.opencode().login.files == (".local/share/opencode/auth.json",)


@pytest.mark.parametrize(("url", "estimated"), [("http://127.0.0.1:1/v1", True), ("", False)])
def test_what_opencode_counts_by_our_prices_is_an_estimate(url: str, estimated: bool) -> None:
    cost = {"amount": 0.5, "currency": "USD"}
    line = {"type": "update", "update": {"sessionUpdate": "usage_update", "used": 1, "size": 2, "cost": cost}}
    desk = Desk(Program(PurePosixPath("/opt/agent")), AgentConfig(base_url=url), HOME.parent, HOME)
    call = AgentCall(Role.EXECUTOR, "1", "", PLACE, PLACE)
    *_, said = AcpDialect.opencode().read([json.dumps(line).encode()], call, desk)
    assert (said.usage.usd, said.usage.usd_is_estimate) == (0.5, estimated)


def test_opencode_without_an_address_uses_its_login_or_a_key_for_the_provider_of_its_model() -> None:
    assert "provider" not in opencode_config(spell(AcpDialect.opencode()))
    config = opencode_config(spell(AcpDialect.opencode(), {"model": "anthropic/claude-x"}, key=KEY))
    assert config["provider"] == {"anthropic": {"options": {"apiKey": KEY}}}
    assert config["model"] == "anthropic/claude-x"


def test_codex_is_set_up_by_its_file_which_is_valid() -> None:
    spelling = spell(AcpDialect.codex(), key=KEY, base_url="http://127.0.0.1:1/v1")
    config = tomllib.loads(spelling.home_files[".codex/config.toml"].decode())
    provider = config["model_providers"][config["model_provider"]]
    assert (config["model"], config["sandbox_mode"]) == ("m1", "danger-full-access")
    assert provider["base_url"] == "http://127.0.0.1:1/v1"
    assert spelling.env[provider["env_key"]] == KEY
    assert spelling.env["CODEX_HOME"] == str(HOME / ".codex")
    assert order_of(spelling)["modes"][0] == "agent-full-access"


def test_codex_signs_in_with_its_key_only_when_it_has_one() -> None:
    assert order_of(spell(AcpDialect.codex()))["auth"] == []
    spelling = spell(AcpDialect.codex(), key=KEY)
    assert "codex-api-key" in order_of(spelling)["auth"]
    assert spelling.env["CODEX_API_KEY"] == KEY


def test_claude_obeys_no_settings_of_the_project_and_has_a_budget() -> None:
    spelling = spell(AcpDialect.claude(), {"caps": Caps(usd=1.5)}, key=KEY, base_url="http://127.0.0.1:1")
    options = order_of(spelling)["meta"]["claudeCode"]["options"]
    assert (options["settingSources"], options["maxBudgetUsd"]) == ([], 1.5)
    assert spelling.env["ANTHROPIC_BASE_URL"] == "http://127.0.0.1:1"
    assert spelling.env["ANTHROPIC_MODEL"] == "m1"
    assert spelling.env["ANTHROPIC_API_KEY"] == KEY
    assert spelling.env["CLAUDE_CONFIG_DIR"] == str(HOME / ".claude")


@pytest.mark.parametrize(("key", "way"), [(KEY, "gemini-api-key"), ("", "oauth-personal")])
def test_gemini_is_told_how_it_is_signed_in(key: str, way: str) -> None:
    spelling = spell(AcpDialect.gemini(), key=key)
    settings = json.loads(spelling.home_files[".gemini/settings.json"])
    assert settings["security"]["auth"]["selectedType"] == way
    assert settings["telemetry"] == {"enabled": False}
    assert order_of(spelling)["argv"][-2:] == ["-m", "m1"]
    assert spelling.env.get("GEMINI_API_KEY", "") == key


def test_the_sandbox_shows_the_bridge_its_library_and_the_agent(tmp_path: Path) -> None:
    agent = tmp_path / "agent"
    agent.write_text("#!/bin/sh\n")
    program = AcpDialect().locate(agent)
    shown = [Path(path) for path in program.shown]
    assert shown[0] == agent
    needed = [Path(find_libraries()[0]) / "acp" / "schema.py", Path(program.ask_version[0])]
    assert all(any(path.is_relative_to(place) for place in [*shown, Path("/usr")]) for path in needed)


def test_no_command_waits_for_the_library_of_the_protocol() -> None:
    looked = "import autopilot.adapters.agents.known, sys; sys.exit('acp' in sys.modules or 'pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", looked]).returncode == 0


def test_without_the_library_these_agents_are_missing_and_it_is_said_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "msgspec").symlink_to(Path(msgspec.__file__).parent)
    looked = f"import sys; sys.path += {[str(tmp_path), str(SOURCES)]!r}\n" + (
        "from pathlib import Path; from autopilot.adapters.agents.acp.dialect import AcpDialect\n"
        "from autopilot.model.errors import AgentMissing\n"
        "try: AcpDialect().locate(Path('/bin/sh'))\n"
        "except AgentMissing as missing: print(missing.hint)"
    )
    told = subprocess.run([sys.executable, "-I", "-S", "-c", looked], capture_output=True, text=True, check=True)
    assert "pip install 'autopilot-roadmap[acp]'" in told.stdout
