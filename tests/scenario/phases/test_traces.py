"""Work on a user interface is followed from what people do: planner and verifier are asked for it by rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from autopilot.events.happened import PlanChecked
from tests.scenario.kit.aftermath import happened, state_of
from tests.scenario.kit.calls import Call, claim, commit_all, plan_call
from tests.scenario.kit.hearing import SHOW_PROMPT, heard
from tests.scenario.kit.planning import FORM, HANDLER, READ_FORM, TRACE, with_trace
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.reviews import verifier
from tests.scenario.kit.world import Ran, World, base_config, make_world

# covers: BEH, TYPE
QUICK = {**base_config(), "workflow": {"research": False}}
HOW = "read FILE:handler and trace to what it finally calls"
UNTRACED = f"the change handles what people do ({FORM}), and the verifier's report follows no handler: add traces"
Finished = tuple[World, Ran]


def shown(call: Call, attempt: int) -> Call:
    return {**call, "attempt": attempt, "do": [SHOW_PROMPT, *call.get("do", [])]}


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """A form and the script behind it; the first plan and the first report follow no handler."""
    world = make_world(tmp_path_factory.mktemp("form"), Plot(files=(FORM,)), config=QUICK)
    roadmap = world.read(".planning/ROADMAP.md").replace("Part 1 says its name", f"`{FORM}` says its name")
    world.write(".planning/ROADMAP.md", roadmap)
    world.commit("a form is wanted")
    plan = plan_call(world.plot, 1)
    work = claim("01-01", {"write": FORM, "text": HANDLER}, READ_FORM, *commit_all("01-01"))
    again = shown({"role": "verifier", "phase": "1"}, 2)
    world.play(shown(plan, 1), shown(with_trace(plan, TRACE), 2), work, verifier(1, "01-01", 9.0, attempt=1), again)
    return world, world.run("all")


def test_the_planner_learns_the_type_of_the_phase_and_how_a_handler_is_traced(finished: Finished) -> None:
    first, _ = heard(finished[0], "planner")
    assert "Type: ui\n" in first
    assert f"verified by: `{HOW}`" in first


def test_a_plan_that_traces_no_handler_is_refused_and_its_planner_told_why(finished: Finished) -> None:
    world, _ = finished
    refused, accepted = happened(world, PlanChecked)
    (rule,) = refused.blockers
    assert "builds what people act on, and no criterion of the plan follows a handler" in rule
    assert (refused.passed, accepted.passed) == (False, True)
    assert f"Why the last plan was refused:\n- {rule}" in heard(world, "planner")[1]
    assert TRACE in world.read(".planning/phases/01-part-1/PLAN.md")


def test_a_report_that_traces_no_handler_is_asked_for_once_more_and_the_trace_is_kept(finished: Finished) -> None:
    world, ran = finished
    assert ran.status == 0, ran.out + ran.err
    assert ran.err.count(f"[Phase 1] Integrity check 18: REFUSED -- {UNTRACED}") == 1
    assert f"Your last report was refused: {UNTRACED}" in heard(world, "verifier")[1]
    assert state_of(world)["phases"]["1"]["phase_type"] == "mixed", "a form, and a script beside it"
    assert f"{FORM}:1 -- onClick" in world.read(".planning/phases/01-part-1/VERIFICATION.md")


def test_a_plan_of_the_users_that_traces_no_handler_is_told_so_and_carried_out(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(files=(FORM,), planned=True), config=QUICK)
    world.play(claim("01-01", {"write": FORM, "text": HANDLER}, READ_FORM, *commit_all("01-01")))
    ran = world.run("all")
    assert ran.status == 0, ran.out + ran.err
    (checked,) = happened(world, PlanChecked)
    assert any("no criterion of the plan follows a handler" in complaint.text for complaint in checked.complaints)
    assert ran.err.count(f"Integrity check 18: REFUSED -- {UNTRACED}") == 1, "its verifier is asked all the same"
