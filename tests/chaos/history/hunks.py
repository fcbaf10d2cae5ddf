"""Parts of the difference between two versions of a file, each chosen by a word that it holds."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher


def take_hunks(before: str, after: str, words: Sequence[str]) -> str:
    """The text before, with those places as they are after that hold one of the words."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    taken: list[str] = []
    seen: set[str] = set()
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        changed = "".join(new[j1:j2])
        held = {word for word in words if word in changed} if tag != "equal" else set[str]()
        taken += new[j1:j2] if held else old[i1:i2]
        seen |= held
    assert seen == set(words), f"no hunk holds {sorted(set(words) - seen)}"
    return "".join(taken)
