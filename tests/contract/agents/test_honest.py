"""Honest answers of the scripted agent: valid for every role, and true to the facts it is given (T2, VRFY-01, RATE)."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from autopilot.adapters.agents.scripted import ScriptedAgent
from autopilot.adapters.sandbox.unconfined import Unconfined
from autopilot.model.agent import Ending, Role
from autopilot.model.assessment import Judgement, PlanCheck, Rating, Recommendation, Verification
from autopilot.model.claim import DebuggerClaim, ExecutorClaim, PlannerClaim, ResearchClaim
from autopilot.ports.blobs import Blobs
from autopilot.ports.reply import REPLIES, Problem, read_reply
from tests.contract.agents.harness import Watched, World

FOLDER = ".planning/phases/01-begin"
CRITERION = {"id": "phase.c1", "text": "It says hello", "command": "grep -q hello README.md", "task": ""}
FACTS = {
    "phase": {"id": "1", "name": "Begin", "goal": "Begin.", "folder": FOLDER, "requirements": ["BEG-01"]},
    "task": None,
    "criteria": [CRITERION],
}

Reply = TypeVar("Reply")
Ask = Callable[[type[Reply]], Reply]


@pytest.fixture
def ask(sandbox: Watched, blobs: Blobs, world: World, tmp_path: Path) -> Callable[[type[Any]], Any]:
    """The honest reply of the role that replies with this type."""
    script = tmp_path / "script.json"
    script.write_text("{}")
    agent = ScriptedAgent(script, sandbox, blobs, Path(sys.executable))
    tell(world, "facts.json", FACTS)

    def reply_of(kind: type[Any]) -> Any:
        [role] = [role for role, reply in REPLIES.items() if reply is kind]
        reply = agent.call(world.call(role=role))
        assert reply.ending is Ending.COMPLETED, reply.detail
        value = read_reply(reply.value, kind)
        assert not isinstance(value, Problem), value.because
        return value

    return reply_of


def tell(world: World, name: str, content: Any) -> None:
    path = world.context / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content))


def observe(world: World, *seen: str) -> None:
    words = {"text": "It says hello", "command": "grep -q hello README.md", "exit_code": 0, "excerpt": ""}
    subjects = ("phase.c1", "compile", "test")
    tell(world, "observations.json", [{"subject": s, "seen": w, **words} for s, w in zip(subjects, seen, strict=False)])


@pytest.fixture
def changed(world: World) -> World:
    (world.clone / "README.md").write_text("a project\nhello\n")
    world.git("commit", "--quiet", "-am", "say hello")
    return world


@pytest.mark.parametrize("role", Role)
def test_every_role_is_answered_with_a_valid_reply_even_without_any_facts(
    role: Role, sandbox: Watched, blobs: Blobs, world: World, tmp_path: Path
) -> None:
    script = tmp_path / "script.json"
    script.write_text("{}")
    call = world.call(role=role)
    reply = ScriptedAgent(script, sandbox, blobs, Path(sys.executable)).call(call)
    assert reply.ending is Ending.COMPLETED, reply.detail
    value = read_reply(reply.value, REPLIES[role])
    assert not isinstance(value, Problem), value.because


def test_the_researcher_lists_what_is_there(ask: Ask[ResearchClaim]) -> None:
    claim = ask(ResearchClaim)
    assert "README.md" in claim.key_findings
    assert "It says hello" in claim.recommended_approach


def test_the_planner_commits_a_plan_and_its_test_script(ask: Ask[PlannerClaim], world: World) -> None:
    claim = ask(PlannerClaim)
    assert (claim.plans_created, claim.total_tasks, claim.concerns) == (1, 1, ())
    assert world.git("show", "--name-only", "--format=").split() == [
        f"{FOLDER}/PLAN.md",
        f"{FOLDER}/tests/task-01-01.sh",
    ]


def test_the_planner_makes_no_plan_where_nothing_can_be_checked(ask: Ask[PlannerClaim], world: World) -> None:
    tell(world, "facts.json", {**FACTS, "criteria": [{**CRITERION, "command": ""}]})
    before = world.git("rev-parse", "HEAD")
    claim = ask(PlannerClaim)
    assert claim.plans_created == 0
    assert "It says hello" in claim.concerns[0]
    assert world.git("rev-parse", "HEAD") == before


def test_the_plan_checker_passes_a_sound_plan_and_names_the_faults_of_another(
    ask: Ask[PlanCheck], world: World
) -> None:
    tell(world, "plan/PLAN.md", 'BEG-01 <task id="01-01">- so -- verified by: `true`</task>')
    refused = ask(PlanCheck)
    assert not refused.passed
    assert [issue.description for issue in refused.issues] == ["task 01-01 has no test script"]
    tell(world, "plan/scripts.json", {"01-01": "exit 0"})
    assert ask(PlanCheck).passed


def test_executor_and_debugger_do_nothing_and_say_so(ask: Callable[[type[Any]], Any], world: World) -> None:
    executed: ExecutorClaim = ask(ExecutorClaim)
    assert (executed.tasks_completed, executed.commit_shas, executed.confidence) == ("0/1", (), 0.0)
    debugged: DebuggerClaim = ask(DebuggerClaim)
    assert (debugged.fixed, debugged.commits, debugged.remaining_issues) == (False, (), ("nothing was done",))
    assert world.git("status", "--porcelain") == ""


def test_reviewers_approve_what_was_seen_to_pass(ask: Callable[[type[Any]], Any], changed: World) -> None:
    observe(changed, "passed", "passed")
    verified: Verification = ask(Verification)
    assert verified.passed
    assert verified.commands_run
    reading = verified.criteria_results[0]
    assert (reading.criterion, reading.status) == ("It says hello", "verified")
    assert reading.evidence.startswith("README.md:2 -- ")
    judged: Judgement = ask(Judgement)
    assert judged.recommendation is Recommendation.PROCEED
    assert judged.independent_evidence == ("README.md:2 -- changed here",)
    rated: Rating = ask(Rating)
    assert [(each.criterion, each.score) for each in rated.scorecard] == [("It says hello", 9.6)]
    assert rated.commands_run


@pytest.mark.parametrize("seen", ["failed", "timed out", "could not be run"])
def test_reviewers_refuse_what_was_not_seen_to_pass(ask: Callable[[type[Any]], Any], changed: World, seen: str) -> None:
    observe(changed, seen, "passed")
    verified: Verification = ask(Verification)
    assert not verified.passed
    assert len(verified.failures) == 1
    assert verified.autonomous_confidence < 5
    judged: Judgement = ask(Judgement)
    assert judged.recommendation is Recommendation.DEBUG
    assert judged.concerns
    rated: Rating = ask(Rating)
    assert rated.scorecard[0].score < 5


def test_a_failing_check_counts_although_it_is_no_criterion(ask: Ask[Verification], changed: World) -> None:
    observe(changed, "passed", "failed")
    verified = ask(Verification)
    assert not verified.passed
    assert verified.failures[0].category == "compilation_failure"


def test_where_nothing_was_seen_nothing_is_approved(ask: Callable[[type[Any]], Any], changed: World) -> None:
    assert not ask(Verification).passed
    assert ask(Judgement).recommendation is Recommendation.DEBUG
    assert [each.score for each in ask(Rating).scorecard] == [3.2]


def test_without_walls_the_facts_are_read_where_they_lie(blobs: Blobs, world: World, tmp_path: Path) -> None:
    tell(world, "facts.json", FACTS)
    script = tmp_path / "script.json"
    script.write_text("{}")
    agent = ScriptedAgent(script, Unconfined(tmp_path / "state"), blobs, Path(sys.executable))
    claim = read_reply(agent.call(world.call(role=Role.RESEARCHER)).value, ResearchClaim)
    assert isinstance(claim, ResearchClaim)
    assert "It says hello" in claim.recommended_approach
