"""Does an answer depend on what was asked before? The same call has to get what it gets as the first of a process."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from autopilot.gates.evidence.neighbours import AskedOnce
from autopilot.model.evidence.example import Answered
from autopilot.model.evidence.objection import Layer, Objection, Weight
from autopilot.text.lazy_regex import lazy_regex

_ANSWERED = (Answered.VALUE, Answered.RAISED)
# What outlasts a call: kept by the module, a function, a class, or a default value that all calls share.
_MADE = r"(?: ?:[^=\n]{1,80})? ?= ?(?:\{|\[|(?:dict|list|set|iter|open|deque|\w{0,20}[dD]ict|Counter)\()"
_STATE = lazy_regex(
    rf"^[A-Za-z_]\w{{0,80}}+{_MADE}|^class [^\n]{{1,200}}+\n(?:    \w[^\n(]{{0,200}}+\n){{0,3}}    \w{{1,80}}+{_MADE}"
    r"|\bglobal\s|\bnonlocal\s|\b(?:lru_)?cache\b|\w ?= ?(?:\[\]|\{\}|list\(\)|dict\(\)|set\(\)) ?[,)]"
    r"|^(?:export )?(?:let|var) |^(?:export )?const \w{1,80}+ = (?:new |\[|\{)|^ {1,8}static ",
    re.MULTILINE,
)
_SHARED = lazy_regex(r"\w ?(?:: ?[^=,()\n]{1,80})?= ?(?:\[\]|\{\}|list\(\)|dict\(\)|set\(\)) ?[,)]")
# A user who wants the first answer to stay.
_STAYS = lazy_regex(
    r"\bonce\b|\bregist\w+|\bfirst (?:call|value|one|time)\b|\bsingletons?\b|\balready\b", re.IGNORECASE
)

_UNCHANGED = lazy_regex(
    r"\b(?:neither|not|never|nothing|without)\b[^.;\n]{0,60}?\b(?:chang|modif|mutat|alter)\w{0,9}|"
    r"\bunchanged\b|n't (?:change|modify)",
    re.IGNORECASE,
)


def keeps_state(code: str) -> bool:
    """Whether anything in a file could remember a call: without it no further process is needed."""
    return _STATE.search(code) is not None


def key_of(asked: AskedOnce) -> str:
    example = asked.example
    return repr((example.called, example.inputs, sorted(example.keywords.items())))


def differing(sequence: Sequence[AskedOnce], alone: Sequence[AskedOnce]) -> list[tuple[AskedOnce, AskedOnce]]:
    """Calls that were answered otherwise after others than ``alone``, as the first of a process; each with both."""
    first = {key_of(asked): asked for asked in alone if asked.answer.how is Answered.VALUE}
    pairs = [(asked, first[key_of(asked)]) for asked in sequence if key_of(asked) in first]
    return [(asked, fresh) for asked, fresh in pairs if asked.answer.how in _ANSWERED and asked.law != fresh.law]


def judge_afresh(
    subject: str, path: str, code: str, sequence: Sequence[AskedOnce], alone: Sequence[AskedOnce], named: str
) -> tuple[Objection, ...]:
    """Of one function. ``code``: its text; ``named``: what the user wrote of the work.

    A count, a queue or an account rightly answers otherwise the next time, and so differs from itself. One that gives
    the same call the same answer, and that is the answer of another call, has taken the one for the other.
    """
    for asked, fresh in _taken_for_others(sequence, alone):
        description = (
            f"{_spelled(asked)} after other calls gives {_value(asked)}, the answer to another call; "
            f"as the first call of a process it gives {_value(fresh)}"
        )
        weight = Weight.FLAG if _STAYS.search(named) else Weight.REFUSE
        return (_object(subject, description, path, weight),)
    if _SHARED.search(code.partition(":\n")[0]):
        for asked, fresh in differing(sequence, alone):
            description = f"{_spelled(asked)} gives {_value(fresh)} at first, and {_value(asked)} after other calls: "
            description += "calls share a default value that they change"
            return (_object(subject, description, path, Weight.REFUSE),)
    return ()


def _taken_for_others(
    sequence: Sequence[AskedOnce], alone: Sequence[AskedOnce]
) -> Iterator[tuple[AskedOnce, AskedOnce]]:
    laws: dict[str, set[str]] = {}
    for asked in sequence:
        laws.setdefault(key_of(asked), set()).add(asked.law)
    if any(len(found) > 1 for found in laws.values()):
        return
    for asked, fresh in differing(sequence, alone):
        if any(other.law == asked.law for other in alone if key_of(other) != key_of(asked)):
            yield asked, fresh


def judge_changed(subject: str, path: str, sequence: Sequence[AskedOnce], promised: str) -> tuple[Objection, ...]:
    """``promised``: goal and criteria. Where they name the function and say that nothing is changed, it is due."""
    changed = [asked for asked in sequence if asked.answer.is_changing]
    if not changed:
        return ()
    description = f"{_spelled(changed[0])} changes what it is given, and no test looks at that afterwards"
    is_due = _UNCHANGED.search(promised) and f"{changed[0].example.function}(" in promised
    return (_object(subject, description, path, Weight.REFUSE if is_due else Weight.FLAG),)


def _spelled(asked: AskedOnce) -> str:
    arguments = [json.dumps(value, ensure_ascii=False) for value in asked.example.inputs]
    arguments += [f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in asked.example.keywords.items()]
    return f"{asked.example.called}({', '.join(arguments)})"[:120]


def _value(asked: AskedOnce) -> str:
    if asked.answer.how is not Answered.VALUE:
        return f"an error ({asked.answer.detail[:60]})"
    return json.dumps(asked.answer.value, ensure_ascii=False)[:80]


def _object(subject: str, description: str, where: str, weight: Weight) -> Objection:
    satisfy = "let the answer depend on all that a call is given, and on nothing that other calls left behind"
    return Objection(Layer.HELD_OUT, subject, description, where, satisfy, weight)
