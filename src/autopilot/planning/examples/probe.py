"""The question put to the product: its own function, called in a process of its own; answers come back as JSON.

What is expected is never told to the process that has to find it. Answers leave by a descriptor of their own, so that
whatever the product prints is not among them.
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

_LINE = re.compile(r"^\{\"answer\":.*\}$", re.MULTILINE)
# A project brings its own Python where setup made one.
_OWN_PYTHON = "for own in .venv/bin/python venv/bin/python; do [ -x $own ] && break; own=python3; done; "
_SILENTLY = "3>&1 >/dev/null 2>&1"
NOT_FOUND = 127


def spell_probe(place: Place, examples: Sequence[Example]) -> str:
    """One command for all examples of one file."""
    calls = [{"name": one.function, "arguments": one.arguments, "keywords": one.keywords} for one in examples]
    asked = shlex.quote(msgspec.json.encode({"path": place.path, "calls": calls}).decode())
    if place.language is Language.PYTHON:
        return f"{_OWN_PYTHON}$own -c {shlex.quote(PYTHON)} {asked} {_SILENTLY}"
    return f"node --input-type=module -e {shlex.quote(NODE)} -- {asked} {_SILENTLY}"


def read_answers(seen: Observation, output: str, count: int) -> tuple[Answer, ...]:
    """One answer for each call, from what the probe printed and how it ended. Two answers to one call are none."""
    said: dict[int, list[Answer]] = {}
    for line in _LINE.findall(output):
        number, answer = _read(line)
        said.setdefault(number, []).append(answer)
    missing = _missing(seen)
    return tuple(_settle(said.get(number, []), missing) for number in range(count))


def _settle(said: list[Answer], missing: Answer) -> Answer:
    if len(said) > 1:
        return Answer(Answered.SILENT, saw="it was answered more than once")
    return said[0] if said else missing


def _missing(seen: Observation) -> Answer:
    if seen.seen is Seen.NOTHING:
        return Answer(Answered.OURS, saw=seen.reason)
    if seen.seen is Seen.TIMED_OUT:
        return Answer(Answered.LATE, saw=seen.reason)
    if seen.exit_code is None or seen.exit_code == NOT_FOUND:
        return Answer(Answered.ELSEWHERE, saw=seen.reason or "there is no such interpreter")
    return Answer(Answered.SILENT, saw=f"the process ended with {seen.exit_code} before it answered")


def _read(line: str) -> tuple[int, Answer]:
    try:
        said = msgspec.json.decode(line, type=dict[str, Any])
        number = msgspec.convert(said["answer"], int)
        return number, Answer(Answered(said["how"]), said.get("value"), str(said.get("saw", "")))
    except (KeyError, ValueError, RecursionError):
        return -1, Answer(Answered.SILENT)
