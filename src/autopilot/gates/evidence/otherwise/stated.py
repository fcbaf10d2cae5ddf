"""Does a command do what a document says it prints or how it says it ends? Asked by us, outside of any test."""

from __future__ import annotations

import re

from msgspec import Struct

from autopilot.model.evidence.example import FAILS, StatedCommand
from autopilot.model.evidence.objection import Layer, Objection, Weight

LONGEST_SHOWN = 160
_IN_WORD = re.compile(r"\w")
_GOES_ON = re.compile(r"\w|\.\d")  # a longer word, or the rest of a number
_BEFORE_REST = re.compile(r"[\w.]")
_NOT_STARTED = 126  # the shell's own statuses for what it cannot start


class Ran(Struct, frozen=True):
    """How a stated command ended; no status where it did not end by itself."""

    exit_code: int | None = None
    output: str = ""
    trouble: str = ""  # why it could not be run, or what it was refused
    is_ours: bool = False  # our own sandbox failed


class AskedCommand(Struct, frozen=True):
    stated: StatedCommand
    source: str  # the document it stands in
    subject: str = ""
    due: bool = True  # False for what another phase, not done yet, is to bring about
    is_of_phase: bool = False  # it stands in the phase's own section of the roadmap


def does(stated: StatedCommand, ran: Ran) -> bool:
    if ran.exit_code is None or ran.exit_code >= _NOT_STARTED:
        return False
    ends = stated.exit is None or (ran.exit_code != 0 if stated.exit == FAILS else ran.exit_code == stated.exit)
    return ends and _shows(stated.shows, ran.output)


def judge_stated(asked: AskedCommand, now: Ran, before: Ran | None) -> tuple[Objection, ...]:
    """``before``: at the base; None where its program was not there."""
    if does(asked.stated, now):
        return ()
    if now.trouble or now.exit_code is None or now.exit_code >= _NOT_STARTED:
        why = now.trouble or "it could not be started"
        weight = Weight.OURS if now.is_ours or (before and before.is_ours) else Weight.FLAG
        return (_object(asked, f"{asked.stated.text} could not be run: {why}", weight),)
    held = before is not None and does(asked.stated, before)
    description = f"{asked.source} says {asked.stated.text}, and {_seen(asked.stated, now)}"
    description += ", and it did so before the work" if held else ""
    # What a phase says that was the case already may be what it is to mend.
    is_promise = asked.due and not (held and asked.is_of_phase)
    return (_object(asked, description, Weight.REFUSE if is_promise else Weight.FLAG),)


def _shows(parts: tuple[str, ...], output: str) -> bool:
    """In this order; a word or number is no part of a longer one."""
    position = 0
    for part in parts:
        position = _end_of(part, output, position)
        if position < 0:
            return False
    return True


def _end_of(part: str, output: str, start: int) -> int:
    """Where it ends in the output, -1 where it is not there as a whole."""
    begins = output.find(part, start)
    while begins >= 0:
        end = begins + len(part)
        is_rest = _IN_WORD.match(part[0]) and begins > 0 and _BEFORE_REST.match(output[begins - 1])
        goes_on = _IN_WORD.match(part[-1]) and _GOES_ON.match(output, end)
        if not is_rest and not goes_on:
            return end
        begins = output.find(part, begins + 1)
    return -1


def _seen(stated: StatedCommand, ran: Ran) -> str:
    shown = " ".join(ran.output.split())
    shown = shown if len(shown) <= LONGEST_SHOWN else f"{shown[:LONGEST_SHOWN]}…"
    printed = f"it prints `{shown}`" if shown else "it prints nothing"
    return printed if stated.exit is None else f"{printed} and exits with {ran.exit_code}"


def _object(asked: AskedCommand, description: str, weight: Weight) -> Objection:
    where = f"{asked.source}:{asked.stated.line}"
    satisfy = "make the program do so, in the code and not only in tests"
    return Objection(Layer.HELD_OUT, asked.subject, description, where, satisfy, weight)
