"""Reads the status of a run and verifies the record, without driving the run."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from autopilot.adapters.blobs import FileBlobs
from autopilot.adapters.clock import SystemClock
from autopilot.adapters.git.isolation import isolated_git
from autopilot.adapters.journal import chain
from autopilot.adapters.journal.chain import RecordCheck, naming_folder
from autopilot.adapters.journal.prepared import is_cancel_waiting, is_pause_waiting, is_plainly_broken, read_prepared
from autopilot.adapters.journal.sqlite import SqliteJournal
from autopilot.adapters.key import read_key
from autopilot.adapters.live import read_live
from autopilot.adapters.lock import FileLock
from autopilot.adapters.redaction import make_redactor
from autopilot.api.assembly import Repository
from autopilot.api.missing_record import check_place, explain_no_run, open_record, read_anchor
from autopilot.engine.history import read_history
from autopilot.model.errors import RecordBroken
from autopilot.reports.event_log.log import event_log
from autopilot.reports.status.gates import landing_words
from autopilot.reports.status.state_json import state_document
from autopilot.reports.status.status import status_document
from autopilot.reports.status.status_text import INTERRUPTED, run_word
from autopilot.text.naming import plural


def read_status(repository: Repository) -> tuple[dict[str, Any], bool]:
    """The status document of the last run, and whether a process is driving it."""
    check_place(repository.home)
    alive = FileLock(repository.home.lock).holder() is not None
    document = _prepared_status(repository, alive) or _fold_status(repository)
    meta = document["_meta"]
    if alive and is_cancel_waiting(str(repository.home.journal), meta["run_id"]):
        meta["stopping"] = True
    if alive and is_pause_waiting(str(repository.home.journal), meta["run_id"]):
        meta["pausing"] = True
    if issue := document.get("issue"):
        issue["merged_into"] = _merged_into(repository, issue, meta["last_checkpoint_sha"])
    return {**document, "now": read_live(str(repository.home.live)) if alive else []}, alive


def _prepared_status(repository: Repository, alive: bool) -> dict[str, Any] | None:
    """None where the row is outdated, or where the record must be read: broken, or of a run that was interrupted."""
    prepared = read_prepared(str(repository.home.journal), "status")
    is_broken = not alive and is_plainly_broken(str(repository.home.journal), str(repository.home.key))
    if prepared is None or not (prepared[1] or alive) or is_broken:
        return None
    document: dict[str, Any] = json.loads(prepared[0])
    return None if run_word(document["_meta"], alive) == INTERRUPTED else document


def _merged_into(repository: Repository, issue: dict[str, Any], commit: str) -> str | None:
    """The current branch, if the work of a finished issue is in it. The user merges, so the record does not know."""
    if not issue["merge_command"]:
        return None
    with tempfile.TemporaryDirectory(prefix="autopilot-status-") as scratch:
        git = isolated_git(repository.path, Path(scratch))
        branch = git.ask("symbolic-ref", "--quiet", "--short", "HEAD").output.decode("utf-8", "replace").strip()
        is_merged = git.ask("merge-base", "--is-ancestor", commit, "HEAD").code == 0
    return branch if is_merged and branch and branch != issue["branch"] else None


def _fold_status(repository: Repository) -> dict[str, Any]:
    """RecordBroken where a resume would refuse the record: `status` then names the remedy, and no resume."""
    with naming_folder(repository.home.root):
        entries = list(open_record(repository.home, repository.path).read())
    history = read_history(entries)
    last = history.last
    if last is None:
        raise explain_no_run(repository.home, repository.path)
    log = event_log(stored for stored in entries if stored.run == last.run)
    return status_document(last, state_document(last, log), landing_words(last))


def verify_record(repository: Repository) -> RecordCheck:
    """Check the whole chain, compare it with the anchor kept in the vault, and read every text that it names."""
    if not repository.home.journal.exists():
        raise explain_no_run(repository.home, repository.path)
    anchor = read_anchor(repository.home, repository.path)
    with naming_folder(repository.home.journal.parent):
        check = chain.verify_record(_journal(repository), (anchor,) if anchor else ())
    _check_texts(repository, check)
    return check


def _check_texts(repository: Repository, check: RecordCheck) -> None:
    """RecordBroken where texts that the events name cannot be read: what agents replied and commands printed."""
    blobs = FileBlobs(repository.home.blobs, make_redactor({}))
    broken = [digest for digest in sorted(check.texts) if not _is_whole(blobs, digest)]
    if broken:
        events = f"{plural(check.events, 'event')} of {plural(check.runs, 'run')}"
        raise RecordBroken(
            f"the events are intact ({events}), but of {plural(len(check.texts), 'stored text')} {len(broken):,} "
            f"cannot be read, such as {broken[0][:12]}: missing or altered",
            f"Put the folder {repository.home.blobs} back from a backup. Verdicts are in the events; "
            "what commands printed and agents replied is lost without it.",
        )


def _is_whole(blobs: FileBlobs, digest: str) -> bool:
    try:
        blobs.get(digest)
    except RecordBroken:
        return False
    return True


def _journal(repository: Repository) -> SqliteJournal:
    return SqliteJournal(repository.home.journal, read_key(repository.home.key), SystemClock(), readonly=True)
