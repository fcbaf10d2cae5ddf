"""Is the text that a criterion looks for code? A comment, or a string that nothing reads, satisfies it as well."""

from __future__ import annotations

import re

from autopilot.model.evidence.objection import Layer, Objection, Weight, unfinished
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.planning.criterion import Criterion

# Names, calls and words of programming languages: who looks for these wants code that does something.
_CODE = re.compile(
    r"\b(?:def|class|function|func|fn|import|export|return|const|struct|impl|async|module\.exports|require|pub)\b|"
    r"\w\\?\(|=>|::|[a-z]_[a-z]|[a-z][A-Z]|--[a-z]{2}"
)
_ABOUT_WORDS = re.compile(
    r"comment|docstring|documented|licen[cs]e|copyright|spdx|header|todo|fixme|annotat|shebang", re.IGNORECASE
)


def judge_commented(criterion: Criterion, other: Observation, *, strings: bool) -> tuple[Objection, ...]:
    """``other``: the same command, with blanks for the comments of the work; ``strings``: and for its strings."""
    if other.seen is Seen.NOTHING:
        description = f"`{other.command}` could not be run: {other.reason}"
        return (Objection(Layer.HELD_OUT, criterion.id, description, weight=Weight.OURS),)
    if other.seen is Seen.TIMED_OUT:
        return (unfinished(Layer.HELD_OUT, criterion.id, f"`{other.command}` on code without comments"),)
    asked = f"{criterion.text} {criterion.command}"
    if other.seen is Seen.PASSED or _ABOUT_WORDS.search(asked):
        return ()
    place = "a comment or a string" if strings else "a comment"
    description = f"what `{criterion.command}` looks for stands in {place} alone, and not in code"
    satisfy = "let code that runs hold it"
    weight = Weight.REFUSE if _CODE.search(criterion.command) and not strings else Weight.FLAG
    return (Objection(Layer.HELD_OUT, criterion.id, description, criterion.command, satisfy, weight),)
