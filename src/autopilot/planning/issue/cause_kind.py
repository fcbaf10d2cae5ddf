"""The kind of a cause, as people and agents write it: "C", "c: logic error", "shared-state"."""

from __future__ import annotations

import re
from collections.abc import Mapping

from autopilot.model.issue.issue import CauseClass, FlakyKind

_NAMES: Mapping[str, str] = {
    "requirement gap": CauseClass.REQUIREMENT,
    "test gap": CauseClass.TEST,
    "logic error": CauseClass.LOGIC,
    **{kind.value: kind.value for kind in FlakyKind},
}


def read_kind(written: str) -> str:
    """As the model spells it; an unknown kind stays as written, so that an error message can show it."""
    plain = " ".join(re.split(r"[^a-z]+", written.lower())).strip()
    letter = re.match(r"(?:class )?([abc])\b", plain)
    if letter:
        rest = plain[letter.end() :].strip()
        named = _NAMES.get(rest, "")
        return letter[1].upper() if not rest or named in ("", letter[1].upper()) else written
    return str(_NAMES.get(plain, written))
