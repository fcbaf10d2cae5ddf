"""Words of names and sentences: an identifier is its parts, and a word is compared by its stem."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]{1,60}")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_LAST = re.compile(r"(?:ie|e|y)$")
SHORTEST = 3  # a shorter stem says nothing, and stands in everything
_DOUBLED = frozenset("bdgmnprt")  # "stopped" is stop, "passed" is pass
# What every other task says, whatever it is about.
_COMMON = frozenset(
    """
    about above add added adding adds after again all allow allows also always and any are because been before
    being below better between bit both bug but can cannot cases change changed changes changing chore commit
    could did does doing done each either else etc ever every feat fix fixed fixes fixing for from get gets
    getting given gives has have having her here how however improve improved improves instead into issue issues
    its itself just keep less let like make makes making may might more most much must need needed needs never new
    not now off old once one only onto other our out over own pass passes per phase please pull put really
    refactor refactored remove removed removes removing request resolve resolves same see should show shows since
    some still such support supported supports sure task than that the their them then there these they thing
    things this those through too two under until update updated updates use used user uses using very via want
    was way were what when where whether which while who why will with within without work works would yet you
    your
    """.split()  # noqa: SIM905 - two hundred quoted words would be unreadable
)


def split_name(name: str) -> tuple[str, ...]:
    """The parts of an identifier or path in small letters: ``parseHTTPHeader_v2`` is parse, http, header, v, 2."""
    return tuple(part.lower() for part in _PART.findall(name))


def stem(word: str) -> str:
    """Kept trivial: it joins a word with its plural and its verb forms, and is the beginning of each of them."""
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > SHORTEST:
        word = word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST:
            word = word.removesuffix(ending)
            if len(word) > SHORTEST and word[-1] == word[-2] and word[-1] in _DOUBLED:
                word = word[:-1]
            break
    return _LAST.sub("", word) if len(word) > SHORTEST + 1 else word


@lru_cache(maxsize=100_000)  # the same few names stand in most files of a large tree
def stems_of(name: str) -> frozenset[str]:
    """By which words a name is found."""
    return frozenset(stem(part) for part in split_name(name) if len(part) >= SHORTEST)


def identifiers(text: str) -> Iterator[str]:
    return (found[0].strip("_$") for found in _IDENTIFIER.finditer(text))


def telling_stems(text: str) -> Counter[str]:
    """The stems of a sentence that tell it from others, each with how often it stands there."""
    found: Counter[str] = Counter()
    for name in identifiers(text):
        if name.lower() in _COMMON:
            continue
        found.update(
            stem(part)
            for part in split_name(name)
            if len(part) >= SHORTEST and part not in _COMMON and not part.isdigit()
        )
    return found
