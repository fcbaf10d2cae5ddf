"""Makes a journal on disks of growing size, then under growing limits of a file; prints what happened as JSON."""

import json
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from autopilot.adapters.journal.database import WritableDatabase, create
from autopilot.model.errors import AutopilotError

PAGE = 4096
PAGES = 40
COUNT = "SELECT count(*) FROM events"


def main(folder: Path) -> None:
    on_small_disks = [on_small_disk(folder / f"disk-{pages}", pages * PAGE) for pages in range(1, PAGES)]
    limited = [in_limited_files(folder / f"limit-{pages}", pages * PAGE - 100) for pages in range(1, PAGES)]
    print(json.dumps({"small disks": on_small_disks, "limited files": limited}))


def on_small_disk(folder: Path, size: int) -> list[object]:
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], check=True)
    return attempt(
        folder, lambda: subprocess.run(["mount", "-o", "remount,size=10m", folder], check=True, capture_output=True)
    )


def in_limited_files(folder: Path, size: int) -> list[object]:
    """The kernel refuses to write beyond the limit, which SQLite takes for an I/O error."""
    folder.mkdir()
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    return attempt(folder, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard)))


def attempt(folder: Path, mend: Callable[[], object]) -> list[object]:
    """What came of it, what was left, and whether the journal can be used once the fault is gone."""
    path = folder / "journal.db"
    try:
        create(path)
        came = "created"
    except AutopilotError as error:
        came = type(error).__name__
    left = sorted(file.name for file in folder.iterdir())
    mend()
    try:
        database = WritableDatabase(path)
        with database.transaction() as connection:
            connection.execute("INSERT INTO prepared VALUES ('a', 1, 'b')")
        usable = database.rows(COUNT) == [(0,)]
    except AutopilotError:
        usable = False
    return [came, left, usable]


main(Path(sys.argv[1]))
