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

    One process runs them in a row: of those that it did not reach, only the first is reported.
    """
    found: list[Objection] = []
    gone = False
    for held_out, now, then in zip(asked, answers, before, strict=True):
        objection = None if gone and now.how in _MISSING else _judge(held_out, now, then)
        found += [objection] if objection else []
        gone = gone or now.how in _MISSING
    return tuple(found)


def holds(held_out: HeldOut, answer: Answer) -> bool:
    error = held_out.example.raises
    if error is not None:
        return bool(answer.kinds) and (not error or error in answer.kinds)
    return answer.how is Answered.VALUE and is_same(answer.value, held_out.example.expected)


def is_same(got: Any, expected: Any) -> bool:
    """As JSON values: 1 is 1.0, and neither is true; lists and tuples are one."""
    if isinstance(got, bool) or isinstance(expected, bool) or got is None or expected is None:
        return got is expected
    if isinstance(got, int | float) and isinstance(expected, int | float):
        return got == expected or _is_close(got, expected)
    if isinstance(got, list) and isinstance(expected, list):
        return len(got) == len(expected) and all(map(is_same, got, expected))
    if isinstance(got, dict) and isinstance(expected, dict):
        return got.keys() == expected.keys() and all(is_same(got[key], expected[key]) for key in got)
    return type(got) is type(expected) and bool(got == expected)


def _is_close(got: float, expected: float) -> bool:
    try:
        return math.isclose(got, expected, rel_tol=_CLOSE)
    except OverflowError:  # a whole number that is larger than every float
        return False


def _judge(held_out: HeldOut, now: Answer, then: Answer | None) -> Objection | None:
    if holds(held_out, now):
        return None
    if now.how is Answered.OURS or (then is not None and then.how is Answered.OURS):
        return _object(
            held_out, f"the example could not be run: {now.detail or (then.detail if then else '')}", Weight.OURS
        )
    if then is not None and _alike(now, then) and not (held_out.due and held_out.touched):
        return None
    if now.how is Answered.ELSEWHERE:
        return _object(held_out, f"the example could not be run: {now.detail}", Weight.FLAG)
    broke = then is not None and holds(held_out, then)
    description = _seen(held_out, now) + (", and it was right before the work" if broke else "")
    if broke and held_out.example.raises is not None:  # the text may tell of what is to be mended
        return _object(held_out, description, Weight.FLAG)
    return _object(held_out, description, Weight.REFUSE if broke or _is_due(held_out, now) else Weight.FLAG)


def _is_due(held_out: HeldOut, now: Answer) -> bool:
    return held_out.due and not _only_rounded(now.value, held_out.example.expected)


def _alike(now: Answer, then: Answer) -> bool:
    """The same wrong answer as before the work: the spec and the code disagreed already."""
    if now.how is Answered.VALUE and then.how is Answered.VALUE:
        return is_same(now.value, then.value)
    return now.how is then.how and now.detail == then.detail


def _only_rounded(got: Any, expected: Any) -> bool:
    """``area(2)`` → 12.566 in a spec may be the first digits of the number."""
    if not isinstance(got, float) or not isinstance(expected, float):
        return False
    digits = len(repr(expected).partition(".")[2])
    return "e" not in repr(expected) and round(got, digits) == expected


def _seen(held_out: HeldOut, now: Answer) -> str:
    call = held_out.example.text
    says, code = ("a test says", "outside of the tests the code") if held_out.in_test else ("the spec says", "the code")
    match now.how:
        case Answered.VALUE:
            return f"{says} {call}, and {code} returns {_shown(now.value)}"
        case Answered.LATE:
            return f"{says} {call}, and the call did not finish: {now.detail}"
        case _:
            return f"{says} {call}, and the call failed: {now.detail}"


def _wanted(held_out: HeldOut) -> str:
    error = held_out.example.raises
    return f"return {_shown(held_out.example.expected)}" if error is None else f"raise {error or 'an error'}"


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def _object(held_out: HeldOut, description: str, weight: Weight) -> Objection:
    where = f"{held_out.source}:{held_out.example.line}, {held_out.place.path}:{held_out.place.function}"
    satisfy = f"make {held_out.place.function} {_wanted(held_out)} for this call, in the code and not only in tests"
    return Objection(Layer.HELD_OUT, held_out.subject, description, where, satisfy, weight)
