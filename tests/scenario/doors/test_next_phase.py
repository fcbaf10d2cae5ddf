"""The phase its owner would run, asked at the command line. covers: INV-1"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.scenario.kit.looking import photograph
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import Ran, World, make_world

ROADMAP, STATE = ".planning/ROADMAP.md", ".planning/STATE.md"


@pytest.fixture
def project(tmp_path: Path) -> World:
    return make_world(tmp_path, Plot(phases=3, planned=True))


def would_run(world: World, *words: str) -> tuple[list[str], str]:
    """The phases of a dry run, and everything it printed."""
    ran = world.run(*words, "--dry-run")
    listed = json.loads(world.run(*words, "--dry-run", "--json").out)["phases"]
    assert ran.status == 0, ran.err
    return [phase["phase_id"] for phase in listed], ran.out


def tick(world: World, *numbers: str) -> None:
    text = world.read(ROADMAP)
    for number in numbers:
        text = text.replace(f"- [ ] **Phase {number}:", f"- [x] **Phase {number}:")
    world.write(ROADMAP, text)


def test_next_starts_where_the_state_is_and_goes_on_from_there(project: World) -> None:
    assert would_run(project, "next")[0] == ["1"]
    project.write(STATE, "# State\n\n## Current Position\n\nPhase: 2 of 3 (Part 2)\nStatus: Executing\n")
    project.commit("at phase 2")
    chosen, shown = would_run(project, "next")
    assert chosen == ["2"]
    assert "`next` is phase 2: STATE.md is at phase 2; phase 1 is open as well" in shown
    tick(project, "2")
    project.commit("phase 2 is ticked, and the state is forgotten")
    chosen, shown = would_run(project, "next")
    assert chosen == ["3"]
    reason = "ticked in the roadmap (done, unproven), though .planning/STATE.md is at it (executing)"
    assert f"skipped: phase 2: {reason}" in shown
    assert would_run(project)[0] == ["1", "3"]


def test_a_run_takes_the_phase_of_the_state_and_pins_the_state_as_it_was_read(project: World) -> None:
    project.write(STATE, "Phase: 3 of 3 (Part 3)\nStatus: Ready to execute\n")
    ran = project.run("next", "--json")
    assert list(json.loads(ran.out)["phases"]) == ["3"], ran.err
    assert f"the run uses them as they are now: {STATE}" in ran.err


def test_phases_that_were_given_up_are_not_run_and_the_word_is_said(project: World) -> None:
    text = project.read(ROADMAP)
    project.write(ROADMAP, text.replace("### Phase 1: Part 1", "### Phase 1: Part 1 (Superseded by phase 2)"))
    project.commit("phase 1 is not wanted any more")
    chosen, shown = would_run(project, "next")
    assert chosen == ["2"]
    assert "skipped: phase 1: superseded in the roadmap (not to be run)" in shown
    ran = project.run("1", "--dry-run")
    assert ran.status == 2
    assert "nothing to run: phase 1 is skipped: superseded in the roadmap (not to be run)" in ran.err
    assert would_run(project, "1", "--force")[0] == ["1"]


def is_at_its_end(ran: Ran) -> bool:
    return ran.status == 0 and ran.err == "" and f"nothing is open in {ROADMAP}" in ran.out


def ship(world: World) -> None:
    """As GSD leaves it: the phases of a milestone that was shipped, out of sight."""
    lines = "\n".join(f"- [x] Phase {n}: Part {n} (1/1 plans) — completed 2026-01-01" for n in (1, 2, 3))
    summary = "<summary>✅ v1.0 (Phases 1-3) — SHIPPED 2026-01-01</summary>"
    world.write(ROADMAP, f"# Roadmap\n\n<details>\n{summary}\n\n{lines}\n\n</details>\n")


@pytest.mark.parametrize("end", [ship, lambda world: tick(world, "1", "2", "3")], ids=["shipped", "ticked"])
def test_a_roadmap_at_its_end_is_in_order_for_every_command(project: World, end: Callable[[World], None]) -> None:
    end(project)
    project.commit("all of it is done")
    before = photograph(project.project)
    for words in ((), ("all",), ("next",), ("next", "--dry-run"), ("--complete",)):
        ran = project.run(*words)
        assert is_at_its_end(ran), (words, ran)
        assert "add a phase" in ran.out and "start a milestone" in ran.out
    assert is_at_its_end(project.autopilot("status"))
    assert "nothing_open" in json.loads(project.run("next", "--json").out)
    doctor = json.loads(project.autopilot("doctor", "--json").out)
    found = [finding for finding in doctor if finding["what"] in ("roadmap", "planning")]
    assert found[0]["state"] == "ok"
    assert "nothing is open: add a phase or start a milestone" in found[0]["detail"]
    assert all("(done, unproven), though the progress table says" in finding["detail"] for finding in found[1:])
    assert photograph(project.project) == before
