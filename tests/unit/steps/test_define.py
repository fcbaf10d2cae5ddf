"""Define: of what an analyst writes only prd.md is taken, and whatever else there is says why it is not (AL-1).

covers: AL-1
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, cast

import pytest
from msgspec.structs import replace

from autopilot.events.issue.happened import Defined
from autopilot.events.pieces import StepState
from autopilot.model.agent import AgentReply, Ending, Role
from autopilot.model.git import Change
from autopilot.model.issue.issue import DESIGN, Decision, SeedFinding
from autopilot.model.run import Step
from autopilot.steps.context import Result, StepContext
from tests.unit.making import START
from tests.unit.steps.asking.test_asking import perform
from tests.unit.steps.issue_sample import BRIEF, PRD, issue_context
from tests.unit.steps.sample import sample_world
from tests.unit.steps.world import Checkout, Tree, World

BRANCH = f"autopilot/{BRIEF.branch}"

TEXT = b"# Requirements\n\n## Outcome\n\n- by year\n"
CLAIM = {
    "decisions": [
        {"file": PRD, "line": 5, "text": "by year"},
        {"file": PRD, "line": 6, "text": "behind its end"},
        {"file": "elsewhere.md", "line": 1, "text": "no such file"},
    ],
    "questions": ["Rising or falling?", "  "],
}


class Drafted(Tree):
    """A vault in which an analyst committed these paths on top of the tip."""

    def __init__(self, *paths: str, text: bytes = TEXT) -> None:
        super().__init__({PRD: text} if PRD in paths else {})
        self._paths = paths
        self.made: list[tuple[str, tuple[str, ...], str]] = []

    def changes(self, old: str, new: str, most: int | None = None) -> tuple[Change, ...]:
        return tuple(Change(path, "A", "000000", "100644") for path in self._paths)

    def is_ancestor(self, ancestor: str, commit: str) -> bool:
        return True

    def tree_of(self, commit: str) -> str:
        return f"tree-of-{commit}"

    def commit(self, tree: str, parents: Sequence[str], subject: str, at: datetime, author: object) -> str:
        self.made.append((tree, tuple(parents), subject))
        return "ours"

    def take(self, clone: Path, keep_as: str) -> str:
        return "head" if self._paths else "tip"


def context(world: World, **fields: Any) -> StepContext:
    return issue_context(world, Step.DEFINE, **fields)


def define(folder: Path, vault: Drafted, reply: AgentReply | None = None, **fields: Any) -> tuple[World, Result]:
    world = sample_world(folder)
    world.ear.reply = reply or AgentReply(Ending.COMPLETED, value=CLAIM)
    world.ports = replace(world.ports, vault=vault)
    _, result = perform(context(world, **fields))
    return world, result


def test_a_draft_becomes_a_commit_of_ours_with_its_questions_in_one_batch(tmp_path: Path) -> None:
    vault = Drafted(PRD)
    world, result = define(tmp_path, vault)
    assert result.status == "completed"
    points = (Decision(PRD, 5, "by year"),)
    assert result.events == (Defined(DESIGN, "ours", ("Rising or falling?",), points, BRANCH),)
    assert vault.made == [("tree-of-head", ("tip",), "docs: requirements (#24)")]
    assert world.ear.calls[0].role is Role.ANALYST
    assert cast(Checkout, world.ports.checkout).offered == {BRIEF.branch: "ours"}  # where the user reads it


def test_the_analyst_reads_the_issue_and_what_the_user_said_of_the_draft_before(tmp_path: Path) -> None:
    seeds = (SeedFinding("by year, please"), SeedFinding("Rising or falling?: rising"))
    world, _ = define(tmp_path, Drafted(PRD), seeds=seeds)
    papers = world.places.files
    assert papers["issue.md"].decode() == BRIEF.text
    assert [f["evidence_ref"] for f in json.loads(papers["findings.json"])] == [s.evidence_ref for s in seeds]
    assert "- [P0] Rising or falling?: rising\n" in world.ear.calls[0].prompt


@pytest.mark.parametrize(
    ("vault", "reason"),
    [
        (Drafted(), "the agent committed nothing"),
        (Drafted(PRD, "shelf.py"), "shelf.py: only"),
        (Drafted(f"{BRIEF.folder}/plan.md"), "plan.md: only"),
        (Drafted(PRD, f"{BRIEF.folder}/autopilot-log.jsonl"), "autopilot-log.jsonl: only"),
        (Drafted(PRD, ".planning/config.json"), ".planning"),
        (Drafted(PRD, text=b" \n"), f"{PRD} is missing or empty"),
        (Drafted(PRD, text=b"# Sorting\n\nStatus: approved\n"), f"{PRD} is marked as approved"),
    ],
)
def test_what_is_no_draft_alone_is_not_taken_and_it_is_said_why(tmp_path: Path, vault: Drafted, reason: str) -> None:
    _, result = define(tmp_path, vault)
    assert (result.status, result.events, vault.made) == ("error", (), [])
    assert reason in result.detail


def test_whoever_is_asked_again_is_told_why_the_last_draft_was_refused(tmp_path: Path) -> None:
    world = sample_world(tmp_path)
    world.ports = replace(world.ports, vault=Drafted(PRD))
    ctx = context(world)
    told = replace(ctx.phase, steps={"define": StepState(started_at=START, notice="shelf.py: nothing but prd.md")})
    perform(replace(ctx, phase=told))
    assert "shelf.py: nothing but prd.md" in world.ear.calls[0].prompt


def test_a_draft_counts_although_its_author_said_nothing_that_fits(tmp_path: Path) -> None:
    _, result = define(tmp_path, Drafted(PRD), AgentReply(Ending.COMPLETED, text="Done."))
    assert result.events == (Defined(DESIGN, "ours", branch=BRANCH),)


@pytest.mark.parametrize(
    ("ending", "status"),
    [(Ending.RATE_LIMITED, "put_off"), (Ending.BUDGET, "unproven"), (Ending.CRASHED, "error")],
)
def test_who_left_no_draft_for_a_limit_is_not_to_blame(tmp_path: Path, ending: Ending, status: str) -> None:
    _, result = define(tmp_path, Drafted(), AgentReply(ending))
    assert (result.status, result.events) == (status, ())
