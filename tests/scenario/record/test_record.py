"""The journal is the truth: files for people can go, and a changed record is refused.

STATE, RES-1, T7.anchor, T7.chain
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from autopilot.events.happened import PlanChecked, TaskVerified
from tests.scenario.kit.looking import processes_of
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import World, make_world

# covers: CMD-LOG


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> World:
    """One finished run for every test that only reads, or that copies what it changes."""
    world = make_world(tmp_path_factory.mktemp("finished"), Plot(planned=True))
    assert world.run().status == 0
    assert processes_of(world.folder) == []
    return world


def test_status_before_any_run_says_so_with_a_hint_and_makes_nothing(world: World) -> None:
    for words in (("status",), ("status", "--json"), ("status", "--line")):
        ran = world.autopilot(*words)
        assert ran.status == 2
        assert ran.out == ""
        assert ran.err.splitlines() == [
            "error: no run has been started in this repository",
            "hint: `autopilot run all` starts one; if you moved the repository here: `autopilot doctor`",
        ]
    assert not (world.project / ".autopilot").exists()
    assert not world.state.exists()


def test_status_before_any_run_and_without_a_roadmap_leads_to_one(world: World) -> None:
    world.git("rm", "-q", ".planning/ROADMAP.md")
    ran = world.autopilot("status")
    assert ran.err.splitlines()[1].startswith("hint: `autopilot init` writes a roadmap to start from; ")
    world.write("specs/001-greet/spec.md", "# Feature Specification: Greet\n")
    for words in (("status",), ("pause",)):
        assert "hint: `autopilot run all` starts one; " in world.autopilot(*words).err, "another tool's plan is a plan"


def test_status_tells_where_a_run_stands_that_nobody_drives(world: World) -> None:
    state = world.drive_until(PlanChecked)
    page = world.autopilot("status")
    assert page.status == 0
    assert page.out.splitlines()[0].startswith(f"{state.run}: interrupted")
    assert "phase 1  in progress" in page.out
    assert world.autopilot("status", "--line").out == f"{state.run} interrupted 0/1 phase 1\n"


def test_status_after_a_run_is_a_page_a_line_or_json(finished: World) -> None:
    page, line = finished.autopilot("status"), finished.autopilot("status", "--line")
    document = finished.status
    run = document["_meta"]["run_id"]
    assert page.out.splitlines()[0] == f"{run}: completed (every phase passed)"
    assert line.out == f"{run} completed 1/1\n"
    assert (page.err, line.err) == ("", "")
    assert document["phases"]["1"]["alignment_score"] == 9.6
    assert document["alive"] is False


def test_the_file_of_the_state_has_the_shape_of_the_sources(finished: World) -> None:
    document = json.loads(finished.read(".autopilot/state.json"))
    assert {"_meta", "phases", "metrics", "event_log"} <= document.keys()
    names = [row["event"] for row in document["event_log"]]
    assert names[0] == "run_started"
    assert set(names[-2:]) == {"run_completed", "checkpoint_written"}
    assert all({"timestamp", "phase", "step", "event", "details"} == row.keys() for row in document["event_log"])
    archived = next((finished.project / ".autopilot" / "archive").glob("run-*.json"))
    assert json.loads(archived.read_text()) == document


def damage(folder: Path, how: str) -> None:
    for name in ("state.json", "state.json.backup"):
        path = folder / name
        if how == "deleted":
            path.unlink(missing_ok=True)
        else:
            path.write_text('{"_meta": {"status": "completed"}, "phases": {"1": {"status": "compl')


@pytest.mark.parametrize("how", ["deleted", "corrupted"])
def test_a_damaged_state_file_changes_nothing_and_is_rebuilt(world: World, how: str) -> None:
    # covers: T7.projections
    world.drive_until(TaskVerified)
    before = world.status
    damage(world.project / ".autopilot", how)
    assert world.status == before
    ran = world.resume()
    assert ran.status == 0, ran.err
    document = json.loads(world.read(".autopilot/state.json"))
    assert document["phases"]["1"]["status"] == "completed"
    names = [row["event"] for row in document["event_log"]]
    assert names[0] == "run_started", "what happened before this process is in the rebuilt log"
    assert names.count("task_completed") == 1


def test_log_verify_says_that_a_record_is_whole(finished: World) -> None:
    ran = finished.autopilot("log", "verify")
    assert ran.status == 0
    assert ran.out.startswith("the record is intact: ")
    found = json.loads(finished.autopilot("log", "verify", "--json").out)
    assert found["runs"] == 1
    assert found["anchor"] == f"{found['events']} {found['head']}"


def change_one_byte(journal: sqlite3.Connection) -> None:
    payload = journal.execute("SELECT payload FROM events WHERE kind = 'GateJudged'").fetchone()[0]
    changed = payload.replace(b"score 9.6", b"score 9.7")
    assert changed != payload
    journal.execute("UPDATE events SET payload = ? WHERE kind = 'GateJudged'", (changed,))


def test_status_without_the_key_of_the_record_says_so(finished: World) -> None:
    key = finished.repository.home.key
    key.rename(key.with_name("elsewhere"))
    try:
        ran = finished.autopilot("status")
        assert (ran.status, ran.out) == (6, "")
        assert ran.err.startswith("error: the key of these records is missing: ")
    finally:
        key.with_name("elsewhere").rename(key)
    assert finished.autopilot("status").status == 0


def at_rest(journal: Path) -> bytes:
    """All of it in one file: a command that ends at once leaves its last pages in a log beside it."""
    with closing(sqlite3.connect(journal)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return journal.read_bytes()


def cut_off_the_end(journal: sqlite3.Connection) -> None:
    journal.execute("DELETE FROM events WHERE seq > (SELECT max(seq) - 3 FROM events)")


def empty_it(journal: sqlite3.Connection) -> None:
    journal.execute("DELETE FROM events")


@pytest.mark.parametrize("tamper", [change_one_byte, cut_off_the_end, empty_it])
def test_a_record_changed_by_hand_is_refused(
    finished: World, tmp_path: Path, tamper: Callable[[sqlite3.Connection], None]
) -> None:
    whole = at_rest(finished.journal)
    with sqlite3.connect(finished.journal) as journal:
        tamper(journal)
    journal.close()
    try:
        head = finished.head
        for words in (("log", "verify"), ("run", "--script", str(finished.script))):
            ran = finished.autopilot(*words)
            assert ran.status == 6, (words, ran.err)
            assert ran.err.startswith("error: ")
            assert "hint: " in ran.err
            assert f"move its folder {finished.journal.parent} away" in ran.err
            if words == ("log", "verify"):
                verified = ran.err
        for words in (("report",), ("evidence", "1"), ("why",), ("transcript",), ("shell", "1")):
            told = finished.autopilot(*words)
            assert (told.status, told.out) == (6, ""), f"{words} would take what is left for all of it"
            assert str(finished.journal.parent) in told.err, words
            assert tamper is empty_it or told.err == verified, words
        if tamper is empty_it:
            told = finished.autopilot("status")
            assert (told.status, told.out) == (6, ""), "an anchor shows that there were runs"
            assert told.err.startswith(f"error: the record of runs is empty: {finished.journal} (its anchor names ")
        if tamper is cut_off_the_end:
            # The refused run prepared a status of what is left: it is as new as the journal.
            for form in ((), ("--json",)):
                told = finished.autopilot("status", *form)
                assert (told.status, told.out, told.err) == (6, "", verified), "no resume is suggested: none can work"
            assert "the record ends at entry" in finished.autopilot("doctor").out
        if tamper is change_one_byte:
            told = finished.autopilot("status")
            assert (told.status, told.out, told.err) == (6, "", verified), "status says nothing that does not verify"
        assert finished.head == head
    finally:
        at_rest(finished.journal)
        finished.journal.write_bytes(whole)
    assert finished.autopilot("log", "verify").status == 0, "the control: put back, it verifies again"


def test_a_record_that_is_gone_is_no_repository_without_runs(finished: World) -> None:
    away = finished.journal.rename(finished.journal.with_suffix(".away"))
    try:
        reading = (("status",), ("log", "verify"), ("report",), ("evidence", "1"), ("watch",))
        writing = (("run", "--script", str(finished.script)), ("resume",), ("cancel",), ("approve",))
        for words in (*reading, *writing):
            ran = finished.autopilot(*words)
            assert (ran.status, ran.out) == (6, ""), words
            assert ran.err.startswith(f"error: the record of runs is missing: {finished.journal}")
            assert not finished.journal.exists(), f"{words} must not make an empty one in its place"
        told = finished.autopilot("gates")
        first, second = told.out.splitlines()
        assert (told.status, first) == (
            5,
            "nothing is waiting for you in the records that could be read; not read: 1",
        )
        assert second.startswith(f"{finished.project}: the record of runs is missing: ")
    finally:
        away.rename(finished.journal)


def test_without_its_anchor_a_record_is_not_said_to_be_complete(finished: World) -> None:
    vault = finished.journal.with_name("vault.git")
    away = vault.rename(vault.with_suffix(".away"))
    try:
        ran = finished.autopilot("log", "verify")
    finally:
        away.rename(vault)
    assert ran.out.endswith("its anchor is missing: whether the last events are complete cannot be checked\n")


def test_stored_texts_that_are_gone_are_no_intact_record(finished: World) -> None:
    blobs = finished.repository.home.blobs
    whole = json.loads(finished.autopilot("log", "verify", "--json").out)["texts"]
    assert whole > 5, "replies of agents and output of commands are in it"
    away = blobs.rename(blobs.with_suffix(".away"))
    try:
        ran = finished.autopilot("log", "verify")
    finally:
        away.rename(blobs)
    message, hint = ran.err.splitlines()
    assert (ran.status, ran.out) == (6, "")
    assert message.startswith("error: the events are intact (")
    assert f"but of {whole} stored texts {whole} cannot be read" in message
    assert hint.startswith(f"hint: Put the folder {blobs} back from a backup.")


def test_a_run_whose_commits_are_gone_says_so_and_can_be_started_over(world: World) -> None:
    state = world.drive_until(PlanChecked)
    vault = world.repository.home.vault
    shutil.rmtree(vault)
    said = f"the commits of {state.run} are gone: {vault} is missing or incomplete"
    ran = world.resume()
    message, hint = ran.err.splitlines()
    assert (ran.status, message) == (6, f"error: {said}")
    assert hint.startswith("hint: put it back from a backup, or start over: `autopilot run --fresh 1`")
    assert f"problem   records: {said}" in world.autopilot("doctor", "--no-try").out
    assert world.run("--fresh", "1").status == 0, "what the hint suggests works"


def test_projections_left_behind_by_a_kill_are_brought_level_by_the_next_start(world: World) -> None:
    """covers: STATE RES-1"""
    assert world.run().status == 0
    state = world.project / ".autopilot/state.json"
    state.write_text("{}")
    with sqlite3.connect(next(world.folder.glob("state/autopilot/*/journal.db"))) as connection:
        connection.execute("UPDATE prepared SET seq = seq - 1")
    assert world.run().status == 0, "nothing is open any more"
    assert json.loads(state.read_text())["_meta"]["status"] == "completed"


def test_a_missing_key_is_named_and_never_replaced(tmp_path: Path) -> None:
    # covers: T7
    world = make_world(tmp_path, Plot(planned=True))
    world.drive_until(PlanChecked)
    (key,) = world.state.rglob("key")
    backup = key.read_bytes()
    key.unlink()
    for ran in (world.resume("--now"), world.autopilot("log", "verify")):
        assert ran.status == 6, ran.err
        assert ran.err.splitlines() == [
            f"error: the key of these records is missing: {key}",
            "hint: Put it back from a backup (no other key opens the record), or move the folder "
            f"{key.parent} away and run again: what was landed stays in git.",
        ]
    assert not key.exists()
    key.write_bytes(backup)
    key.chmod(0o600)
    assert world.autopilot("log", "verify").status == 0
