"""In a repository of several packages a task runs the nearest one's checks, and no phase passes before all have run.

covers: INV-8
"""

from __future__ import annotations

import json
from pathlib import Path

from tests.scenario.kit.calls import claim, commit_all
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import World, base_config, make_world

FIRST, SECOND = "01-01", "01-02"
SERVER, WEB = "cd server && python3 -m unittest", "cd web && python3 -m unittest"
PACKAGES = {"server": {"test": SERVER}, "web": {"test": WEB}}
PROJECT = {"commands": {"test": f"({SERVER}) && ({WEB})"}, "packages": PACKAGES}
ROADMAP = """# Roadmap

### Phase 1: Part 1
**Goal**: The server adds and doubles
**Success Criteria**:
1. It doubles -- verified by: `python3 -c "import server.sums as s; print(s.double(4))"` (contains "8")
"""
PLAN = """# Plan

<task id="01-01" type="auto">
### Task 01-01: Double
**Files:** server/sums.py
**Action:** Add double(number) to server/sums.py.
**Verify:**
- It doubles -- verified by: `python3 -c "import server.sums as s; print(s.double(21))"` (contains "42")
</task>

<task id="01-02" type="auto">
### Task 01-02: Square
**Files:** server/sums.py
**Action:** Add square(number) to server/sums.py.
**Verify:**
- It squares -- verified by: `python3 -c "import server.sums as s; print(s.square(12))"` (contains "144")
</task>
"""
TEST = "import unittest\n{imports}\n\nclass Tests(unittest.TestCase):\n    def test_it(self):\n        {body}\n"
ONE = "def one():\n    return 1\n"
DOUBLE = "\n\ndef double(number):\n    return number + number\n"
SQUARE = "\n\ndef square(number):\n    return number * number\n"


def _packages(folder: Path, *, first: str, second: str) -> World:
    """The web's test uses the server's sums, as packages of one repository do."""
    world = make_world(folder, Plot(), config={**base_config(), "project": PROJECT})
    world.write("server/sums.py", ONE)
    world.write("server/test_sums.py", TEST.format(imports="import sums\n", body="self.assertEqual(sums.one() + 1, 2)"))
    reads = 'import sys\n\nsys.path.insert(0, "..")\nfrom server import sums\n'
    world.write("web/test_page.py", TEST.format(imports=reads, body="self.assertEqual(sums.one(), 1)"))
    world.write(".planning/ROADMAP.md", ROADMAP)
    world.write(f"{world.plot.folder(1)}/01-01-PLAN.md", PLAN)
    world.commit("two packages")
    world.play(
        claim(FIRST, {"write": "server/sums.py", "text": first}, *commit_all("one")),
        claim(SECOND, {"write": "server/sums.py", "text": second}, *commit_all("two")),
        {"role": "debugger", "phase": "1", "do": [], "reply": claim(FIRST, role="debugger")["reply"]},
    )
    return world


def test_a_task_before_the_last_runs_the_checks_of_its_package_alone_and_every_report_says_so(tmp_path: Path) -> None:
    world = _packages(tmp_path, first=ONE + DOUBLE, second=ONE + DOUBLE + SQUARE)
    ran = world.run()
    assert ran.status == 0, ran.err
    assert f"Task {FIRST}: VERIFIED (checks of server; the others run with the last task)" in ran.err
    assert f"Task {SECOND}: VERIFIED\n" in ran.err, "the last one is held to all of them"
    nearest = f"task {FIRST}: checks of server, where the phase's files lie; not those of web"
    whole = "every check of every package (server, web)"
    for told in (world.autopilot("status").out, world.read(f"{world.plot.folder(1)}/VERIFICATION.md")):
        assert nearest in told and whole in told, told
    evidence = " ".join(world.autopilot("evidence", "1").out.split())
    assert nearest in evidence and whole in evidence
    tasks = world.status["phases"]["1"]["steps"]["execute"]["tasks"]
    assert [tasks[name]["packages"] for name in (FIRST, SECOND)] == [["server"], []]
    assert "packages: server: test: cd server" in world.autopilot("doctor").out


def test_what_breaks_another_package_does_not_pass_though_its_own_package_is_green(tmp_path: Path) -> None:
    """The first task breaks what only the web's test sees."""
    other = 'def one():\n    return 1 if "server" not in __name__ else 2\n'
    world = _packages(tmp_path, first=other + DOUBLE, second=other + DOUBLE + SQUARE)
    before = world.head
    ran = world.run()
    assert f"Task {FIRST}: VERIFIED (checks of server" in ran.err, ran.err
    assert ran.status == 1 and f"Task {SECOND}: FAILED" in ran.err
    assert world.head == before


def test_init_writes_the_checks_of_each_package_beside_those_of_the_whole(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.git("init", "-q", "-b", "main")
    for name in ("server", "web"):
        world.write(f"{name}/package.json", json.dumps({"name": name, "scripts": {"test": "node --test"}}))
        world.write(f"{name}/{name}.test.js", 'require("node:test")("it adds", () => { if (1 + 1 !== 2) throw 1 })\n')
    world.commit("two packages")
    ran = world.autopilot("init")
    assert ran.status == 0, ran.err
    project = json.loads(world.read(".planning/config.json"))["project"]
    checks = {name: f"cd {name} && npm test" for name in ("server", "web")}
    assert {name: commands["test"] for name, commands in project["packages"].items()} == checks
    assert project["commands"]["test"] == "(cd server && npm test) && (cd web && npm test)"
