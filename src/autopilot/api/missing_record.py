"""Opens the record for those who only read it, and says why there is none: no run, a moved repository, a loss."""

from __future__ import annotations

from pathlib import Path

from autopilot.adapters.clock import SystemClock
from autopilot.adapters.git.checkout.checkout import GitCheckout
from autopilot.adapters.git.vault import GitVault
from autopilot.adapters.home import Home
from autopilot.adapters.journal.chain import naming_folder
from autopilot.adapters.journal.sqlite import SqliteJournal
from autopilot.adapters.key import read_key
from autopilot.adapters.lock import FileLock
from autopilot.engine.ledger import ANCHOR
from autopilot.engine.planning_files import find_choice
from autopilot.events.anchor import check_anchor
from autopilot.model.errors import AutopilotError, RecordBroken, Unavailable, UsageError
from autopilot.planning.formats.registry import ROADMAPS

MOVED = "if you moved the repository here: `autopilot doctor`"
NO_RUN = "no run has been started in this repository"


def open_record(home: Home, checkout: Path) -> SqliteJournal:
    """RecordBroken where a resume would refuse the record: what is left of it would be taken for all of it."""
    if not home.journal.exists():
        raise explain_no_run(home, checkout)
    alive = FileLock(home.lock).holder() is not None
    with naming_folder(home.root):
        journal = SqliteJournal(home.journal, read_key(home.key), SystemClock(), readonly=True)
        # A process that drives the run may move the anchor meanwhile.
        if not alive and journal.head().seq and (anchor := read_anchor(home, checkout)):
            check_anchor(journal, anchor)
    return journal


def explain_no_run(home: Home, checkout: Path) -> AutopilotError:
    """Why a record that is missing or empty is so. Without a plan, of another tool too, there is nothing to run yet."""
    check_place(home)
    if lost := find_lost_record(home, checkout):
        return lost
    is_planned = _is_planned(home, checkout)
    start = "`autopilot run all` starts one" if is_planned else "`autopilot init` writes a roadmap to start from"
    return UsageError(NO_RUN, f"{start}; {MOVED}")


def _is_planned(home: Home, checkout: Path) -> bool:
    """By a roadmap or by the files of another tool."""
    if any((checkout / path).is_file() for path in ROADMAPS):
        return True
    files = GitCheckout(checkout, GitVault(home.vault, checkout))
    return find_choice(files, roadmap=False, wanted="").format is not None


def check_place(home: Home) -> None:
    """Unavailable where the folder of all records is none: every command that reads them says it alike."""
    state = home.root.parent.parent
    existing = next(path for path in (state, *state.parents) if path.exists())
    if not existing.is_dir():
        hint = "Correct that, or set AUTOPILOT_STATE_HOME to the folder with your records."
        raise Unavailable(f"Autopilot cannot read its records in {state}: {existing} is a file, not a folder", hint)


def read_anchor(home: Home, checkout: Path) -> str:
    """What the vault keeps of the record's head; "" without any. Reading makes no vault."""
    if not home.vault.exists():
        return ""
    return GitVault(home.vault, checkout).anchored(ANCHOR) or ""


def find_lost_record(home: Home, checkout: Path) -> RecordBroken | None:
    """Of a record that is missing or empty: an anchor shows that there was one."""
    anchor = read_anchor(home, checkout)
    if not anchor or anchor.startswith("0 "):
        return None
    problem = "the record of runs is empty" if home.journal.exists() else "the record of runs is missing"
    return RecordBroken(
        f"{problem}: {home.journal} (its anchor names entry {anchor.split()[0]})",
        f"Put it back from a backup, or move the folder {home.root} away and run again: what was landed stays in git.",
    )
