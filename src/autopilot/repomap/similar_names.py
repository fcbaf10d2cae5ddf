"""How like one name is another: the same, the same but for its spelling, near."""

from __future__ import annotations

from enum import IntEnum

from autopilot.repomap.words import split_name, stem

SHARE = 0.6  # of their words that two near names have in common
LONGEST = 80  # a longer name is compared by its words alone


class Closeness(IntEnum):
    SAME = 0
    SPELLING = 1  # but for case and underscores
    NEAR = 2


Likeness = tuple[Closeness, float]  # the smaller, the nearer


def likeness(wanted: str, name: str) -> Likeness | None:
    """None where the two have nothing to do with each other."""
    if wanted == name:
        return Closeness.SAME, 0.0
    ours, theirs = _folded(wanted), _folded(name)
    if not ours or not theirs:
        return None
    if ours == theirs:
        return Closeness.SPELLING, 0.0
    edits = edit_distance(ours, theirs, max(1, len(ours) // 4))
    if edits is not None:
        return Closeness.NEAR, edits / max(len(ours), len(theirs))
    shared = _shared_words(wanted, name)
    return (Closeness.NEAR, 1 - shared) if shared >= SHARE else None


def edit_distance(left: str, right: str, most: int) -> int | None:
    """How many letters have to be inserted, dropped, replaced or swapped; None where it is more than ``most``."""
    if abs(len(left) - len(right)) > most or max(len(left), len(right)) > LONGEST:
        return None
    before: list[int] = []
    row = list(range(len(right) + 1))
    for place, letter in enumerate(left, 1):
        earlier, before, row = before, row, [place]
        for other, there in enumerate(right, 1):
            cost = min(before[other] + 1, row[other - 1] + 1, before[other - 1] + (letter != there))
            if place > 1 and other > 1 and letter == right[other - 2] and left[place - 2] == there:
                cost = min(cost, earlier[other - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return None
    return row[-1] if row[-1] <= most else None


def _folded(name: str) -> str:
    return "".join(char for char in name.lower() if char.isalnum())


def _shared_words(left: str, right: str) -> float:
    """The share of words that both have: `read_user_config` and `load_user_config` share two of four."""
    ours = {stem(part) for part in split_name(left)}
    theirs = {stem(part) for part in split_name(right)}
    if len(ours) < 2 or len(theirs) < 2:
        return 0.0
    return 2 * len(ours & theirs) / (len(ours) + len(theirs))
