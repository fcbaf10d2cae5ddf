"""What a change of a test file means to the tests that were in it."""

from __future__ import annotations

from autopilot.inspection.control.meaning.python import compare_python
from autopilot.model.evidence.control import Meaning

_UNREADABLE = "\ufffd"  # stands for bytes that are no UTF-8: two texts with it may differ


def compare_tests(old: str, new: str, path: str, moved_to: str = "") -> Meaning:
    """OTHER where it is not known: for languages that are not read here, and for texts that are none of theirs."""
    if _UNREADABLE in old or _UNREADABLE in new:
        return Meaning.OTHER
    if path.endswith(".py"):
        return compare_python(old, new, path, moved_to)
    return Meaning.OTHER
