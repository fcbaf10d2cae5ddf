"""What a remedy tells to write makes a whole file of settings, put where it says."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from autopilot.adapters.agents.known import Roster
from autopilot.adapters.agents.signing import tell_remedy
from autopilot.model.agent_config import AgentConfig
from autopilot.model.errors import AgentMissing, Unavailable
from autopilot.model.pasting import ANY_FILE, Written, find_headers, write_default, write_for_agent
from autopilot.model.policy import Policy
from autopilot.ports.agent import Agent
from autopilot.simulation.conformance.model_endpoint import find_obstacle
from autopilot.steps.asking.agent_check import find_agents
from tests.unit.making import policy_of

WRITE = re.compile(r"write (?P<line>.+?) (?:at the top of|below (?P<table>\[[^\]]+\]) in) ")
OTHERWISE = re.compile(r" \(if it has no \[[^\]]+\]: (?P<line>.+?) at its top\)")
CHANGE = re.compile(r'change (?P<key>[^"]+? = )".+?" (?:below (?P<table>\[[^\]]+\]) )?in ')
FILE = '[agents]\njudge = "codex"\n[agent.gone]\nkind = "command"\nprogram = "gone"\n'
DOTTED = 'agents.judge = "codex"\nagent.claude.program = "/nope"\n'

SENT = {"VARIABLE": "{url}/v1"}


def paste(words: str, file: str) -> dict[str, dict[str, object]]:
    if changed := CHANGE.search(words):
        key = re.escape(changed["key"])
        assert len(re.findall(rf"^{key}", file, re.MULTILINE)) == 1, words
        return tomllib.loads(re.sub(rf'^{key}"[^"]*"', f'{changed["key"]}"/PATH/TO/IT"', file, flags=re.MULTILINE))
    found = WRITE.search(words)
    assert found is not None, words
    otherwise = OTHERWISE.search(words)
    if otherwise and found["table"] not in file:
        return tomllib.loads(f"{otherwise['line']}\n{file}")
    if not found["table"]:
        return tomllib.loads(f"{found['line']}\n{file}")
    assert found["table"] in file
    return tomllib.loads(file.replace(found["table"], f"{found['table']}\n{found['line']}"))


class Nobody:
    written = ANY_FILE

    def named(self, name: str) -> Agent:
        raise AssertionError(name)


def hint_without_choice(policy: Policy) -> str:
    with pytest.raises(Unavailable) as raised:
        find_agents(policy, Nobody())
    return raised.value.hint


def hint_without_program(roster: Roster, name: str) -> str:
    with pytest.raises(AgentMissing) as raised:
        roster.program(name)
    return raised.value.hint


ROSTER = Roster(
    Path("/nowhere"),
    {"gone": AgentConfig(kind="command", program="gone")},
    {"CODEX_API_KEY": "k"},
    written=Written("s.toml", find_headers(FILE)),
)
WRONG = Roster(
    Path("/nowhere"), {"claude": AgentConfig(program="/nope")}, {}, written=Written("s.toml", find_headers(DOTTED))
)


@pytest.mark.parametrize(
    ("words", "file", "written"),
    [
        *(
            (write_default("claude", Written("s.toml", find_headers(file))), file, ("agents", "default", "claude"))
            for file in ("", FILE, "[agents]\n", DOTTED)
        ),
        (hint_without_choice(Policy()), "[limits]\n", ("agents", "default", "NAME")),
        (hint_without_choice(Policy()), "[agents]\n", ("agents", "default", "NAME")),
        (hint_without_choice(policy_of(agents={"judge": "codex"})), FILE, ("agents", "default", "NAME")),
        (hint_without_choice(policy_of(agents={"judge": "codex"})), DOTTED, ("agents", "default", "NAME")),
        (hint_without_program(ROSTER, "claude"), FILE, ("agent", "claude", {"program": "/PATH/TO/IT"})),
        (hint_without_program(WRONG, "claude"), DOTTED, ("agent", "claude", {"program": "/PATH/TO/IT"})),
        (
            hint_without_program(ROSTER, "gone"),
            FILE,
            ("agent", "gone", {"kind": "command", "program": "/PATH/TO/IT"}),
        ),
        (
            find_obstacle(ROSTER, "gone"),
            FILE,
            ("agent", "gone", {"kind": "command", "program": "gone", "test_env": SENT}),
        ),
        (find_obstacle(ROSTER, "gemini"), FILE, ("agent", "gemini", {"test_env": SENT})),
        (write_for_agent("my.own", "usd = 1", Written("s", frozenset())), FILE, ("agent", "my.own", {"usd": 1})),
        (
            tell_remedy("codex", ROSTER.preset("codex").dialect().login, AgentConfig(), ROSTER.environment),
            FILE,
            ("agent", "codex", {"key_env": "CODEX_API_KEY"}),
        ),
    ],
)
def test_what_a_remedy_says_to_write_is_read_as_it_was_meant(
    words: str, file: str, written: tuple[str, str, object]
) -> None:
    table, key, value = written
    assert paste(words, file)[table][key] == value
