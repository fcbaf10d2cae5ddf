"""Texts cut to a length where no word is cut in two: half a secret would not be known as one."""

from __future__ import annotations

LONGEST_SECRET = 4_096  # of a longer word so much is left out beside the cut, and the rest of it kept
_ENDS = " \t\r\n\"'`"  # of a word; a quote ends a value in most languages


def cut_end(text: str, most: int) -> str:
    """The beginning of a text, up to the last word that fits as a whole."""
    if len(text) <= most:
        return text
    place = max(text.rfind(end, 0, most + 1) for end in _ENDS)
    return f"{text[: max(0, place, most - LONGEST_SECRET)].rstrip()}…"


def cut_beginning(text: str, most: int) -> str:
    """The end of a text, from the first word that fits as a whole."""
    if len(text) <= most:
        return text
    places = [place for end in _ENDS if (place := text.find(end, len(text) - most - 1)) >= 0]
    place = min([place + 1 for place in places] + [len(text) - most + LONGEST_SECRET])
    return f"…{text[place:].lstrip()}"
