"""What is said where there is no record of runs: none was started, the repository was moved, or the record is lost."""

from __future__ import annotations

from autopilot.adapters.git.vault import GitVault
from autopilot.api.assembly import Repository
from autopilot.engine.inputs import ROADMAPS
from autopilot.engine.ledger import ANCHOR
from autopilot.model.errors import AutopilotError, RecordBroken, Unavailable, UsageError

NO_RUN = "no run has been started in this repository"


def explain_no_run(repository: Repository) -> UsageError:
    """Without a roadmap there is nothing to run yet."""
    has_roadmap = any((repository.path / path).is_file() for path in ROADMAPS)
    start = "`autopilot run all` starts one" if has_roadmap else "`autopilot init` writes a roadmap to start from"
    return UsageError(NO_RUN, f"{start}; if you moved the repository here: `autopilot doctor`")


def check_place(repository: Repository) -> None:
    """Unavailable where the folder of all records is none: every command that reads them says it alike."""
    state = repository.home.root.parent.parent
    existing = next(path for path in (state, *state.parents) if path.exists())
    if not existing.is_dir():
        hint = "Correct that, or set AUTOPILOT_STATE_HOME to the folder with your records."
        raise Unavailable(f"Autopilot cannot read its records in {state}: {existing} is not a folder", hint)


def read_anchor(repository: Repository) -> str:
    """What the vault keeps of the record's head; "" without any. Reading makes no vault."""
    if not repository.home.vault.exists():
        return ""
    return GitVault(repository.home.vault, repository.path).anchored(ANCHOR) or ""


def explain_missing_record(repository: Repository) -> AutopilotError:
    """An anchor without a record shows that there was one."""
    check_place(repository)
    anchor = read_anchor(repository)
    if not anchor or anchor.startswith("0 "):
        return explain_no_run(repository)
    journal = repository.home.journal
    return RecordBroken(
        f"the record of runs is missing: {journal} (its anchor names entry {anchor.split()[0]})",
        f"Put it back from a backup, or move the folder {journal.parent} away and run again: "
        "what was landed stays in git.",
    )
