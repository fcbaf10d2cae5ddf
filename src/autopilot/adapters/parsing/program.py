"""The process that parses: a question in, an answer out, until its input ends. It can do nothing else.

What it reads may take over the native parser. So it limits itself before the first question: its memory, what it
computes for one text, and its system calls. It opens no file and starts nothing, not even for itself.
"""

from __future__ import annotations

import gc
import resource
import signal
import sys
import time
from collections.abc import Callable
from typing import IO

import msgspec

from autopilot.adapters.parsing.refusing import refuse_system_calls
from autopilot.text.grammar import Grammar, parse_tree
from autopilot.text.script_tree import ScriptTree, parse_source
from autopilot.text.shell_tokens import ShellTree, parse_shell

COMPUTED_S = 4.0  # for one text; the parser itself gives up after 1.5
MEMORY = 1 << 30
SIZE = 4  # bytes of a frame's length


class Question(msgspec.Struct, frozen=True, array_like=True):
    text: bytes
    grammar: Grammar | None = None  # None: the pieces of a shell text


class Answer(msgspec.Struct, frozen=True, array_like=True):
    computed_s: float
    source: ScriptTree | None = None
    shell: ShellTree | None = None


def answer(question: Question) -> Answer:
    began_s = time.process_time()
    source, shell = None, None
    if question.grammar is None:
        shell = parse_shell(question.text)
    else:
        source = parse_source(question.text, question.grammar)
    return Answer(time.process_time() - began_s, source, shell)


def read_frame(stream: IO[bytes]) -> bytes:
    """Nothing at the end of the stream."""
    size = stream.read(SIZE)
    return stream.read(int.from_bytes(size, "big")) if len(size) == SIZE else b""


def serve(answer: Callable[[Question], Answer], computed_s: float = COMPUTED_S) -> None:
    asked, encoder = msgspec.msgpack.Decoder(Question), msgspec.msgpack.Encoder()
    _limit_itself()
    while frame := read_frame(sys.stdin.buffer):
        signal.setitimer(signal.ITIMER_PROF, computed_s)  # nobody handles its signal: it ends the process
        content = encoder.encode(answer(asked.decode(frame)))
        signal.setitimer(signal.ITIMER_PROF, 0)
        sys.stdout.buffer.write(len(content).to_bytes(SIZE, "big") + content)
        sys.stdout.buffer.flush()


def _limit_itself() -> None:
    gc.disable()  # nothing that it makes is a cycle
    for grammar in Grammar:
        parse_tree(b"", grammar)  # loaded while files can be opened
    parse_shell(b"true")
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    refuse_system_calls()


if __name__ == "__main__":
    serve(answer)
