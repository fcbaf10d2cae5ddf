"""The records of an issue grow and nothing of them is lost; what decides is the design that was approved last.

covers: AL-2, AL-4, ISSUE-AUDIT, ISSUE-RED
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.events.issue.happened import AnchorPinned, ConvergenceHalted, IterationRecorded, WorkTaken
from autopilot.events.issue.rooms import Round
from autopilot.model.agent import AgentReply, Ending
from autopilot.model.evidence.observation import Seen
from autopilot.model.issue.issue import DESIGN, IMPL, PLAN_AND_TESTS, STORIES, HaltReason, SeedFinding
from autopilot.model.run import Step
from autopilot.planning.issue.audit_log import count_lines, head_of
from autopilot.steps.context import StepContext
from autopilot.steps.issue.design import _checked
from autopilot.steps.issue.issue_context import approved_at, at_command
from autopilot.steps.issue.oracle_atdd import see_red
from autopilot.steps.observing.texts import LARGEST_TEXT
from tests.unit.making import make_observation
from tests.unit.steps.asking.test_asking import perform
from tests.unit.steps.issue_sample import FOLDER, issue_context
from tests.unit.steps.sample import sample_world
from tests.unit.steps.world import Tree

LOG = f"{FOLDER}/autopilot-log.jsonl"
OLD = b'{"iteration":1,"step":"old","verdict":"PASS","fingerprint":"aa","note":"' + b"x" * 200 + b'"}\n'


class Growing(Tree):
    """A vault whose edits can be looked at."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        super().__init__(files)
        self.edits: dict[str, bytes | None] = {}

    def edit_tree(self, commit: str, edits: Mapping[str, bytes | None]) -> str:
        self.edits.update(edits)
        return "tree"

    def commit(self, tree: str, parents: Sequence[str], subject: str, at: datetime, author: object) -> str:
        return "ours"


class Untouched(Tree):
    """A vault whose agent committed nothing."""

    def take(self, clone: Path, keep_as: str) -> str:
        return "tip"


def context(folder: Path, vault: Tree, step: Step, task: str = "", **fields: Any) -> StepContext:
    world = sample_world(folder)
    world.ports = replace(world.ports, vault=vault)
    return issue_context(world, step, task, **fields)


def test_a_log_of_any_length_keeps_every_row_that_was_there(tmp_path: Path) -> None:
    old = OLD * (LARGEST_TEXT // len(OLD) + 1)
    vault = Growing({LOG: old})
    rounds = {STORIES: Round(1, WorkTaken(DESIGN, STORIES, 1, "c"))}
    known = {"lines": count_lines(old.decode()), "head": head_of(old.decode())}
    ctx = context(tmp_path, vault, Step.RECORD, STORIES, rounds=rounds, **known)
    _, result = perform(ctx)
    assert (vault.edits[LOG] or b"").startswith(old)
    (event,) = result.events
    assert isinstance(event, IterationRecorded)
    assert (event.lines, event.broken) == (known["lines"] + 1, "")


def test_rows_that_nobody_can_read_end_it_without_another_row(tmp_path: Path) -> None:
    """covers: ISSUE-ENDINGS"""
    vault = Growing({LOG: b"not a row\n"})
    rounds = {STORIES: Round(1, WorkTaken(DESIGN, STORIES, 1, "c"))}
    _, result = perform(context(tmp_path, vault, Step.RECORD, STORIES, rounds=rounds))
    (halted,) = result.events
    assert isinstance(halted, ConvergenceHalted)
    assert (halted.reason, halted.commit, vault.edits) == (HaltReason.RECORD, "", {})


def pinned(commit: str) -> dict[str, AnchorPinned]:
    return {"autopilot-design.pin": AnchorPinned(IMPL, "autopilot-design.pin", (), "f" * 64, commit, 0)}


def test_the_design_that_counts_is_the_one_that_was_approved_last(tmp_path: Path) -> None:
    known = {"baseline_commit": "first", "pins": pinned("second"), "design_approved_by": "you"}
    ctx = context(tmp_path, Tree({}), Step.IMPLEMENT, **known)
    assert approved_at(ctx) == "second"
    assert approved_at(context(tmp_path, Tree({}), Step.IMPLEMENT, **known, repin=True)) == "tip"


def test_red_that_was_seen_by_another_command_is_not_taken_for_it(tmp_path: Path) -> None:
    work = WorkTaken(IMPL, "running-atdd-cycle", 1, "c", "red")
    seen = make_observation("at", Seen.FAILED, command="another", commit="red")
    ctx = context(tmp_path, Tree({}), Step.IMPLEMENT, baseline_red=seen)
    assert see_red(ctx, work).seen.command == at_command(ctx) != "another"
    same = replace(seen, command=at_command(ctx))
    assert see_red(context(tmp_path, Tree({}), Step.IMPLEMENT, baseline_red=same), work).seen == same


def test_a_design_with_an_id_for_two_things_is_made_again(tmp_path: Path) -> None:
    stories = {f"{FOLDER}/user-stories.md": b"### AC-1: rows\n\n### AC-1: columns\n"}
    tests = {
        f"{FOLDER}/plan.md": b"# Plan\n",
        f"{FOLDER}/acceptance-tests.md": b"- [ ] [planned] AT-001: a\n- [ ] [planned] AT-001: b\n",
    }
    for step, files, reason in (
        (STORIES, stories, "user-stories.md:3: AC-1 is defined a second time, with another text"),
        (PLAN_AND_TESTS, tests, "acceptance-tests.md:2: AT-001 appears twice"),
    ):
        ctx = context(tmp_path, Tree(files), Step.DESIGN, step)
        assert _checked(ctx, WorkTaken(DESIGN, step, 1, "c")).refusal == reason


@pytest.mark.parametrize(
    ("about", "left"),
    [(("plan",), True), (("plan", "tests"), True), (("plan", "stories"), False), (("plan", ""), False), ((), False)],
)
def test_stories_may_stay_as_they_are_where_only_others_were_sent_back(
    tmp_path: Path, about: tuple[str, ...], left: bool
) -> None:
    world = sample_world(tmp_path)
    world.ear.reply = AgentReply(Ending.COMPLETED, value={"decisions": [], "concerns": []})
    world.ports = replace(world.ports, vault=Untouched({f"{FOLDER}/user-stories.md": b"### AC-1: rows\n"}))
    rejected = tuple(SeedFinding("mend it", about=each) for each in about)
    _, result = perform(issue_context(world, Step.DESIGN, STORIES, rejected=rejected))
    assert result.status == ("completed" if left else "refused")
