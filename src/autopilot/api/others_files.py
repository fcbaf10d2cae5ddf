"""Files of another program in ``.autopilot``: a second name of each is kept before ours take their place."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from autopilot.adapters.beneath import list_beneath, read_beneath
from autopilot.adapters.files import translated
from autopilot.adapters.git.checkout.documents import keep_document
from autopilot.model.errors import UsageError
from autopilot.planning.takeover.state_file import HEAD_BYTES, is_ours, run_named
from autopilot.reports.status.files import METRICS, STATE

FOLDER = ".autopilot"
KEPT = f"{FOLDER}/archive/taken-over"
MARK = f"{FOLDER}/.gitignore"  # the first file that we write there
MOST_KEPT, MOST_FILES = 99, 10_000
MOST_COMPARED = 32_000_000  # bytes


def keep_others_files(checkout: Path, is_known: Callable[[str], bool]) -> str:
    """The folder that they are kept in, "" where all there is is ours. The state comes last: with it, all are kept.

    ``is_known``: whether the journal has a run of this name. A file that only says that it is ours is kept as well.
    """
    if not _is_anothers(checkout, is_known):
        return ""
    paths = [path for path in _files(checkout) if path != STATE]
    paths += [STATE] if os.path.lexists(checkout / STATE) else []
    if not paths:
        return ""
    kept = _find_place(checkout, paths)
    for path in paths:
        keep_document(checkout, path, f"{kept}/{path.removeprefix(f'{FOLDER}/')}")
    if (checkout / STATE).is_symlink():
        with translated(checkout / STATE):
            (checkout / STATE).unlink()  # kept as what it is; ours is never written through it
    return kept


def _is_anothers(checkout: Path, is_known: Callable[[str], bool]) -> bool:
    if not os.path.lexists(checkout / STATE):
        return not os.path.lexists(checkout / MARK)
    head = read_beneath(checkout, STATE, HEAD_BYTES)
    return head is None or not is_ours(head) or not is_known(run_named(head))  # None: a link, or no file at all


def _files(checkout: Path) -> Iterator[str]:
    """What ours may replace or remove: files and links of the folder itself, its diagnostics and its metrics."""
    for folder in (FOLDER, f"{FOLDER}/diagnostics"):
        paths = (f"{folder}/{name}" for name in sorted(list_beneath(checkout, folder, MOST_FILES)))
        yield from (path for path in paths if _is_file_or_link(checkout / path))
    if read_beneath(checkout, METRICS, 0) is not None:
        yield METRICS


def _is_file_or_link(path: Path) -> bool:
    mode = os.lstat(path).st_mode
    return stat.S_ISREG(mode) or stat.S_ISLNK(mode)


def _find_place(checkout: Path, paths: list[str]) -> str:
    """A folder in which nothing else has these names; the one of a start that was killed is used again."""
    for place in (KEPT, *(f"{KEPT}-{number}" for number in range(2, MOST_KEPT))):
        copies = [(f"{place}/{path.removeprefix(f'{FOLDER}/')}", path) for path in paths]
        if _may_be_folder(checkout / place) and all(_is_free(checkout, copy, original) for copy, original in copies):
            return place
    raise UsageError(f"{KEPT} and {MOST_KEPT - 2} others are in use", "Move them out of the repository.")


def _may_be_folder(place: Path) -> bool:
    """Not where a file stands, nor a link: nothing can be kept there, and nothing of ours would be written at all."""
    return not os.path.lexists(place) or stat.S_ISDIR(os.lstat(place).st_mode)


def _is_free(checkout: Path, copy: str, original: str) -> bool:
    """Whether the name is unused, or has the same content."""
    if not os.path.lexists(checkout / copy):
        return True
    first, second = os.lstat(checkout / copy), os.lstat(checkout / original)
    if (first.st_dev, first.st_ino) == (second.st_dev, second.st_ino):
        return True
    contents = [read_beneath(checkout, name, MOST_COMPARED) for name in (copy, original)]
    return first.st_size <= MOST_COMPARED and contents[0] is not None and contents[0] == contents[1]
