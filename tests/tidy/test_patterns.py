"""Every regular expression reads a text of strangers in time that grows with its length, or has a bound. covers: T1

Time is the computing of this process, never the clock on the wall, and what counts is how it grows: four times the text
may take eight times as long, and a pattern that tries every way takes sixteen times as long or never comes back.
"""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import islice
from types import FrameType

import pytest

from tests.seed import chance
from tests.tidy.patterns import Found, every_pattern, unknown_patterns
from tests.tidy.slow_texts import slow_texts

LENGTH = 16_000
LONGER = 4
QUICK_S = 0.02  # whatever is read in this time, of LENGTH, is not looked at again
GROWTH = 8
MOST_S = 1.0  # for LENGTH
ENOUGH_S = 0.1  # what takes so long, of LENGTH, is held against a shorter text: a longer one would only take longer
PARTS = 4
QUICK = bool(os.environ.get("AUTOPILOT_QUICK"))
CHAOS = bool(os.environ.get("AUTOPILOT_CHAOS"))
TEXTS_OF_THE_DAY = 2 if QUICK else 8  # for each pattern; `make chaos` takes all
PLANTED_LENGTH = LENGTH
PLANTED = (
    r"x*y",
    r"(?:a+)+b",
    r"(?:a|a)*b",
    r"\s+$",
    r"\[.*\]$",
    r"(\w+)\s*=",
    r"a.*b.*c",
    r"^\s*#",
    r"<a>.*?</a>",
    r"(?:'\w+|str|[,&])+;",
)

# Who applies these to a text cuts it first: at most so many characters reach them.
BOUNDS = {
    "autopilot.inspection.control.kinds.NAMED": 4_096,  # the longest path of Linux
    "autopilot.inspection.control.kinds.PLACED": 4_096,
    "autopilot.inspection.control.names.NAMED": 4_096,
    "autopilot.planning.detecting.python_tools._TEST_FILE": 4_096,
    "autopilot.inspection.control.names.PLACED": 4_096,
    "autopilot.inspection.types.references._UNREAL": 80,
    "autopilot.planning.plan.trace._READ": 600,
    "autopilot.planning.plan.trace._TRACE": 600,
    "autopilot.steps.evidence.otherwise.absent": "one of two forms around an escaped name",
    "autopilot.testtools.sources._LINE": 1_000,
}
# Held in a table, or handed to a function, that matches at the beginning of a text only.
MATCHED = {
    "autopilot.inspection.control.kinds.NAMED",
    "autopilot.inspection.control.kinds.PLACED",
    "autopilot.inspection.control.names.NAMED",
    "autopilot.inspection.control.names.PLACED",
    "autopilot.planning.examples.reading._CODE_ENDS",
    "autopilot.planning.examples.reading._LINE_ENDS",
    "autopilot.planning.issue.points._BULLET",
    "autopilot.planning.issue.points._ITEM",
    "autopilot.planning.plan.expectation._FORMS",
    "autopilot.planning.plan.files._NUMBERS",
    "autopilot.testtools.expectations.by_lines._PERL",
    "autopilot.testtools.expectations.by_lines._PHP",
    "autopilot.testtools.expectations.by_lines._RUBY",
}
# Patterns made while the program runs: of which constants, and why no stranger writes them.
MADE = {
    "autopilot.adapters.agents.acp.failure": "known wordings of agents, a constant table",
    "autopilot.gates.evidence.otherwise.other_day": "days and years of the clock, in constant forms",
    "autopilot.gates.evidence.otherwise.other_input": "one of two forms around an escaped word",
    "autopilot.gates.evidence.test_id": "one of two forms around an escaped name",
    "autopilot.gates.issue.reproduction": "escaped names of files",
    "autopilot.inspection.control.code_parts": "a constant table",
    "autopilot.inspection.control.empty_run": "a constant table",
    "autopilot.inspection.control.meaning.tables": "forms around an identifier",
    "autopilot.inspection.control.names": "a constant table of names, held as NAMED",
    "autopilot.inspection.second_look.rules": "a constant table, held as RULES",
    "autopilot.inspection.suspicion": "a constant table, held as _HINTS",
    "autopilot.inspection.types.safe_pattern": "of strangers: tried only when its worst case is known",
    "autopilot.model.secrecy.secrets": "a constant table",
    "autopilot.model.secrecy.spellings": "an escaped word with gaps that hold none of its characters: one way to match",
    "autopilot.planning.examples.places": "forms around an escaped name",
    "autopilot.planning.people.scope": "escaped words with what may stand between them",
    "autopilot.reports.status.discuss_context": "a constant table",
    "autopilot.steps.evidence.otherwise.absent": "one of two forms around an escaped name",
    "autopilot.testtools.expectations.go": "a form around an escaped name",
    "autopilot.testtools.mutants.emptied": "constant forms around an escaped name",
    "autopilot.testtools.near.effects": "constant forms around an escaped name",
    "autopilot.testtools.outside.go_outside": "a form around an escaped path",
    "autopilot.text.lazy_regex": "what its caller wrote",
}


