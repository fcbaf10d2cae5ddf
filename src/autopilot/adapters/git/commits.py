"""A commit as git stores it. The same words give the same bytes, and so the same id."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from autopilot.ports.git import Author

_COMMITTER = Author("Autopilot", "autopilot@localhost")


def render_commit(tree: str, parents: Sequence[str], message: str, time: datetime, author: Author) -> bytes:
    seconds = int((time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp())
    lines = [f"tree {tree}", *(f"parent {parent}" for parent in parents)]
    lines += [f"author {_named(author)} {seconds} +0000", f"committer {_named(_COMMITTER)} {seconds} +0000"]
    text = message.replace("\0", "").rstrip("\n")
    return ("\n".join(lines) + f"\n\n{text}\n").encode("utf-8", "replace")


def parse_parents(commit: bytes) -> tuple[str, ...]:
    lines = commit.partition(b"\n\n")[0].split(b"\n")
    return tuple(line[7:].decode("ascii", "replace") for line in lines if line.startswith(b"parent "))


def _named(author: Author) -> str:
    """A name and address as git stores them: no brackets, no line ends, never without a name."""
    return f"{_bare(author.name) or 'unknown'} <{_bare(author.email)}>"


def _bare(word: str) -> str:
    return "".join(letter for letter in word if letter not in "<>" and letter >= " ").strip(" .,:;\"'")
