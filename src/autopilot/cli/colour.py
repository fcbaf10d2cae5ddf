"""Colour for lines at a terminal: what failed, what holds, what is a heading. Decides nothing; words say it all.

By the fixed forms of progress and of the end of a run, which programs read as well.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TextIO

RESULT = 30  # within so many characters the end of a run says how a phase ended
BOLD, DIM, RED, GREEN, YELLOW, ALARM = "1", "2", "31", "32", "33", "1;97;41"
# In this order; the first form that is found tells.
FORMS = (
    (": CAUGHT -- ", ALARM),
    (": FAILED -- ", RED),
    ("Gate: FAIL -- ", RED),
    ("Gate: UNPROVEN -- ", YELLOW),
    ("] Failed: ", RED),
    (" REFUSED -- ", RED),
    (": VERIFIED", GREEN),
    ("Gate: PASS -- ", GREEN),
    ("] Complete: ", GREEN),
    ("] Landed on ", GREEN),
    ("warning: ", YELLOW),
    ("Circuit breaker: OPEN", YELLOW),
)
BEGINNINGS = (
    ("✓ ", GREEN),
    ("✗ ", RED),
    ("! ", YELLOW),
    ("--- [PHASE ", BOLD),
    ("Autopilot: ", BOLD),
    ("expected: ", GREEN),
    ("actual:   ", RED),
    ("caught: ", RED),
    ("to continue: ", BOLD),
    ("to decide: ", BOLD),
    ("to answer: ", BOLD),
)


def may_colour(stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Only a terminal, and only where its user did not switch it off (https://no-color.org)."""
    return can_redraw(stream, environment) and not environment.get("NO_COLOR")


def can_redraw(stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether it is a terminal that follows control sequences: lines can be drawn over others there."""
    return stream.isatty() and environment.get("TERM") != "dumb"


def tone_of(line: str) -> str:
    """The code of the colour, "" for a line without one. What a command printed is only dimmed, whatever it says."""
    text = line.partition(":   ")[2] if line.startswith("[Phase ") else line.lstrip()
    if text.startswith("| "):
        return DIM
    if line.startswith("  phase "):
        return GREEN if " passed" in line[:RESULT] else RED if " failed in " in line[:RESULT] else ""
    forms = (tone for form, tone in FORMS if form in line)
    beginnings = (tone for form, tone in BEGINNINGS if text.startswith(form))
    return next(forms, "") or next(beginnings, "")


def paint(text: str, tone: str) -> str:
    return f"\x1b[{tone}m{text}\x1b[0m" if tone and text else text
