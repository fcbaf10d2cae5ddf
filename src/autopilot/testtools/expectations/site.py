"""One expectation of one test: a span of its file, and what stands there instead."""

from __future__ import annotations

import hashlib

from msgspec import Struct

_LETTERS = "bcdfghjklmnpqrstvwxz"
_LEAST, _MOST = 1_009, 9_973


class Site(Struct, frozen=True):
    test: str
    start: int
    end: int
    instead: bytes
    is_value: bool = True  # another expected value; False where only the sense of the assertion is turned round


class Draw:
    """Values that follow from a seed alone, so that a resumed run draws the same."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._drawn = 0

    def below(self, limit: int) -> int:
        self._drawn += 1
        digest = hashlib.sha256(f"{self._seed} {self._drawn}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % limit

    def word(self) -> str:
        """Nothing a text would hold by chance, and no sign by which a change could be recognised."""
        return "".join(_LETTERS[self.below(len(_LETTERS))] for _ in range(5))

    def number(self) -> int:
        return _LEAST + self.below(_MOST - _LEAST)
