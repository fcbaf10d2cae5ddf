"""The objects of the vault, read by one ``git cat-file`` that is kept open, and written."""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Iterable
from typing import TypeVar

from msgspec import Struct

from autopilot.adapters.files import create_atomically, sync_folder, translated
from autopilot.adapters.git.batch import BatchProcess
from autopilot.adapters.git.command import Git, failure
from autopilot.adapters.git.commits import parse_parents
from autopilot.adapters.git.trees import Object, Tree, header, object_id, parse_tree

_KEPT_TREES = 256
_KEPT_ROOTS = 1_024
_KEPT_BYTES = 16_384
_KINDS = {"commit": 1, "tree": 2, "blob": 3}
_ID = re.compile(r"[0-9a-f]{40}")


Kept = TypeVar("Kept", bytes, str)


class Found(Struct, frozen=True):
    id: str
    kind: str
    content: bytes


class Objects:
    """Safe to use from several threads."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._process = BatchProcess(git, "cat-file", "--batch")
        # By id, so that none ever changes: a run asks for the same few all the time.
        self._trees: dict[str, bytes] = {}
        self._roots: dict[str, str] = {}

    def read(self, name: str) -> Found | None:
        """Whatever git calls by this name (an id, a ref, ``<commit>^{tree}``), or None."""
        if "\n" in name or "\0" in name or not name:
            return None
        with self._process.turn:
            try:
                return self._ask(name)
            except BrokenPipeError:
                self._process.close()
            try:
                return self._ask(name)
            except BrokenPipeError:
                self._process.close()
                raise failure(["cat-file"], f"it cannot use {self._git.git_dir}") from None

    def tree(self, name: str) -> Tree:
        if (content := self._trees.get(name)) is None:
            found = self.read(name)
            if found is None or found.kind != "tree":
                raise failure(["cat-file"], f"there is no tree {name}")
            content = found.content
            if name == found.id and len(content) <= _KEPT_BYTES:
                self._keep(self._trees, name, content, _KEPT_TREES)
        return parse_tree(content)

    def root_id(self, name: str) -> str | None:
        """The tree of a commit, a tree's own id; None where there is neither. Two thirds of all questions are this."""
        known = self._roots.get(name)
        if known is None and (found := self.read(f"{name}^{{tree}}")):
            known = found.id
            if _ID.fullmatch(name):  # a ref may lead elsewhere tomorrow
                self._keep(self._roots, name, known, _KEPT_ROOTS)
        return known

    def root(self, name: str) -> Tree:
        return self.tree(self.root_id(name) or name)

    def _keep(self, kept: dict[str, Kept], name: str, found: Kept, most: int) -> None:
        with self._process.turn:
            if len(kept) >= most:
                del kept[next(iter(kept))]
            kept[name] = found

    def parents(self, commit: str) -> tuple[str, ...]:
        """Of a commit that is there; none for anything else."""
        found = self.read(commit)
        return parse_parents(found.content) if found and found.kind == "commit" else ()

    def store(self, objects: Iterable[Object]) -> None:
        """Write what is not there yet. Git itself checks each object and that its links lead somewhere."""
        missing = self._missing(objects)
        if missing:
            self._git.run("unpack-objects", "-q", "--strict", stdin=render_pack(list(missing.values())))

    def store_plain(self, kind: str, content: bytes) -> str:
        """Write one object whose links are known to lead somewhere, without a process: durable when this returns."""
        for name, item in self._missing([(kind, content)]).items():
            folder = self._git.git_dir / "objects" / name[:2]
            if not folder.exists():
                with translated(folder):
                    folder.mkdir(exist_ok=True)
                    sync_folder(folder.parent)
            create_atomically(folder / name[2:], zlib.compress(header(*item) + content, 1), 0o444)
        return object_id(kind, content)

    def close(self) -> None:
        with self._process.turn:
            self._process.close()

    def _missing(self, objects: Iterable[Object]) -> dict[str, Object]:
        return {name: item for name, item in ((object_id(*item), item) for item in objects) if self.read(name) is None}

    def _ask(self, name: str) -> Found | None:
        self._process.send(f"{name}\n".encode())
        head = self._process.read_line().decode("utf-8", "replace").rsplit(" ", 2)
        if len(head) != 3 or not head[2].isdigit():
            return None  # "<name> missing", "<name> ambiguous"
        return Found(head[0], head[1], self._process.read(int(head[2]) + 1)[:-1])


def render_pack(objects: list[Object]) -> bytes:
    """A pack as git reads it from a pipe: the one format that carries many objects to one process."""
    parts = [b"PACK", (2).to_bytes(4, "big"), len(objects).to_bytes(4, "big")]
    for kind, content in objects:
        size = len(content)
        head = bytearray([_KINDS[kind] << 4 | size & 0x0F])
        size >>= 4
        while size:
            head[-1] |= 0x80
            head.append(size & 0x7F)
            size >>= 7
        parts += [bytes(head), zlib.compress(content, 1)]
    body = b"".join(parts)
    return body + hashlib.sha1(body, usedforsecurity=False).digest()
