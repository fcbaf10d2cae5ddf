"""What tests that an agent wrote show is counted as proven, and said to rest on them. covers: T8.accounts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scenario.kit.calls import claim, commit_all
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import base_config, make_world

COMMAND = "python3 -m unittest tests.test_sums"
ROADMAP = f"""# Roadmap

### Phase 1: Part 1
**Goal**: Numbers are doubled
**Success Criteria**:
1. It doubles -- verified by: `{COMMAND}`
"""
PLAN = f"""# Plan

<task id="01-01" type="auto">
### Task 01-01: Double
**Files:** sums.py, tests/test_sums.py
**Action:** Add double(number) to sums.py, with tests.
**Verify:**
- It doubles -- verified by: `{COMMAND}`
</task>
"""
DOUBLE = "def double(number):\n    return number + number\n"
TEST = """import unittest

import sums


class Double(unittest.TestCase):
    def test_doubles(self):
        self.assertEqual(sums.double(21), 42)
        self.assertEqual(sums.double(-3), -6)
"""


@pytest.mark.parametrize("by_agent", [True, False])
def test_the_screen_says_whose_tests_a_criterion_rests_on(tmp_path: Path, by_agent: bool) -> None:
    world = make_world(tmp_path, Plot(), config={**base_config(), "project": {"commands": {}}})
    world.write(".planning/ROADMAP.md", ROADMAP)
    world.write(f"{world.plot.folder(1)}/01-01-PLAN.md", PLAN)
    world.write("tests/__init__.py", "")
    if not by_agent:
        world.write("tests/test_sums.py", TEST)
    world.commit("a plan")
    written = [{"write": "tests/test_sums.py", "text": TEST}] if by_agent else []
    world.play(claim("01-01", {"write": "sums.py", "text": DOUBLE}, *written, *commit_all("sums")))
    ran = world.run()
    assert ran.status == 0, ran.err
    assert "1/1 proven" in ran.out
    assert ("by tests that came with the work" in ran.out) is by_agent
    shown = world.autopilot("evidence", "1").out
    assert ("every test that it ran came with the work" in shown) is by_agent
