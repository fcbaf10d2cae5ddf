"""A file and a line: the only form in which a reviewer's word can be looked up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

# A name with a letter in it, a colon, a line: no time of day, no `EXIT:0`, no address of a server.
FILE_LINE = re.compile(
    r"(?<![\w./\-])(?!(?i:exit|line|lines|col|port|localhost|status|code|rc):)(?!//)[\d./\-]*[^\W\d][\w./\-]*:\d+"
)
# The number of a line as people write it behind a file: `:12`, `:L12`, `#L12`, `, line 12`, ` (lines 3-9)`.
_LINE = re.compile(
    r"[`*'\"]{0,3}(?::L?|#L?|:?,? {0,2}\(?(?:at |on )?lines? )([0-9]{1,9})(?![0-9A-Za-z_])", re.IGNORECASE
)
_NAME = re.compile(r"[\w./-]+")
_IS_FILE = re.compile(r".*[./]|\w*file\Z|README\Z|LICENSE\Z", re.IGNORECASE)  # what "line 12" may follow
_OPENS = frozenset(" \t\r\n`'\"(<[{=,;|*")  # a path may begin behind any of these, and go on behind them too
LONGEST_PATH, MOST_PLACES, MOST_STARTS, MOST_FOLDERS = 240, 100, 12, 12


def names_place(evidence: str) -> bool:
    """Whether it looks like one; only the tree can tell."""
    return FILE_LINE.search(evidence) is not None or any(_worded(evidence))


def named_places(evidence: str) -> frozenset[str]:
    """As ``file:line``, however they are written."""
    return frozenset((*FILE_LINE.findall(evidence), *_worded(evidence)))


def _worded(evidence: str) -> Iterator[str]:
    """Those that are not written with a colon and a number."""
    for before, line, mark in _lines_in(evidence):
        backwards = _NAME.match(before[::-1])
        name = backwards[0][::-1] if backwards else ""
        if not mark.isdecimal() and _IS_FILE.match(name) and any(map(str.isalpha, name)):
            yield f"{name}:{line}"


def _lines_in(evidence: str) -> Iterator[tuple[str, int, str]]:
    """Each number of a line, what stands before it, and how it is written without its colon."""
    for found in islice(_LINE.finditer(evidence), MOST_PLACES):
        before = evidence[max(0, found.start() - LONGEST_PATH) : found.start()]
        yield before, int(found[1]), found[0].removeprefix(":")


def possible_places(evidence: str) -> Iterator[tuple[str, int]]:
    """Every path, and a line, that the text may mean: names may hold spaces and brackets, so the tree has to decide.

    The shortest first; of a path from the root also its ends, for a reviewer may name files as its machine does.
    """
    for before, line, _ in _lines_in(evidence):
        starts = [n for n in range(len(before)) if n == 0 or before[n - 1] in _OPENS]
        for start in starts[: -MOST_STARTS - 1 : -1]:
            yield from ((path, line) for path in _spellings(before[start:]))


def _spellings(path: str) -> Iterator[str]:
    yield path.removeprefix("./")
    if path.startswith("/"):
        folders = path.split("/")[1:]
        yield from ("/".join(folders[skipped:]) for skipped in range(min(len(folders), MOST_FOLDERS)))