class _TakesForever(BaseException):
    pass


@contextmanager
def _given_up_after(seconds: float) -> Iterator[None]:
    def give_up(_: int, __: FrameType | None) -> None:
        raise _TakesForever

    before = signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, signal.SIG_IGN if before is signal.SIG_DFL else before)


def _seconds(one: Found, text: str, most_s: float) -> float:
    words = text.encode() if isinstance(one.pattern.pattern, bytes) else text
    began = time.process_time()
    try:
        with _given_up_after(1.1 * most_s):
            if one.searches and one.where not in MATCHED:
                for _ in one.pattern.finditer(words):
                    pass
            else:
                one.pattern.match(words)
                one.pattern.fullmatch(words)
    except _TakesForever:
        return float("inf")
    return time.process_time() - began


def _is_slow(one: Found, number: int, text: str, length: int) -> bool:
    """The better of several looks each, for a busy machine computes a little longer at times, and never shorter."""
    quick_s, enough_s, most_s = (seconds * length / LENGTH for seconds in (QUICK_S, ENOUGH_S, MOST_S))

    def best_s(text: str, looks: int) -> float:
        return min(_seconds(one, text, most_s) for _ in range(looks))

    if (first_s := best_s(text, 1)) < quick_s:
        return False
    text_s = min(first_s, best_s(text, 1 if first_s > most_s else 2))
    if text_s < quick_s or text_s > most_s or one.where in BOUNDS:
        return text_s > most_s
    if text_s > enough_s:
        return text_s > GROWTH * best_s(_text_of(one, number, length // LONGER), 3)
    return best_s(_text_of(one, number, LONGER * length), 3) > GROWTH * text_s


def _text_of(one: Found, number: int, length: int) -> str:
    return next(islice(slow_texts(one.pattern, length), number, None))


def _find_slow(one: Found, most: int | None = None, length: int = LENGTH) -> str:
    """A text that shows it, or nothing."""
    texts = list(enumerate(slow_texts(one.pattern, BOUNDS.get(one.where, length))))
    if most is not None and len(texts) > most:
        texts = chance(one.where).sample(texts, most)
    found = next((text for number, text in texts if _is_slow(one, number, text, length)), None)
    return "" if found is None else f"{one.where} {one.pattern.pattern!r}: {found[:40]!r}…{found[-5:]!r}"


@cache
def _patterns() -> tuple[Found, ...]:
    return tuple(every_pattern())


@pytest.mark.parametrize("part", range(PARTS))
def test_no_pattern_is_slow_for_a_text_made_to_be_slow(part: int) -> None:
    most = None if CHAOS else TEXTS_OF_THE_DAY
    assert [slow for one in _patterns()[part::PARTS] if (slow := _find_slow(one, most))] == []


def test_the_walk_finds_the_patterns_of_all_rooms() -> None:
    rooms = {one.where.split(".")[1] for one in _patterns()}
    assert len(_patterns()) > 600
    assert rooms >= {"adapters", "gates", "inspection", "model", "planning", "testtools", "text"}


def test_a_pattern_made_while_the_program_runs_is_known_with_its_reason() -> None:
    assert sorted({one.partition(":")[0] for one in unknown_patterns()}) == sorted(MADE)


@pytest.mark.parametrize("slow", PLANTED[:: 4 if QUICK else 1])
def test_a_pattern_that_tries_every_way_is_found(slow: str) -> None:
    assert _find_slow(Found("example", re.compile(slow, re.MULTILINE | re.DOTALL), True), length=PLANTED_LENGTH)


@pytest.mark.parametrize("quick", [r"(?<!\s)\s++$", r"\w+", r"a[^a]*b", r"(?<![\w])(\w++)\s*+=", r"^[^\S\n]*#"])
def test_a_pattern_that_reads_on_is_left_alone(quick: str) -> None:
    assert not _find_slow(Found("example", re.compile(quick, re.MULTILINE), True))
