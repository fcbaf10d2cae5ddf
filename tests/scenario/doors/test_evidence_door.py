"""`autopilot evidence` as its user meets it: what a phase rests on, and all of it run again (T8)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from autopilot.events import happened as h
from autopilot.events.entry import Entry
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.run import RunStatus
from tests.scenario.kit.calls import claim, commit_all
from tests.scenario.kit.looking import processes_of, wait_until
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import World, make_world
from tests.unit.making import ONE, make_brief, make_started

# covers: T8, T8.R, T8.E, T8.M, T8.unseen, CMD-EVIDENCE
PLAN = """# Phase 1 Plan: Part 1

## Traceability

| Requirement | Task(s) | Description |
|---|---|---|
| PART-01 | 01-01 | adding |
| SC-1 | 01-01 | adding |

## Wave 1

<task id="01-01" type="auto" complexity="simple">
### Task 01-01: Two numbers are added

**Files:** adder.py, tests/test_adder.py

**Action:** Add adder.py with add(a, b), and a test of it.

**Verify:**
- Two numbers are added -- verified by: `python3 -m unittest tests.test_adder` (expect EXIT:0)

**Done:** It adds.
</task>
"""
SCRIPT = """#!/bin/bash
if python3 -c 'import adder; assert adder.add(2, 2) == 4'; then echo "PASS: Two numbers are added"; exit 0; fi
echo "FAIL: Two numbers are added"
exit 1
"""
TEST = """import unittest

import adder


class Adding(unittest.TestCase):
    def test_sum(self):
        self.assertEqual(adder.add(2, 3), 5)
"""
ADDED = (
    {"write": "adder.py", "text": "def add(a, b):\n    return a + b\n"},
    {"write": "tests/__init__.py", "text": ""},
    {"write": "tests/test_adder.py", "text": TEST},
)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = make_world(tmp_path, Plot())
    world.write(f"{world.plot.folder(1)}/PLAN.md", PLAN)
    world.write(f"{world.plot.folder(1)}/tests/task-01-01.sh", SCRIPT)
    world.commit("a plan of the user's own")
    world.play(claim("01-01", *ADDED, *commit_all("01-01")))
    yield world
    wait_until(lambda: processes_of(tmp_path) == [], "no process is left")


def test_evidence_is_shown_with_its_strength_and_holds_when_it_is_run_again(world: World) -> None:
    ran = world.run()
    assert ran.status == 0, ran.err
    run = world.status["_meta"]["run_id"]
    shown = world.autopilot("evidence", "1")
    assert (shown.status, shown.err) == (0, "")
    assert "PASS, replayed red→green  01-01.c1  Two numbers are added" in shown.out
    assert "$ python3 -m unittest tests.test_adder" in shown.out
    assert shown.out.rindex("Not checked:") > shown.out.rindex("01-01.c1")
    found = json.loads(world.autopilot("evidence", "1", "--run", run, "--json").out)
    piece = next(piece for piece in found["pieces"] if piece["subject"] == "01-01.c1")
    assert [id for id in piece["after"]["tests"]["new"] if "test_sum" in id]
    assert piece["before"]["seen"] == "failed"
    assert {probe["kind"] for probe in piece["probes"]} >= {"reverted"}
    before = world.journal.read_bytes()
    again = world.autopilot("evidence", "verify", run)
    assert (again.status, again.out.count("same: ")) == (0, again.out.count("\n") - 1), again.out
    assert "same: phase 1, 01-01.c1 before the work" in again.out and "same: phase 1, test at " in again.out
    assert again.err.startswith("[1/")
    assert world.journal.read_bytes() == before
    assert world.autopilot("evidence", "verify", run, "--phase", "7").status == 2


def test_what_is_seen_otherwise_or_not_at_all_is_told_by_the_exit_status(world: World) -> None:
    assembly = world.assemble()
    assembly.ports.vault.adopt(world.head)
    seen = (
        Observation("test", "sh check.sh", world.head, Seen.FAILED),
        Observation("lint", "true", world.head, Seen.PASSED),
    )
    lost = (Observation("test", "sh check.sh", "0" * 40, Seen.PASSED),)
    for run, observations in (("run-1", seen), ("run-2", lost)):
        events = (
            make_started(make_brief(ONE), head=world.head, base=world.head),
            h.PhaseStarted(ONE, 1, world.head),
            h.PhaseObserved(ONE, world.head, observations),
            h.PhaseCompleted(ONE, 9.4, world.head),
            h.RunStopped(RunStatus.COMPLETED, "every phase passed", 0),
        )
        entries = [Entry(run, f"{run}/{n}", event) for n, event in enumerate(events)]
        assembly.ports.journal.append(entries)
    other = world.autopilot("evidence", "verify", "run-1", "--phase", "1", "--json")
    found = json.loads(other.out)
    assert (other.status, found["differs"], found["same"]) == (1, 1, 1)
    assert found["evidence"][0]["differences"] == ["it failed and now passed"]
    missing = world.autopilot("evidence", "verify", "run-2")
    assert (missing.status, "its commit is no longer in the vault" in missing.out) == (5, True)
    old = world.autopilot("evidence", "1", "--run", "run-1")
    assert "an earlier version without checks of single tests" in old.out and old.status == 0
    assert world.autopilot("evidence", "verify").status == world.autopilot("evidence", "9").status == 2
