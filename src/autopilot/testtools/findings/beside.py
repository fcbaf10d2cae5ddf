"""What tools print beside their findings: sums, and what they are at. Whatever is not known here counts as unknown."""

from __future__ import annotations

import re

from autopilot.text.lazy_regex import lazy_regex

_WORD = lazy_regex(r"[^\W\d][\w-]*+")
# The words of which sums are made. A line with any other word says something else.
_SUM_WORDS = frozenset(
    _WORD.findall(
        "found error errors problem problems issue issues warning warnings finding findings information informations "
        "file files source checked in and the above potentially fixable with fix fixes option options no hidden can be "
        "enabled use available unsafe-fixes would reformatted left unchanged warn code style run prettier write to"
    )
)
_COUNTED = lazy_regex(r"(?<!\w)(\d{1,9}) (?:[a-z]{1,20} )?(?:error|problem|issue|warning|finding)s?\b", re.IGNORECASE)
_PROGRESS = lazy_regex(
    r"[\W\d]{0,12}(?:Compiling|Checking|Listing|Building|Downloading|Downloaded|Updating|Adding|Locking|Fresh)"
    r"(?: [^\s:]{1,300}){1,4}|Your code has been rated at [-\d.]{1,9}/10.{0,60}|npm notice.{0,300}"
    r"|(?:cc|gcc|g\+\+|c\+\+|clang|clang\+\+|javac|rustc) -.{1,900}"
    r"|For more information about this error.{0,100}|Some errors have detailed explanations.{0,300}"
)
_ALARMING = lazy_regex(
    r"error:|fail|fatal|panic|exception|traceback|abort|killed|cannot|can't|could ?n[o']t|unable|denied|not found"
    r"|undefined|invalid|unexpected|crash|segmentation",
    re.IGNORECASE,
)
# Counts and reasons at the end, which change when something is fixed; where a tool says that it found its only error.
_TAIL = lazy_regex(r"( due to | generated (?=\d)).*")
_ONLY_PLACE = lazy_regex(r"(Found \d{1,9} errors?) in \S{1,300}:\d{1,7}\Z")
# What a finding is about, where its message does not say it: a label below the code, javac's symbol.
_LABEL = lazy_regex(r"[\^~] \S.*|^symbol: .*")


def is_beside(line: str) -> bool:
    """Whether a line says nothing about what is wrong that its findings, and its sums, do not say."""
    terms = _WORD.findall(_ONLY_PLACE.sub(r"\1", line).lower())
    if all(word in _SUM_WORDS for word in terms):
        return not terms or "above" in terms or any(map(str.isdigit, line))
    return _PROGRESS.fullmatch(line) is not None and _ALARMING.search(line) is None


def total_of(line: str) -> int:
    """How many errors, warnings and problems a line counts."""
    return sum(int(found[1]) for found in _COUNTED.finditer(line))


def without_tail(line: str) -> str:
    return _TAIL.sub(r"\1…", line)


def label_of(line: str) -> str:
    found = _LABEL.search(line)
    return found[0] if found else ""
