"""What agents are told: builders the task, reviewers criteria and observations, no one's claims (VRFY-01, T2)."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from autopilot.engine.performing import STEPS
from autopilot.events.state import PhaseState
from autopilot.model.criterion import Criterion
from autopilot.model.run import Step
from autopilot.steps.knowing import every_criterion, facts, facts_for_review, facts_with_findings
from tests.unit.making import make_criterion, make_observation, make_phase
from tests.unit.steps.sample import HEARSAY, sample_context, sample_phase, sample_world
from tests.unit.steps.world import World

# covers: VRFY-01, RATE, T2, T3.reviewers
REVIEWS = (Step.VERIFY, Step.JUDGE, Step.RATE)


def listen(world: World, step: Step, task: str = "") -> World:
    """Let the step come to its question; the agent's answer does not matter."""
    next(STEPS[step](sample_context(world, step, task)))
    return world


@pytest.mark.parametrize("step", REVIEWS)
def test_a_reviewer_is_told_nothing_that_anyone_said(tmp_path: Path, step: Step) -> None:
    told = listen(sample_world(tmp_path), step).told()
    assert HEARSAY not in told
    assert "part 3 works" in told and "make check-3" in told


def test_the_sample_would_show_a_leak(tmp_path: Path) -> None:
    """The control: the record is full of what was said, and a planner is told some of it."""
    assert msgspec.json.encode(sample_phase(Step.VERIFY)).decode().count(HEARSAY) > 8
    assert HEARSAY in listen(sample_world(tmp_path), Step.PLAN).told()


@pytest.mark.parametrize("step", REVIEWS)
def test_a_reviewer_looks_at_two_commits_without_logs_and_without_other_reviews(tmp_path: Path, step: Step) -> None:
    world = listen(sample_world(tmp_path), step)
    names = {path.rsplit("/", 1)[-1] for path in world.places.left_out}
    assert names >= {"EXECUTION-LOG.md", "HANDOFF.md", "VERIFICATION.md", "JUDGE-REPORT.md", "SCORECARD.md"}
    assert str(world.ear.calls[0].workspace).startswith("/reviews/")


@pytest.mark.parametrize("step", REVIEWS)
def test_a_reviewer_is_given_what_we_saw_ourselves(tmp_path: Path, step: Step) -> None:
    world = listen(sample_world(tmp_path), step)
    seen = json.loads(world.places.files["observations.json"])
    assert {(row["subject"], row["text"], row["seen"]) for row in seen} >= {("01-01.c1", "part 1 works", "passed")}
    assert set(seen[0]) == {"subject", "text", "command", "seen", "exit_code", "excerpt"}


def test_facts_for_review_hold_the_phase_and_its_criteria_and_nothing_else() -> None:
    files = facts_for_review(sample_phase(Step.JUDGE), (make_observation("01-01.c1"),))
    assert set(files) == {"facts.json", "observations.json"}
    found = json.loads(files["facts.json"])
    assert set(found) == {"phase", "task", "criteria"}
    assert found["task"] is None
    assert set(found["phase"]) >= {"id", "name", "goal", "folder", "requirements"}
    assert {key for row in found["criteria"] for key in row} <= {*Criterion.__struct_fields__, "task"}


def test_an_executor_is_told_its_own_task(tmp_path: Path) -> None:
    world = listen(sample_world(tmp_path), Step.EXECUTE, "01-02")
    found = json.loads(world.places.files["facts.json"])
    assert found["task"]["id"] == "01-02"
    assert "part_2.py" in world.ear.calls[0].prompt and "Write part 1" not in world.ear.calls[0].prompt


def test_a_debugger_is_also_told_what_was_seen_to_be_wrong(tmp_path: Path) -> None:
    world = listen(sample_world(tmp_path), Step.DEBUG, "01-01")
    findings = world.places.files["findings.md"].decode()
    assert "part 1 works: the check failed after the change" in findings
    assert "AssertionError: part is missing" in findings and "AssertionError: part is missing" in world.told()


def test_findings_come_beside_the_facts_they_are_about() -> None:
    phase = sample_phase(Step.DEBUG)
    task = phase.tasks["01-01"].task
    files = facts_with_findings(phase, task, ["one", "two"])
    assert files["facts.json"] == facts(phase, task)["facts.json"]
    assert files["findings.md"].decode().endswith("- one\n- two\n")


def test_the_criteria_are_the_plans_or_without_a_plan_the_roadmaps() -> None:
    planned = sample_phase(Step.VERIFY)
    assert [task for task, _ in every_criterion(planned)] == ["01-01", "01-01", "01-02", "01-02", "01-03", "01-03"]
    unplanned: PhaseState = replace(make_phase(), criteria=(make_criterion("phase.c1"),))
    assert [(task, c.id) for task, c in every_criterion(unplanned)] == [("", "phase.c1")]
