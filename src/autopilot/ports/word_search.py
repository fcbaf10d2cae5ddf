"""How often words stand in the texts of a repository."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol


class WordSearch(Protocol):
    def count(self, stems: Sequence[str], tree: str = "") -> Mapping[str, Mapping[str, int]]:
        """By path, how often each of these beginnings of words stands in it, whatever its case.

        ``tree``: a commit or tree; "" is the working tree, uncommitted files included. Binary files have no words. Of
        a tree without end the count may be incomplete; the same tree gives the same count.
        """
