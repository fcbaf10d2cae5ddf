"""The number at the head of a task's text: "2.1 Write it", "**3.** Test it", "4) Ship it", "#5 Tell of it"."""

from __future__ import annotations

import re

_NUMBER = re.compile(
    r"[*_`]{0,3}(?P<mark>#?)(?P<number>[0-9]{1,4}(?:\.[0-9]{1,4}){0,4}[a-z]?)[*_`]{0,3}(?P<dot>[.):、．]?)[*_`]{0,3}"
    r"(?=[ \t])"
)


def split_number(text: str) -> tuple[str, str]:
    """The number and the words behind it; without a number "" and the whole text ("10 files are written")."""
    found = _NUMBER.match(text)
    if not found or not (found["mark"] or found["dot"] or "." in found["number"]):
        return "", text
    return found["number"], text[found.end() :].strip()
