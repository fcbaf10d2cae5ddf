"""Places in code as people write them: "shelf/a.py:3"."""

from __future__ import annotations

import re

# A name with a letter in it, a colon, a line: no time of day, no `EXIT:0`, no address of a server.
PLACE = re.compile(
    r"(?<![\w./\-])(?!(?i:exit|line|lines|col|port|localhost|status|code|rc):)(?!//)([\d./\-]*[^\W\d][\w./\-]*):\d+"
)
FILE = re.compile(r"(?<![\w./@-])(?:[\w.@-]+/)*[\w@-][\w.@-]*\.[A-Za-z]\w{0,7}(?![\w/])")
_NO_FILE = frozenset({"e.g", "i.e", "n.a", "a.k.a"})


def names_place(text: str) -> bool:
    return PLACE.search(text) is not None


def files_in(text: str) -> list[str]:
    """Everything a text names that looks like a path."""
    return [name for name in FILE.findall(text) if name.casefold() not in _NO_FILE]


def file_in(text: str) -> str:
    """The first file a text names: one with a line first of all, else anything that looks like a path; or ""."""
    if found := PLACE.search(text):
        return found[1].removeprefix("./")
    return next((name.removeprefix("./") for name in files_in(text)), "")
