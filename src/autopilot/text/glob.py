"""Whether a path matches a glob that a plan wrote, in time that grows with the length of both and never beyond."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import lru_cache

LONGEST = 1_000  # characters of a pattern; a longer one is nobody's glob and matches nothing
_WILD = re.compile(r"[*?{\[]")
_TOKEN = re.compile(r"\*\*/|\*\*|\*|\?|\{[^{}]*\}|\[!?[\w-]+\]|[^*?{\[]++|[{\[]")


def is_glob(pattern: str) -> bool:
    return _WILD.search(pattern) is not None


def matches_glob(pattern: str, path: str) -> bool:
    """``*`` and ``?`` stay within a folder, ``**`` does not; ``{a,b}`` is one of two texts, ``[a-z]`` one character.

    The places of the path that the pattern's beginning can reach are carried from token to token. A regular expression
    would try them one after the other instead, and take exponential time for ``*a*a*a*a*b``.
    """
    reached = {0} if len(pattern) <= LONGEST else set[int]()
    for token in _tokens(pattern):
        if not reached:
            return False
        reached = _step(token, path, reached)
    return len(path) in reached


@lru_cache(maxsize=512)
def _tokens(pattern: str) -> tuple[str, ...]:
    """Stars that stand side by side are one, for a plan can write a thousand of them."""
    found = list[str]()
    for token in _TOKEN.findall(pattern):
        if token not in found[-1:] or token.strip("*/"):
            found.append(token)
    return tuple(found)


def _step(token: str, path: str, reached: set[int]) -> set[int]:
    """The places after the token, for every place before it."""
    match token:
        case "**":
            return set(range(min(reached), len(path) + 1))
        case "**/":
            return reached | {position + 1 for position in range(min(reached) + 1, len(path)) if path[position] == "/"}
        case "*":
            return _to_the_end_of_the_name(path, reached)
        case "?":
            return {position + 1 for position in reached if position < len(path) and path[position] != "/"}
    if token[0] == "[" and len(token) > 1:
        return {position + 1 for position in reached if position < len(path) and fnmatchcase(path[position], token)}
    literals = token[1:-1].split(",") if token[0] == "{" and len(token) > 1 else [token]
    return {position + len(text) for text in literals for position in reached if path.startswith(text, position)}


def _to_the_end_of_the_name(path: str, reached: set[int]) -> set[int]:
    found = set[int]()
    for position in sorted(reached):
        if position not in found:
            end = path.find("/", position)
            found.update(range(position, (end if end >= 0 else len(path)) + 1))
    return found
