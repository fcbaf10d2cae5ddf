"""Absences: names and files of which the user says that they are to be gone. Whether they are can be looked up."""

from __future__ import annotations

import re
from collections.abc import Iterator

LONGEST = 40_000
_SENTENCE = re.compile(r"(?<=[.!?;])\s|\n")
# As code spells it: in backticks, with an underscore, a capital inside, a call's parentheses, an option's dashes.
_NAME = r"(?:`([^`\n]{2,80})`|((?:--)?[A-Za-z_$][\w$.-]{1,80}(?:/[\w.-]{1,80}){0,6}))(?:\([^()\n]{0,80}\))?"
_GONE = re.compile(
    _NAME + r"(?:,? which)? (?:is|are|was|were|gets|will be|has been|have been) (?:then |now |all )?"
    r"(?:gone|removed|deleted|dropped|renamed)\b",
)
_ORDERED = re.compile(
    r"\b(?:[Rr]emoves?|[Dd]eletes?|[Dd]rops?|[Gg]et rid of|[Rr]enames?) (?:the )?"
    r"(?:old |unused |deprecated |legacy |obsolete )?"
    r"(?:(?:function|method|class|command|flag|option|module|helper|constant|name|file) )?" + _NAME
)
# Somebody who keeps it under its old name as well means it otherwise.
_KEPT = re.compile(
    r"\b(?:alias\w*|(?:is|are|be|gets) deprecated|ke(?:ep|pt)\w*|stays?|remains?|compat\w*|from (?:the )?\w+)\b",
    re.IGNORECASE,
)


def read_absences(text: str) -> tuple[str, ...]:
    """In their order, each once: identifiers, options (`--old`) and paths."""
    return tuple(dict.fromkeys(_names(text[:LONGEST])))


def _names(text: str) -> Iterator[str]:
    for sentence in _SENTENCE.split(text):
        if _KEPT.search(sentence):
            continue
        for pattern in (_GONE, _ORDERED):
            for found in pattern.finditer(sentence):
                name = (found[1] or found[2] or "").strip().removesuffix("()").rstrip(".")
                if name and (found[1] is not None or is_spelled(name)) and _is_one(name):
                    yield name


def is_spelled(name: str) -> bool:
    """As no word of a sentence is."""
    return bool(re.search(r"_|[a-z][A-Z]|^--|/|\w\.\w", name))


def _is_one(name: str) -> bool:
    return re.fullmatch(r"(?:--)?[\w$./-]{2,80}", name) is not None
