"""Sights in code of other languages than Python, found by patterns outside of comments and strings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autopilot.planning.file_kind import suffix_of
from autopilot.planning.look.rules import RULES
from autopilot.planning.look.sight import Sight
from autopilot.planning.look.words import see_words
from autopilot.planning.masking import mask

_ENTRIES = re.compile(
    r"(?:^|/)(?:bin|cli|scripts?|tools?|cmd)/|(?:^|/)(?:main|__main__|index\.bin)\.\w+$|(?:^|/)[\w-]*cli\.\w+$"
)
STRINGS = re.compile(r"\"((?:[^\"\\\n]|\\.)*+)\"|'((?:[^'\\\n]|\\.)*+)'|`([^`$\\\n]*+)`")


def see_patterns(path: str, text: str) -> Iterator[Sight]:
    """Rules that read strings see them only in code: a comment is blanked out for all of them."""
    suffix = suffix_of(path)
    rules = [rule for rule in RULES if suffix in rule.where]
    if not rules:
        return
    spoken = mask(path, text, strings=False)
    silent = mask(path, text, strings=True)
    entry = _ENTRIES.search(path) is not None or text.startswith("#!")
    for rule in rules:
        if entry and not rule.entries:
            continue
        for found in rule.pattern.finditer(spoken if rule.strings else silent):
            words = " ".join(text[found.start() : found.end()].split())[:60]
            yield _sight(text, found.start(), found.end(), f"{rule.saw} (`{words}`)", rule.satisfy)
    for found in STRINGS.finditer(spoken):
        if seen := see_words(found[1] or found[2] or found[3] or ""):
            yield _sight(text, found.start(), found.end(), *seen)


def _sight(text: str, start: int, end: int, saw: str, satisfy: str) -> Sight:
    # A pattern may begin with the blanks before what it looks for.
    start += len(text[start:end]) - len(text[start:end].lstrip())
    return Sight(text.count("\n", 0, start) + 1, text.count("\n", 0, end) + 1, saw, satisfy)
