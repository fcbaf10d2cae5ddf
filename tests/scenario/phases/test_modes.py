"""Whole runs in the modes people use overnight: finish what can be finished, stop where somebody wants to look.

covers: CMPL-01, CMPL-03, CMPL-04, CKPT, LOOP-2, MTRC-03
"""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

from tests.scenario.kit.aftermath import state_of
from tests.scenario.kit.calls import once_more, work
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.terminal import talk
from tests.scenario.kit.world import World, make_world

# Two diamonds and a tail: 1 -> 2,3 -> 4 -> 5,6 -> 7 -> 8; 9 -> 10,11 -> 12 stands apart.
DIAMONDS = {
    **{2: (1,), 3: (1,), 4: (2, 3), 5: (4,), 6: (4,), 7: (5, 6), 8: (7,)},
    **{10: (9,), 11: (9,), 12: (10, 11)},
}


def test_complete_finishes_all_that_is_not_blocked_and_names_the_chain(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(phases=12, depends=DIAMONDS, planned=True))
    bad = [work("04-01", text="echo something else\n"), once_more("04-01"), _any(once_more("04-01"))]
    world.play(*bad)
    ran = world.run("--complete", "--parallel", "3")
    assert ran.status == 1, ran.err
    state = state_of(world)
    words = {name: phase["status"] for name, phase in state["phases"].items()}
    assert [name for name, word in words.items() if word == "completed"] == ["1", "2", "3", "9", "10", "11", "12"]
    assert words["4"] == "failed"
    assert {words[name] for name in "5678"} == {"skipped"}
    report = world.read(".autopilot/completion-report.md")
    chain = next(line for line in report.splitlines() if "failed" in line and "locked" in line)
    assert all(f"hase {name}" in chain for name in "45678")
    data = json.loads(world.read(".autopilot/completion-report.json"))
    assert data["completion_percentage"] == 58.3
    assert [gap["failed_phase_id"] for gap in data["dependency_gaps"]] == ["4"]
    assert [blocked["phase_id"] for blocked in data["dependency_gaps"][0]["blocked_phases"]] == ["5", "6", "7", "8"]
    assert not (world.project / "part-04-01.sh").exists()


def _any(call: dict[str, object]) -> dict[str, object]:
    """The same for the whole phase."""
    return {key: value for key, value in call.items() if key != "task"}


def test_a_checkpoint_that_waits_at_one_terminal_is_approved_at_another(tmp_path: Path) -> None:
    # covers: INV-6
    world = make_world(tmp_path, Plot(phases=3, planned=True))

    def approve_elsewhere() -> str:
        assert not (world.project / "part-03-01.sh").exists()
        assert "checkpoint-1" in world.autopilot("gates", cwd=world.folder).out
        said = world.autopilot("approve", "checkpoint-1")
        assert said.status == 0, said.err
        again = world.autopilot("reject", "checkpoint-1")
        assert (again.status, "approved" in again.err) == (2, True)
        return ""  # nothing is typed here: the answer alone moves this terminal

    call = ("run", "all", "--checkpoint-every", "2", "--script", str(world.script))
    files = ("--junit", "../out.xml", "--summary", "../summary.md")
    ran = talk(world, (*call, *files), ("Continue the run? [y/n/later] ", approve_elsewhere))
    assert ran.status == 0, ran.out
    assert "checkpoint-1 was answered in another terminal; the run goes on" in ran.out
    assert (world.project / "part-03-01.sh").exists()
    assert ET.parse(world.folder / "out.xml").getroot().attrib["failures"] == "0"
    assert (world.folder / "summary.md").read_text(encoding="utf-8").startswith("## Autopilot: completed")


def test_a_rejected_checkpoint_stops_the_run_and_a_resume_goes_on(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(phases=2, planned=True))
    asked = world.run("all", "--checkpoint-every", "1")
    assert (asked.status, "autopilot approve checkpoint-1" in asked.out) == (3, True), asked.err
    rejected = world.autopilot("reject", "checkpoint-1", "--reason", "let me read it first")
    resume = f"autopilot resume --script {world.script}"
    assert rejected.out.endswith(f"the run stops here; to continue after all: {resume}\n")
    page = world.autopilot("status").out
    assert ": paused (you stopped the run at checkpoint-1: let me read it first)" in page.splitlines()[0]
    assert f"to continue: `{resume}`" in page
    assert not (world.project / "part-02-01.sh").exists()
    ran = world.autopilot("resume")
    assert ran.status == 0, f"a resume keeps the agents of its run: {ran.err}"
    assert (world.project / "part-02-01.sh").exists(), "one resume is enough"


def test_a_checkpoint_rejected_at_the_terminal_of_its_run_stops_the_run(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(phases=2, planned=True))
    call = ("run", "all", "--checkpoint-every", "1", "--script", str(world.script))
    ran = talk(world, call, ("Continue the run? [y/n/later] ", "n\n"), ("Reason? ", "let me read it first\n"))
    assert ran.status == 1, ran.out
    assert "paused, you stopped the run at checkpoint-1: let me read it first" in " ".join(ran.out.split())
    assert not (world.project / "part-02-01.sh").exists()


def test_two_runs_have_a_trend(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(phases=2, planned=True))
    assert world.run("1").status == 0
    assert "First run" in _report(world) or "first run" in _report(world)
    world.play(work("02-01", text="echo something else\n"), once_more("02-01"), _any(once_more("02-01")))
    ran = world.run("2")
    assert ran.status == 1
    assert "100%" in ran.out + ran.err
    metrics = json.loads(world.read(".autopilot/archive/metrics.json"))
    assert [run["success_rate"] for run in metrics] == [1.0, 0.0]
    assert "## Trend Analysis" in _report(world)


def _report(world: World) -> str:
    folder = world.project / ".autopilot"
    newest = max(folder.glob("completion-2*.md"), key=lambda path: path.stat().st_mtime)
    return newest.read_text(encoding="utf-8")
