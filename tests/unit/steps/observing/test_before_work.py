"""Before the work: what was seen at the same tree is not run again, what may have changed since is."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from msgspec.structs import replace

from autopilot.events.pieces import StepState
from autopilot.events.state import RunState
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.git import Change
from autopilot.model.planning.criterion import Expectation, Strength
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import PhaseStatus, Step
from autopilot.ports.sandbox import Exited, Outcome
from autopilot.steps.observing.before_work import observe_before
from autopilot.steps.observing.observing import Check
from tests.unit.making import START, make_observation, make_phase, make_state
from tests.unit.steps.world import Answering, Tree, World

# covers: T8, T8.R
CHECKS = [Check(name, f"make {name}", Expectation(), Strength.COMMAND, 60.0) for name in ("lint", "test", "01-01.c1")]
LATER = START + timedelta(hours=1)
TWO = PhaseId("2")


class Since(Tree):
    """Between any two commits these files changed; between a commit and itself none."""

    def __init__(self, *paths: str) -> None:
        super().__init__({})
        self._paths = paths

    def changes(self, old: str, new: str, most: int | None = None) -> tuple[Change, ...]:
        return tuple(Change(path, "M", "100644", "100644") for path in self._paths if old != new)


def seen_at(commit: str, *subjects: str, **more: Any) -> tuple[Observation, ...]:
    return tuple(make_observation(name, command=f"make {name}", commit=commit, **more) for name in subjects)


def run_before(folder: Path, state: RunState, *changed: str) -> tuple[list[str], tuple[Observation, ...]]:
    """What had to be run at the commit ``now``, and what is known there."""
    sandbox = Answering({command.command: Outcome(Exited(1), b"") for command in CHECKS})
    world = World(folder, sandbox=sandbox)
    world.ports = replace(world.ports, vault=cast(Any, Since(*changed)))
    context = world.context(state, state.phases[TWO], Step.PLAN_CHECK)
    seen = observe_before(context, "now", ".planning", CHECKS)
    return [spec.argv[-1] for spec in sandbox.specs], seen


def after_a_phase(status: PhaseStatus = PhaseStatus.COMPLETED, **more: Any) -> RunState:
    """A phase has been verified at its last commit, and the next one begins."""
    seen = seen_at("then", "lint", "test", "01-01.c1", legacy=2, **more)
    steps = {Step.VERIFY.value: StepState("completed", started_at=LATER)}
    done = make_phase(steps=steps, status=status, observed_commit="then", observations=seen)
    return make_state(done, make_phase(TWO))


@pytest.mark.parametrize(
    ("changed", "run"),
    [
        ((), ["make 01-01.c1"]),
        ((".planning/phases/02/PLAN.md",), ["make lint", "make 01-01.c1"]),  # lint may read documents
        ((".planning/STATE.md", "src/app.py"), ["make lint", "make test", "make 01-01.c1"]),
    ],
)
def test_the_checks_of_the_phase_before_are_not_run_again_unless_more_than_plans_came_since(
    tmp_path: Path, changed: tuple[str, ...], run: list[str]
) -> None:
    ran, seen = run_before(tmp_path, after_a_phase(), *changed)
    assert ran == run
    reused = [observation for observation in seen if observation.commit == "then"]
    assert len(reused) == 3 - len(run)
    assert all(observation.legacy == 0 for observation in reused), "how it compared with another base says nothing here"


def test_what_was_seen_before_a_resume_or_in_a_phase_that_did_not_pass_is_run_again(tmp_path: Path) -> None:
    everything = ["make lint", "make test", "make 01-01.c1"]
    resumed = make_state(*after_a_phase().phases.values(), active_since=LATER + timedelta(seconds=1))
    assert run_before(tmp_path, resumed)[0] == everything
    assert run_before(tmp_path, after_a_phase(PhaseStatus.FAILED))[0] == everything
    assert run_before(tmp_path, after_a_phase(seen=Seen.NOTHING))[0] == everything


def test_what_triage_saw_counts_at_the_very_commit_alone(tmp_path: Path) -> None:
    for commit, run in (("now", ["make lint", "make test"]), ("then", ["make lint", "make test", "make 01-01.c1"])):
        state = make_state(make_phase(TWO, triage=seen_at(commit, "01-01.c1")))
        assert run_before(tmp_path, state)[0] == run
