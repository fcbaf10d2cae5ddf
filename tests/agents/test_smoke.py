"""A small roadmap run whole by each real agent: a scripted model answers every role, their own tools do the work.

This runs each time. The rest of this folder does when an agent's code changed (changed.py), and in `make chaos`.
"""

from __future__ import annotations

import pytest

from tests.agents.meeting import AGENTS, WHOLE, Meeting, counted, landed, replies


@pytest.mark.parametrize("name", AGENTS)
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
