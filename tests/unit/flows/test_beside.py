"""Runs of several phases at once without a world: whatever happens, the line takes one at a time and nothing is lost.

covers: LOOP-4, LOOP-2, LOOP-3, RES-1
"""

from __future__ import annotations

import pytest

from autopilot.events import happened as h
from autopilot.events import recovery as r
from autopilot.events.people import HumanAnswered
from autopilot.flows.command import Command, Halt
from autopilot.model.run import PhaseStatus, RunStatus
from tests.unit.flows import test_simulation as alone
from tests.unit.flows import walk_beside as beside
from tests.unit.flows.playing import always_well
from tests.unit.flows.stage import Stage
from tests.unit.flows.walk_beside import GRAPHS, Walk, briefs, walk_by_lot
from tests.unit.making import make_policy, make_started

BLOCKS = range(20)
CHUNK = 10
WAITS = 342  # a seed whose run waits at its end: few do


def look_at_everything(stage: Stage, command: Command) -> None:
    for law in (
        alone.steps_are_for_what_is_open,
        alone.chances_are_bounded,
        alone.a_resume_moves_on,
        alone.work_is_given_back_before_a_failure,
        alone.reviews_rest_on_green_evidence,
        alone.landing_follows_a_pass,
        alone.who_is_asked_can_be_asked,
        alone.a_sleep_has_an_end,
        beside.one_at_a_time_is_on_the_line,
        beside.whoever_is_made_to_fit_keeps_its_place,
        beside.a_phase_begins_with_all_it_needs,
        beside.only_what_is_blocked_is_left_out,
        beside.nothing_begins_beyond_a_checkpoint,
        beside.nobody_is_asked_twice_about_the_same,
        beside.a_cap_stops_what_would_spend,
        beside.steps_under_way_are_those_of_their_phases,
    ):
        law(stage, command)
    if not (isinstance(command, Halt) and command.reason.startswith("you stopped the run at checkpoint")):
        alone.a_halt_says_why(stage, command)


def check_its_end(stage: Stage) -> None:
    alone.check_what_completed(stage)
    beside.nothing_of_anybody_is_lost(stage)
    beside.all_that_could_be_done_is_done(stage)


@pytest.mark.parametrize("block", BLOCKS)
def test_whatever_happens_side_by_side_a_run_comes_to_rest_and_every_law_holds(block: int) -> None:
    for seed in range(block * CHUNK, (block + 1) * CHUNK):
        walk = walk_by_lot(seed)
        try:
            check_its_end(walk.play(look_at_everything))
        except (AssertionError, KeyError, ValueError) as broken:
            broken.add_note(f"seed {seed}: {[stored.key for stored in walk.history[-6:]]}")
            raise


@pytest.mark.parametrize("graph", GRAPHS)
@pytest.mark.parametrize("at_once", [2, 3, 4])
def test_when_all_goes_well_as_many_as_may_are_at_work_and_all_land(
    graph: dict[int, tuple[int, ...]], at_once: int
) -> None:
    walk = Walk(make_started(*briefs(graph), policy=make_policy(parallel_phases=at_once)), always_well)
    most = 0

    def look(stage: Stage, command: Command) -> None:
        nonlocal most
        look_at_everything(stage, command)
        most = max(most, len(stage.state.at_work))

    walk.play(look)
    assert (walk.state.status, walk.state.session.exit_status) == (RunStatus.COMPLETED, 0)
    assert all(phase.landing.state == "landed" for phase in walk.state.phases.values())
    assert 2 <= most <= at_once


def test_the_walks_meet_what_they_are_about() -> None:
    """The control: conflicts, deferrals, verdicts, checkpoints either way, phases left out, and a full end."""
    seeds = (*range(len(BLOCKS) * CHUNK), WAITS)
    walks = [walk_by_lot(seed).play() for seed in seeds]
    met = {type(stored.event) for walk in walks for stored in walk.history}
    kinds = {h.PhaseSkipped, h.PhaseFailed, r.ConflictFound, r.Resolved, r.PhaseDeferred, r.VerdictGiven, r.SplitAgreed}
    assert kinds <= met
    said = {s.event.approved for walk in walks for s in walk.history if isinstance(s.event, HumanAnswered)}
    assert said == {True, False}
    assert {walk.state.status for walk in walks} == {*RunStatus} - {RunStatus.RUNNING}
    assert any(
        p.status is PhaseStatus.COMPLETED and p.split.conflict is None and p.split.resolutions
        for w in walks
        for p in w.state.phases.values()
    )
