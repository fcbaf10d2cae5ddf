"""Untrusted regular expressions: the longest time a match can take, known before matching.

The author of the data also wrote the schema. ``(a+)+`` in it would block a run for years, and Python's engine cannot be
interrupted; so a pattern is only tried when its worst case is bounded, and paid for from the caller's allowance.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

_ATOM = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\((?:\?:|\?P?<[A-Za-z_]\w*>)?|.", re.DOTALL)
_TIMES = re.compile(r"(?:([*+])|(\?)|\{\d+(,\d*)?\})[?+]?")
# What was matched before, looking around, flags; and forms of which Python warns that their meaning will change.
_REFUSED = re.compile(r"\\[1-9kgG]|\(\?(?!:|P?<[A-Za-z_])|\[\^?\[|--|&&|\|\||~~")
MAX_CHARS = 300


class Pattern(Struct, frozen=True):
    regex: re.Pattern[str]
    power: int  # steps grow with this power of the text's length
    ways: int  # and with the number of ways through options and alternatives

    def cost(self, text: str) -> int:
        steps: int = max(1, len(text)) ** self.power
        return self.ways * steps


def bounded(source: str) -> Pattern | None:
    """None when it is no pattern, or when the time it takes is not bounded."""
    if len(source) > MAX_CHARS or _REFUSED.search(source):
        return None
    try:
        regex = re.compile(source, re.ASCII)
    except (re.error, OverflowError, RecursionError):
        return None
    loops, choices = 0, 0
    varies = [False]  # per open group: it can match one text in more than one way
    for atom, times in _pieces(source):
        inner = varies.pop() if atom == ")" and len(varies) > 1 else False
        if atom[0] == "(":
            varies.append(False)
        if inner and times not in {"", "?"}:
            return None  # repeating what varies multiplies its ways without end
        loops += times == "many"
        choices += times == "?" or atom == "|"
        varies[-1] |= inner or times in {"?", "many"} or atom == "|"
    anchored = source.startswith("^") and "|" not in source
    return Pattern(regex, max(1, loops + (not anchored)), 2**choices)


def _pieces(source: str) -> Iterator[tuple[str, str]]:
    """Each atom with how often it may stand there: "" once, "fixed", "?" or "many"."""
    position = 0
    while atom := _ATOM.match(source, position):
        position = atom.end()
        times = _TIMES.match(source, position) if atom[0][0] not in "(|" else None
        position = times.end() if times else position
        if times is None:
            yield atom[0], ""
        elif times[2]:
            yield atom[0], "?"
        else:
            yield atom[0], "many" if times[1] or times[3] else "fixed"
