"""The process that parses, taken over by the text it reads: what it can do to its machine, and to who asks it.

python -m tests.contract.parsing.spoiled            serves, with all limits of the real one
python -m tests.contract.parsing.spoiled ATTACK     does the same to the same decoys without any
"""

from __future__ import annotations

import ctypes
import os
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from autopilot.adapters.parsing.program import Answer, Question, answer, serve

COMPUTED_S = 0.3
ATTACK = b"attack"


def crash(_: bytes) -> None:
    ctypes.string_at(0)


def compute(_: bytes) -> None:
    while True:
        pass


def wait(_: bytes) -> None:
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()


def grow(_: bytes) -> None:
    kept = [bytearray(1 << 26)]
    while True:
        kept.append(bytearray(1 << 26))


def forge(_: bytes) -> None:
    os.write(1, b"\x00\x00\x00\x05nobody's answer")


def flood(_: bytes) -> None:
    os.write(1, b"\xff\xff\xff\xff")
    while True:
        os.write(1, bytes(1 << 16))


def attack(text: bytes) -> None:
    """On decoys alone: a file, a process, a listener, a secret."""
    folder, pid, port = text.decode().split()[1:4]
    deeds: tuple[Callable[[], object], ...] = (
        lambda: Path(folder, "written").touch(),
        lambda: os.kill(int(pid), 9),
        lambda: socket.create_connection(("127.0.0.1", int(port))).sendall(b"reached"),
        lambda: os.posix_spawn("/usr/bin/touch", ["touch", f"{folder}/started"], {}),
        lambda: Path(folder, "secret").unlink(),
    )
    for deed in deeds:
        with suppress(OSError):
            deed()


DEEDS = {deed.__name__.encode(): deed for deed in (crash, compute, wait, grow, forge, flood, attack)}


def spoiled(question: Question) -> Answer:
    deed = DEEDS.get(question.text.partition(b" ")[0])
    if deed:
        deed(question.text)
    return answer(question)


if __name__ == "__main__":
    if sys.argv[1:]:
        attack(" ".join(sys.argv[1:]).encode())
    else:
        serve(spoiled, COMPUTED_S)
