"""Does the product find its own files wherever it is started? A path from the working folder leads elsewhere there."""

from __future__ import annotations

import re
from collections.abc import Sequence

from autopilot.gates.evidence.neighbours import AskedOnce
from autopilot.model.evidence.example import Answered
from autopilot.model.evidence.objection import Layer, Objection, Weight

# A user who wants the working folder to matter.
_MATTERS = re.compile(r"\b(?:current|working) (?:folder|directory)\b|\bcwd\b", re.IGNORECASE)


def lost(elsewhere: Sequence[AskedOnce]) -> list[AskedOnce]:
    """Calls that missed something around them when they were made in another folder than the project's."""
    return [asked for asked in elsewhere if asked.answer.how is Answered.ELSEWHERE]


def judge_started(
    subject: str, path: str, here: Sequence[AskedOnce], opened: Sequence[str], came: frozenset[str], named: str
) -> tuple[Objection, ...]:
    """``here``: the lost calls, made in the project's folder. ``opened``: files of data that they opened there;
    ``came``: those that came with the work, and so are the product's own. A path that a call is given is the caller's.
    """
    found = [asked for asked in here if asked.answer.how is Answered.VALUE]
    given = " ".join(
        str(value) for asked in found for value in (*asked.example.inputs, *asked.example.keywords.values())
    )
    own = [name for name in opened if name not in given and name.rpartition("/")[2] not in given]
    if not found or not own:
        return ()
    new = [name for name in own if name in came]
    description = f"{found[0].example.called} finds {(new or own)[0]} only where it is started in the project's folder"
    satisfy = "let the code find its own files by its own place, not by the working folder"
    weight = Weight.REFUSE if new and not _MATTERS.search(named) else Weight.FLAG
    return (Objection(Layer.HELD_OUT, subject, description, path, satisfy, weight),)
