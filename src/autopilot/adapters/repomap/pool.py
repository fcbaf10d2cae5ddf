"""Several processes that parse, each a part at a time; one that dies or hangs costs the one text that made it so."""

from __future__ import annotations

import os
import select
import subprocess
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress

import msgspec

from autopilot.adapters.own_module import run_own_module
from autopilot.adapters.repomap.contents import Wanted
from autopilot.adapters.repomap.worker import Parsed, Start, give_up, write_frame
from autopilot.model.repomap.facts import Problem

_MOST_IN_PART = 32
_TEXT_S = 2.0  # for one text, its process and a busy machine included; the parser itself has less than a second
_START_S = 20.0
_REPLY = msgspec.msgpack.Decoder(list[Parsed])


def parse_in_processes(start: Start, wanted: list[Wanted], processes: int) -> Iterator[list[Parsed]]:
    """In no order, as they come."""
    size = max(1, min(_MOST_IN_PART, len(wanted) // (4 * processes)))
    parts = deque(wanted[i : i + size] for i in range(0, len(wanted), size))
    workers: list[_Worker] = []
    try:
        workers += (_Worker(start) for _ in range(min(processes, len(parts))))
        for worker in workers:
            worker.send(parts.popleft())
        while busy := [worker for worker in workers if worker.part]:
            for worker in _ready(busy):
                yield from worker.take(parts)
    finally:
        for worker in workers:
            worker.close()


def _ready(busy: list[_Worker]) -> list[_Worker]:
    patience = max(0.0, min(worker.deadline for worker in busy) - time.monotonic())
    found, _, _ = select.select(busy, [], [], patience)
    return found or [min(busy, key=lambda worker: worker.deadline)]


class _Worker:
    def __init__(self, start: Start) -> None:
        self._start = start
        self.part: list[Wanted] = []
        self.deadline = 0.0
        self._child = self._begin()

    def fileno(self) -> int:
        assert self._child.stdout is not None
        return self._child.stdout.fileno()

    def send(self, part: list[Wanted]) -> None:
        self.part, self.deadline = part, time.monotonic() + _START_S + _TEXT_S * len(part)
        assert self._child.stdin is not None
        with suppress(BrokenPipeError):  # the answer will be missing
            write_frame(self._child.stdin, msgspec.msgpack.encode(part))

    def take(self, parts: deque[list[Wanted]]) -> Iterator[list[Parsed]]:
        """The answer to its part, and the next part for it; of a part without an answer each text by itself."""
        part, self.part = self.part, []
        reply = self._read()
        if reply is None:
            self.close()
            self._child = self._begin()
            if len(part) == 1:
                yield [give_up(part[0], Problem.CRASHED)]
            else:
                parts.extend([item] for item in part)
        else:
            yield reply
        if parts:
            self.send(parts.popleft())

    def close(self) -> None:
        self._child.kill()
        with self._child:
            pass

    def _begin(self) -> subprocess.Popen[bytes]:
        child = subprocess.Popen(
            run_own_module("autopilot.adapters.repomap.worker"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for us: we end what we started
        )
        assert child.stdin is not None
        with suppress(BrokenPipeError):
            write_frame(child.stdin, msgspec.msgpack.encode(self._start))
        return child

    def _read(self) -> list[Parsed] | None:
        """None when it died or takes too long."""
        content = self._read_exactly(4)
        frame = self._read_exactly(int.from_bytes(content, "big")) if content else b""
        try:
            return _REPLY.decode(frame) if frame else None
        except msgspec.DecodeError:
            return None

    def _read_exactly(self, size: int) -> bytes:
        parts: list[bytes] = []
        while size > 0:
            ready, _, _ = select.select([self], [], [], max(0.0, self.deadline - time.monotonic()))
            chunk = os.read(self.fileno(), size) if ready else b""
            if not chunk:
                return b""
            parts.append(chunk)
            size -= len(chunk)
        return b"".join(parts)
