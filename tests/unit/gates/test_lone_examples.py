"""A plan of ours has a further check, held out, for each criterion that is one example. covers: PCHK, T8"""

from __future__ import annotations

import pytest

from autopilot.gates.held_out import refuse_held_out, refuse_lone_examples
from autopilot.model.evidence.observation import Seen
from autopilot.model.policy import Commands
from autopilot.planning.plan.held_out import parse_held_out
from tests.unit.making import make_criterion

SWAPS = "python3 -c \"import words; print(words.swapcase('{}'))\""
ASKED = make_criterion("phase.c1", "it swaps", command=SWAPS.format("Ada"))
PLANNED = make_criterion("01-01.c1", "it swaps", command=SWAPS.format("Ada"))
TESTED = make_criterion("01-01.c2", "tests pass", command="python3 -m pytest -q tests/test_words.py")
OTHER = f'- Another word -- verified by: `{SWAPS.format("bob")}` (contains "BOB")'
DIFFERS = f'- Another answer -- verified by: `test "$({SWAPS.format("bob")})" != "$({SWAPS.format("Ada")})"`'
SAME = f'- The same word -- verified by: `{SWAPS.format("Ada")}` (contains "A")'


@pytest.mark.parametrize(
    ("held_out", "refused"),
    [("", 1), (OTHER, 0), (DIFFERS, 0), (SAME, 1), ("- words are swapped\n", 1)],
)
def test_one_example_needs_another_value_that_is_held_out(held_out: str, refused: int) -> None:
    held = parse_held_out(held_out, "HELD-OUT.md", Commands())
    reasons = list(refuse_lone_examples([ASKED, PLANNED, TESTED], held))
    assert len(reasons) == refused
    assert all("this criterion is one example" in reason and "HELD-OUT.md" in reason for reason in reasons)


@pytest.mark.parametrize("clock", ["time.process_time()", "timeit.default_timer()", "time.time_ns()", "words.now()"])
def test_a_criterion_that_measures_time_needs_no_other_value(clock: str) -> None:
    command = f"python3 -c \"import words, time; t = {clock}; words.swapcase('Ada'); print({clock} - t < 2)\""
    reasons = list(refuse_lone_examples([make_criterion("phase.c1", "it is fast", command=command)], []))
    assert len(reasons) == (clock == "words.now()")


def test_what_is_held_out_is_read_as_criteria_of_the_whole_phase() -> None:
    first, second = parse_held_out(f"# Held out\n\n{OTHER}\n{DIFFERS}\n", "x/HELD-OUT.md", Commands())
    assert (first.id, second.id, first.task) == ("phase.h1", "phase.h2", "")
    assert (first.command, str(first.expectation), first.line) == (SWAPS.format("bob"), 'contains "BOB"', 3)


@pytest.mark.parametrize(("seen", "refused"), [(Seen.FAILED, 0), (Seen.PASSED, 1), (Seen.TIMED_OUT, 1)])
def test_what_is_held_out_fails_before_the_work(seen: Seen, refused: int) -> None:
    held = parse_held_out(OTHER, "HELD-OUT.md", Commands())
    assert len(list(refuse_held_out(held, {"phase.h1": seen}))) == refused
