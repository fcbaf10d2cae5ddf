"""Colour: at a terminal alone, never where it is switched off, and never for what a command printed."""

from __future__ import annotations

import io

import pytest

from autopilot.cli.colour import ALARM, BOLD, DIM, GREEN, RED, YELLOW, may_colour, paint, tone_of

# covers: PROG


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_only_a_terminal_whose_user_did_not_switch_it_off_is_coloured() -> None:
    assert may_colour(Terminal(), {"TERM": "xterm"})
    assert not may_colour(io.StringIO(), {"TERM": "xterm"})
    assert not may_colour(Terminal(), {"TERM": "xterm", "NO_COLOR": "1"})
    assert not may_colour(Terminal(), {"TERM": "dumb"})


@pytest.mark.parametrize(
    ("line", "tone"),
    [
        ("--- [PHASE 1/3] Store ---", BOLD),
        ("--- [PHASE 1/3] Complete: 9.6/10 | 3s ---", GREEN),
        ("--- [PHASE 1/3] Failed: it adds | 3s ---", RED),
        ("[Phase 1] Task 01-01: CAUGHT -- its agent called it done", ALARM),
        ("[Phase 1] Task 01-01: FAILED -- it adds (01-01.c1): red", RED),
        ("[Phase 1] Task 01-01:   expected: exit status 0", GREEN),
        ("[Phase 1] Task 01-01:   actual:   exit status 1", RED),
        ("[Phase 1] Task 01-01:   | : CAUGHT -- Gate: PASS -- warning: ", DIM),
        ("[Phase 1] Task 01-01: VERIFIED", GREEN),
        ("[Phase 1] warning: nobody said so", YELLOW),
        ("  phase 1 passed: 2/2 proven", GREEN),
        ("  phase 2 failed in gate: 1 check does not hold", RED),
        ("      | 1 passed", DIM),
        ("  to continue: `autopilot resume`", BOLD),
        ("[Phase 1] Step: PLAN (4/9)", ""),
    ],
)
def test_a_line_has_the_colour_of_what_it_says(line: str, tone: str) -> None:
    assert tone_of(line) == tone


def test_a_line_without_a_colour_stays_as_it_is() -> None:
    assert (paint("a", ""), paint("", RED), paint("a", RED)) == ("a", "", "\x1b[31ma\x1b[0m")
