"""A night: many phases with the usual troubles, none of which is everybody's."""

from __future__ import annotations

from pathlib import Path

from tests.scenario.kit.calls import Call, claim, commit_all, debugger_claim, executor_claim, work
from tests.scenario.kit.plot import Plot, part_text
from tests.scenario.kit.world import World, make_world
from tests.scenario.stories.story import Story

NOWHERE = (2, 5)  # phases in which no agent does anything
LIMITED = 3  # the phase whose verifier is limited for an hour
FLAKY = 6  # the phase whose test is green one time in eight
AN_HOUR_S = 3600.0
DICE = """import random


def name() -> str:
    return random.choice(["part 06-01", *["nothing"] * 7])
"""
NAME = 'def name() -> str:\n    return "part 06-01"\n'
TEST = """import unittest

from part import name


class Name(unittest.TestCase):
    def test_it_says_its_name(self) -> None:
        self.assertEqual(name(), "part 06-01")
"""


def is_mended(phase: int) -> bool:
    """A third of the phases need one debug round."""
    return phase % 3 == 1


def night(folder: Path, phases: int = 6) -> World:
    world = make_world(folder, Plot(phases=phases, planned=True))
    _plan_a_test(world)
    limited: Call = {"ending": "rate_limited", "retry_after_s": AN_HOUR_S}
    calls: list[Call] = [{"role": "verifier", "phase": str(LIMITED), "attempt": 1, **limited}]
    for phase in range(1, phases + 1):
        task = f"{phase:02}-01"
        if phase in NOWHERE:
            calls += (idle(role, phase) for role in ("executor", "debugger"))
        elif phase == FLAKY:
            calls += (_code(DICE), _code(NAME, role="debugger"))
        elif is_mended(phase):
            calls += (work(task, text="echo to be done\n"), work(task, role="debugger", text=part_text(task)))
    world.play(*calls)
    return world


def _plan_a_test(world: World) -> None:
    """The flaky phase is held to a test of a tool that reports single tests: such a green is looked at again."""
    folder = world.plot.folder(FLAKY)
    plan = world.read(f"{folder}/PLAN.md").replace("part-06-01.sh, which", "part.py and its test, which")
    plan = plan.replace("part-06-01.sh", "part.py, test_part.py", 1)
    proof = '`sh part-06-01.sh` (contains "part 06-01")'
    world.write(f"{folder}/PLAN.md", plan.replace(proof, "`python3 -m unittest test_part`"))
    (world.project / folder / "tests" / "task-06-01.sh").unlink()
    world.commit("phase 6 is to be tested")


def _code(text: str, role: str = "executor") -> Call:
    files = {"part.py": text, "test_part.py": TEST}
    writes = [{"write": path, "text": content} for path, content in files.items()]
    return claim("06-01", *writes, *commit_all("06-01"), role=role)


def idle(role: str, phase: int) -> Call:
    """Says that it is done, and commits nothing."""
    task = f"{phase:02}-01"
    if role == "executor":
        return {"role": role, "phase": str(phase), "task": task, "reply": executor_claim(task)}
    return {"role": role, "phase": str(phase), "reply": debugger_claim()}


def night_beside_an_edit(folder: Path) -> World:
    """With a file that its user is at: what passes waits on its branch."""
    return _edited(night(folder))


def phase_beside_an_edit(folder: Path) -> World:
    """One phase that waits to land when its run stops."""
    return _edited(make_world(folder, Plot(planned=True)))


def _edited(world: World) -> World:
    world.write("README.md", "# mine, not finished\n")
    return world


# In the morning its user puts the file aside, and what waited lands.
ASIDE = (("git", "stash", "-q"), 0)
STORIES = (
    Story("night", night_beside_an_edit, 1, after=(ASIDE, (("resume",), 1)), weight=10),
    Story("landing_waits", phase_beside_an_edit, 3, after=(ASIDE, (("resume",), 0))),
)
