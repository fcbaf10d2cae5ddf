"""What planners of a scenario write, where it is not the honest plan: plans to refuse, and a supplement."""

from __future__ import annotations

from typing import Any

from tests.scenario.kit.calls import Call, plan_call
from tests.scenario.kit.plot import Plot, plan_files, test_script
from tests.scenario.kit.world import World

PROOF = 'sh part-01-01.sh` (contains "part 01-01")'
TASK = "01-01"
FORM = "ui/form.jsx"
HANDLER = "export const Form = () => <button onClick={() => print('part 01-01')}>Save</button>;\n"
# So that the test of the part tests the form.
READ_FORM: Call = {
    "write": "part-01-01.sh",
    "text": f'grep -qxF "{HANDLER.strip()}" {FORM} && echo part 01-01\n',
}
TRACE = f"read {FORM}:onClick and trace to print"


def replanned(plot: Plot, old: str, new: str, **more: Any) -> Call:
    """The honest planner's call with other words in the files it writes."""
    call = plan_call(plot, 1)
    actions = [{**a, "text": a["text"].replace(old, new)} if "text" in a else a for a in call["do"]]
    return {**call, "do": actions, **more}


def toothless_plan(plot: Plot, attempt: int) -> Call:
    """A plan that would hold had nothing been done."""
    call = replanned(plot, PROOF, "sh -n check.sh`", attempt=attempt)
    for action in call["do"]:
        if action.get("write", "").endswith(".sh"):
            action["text"] = "sh check.sh && echo 'PASS: Part 01-01 says its name'\n"
    return call


def with_trace(call: Call, trace: str) -> Call:
    """The same call, with a criterion that follows a handler in its plan."""
    lines = f"**Verify:**\n- {trace}"
    actions = [{**a, "text": a["text"].replace("**Verify:**", lines)} if "text" in a else a for a in call["do"]]
    return {**call, "do": actions}


def refused_plans(plot: Plot) -> tuple[Call, ...]:
    """Refused by lint, by what is seen before the work, and by a checker that is not sure enough."""
    prose = replanned(plot, f" -- verified by: `{PROOF}", "", attempt=1)
    unsure = {"passed": True, "issues": [], "confidence": 6.5}
    checker = {"role": "plan_checker", "phase": "1", "attempt": 3, "reply": unsure}
    return prose, toothless_plan(plot, 2), checker


def in_prose(world: World) -> None:
    """The user's plan without commands and without a test script, committed."""
    folder = world.plot.folder(1)
    plan = world.read(f"{folder}/PLAN.md")
    world.write(f"{folder}/PLAN.md", plan.replace(f" -- verified by: `{PROOF}", ""))
    (world.project / folder / "tests" / f"task-{TASK}.sh").unlink()
    world.commit("a plan in my own words")


def beside(plot: Plot) -> Call:
    """A planner that adds commands and a script beside a user's plan, and tries to better the plan itself."""
    folder = plot.folder(1)
    honest = plan_files(plot, 1)[f"{folder}/PLAN.md"]
    call = plan_call(plot, 1)
    written = {
        f"{folder}/PLAN.md": "# A better plan\n",
        f"{folder}/PLAN.autopilot.md": honest,
        f"{folder}/tests/task-{TASK}.sh": test_script(TASK),
    }
    commits = [action for action in call["do"] if "git" in action]
    return {**call, "do": [*({"write": path, "text": text} for path, text in written.items()), *commits]}
