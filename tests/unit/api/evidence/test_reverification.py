"""What of an issue is run again: its tests also where they had to fail. covers: ISSUE-RED"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from autopilot.api.evidence.reverification import red_observations
from autopilot.model.evidence.observation import Seen
from autopilot.model.issue.issue import DESIGN, IMPL, Route
from tests.unit import issue_runs as runs
from tests.unit.making import make_observation

RED = make_observation("at", Seen.FAILED, command="pytest -q", commit="r" * 40)
JUDGED = (*runs.IN_IMPL, runs.iteration(1, holds=True)[0], replace(runs.judged(holds=True), red_seen=RED))


def test_the_tests_of_an_issue_are_run_again_where_they_were_red() -> None:
    state = runs.state_of(*JUDGED)
    assert [piece.seen for piece in red_observations(state, state.phase(IMPL))] == [RED]
    assert red_observations(state, state.phase(DESIGN)) == ()


@pytest.mark.parametrize("name", ["design", "implementing"])
def test_before_they_were_seen_red_there_is_nothing_to_compare_with(name: str) -> None:
    state = runs.state_of(*runs.EVERY[name])
    assert red_observations(state, state.phase(IMPL)) == ()


def test_nothing_compares_with_a_flaky_failure() -> None:
    state = runs.state_of(*JUDGED)
    assert state.issue is not None
    flaky = replace(state, issue=replace(state.issue, route=Route.FLAKY))
    assert red_observations(flaky, flaky.phase(IMPL)) == ()
