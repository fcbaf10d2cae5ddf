"""The prompts as agents get them, kept as files: ``python -m tests.unit.steps.snapshots`` writes them anew.

A changed prompt is a changed product: look at the difference before you keep it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from autopilot.engine.performing import STEPS
from autopilot.events.drafting.state import DraftState
from autopilot.events.pieces import TaskState
from autopilot.model.agent import AgentReply, Ending
from autopilot.model.assessment import JudgeFindings, Recommendation
from autopilot.model.issue.issue import (
    ATDD,
    FIXING,
    MEASURING,
    PLAN_AND_TESTS,
    REPRODUCING,
    REWORDING,
    STEADYING,
    STORIES,
    Route,
)
from autopilot.model.planning.criterion import Form
from autopilot.model.planning.draft import DraftBrief
from autopilot.model.run import PhaseStatus
from autopilot.model.step import DEBUG_STEPS, REVIEWS, Step, that_ask
from autopilot.steps.context import StepContext
from tests.unit.making import ONE, make_criterion, make_task
from tests.unit.steps.debug_sample import debug_context
from tests.unit.steps.issue_sample import issue_context
from tests.unit.steps.sample import CONFLICT, GAP_FIX, MEND, sample_context, sample_tasks, sample_world
from tests.unit.steps.world import World

FOLDER = Path(__file__).parent / "prompts"
FINDINGS = JudgeFindings(Recommendation.PROCEED, ("no limit",), ("a.py:1 read",), (), (), traces=(), notes="")
PENDING = {task.id: TaskState(task) for task in sample_tasks()}
VERIFIED = {task.id: TaskState(task, "committed", commit="c1", parent="c0") for task in sample_tasks()}
LOOK = make_criterion("01-99.c1", "a card is charged", form=Form.PROSE, command="")
PERSON = {"01-99": TaskState(make_task("01-99", LOOK, type="checkpoint:human-verify", title="pay once"))}
OVER = {"status": PhaseStatus.COMPLETED}  # the auditor looks at phases that have passed


class Asked(msgspec.Struct, frozen=True):
    """The step that sends a prompt, and how the phase stands then."""

    step: Step
    task: str = ""
    fields: Mapping[str, Any] = {}
    nth: int = 0
    route: Route | None = None  # of an issue, which has steps of its own
    misses: bool = False  # what it answers never fits: it is asked again in its session, then another is


ASKING: Mapping[str, Asked] = {
    **{review.value: Asked(review) for review in that_ask(REVIEWS)},  # where nothing below says more
    "research": Asked(Step.RESEARCH),
    "plan": Asked(Step.PLAN),
    "supplement": Asked(Step.PLAN, fields={"has_plan": True, "plan_lacks": ("01-01 has no test script",)}),
    "plan_check": Asked(Step.PLAN_CHECK),
    "split": Asked(Step.SPLIT, fields={"tasks": PENDING}),
    "execute": Asked(Step.EXECUTE, "01-01"),
    "batch": Asked(Step.EXECUTE, fields={"tasks": PENDING}),
    "remediate": Asked(Step.EXECUTE, "01-r1", {"tasks": {"01-r1": TaskState(MEND)}}),
    "mini_verify": Asked(Step.MINI_VERIFY, "01-02", {"tasks": VERIFIED}),
    "debug": Asked(Step.DEBUG, "01-01"),
    "resolve": Asked(Step.RESOLVE, ONE, {"conflict": CONFLICT, "line": "line"}),
    "verify": Asked(Step.VERIFY, fields={"tasks": {**VERIFIED, **PERSON}}),
    "judge_divergence": Asked(Step.JUDGE, nth=1),
    "rate": Asked(Step.RATE, fields={"enhanced": True}),
    "discuss_areas": Asked(Step.DISCUSS, "areas"),
    "discuss_more": Asked(Step.DISCUSS, "more-1"),
    "discuss_digest": Asked(Step.DISCUSS, "digest"),
    "map": Asked(Step.MAP),
    "fix": Asked(Step.EXECUTE, "fix-1-1", {"tasks": {"fix-1-1": TaskState(GAP_FIX)}}),
    "audit_integration": Asked(Step.AUDIT, "integration", OVER),
    "audit_requirements": Asked(Step.AUDIT, "requirements", OVER),
    "audit_version": Asked(Step.AUDIT, "version", OVER),
    "issue/define": Asked(Step.DEFINE, route=Route.FULL),
    "issue/stories": Asked(Step.DESIGN, STORIES, route=Route.FULL),
    "issue/plan_and_tests": Asked(Step.DESIGN, PLAN_AND_TESTS, {"seeds": ()}, route=Route.FULL),
    "issue/atdd": Asked(Step.IMPLEMENT, ATDD, route=Route.FULL),
    "issue/reproduce": Asked(Step.DESIGN, REPRODUCING, route=Route.BUGFIX),
    "issue/fix_bug": Asked(Step.IMPLEMENT, FIXING, route=Route.BUGFIX),
    "issue/measure": Asked(Step.DESIGN, MEASURING, route=Route.FLAKY),
    "issue/steady": Asked(Step.IMPLEMENT, STEADYING, route=Route.FLAKY),
    "issue/reword": Asked(Step.IMPLEMENT, REWORDING, route=Route.EXPRESS),
    "debugging/gather": Asked(Step.GATHER),
    "debugging/hypothesize": Asked(Step.HYPOTHESIZE),
    "debugging/fix": Asked(Step.FIX),
    "draft": Asked(Step.DRAFT),
    "ask_again": Asked(Step.RESEARCH, nth=1, misses=True),
    "extract": Asked(Step.RESEARCH, nth=2, misses=True),
}


def come_to_question(world: World, asked: Asked, **fields: Any) -> World:
    """Let the step come to the question meant; the answer to it does not matter."""
    world.ear.replies = [AgentReply(Ending.COMPLETED, value=msgspec.to_builtins(FINDINGS))] if asked.nth else []
    if asked.misses:
        world.ear.replies, world.ear.reply = [], AgentReply(Ending.COMPLETED, text="I read it all.", session="s1")
    running = STEPS[asked.step](_context(world, asked, {**asked.fields, **fields}))
    while len(world.ear.calls) <= asked.nth:
        next(running)
    return world


def _context(world: World, asked: Asked, fields: Mapping[str, Any]) -> StepContext:
    if asked.step in DEBUG_STEPS:
        return debug_context(world, asked.step)
    if asked.step is Step.DRAFT:
        ctx = sample_context(world, asked.step)
        draft = DraftState(DraftBrief("guests pay by card", "wishes.md"))
        return replace(ctx, state=replace(ctx.state, drafting=draft))
    if asked.route is not None:
        return issue_context(world, asked.step, asked.task, route=asked.route, **fields)
    return sample_context(world, asked.step, asked.task, **fields)


def prompt_of(name: str, folder: Path) -> str:
    asked = ASKING[name]
    return come_to_question(sample_world(folder), asked).ear.calls[asked.nth].prompt


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name in ASKING:
            (FOLDER / f"{name}.md").write_text(prompt_of(name, Path(folder)), encoding="utf-8")


if __name__ == "__main__":
    main()
