"""``status`` in a few milliseconds: reads one prepared row without starting git or importing other rooms."""

from __future__ import annotations

import fcntl
import json
import os
from hashlib import sha256

from autopilot.adapters.journal.prepared import is_cancel_waiting, is_pause_waiting, is_plainly_broken, read_prepared
from autopilot.cli.inert_json import render_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def read_prepared_status(form: str) -> str | None:
    """The output of ``status``, ``--line`` or ``--json``; None when it must be read from the journal.

    That is the case without a prepared row, with an outdated row and no driving process, in a worktree, for an issue
    that may have been merged since, which only git knows, and for an interrupted run, whose record may have been cut.
    """
    home = _home(_git_directory(os.getcwd()))
    if home is None:
        return None
    alive = _is_held(f"{home}/lock")
    row = read_prepared(f"{home}/journal.db", "line" if form == "--line" else "status")
    if row is None or not (row[1] or alive):
        return None
    # A prompt asks for its line at every command; whoever reads the page or the document is told what does not hold.
    if form != "--line" and not alive and is_plainly_broken(f"{home}/journal.db", f"{home}/key"):
        return None
    document = json.loads(row[0])
    if form != "--line" and (document.get("issue") or {}).get("merge_command"):
        return None
    meta = document["_meta"]
    if form != "--line" and not alive and meta["status"] == "running":
        return None
    if alive and is_cancel_waiting(f"{home}/journal.db", meta["run_id"]):
        meta["stopping"] = True
    if alive and is_pause_waiting(f"{home}/journal.db", meta["run_id"]):
        meta["pausing"] = True
    if form != "--line":
        from autopilot.adapters.live import read_live

        document["now"] = read_live(f"{home}/live") if alive else []
    return render_status_output(document, alive, form)


def render_status_output(document: dict[str, Any], alive: bool, form: str) -> str:
    if form == "--json":
        return render_json({**document, "alive": alive})
    from autopilot.reports.status.status_text import render_line, render_status

    text = render_line(document, alive) if form == "--line" else render_status(document, alive)
    if text.replace("\n", "").isprintable():
        return text
    from autopilot.model.secrecy.terminal import strip_controls

    return strip_controls(text)


def _git_directory(folder: str) -> str | None:
    """The git directory of a folder; None for worktrees, whose status is read from the journal."""
    folder = os.path.realpath(folder)
    while True:
        found = os.path.join(folder, ".git")
        if os.path.isdir(found):
            return None if os.path.exists(os.path.join(found, "commondir")) else os.path.realpath(found)
        if os.path.exists(found) or folder == os.path.dirname(folder):
            return None
        folder = os.path.dirname(folder)


def _home(git_directory: str | None) -> str | None:
    """The same folder as `adapters.home` finds; None for paths that it would refuse with an error."""
    state = os.environ.get("AUTOPILOT_STATE_HOME", "")
    if not state:
        state = os.environ.get("XDG_STATE_HOME", "")
        if not os.path.isabs(state):
            state = os.path.join(os.environ.get("HOME", ""), ".local", "state")
    if git_directory is None or not os.path.isabs(state):
        return None
    return os.path.join(state, "autopilot", sha256(os.fsencode(git_directory)).hexdigest()[:16])


def _is_held(path: str) -> bool:
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return False
    except OSError:
        return True
    finally:
        os.close(descriptor)
