"""The records of an issue as text: its audit log, its red evidence, its pins.

One line of the audit log for every iteration and every halt, each bound to the line before it, and a line is only ever
added. Lines without ``prev`` were written by shell workflows: they are the baseline that ours are bound to. One after
ours breaks the chain, which `broken_at` tells; its row is read all the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final

import msgspec

from autopilot.model.errors import RecordBroken
from autopilot.model.issue.issue import AuditRow, HaltRow, RedRow, RowVerdict, SeedFinding
from autopilot.planning.issue.json_lines import add_object, content_lines, encode, read_object

HALT = "HALT"
RED: Final = "red"
FINGERPRINT = re.compile(r"[A-Za-z0-9._:-]+")
NO_FINDINGS = "[]"
_VERDICTS = re.compile(r'"verdict"\s{0,9}:\s{0,9}"([^"]{0,40})"')
LONGEST_DIGEST = 4_000  # characters
MOST_FINDINGS, LONGEST_TEXT = 10, 160  # of a digest that would be longer
HINT = "Autopilot does not repair it: compare the file with its git history"

Flat = list[dict[str, str | int | float | bool | None]]


def parse_log(text: str) -> tuple[AuditRow | HaltRow, ...]:
    """Every row, as it stands there. RecordBroken for a line that is none; fields we do not know are passed over.

    A line that is none and says PASS is passed over as well: it repeats no failure, whatever else it lost.
    """
    read = (_read_row(number, line) for number, line in content_lines(text))
    return tuple(row for row in read if row is not None)


def append_row(text: str, iteration: int, step: str, verdict: str, fingerprint: str, timestamp: str) -> str:
    assert is_fingerprint(fingerprint), fingerprint
    row = {"iteration": iteration, "step": step, "verdict": verdict, "fingerprint": fingerprint}
    return _append(text, {**row, "timestamp": timestamp})


def append_halt(text: str, step: str, reason: str, digest: str, timestamp: str) -> str:
    """``digest`` as `findings_digest` makes it, or "" for none; any other text is kept as text."""
    row = {"outcome": HALT, "step": step, "reason": reason, "findings_digest": _list_or_text(digest or NO_FINDINGS)}
    return _append(text, {**row, "timestamp": timestamp})


def is_digest(digest: str) -> bool:
    """Whether it is recorded as a list of findings; "" is an empty one."""
    return not isinstance(_list_or_text(digest or NO_FINDINGS), str)


def count_lines(text: str) -> int:
    return sum(1 for _ in content_lines(text))


def head_of(text: str) -> str:
    """What the next line will be bound to, and what to keep elsewhere; "" where there is no line."""
    lines = [line for _, line in content_lines(text)]
    return _digest(lines[-1]) if lines else ""


def broken_at(text: str) -> int | None:
    """The number of the first line that is not bound to the one before it.

    That lines are gone from the end, or the last was changed, only `count_lines` and `head_of` of before can tell.
    """
    before, is_chained = "", False
    for number, line in content_lines(text):
        row = read_object(line) or {}
        is_chained = is_chained or "prev" in row
        if is_chained and row.get("prev") != before:
            return number
        before = _digest(line)
    return None


def findings_digest(findings: Sequence[SeedFinding]) -> str:
    """A compact list. Of one that is too long, the beginning, and at its end the fingerprint of the whole."""
    digest = encode([_render_finding(finding) for finding in findings])
    if len(digest) <= LONGEST_DIGEST:
        return digest
    begun = [_render_finding(finding, LONGEST_TEXT) for finding in findings[:MOST_FINDINGS]]
    detail = f"the first {len(begun)} of {len(findings)} findings, cut short"
    return encode([*begun, {"priority": 0, "evidence_ref": f"sha256:{_digest(digest)}", "detail": detail}])


def append_red(text: str, row: RedRow) -> str:
    seen = {"exit_code": row.exit_code, "tests": row.tests, "output": row.output}
    judged = {"impl_sha": row.impl_sha} if row.impl_sha else {}
    required = {"step": row.step, "commit": row.commit, **judged, "at_file": row.at_file}
    known = {name: value for name, value in seen.items() if value not in (None, (), "")}
    return add_object(text, {**required, "timestamp": row.timestamp, **known})


def parse_red(text: str) -> tuple[RedRow, ...]:
    """Every row, those without an implementation too. RecordBroken for a line that is none."""
    return tuple(_read_red(number, line) for number, line in content_lines(text))


def pin_text(fingerprint: str) -> str:
    assert is_fingerprint(fingerprint), fingerprint
    return f"{fingerprint}\n"


def parse_pin(text: str) -> str | None:
    """The fingerprint of the frozen anchor; None when this is no pin."""
    pinned = text.rstrip("\n")
    return pinned if is_fingerprint(pinned) else None


def is_fingerprint(text: str) -> bool:
    """Also of commit ids: nothing that could end a string, a line or a word of a command."""
    return FINGERPRINT.fullmatch(text) is not None


def stamp(now: datetime) -> str:
    return now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _append(text: str, row: Mapping[str, object]) -> str:
    return add_object(text, {**row, "prev": head_of(text)})


def _read_row(number: int, line: str) -> AuditRow | HaltRow | None:
    """Rows of older workflows have no time; nothing rests on it. None for a malformed row that passed."""
    row: dict[str, Any] = {"timestamp": "", **(read_object(line) or {})}
    read: AuditRow | HaltRow | None
    try:
        if not isinstance(row.setdefault("findings_digest", ""), str):
            row["findings_digest"] = encode(row["findings_digest"])
        read = msgspec.convert(row, HaltRow) if "outcome" in row else msgspec.convert(row, AuditRow)
    except (msgspec.ValidationError, RecursionError):
        read = None
    if read is not None and _is_sound(read):
        return read
    if set(_VERDICTS.findall(line)) == {RowVerdict.PASS}:
        return None
    raise _corrupt(number)


def _is_sound(row: AuditRow | HaltRow) -> bool:
    """A failure that cannot be compared would quietly take the rails their memory."""
    if isinstance(row, HaltRow):
        return row.outcome == HALT
    return row.iteration >= 0 and is_fingerprint(row.fingerprint)


def _read_red(number: int, line: str) -> RedRow:
    try:
        read = msgspec.convert({"impl_sha": "", "timestamp": "", **(read_object(line) or {})}, RedRow)
    except msgspec.ValidationError:
        raise _corrupt(number) from None
    if read.step != RED or not is_fingerprint(read.commit):
        raise _corrupt(number)
    return read


def _corrupt(number: int) -> RecordBroken:
    return RecordBroken(f"line {number} is not a valid row of a record", HINT)


def _render_finding(finding: SeedFinding, longest: int = 0) -> dict[str, object]:
    def cut(text: str) -> str:
        return f"{text[:longest]}…" if 0 < longest < len(text) else text

    detail = {"detail": cut(finding.detail)} if finding.detail else {}
    return {"priority": finding.priority, "evidence_ref": cut(finding.evidence_ref), **detail}


def _list_or_text(digest: str) -> Flat | str:
    try:
        return msgspec.json.decode(digest, type=Flat)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return digest


def _digest(line: str) -> str:
    return sha256(line.encode("utf-8", "surrogateescape")).hexdigest()
