"""What a person says beyond the phase that is asked about: deferred as an idea, so that it does not widen the phase."""

from __future__ import annotations

import re
from collections.abc import Iterable

from autopilot.model.human import DEFER, same_words
from autopilot.planning.people.answers import LEFT_OUT

_LINE = re.compile(rf"[ \t]*+(?:[-*+][ \t]++)?{DEFER}[ \t]*+:(.*)", re.IGNORECASE)


def split_deferred(text: str) -> tuple[str, tuple[str, ...]]:
    """The answer without its lines `defer: …`, and what these say. One with nothing behind it says nothing."""
    lines = [(line, _LINE.fullmatch(line)) for line in text.splitlines()]
    answer = "\n".join(line for line, found in lines if found is None)
    texts = (" ".join(found[1].split()) for _, found in lines if found is not None)
    ideas = tuple(dict.fromkeys(filter(None, texts)))
    return ("" if ideas and answer.strip() in LEFT_OUT else answer.strip()), ideas


def join_deferred(answer: str, ideas: Iterable[str]) -> str:
    """An answer and its ideas as one text, which ``split_deferred`` takes apart again."""
    return "\n".join(filter(None, (answer, *(f"{DEFER}: {idea}" for idea in ideas))))


def leave_out(text: str, quotes: Iterable[str]) -> str:
    """The text without these words, which are its user's and belong to another phase."""
    for quote in quotes:
        parts = same_words(quote).split()
        if parts:
            whole = r"(?<![^\W_])" + r"[\W_]++".join(map(re.escape, parts)) + r"(?![^\W_])"
            text = re.sub(whole, " ", text, flags=re.IGNORECASE)
    return text
