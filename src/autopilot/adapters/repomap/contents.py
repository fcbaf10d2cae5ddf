"""The content of a file that is to be parsed: from the disk where it is the same there, else from git."""

from __future__ import annotations

import hashlib
from pathlib import Path

from msgspec import Struct

from autopilot.adapters.beneath import read_beneath
from autopilot.adapters.git.batch import BatchProcess
from autopilot.adapters.git.command import GitPlace, git_at
from autopilot.adapters.git.trees import header
from autopilot.repomap.unreadable import MOST_BYTES

_SHA256_DIGITS = 64


class Wanted(Struct, frozen=True, array_like=True):
    blob: str
    language: str
    path: str  # where it may be in the working tree; "" for nowhere


def blob_id(content: bytes, digits: int) -> str:
    """As git names it: by SHA-256 in repositories whose ids have 64 digits."""
    made = hashlib.new("sha256" if digits == _SHA256_DIGITS else "sha1", header("blob", content), usedforsecurity=False)
    made.update(content)
    return made.hexdigest()


class Contents:
    def __init__(self, place: GitPlace, root: str) -> None:
        self._root = Path(root) if root else None
        self._process = BatchProcess(git_at(place), "cat-file", "--batch-command")

    def read(self, wanted: Wanted) -> bytes | None:
        """None when it is too large, or nowhere."""
        if self._root and wanted.path:
            content = read_beneath(self._root, wanted.path, MOST_BYTES)
            # Another kind of line break in the working tree is another content: git has the one that is meant.
            if content is not None and blob_id(content, len(wanted.blob)) == wanted.blob:
                return content
        return self._from_git(wanted.blob)

    def close(self) -> None:
        self._process.close()

    def _from_git(self, blob: str) -> bytes | None:
        size = self._ask("info", blob)
        if size is None or size > MOST_BYTES:
            return None
        self._ask("contents", blob)
        return self._process.read(size + 1)[:-1]

    def _ask(self, question: str, blob: str) -> int | None:
        self._process.send(f"{question} {blob}\n".encode())
        head = self._process.read_line().split(b" ")
        return int(head[2]) if len(head) == 3 and head[1] == b"blob" else None
