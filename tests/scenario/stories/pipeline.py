"""Stories of one phase on its way through the pipeline: passed, mended, refused, or given back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.scenario.kit.calls import Call, commit_all, debugger_claim, executor_claim, once_more, plan_call, usage, work
from tests.scenario.kit.hearing import SHOW_FOLDERS
from tests.scenario.kit.planning import beside, in_prose, refused_plans
from tests.scenario.kit.plot import Plot, part_text
from tests.scenario.kit.ratings import rating
from tests.scenario.kit.reviews import judge_message, reader
from tests.scenario.kit.world import World, base_config, make_world
from tests.scenario.stories.story import Story

STUB = "echo to be done\n"
TWO_TASKS = Plot(tasks=2, planned=True)
TWO_PHASES = Plot(phases=2, planned=True)
NINE_TASKS = Plot(tasks=9, planned=True)
QUICK = {**base_config(), "workflow": {"research": False}}
BUILT = {"project": {"commands": {"test": "sh check.sh", "build": "test -s manifest.txt"}}}


def happy(folder: Path) -> World:
    """Nothing goes wrong. The reviewers show what they are given before they answer."""
    world = make_world(folder)
    looks: list[Call] = [{"role": role, "do": [SHOW_FOLDERS]} for role in ("verifier", "judge", "rater")]
    world.play(*looks, {"role": "judge", "call": 2, "do": [SHOW_FOLDERS]})
    return world


def verify_only(folder: Path) -> World:
    """The user has done it by hand; the rater finds the place, for nothing changed that would show it."""
    world = make_world(folder, Plot(criteria=True))
    world.write("part-01-01.sh", part_text("01-01"))
    world.commit("the part, by hand")
    card = rating({"01-01": "9.6"})["scorecard"][0]
    said = {**rating({}), "scorecard": [{**card, "criterion": "Part 1 says its name"}]}
    world.play({"role": "rater", "phase": "1", "reply": said})
    return world


def plan_refused(folder: Path) -> World:
    world = make_world(folder, config=QUICK)
    world.play(*refused_plans(world.plot))
    return world


def task_debugged(folder: Path) -> World:
    """The first try is a stub, and code sees it; the second one works, and a reader says what it still lacks."""
    world = make_world(folder, Plot(planned=True))
    complete = f"# It says its name and nothing else.\n{part_text('01-01')}"
    world.play(
        work("01-01", text=STUB),
        reader("01-01", "part-01-01.sh:1 -- nothing says what the part is for", attempt=2),
        {**work("01-01", role="debugger"), "attempt": 1},
        {**work("01-01", role="debugger", text=complete), "attempt": 2},
    )
    return world


def task_failed(folder: Path) -> World:
    """The first task is beyond its debuggers; the second is done all the same, and whoever mends the phase mends it."""
    world = make_world(folder, TWO_TASKS)
    world.play(
        work("01-01", text=STUB), once_more("01-01"), mend({"write": "part-01-01.sh", "text": part_text("01-01")})
    )
    return world


def check_mended(folder: Path) -> World:
    """The build is red before the work begins and no task minds that; the phase as a whole has to."""
    world = make_world(folder, Plot(planned=True), config=BUILT)
    world.play(mend({"write": "manifest.txt", "text": "part-01-01.sh\n"}))
    return world


def debug_exhausted(folder: Path) -> World:
    """Everyone tries, nobody succeeds. The second phase has nothing to do with it, but its agents hear of it."""
    world = make_world(folder, Plot(phases=2), config=QUICK)
    hear = {"run": "cat .autopilot/learnings.md"}
    others = [{**call, "do": [hear, *call["do"]]} for call in (plan_call(world.plot, 2), work("02-01"))]
    world.play(work("01-01", text=STUB), once_more(), *others)
    return world


def judge_rolls_back(folder: Path) -> World:
    world = make_world(folder, TWO_PHASES)
    world.play(judge_message("rollback", "it speaks, but of something else than the goal asks for"))
    return world


def judge_halts(folder: Path) -> World:
    """Its own findings let the phase proceed; beside the verifier's report it sees why nothing at all may go on."""
    world = make_world(folder, TWO_PHASES)
    world.play(judge_message("halt", "both reports rest on a part that is not the one the roadmap means", second=True))
    return world


def already_there(folder: Path) -> World:
    world = make_world(folder, TWO_TASKS)
    world.write("part-01-01.sh", part_text("01-01"))
    world.commit("the first part, by hand")
    return world


def supplemented(folder: Path) -> World:
    """A plan of the user's that says in prose what it wants, and a planner that finds out how to see it."""
    world = make_world(folder, Plot(planned=True))
    in_prose(world)
    world.play(beside(world.plot), {"role": "plan_checker", "do": [SHOW_FOLDERS]})
    return world


def batch(folder: Path) -> World:
    world = make_world(folder, NINE_TASKS)
    tasks = world.plot.task_ids(1)
    actions = [action for task in tasks for action in work(task)["do"]]
    reply = {**executor_claim(tasks[0]), "tasks_completed": "9/9", "tasks_failed": "0/9"}
    world.play({"role": "executor", "phase": "1", "task": "", "do": actions, "reply": reply, "usage": usage()})
    return world


def mend(*actions: Call) -> Call:
    """What a debugger does for the phase as a whole."""
    do = [*actions, *commit_all("mended")]
    return {"role": "debugger", "phase": "1", "task": "", "do": do, "reply": debugger_claim(), "usage": usage()}


def _story(make: Callable[[Path], World], exit_status: int, *, quick: bool = False) -> Story:
    return Story(make.__name__, make, exit_status, quick)


STORIES = (
    _story(happy, 0, quick=True),
    _story(verify_only, 0),
    _story(plan_refused, 1),
    _story(task_debugged, 0),
    _story(task_failed, 0),
    _story(check_mended, 0, quick=True),
    _story(debug_exhausted, 1),
    _story(judge_rolls_back, 1),
    _story(judge_halts, 1),
    _story(already_there, 0),
    _story(supplemented, 0),
    _story(batch, 0),
)
