"""A project that another program was at is taken over: nothing done or asked twice, nothing of theirs lost."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from autopilot.api.projections import Projections
from autopilot.events.happened import AgentReplied, RunStarted
from autopilot.model.intent import Intent
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import PhaseStatus, RunRequest, RunStatus
from tests.scenario.kit.calls import Call, claim, commit_all
from tests.scenario.kit.plot import Plot, part_text
from tests.scenario.kit.ratings import rating
from tests.scenario.kit.world import World, make_world
from tests.scenario.stories.dialects import AT, harbour

# covers: SWITCH-STATE, SWITCH-KEEP, QUAL, GAPS, MTRC-03, LRNG-03

RUN = "run-2026-02-09-143052"
STATE = ".autopilot/state.json"
KEPT = ".autopilot/archive/taken-over"
LEARNT = "### Phase 9 failure -- lint_failure\n**Prevention rule:** run the linter first."
METRIC = {
    "run_id": "run-2026-01-01-000000",
    "timestamp": "2026-01-01T01:00:00Z",
    "success_rate": 1.0,
    "avg_alignment_score": 9.1,
    "total_estimated_tokens": 1000,
    "failure_taxonomy_histogram": {},
}


def theirs(**phases: dict[str, Any]) -> str:
    meta = {"version": "1.0", "run_id": RUN, "status": "running", "current_phase": "2", "current_step": "execute"}
    return json.dumps({"_meta": meta, "phases": phases, "event_log": []}, indent=2)


FILES = {
    STATE: theirs(phase_1={"status": "completed", "alignment_score": 8.2}, phase_2={"status": "in_progress"}),
    f"{STATE}.backup": theirs(phase_1={"status": "in_progress"}),
    ".autopilot/learnings.md": f"# Learnings (current run)\n\n{LEARNT}\n",
    ".autopilot/diagnostics/phase-1-confidence.md": "# Their diagnostic\n",
    ".autopilot/diagnostics/phase-2-postmortem.json": "{}\n",
    ".autopilot/repo-map.json": "{}\n",
    ".autopilot/archive/metrics.json": json.dumps([METRIC]),
}


def begun(folder: Path, plot: Plot, files: dict[str, str]) -> World:
    """The first phase is there, as another program built it; its box was never ticked."""
    world = make_world(folder, plot)
    world.write("part-01-01.sh", part_text("01-01"))
    world.write(".gitignore", ".autopilot/\n")
    world.commit("what the other program committed")
    for path, text in files.items():
        world.write(path, text)
    return world


def rated(score: str, attempt: int) -> Call:
    reply = rating({"01-01": score})
    reply["scorecard"][0]["criterion"] = "Part 1 says its name"  # the roadmap's
    return {"role": "rater", "phase": "1", "attempt": attempt, "reply": reply}


def test_an_interrupted_run_of_another_program_is_taken_over(tmp_path: Path) -> None:
    world = begun(tmp_path, Plot(phases=2, depends={2: [1]}, criteria=True), FILES)
    ran = world.run("all")
    assert ran.status == 0, ran.err
    said = ran.err
    assert f"{RUN} of another program, read once from {STATE}: phase 1 completed (unproven)" in said
    assert f"{RUN} was interrupted in phase 2 at execute (running): Autopilot goes on from what is committed" in said
    assert f"phase 1 is skipped: completed with 8.2/10 in {RUN} (done, unproven), though its box is open" in said
    assert f"the files of another program in .autopilot are kept in {KEPT}" in said
    assert {path: world.read(f"{KEPT}/{path.removeprefix('.autopilot/')}") for path in FILES} == FILES
    ours = json.loads(world.read(STATE))
    assert list(ours["phases"]) == ["2"] and ours["phases"]["2"]["status"] == "completed"
    assert LEARNT.splitlines()[0] in world.read(".autopilot/learnings.md")
    rows = json.loads(world.read(".autopilot/archive/metrics.json"))
    assert [row["run_id"] for row in rows] == [METRIC["run_id"], ours["_meta"]["run_id"]]
    assert f"Compared with: {METRIC['run_id']}" in world.autopilot("report").out
    # Phase 1 is still what they said of it when our own file stands in the place of theirs, and can be proven.
    again = world.run("--gaps", "1")
    assert again.status == 0, again.err
    assert "read once" not in again.err
    phase = json.loads(world.read(STATE))["phases"]["1"]
    assert (phase["status"], phase["landing"]) == ("completed", "landed")
    world.git("merge-base", "--is-ancestor", "HEAD~1", "HEAD")


def test_gaps_of_a_phase_by_another_program_are_closed_after_it_is_proven(tmp_path: Path) -> None:
    world = begun(
        tmp_path, Plot(criteria=True), {STATE: theirs(phase_1={"status": "completed", "alignment_score": 9.6})}
    )
    better = claim("01-r1", {"run": "echo '# why' >> part-01-01.sh"}, *commit_all("01-r1"))
    world.play(better, rated("9.2", 1), rated("9.6", 2))
    recorded = list(world.drive(RunRequest(phases=("1",), intent=Intent(gaps=True))))
    state = recorded[-1].state
    started = recorded[0].entries[0].event
    assert isinstance(started, RunStarted) and started.other_runs[0].phases[0].name == "Part 1"
    phase = state.phases[PhaseId("1")]
    assert (state.status, phase.status) == (RunStatus.COMPLETED, PhaseStatus.COMPLETED)
    cycles = [(cycle.flag, cycle.old_score) for cycle in phase.remediation.cycles]
    assert (cycles, phase.reviews.score, phase.landing.state) == ([("gaps", 9.2)], 9.6, "landed")
    assert world.read("part-01-01.sh").endswith("# why\n")


HOSTILE = [
    ("cut off", '{"_meta": {"run_id": "run-1"}, "phases": {"1": {"sta'),
    ("of another program", '{"currentPhase": 4, "completedPhases": [0, 1]}'),
    ("wrong types", '{"_meta": {"run_id": 7, "status": []}, "phases": {"1": ["completed"], "phase_1": 3}}'),
    ("nothing", ""),
]


@pytest.mark.parametrize("content", [text for _, text in HOSTILE], ids=[name for name, _ in HOSTILE])
def test_a_damaged_file_completes_nothing_stops_nothing_and_is_kept(tmp_path: Path, content: str) -> None:
    world = begun(tmp_path, Plot(), {STATE: content})
    state = world.drive_until(RunStarted)
    assert list(state.phases) == ["1"] and not any(run.those("completed") for run in state.inputs.other_runs)
    assert world.read(f"{KEPT}/state.json") == content
    assert json.loads(world.read(STATE))["_meta"]["run_id"] == state.run


def test_where_the_state_is_cut_off_its_backup_is_read(tmp_path: Path) -> None:
    saved = theirs(phase_1={"status": "completed"})
    world = begun(tmp_path, Plot(phases=2), {STATE: saved[:80], f"{STATE}.backup": saved})
    state = world.drive_until(RunStarted)
    assert list(state.phases) == ["2"]
    assert world.read(f"{KEPT}/state.json.backup") == saved


def test_links_are_neither_followed_out_of_the_repository_nor_written_through(tmp_path: Path) -> None:
    outside = tmp_path / "outside.json"
    outside.write_text(theirs(phase_1={"status": "completed"}))
    world = begun(tmp_path, Plot(), {".autopilot/learnings.md": "mine\n"})
    (world.project / STATE).symlink_to(outside)
    before = outside.read_bytes()
    state = world.drive_until(RunStarted)
    assert list(state.phases) == ["1"], "what lies elsewhere says nothing about this repository"
    assert outside.read_bytes() == before
    assert (world.project / KEPT / "state.json").readlink() == outside
    assert not (world.project / STATE).is_symlink()


def test_where_nothing_can_be_kept_nothing_of_theirs_is_replaced(tmp_path: Path) -> None:
    world = begun(tmp_path, Plot(phases=2), FILES)
    world.write(".autopilot/elsewhere/metrics.json", "[]")
    archive = world.project / ".autopilot" / "archive"
    archive.rename(archive.with_name("archive-of-mine"))
    archive.symlink_to("elsewhere")
    ran = world.run("all")
    assert "files in .autopilot could not be written; the run continues" in ran.err
    assert all(world.read(path) == text for path, text in FILES.items() if "archive" not in path)


def test_what_stands_in_the_place_of_the_folder_keeps_no_file_from_being_kept(tmp_path: Path) -> None:
    """A file, and a link to a folder elsewhere; nothing is written through the link."""
    world = begun(tmp_path, Plot(phases=2), {STATE: FILES[STATE], KEPT: "a file\n"})
    outside = tmp_path / "outside"
    outside.mkdir()
    (world.project / f"{KEPT}-2").symlink_to(outside)
    state = world.drive_until(RunStarted)
    assert world.read(f"{KEPT}-3/state.json") == FILES[STATE]
    assert json.loads(world.read(STATE))["_meta"]["run_id"] == state.run
    assert world.read(KEPT) == "a file\n" and list(outside.iterdir()) == []


def test_a_kill_between_keeping_and_writing_keeps_once(tmp_path: Path) -> None:
    world = begun(tmp_path, Plot(phases=2), FILES)
    kept = world.project / KEPT / "diagnostics"
    kept.mkdir(parents=True)
    os.link(world.project / ".autopilot/diagnostics/phase-1-confidence.md", kept / "phase-1-confidence.md")
    world.drive_until(RunStarted)
    Projections(world.project, world.assemble().ports.journal).catch_up()
    assert [place.name for place in kept.parents[1].glob("taken-over*")] == ["taken-over"]
    assert {path: world.read(f"{KEPT}/{path.removeprefix('.autopilot/')}") for path in FILES} == FILES


def test_a_damaged_list_of_metrics_is_kept_beside_the_new_one(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot())
    world.write(".autopilot/archive/metrics.json", '[{"run_id": "x"')
    ran = world.run("all")
    assert ran.status == 0, ran.err
    assert world.read(".autopilot/archive/metrics.json.damaged") == '[{"run_id": "x"'
    assert len(json.loads(world.read(".autopilot/archive/metrics.json"))) == 1


FIRST_PLAN = ".planning/phases/01-tide-table/01-01-PLAN.md"
CHECKS = re.compile(r"<verify>.*</acceptance_criteria>", re.DOTALL)
SUMMARY = ".planning/phases/01-tide-table/01-01-SUMMARY.md"


def in_the_middle(folder: Path, checks: str = "") -> World:
    """A GSD project: the first plan of its first phase was carried out, the second was not."""
    world = harbour(folder)
    world.write("tide.sh", AT)
    world.write(SUMMARY, "---\nphase: 01-tide-table\nplan: 01\n---\n\n# Summary\n\nHeights are there.\n")
    if checks:
        world.write(FIRST_PLAN, CHECKS.sub(checks, world.read(FIRST_PLAN)))
    world.commit("01-01 is carried out")
    return world


def asked_for(world: World) -> list[str]:
    calls = (stored.event for stored in world.assemble().ports.journal.read())
    return [event.task for event in calls if isinstance(event, AgentReplied) and event.role == "executor"]


def test_a_plan_of_gsd_that_was_carried_out_is_not_carried_out_again(tmp_path: Path) -> None:
    world = in_the_middle(tmp_path)
    before = {path: world.read(path) for path in (FIRST_PLAN, SUMMARY)}
    assert "(1 task planned)" in world.run("1", "--dry-run").out
    ran = world.run("1")
    assert "Task 01-01.1: ALREADY THERE" in ran.err
    warned = [line for line in ran.err.splitlines() if "holds already" in line]
    assert not [line for line in warned if FIRST_PLAN in line], "it is shown by just that"
    assert "Task 01-02.1: VERIFIED" in ran.err
    assert asked_for(world) == ["01-02.1"]
    assert {path: world.read(path) for path in before} == before


def test_a_plan_that_only_its_summary_calls_carried_out_waits_for_a_person(tmp_path: Path) -> None:
    """Nobody does it again, and nothing passes by what a file says."""
    world = in_the_middle(tmp_path, "<verify>The heights look right</verify>")
    ran = world.run("1")
    assert ran.status == 3, ran.out + ran.err
    assert "Task 01-01.1: CARRIED OUT by the summary of its plan" in ran.err
    assert "a summary says that 01-01.1 was carried out, and nothing that can be run shows its work" in ran.err
    assert asked_for(world) == ["01-02.1"]
    assert world.autopilot("verdict", "1", "pass").status == 0
    assert world.resume().status == 0


def test_a_summary_of_work_that_is_not_there_is_not_believed(tmp_path: Path) -> None:
    world = in_the_middle(tmp_path)
    world.git("rm", "-q", "tide.sh")
    world.commit("and taken back")
    ran = world.run("1")
    assert ran.status == 0, ran.out + ran.err
    assert asked_for(world) == ["01-01.1", "01-02.1"]
