"""Who runs the project's code gets what its setup installed, and nobody else waits for it."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.model.issue.issue import ATDD, FIXING, REPRODUCING, STORIES, Route
from autopilot.model.policy import Commands
from autopilot.model.run import Step
from autopilot.ports.layers import Layer
from tests.unit.steps.asking.test_asking import perform
from tests.unit.steps.issue_sample import issue_context
from tests.unit.steps.sample import sample_context
from tests.unit.steps.test_define import Drafted
from tests.unit.steps.world import World


class Installed:
    def ensure(self, setup: object, *_: Any, **_more: Any) -> Layer:
        return Layer("key", PurePosixPath("/layers/project"), PurePosixPath("/layers/home"))


@pytest.mark.parametrize(
    ("step", "task", "route", "given"),
    [
        (Step.RESEARCH, "", None, False),
        (Step.EXECUTE, "01-01", None, True),
        (Step.DEFINE, "", Route.FULL, False),
        (Step.DESIGN, STORIES, Route.FULL, False),
        (Step.DESIGN, REPRODUCING, Route.BUGFIX, True),
        (Step.IMPLEMENT, ATDD, Route.FULL, True),
        (Step.IMPLEMENT, FIXING, Route.BUGFIX, True),
    ],
)
def test_only_those_who_run_the_code_get_its_dependencies(
    tmp_path: Path, step: Step, task: str, route: Route | None, given: bool
) -> None:
    world = World(tmp_path, layers=Installed())
    world.ports = replace(world.ports, vault=Drafted())
    ctx = issue_context(world, step, task, route=route) if route else sample_context(world, step, task)
    policy = replace(ctx.policy, commands=Commands(setup="make setup"))
    phase = replace(ctx.phase, plan=replace(ctx.phase.plan, red=()))  # there is no sandbox here to look again
    perform(replace(ctx, phase=phase, state=replace(ctx.state.with_phase(phase), policy=policy)))
    assert world.ear.calls[0].layers == ((PurePosixPath("/layers/project"),) if given else ())
