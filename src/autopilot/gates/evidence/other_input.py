"""Does the answer depend on what is asked? One that does not, and stands in the code, was written for its criterion."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from autopilot.model.evidence.objection import Layer, Objection, Weight
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.planning.criterion import Criterion, Want

_QUOTED = re.compile(r"'([^'\"\\\n]{1,200})'|\"([^'\"\\\n]{1,200})\"")


def judge_other_input(
    criterion: Criterion, green: Observation, other: Observation, command: str, added: Mapping[str, Iterable[str]]
) -> tuple[Objection, ...]:
    """``other`` is the run of ``command``, the criterion's own with another input; ``added`` the new lines by file."""
    if other.seen is Seen.NOTHING:
        description = f"`{command}` could not be run: {other.reason}"
        return (Objection(Layer.HELD_OUT, criterion.id, description, weight=Weight.OURS),)
    if (green.exit_code, green.output, green.seen) != (other.exit_code, other.output, other.seen):
        return ()
    place = _written_down(criterion, added)
    if not place:
        return ()
    description = f"the same answer whatever is asked: `{command}` gives it too, and it is written into {place}"
    satisfy = "let the code compute the answer from what it is given"
    return (Objection(Layer.HELD_OUT, criterion.id, description, place, satisfy),)


def _written_down(criterion: Criterion, added: Mapping[str, Iterable[str]]) -> str:
    wanted = [re.compile(_spelled(text)) for text in _expected(criterion)]
    return next(
        (path for path, lines in added.items() for line in lines if any(pattern.search(line) for pattern in wanted)), ""
    )


def _expected(criterion: Criterion) -> list[str]:
    match criterion.expectation.want:
        case Want.CONTAINS:
            return [criterion.expectation.text]
        case Want.EQUALS | Want.AT_LEAST | Want.AT_MOST:
            return [str(criterion.expectation.value)]
        case _:
            return [text for pair in _QUOTED.findall(criterion.command) for text in pair if text]


def _spelled(text: str) -> str:
    """As a value of its own: a number, or between quotation marks."""
    word = re.escape(text)
    return rf"(?<![\w.]){word}(?![\w.])" if text.lstrip("-").isdigit() else rf"(['\"`]){word}(?:\\n)?\1"
