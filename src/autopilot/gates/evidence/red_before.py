"""Is a red check red by nothing but what was red before the work began? By findings, never by line numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.evidence.likeness import Compared, Likeness
from autopilot.testtools.findings.finding import Finding, without_times
from autopilot.testtools.findings.reading import Reading, inside, read_findings

MOST_SHOWN = 3
LONGEST_SHOWN = 160
# A check that writes what it finds to a file may print the same words whatever it finds.
_ELSEWHERE = re.compile(r"(?<![0-9&>=-])1?>{1,2}(?![&>])|\btee\s|--output(?:-file)?[ =]")


class Red(Struct, frozen=True):
    """One run of a check that was red."""

    exit_code: int | None
    output: str
    is_not_run: bool = False
    command: str = ""


def compare_red(before: Red, after: Red, project: str = "", moves: Mapping[str, str] | None = None) -> Compared:
    """``moves``: files that stand elsewhere now, with what was found in them.

    Where findings cannot be read on both sides, only the same output as a whole is the same red.
    """
    if before.is_not_run or after.is_not_run:
        return _compare_not_run(before, after)
    old, new = read_findings(before.output, project), read_findings(after.output, project)
    was_readable = bool(old.findings)
    if not (was_readable and new.findings and old.is_whole and new.is_whole):
        if _is_same_output(before, after, project):
            return Compared(Likeness.OUTPUT, old=len(new.findings), was_readable=was_readable)
        return Compared(
            Likeness.UNREADABLE, because=_why_unreadable(old, new, after.command), was_readable=was_readable
        )
    if added := _added(old.findings, new.findings, moves or {}):
        shown = tuple(str(finding)[:LONGEST_SHOWN] for finding in added[:MOST_SHOWN])
        return Compared(Likeness.NEW, len(new.findings) - len(added), len(added), shown, was_readable=True)
    if because := _what_else(old, new, moves or {}) or _why_other_status(before, after, old, new):
        return Compared(Likeness.UNREADABLE, because=because, was_readable=True)
    return Compared(Likeness.FINDINGS, old=len(new.findings), was_readable=True)


def _compare_not_run(before: Red, after: Red) -> Compared:
    if before.is_not_run and after.is_not_run:
        return Compared(Likeness.NEVER_RAN)
    if after.is_not_run:
        return Compared(Likeness.UNREADABLE, because="it ran before the work, and now it does not", was_readable=True)
    return Compared(Likeness.UNREADABLE, because="before the work it was not run, so what was red then is not known")


def _added(old: Sequence[Finding], new: Sequence[Finding], moves: Mapping[str, str]) -> list[Finding]:
    """Each finding of before accounts for one of now."""
    known = Counter(replace(finding, file=moves.get(finding.file, finding.file)).key for finding in old)
    added = []
    for finding in new:
        if known[finding.key] > 0:
            known[finding.key] -= 1
        else:
            added.append(finding)
    return added


def _what_else(old: Reading, new: Reading, moves: Mapping[str, str]) -> str:
    """A second tool of the same command, a crash, or a form we do not read may be red beside known findings."""
    unknown = Counter(new.others) - Counter(moves.get(line, line) for line in old.others)
    if unknown:
        return f"it also prints what it did not before the work: {min(unknown)[:LONGEST_SHOWN]}"
    if new.total > old.total:
        return f"it counts {new.total} errors, warnings and problems, and counted {old.total} before the work"
    return ""


def _why_other_status(before: Red, after: Red, old: Reading, new: Reading) -> str:
    """Some tools, such as pylint, add up what they found in their status: it goes down when something is fixed."""
    if before.exit_code == after.exit_code:
        return ""
    if len(new.findings) < len(old.findings) and 0 < (after.exit_code or 0) < (before.exit_code or 0):
        return ""
    return f"its exit status is {after.exit_code}, and was {before.exit_code} before the work"


def _is_same_output(before: Red, after: Red, project: str) -> bool:
    """A command that prints nothing says nothing about what is red."""
    if _ELSEWHERE.search(after.command):
        return False
    texts = (inside(red.output, project) for red in (before, after))
    old, new = (Counter(filter(None, map(without_times, text.splitlines()))) for text in texts)
    return bool(new) and old == new and before.exit_code == after.exit_code


def _why_unreadable(old: Reading, new: Reading, command: str) -> str:
    if _ELSEWHERE.search(command) and not old.findings:
        return "its command writes what it finds to a file"
    if not new.is_whole or not old.is_whole:
        return "it leaves out some of its findings"
    if old.findings:
        return "its findings could be read before the work, and cannot any more"
    return "its output is in no form that Autopilot reads"
