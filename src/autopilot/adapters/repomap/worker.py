"""A process that parses: it gets where the contents are, then which to parse, and answers with their facts.

The parser is native code on texts of strangers. In a process of its own it can neither crash nor hold up who asks.
"""

from __future__ import annotations

import gc
import resource
import signal
import sys
import time
from typing import IO

import msgspec

from autopilot.adapters.git.command import GitPlace
from autopilot.adapters.repomap.contents import Contents, Wanted
from autopilot.model.repomap.facts import FileFacts, Problem
from autopilot.repomap.extracting import extract
from autopilot.repomap.parsing import IsSpent

Parsed = tuple[str, str, int, bytes]  # blob, language, 1 for a problem and 2 for one that may pass, the facts
_COMPUTED_S = 0.7
_MOST_COMPUTED_S = 4.0  # for one text with all that is made of it; nobody handles the signal, so it ends the process
_MOST_SLICES = 100
_MOST_BYTES = 1 << 30  # of memory, for a text that makes the parser ask for more and more
_ENCODER = msgspec.msgpack.Encoder()


class Start(msgspec.Struct, frozen=True):
    place: GitPlace
    root: str


def parse_all(contents: Contents, wanted: list[Wanted]) -> list[Parsed]:
    return [_parse_in_time(contents.read(item), item) for item in wanted]


def _parse_in_time(content: bytes | None, item: Wanted) -> Parsed:
    signal.setitimer(signal.ITIMER_PROF, _MOST_COMPUTED_S)
    parsed = _parse(content, item)
    signal.setitimer(signal.ITIMER_PROF, 0)
    return parsed


def give_up(item: Wanted, problem: Problem) -> Parsed:
    return _row(item, FileFacts(item.language, problems=(problem,)))


def _parse(content: bytes | None, item: Wanted) -> Parsed:
    if content is None:
        return give_up(item, Problem.TOO_LARGE)
    return _row(item, extract(content, item.language, _limit()))


def _limit() -> IsSpent:
    """By what this process computes: on a busy machine every text takes long, and none is at fault."""
    start = time.process_time()
    return lambda slices: time.process_time() - start > _COMPUTED_S or slices >= _MOST_SLICES


def _row(item: Wanted, facts: FileFacts) -> Parsed:
    partial = 2 if Problem.TIMED_OUT in facts.problems else int(bool(facts.problems))
    return item.blob, item.language, partial, _ENCODER.encode(facts)


def read_frame(stream: IO[bytes]) -> bytes:
    """Nothing at the end of the stream."""
    size = stream.read(4)
    return stream.read(int.from_bytes(size, "big")) if len(size) == 4 else b""


def write_frame(stream: IO[bytes], content: bytes) -> None:
    stream.write(len(content).to_bytes(4, "big") + content)
    stream.flush()


def main() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # what crashes it is known
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_BYTES, _MOST_BYTES))
    gc.disable()  # it lives for seconds, and nothing that it makes is a cycle
    start = msgspec.msgpack.decode(read_frame(sys.stdin.buffer), type=Start)
    contents = Contents(start.place, start.root)
    asked = msgspec.msgpack.Decoder(list[Wanted])
    while frame := read_frame(sys.stdin.buffer):
        write_frame(sys.stdout.buffer, _ENCODER.encode(parse_all(contents, asked.decode(frame))))
    contents.close()


if __name__ == "__main__":
    main()
