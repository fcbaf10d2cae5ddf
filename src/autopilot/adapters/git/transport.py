"""Objects carried from one repository to another by a pipe between two git processes of ours.

Fetching would start a program in the other repository that reads the configuration there; packing reads objects only.
"""

from __future__ import annotations

import os
import select
import subprocess
import tempfile
import time
from collections.abc import Iterable, Mapping
from typing import IO

from msgspec import Struct

from autopilot.adapters.git.command import TIMEOUT_S, Git, failure, first_line

_LOOSE_UP_TO = 100  # objects; more are kept as the pack they came in


class Load(Struct, frozen=True):
    """What to carry: everything reachable from ``want`` and not from ``have``."""

    want: str
    have: tuple[str, ...] = ()
    alone: bool = False  # only the commit ``want`` itself, as a shallow clone of depth one has it

    def revisions(self) -> bytes:
        lines: Iterable[str] = (*(f"^{commit}" for commit in self.have), self.want)
        if self.alone:
            lines = (f"--shallow {self.want}", self.want)
        return "".join(f"{line}\n" for line in lines).encode()


def carry(
    load: Load,
    source: Git,
    target: Git,
    source_env: Mapping[str, str] | None = None,
    distrust: bool = False,
    limit: int = 0,
) -> None:
    """Carry a load or raise Unavailable. ``distrust``: every object is checked and every link must lead somewhere."""
    deadline = time.monotonic() + TIMEOUT_S
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as heard:
        packing = source.start(
            "pack-objects", "--revs", "--stdout", "-q", "--delta-base-offset",
            stdin=subprocess.PIPE, stderr=said, env=source_env,
        )  # fmt: skip
        receiving: subprocess.Popen[bytes] | None = None
        try:
            _tell(packing, load.revisions())
            count = _objects_announced(packing, deadline)
            if count:
                assert packing.stdout is not None
                receiving = target.start(*_receiver(count, distrust, limit), stdin=packing.stdout, stderr=heard)
                packing.stdout.close()  # ours; the receiver has its own
                _finish(receiving, "receiving objects", heard, deadline)
            _finish(packing, "pack-objects", said, deadline)
        finally:
            for child in (packing, receiving):
                if child is not None:
                    _end(child)


def _receiver(count: int, distrust: bool, limit: int) -> list[str]:
    arguments = ["unpack-objects", "-q"] if count <= _LOOSE_UP_TO else ["index-pack", "--stdin"]
    arguments.append(f"--pack_header=2,{count}")
    if distrust:
        arguments.append("--strict")
    if limit:
        arguments.append(f"--max-input-size={limit}")
    return arguments


def _tell(child: subprocess.Popen[bytes], text: bytes) -> None:
    assert child.stdin is not None
    try:
        child.stdin.write(text)
        child.stdin.close()
    except BrokenPipeError:
        pass  # it ended early; how it ended is asked later


def _objects_announced(packing: subprocess.Popen[bytes], deadline: float) -> int:
    """Read the head of the pack; 0 when the packer ended without one."""
    assert packing.stdout is not None
    descriptor, head = packing.stdout.fileno(), b""
    while len(head) < 12:
        ready, _, _ = select.select([descriptor], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            raise failure(["pack-objects"], "no answer in time")
        more = os.read(descriptor, 12 - len(head))
        if not more:
            return 0
        head += more
    return int.from_bytes(head[8:12], "big")


def _finish(child: subprocess.Popen[bytes], name: str, errors: IO[bytes], deadline: float) -> None:
    try:
        code = child.wait(max(0.1, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        raise failure([name], "no end in time") from None
    if code != 0:
        errors.seek(0)
        said = errors.read(100_000)
        raise failure([name], "No space left on device" if b"No space left" in said else first_line(said))


def _end(child: subprocess.Popen[bytes]) -> None:
    if child.poll() is None:
        child.kill()
    for stream in (child.stdin, child.stdout):
        if stream is not None and not stream.closed:
            stream.close()
    child.wait()
