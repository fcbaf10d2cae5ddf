"""Calls near those that tests write out: the same function, one argument another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from msgspec.structs import replace

from autopilot.model.evidence.example import Example
from autopilot.testtools.expectations.site import Draw
from autopilot.testtools.questions.value import Value
from autopilot.testtools.questions.variation import variations

MOST_ASKED = 12  # of one function
MOST_OF_ONE = 8  # of one example


def neighbours(examples: Sequence[Example], draw: Draw, own: Sequence[str]) -> tuple[Example, ...]:
    """``examples``: all of one function. ``own``: words of the new code that no test speaks of; a table has its other
    keys there."""
    known = {_key(example) for example in examples}
    columns = [list(_of_one(example, draw, own))[:MOST_OF_ONE] for example in examples]
    mixed = [example for row in zip_longest(*columns) for example in row if example]
    found = {_key(example): example for example in mixed if _key(example) not in known}
    return tuple(found.values())[:MOST_ASKED]


def _of_one(example: Example, draw: Draw, own: Sequence[str]) -> Iterator[Example]:
    """Of every argument in turn."""
    columns = [
        [(place, other) for other in _others(argument, draw, own)] for place, argument in enumerate(example.inputs)
    ]
    for place, other in (pair for row in zip_longest(*columns) for pair in row if pair):
        inputs, made = (*example.inputs[:place], other, *example.inputs[place + 1 :]), len(example.made)
        yield replace(example, made=inputs[:made], arguments=inputs[made:], expected=None)
    for name, value in example.keywords.items():
        for other in _others(value, draw, own):
            yield replace(example, keywords={**example.keywords, name: other}, expected=None)


def _others(value: Any, draw: Draw, own: Sequence[str]) -> Iterator[Any]:
    match value:
        case bool():
            yield not value
        case int() | float():
            spelled = Value(str(value), 0, 0, is_quoted=False)
            numbers = variations(spelled, draw, own) if spelled.is_number else []
            yield from (type(value)(float(text)) for text in numbers if Value(text, 0, 0, is_quoted=False).is_number)
        case str():
            yield from variations(Value(value, 0, 0), draw, own)
        case [first, *rest]:
            yield from ([other, *rest] for other in _others(first, draw, own))
            yield from ([*value, value[-1]], value[::-1], value[:-1])
        case dict() if value:
            name = next(iter(value))
            yield from ({**value, name: other} for other in _others(value[name], draw, own))


def _key(example: Example) -> str:
    return repr((example.inputs, sorted(example.keywords.items())))
