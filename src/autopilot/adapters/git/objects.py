"""The objects of the vault, read and written: one ``git cat-file`` kept open for reading, one process per writing."""

from __future__ import annotations

import hashlib
import os
import subprocess
import threading
import time
import weakref
import zlib
from collections.abc import Iterable
from contextlib import suppress

from msgspec import Struct

from autopilot.adapters.git.command import TIMEOUT_S, Git, failure
from autopilot.adapters.git.pipes import is_ready
from autopilot.adapters.git.trees import Object, Tree, object_id, parse_tree

_KINDS = {"commit": 1, "tree": 2, "blob": 3}


class Found(Struct, frozen=True):
    id: str
    kind: str
    content: bytes


class Objects:
    """Reading costs a tenth of a millisecond where a process costs several. Safe to use from several threads."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._rest = b""

    def read(self, name: str) -> Found | None:
        """Whatever git calls by this name (an id, a ref, ``<commit>^{tree}``), or None."""
        if "\n" in name or "\0" in name or not name:
            return None
        with self._lock:
            try:
                return self._ask(name)
            except BrokenPipeError:
                self._close()
                return self._ask(name)

    def tree(self, name: str) -> Tree:
        found = self.read(name)
        if found is None or found.kind != "tree":
            raise failure(["cat-file"], f"there is no tree {name}")
        return parse_tree(found.content)

    def store(self, objects: Iterable[Object]) -> None:
        """Write what is not there yet. Git itself checks each object and that its links lead somewhere."""
        new = {object_id(*one): one for one in objects}
        missing = [one for name, one in new.items() if self.read(name) is None]
        if missing:
            self._git.run("unpack-objects", "-q", "--strict", stdin=render_pack(missing))

    def close(self) -> None:
        with self._lock:
            self._close()

    def _ask(self, name: str) -> Found | None:
        child = self._running()
        deadline = time.monotonic() + TIMEOUT_S
        assert child.stdin is not None
        child.stdin.write(f"{name}\n".encode())
        child.stdin.flush()
        head = self._until_newline(deadline).decode("utf-8", "replace").rsplit(" ", 2)
        if len(head) != 3 or not head[2].isdigit():
            return None  # "<name> missing", "<name> ambiguous"
        content = self._take(int(head[2]) + 1, deadline)[:-1]
        return Found(head[0], head[1], content)

    def _running(self) -> subprocess.Popen[bytes]:
        if self._child is None or self._child.poll() is not None:
            self._close()
            self._child = self._git.start("cat-file", "--batch", stdin=subprocess.PIPE)
            weakref.finalize(self, _end, self._child)
        return self._child

    def _until_newline(self, deadline: float) -> bytes:
        while b"\n" not in self._rest:
            self._rest += self._more(deadline)
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def _take(self, size: int, deadline: float) -> bytes:
        parts, have = [self._rest], len(self._rest)
        while have < size:
            parts.append(self._more(deadline))
            have += len(parts[-1])
        whole = b"".join(parts)
        self._rest = whole[size:]
        return whole[:size]

    def _more(self, deadline: float) -> bytes:
        assert self._child is not None and self._child.stdout is not None
        descriptor = self._child.stdout.fileno()
        if not is_ready(descriptor, deadline):
            self._close()
            raise failure(["cat-file"], "no answer in time")
        part = os.read(descriptor, 1 << 20)
        if not part:
            raise BrokenPipeError
        return part

    def _close(self) -> None:
        if self._child is not None:
            _end(self._child)
        self._child, self._rest = None, b""


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


def _end(child: subprocess.Popen[bytes]) -> None:
    """Its input ends, so it ends."""
    for stream in (child.stdin, child.stdout):
        if stream is not None and not stream.closed:
            with suppress(BrokenPipeError):  # it may be gone already
                stream.close()
    child.kill()
    child.wait()
