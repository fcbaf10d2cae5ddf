"""Resolves conflict markers by keeping both sides, which needs no judgement and loses no work."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from autopilot.simulation.honest.plain import Record

OURS, BASE, THEIRS, END = b"<<<<<<<", b"|||||||", b"=======", b">>>>>>>"

Git = Callable[..., str]


class Resolved(Record):
    kept_both: list[str]
    left: list[str]  # in conflict, without readable markers


def resolve(named: Iterable[str], git: Git) -> Resolved:
    """Resolve and commit conflicts in the named files; without names, in all files with markers."""
    unmerged = git("diff", "--name-only", "-z", "--diff-filter=U").split("\0")
    named = set(named)
    marked = git("grep", "-l", "-z", "-I", "-e", "^<<<<<<< ", "--", ".", ":(exclude).planning").split("\0")
    wanted = {path for path in unmerged if path} | {path for path in marked if path and (not named or path in named)}
    done = Resolved([], [])
    for path in sorted(wanted):
        file = Path(path)
        text = keep_both(file.read_bytes()) if file.is_file() and not file.is_symlink() else None
        if text is None:
            done.left.append(path)
            continue
        file.write_bytes(text)
        done.kept_both.append(path)
    if done.kept_both:
        git("add", "--", *done.kept_both)
        git("commit", "--quiet", "-m", "Keep both sides of the conflict")
    return done


def keep_both(text: bytes) -> bytes | None:
    """The text with both sides of every conflict, ours first; equal sides once. None if the markers are incomplete."""
    kept: list[bytes] = []
    ours: list[bytes] = []
    theirs: list[bytes] = []
    section, conflicts = b"", 0
    for line in text.splitlines(keepends=True):
        kind = marker(line)
        if kind == OURS and not section:
            section, ours, theirs = OURS, [], []
        elif (kind, section) in ((BASE, OURS), (THEIRS, OURS), (THEIRS, BASE)):
            section = kind
        elif kind == END and section == THEIRS:
            kept += ours if ours == theirs else with_line_end(ours) + theirs
            section, conflicts = b"", conflicts + 1
        elif kind in (OURS, END):
            return None
        elif section != BASE:
            {b"": kept, OURS: ours, THEIRS: theirs}[section].append(line)
    return b"".join(kept) if conflicts and not section else None


def marker(line: bytes) -> bytes:
    symbol, label = line[:7], line[7:]
    # The middle marker has no label; seven equals signs followed by text are a heading.
    is_marker = not label.strip() if symbol == THEIRS else not label[:1].strip()
    return symbol if is_marker and symbol in (OURS, BASE, THEIRS, END) else b""


def with_line_end(lines: list[bytes]) -> list[bytes]:
    """The last line of a file may lack a line end; before another line it needs one."""
    return [*lines[:-1], lines[-1].rstrip(b"\n") + b"\n"] if lines else []
