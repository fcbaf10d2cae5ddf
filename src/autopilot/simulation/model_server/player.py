"""Chooses the turn of the script for a request from the request itself, so that a retry gets the same turn."""

from __future__ import annotations

import re
import threading
from collections import Counter

from msgspec import Struct

from autopilot.simulation.model_server.conversation import Conversation, Wire
from autopilot.simulation.model_server.script import Fault, ModelScript, Reply, Rule, Say, Turn

DONE = Say("done")
# An agent that keeps asking finally gets the answer "done".
MOST_REPEATS = 20


class Play(Struct, frozen=True):
    """``rule`` and ``step`` are counted from 0; a side request and a prompt without a rule have none."""

    turn: Turn
    rule: int | None = None
    step: int | None = None
    side: bool = False


class Player:
    """Remembers what requests do not contain: how often each fault occurred, and the conversations of each rule."""

    def __init__(self, script: ModelScript) -> None:
        self._script = script
        self._spoilt: Counter[tuple[int, int]] = Counter()
        self._served: dict[int, set[tuple[str, int, str]]] = {}
        self._lock = threading.Lock()

    def play(self, conversation: Conversation) -> Play:
        if is_side_request(conversation, self._script.tools_expected):
            return Play(Say("ok"), side=True)
        with self._lock:
            number = self._find_rule(conversation)
            if number is None:
                return Play(DONE)
            self._served.setdefault(number, set()).add(conversation.key)
            rule = self._script.rules[number]
            if not rule.answer:
                return self._choose(rule, number, conversation)
        return Play(rule.answer(conversation), number, conversation.steps)

    def _find_rule(self, conversation: Conversation) -> int | None:
        for number, rule in enumerate(self._script.rules):
            served = self._served.get(number, set())
            free = rule.times is None or conversation.key in served or len(served) < rule.times
            if free and re.search(rule.when, conversation.prompt):
                return number
        return None

    def _choose(self, rule: Rule, number: int, conversation: Conversation) -> Play:
        """Find the due step; faults directly before it come first, each as often as configured."""
        step = 0
        last: Turn = DONE
        for position, turn in enumerate(rule.turns):
            if not isinstance(turn, Fault):
                if step == conversation.steps:
                    return Play(turn, number, step)
                step, last = step + 1, turn
            elif (step == conversation.steps or position == len(rule.turns) - 1) and self._spoils(
                turn, (number, position)
            ):
                return Play(turn, number, step)
        return Play(_after_last_turn(last, conversation, conversation.steps - step), number, conversation.steps)

    def _spoils(self, fault: Fault, place: tuple[int, int]) -> bool:
        if fault.first is not None and self._spoilt[place] >= fault.first:
            return False
        self._spoilt[place] += 1
        return True


def is_side_request(conversation: Conversation, tools_expected: bool) -> bool:
    """Agents also request titles, check their quota and warm up; these are side requests."""
    if conversation.max_tokens == 1 or not conversation.prompt:
        return True
    # In the Messages protocol a schema without tools is a title too: Claude Code passes its own schema as a tool.
    return (
        tools_expected
        and not conversation.tools
        and (conversation.schema is None or conversation.wire is Wire.MESSAGES)
    )


def _after_last_turn(last: Turn, conversation: Conversation, repeats: int) -> Turn:
    """After the last turn: text is repeated, a result only if it was refused."""
    is_repeated = isinstance(last, Say) or (
        isinstance(last, Reply) and (conversation.last_failed or not conversation.outputs)
    )
    return last if is_repeated and repeats < MOST_REPEATS else DONE
