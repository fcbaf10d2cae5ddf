"""Why a Rust test failed, by what it printed."""

from __future__ import annotations

import re

from autopilot.model.evidence.testing import By

_UNMET = re.compile(
    r"assertion|snapshot|note: test did not panic as expected|note: panic did not contain expected string"
)
# Messages of the language itself. Any other message was written by a developer, for `panic!` or `assert!`.
_RUNTIME = re.compile(
    r"called `(?:Option|Result)::|index out of bounds|attempt to |range (?:start|end) index|slice index|byte index"
    r"|not (?:yet )?implemented|internal error: entered unreachable|explicit panic|already (?:mutably )?borrowed"
)


def reason_of(story: str, own_file: str) -> By:
    """``own_file`` holds the test: a message that a developer wrote is an assertion if it comes from there."""
    if "Couldn't compile the test." in story:
        return By.LOADING
    message, place = _panic(story)
    if _UNMET.match(message):
        return By.ASSERTION
    if not place or _RUNTIME.match(message):
        return By.ERROR
    return By.ASSERTION if place == own_file else By.ERROR


def panic_message(story: str) -> str:
    return _panic(story)[0]


def _panic(story: str) -> tuple[str, str]:
    """Message and file of the first panic; the first line where there is none."""
    lines = story.splitlines()
    for place, line in enumerate(lines):
        if not line.startswith("thread '") or " panicked at " not in line:
            continue
        where = line.partition(" panicked at ")[2]
        if where.startswith("'"):  # before Rust 1.73 the message stood in front
            message, _, where = where[1:].rpartition("', ")
            return message, where.partition(":")[0]
        return lines[place + 1] if lines[place + 1 :] else "", where.partition(":")[0]
    return next((line for line in lines if line.strip()), ""), ""
