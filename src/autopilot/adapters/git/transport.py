"""Objects carried from one repository to another by a pipe between two git processes of ours.

Fetching would start a program in the other repository that reads the configuration there; packing reads objects only.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO

from msgspec import Struct

from autopilot.adapters.files import translated
from autopilot.adapters.git.command import LOOK_S, THROW_AWAY, TIMEOUT_S, Git, failure, first_line, never_stop, quoted
from autopilot.adapters.git.pipes import is_ready
from autopilot.model.errors import Interrupted, Unavailable

_LOOSE_UP_TO = 100  # objects; more are kept as the pack they came in


class Load(Struct, frozen=True):
    """What to carry: everything reachable from ``want`` and not from ``have``."""

    want: str
    have: tuple[str, ...] = ()
    alone: bool = False  # only the commit ``want`` itself, as a shallow clone of depth one has it
    besides: str = ""  # a tree whose objects are there already

    def revisions(self) -> bytes:
        lines: Iterable[str] = (*(f"^{commit}" for commit in self.have), self.want)
        if self.alone:
            lines = (f"--shallow {self.want}", self.want, *([f"^{self.besides}"] if self.besides else ()))
        return "".join(f"{line}\n" for line in lines).encode()


def carry(load: Load, source: Git, target: Git, should_stop: Callable[[], str] = never_stop) -> None:
    """Carry a load or raise Unavailable; Interrupted where it is no longer wanted."""
    _pipe(load, source, target, _receiver, should_stop)


def write_pack(load: Load, source: Git, objects: Path) -> None:
    """Put a load into the object folder of a place that gets nothing more: one pack, however small."""
    env = {
        "GIT_OBJECT_DIRECTORY": str(objects),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": quoted(source.git_dir / "objects"),
    }
    # Deltas that are there are used again; to search for better ones takes longer than the place lasts.
    arguments = ("pack-objects", "--revs", "-q", "--delta-base-offset", "--window=0", str(objects / "pack" / "pack"))
    source.with_env(env, THROW_AWAY).run(*arguments, stdin=load.revisions())


def carry_checked(load: Load, borrow: Path, vault: Git, limit: int) -> bool:
    """Carry a load from a folder of untrusted objects; False, with nothing left behind, where git refuses them.

    Every object is checked in a place apart, and that all it links to is there; only then does it come in. Git says
    alike that objects are broken and that the disk failed: only who is refused twice brought broken ones.
    """
    return any(_carry_checked(load, borrow, vault, limit) for _ in range(2))


def _carry_checked(load: Load, borrow: Path, vault: Git, limit: int) -> bool:
    objects = vault.git_dir / "objects"
    with (
        translated(vault.git_dir),
        tempfile.TemporaryDirectory(dir=vault.git_dir, prefix="quarantine-") as folder,
    ):
        env = {"GIT_OBJECT_DIRECTORY": folder, "GIT_ALTERNATE_OBJECT_DIRECTORIES": quoted(objects)}
        borrowed = {"GIT_ALTERNATE_OBJECT_DIRECTORIES": quoted(borrow)}
        arguments = ("index-pack", "--stdin", "--strict", f"--max-input-size={limit}")
        quarantine = vault.with_env(env, THROW_AWAY)
        try:
            _pipe(load, vault.with_env(borrowed), quarantine, lambda count: [*arguments, _header(count)])
        except Unavailable:
            return False
        for pack in Path(folder).glob("pack/*.pack"):
            with pack.open("rb", buffering=0) as file:
                count = int.from_bytes(file.read(12)[8:], "big")
                vault.run(*_receiver(count), stdin=file)
    return True


def _pipe(
    load: Load,
    source: Git,
    target: Git,
    receiver: Callable[[int], list[str]],
    should_stop: Callable[[], str] = never_stop,
) -> None:
    deadline = time.monotonic() + TIMEOUT_S
    with tempfile.TemporaryFile() as sender_errors, tempfile.TemporaryFile() as receiver_errors:
        packing = source.start(
            "pack-objects",
            "--revs",
            "--stdout",
            "-q",
            "--delta-base-offset",
            stdin=subprocess.PIPE,
            stderr=sender_errors,
        )
        receiving: subprocess.Popen[bytes] | None = None
        try:
            _tell(packing, load.revisions())
            count = _objects_announced(packing, deadline)
            if count:
                assert packing.stdout is not None
                receiving = target.start(*receiver(count), stdin=packing.stdout, stderr=receiver_errors)
                packing.stdout.close()  # ours; the receiver has its own
                _finish(receiving, "receiving objects", receiver_errors, deadline, should_stop)
            _finish(packing, "pack-objects", sender_errors, deadline, should_stop)
        finally:
            for child in (packing, receiving):
                if child is not None:
                    _end(child)


def _receiver(count: int) -> list[str]:
    return [*(("unpack-objects", "-q") if count <= _LOOSE_UP_TO else ("index-pack", "--stdin")), _header(count)]


def _header(count: int) -> str:
    """We have read the head of the pack ourselves."""
    return f"--pack_header=2,{count}"


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
        if not is_ready(descriptor, deadline):
            raise failure(["pack-objects"], "no answer in time")
        more = os.read(descriptor, 12 - len(head))
        if not more:
            return 0
        head += more
    return int.from_bytes(head[8:12], "big")


def _finish(
    child: subprocess.Popen[bytes], name: str, errors: IO[bytes], deadline: float, should_stop: Callable[[], str]
) -> None:
    code = None
    while code is None:
        try:
            code = child.wait(LOOK_S)
        except subprocess.TimeoutExpired:
            if reason := should_stop():
                raise Interrupted(f"stopped while {name}", reason) from None
            if time.monotonic() > deadline:
                raise failure([name], "no end in time") from None
    if code != 0:
        errors.seek(0)
        text = errors.read(100_000)
        raise failure([name], "No space left on device" if b"No space left" in text else first_line(text))


def _end(child: subprocess.Popen[bytes]) -> None:
    if child.poll() is None:
        child.kill()
    for stream in (child.stdin, child.stdout):
        if stream is not None and not stream.closed:
            stream.close()
    child.wait()
