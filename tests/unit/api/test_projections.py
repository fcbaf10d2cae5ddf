"""Files for people: written from the state, rebuilt when gone, and never in a run's way (OBSV-04, LRNG-03, CENF-02)."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from autopilot.adapters.clock import SteppedClock
from autopilot.adapters.git.checkout.documents import back_up_document
from autopilot.adapters.journal.memory import MemoryJournal
from autopilot.api.projections import Projections
from autopilot.engine.ledger import Recorded
from autopilot.events import happened as h
from autopilot.events import people as e
from autopilot.events import recovery as r
from autopilot.events.entry import Entry
from autopilot.events.fold import fold_all
from autopilot.model.human import GateKind, HumanQuestion
from autopilot.model.planning.sufficiency import Sufficiency
from autopilot.model.policy import Budget
from autopilot.model.run import RunStatus, Step
from tests.unit.making import ONE, TWO, make_brief, make_rating, make_started, make_task

# covers: CMAP-03, OBSV-03, OBSV-04, LRNG-01, LRNG-03, CENF-02, CENF-03, STATE, RES-1
STARTED = make_started(make_brief(ONE), make_brief(TWO))
BEGUN = (STARTED, h.PhaseStarted(ONE, 1, "base"), h.Planned(ONE, "plan", (make_task(),), ()))
FAILED = h.PhaseFailed(ONE, "c1 failed", "acceptance_criteria_unmet", Step.GATE)
STOPPED = h.RunStopped(RunStatus.FAILED, "phase 1 did not pass", 1)
AGAIN = (h.RunResumed("0.1.0", (), Budget()), h.PhaseStarted(ONE, 2, "base"))
POSTMORTEM = ".autopilot/diagnostics/phase-1-postmortem.json"
CONFIDENCE = ".autopilot/diagnostics/phase-1-confidence.md"
LEARNINGS = ".autopilot/learnings.md"


class World:
    def __init__(self, checkout: Path) -> None:
        self.checkout = checkout
        self.journal = MemoryJournal(SteppedClock())
        self.warnings: list[str] = []
        self.projections = self.open()

    def open(self) -> Projections:
        """As another process would."""
        return Projections(self.checkout, self.journal, self.warnings.append)

    def happen(self, *events: h.Event) -> None:
        for event in events:
            self.projections.take(self.record(event))

    def record(self, event: h.Event, run: str = "run-1") -> Recorded:
        key = f"{run}/{self.journal.head().seq}"
        entries = self.journal.append([Entry(run, key, event)])
        return Recorded(entries, fold_all(self.journal.read(run)))

    def text(self, path: str) -> str | None:
        file = self.checkout / path
        return file.read_text(encoding="utf-8") if file.exists() else None


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path)
    yield world
    assert world.warnings == []


def completed(score: float, *more: h.Event) -> tuple[h.Event, ...]:
    rated = h.PhaseRated(ONE, "c1", make_rating(), score, "good")
    return (*BEGUN, rated, *more, h.PhaseCompleted(ONE, score, "c1"))


def test_a_failed_phase_has_a_post_mortem_and_teaches(world: World) -> None:
    world.happen(*BEGUN, FAILED, STOPPED)
    found = json.loads(world.text(POSTMORTEM) or "")
    assert (found["phase_id"], found["status"]) == ("1", "failed")
    assert found["root_cause"]["category"] == "acceptance_criteria_unmet"
    assert "### Phase 1 failure -- acceptance_criteria_unmet" in (world.text(LEARNINGS) or "")
    assert world.text(CONFIDENCE) is None


def test_a_phase_that_preflight_stopped_has_a_post_mortem_too(world: World) -> None:
    preflight = h.PhaseFailed(ONE, "no disk", "tool_failure", Step.PREFLIGHT)
    world.happen(STARTED, h.PhaseStarted(ONE, 1, "base"), preflight)
    assert json.loads(world.text(POSTMORTEM) or "")["root_cause"]["category"] == "tool_failure"


@pytest.mark.parametrize(("score", "written"), [(8.9, True), (7.0, True), (9.0, False), (9.6, False)])
def test_a_phase_completed_below_nine_has_a_diagnostic(world: World, score: float, written: bool) -> None:
    world.happen(*completed(score))
    assert (world.text(CONFIDENCE) is not None) is written
    assert world.text(POSTMORTEM) is None


def test_a_phase_that_counts_as_incomplete_has_a_diagnostic_whatever_its_score(world: World) -> None:
    world.happen(*completed(9.2, r.MarkedIncomplete(ONE, 9.2, 9.5, 3)))
    assert "Confidence Diagnostic" in (world.text(CONFIDENCE) or "")


def test_a_second_attempt_keeps_the_post_mortem_until_it_has_something_else_to_say(world: World) -> None:
    world.happen(*BEGUN, FAILED, STOPPED)
    world.projections = world.open()
    world.happen(*AGAIN)
    assert world.text(POSTMORTEM) is not None
    world.happen(h.PhaseRated(ONE, "c1", make_rating(), 9.6, "excellence"), h.PhaseCompleted(ONE, 9.6, "c1"))
    assert world.text(POSTMORTEM) is None


def test_nothing_is_left_of_what_an_earlier_run_had_to_say(world: World) -> None:
    for path in (POSTMORTEM, CONFIDENCE, LEARNINGS):
        (world.checkout / path).parent.mkdir(parents=True, exist_ok=True)
        (world.checkout / path).write_text("of an earlier run\n")
    world.happen(*BEGUN)
    assert [world.text(path) for path in (POSTMORTEM, CONFIDENCE, LEARNINGS)] == [None] * 3


def test_documents_of_an_earlier_attempt_or_of_its_parts_do_not_stay_beside_the_later_ones(world: World) -> None:
    folder = world.checkout / ".autopilot/diagnostics/phase-1"
    folder.mkdir(parents=True)
    for name in ("SCORECARD.md", "1a-VERIFICATION.md", "notes.txt"):
        (folder / name).write_text("mine\n")
    world.happen(*BEGUN, FAILED)
    names = {path.name for path in folder.iterdir()}
    assert {"VERIFICATION.md", "SUMMARY.md", "notes.txt"} <= names
    assert not {"SCORECARD.md", "1a-VERIFICATION.md"} & names


@pytest.mark.parametrize(("run", "kept"), [("run-1", False), ("run-2019", True), ("", True)])
def test_a_state_that_says_it_is_ours_is_kept_unless_the_journal_knows_its_run(
    world: World, run: str, kept: bool
) -> None:
    written = json.dumps({"_meta": {"run_id": run, "autopilot_version": "9.9"}, "phases": {}})
    (world.checkout / ".autopilot").mkdir()
    (world.checkout / ".autopilot/state.json").write_text(written)
    world.happen(*BEGUN)
    assert world.text(".autopilot/archive/taken-over/state.json") == (written if kept else None)
    assert [warning.endswith("are kept in .autopilot/archive/taken-over") for warning in world.warnings] == [
        True
    ] * kept
    world.warnings.clear()
    assert json.loads(world.text(".autopilot/state.json") or "")["_meta"]["run_id"] == "run-1"


def test_what_is_gone_is_written_again_by_the_next_process(world: World) -> None:
    world.happen(*BEGUN, FAILED, STOPPED)
    world.projections.write()
    paths = (POSTMORTEM, LEARNINGS, ".autopilot/state.json")
    before = {path: world.text(path) for path in paths}
    assert None not in before.values()
    shutil.rmtree(world.checkout / ".autopilot")
    world.open().catch_up()
    assert {path: world.text(path) for path in paths} == before


def test_files_that_a_kill_left_behind_are_brought_level(world: World) -> None:
    world.happen(*BEGUN)
    world.record(FAILED)
    world.open().catch_up()
    assert json.loads(world.text(".autopilot/state.json") or "")["phases"]["1"]["status"] == "failed"
    assert None not in (world.text(POSTMORTEM), world.text(LEARNINGS))


def test_the_state_before_the_last_is_kept_as_a_backup_and_nothing_else_is_left(world: World) -> None:
    world.happen(*BEGUN)
    world.projections.write()
    before = world.text(".autopilot/state.json")
    world.record(FAILED)
    world.open().catch_up()
    assert world.text(".autopilot/state.json.backup") == before != world.text(".autopilot/state.json")
    for _ in range(2):  # as when the write that follows fails, and is tried again
        back_up_document(world.checkout, ".autopilot/state.json", b"")
    assert world.text(".autopilot/state.json.backup") == world.text(".autopilot/state.json")
    assert [path.name for path in (world.checkout / ".autopilot").glob(".*")] == [".gitignore"]


def test_a_backup_is_a_copy_where_a_second_name_cannot_be_had(tmp_path: Path) -> None:
    back_up_document(tmp_path, "state.json", b"as it was read")
    assert (tmp_path / "state.json.backup").read_bytes() == b"as it was read"


def test_a_folder_that_cannot_be_written_is_told_once_and_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / ".autopilot").write_text("in the way\n")
    world = World(tmp_path)
    world.happen(*BEGUN, FAILED, STOPPED)
    assert len(world.warnings) == 1
    assert "the run continues" in world.warnings[0]


def test_files_are_never_removed_through_a_link_that_leads_out(tmp_path: Path) -> None:
    outside, checkout = tmp_path / "outside", tmp_path / "checkout"
    for folder in (outside / "diagnostics", checkout):
        folder.mkdir(parents=True)
    (outside / "diagnostics/phase-1-postmortem.json").write_text("yours\n")
    (outside / "learnings.md").write_text("yours\n")
    (checkout / ".autopilot").symlink_to(outside)
    world = World(checkout)
    world.happen(*BEGUN, STOPPED)
    assert sorted(path.name for path in outside.rglob("*")) == [
        "diagnostics",
        "learnings.md",
        "phase-1-postmortem.json",
    ]
    assert len(world.warnings) == 1


def test_the_status_row_holds_the_result_of_each_phase(world: World) -> None:
    world.happen(*completed(9.6), h.RunStopped(RunStatus.COMPLETED, "every phase passed", 0))
    world.projections.write()
    row = world.journal.prepared("status")
    assert row is not None
    phases = json.loads(row[1])["phases"]
    assert phases["1"]["result"]["status"] == "completed"
    assert phases["2"]["result"] is None


# --- the context map --------------------------------------------------------------------------------------------

MAP = ".autopilot/context-map.json"
WHICH = HumanQuestion("1.1", "Which command?", "1", "criteria", "none is given")
MAPPED = (
    STARTED,
    e.ContextMapped(ONE, Sufficiency(4, 2.0, 6.0, 2.0, 10.0), (WHICH,)),
    e.HumanAsked("map", GateKind.MAP, "1 phase needs more information", (WHICH,)),
)
ANSWERED = e.HumanAnswered("map", {"1.1": "make test"}, "you")


def test_the_context_map_is_written_with_what_others_wrote_and_with_answers_as_they_come(world: World) -> None:
    (world.checkout / ".autopilot").mkdir()
    (world.checkout / MAP).write_text('{"phases": {"9": {"questions": [{"question": "Why?", "answer": "so"}]}}}')
    world.happen(*MAPPED)
    world.projections.write()
    world.happen(ANSWERED)
    world.projections.write()
    found = json.loads(world.text(MAP) or "")["phases"]
    assert found["9"]["questions"] == [{"question": "Why?", "answer": "so"}]
    assert [row["answer"] for row in found["1"]["questions"]] == ["make test"]


def test_a_context_map_that_is_gone_comes_back_from_the_journal(world: World) -> None:
    world.happen(*MAPPED, ANSWERED, STOPPED)
    shutil.rmtree(world.checkout / ".autopilot")
    world.projections = world.open()
    world.projections.catch_up()
    assert "make test" in (world.text(MAP) or "")


def test_no_context_map_is_written_where_nobody_asked_for_one(world: World) -> None:
    world.happen(*BEGUN, FAILED, STOPPED)
    assert world.text(MAP) is None


def test_a_damaged_context_map_is_set_aside_and_said(tmp_path: Path) -> None:
    world = World(tmp_path)
    for content in ("{ half", "{ another half"):
        (tmp_path / ".autopilot").mkdir(exist_ok=True)
        (tmp_path / MAP).write_text(content)
        world.projections = world.open()
        world.happen(*MAPPED)
        world.projections.write()
        assert "Which command?" in (world.text(MAP) or "")
    assert (world.text(f"{MAP}.damaged"), world.text(f"{MAP}.damaged-2")) == ("{ half", "{ another half")
    assert [text.partition("; ")[2] for text in world.warnings] == [
        f"the unreadable file is kept as {MAP}.damaged",
        f"the unreadable file is kept as {MAP}.damaged-2",
    ]
