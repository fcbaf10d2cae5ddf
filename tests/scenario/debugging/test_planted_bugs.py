"""Six planted bugs, each session killed twice and resumed, each ending in a proven fix that landed.

covers: DEBUG, R-KILL
"""

from __future__ import annotations

from pathlib import Path

import pytest

from autopilot.model.debugging.repeats import greens_wanted
from autopilot.model.debugging.session import Candidate, Status
from tests.chaos.session import Session, hold_session
from tests.scenario.kit.debugging.planted_bugs import BAD, PLANTED, Planted

pytestmark = pytest.mark.one_in(6)
KILLED_AFTER = (7, 6)  # appends that brought something new


@pytest.mark.parametrize("bug", PLANTED, ids=lambda bug: bug.name)
def test_a_planted_bug_is_found_and_its_fix_proven_although_the_session_is_killed_twice(
    bug: Planted, tmp_path: Path
) -> None:
    world = bug.make(tmp_path)
    words = Session(("debug", "start", bug.text, *bug.options), 0)
    for appends in KILLED_AFTER:
        hold_session(world, words, most=appends)
        assert world.session.ending is None, "it was killed on its way"
    hold_session(world, words)
    session = world.session
    assert session.status is Status.RESOLVED and session.is_proven, session.trouble
    assert world.run_state.session.exit_status == 0 and world.git("status", "--short") == ""
    assert len(world.git("log", "--format=%H", "--grep=^fix: ").split()) == 1
    judged = session.judged
    assert judged is not None and judged.repeats.runs == judged.wanted == greens_wanted(session.repeats)
    if bug.name == "race":
        assert 0 < session.repeats.failures < session.repeats.runs >= 20
    if bug.name == "regression":
        assert session.bisection is not None
        bad = {i for i, tested in session.bisection.tested.items() if tested.result is Candidate.BAD}
        assert min(bad) == BAD - 1 and len(session.bisection.tested) <= 9
        assert f"step {BAD}" in world.read(session.brief.archived_path)
