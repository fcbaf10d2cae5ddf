"""Texts made to be slow for one regular expression: each part of it that repeats, repeated, with no end that fits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

ALPHABET = " a0A\t\n.-_/`*\"'(),:#<>[]{}=|\\$&@é\u2028✅\x00"
ENDS = ("\x00", "", "\n!")
REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)
MANY = 20  # a repetition up to fewer times than this is no repetition


def slow_texts(pattern: re.Pattern[Any], length: int) -> Iterator[str]:
    source = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    tree = parser.parse(source, pattern.flags)
    whole = _samples(tree)[0]
    for prefix, body in dict.fromkeys([*_repeated(tree, ""), ("", whole), (whole[:-1], whole)]):
        if body:
            for end in ENDS:
                yield prefix + body * (length // len(body)) + end
                if prefix:
                    yield (prefix + body) * (length // len(prefix + body)) + end
                    yield body * (length // len(body)) + end


def _repeated(tree: Any, prefix: str) -> Iterator[tuple[str, str]]:
    """What leads to a part that repeats, and that part."""
    for op, value in tree:
        if op in REPEATS:
            if value[1] is sre.MAXREPEAT or value[1] >= MANY:
                yield from ((prefix, body) for body in _samples(value[2]))
                yield from ((prefix, body) for body in _glued(value[2]))
            yield from _repeated(value[2], prefix)
        for inner in _inner(op, value):
            yield from _repeated(inner, prefix)
        prefix += _samples([(op, value)])[0]


def _glued(tree: Any) -> Iterator[str]:
    """One alternative that could go on, with another at its end: where the first takes both, there are two ways."""
    for op, value in tree:
        if op is sre.SUBPATTERN:
            yield from _glued(value[3])
        elif op is sre.BRANCH:
            firsts = [_samples(branch)[0] for branch in value[1]]
            for first, branch in zip(firsts, value[1], strict=True):
                if branch and branch[-1][0] in REPEATS and branch[-1][1][1] is sre.MAXREPEAT:
                    yield from (first + other for other in firsts)


def _inner(op: Any, value: Any) -> list[Any]:
    if op is sre.SUBPATTERN:
        return [value[3]]
    if op is sre.ATOMIC_GROUP:
        return [value]
    if op is sre.BRANCH:
        return list(value[1])
    return [value[1]] if op in (sre.ASSERT, sre.ASSERT_NOT) else []


def _samples(tree: Any) -> list[str]:
    """A few texts that the pattern matches."""
    found = [""]
    for op, value in tree:
        some = _samples_of(op, value) or [""]
        found = [found[i % len(found)] + some[i % len(some)] for i in range(max(len(found), len(some)))]
    return list(dict.fromkeys(found))


def _samples_of(op: Any, value: Any) -> list[str]:
    if op is sre.LITERAL:
        return [chr(value)]
    if op is sre.NOT_LITERAL:
        return [sign for sign in ALPHABET if ord(sign) != value][:6]
    if op is sre.ANY:
        return [" ", "a", ".", "`"]
    if op is sre.IN:
        return [sign for sign in ALPHABET if _accepts(value, sign)][:8] or _first_of(value)
    if op in REPEATS:
        return [each * max(value[0], min(1, value[1])) for each in _samples(value[2])]
    if op in (sre.ASSERT, sre.ASSERT_NOT):
        return [""]
    return [each for inner in _inner(op, value) for each in _samples(inner)[:3]][:12]


def _first_of(charset: Any) -> list[str]:
    return [chr(value if op is sre.LITERAL else value[0]) for op, value in charset if op in (sre.LITERAL, sre.RANGE)][
        :1
    ]


def _accepts(charset: Any, sign: str) -> bool:
    negated = charset[0][0] is sre.NEGATE
    return any(_is_in(op, value, sign) for op, value in charset if op is not sre.NEGATE) != negated


def _is_in(op: Any, value: Any, sign: str) -> bool:
    if op is sre.LITERAL:
        return bool(ord(sign) == value)
    if op is sre.RANGE:
        return bool(value[0] <= ord(sign) <= value[1])
    known = {"DIGIT": sign.isdigit(), "SPACE": sign.isspace(), "WORD": sign.isalnum() or sign == "_"}
    name = str(value).removeprefix("CATEGORY_")
    return known[name] if name in known else not known[name.removeprefix("NOT_")]
