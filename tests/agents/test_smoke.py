"""A small roadmap run whole by a real agent: a scripted model answers every role, its own tools do the work.

By one of them each time, by the seed of the day. By all of them when an agent's code changed (changed.py), and in
`make chaos`, as the rest of this folder.
"""

from __future__ import annotations

import pytest

from tests.agents.changed import agents_changed
from tests.agents.meeting import AGENTS, WHOLE, Meeting, counted, landed, replies
from tests.chaos.level import LEVEL
from tests.seed import chance

ASKED = AGENTS if LEVEL.every_story or agents_changed() else (chance("smoke").choice(AGENTS),)


@pytest.mark.parametrize("name", ASKED)
def test_a_roadmap_is_run_whole_by_a_real_agent(meet: Meeting, name: str) -> None:
    world = meet(name, plot=WHOLE)
    ran = world.autopilot("run", "all")
    landed(world, ran)
    counted(world)
    asked = [event.role.value for event in replies(world)]
    reviewers = ["verifier", "judge", "judge", "rater"]
    assert asked == ["researcher", "planner", "plan_checker", "executor", "mini_verifier", *reviewers]
    assert all(event.agent == name and event.version and event.usage.usd > 0 for event in replies(world))
    assert world.autopilot("log", "verify").status == 0
