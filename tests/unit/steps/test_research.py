"""Research: who looks into a phase knows what you decided, what is finished, and how it went the last time (RES)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.engine.performing import STEPS
from autopilot.model.agent import AgentReply, Ending
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import PhaseStatus, Step
from tests.unit.making import alter, make_brief, make_phase, make_state, policy_of
from tests.unit.steps.world import World

# covers: RES
FOLDER = make_brief().folder
SAID = {"key_findings": ["small"], "recommended_approach": "write it", "risks": [], "open_questions": []}


def prompt(folder: Path, files: dict[str, bytes] | None = None, **more: Any) -> str:
    world = World(folder, files=files or {})
    world.ear.reply = AgentReply(Ending.COMPLETED, value=SAID)
    done = make_phase(PhaseId("2"), status=PhaseStatus.COMPLETED)
    phase = alter(make_phase(), **more)
    state = make_state(done, phase, policy=policy_of(agents={"default": "ear"}))
    running = STEPS[Step.RESEARCH](world.context(state, phase, Step.RESEARCH))
    next(running)
    return world.ear.calls[0].prompt


def test_finished_phases_are_named(tmp_path: Path) -> None:
    assert make_brief(PhaseId("2")).folder in prompt(tmp_path)


def test_what_the_user_decided_is_named_and_said_to_win(tmp_path: Path) -> None:
    said = prompt(tmp_path, {f"{FOLDER}/01-CONTEXT.md": b"use sqlite\n"})
    assert f"What the user decided (it takes precedence over your own assumptions):\n- {FOLDER}/01-CONTEXT.md" in said


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({}, "It was not executed before."),
        ({"attempt": 2}, "It was executed before"),
        ({"replans": 1, "replan_score": 6.1, "replan_issues": ("the sum is wrong",)}, "- the sum is wrong"),
        ({"replans": 1, "replan_score": 6.1, "replan_issues": ("the sum is wrong",)}, "scored 6.1/10"),
    ],
)
def test_how_it_went_the_last_time_is_told(tmp_path: Path, more: dict[str, Any], words: str) -> None:
    assert words in prompt(tmp_path, **more)


def test_without_mapped_requirements_they_are_to_be_derived_from_the_goal(tmp_path: Path) -> None:
    assert "none mapped: derive them from the goal" in prompt(tmp_path, brief=replace(make_brief(), requirements=()))
