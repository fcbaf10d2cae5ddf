"""What a failed phase does to the others, and what resume does about it. LOOP-2, INV-6, RES-1, LRNG-03"""

from __future__ import annotations

from pathlib import Path

from tests.scenario.kit.calls import once_more, work
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import few_tries, make_world

BAD = (work("01-01", text="echo to be done\n"), once_more())


def test_the_others_go_on_when_a_phase_fails_that_nothing_depends_on(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(phases=2, planned=True), config=few_tries())
    world.play(*BAD)
    ran = world.run()
    assert ran.status == 1
    assert "phase 1 failed in gate" in ran.out
    assert "phase 2 passed" in ran.out
    assert (world.project / "part-02-01.sh").exists()
    assert not (world.project / "part-01-01.sh").exists(), "what failed does not land with what passed"
    assert [n for n in ("1", "2") if f"- [x] **Phase {n}" in world.read(".planning/ROADMAP.md")] == ["2"]


def test_what_depends_on_a_failed_phase_is_left_out_the_rest_runs_and_resume_retries_it_just_once(
    tmp_path: Path,
) -> None:
    world = make_world(tmp_path, Plot(phases=3, depends={2: [1]}, planned=True), config=few_tries())
    world.play(*BAD)
    first = world.run()
    assert first.status == 1
    assert "phase 1 did not pass, phase 2 was skipped" in first.out
    assert "  phase 2 was skipped: it depends on phase 1" in first.out
    assert "  phase 3 passed" in first.out and (world.project / "part-03-01.sh").exists()
    second = world.resume()
    assert second.status == 1
    assert "Part 1 (attempt 2) ---" in second.err
    third = world.resume()
    assert third.status == 1
    assert "attempt 3" not in third.err
    assert "Step: EXECUTE" not in third.err


def test_run_takes_a_failed_run_up_again_and_a_mended_agent_brings_it_home(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(phases=2, depends={2: [1]}, planned=True), config=few_tries())
    world.play(*BAD)
    assert world.run().status == 1
    world.play()
    ran = world.run()
    assert ran.status == 0, ran.err
    assert "Autopilot: resuming run-" in ran.err
    assert [n for n in (1, 2) if (world.project / f"part-0{n}-01.sh").exists()] == [1, 2]
    assert world.git("status", "--porcelain") == ""


def test_fresh_archives_the_unfinished_run_and_starts_anew(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(planned=True), config=few_tries())
    world.play(*BAD)
    first = world.run()
    learnings = world.project / ".autopilot" / "learnings.md"
    assert learnings.exists()
    world.play()
    second = world.run("--fresh")
    assert (first.status, second.status) == (1, 0)
    assert not learnings.exists(), "what a run taught is forgotten with it"
    assert first.out.split(":")[0] != second.out.split(":")[0]
    assert "resuming" not in second.err
    assert "attempt 2" not in second.err
    assert "nothing is open" in world.resume().out, "an archived run is over"
