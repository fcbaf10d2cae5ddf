"""What all agents of a user have in common: their names, and everything of theirs that must never be shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from autopilot.adapters.agents.known import Roster
from autopilot.adapters.agents.signing import find_trouble
from autopilot.model.agent_config import AgentConfig
from autopilot.model.errors import AgentMissing, UsageError
from autopilot.model.pasting import Written

# covers: R-SECRET, T5

LOGINS = Path("/state/agents")


def test_what_agents_are_given_is_secret_whatever_its_name_and_a_place_is_not() -> None:
    given = {"API_TOKEN": "value-of-token", "MODE": "quick-and-dirty"}
    configs = {
        "claude": AgentConfig(key_env="MINE"),
        "x": AgentConfig(kind="command", pass_env=("EXTRA", "WHERE", "UNSET"), env=given),
    }
    environment = {"MINE": "value-of-mine", "EXTRA": "value-of-extra", "WHERE": "/srv/data", "OTHER": "other-value"}
    assert Roster(LOGINS, configs, environment).secrets() == {
        "MINE": "value-of-mine",
        "EXTRA": "value-of-extra",
        "API_TOKEN": "value-of-token",
    }


def test_the_key_file_of_every_agent_is_known_to_hold_a_secret() -> None:
    configs = {"x": AgentConfig(kind="command", program="x"), "broken": AgentConfig(kind="no such kind")}
    files = Roster(LOGINS, configs).credential_files()
    assert {LOGINS / "claude" / "key", LOGINS / "codex" / "key", LOGINS / "x" / "key"} <= set(files)


@pytest.mark.parametrize(("program", "said"), [("", "claude is not on your PATH"), ("/no/claude", "is not a program")])
def test_a_program_that_is_not_there_is_missing_with_two_ways_out(program: str, said: str) -> None:
    with pytest.raises(AgentMissing, match=said) as raised:
        Roster(
            LOGINS,
            {"claude": AgentConfig(program=program)},
            {"PATH": "/nowhere"},
            written=Written("s.toml", frozenset()),
        ).program("claude")
    line = 'agent.claude.program = "/PATH/TO/IT"'
    expected = f"write {line} at the top of s.toml" if not program else f"change {line} in s.toml"
    assert raised.value.hint == f"install claude, or {expected}"


def named(**config: Any) -> Roster:
    return Roster(LOGINS, {"claude": AgentConfig(**config)} if config else {}, {"PATH": "/nowhere", "K": "v"})


def test_a_name_that_is_like_another_is_asked_about() -> None:
    with pytest.raises(UsageError) as raised:
        named().preset("cladue")
    assert raised.value.hint.startswith("did you mean 'claude'? choose one of: claude, ")


def trouble(name: str, roster: Roster) -> str:
    preset = roster.preset(name).dialect()
    found = find_trouble(name, preset.login, roster.credentials(name), roster.config(name), roster.environment)
    return f"{found}: {found.hint}" if found else ""


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("claude", "autopilot agents login claude"),
        ("codex", "autopilot agents login codex"),
        ("claude-acp", "autopilot agents login claude-acp"),
        ("codex-acp", "autopilot agents login codex-acp --key"),
        ("opencode", "autopilot agents login opencode"),
        ("gemini", "autopilot agents login gemini --key"),
    ],
)
def test_an_agent_that_is_plainly_signed_out_is_known_to_be(name: str, hint: str) -> None:
    assert trouble(name, named()) == f"{name} is not signed in: {hint}"


@pytest.mark.parametrize(
    ("config", "is_out"),
    [
        ({"key_env": "K"}, False),
        ({"key_env": "UNSET"}, True),
        ({"base_url": "http://127.0.0.1:9"}, False),
        ({"env": {"ANTHROPIC_API_KEY": "x"}}, False),
        ({"pass_env": ("K",)}, False),
        ({"model": "big"}, True),
    ],
)
def test_in_doubt_an_agent_is_not_taken_for_signed_out(config: dict[str, Any], is_out: bool) -> None:
    assert bool(trouble("claude", named(**config))) is is_out


def test_a_kept_login_or_key_signs_in(tmp_path: Path) -> None:
    roster = Roster(tmp_path)
    roster.credentials("codex").keep_key("a-key")
    file = roster.credentials("claude").home() / ".claude" / ".credentials.json"
    file.parent.mkdir()
    file.write_text("{}")
    assert (trouble("codex", roster), trouble("claude", roster)) == ("", "")


def test_an_agent_without_a_login_of_its_own_is_never_signed_out() -> None:
    roster = Roster(LOGINS, {"mine": AgentConfig(kind="command", program="x")})
    assert trouble("mine", roster) == ""
