"""A call that was recorded while tests ran, as a compiled program of ours wrote it down."""

from __future__ import annotations

import re
from typing import Any

import msgspec
from msgspec import Struct

from autopilot.model.evidence.example import Answer, Answered, Example

MOST_LINES = 2_000
_LINE = re.compile(r"^\{\"call\":.*\}$", re.MULTILINE)


class Recorded(Struct, frozen=True):
    """``is_near``: asked by us, with other values than the test gave."""

    example: Example
    answer: Answer
    is_near: bool


class _Line(Struct):
    call: str
    near: bool
    inputs: list[Any]
    how: str
    value: Any = None


def read_recorded(output: str) -> tuple[Recorded, ...]:
    """What is no line of ours says nothing. The process that is asked could write such lines itself: of one call that
    has two different answers neither is believed."""
    found: dict[str, Recorded | None] = {}
    for line in _LINE.findall(output)[:MOST_LINES]:
        try:
            read = msgspec.json.decode(line, type=_Line)
            how = Answered(read.how)
        except (ValueError, RecursionError):
            continue
        text = f"{read.call}({', '.join(msgspec.json.encode(value).decode() for value in read.inputs)})"
        recorded = Recorded(
            Example(read.call, tuple(read.inputs), {}, None, 0, text), Answer(how, read.value), read.near
        )
        before = found.setdefault(text, recorded)
        if before is not None and before.answer != recorded.answer:
            found[text] = None
        elif before is not None and before.is_near:
            found[text] = recorded  # what is near one call of a test may be another one of them
    return tuple(recorded for recorded in found.values() if recorded is not None)
