"""Real agents find their vendor through the proxy, by name and with TLS of their own, and nobody else."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from autopilot.adapters.agents.presets import PRESETS
from autopilot.adapters.sandbox.bubblewrap import Bubblewrap
from autopilot.model.agent import Ending
from autopilot.simulation.model_server.script import ModelScript, Reply, Rule, Run
from autopilot.simulation.model_server.server import ModelServer
from tests.agents.changed import agents_changed
from tests.agents.kit import ANSWER, MODELS, Stage
from tests.agents.meeting import Meeting, landed
from tests.agents.vendor import stand_in
from tests.chaos.level import LEVEL

# covers: T5.network, T5.agents

SLOW = ("claude-acp", "codex-acp", "opencode")
AGENTS = ("claude", "codex", *(SLOW if LEVEL.every_story or agents_changed() else ()))
# What the model of a hostile page would have it do. The proxy refuses, so nothing leaves this machine.
ELSEWHERE = "python3 -c 'import urllib.request; urllib.request.urlopen(\"https://elsewhere.example/\")' 2>&1 | tail -1"


@pytest.mark.parametrize("name", AGENTS)
def test_a_real_agent_works_with_its_vendor_through_the_proxy(tmp_path: Path, name: str) -> None:
    turns = (Run(command=f"{ELSEWHERE} >seen.txt"), Reply(value=ANSWER))
    with ModelServer(ModelScript((Rule("", turns),))) as server:
        port = urlsplit(server.url).port
        assert port is not None
        with stand_in(tmp_path / "vendor", PRESETS[name].hosts, port) as vendor:
            stage = Stage(tmp_path, Bubblewrap(tmp_path / "state", dial=vendor.dial))
            settings = {"base_url": "", "env": vendor.environment, "show": (str(vendor.authority.parent),)}
            model = {"opencode": "openai/gpt-5.5"}.get(name, MODELS.get(name, ""))
            reply = stage.hire(name, server, **settings, model=model).call(stage.call())
    assert (reply.ending, reply.value) == (Ending.COMPLETED, ANSWER), reply.detail
    assert set(vendor.asked) <= {f"{host}:443" for host in PRESETS[name].hosts}
    assert "elsewhere.example" in reply.refused_hosts
    assert "403 Forbidden" in (stage.world.clone / "seen.txt").read_text()


def test_a_run_names_the_hosts_that_its_agent_asked_for_in_vain(meet: Meeting) -> None:
    world = meet("codex", execute=[Run(command=ELSEWHERE)])
    ran = world.autopilot("run", "all")
    landed(world, ran)
    assert "codex may not reach elsewhere.example; to allow it: hosts in [agent.codex]" in ran.out + ran.err
    assert "may reach any host" not in ran.out + ran.err


def test_a_run_whose_agent_has_the_whole_network_says_so_everywhere(meet: Meeting) -> None:
    world = meet("codex", more='egress = "open"')
    sentence = "codex may reach any host and every service of this machine, by your settings"
    found = world.autopilot("doctor")
    assert sentence in found.out
    ran = world.autopilot("run", "all")
    landed(world, ran)
    assert f"warning: {sentence}" in ran.err
    assert sentence in world.autopilot("status").out
