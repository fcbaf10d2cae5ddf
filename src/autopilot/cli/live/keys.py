"""Bytes of a terminal as keys; what is no key that the view knows is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator

ESCAPE = "escape"
NAMED = {
    **{"\x1b[A": "up", "\x1bOA": "up", "\x1b[B": "down", "\x1bOB": "down"},
    **{"\x1b[C": "right", "\x1bOC": "right", "\x1b[D": "left", "\x1bOD": "left"},
    **{"\x1b[5~": "page_up", "\x1b[6~": "page_down", "\x1b[H": "home", "\x1b[F": "end"},
    **{"\x1b[1~": "home", "\x1b[4~": "end", "\x1bOH": "home", "\x1bOF": "end"},
    **{"\r": "enter", "\n": "enter", "\x7f": ESCAPE, "\x08": ESCAPE, "\x1b": ESCAPE, "\x04": "q"},
    **{"k": "up", "j": "down", "l": "right", "h": "left"},
}
KEY = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1bO.|\x1b|.", re.DOTALL)


def parse_keys(text: str) -> Iterator[str]:
    for sequence in KEY.findall(text):
        if sequence in NAMED:
            yield NAMED[sequence]
        elif len(sequence) == 1 and sequence.isprintable():
            yield sequence
