"""The rails for shell workflows, on files: records are appended, a check returns why it trips or ""."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec.structs import replace

from autopilot.adapters.clock import SystemClock
from autopilot.adapters.files import create_atomically
from autopilot.adapters.growing_file import grow, read_grown
from autopilot.model.errors import RecordBroken, UsageError
from autopilot.model.issue.issue import RECORDED, AuditRow, HaltRow, RedRow
from autopilot.planning.issue import audit_log
from autopilot.planning.issue.audit_log import RED, is_fingerprint, stamp
from autopilot.ports.clock import Clock
from autopilot.rails.issue import convergence
from autopilot.text.naming import plural

SYSTEM = SystemClock()


def fingerprint(content: bytes) -> str:
    return convergence.fingerprint(_text(content))


def record_iteration(
    log: Path, iteration: int, step: str, verdict: str, fingerprint_: str, clock: Clock = SYSTEM
) -> None:
    """``fingerprint_`` is the fingerprint of the iteration's state. Any verdict but PASS counts as a failure."""
    _check_word(fingerprint_, "the fingerprint")
    now = stamp(clock.now())
    _append(log, lambda text: audit_log.append_row(text, iteration, step, verdict, fingerprint_, now))


def record_halt(log: Path, step: str, reason: str, digest: str = "", clock: Clock = SYSTEM) -> None:
    if reason not in RECORDED:
        raise UsageError(f'"{reason}" is not a halt reason', f"choose one of: {', '.join(RECORDED)}")
    now = stamp(clock.now())
    _append(log, lambda text: audit_log.append_halt(text, step, reason, digest, now))


def check_sameness(log: Path, step: str = "") -> str:
    same = convergence.is_same(_read_log(log), step)
    return f"the last two failures{_of_step(step)} are the same" if same else ""


def check_stuck(log: Path, window: int = convergence.WINDOW, step: str = "") -> str:
    if window < 1:
        raise UsageError("WINDOW must be at least 1", "omit it for the default, 3")
    stuck = convergence.is_stuck(_read_log(log), window, step)
    return f"two of the last {window} failures{_of_step(step)} are the same" if stuck else ""


def check_max_iterations(current: int, limit: int) -> str:
    return f"iteration {current} of at most {limit}" if convergence.is_over(current, limit) else ""


def check_log_integrity(log: Path, expected: int) -> str:
    """Additional lines are as wrong as missing ones: only the caller writes the log."""
    content = read_grown(log)
    if content is None:
        return (
            f"{log} does not exist, but {plural(expected, 'line')} {'was' if expected == 1 else 'were'} recorded"
            if expected
            else ""
        )
    text = _text(content)
    if (found := audit_log.count_lines(text)) != expected:
        return f"{log} has {plural(found, 'line')}, but {expected} {'was' if expected == 1 else 'were'} recorded"
    broken = audit_log.broken_at(text)
    return f"line {broken} of {log} does not match the hash of the line before it" if broken else ""


def pin_anchor(pin: Path, anchor: bytes) -> None:
    """Pin the anchor once: a pin that can be replaced protects nothing."""
    if not anchor.strip():
        raise UsageError(
            "standard input is empty: there is no text to pin",
            "pass the approved text on standard input: autopilot rails pin_anchor PIN < prd.md",
        )
    text = audit_log.pin_text(fingerprint(anchor))
    if os.path.lexists(pin) or not create_atomically(pin, text.encode()):
        raise UsageError(f"{pin} already exists", "an anchor is pinned only once; compare with check_pin")


def check_pin(pin: Path, current: str) -> str:
    """``current`` is the fingerprint of the anchor as it is now."""
    content = read_grown(pin)
    if content is None:
        raise UsageError(f"the pin {pin} does not exist", "pin the anchor first with pin_anchor")
    pinned = audit_log.parse_pin(_text(content))
    if pinned is None:
        raise UsageError(f"{pin} contains no fingerprint", "restore it from the commit that added it")
    _check_word(current, "the current fingerprint")
    return "" if pinned == current else f"the anchor differs from the one pinned in {pin}"


def record_red(red: Path, commit: str, at_file: str, impl_sha: str = "", clock: Clock = SYSTEM) -> None:
    """Record that a test failed, as the caller claims; `replay` runs it. ``impl_sha``: "" before there is one."""
    _check_word(commit, "the test commit", "commit sha")
    if impl_sha:
        _check_word(impl_sha, "the implementation", "commit sha")
    if not at_file:
        raise UsageError("AT_FILE, the file of the acceptance test, is empty", "name the file of the acceptance test")
    row = RedRow(RED, commit, impl_sha, at_file, stamp(clock.now()))
    _append(red, lambda text: audit_log.append_red(text, row))


def find_red(red: Path, commit: str, impl_sha: str) -> RedRow | None:
    """The latest row about these two commits, if there is one; it may be older than the implementation."""
    _check_word(commit, "the test commit", "commit sha")
    _check_word(impl_sha, "the implementation", "commit sha")
    with _naming(red):
        recorded = audit_log.parse_red(_read(red))
    rows = [row for row in recorded if row.commit == commit and row.impl_sha in ("", impl_sha)]
    return replace(rows[-1], impl_sha=impl_sha) if rows else None


def _read_log(log: Path) -> tuple[AuditRow | HaltRow, ...]:
    with _naming(log):
        return audit_log.parse_log(_read(log))


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """What is wrong in a record is said with its file: the parser knows only its text."""
    try:
        yield
    except RecordBroken as broken:
        raise RecordBroken(f"{path}: {broken}", broken.hint) from None


def _check_word(value: str, name: str, kind: str = "fingerprint") -> None:
    """Shell workflows look for `invalid fingerprint` and `invalid commit sha` in what is said."""
    if not is_fingerprint(value):
        wrong = f'{name} is an invalid {kind}: "{value}"' if value else f"{name} is an invalid {kind}: it is empty"
        raise UsageError(wrong, "use only letters, digits and . _ : - and at least one character")


def _of_step(step: str) -> str:
    return f" of {step}" if step else ""


def _append(path: Path, append_to: Callable[[str], str]) -> None:
    def make_addition(existing: bytes) -> bytes:
        text = _text(existing)
        return append_to(text)[len(text) :].encode("utf-8", "surrogateescape")

    grow(path, make_addition)


def _read(path: Path) -> str:
    """The text of a record; "" if the file does not exist yet."""
    return _text(read_grown(path) or b"")


def _text(content: bytes) -> str:
    """Invalid UTF-8 is preserved: it is hashed unchanged and read as corrupt."""
    return content.decode("utf-8", "surrogateescape")
