"""Asks the process that parses; when it dies or hangs, its text could not be parsed, and another one is started."""

from __future__ import annotations

import hashlib
import os
import select
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress

import msgspec

from autopilot.adapters.computing_watch import Charges
from autopilot.adapters.own_module import run_own_module
from autopilot.adapters.parsing.program import COMPUTED_S, SIZE, Answer, Question
from autopilot.model.errors import Unavailable
from autopilot.text.grammar import Grammar
from autopilot.text.parser import Parser, parse_elsewhere
from autopilot.text.script_tree import ScriptTree
from autopilot.text.shell_tokens import ShellTree

PATIENCE_S = 120.0  # it ends itself by what it computes; only one that is stopped, or starved, is waited for so long
MOST_ANSWERED = 256 << 20  # bytes
MOST_KNOWN = 1_000
TRIES = 2  # another program may have ended it
_SHOWN = ("PYTHON", "LD_", "LANG", "LC_")  # where Python finds itself; nothing else of the environment is its business
_ANSWER = msgspec.msgpack.Decoder(Answer)


@contextmanager
def parse_in_another_process() -> Iterator[None]:
    """Meanwhile no native parser reads the texts of strangers in this one. The other starts with the first question."""
    parser = ParsingProcess()
    with parse_elsewhere(parser), closing(parser):
        yield


class ParsingProcess(Parser):
    def __init__(self, module: str = "autopilot.adapters.parsing.program", patience_s: float = PATIENCE_S) -> None:
        self._module = module
        self._patience_s = patience_s
        self._child: subprocess.Popen[bytes] | None = None
        self._guard = threading.Lock()
        self._charges = Charges()
        self._deadly: dict[bytes, None] = {}  # texts that it died of

    def parse_source(self, text: bytes, grammar: Grammar) -> ScriptTree | None:
        answer = self._ask(Question(text, grammar))
        return answer.source if answer else None

    def parse_shell(self, text: bytes) -> ShellTree | None:
        answer = self._ask(Question(text))
        return answer.shell if answer else None

    def close(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.kill()
            with child:
                pass

    def _ask(self, question: Question) -> Answer | None:
        frame = msgspec.msgpack.encode(question)
        name = hashlib.sha256(frame).digest()
        if name in self._deadly:
            return None
        deadline = time.monotonic() + self._patience_s
        with self._guard:
            answer = next((found for _ in range(TRIES) if (found := self._exchange(frame, deadline))), None)
            if answer is None and len(self._deadly) < MOST_KNOWN:
                self._deadly[name] = None
        self._charges.add(answer.computed_s if answer else COMPUTED_S)
        return answer

    def _exchange(self, frame: bytes, deadline: float) -> Answer | None:
        """None when no whole answer came. A question that is interrupted takes the process with it."""
        child = self._begin()
        answer = None
        try:
            with suppress(BrokenPipeError):
                _write_all(child, len(frame).to_bytes(SIZE, "big") + frame, deadline)
                answer = _read_answer(child, deadline)
        finally:
            if answer is None:
                self.close()
        return answer

    def _begin(self) -> subprocess.Popen[bytes]:
        if self._child is None or self._child.poll() is not None:
            self.close()
            try:
                self._child = subprocess.Popen(
                    run_own_module(self._module),
                    bufsize=0,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    cwd="/",
                    env={key: value for key, value in os.environ.items() if key.startswith(_SHOWN)},
                    start_new_session=True,  # Ctrl-C is for us: we end what we started
                )
            except OSError as error:
                hint = "free memory or processes, then repeat the command"
                raise Unavailable(f"the process that parses could not be started: {error.strerror}", hint) from error
        return self._child


def _write_all(child: subprocess.Popen[bytes], content: bytes, deadline: float) -> None:
    """Without waiting for one that does not read: its answer will be missing."""
    assert child.stdin is not None
    os.set_blocking(child.stdin.fileno(), False)
    rest = memoryview(content)
    while rest and select.select([], [child.stdin], [], max(0.0, deadline - time.monotonic()))[1]:
        rest = rest[os.write(child.stdin.fileno(), rest) :]


def _read_answer(child: subprocess.Popen[bytes], deadline: float) -> Answer | None:
    size = int.from_bytes(_read_exactly(child, SIZE, deadline), "big")
    content = _read_exactly(child, size, deadline) if size <= MOST_ANSWERED else b""
    try:
        return _ANSWER.decode(content)
    except msgspec.DecodeError:  # also of nothing
        return None


def _read_exactly(child: subprocess.Popen[bytes], size: int, deadline: float) -> bytes:
    """Nothing when it died or takes too long."""
    assert child.stdout is not None
    received = bytearray()
    while len(received) < size:
        ready, _, _ = select.select([child.stdout], [], [], max(0.0, deadline - time.monotonic()))
        chunk = os.read(child.stdout.fileno(), min(size - len(received), 1 << 20)) if ready else b""
        if not chunk:
            return b""
        received += chunk
    return bytes(received)
