"""The rails on files, as shell workflows keep them: a record is made, a check says why it trips or "" to go on."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from autopilot.adapters.clock import SystemClock
from autopilot.adapters.files import create_atomically
from autopilot.adapters.growing_file import grow, read_grown
from autopilot.model.errors import UsageError
from autopilot.model.issue.issue import RECORDED, RedRow
from autopilot.planning.issue import audit_log
from autopilot.planning.issue.audit_log import FAIL, PASS, RED, is_fingerprint, stamp
from autopilot.ports.clock import Clock
from autopilot.rails.issue import convergence

SYSTEM = SystemClock()


def fingerprint(content: bytes) -> str:
    return convergence.fingerprint(_text(content))


def record_iteration(
    log: Path, iteration: int, step: str, verdict: str, fingerprint_: str, clock: Clock = SYSTEM
) -> None:
    """``fingerprint_`` is the fingerprint of the iteration's state."""
    _check_fingerprint(fingerprint_, "the fingerprint")
    if verdict not in (PASS, FAIL):
        # A failure under another word would be counted by no rail.
        raise UsageError(f'the verdict is {PASS} or {FAIL}, not "{verdict}"')
    now = stamp(clock.now())
    _append(log, lambda text: audit_log.append_row(text, iteration, step, verdict, fingerprint_, now))


def record_halt(log: Path, step: str, reason: str, digest: str = "[]", clock: Clock = SYSTEM) -> None:
    if reason not in RECORDED:
        raise UsageError(f'"{reason}" is no reason to halt', f"one of: {', '.join(RECORDED)}")
    now = stamp(clock.now())
    _append(log, lambda text: audit_log.append_halt(text, step, reason, digest, now))


def check_sameness(log: Path, step: str = "") -> str:
    same = convergence.is_same(audit_log.parse_log(_read(log)), step)
    return f"the last two failures{_of_step(step)} are the same" if same else ""


def check_stuck(log: Path, window: int = convergence.WINDOW, step: str = "") -> str:
    if window < 1:
        raise UsageError("a window has at least one place", "leave it out for three")
    stuck = convergence.is_stuck(audit_log.parse_log(_read(log)), window, step)
    return f"one of the last {window} failures{_of_step(step)} was there before" if stuck else ""


def check_max_iterations(current: int, limit: int) -> str:
    return f"iteration {current} of at most {limit}" if convergence.is_over(current, limit) else ""


def check_log_integrity(log: Path, expected: int) -> str:
    """Lines beyond those recorded are as wrong as missing ones: the caller alone writes there."""
    content = read_grown(log)
    if content is None:
        return f"{log} is gone; it had {expected} lines" if expected else ""
    text = _text(content)
    if (found := audit_log.count_lines(text)) != expected:
        return f"{log} has {found} lines, and {expected} were recorded"
    broken = audit_log.broken_at(text)
    return f"line {broken} of {log} is not bound to the line before it" if broken else ""


def pin_anchor(pin: Path, anchor: bytes) -> None:
    """Once: an anchor that could be pinned again would hold nothing."""
    if not anchor.strip():
        raise UsageError("the anchor is empty", "give the approved text on standard input, as in: cat prd.md | …")
    text = audit_log.pin_text(fingerprint(anchor))
    if os.path.lexists(pin) or not create_atomically(pin, text.encode()):
        raise UsageError(f"{pin} is there already", "an anchor is pinned once; compare with check_pin")


def check_pin(pin: Path, current: str) -> str:
    """``current`` is the fingerprint of the anchor as it stands now."""
    content = read_grown(pin)
    if content is None:
        raise UsageError(f"there is no pin {pin}", "pin the anchor first, with pin_anchor")
    pinned = audit_log.parse_pin(_text(content))
    if pinned is None:
        raise UsageError(f"{pin} holds no fingerprint", "take it back from the commit that brought it")
    _check_fingerprint(current, "the current fingerprint")
    return "" if pinned == current else f"the anchor is not the one that {pin} froze"


def record_red(red: Path, commit: str, at_file: str, impl_sha: str, clock: Clock = SYSTEM) -> None:
    """What somebody saw fail, in their own words; `replay` looks for itself."""
    _check_fingerprint(commit, "the test commit")
    _check_fingerprint(impl_sha, "the implementation")
    if not at_file:
        raise UsageError("the acceptance test's file is not named")
    row = RedRow(RED, commit, impl_sha, at_file, stamp(clock.now()))
    _append(red, lambda text: audit_log.append_red(text, row))


def find_red(red: Path, commit: str, impl_sha: str) -> RedRow | None:
    """The latest row about these two, where there is one."""
    _check_fingerprint(commit, "the test commit")
    _check_fingerprint(impl_sha, "the implementation")
    rows = [row for row in audit_log.parse_red(_read(red)) if (row.commit, row.impl_sha) == (commit, impl_sha)]
    return rows[-1] if rows else None


def _check_fingerprint(value: str, name: str) -> None:
    if not is_fingerprint(value):
        raise UsageError(f'{name} is "{value}"', "letters, digits and . _ : - only, and at least one of them")


def _of_step(step: str) -> str:
    return f" of {step}" if step else ""


def _append(path: Path, append_to: Callable[[str], str]) -> None:
    def make_addition(existing: bytes) -> bytes:
        text = _text(existing)
        return append_to(text)[len(text) :].encode("utf-8", "surrogateescape")

    grow(path, make_addition)


def _read(path: Path) -> str:
    """A record that was never begun is empty."""
    return _text(read_grown(path) or b"")


def _text(content: bytes) -> str:
    """Bytes that are no text stay what they are: they are hashed as they stand, and read as corrupt."""
    return content.decode("utf-8", "surrogateescape")
