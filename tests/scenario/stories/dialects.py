"""A project planned with other tools, as it is: phase 1 in GSD's dialect, phase 2 in that of the sources with its test
scripts and the line ends of another system, phase 2.1 in headings without a tag."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.scenario.kit.calls import Call, commit_all, executor_claim, usage
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import World
from tests.scenario.stories.story import Story

HARBOUR = Path(__file__).parent.parent / "data" / "harbour"
OTHER_ENDS = ".planning/phases/02-warnings/PLAN.md"
AT = """# The height at an hour.
if [ "$1" = at ]; then awk -v h="$2" '$1 == h { print $2 }' < tides.txt; fi\n"""
HIGH = """# The next high water.
if [ "$1" = high ]; then awk -v h="$2" '$1 >= h && $2 > 400 { print $1; exit }' < tides.txt; fi\n"""
WARN = """if [ "$(sh tide.sh at "$1")" -gt 405 ]; then echo "$1 {\\"flood\\": true}"; fi\n"""
MANUAL = "# Manual\n\nThe height: `sh tide.sh at 6`.\n\nThe warning: `sh warn.sh 6`.\n"
WORK = {
    "01-01.1": ("tide.sh", AT),
    "01-02.1": ("tide.sh", AT + HIGH),
    "02-01": ("warn.sh", WARN),
    "02.1-01": ("MANUAL.md", MANUAL),
}


def harbour(folder: Path) -> World:
    world = World(folder, Plot(phases=0))
    shutil.copytree(HARBOUR, world.project, dirs_exist_ok=True)
    text = world.read(OTHER_ENDS)
    (world.project / OTHER_ENDS).write_bytes(text.replace("\n", "\r\n").encode())
    world.git("init", "-q", "-b", "main")
    world.git("config", "core.autocrlf", "false")
    world.commit("harbour: a plan")
    world.play(*(work(task, path, text) for task, (path, text) in WORK.items()))
    return world


def work(task: str, path: str, text: str) -> Call:
    do = [{"write": path, "text": text}, *commit_all(task)]
    return {"role": "executor", "task": task, "do": do, "reply": executor_claim(task), "usage": usage()}


STORIES = (Story("harbour", harbour, 0),)
