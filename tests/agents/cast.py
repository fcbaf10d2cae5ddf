"""Whole runs with real agents: a scripted model plays every role, and the agents do the work with their own tools.

What the model is to say is taken from a run of the scripted agent on the very same project, so it is as good as honest.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from autopilot.events.happened import AgentReplied
from autopilot.simulation.model_server.script import ModelScript, Reply, Rule, Run, Turn, Write
from autopilot.simulation.model_server.server import ModelServer
from tests.agents.installed import installed
from tests.agents.kit import BELOW_V1, KEY, KEY_VARIABLE, MODELS
from tests.scenario.kit.aftermath import stored
from tests.scenario.kit.calls import plan_call, work
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import World, make_world

# How the prompt of each question begins, in the order they are asked.
BEGINNINGS: Mapping[str, str] = {
    "research": "You research phase 1 ",
    "plan": "You plan phase 1 ",
    "plan_check": "You check the plan of phase 1 ",
    "execute": "You carry out one task of phase 1,",
    "mini_verify": "You read one task of phase 1,",
    "verify": "You verify phase 1 ",
    "judge": "You judge phase 1 ",
    "divergence": "You have judged phase 1,",
    "rate": "You rate phase 1 ",
}
Answers = Mapping[str, Any]


class RealWorld(World):
    """A project whose roles are done by a real agent, its model at a scripted server."""

    server: ModelServer

    @property
    def environment(self) -> dict[str, str]:
        return {**super().environment, KEY_VARIABLE: KEY}

    def engage(self, name: str, server: ModelServer, more: str = "", chain: str = "") -> None:
        """The user's settings: this agent for every role. ``more`` are further lines about it."""
        url = server.url + ("/v1" if name in BELOW_V1 else "")
        self.set_settings(
            f'[agents]\ndefault = {chain or json.dumps(name)}\n[agent.{name}]\nprogram = "{installed(name)}"\n'
            f'base_url = "{url}"\nkey_env = "{KEY_VARIABLE}"\nmodel = "{MODELS.get(name, "")}"\n{more}\n'
        )


def rehearse(folder: Path, plot: Plot) -> Answers:
    """What each question is answered with, by its step, as the scripted agent answered it."""
    world = make_world(folder, plot)
    ran = world.run("all")
    assert ran.status == 0, ran.err
    blobs = world.assemble().ports.blobs
    answers: dict[str, Any] = {}
    for event in (each.event for each in stored(world)):
        if isinstance(event, AgentReplied):
            name = "divergence" if event.step.value in answers else event.step.value
            answers[name] = json.loads(blobs.get(event.reply))["value"]
    return answers


def real_world(folder: Path, plot: Plot) -> RealWorld:
    made = make_world(folder, plot)
    world = RealWorld(made.folder, plot)
    world.script.unlink()
    return world


def cast(plot: Plot, answers: Answers, spoilt: Mapping[str, Sequence[Turn]] | None = None) -> ModelScript:
    """A rule for each question; ``spoilt`` puts turns before those of a question."""
    doing: dict[str, list[Turn]] = {
        "plan": _turns(plan_call(plot, 1)),
        "execute": _turns(work("01-01")),
        "verify": [Run(command="git diff --stat HEAD~1 HEAD && ls .autopilot")],
    }
    rules = [
        Rule(f"(?m)^{BEGINNINGS[name]}", (*(spoilt or {}).get(name, ()), *doing.get(name, ()), Reply(value=value)))
        for name, value in answers.items()
    ]
    return ModelScript(tuple(rules))


def _turns(call: Mapping[str, Any]) -> list[Turn]:
    """What a scripted call does, as a model would have it done."""
    turns: list[Turn] = [Write(path=do["write"], text=do["text"]) for do in call["do"] if "write" in do]
    commands = ["git " + " ".join(f"'{word}'" for word in do["git"]) for do in call["do"] if "git" in do]
    return [*turns, Run(command=" && ".join(commands))]
