"""Does the product answer the spec's own examples? They were never shown to its tests, and equality is ours."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from autopilot.model.evidence.example import Answer, Answered, HeldOut
from autopilot.model.evidence.objection import Layer, Objection, Weight

LONGEST_SHOWN = 120
_CLOSE = 1e-9
_MISSING = (Answered.SILENT, Answered.LATE, Answered.OURS)


def judge_held_out(
    asked: Sequence[HeldOut], answers: Sequence[Answer], before: Sequence[Answer | None]
) -> tuple[Objection, ...]:
    """``before`` is what the same examples were answered at the base; None where there was nothing to ask yet.

    They are asked in a row by one process: of those that it did not come to, the first tells all.
    """
    found: list[Objection] = []
    gone = False
    for one, now, then in zip(asked, answers, before, strict=True):
        objection = None if gone and now.how in _MISSING else _judge(one, now, then)
        found += [objection] if objection else []
        gone = gone or now.how in _MISSING
    return tuple(found)


def holds(one: HeldOut, answer: Answer) -> bool:
    return answer.how is Answered.VALUE and is_same(answer.value, one.example.expected)


def is_same(got: Any, expected: Any) -> bool:
    """As JSON values: 1 is 1.0, and neither is true; lists and tuples are one."""
    if isinstance(got, bool) or isinstance(expected, bool) or got is None or expected is None:
        return got is expected
    if isinstance(got, int | float) and isinstance(expected, int | float):
        return got == expected or math.isclose(got, expected, rel_tol=_CLOSE)
    if isinstance(got, list) and isinstance(expected, list):
        return len(got) == len(expected) and all(map(is_same, got, expected))
    if isinstance(got, dict) and isinstance(expected, dict):
        return got.keys() == expected.keys() and all(is_same(got[key], expected[key]) for key in got)
    return type(got) is type(expected) and bool(got == expected)


def _judge(one: HeldOut, now: Answer, then: Answer | None) -> Objection | None:
    if holds(one, now):
        return None
    if now.how is Answered.OURS or (then is not None and then.how is Answered.OURS):
        return _object(one, f"the example could not be run: {now.saw or (then.saw if then else '')}", Weight.OURS)
    if then is not None and _alike(now, then):
        return None
    if now.how is Answered.ELSEWHERE:
        return _object(one, f"the example could not be run: {now.saw}", Weight.FLAG)
    broke = then is not None and holds(one, then)
    saw = _seen(one, now) + (", and it was right before the work" if broke else "")
    return _object(one, saw, Weight.REFUSE if broke or _is_due(one, now) else Weight.FLAG)


def _is_due(one: HeldOut, now: Answer) -> bool:
    return one.due and not _only_rounded(now.value, one.example.expected)


def _alike(now: Answer, then: Answer) -> bool:
    """The same wrong answer as before the work: the spec and the code disagreed already."""
    if now.how is Answered.VALUE and then.how is Answered.VALUE:
        return is_same(now.value, then.value)
    return now.how is then.how and now.saw == then.saw


def _only_rounded(got: Any, expected: Any) -> bool:
    """``area(2)`` → 12.566 in a spec may be the first digits of the number."""
    if not isinstance(got, float) or not isinstance(expected, float):
        return False
    digits = len(repr(expected).partition(".")[2])
    return "e" not in repr(expected) and round(got, digits) == expected


def _seen(one: HeldOut, now: Answer) -> str:
    call = one.example.text
    match now.how:
        case Answered.VALUE:
            return f"the spec says {call}, and the code returns {_shown(now.value)}"
        case Answered.LATE:
            return f"the spec says {call}, and the call did not finish: {now.saw}"
        case _:
            return f"the spec says {call}, and the call failed: {now.saw}"


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def _object(one: HeldOut, saw: str, weight: Weight) -> Objection:
    where = f"{one.source}:{one.example.line}, {one.place.path}:{one.place.function}"
    expected = _shown(one.example.expected)
    satisfy = f"make {one.place.function} return {expected} for this call, in the code and not only in tests"
    return Objection(Layer.HELD_OUT, one.subject, saw, where, satisfy, weight)
