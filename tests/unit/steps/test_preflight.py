"""Preflight: whoever starts a phase that says too little is told before it costs anything, and it goes on (CMAP-05).

covers: CMAP-05
"""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from msgspec.structs import replace

from autopilot.engine.performing import STEPS
from autopilot.events.happened import PreflightDone
from autopilot.model.intent import ContextAnswer, Intent
from autopilot.model.run import SpecLock, Step
from autopilot.planning.spec import spec_hash
from autopilot.steps.context import Result
from tests.unit.making import ONE, make_brief, make_criterion, make_phase, make_policy, make_state
from tests.unit.steps.world import World

SPEC = "- [ ] **REQ-1**: A book can be added with title and author\n"
KNOWN = make_brief(criteria=(make_criterion("phase.c1"),))


class Quiet:
    """A clean checkout with a spec in it."""

    path = Path("/home/you/project")

    def read(self, path: str) -> bytes | None:
        return SPEC.encode() if path.endswith("REQUIREMENTS.md") else None

    def list(self, prefix: str = "") -> tuple[str, ...]:
        return ()

    def facts(self) -> Any:
        return SimpleNamespace(dirty=())


def warnings(folder: Path, spec: str = SPEC, **more: Any) -> tuple[str, ...]:
    world = World(folder, files={".planning/REQUIREMENTS.md": spec.encode()})
    phase = replace(make_phase(), brief=more.pop("brief", KNOWN), parent=more.pop("parent", None))
    lock = SpecLock(".planning/REQUIREMENTS.md", spec_hash(SPEC))
    state = make_state(phase, spec=lock, policy=make_policy(confined=False), **more)
    ports = replace(world.ports, checkout=cast(Any, Quiet()))
    running = STEPS[Step.PREFLIGHT](replace(world.context(state, phase, Step.PREFLIGHT), ports=ports))
    with pytest.raises(StopIteration) as end:
        next(running)
    result: Result = end.value.value
    [done] = result.events
    assert result.status == "pass" and isinstance(done, PreflightDone)
    return done.warnings


def test_a_phase_that_says_enough_is_started_without_a_word(tmp_path: Path) -> None:
    assert warnings(tmp_path) == ()


@pytest.mark.parametrize(
    ("brief", "said"),
    [
        (replace(KNOWN, goal="[To be planned]"), "low context confidence (2/10): its goal is not written yet"),
        (replace(KNOWN, requirements=("GONE-1",)), "low context confidence (4/10): the spec maps no requirement to it"),
        (replace(KNOWN, criteria=()), "low context confidence (4/10): none of its success criteria can be run"),
    ],
)
def test_a_phase_that_says_too_little_is_started_with_a_warning(tmp_path: Path, brief: Any, said: str) -> None:
    assert warnings(tmp_path, brief=brief) == (f"{said}; consider `autopilot run --map 1` first",)


@pytest.mark.parametrize(
    "more",
    [
        {"intent": Intent(map=True, complete=True)},
        {"context": {ONE: (ContextAnswer("What?", "this"),)}},
        {"parent": ONE},
    ],
)
def test_who_was_asked_already_is_not_warned_again(tmp_path: Path, more: dict[str, Any]) -> None:
    assert warnings(tmp_path, brief=replace(KNOWN, goal="TBD"), **more) == ()
