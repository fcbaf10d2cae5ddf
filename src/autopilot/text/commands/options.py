"""The arguments of a test tool: options, which are kept, and what selects tests, which may be left out."""

from __future__ import annotations

from collections.abc import Sequence


def names(*lines: str) -> frozenset[str]:
    """Of options, written one after the other."""
    return frozenset(word for line in lines for word in line.split())


def settings(arguments: Sequence[str], valued: frozenset[str], dropped: frozenset[str]) -> list[str]:
    """The options among the arguments. Any other argument selects tests, and so do the dropped options."""
    kept, place = list[str](), 0
    while place < len(arguments) and arguments[place] != "--":
        word = arguments[place]
        size = 2 if word in valued else 1
        if word.startswith("-") and len(word) > 1 and _name(word) not in dropped:
            kept += arguments[place : place + size]
        place += size
    return kept


def selection(arguments: Sequence[str], valued: frozenset[str]) -> list[str]:
    """The arguments that are neither options nor values of one: files, folders, names of tests."""
    chosen, place = list[str](), 0
    while place < len(arguments):
        word = arguments[place]
        if word == "--":
            return [*chosen, *arguments[place + 1 :]]
        if not word.startswith("-"):
            chosen.append(word)
        place += 2 if word in valued else 1
    return chosen


def _name(word: str) -> str:
    """Of an option as it is written: ``--ignore=x``, ``-kfoo``."""
    return word.partition("=")[0] if word.startswith("--") else word[:2]
