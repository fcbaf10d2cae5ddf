"""Which turn of a script a request gets: read from the request itself, so that a retry gets the same one again."""

from __future__ import annotations

import re
import threading
from collections import Counter

from msgspec import Struct

from autopilot.simulation.model_server.conversation import Conversation, Wire
from autopilot.simulation.model_server.script import Fault, ModelScript, Reply, Rule, Say, Turn

DONE = Say("done")
# An agent that asks on and on is told that it is done, in the end.
MOST_REPEATS = 20


class Play(Struct, frozen=True):
    """``rule`` and ``step`` are counted from 0; a side request and a prompt without a rule have none."""

    turn: Turn
    rule: int | None = None
    step: int | None = None
    side: bool = False


class Player:
    """Remembers only what no request can tell: the requests each fault has spoilt, the conversations of each rule."""

    def __init__(self, script: ModelScript) -> None:
        self._script = script
        self._spoilt: Counter[tuple[int, int]] = Counter()
        self._served: dict[int, set[tuple[str, int, str]]] = {}
        self._guard = threading.Lock()

    def play(self, talk: Conversation) -> Play:
        if is_side(talk, self._script.tools_expected):
            return Play(Say("ok"), side=True)
        with self._guard:
            number = self._find_rule(talk)
            if number is None:
                return Play(DONE)
            self._served.setdefault(number, set()).add(talk.key)
            rule = self._script.rules[number]
            if not rule.answer:
                return self._choose(rule, number, talk)
        return Play(rule.answer(talk), number, talk.steps)

    def _find_rule(self, talk: Conversation) -> int | None:
        for number, rule in enumerate(self._script.rules):
            served = self._served.get(number, set())
            free = rule.times is None or talk.key in served or len(served) < rule.times
            if free and re.search(rule.when, talk.prompt):
                return number
        return None

    def _choose(self, rule: Rule, number: int, talk: Conversation) -> Play:
        """Walk to the step that is due; the faults written right before it come first, each as often as it says."""
        step = 0
        last: Turn = DONE
        for position, turn in enumerate(rule.turns):
            if not isinstance(turn, Fault):
                if step == talk.steps:
                    return Play(turn, number, step)
                step, last = step + 1, turn
            elif (step == talk.steps or position == len(rule.turns) - 1) and self._spoils(turn, (number, position)):
                return Play(turn, number, step)
        return Play(_go_on(last, talk, talk.steps - step), number, talk.steps)

    def _spoils(self, fault: Fault, place: tuple[int, int]) -> bool:
        if fault.first is not None and self._spoilt[place] >= fault.first:
            return False
        self._spoilt[place] += 1
        return True


def is_side(talk: Conversation, tools_expected: bool) -> bool:
    """Agents also ask for titles and topics, count their quota and warm up; none of that is the work."""
    if talk.max_tokens == 1 or not talk.prompt:
        return True
    # On the Messages wire a form without tools is a title too: Claude Code gives its own form as a tool.
    return tools_expected and not talk.tools and (talk.schema is None or talk.wire is Wire.MESSAGES)


def _go_on(last: Turn, talk: Conversation, repeats: int) -> Turn:
    """After the last turn: words are said again, a result only when it was refused."""
    again = isinstance(last, Say) or (isinstance(last, Reply) and (talk.last_failed or not talk.outputs))
    return last if again and repeats < MOST_REPEATS else DONE
