"""Conflict markers resolved by keeping both sides: the one answer that needs no judgement and loses nobody's work."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

OURS, BASE, THEIRS, END = b"<<<<<<<", b"|||||||", b"=======", b">>>>>>>"

Git = Callable[..., str]


class Resolved(NamedTuple):
    kept_both: list[str]
    left: list[str]  # in conflict, and not by markers that are understood


def resolve(named: Iterable[str], git: Git) -> Resolved:
    """Resolve and commit what is in conflict among the named files; without names, wherever markers stand."""
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
    """The text with both sides of every conflict, ours first; equal sides once. None when the markers do not add up."""
    kept: list[bytes] = []
    ours: list[bytes] = []
    theirs: list[bytes] = []
    inside, conflicts = b"", 0
    for line in text.splitlines(keepends=True):
        mark = marker(line)
        if mark == OURS and not inside:
            inside, ours, theirs = OURS, [], []
        elif (mark, inside) in ((BASE, OURS), (THEIRS, OURS), (THEIRS, BASE)):
            inside = mark
        elif mark == END and inside == THEIRS:
            kept += ours if ours == theirs else ended(ours) + theirs
            inside, conflicts = b"", conflicts + 1
        elif mark in (OURS, END):
            return None
        elif inside != BASE:
            {b"": kept, OURS: ours, THEIRS: theirs}[inside].append(line)
    return b"".join(kept) if conflicts and not inside else None


def marker(line: bytes) -> bytes:
    word, label = line[:7], line[7:]
    # The middle marker carries no label; seven equals signs with words behind them are somebody's heading.
    is_marker = not label.strip() if word == THEIRS else not label[:1].strip()
    return word if is_marker and word in (OURS, BASE, THEIRS, END) else b""


def ended(lines: list[bytes]) -> list[bytes]:
    """The last line of a file may have no line end; followed by another it needs one."""
    return [*lines[:-1], lines[-1].rstrip(b"\n") + b"\n"] if lines else []
