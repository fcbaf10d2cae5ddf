"""Findings in code of other languages than Python, by patterns outside of comments and strings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autopilot.inspection.second_look.finding import Finding, lines_by_place
from autopilot.inspection.second_look.rules import RULES
from autopilot.inspection.second_look.strings import find_in_string
from autopilot.text.file_kind import suffix_of
from autopilot.text.masking import mask

_ENTRIES = re.compile(
    r"(?:^|/)(?:bin|cli|scripts?|tools?|cmd)/|(?:^|/)(?:main|__main__|index\.bin)\.\w+$|(?:^|/)[\w-]*cli\.\w+$"
)
STRINGS = re.compile(r"\"((?:[^\"\\\n]|\\.)*+)\"|'((?:[^'\\\n]|\\.)*+)'|`([^`$\\\n]*+)`")


def find_patterns(path: str, text: str) -> Iterator[Finding]:
    """Rules that read strings see them only in code: a comment is blanked out for all of them."""
    suffix = suffix_of(path)
    rules = [rule for rule in RULES if suffix in rule.where]
    if not rules:
        return
    spoken, silent = mask(path, text, strings=False), mask(path, text, strings=True)
    line_of = lines_by_place(text)
    entry = _ENTRIES.search(path) is not None or text.startswith("#!")
    for rule in rules:
        if entry and not rule.entries:
            continue
        for found in rule.pattern.finditer(spoken if rule.strings else silent):
            matched = text[found.start() : found.end()].strip()
            start = found.end() - len(matched)  # a pattern may begin with the blanks before what it looks for
            description = f"{rule.description} (`{' '.join(matched.split())[:60]}`)"
            yield Finding(line_of(start), line_of(found.end()), description, rule.satisfy)
    for found in STRINGS.finditer(spoken):
        if seen := find_in_string(found[1] or found[2] or found[3] or ""):
            yield Finding(line_of(found.start()), line_of(found.end()), *seen)
