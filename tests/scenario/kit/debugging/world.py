"""A small world for debug sessions: a project with a planted bug, and a script that looks for it.

The honest script gathers, states the right cause, and fixes it; a scenario says only where it differs. Every command is
one of a plain Python, which is all that the sandbox needs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from autopilot.engine.history import read_history
from autopilot.events.debugging.state import DebugState
from autopilot.events.state import RunState
from tests.chaos.record import read_record
from tests.scenario.kit.calls import Call, usage
from tests.scenario.kit.world import Ran, World

COMMAND = "python3 -m unittest discover -s tests"
TEXT = "the last row of a page is missing"
SLUG = "the-last-row-of-a-page-is-missing"

PAGE = '''def page(rows, number, size):
    """The rows of one page; pages count from 1."""
    start = (number - 1) * size
    return rows[start : start + size - 1]
'''
FIXED_PAGE = PAGE.replace(" + size - 1", " + size")
TEST_PAGE = """import unittest

from page import page


class Page(unittest.TestCase):
    def test_a_page_begins_with_its_first_row(self):
        self.assertEqual(page([1, 2, 3, 4], 2, 2)[0], 3)
"""
OFF_BY_ONE = {"page.py": PAGE, "tests/test_page.py": TEST_PAGE}
SHOWS = "python3 -c 'import page; assert page.page([1, 2, 3, 4], 1, 2) == [1, 2]'"
WRONG_TEST = "python3 -c 'import page; assert page.page([1, 2, 3, 4], 2, 2)[0] != 3'"
RIGHT_TEST = "python3 -c 'import page; assert len(page.page([1, 2, 3, 4], 1, 3)) == 2'"

Files = Mapping[str, str]


class DebugWorld(World):
    """Its Python is the system's: a virtual environment may lie in a home that the sandbox hides."""

    @property
    def environment(self) -> dict[str, str]:
        return {**super().environment, "PATH": "/usr/bin:/bin"}

    def debug(self, *words: str) -> Ran:
        drives = words[0] in ("start", "continue")
        return self.autopilot("debug", *words, *(("--script", str(self.script)) if drives else ()))

    @property
    def run_state(self) -> RunState:
        return next(reversed(read_history(read_record(self)).runs.values()))

    @property
    def session(self) -> DebugState:
        state = self.run_state.debugging
        assert state is not None
        return state


def make_debug_world(folder: Path, files: Files, calls: Sequence[Call]) -> DebugWorld:
    world = DebugWorld(folder)
    config = {"project": {"commands": {"test": COMMAND}}}
    for path, text in {".planning/config.json": json.dumps(config), **files}.items():
        world.write(path, text)
    world.git("init", "-q", "-b", "main")
    world.commit("the beginning")
    write_script(world, calls)
    return world


def write_script(world: DebugWorld, calls: Sequence[Call]) -> None:
    world.script.write_text(json.dumps({"calls": list(calls), "default": "honest"}), encoding="utf-8")


def gathers(reproduction: str, files: Files | None = None, *actions: Call, attempt: int = 0) -> Call:
    said = {"expected": "it works", "actual": "it does not", "errors": "none", "started": "not known"}
    work = [*actions, *(commits(files) if files else ())]
    return _call("symptoms", work, {**said, "reproduction": reproduction}, attempt)


def thinks(statement: str, test: str, predicts: str = "passes", *, attempt: int = 0, printing: str = "") -> Call:
    reply = {"hypothesis": statement, "test": test, "predicts": predicts, "printing": printing}
    return _call("hypothesis", (), {**reply, "category": "executor_wrong_approach"}, attempt)


def fixes(files: Files, *actions: Call, attempt: int = 0) -> Call:
    reply = {"fixed": True, "summary": "done", "prevention_rule": "Test the last row of a page."}
    return _call("fix", [*actions, *commits(files)], reply, attempt)


def commits(files: Files) -> list[Call]:
    return [
        *({"write": path, "text": text} for path, text in files.items()),
        {"git": ["add", "-A"]},
        {"git": ["commit", "-q", "-m", "work"]},
    ]


def _call(task: str, do: Sequence[Call], reply: Call, attempt: int) -> Call:
    call: Call = {"role": "debugger", "phase": "debug", "task": task, "do": list(do), "reply": reply, "usage": usage()}
    return {**call, "attempt": attempt} if attempt else call


def honest_calls() -> list[Call]:
    return [
        gathers(SHOWS),
        thinks("the start of a page is off by one", WRONG_TEST, attempt=1),
        thinks("page.py:4 leaves the last row out", RIGHT_TEST),
        fixes({"page.py": FIXED_PAGE}),
    ]
