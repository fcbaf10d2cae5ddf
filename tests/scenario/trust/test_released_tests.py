"""What the roadmap orders to be changed needs no line in an agent's plan; the rest stays as it was. T2"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scenario.kit.calls import claim, commit_all, plan_call
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import base_config, make_world

ROADMAP = """# Roadmap

### Phase 1: Part 1
**Goal**: {goal}
**Success Criteria**:
1. The new name is there -- verified by: `python3 -m unittest tests.test_url`
"""
PLAN = """# Plan

<task id="01-01" type="auto">
### Task 01-01: The new name
**Files:** links.py, tests/test_url.py
**Action:** Write join_url in links.py.
**Verify:**
- The new name is there -- verified by: `python3 -m unittest tests.test_url`
</task>
"""
SCRIPT = """if python3 -m unittest tests.test_url; then echo "PASS: The new name is there"; exit 0; fi
echo "FAIL: The new name is there"
exit 1
"""
LINKS = 'def join(base, path):\n    return base.rstrip("/") + "/" + path.lstrip("/")\n'
TEST = """import unittest

import links


class Join(unittest.TestCase):
    def test_one_slash(self):
        self.assertEqual(links.join("a/", "/b"), "a/b")
"""


@pytest.mark.parametrize(
    ("goal", "status"),
    [
        ("Rename `join` to `join_url`; update tests/test_join.py", 0),
        ("Offer `join_url` for what `join` does", 1),
    ],
)
def test_the_words_of_the_roadmap_release_a_test(tmp_path: Path, goal: str, status: int) -> None:
    commands = {"test": "python3 -m unittest discover -s tests -t ."}
    world = make_world(tmp_path, Plot(), config={**base_config(), "project": {"commands": commands}})
    world.write(".planning/ROADMAP.md", ROADMAP.format(goal=goal))
    for path, text in {"links.py": LINKS, "tests/__init__.py": "", "tests/test_join.py": TEST}.items():
        world.write(path, text)
    world.commit("links")
    renamed = [
        {"write": "links.py", "text": LINKS.replace("join(", "join_url(")},
        {"write": "tests/test_url.py", "text": TEST.replace("links.join(", "links.join_url(").replace("Join", "Url")},
        {"write": "tests/test_join.py", "text": TEST.replace("links.join(", "links.join_url(")},
    ]
    folder = world.plot.folder(1)
    plan = {**plan_call(world.plot, 1), "do": [{"write": f"{folder}/01-01-PLAN.md", "text": PLAN}]}
    plan["do"] += [
        {"write": f"{folder}/tests/task-01-01.sh", "text": SCRIPT},
        {"git": ["add", "-f", ".planning"]},
        {"git": ["commit", "-q", "-m", "plan"]},
    ]
    world.play(plan, claim("01-01", *renamed, *commit_all("rename")))
    ran = world.run()
    assert ran.status == status, ran.out + ran.err
    refused = "tests/test_join.py (test) was there when the run began, and it was changed"
    assert (refused in ran.err or "is not among the task's files" in ran.err) is (status == 1)


def test_a_file_that_a_criterion_only_looks_at_may_be_changed_for_it(tmp_path: Path) -> None:
    """The plan's own test script opens it as well, and is no test of the user's that is to be kept."""
    world = make_world(tmp_path, Plot())
    look = "grep -c 'part 1' list.txt"
    criterion = f"The new name is there -- verified by: `{look}` (returns at least 1)"
    roadmap = ROADMAP.format(goal="The parts are listed").rpartition("1. ")[0]
    world.write(".planning/ROADMAP.md", f"{roadmap}1. {criterion}\n")
    world.write("list.txt", "The parts:\n")
    world.commit("a list")
    folder, ask = world.plot.folder(1), "python3 -m unittest tests.test_url"
    text = PLAN.replace(f"`{ask}`", f"`{look}` (returns at least 1)").replace("links.py, tests/test_url.py", "list.txt")
    plan = {**plan_call(world.plot, 1), "do": [{"write": f"{folder}/01-01-PLAN.md", "text": text}]}
    plan["do"] += [
        {"write": f"{folder}/tests/task-01-01.sh", "text": SCRIPT.replace(ask, look)},
        {"git": ["add", "-f", ".planning"]},
        {"git": ["commit", "-q", "-m", "plan"]},
    ]
    world.play(plan, claim("01-01", {"write": "list.txt", "text": "The parts:\npart 1\n"}, *commit_all("list")))
    ran = world.run()
    assert ran.status == 0, ran.out + ran.err
    assert world.read("list.txt") == "The parts:\npart 1\n"
