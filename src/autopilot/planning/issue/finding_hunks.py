"""Which hunks of a diff answer which finding: those in the file it is about, or those that speak of what it says."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from autopilot.model.issue.hunk import Hunk
from autopilot.model.issue.issue import PLAN_FILE, STORIES_FILE, TESTS_FILE, SeedFinding
from autopilot.planning.issue.hunks import quotes_of

FILES: Mapping[str, str] = {"stories": STORIES_FILE, "plan": PLAN_FILE, "tests": TESTS_FILE}
_WORD = re.compile(r"[^\W\d_]{5,}")
_COMMON = """
    about after again before being could every instead needs other please should since still their there these thing
    those under until where which while without would wrong missing change changed because story stories tests
    acceptance criterion criteria
"""
_ENOUGH = 2  # words in common; one alone is chance


def hunks_for(finding: SeedFinding, hunks: Sequence[Hunk]) -> tuple[Hunk, ...]:
    """Of the file it is about those that name it, where any does; else all of that file, else whatever names it."""
    file = FILES.get(finding.about, "")
    own = [hunk for hunk in hunks if file and hunk.path.rsplit("/", 1)[-1] == file]
    named = [hunk for hunk in hunks if _speaks_of(hunk, finding.evidence_ref)]
    return tuple([hunk for hunk in own if hunk in named] or own or named)


def _speaks_of(hunk: Hunk, words: str) -> bool:
    text = "\n".join(line.text for line in hunk.changed).casefold()
    if any(_stands_in(text, quote.casefold()) for quote in quotes_of(words)):
        return True
    telling = set(_WORD.findall(words.casefold())) - set(_COMMON.split())
    shared = telling & set(_WORD.findall(text))
    return bool(shared) and len(shared) >= min(_ENOUGH, len(telling))


def _stands_in(text: str, quote: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(quote)}(?!\w)", text) is not None
