"""A service that fails beside a check: FAIL where the work broke it, nothing seen where anything else did."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from autopilot.model.conditions import Conditions, Daemon, Reach
from autopilot.model.evidence.observation import Observation, Seen, Trouble
from autopilot.model.planning.criterion import Expectation, Strength
from autopilot.model.policy import Policy
from autopilot.model.run import Step
from autopilot.ports.sandbox import DaemonLost, Exited, NeverRan, Outcome
from autopilot.steps.observing.observing import Check, observe, observe_made
from tests.unit.making import make_phase, make_state
from tests.unit.steps.world import World

# covers: T5.services, CRIT
CHECK = Check("01-01.c1", "make it", Expectation(), Strength.COMMAND, 60.0)
OTHER = replace(CHECK, subject="01-01.c2", command="make more")
DATABASE = Daemon("db", "postgres", port=5432)
POLICY = Policy(conditions=Conditions((DATABASE,), Reach.LOOPBACK, (9000,), ("KEY",)))
NOT_READY = Outcome(NeverRan("the service db was not ready within 30 s", "db"))
LOST = Outcome(DaemonLost("the service db was gone when the command ended"), b"1 passed\n")
GREEN = Outcome(Exited(0))


def see(world: World, *, at_base: bool = False, commit: str = "tip") -> tuple[Observation, ...]:
    phase = make_phase()
    phase = replace(phase, line=replace(phase.line, base="base"))
    ctx = world.context(make_state(policy=POLICY), phase, Step.VERIFY)
    return observe(ctx, commit, [CHECK, OTHER], at_base=at_base)


def backings(world: World) -> list[str]:
    assert world.sandbox is not None
    return [spec.backing.name for spec in world.sandbox.specs]


def test_every_check_runs_under_the_conditions_of_its_run(tmp_path: Path) -> None:
    world = World(tmp_path, GREEN)
    see(world)
    assert world.sandbox is not None
    for spec in world.sandbox.specs:
        assert (spec.services, spec.grants, spec.network) == ((DATABASE,), ("KEY",), False)
        assert spec.egress is not None and (spec.egress.local_ports, spec.egress.is_proxied) == ((9000,), False)


def test_one_that_is_ready_at_the_next_try_is_no_trouble(tmp_path: Path) -> None:
    assert [seen.seen for seen in see(World(tmp_path, NOT_READY, GREEN))] == [Seen.PASSED, Seen.PASSED]


def test_one_that_is_ready_before_the_change_and_not_after_it_was_broken_by_the_work(tmp_path: Path) -> None:
    world = World(tmp_path, NOT_READY, NOT_READY, NOT_READY, GREEN)
    first, second = see(world)
    assert (first.seen, first.trouble) == (Seen.FAILED, Trouble.SERVICE)
    assert first.reason == "the service db was not ready within 30 s; before the change it is ready"
    assert (second.subject, second.seen, second.reason) == (OTHER.subject, first.seen, first.reason)
    assert backings(world) == ["tip", "tip", "tip", "base"], "three tries, and the control; the second check needs none"


def test_one_that_is_ready_on_neither_proves_nothing_about_the_work(tmp_path: Path) -> None:
    first, second = see(World(tmp_path, NOT_READY))
    assert {first.seen, second.seen} == {Seen.NOTHING}
    assert "`autopilot doctor` tries it" in first.reason


@pytest.mark.parametrize("outcome", [NOT_READY, LOST])
def test_before_the_work_it_is_no_red(tmp_path: Path, outcome: Outcome) -> None:
    assert {seen.seen for seen in see(World(tmp_path, outcome), at_base=True)} == {Seen.NOTHING}
    assert {seen.seen for seen in see(World(tmp_path, outcome), commit="base")} == {Seen.NOTHING}


def test_one_that_is_gone_at_the_end_takes_a_green_with_it(tmp_path: Path) -> None:
    world = World(tmp_path, LOST)
    first, _ = see(world)
    assert (first.seen, first.trouble, first.exit_code) == (Seen.FAILED, Trouble.SERVICE_LOST, None)
    assert backings(world) == ["tip", "tip"], "once for each check: a second try could hide what ends it"


@pytest.mark.parametrize(("is_spoiled", "seen"), [(True, Seen.FAILED), (False, Seen.NOTHING)])
def test_on_a_tree_made_for_a_check_it_counts_only_where_the_product_was_spoiled(
    tmp_path: Path, is_spoiled: bool, seen: Seen
) -> None:
    world = World(tmp_path, NOT_READY, NOT_READY, NOT_READY, GREEN)
    ctx = world.context(make_state(policy=POLICY), make_phase(), Step.VERIFY)
    (observation,) = observe_made(ctx, "made", "origin", [CHECK], is_spoiled=is_spoiled)
    assert (observation.seen, observation.trouble) == (seen, Trouble.SERVICE)
