"""The question put to the product: its own function, called in a process of its own; answers come back as JSON.

The expected result is never passed to the process that has to find it. Answers leave by a descriptor of their own, so
that whatever the product prints is not among them.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from typing import Any

import msgspec

from autopilot.model.evidence.example import Answer, Answered, Example, Language, Place
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.planning.examples.programs import NODE, PYTHON
from autopilot.testtools.outside.outside import OWN_PYTHON

_LINE = re.compile(r"^\{\"answer\":.*\}$", re.MULTILINE)
_SILENTLY = "3>&1 >/dev/null 2>&1"
NOT_FOUND = 127


def spell_probe(place: Place, examples: Sequence[Example], *, elsewhere: bool = False, fresh: bool = False) -> str:
    """One command for all examples of one file; ``elsewhere``: with another working folder than the project's;
    ``fresh``: each as the first call of a process."""
    calls = [_call(example) for example in examples]
    question = {"path": place.path, "calls": calls, "elsewhere": elsewhere, "fresh": fresh}
    asked = shlex.quote(msgspec.json.encode(question).decode())
    if place.language is Language.PYTHON:
        return f"{OWN_PYTHON}$own -c {shlex.quote(PYTHON)} {asked} {_SILENTLY}"
    return f"node --input-type=module -e {shlex.quote(NODE)} -- {asked} {_SILENTLY}"


def _call(example: Example) -> dict[str, Any]:
    call = {"name": example.function, "arguments": example.arguments, "keywords": example.keywords}
    return {**call, "owner": example.owner, "made": example.made} if example.owner else call


def read_answers(seen: Observation, output: str, count: int) -> tuple[Answer, ...]:
    """One answer for each call, from what the probe printed and how it ended. Two answers to one call are none."""
    found: dict[int, list[Answer]] = {}
    for line in _LINE.findall(output):
        number, answer = _read(line)
        found.setdefault(number, []).append(answer)
    missing = _missing(seen)
    return tuple(_settle(found.get(number, []), missing) for number in range(count))


def _settle(answers: list[Answer], missing: Answer) -> Answer:
    if len(answers) > 1:
        return Answer(Answered.SILENT, detail="the probe printed more than one answer to this call")
    return answers[0] if answers else missing


def _missing(seen: Observation) -> Answer:
    if seen.seen is Seen.NOTHING:
        return Answer(Answered.OURS, detail=seen.reason)
    if seen.seen is Seen.TIMED_OUT:
        return Answer(Answered.LATE, detail=seen.reason)
    if seen.exit_code is None or seen.exit_code == NOT_FOUND:
        return Answer(Answered.ELSEWHERE, detail=seen.reason or "the interpreter is not installed")
    return Answer(Answered.SILENT, detail=f"the process exited with {seen.exit_code} before it answered")


def _read(line: str) -> tuple[int, Answer]:
    try:
        decoded = msgspec.json.decode(line, type=dict[str, Any])
        number = msgspec.convert(decoded["answer"], int)
        how, detail = Answered(decoded["how"]), str(decoded.get("saw", ""))
        kinds = tuple(msgspec.convert(decoded.get("kinds", []), list[str]))
        return number, Answer(how, decoded.get("value"), detail, decoded.get("changed") is True, kinds)
    except (KeyError, ValueError, RecursionError):
        return -1, Answer(Answered.SILENT)
