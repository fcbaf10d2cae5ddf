"""A roadmap whose agents are honest is carried out, proven and landed. INV-5, INV-6, LOOP-1, PROG, T4.2, T4.3, T4.4"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.scenario.kit.looking import photograph
from tests.scenario.kit.plot import Plot, plan_files, roadmap_text
from tests.scenario.kit.world import Ran, World, make_world

DOCUMENTS = {
    *("RESEARCH.md", "PLAN.md", "EXECUTION-LOG.md", "VERIFICATION.md", "JUDGE-REPORT.md", "SCORECARD.md"),
    *("SUMMARY.md", "TRACE.jsonl", "TRIAGE.json"),
    *(f"{step}-trace.jsonl" for step in ("research", "plan", "plan_check", "execute", "mini_verify")),
    *(f"{step}-trace.jsonl" for step in ("verify", "judge", "rate")),
}
# Three phases are the dearest scenario of all, so one run answers for several tests.
THREE = Plot(phases=3, depends={2: [1], 3: [1, 2]})
STEPS = ("PREFLIGHT", "TRIAGE", "RESEARCH", "PLAN", "PLAN-CHECK", "EXECUTE", "VERIFY", "JUDGE", "RATE")
Finished = tuple[World, Ran]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    world = make_world(tmp_path_factory.mktemp("three"), THREE)
    return world, world.run("all")


def test_three_honest_phases_end_with_status_0_on_the_users_branch_with_a_clean_checkout(finished: Finished) -> None:
    world, ran = finished
    assert ran.status == 0, ran.err
    assert world.git("symbolic-ref", "--short", "HEAD") == "main"
    assert world.git("status", "--porcelain") == ""
    assert [world.read(f"part-0{n}-01.sh") for n in (1, 2, 3)] == [f"echo part 0{n}-01\n" for n in (1, 2, 3)]
    assert world.branches == ["main"], "what landed needs no branch of its own"


def test_every_commit_is_ours_and_its_subject_has_the_given_form(finished: Finished) -> None:
    world, _ = finished
    forms = [
        form
        for n in (1, 2, 3)
        for form in (
            rf"docs\({n}\): plan Part {n}",
            rf"feat\(0{n}\): 0{n}-01 - Part 0{n}-01 speaks",
            rf"docs\({n}\): records of phase {n}, Part {n}",
        )
    ]
    subjects = world.subjects[1:]
    assert len(subjects) == len(forms)
    assert [s for s, form in zip(subjects, forms, strict=True) if not re.fullmatch(form, s)] == []
    assert set(world.git("log", "-9", "--format=%an").splitlines()) == {"Autopilot"}


def test_a_records_commit_touches_nothing_outside_the_planning_folder(finished: Finished) -> None:
    world, _ = finished
    for commit in world.git("log", "--format=%H", "--grep=^docs").splitlines():
        changed = world.git("diff-tree", "--no-commit-id", "--name-only", "-r", commit).splitlines()
        assert changed
        assert [path for path in changed if not path.startswith(".planning/")] == []


def test_each_phase_folder_holds_its_documents_and_the_plan_as_it_was_pinned(finished: Finished) -> None:
    world, _ = finished
    for phase in (1, 2, 3):
        folder = world.project / THREE.folder(phase)
        assert {path.name for path in folder.iterdir() if path.is_file()} == DOCUMENTS
        for path, text in plan_files(THREE, phase).items():
            assert world.read(path) == text
        assert json.loads((folder / "TRIAGE.json").read_text())["routing_decision"] == "full_pipeline"
        assert "status: passed" in (folder / "VERIFICATION.md").read_text()


def test_the_roadmap_is_ticked_and_nothing_else_in_it_changes(finished: Finished) -> None:
    world, _ = finished
    ticked = world.read(".planning/ROADMAP.md")
    back = re.sub(r" \(completed \d{4}-\d\d-\d\d\)", "", ticked.replace("- [x]", "- [ ]"))
    back = re.sub(r"\| 1/1 \| Complete +\| \d{4}-\d\d-\d\d \|", "| 0/1 | Not started | - |", back)
    assert ticked.count("- [x]") == 3
    assert back == roadmap_text(THREE)


def test_progress_is_told_on_standard_error_in_lines_a_program_can_parse(finished: Finished) -> None:
    _, ran = finished
    lines = ran.err.splitlines()
    assert re.fullmatch(r"Autopilot: Phases 1, 2, 3 \| Spec: \S+ \([0-9a-f]{7}\) \| Model profile: balanced", lines[0])
    assert lines[1] == "Starting phase 1..."
    for n in (1, 2, 3):
        assert f"--- [PHASE {n}/3] Part {n} ---" in lines
        steps = [f"[Phase {n}] Step: {step} ({place}/9)" for place, step in enumerate(STEPS, start=1)]
        told = [re.sub(r" -- 1 task$", "", line) for line in lines]
        assert [step for step in steps if step not in told] == []
        assert f"[Phase {n}] Task 0{n}-01 (1/1): Part 0{n}-01 speaks" in lines
        assert f"[Phase {n}] Task 0{n}-01: modifying part-0{n}-01.sh" in lines
        assert f"[Phase {n}] Task 0{n}-01: VERIFIED" in lines
        assert any(re.fullmatch(rf"--- \[PHASE {n}/3\] Complete: 9\.6/10 \| \d+s ---", line) for line in lines)
    assert [line for line in lines if "\x1b" in line or "\r" in line] == []


def test_standard_output_holds_the_ending_and_nothing_else(finished: Finished) -> None:
    _, ran = finished
    lines = ran.out.splitlines()
    assert re.fullmatch(r"run-[\d-]+: completed, every phase passed", lines[0])
    assert [line.split(":")[0] for line in lines[1:4]] == [f"  phase {n} passed" for n in (1, 2, 3)]
    assert re.fullmatch(r"  [\d,]+ tokens used \([\d,]+ expected\), 0\.00 USD", lines[4])
    assert lines[5] == "  Phases: 3 of 3 succeeded"
    assert re.fullmatch(r"  Average score: 9\.6/10; working time: \d+ s", lines[6])
    assert re.fullmatch(r"  Report: \.autopilot/completion-[\d-]+\.md, \.autopilot/report\.html", lines[7])
    assert lines[8:] == ["  All phases complete. Project is done."]


def test_what_was_proven_is_not_run_again(finished: Finished) -> None:
    # covers: INV-1, INV-6, T7.history
    world, _ = finished
    before = photograph(world.project)
    ran = world.run("all")
    assert (ran.status, ran.err) == (0, "")
    assert "nothing is open in .planning/ROADMAP.md: phases 1, 2, 3 are done" in ran.out
    assert photograph(world.project) == before


def test_json_prints_json_alone_and_next_takes_one_phase(tmp_path: Path) -> None:
    # covers: INV-1
    world = make_world(tmp_path, Plot(phases=2, planned=True))
    ran = world.run("next", "--json")
    document = json.loads(ran.out)
    assert ran.status == 0, ran.err
    assert list(document["phases"]) == ["1"]
    assert document["phases"]["1"]["status"] == "completed"
    assert document["_meta"]["status"] == "completed"
    again = world.run("all")
    assert again.status == 0
    assert "phase 1 is skipped: completed in an earlier run" in again.err
    assert world.subjects.count("feat(01): 01-01 - Part 01-01 speaks") == 1


def test_quiet_says_nothing_but_the_ending(world: World) -> None:
    # covers: PROG
    ran = world.run("--quiet")
    assert ran.status == 0
    assert ran.err == ""
    assert "phase 1 passed" in ran.out
