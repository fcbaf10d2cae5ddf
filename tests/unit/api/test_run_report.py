"""Reports where a run rests, over several runs of one repository: written once, compared, and never in a run's way."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.adapters.clock import SteppedClock
from autopilot.adapters.journal.memory import MemoryJournal
from autopilot.api.projections import Projections
from autopilot.api.run_report import RunReport, build_report, write_junit, write_summary
from autopilot.engine.ledger import Recorded
from autopilot.events import happened as h
from autopilot.events.entry import Entry
from autopilot.events.fold import fold_all
from autopilot.model.errors import UsageError
from autopilot.model.intent import Intent
from autopilot.model.policy import Budget
from autopilot.model.run import RunStatus, Step
from tests.unit import issue_runs
from tests.unit.making import ONE, TWO, make_brief, make_started, store

# covers: CMPL-04, DONE-1, MTRC-01, MTRC-03, STATE
FOLDER = ".autopilot"
BRIEFS = (make_brief(ONE), make_brief(TWO))
BOTH_PASS: tuple[h.Event, ...] = (
    h.PhaseStarted(ONE, 1, "base"),
    h.PhaseCompleted(ONE, 9.4, "c1"),
    h.PhaseStarted(TWO, 1, "c1"),
    h.PhaseCompleted(TWO, 9.4, "c2"),
    h.RunStopped(RunStatus.COMPLETED, "every phase passed", 0),
)
ONE_FAILS: tuple[h.Event, ...] = (
    *BOTH_PASS[:3],
    h.PhaseFailed(TWO, "it adds: exit 1", "acceptance_criteria_unmet", Step.GATE),
    h.RunStopped(RunStatus.FAILED, "phase 2 did not pass", 1),
)


class World:
    def __init__(self, checkout: Path) -> None:
        self.checkout = checkout
        self.journal = MemoryJournal(SteppedClock())
        self.warnings: list[str] = []
        self.projections = Projections(checkout, self.journal, self.warnings.append)

    def happen(self, run: str, *events: h.Event, intent: Intent | None = None) -> None:
        """What a process would record and show; the first events of a run begin it."""
        known = any(self.journal.read(run))
        begin = () if known else (make_started(*BRIEFS, intent=intent or Intent()),)
        for event in (*begin, *events):
            event = replace(event, run=run) if isinstance(event, h.RunStarted) else event
            entries = self.journal.append([Entry(run, f"{run}/{self.journal.head().seq}", event)])
            self.projections.take(Recorded(entries, fold_all(self.journal.read(run))))
        self.projections.write()

    def text(self, path: str) -> str:
        return (self.checkout / path).read_text(encoding="utf-8")

    def names(self) -> set[str]:
        return {str(path.relative_to(self.checkout / FOLDER)) for path in (self.checkout / FOLDER).rglob("*.*")}

    @property
    def metrics(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = json.loads(self.text(f"{FOLDER}/archive/metrics.json"))
        return rows


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path)
    yield world
    assert world.warnings == []


def test_a_run_that_is_over_leaves_its_reports(world: World) -> None:
    world.happen("run-1", *BOTH_PASS)
    (completion,) = [name for name in world.names() if name.startswith("completion-")]
    assert {"report.html", "archive/metrics.json", "archive/run-1.json", "state.json"} <= world.names()
    assert "First run recorded." in world.text(f"{FOLDER}/{completion}")
    assert "completion-report.md" not in world.names()
    assert [row["run_id"] for row in world.metrics] == ["run-1"]
    assert json.loads(world.text(f"{FOLDER}/archive/run-1.json"))["_meta"]["status"] == "completed"


@pytest.mark.parametrize("status", list(RunStatus))
def test_the_state_is_archived_however_a_run_ends(world: World, status: RunStatus) -> None:
    world.happen("run-1", BOTH_PASS[0], h.RunStopped(status, "so it is", 0))
    assert json.loads(world.text(f"{FOLDER}/archive/run-1.json"))["_meta"]["status"] == status.value
    assert world.text(f"{FOLDER}/report.html").startswith("<!doctype html>")


def test_the_state_of_a_run_that_was_killed_and_given_up_is_archived(world: World) -> None:
    world.happen("run-1", BOTH_PASS[0], h.RunArchived("a fresh run"))
    assert json.loads(world.text(f"{FOLDER}/archive/run-1.json"))["_meta"]["status"] == "running"
    world.happen("run-2", *BOTH_PASS)
    assert [row["run_id"] for row in world.metrics] == ["run-1", "run-2"]


def test_complete_leaves_a_report_over_all_phases_and_its_data(world: World) -> None:
    world.happen("run-1", *ONE_FAILS, intent=Intent(complete=True))
    assert json.loads(world.text(f"{FOLDER}/completion-report.json"))["completion_percentage"] == 50.0
    assert "**Project completion:** 50% (1/2 phases)" in world.text(f"{FOLDER}/completion-report.md")
    log = json.loads(world.text(f"{FOLDER}/state.json"))["event_log"]
    assert [row["event"] for row in log[-3:]] == ["batch_completion_report", "checkpoint_written", "run_halted"]


def test_two_runs_are_compared_and_the_second_warns(world: World) -> None:
    world.happen("run-1", *BOTH_PASS)
    world.happen("run-2", *ONE_FAILS)
    (completion,) = [name for name in world.names() if name.startswith("completion-")]
    trend = world.text(f"{FOLDER}/{completion}").partition("## Trend Analysis")[2].partition("\n## ")[0]
    assert "**Warning: the success rate fell from 100% to 50% since" in trend
    assert "- Compared with: run-1" in trend
    assert "Over 2 runs: success rate min 50%, max 100%, avg 75%" in trend
    assert world.text(f"{FOLDER}/report.html").count('class="plot"') == 3
    assert [row["success_rate"] for row in world.metrics] == [1.0, 0.5]
    assert build_report(world.journal, "run-1").trend is None
    assert build_report(world.journal).trend is not None


def test_a_run_that_is_taken_up_again_has_one_row_at_last(world: World) -> None:
    world.happen("run-1", *ONE_FAILS)
    assert [row["success_rate"] for row in world.metrics] == [0.5]
    again = (h.RunResumed("0.1.0", (), Budget()), h.PhaseStarted(TWO, 2, "c1"))
    world.happen("run-1", *again, h.RunStopped(RunStatus.PAUSED, "a cap", 4))
    assert world.metrics == []
    world.happen("run-1", h.RunResumed("0.1.0", (), Budget()), *BOTH_PASS[3:])
    assert [row["success_rate"] for row in world.metrics] == [1.0]


def test_rows_of_runs_that_the_record_does_not_know_are_kept(world: World) -> None:
    file = world.checkout / FOLDER / "archive" / "metrics.json"
    file.parent.mkdir(parents=True)
    file.write_text('[{"run_id": "run-of-old", "timestamp": "2020-01-01T00:00:00Z", "success_rate": 0.9}]')
    world.happen("run-1", *BOTH_PASS)
    assert [row["run_id"] for row in world.metrics] == ["run-of-old", "run-1"]


def test_a_report_that_was_deleted_comes_back_from_the_record(world: World) -> None:
    world.happen("run-1", *BOTH_PASS)
    before = world.text(f"{FOLDER}/report.html")
    (world.checkout / FOLDER / "state.json").unlink()
    (world.checkout / FOLDER / "report.html").unlink()
    Projections(world.checkout, world.journal, world.warnings.append).catch_up()
    assert world.text(f"{FOLDER}/report.html") == before


def test_a_run_that_is_not_there_is_asked_for_in_vain(world: World) -> None:
    with pytest.raises(UsageError, match="no run has been started"):
        build_report(world.journal)
    world.happen("run-1", *BOTH_PASS)
    with pytest.raises(UsageError, match="no run named 'run-7'") as caught:
        build_report(world.journal, "run-7")
    assert "run-1" in caught.value.hint


def test_files_for_ci_are_written_whole_or_refused(world: World, tmp_path: Path) -> None:
    world.happen("run-1", *ONE_FAILS)
    told = build_report(world.journal)
    write_junit(told, tmp_path / "out.xml", world.checkout)
    assert (tmp_path / "out.xml").read_text().startswith("<?xml")
    (tmp_path / "link.md").symlink_to("summary.md")
    write_summary(told, tmp_path / "link.md", world.checkout)
    assert (tmp_path / "link.md").is_symlink()
    assert (tmp_path / "summary.md").read_text().startswith("## Autopilot: failed")
    missing = tmp_path / "nowhere" / "out.xml"
    with pytest.raises(
        UsageError, match=f"^the report cannot be written to {missing}: the folder {missing.parent} does not exist$"
    ):
        write_junit(told, missing, world.checkout)
    with pytest.raises(UsageError, match=f"^the report cannot be written to {tmp_path}: it is a folder$"):
        write_junit(told, tmp_path, world.checkout)
    write_junit(told, Path("/dev/null"), world.checkout)
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize("alive", [True, False])
def test_a_run_whose_process_was_killed_is_not_said_to_run(world: World, alive: bool) -> None:
    world.happen("run-1", *BOTH_PASS[:3])
    told = replace(build_report(world.journal), alive=alive)
    for text in (told.markdown, told.summary, told.html()):
        assert ("interrupted: its process has ended" in text) == (not alive)
        assert ("still running" in text) == alive
    world.happen("run-1", BOTH_PASS[-1])
    assert "every phase passed" in replace(build_report(world.journal), alive=alive).markdown


def test_the_summary_of_an_issue_is_about_the_issue(tmp_path: Path) -> None:
    entries = store(*issue_runs.HANDED_OFF)
    told = RunReport(fold_all(entries), entries, (), ("run-1",))
    write_summary(told, tmp_path / "summary.md", tmp_path)
    assert (tmp_path / "summary.md").read_text() == told.summary
    assert issue_runs.BRIEF.title in told.summary and "phases" not in told.summary


@pytest.mark.parametrize("target", ["../outside.txt", ".git/config", "folder/../../outside.txt"])
def test_a_link_in_the_checkout_leads_no_report_out_of_it(world: World, tmp_path: Path, target: str) -> None:
    """An agent may have committed it, under the very name that the user always gives."""
    world.checkout = tmp_path / "checkout"
    (world.checkout / ".git").mkdir(parents=True)
    (world.checkout / "folder").mkdir()
    for file in (tmp_path / "outside.txt", world.checkout / ".git/config"):
        file.write_text("mine\n")
    world.happen("run-1", *ONE_FAILS)
    told, link = build_report(world.journal), world.checkout / "junit.xml"
    link.symlink_to(target)
    for write in (write_junit, write_summary):
        with pytest.raises(UsageError, match="symbolic link"):
            write(told, link, world.checkout)
    assert (tmp_path / "outside.txt").read_text() == (world.checkout / ".git/config").read_text() == "mine\n"
    link.unlink()
    link.symlink_to("inside.xml")
    write_junit(told, link, world.checkout)
    assert (world.checkout / "inside.xml").read_text().startswith("<?xml")


def test_a_report_in_gits_own_folder_is_refused_as_that_and_a_link_as_a_link(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.happen("run-1", *BOTH_PASS)
    report = build_report(world.journal)
    (tmp_path / ".git").mkdir()
    (tmp_path / "link").symlink_to("/")
    with pytest.raises(UsageError, match="it is in git's own folder"):
        write_junit(report, tmp_path / ".git/x", tmp_path)
    with pytest.raises(UsageError, match="is a symbolic link"):
        write_junit(report, tmp_path / "link/x", tmp_path)
