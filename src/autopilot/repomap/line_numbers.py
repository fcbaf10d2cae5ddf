"""The line of a place in a text, counted from the last place that was asked for: a node makes three objects for it."""

from __future__ import annotations


class LineNumbers:
    def __init__(self, text: bytes) -> None:
        self._text = text
        self._place = 0
        self._line = 1

    def at(self, place: int) -> int:
        if place >= self._place:
            self._line += self._text.count(b"\n", self._place, place)
        else:
            self._line -= self._text.count(b"\n", place, self._place)
        self._place = place
        return self._line
