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
    place = _written_down([*_expected(criterion), *_printed(green), *_parts(criterion)], added)
    if not place:
        return ()
    description = f"the same answer whatever is asked: `{command}` gives it too, and it is written into {place}"
    satisfy = "let the code compute the answer from what it is given"
    return (Objection(Layer.HELD_OUT, criterion.id, description, place, satisfy),)


def _written_down(answers: Iterable[tuple[str, ...]], added: Mapping[str, Iterable[str]]) -> str:
    """The file in which all values of one answer are written."""
    wanted = [[re.compile(_spelled(value)) for value in answer] for answer in answers]
    for path, lines in added.items():
        new = list(lines)
        if any(all(any(value.search(line) for line in new) for value in answer) for answer in wanted):
            return path
    return ""


def _expected(criterion: Criterion) -> list[tuple[str, ...]]:
    match criterion.expectation.want:
        case Want.CONTAINS:
            return [(criterion.expectation.text,)]
        case Want.EQUALS | Want.AT_LEAST | Want.AT_MOST:
            return [(str(criterion.expectation.value),)]
        case _:
            return [(text,) for pair in _QUOTED.findall(criterion.command) for text in pair if text]


def _printed(green: Observation) -> list[tuple[str, ...]]:
    """The whole answer, where it is one line: `90.0` may be written where "90" is expected."""
    printed = green.excerpt.strip()
    return [(printed,)] if len(printed) > 1 and "\n" not in printed else []


def _parts(criterion: Criterion) -> list[tuple[str, ...]]:
    """What the command joins may be written one by one."""
    text = criterion.expectation.text if criterion.expectation.want is Want.CONTAINS else ""
    parts = tuple(part.strip() for part in re.split(r"[|,;/]", text) if part.strip())
    return [parts] if len(parts) > 1 else []


def _spelled(value: str) -> str:
    """As a value of its own: a number, or between quotation marks."""
    word = re.escape(value)
    is_number = re.fullmatch(r"-?[0-9]+(?:\.[0-9]+)?", value)
    return rf"(?<![\w.]){word}(?![\w.])" if is_number else rf"(['\"`]){word}(?:\\n)?\1"
