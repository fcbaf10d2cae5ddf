"""Listening to an agent while it runs: what it has said so far, the caps that end it, and how it ended."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec import Struct

from autopilot.model.agent import AgentReply, Caps, Ending, Usage
from autopilot.model.errors import Unavailable
from autopilot.ports.blobs import Blobs
from autopilot.ports.sandbox import Exited, Killed, NeverRan, Outcome, Running, Stalled, TimedOut

KEPT_BYTES = 1_000_000  # of a transcript, at its beginning and again at its end


class Said(Struct, frozen=True):
    """What an agent has told us up to now. ``ending`` is None until it says how it ended."""

    ending: Ending | None = None
    text: str = ""
    value: Any = None
    usage: Usage = Usage()
    session: str = ""
    detail: str = ""


Reader = Callable[[Iterable[bytes]], Iterator[Said]]


def hear_out(running: Running, read: Reader, caps: Caps, blobs: Blobs) -> AgentReply:
    """Listen to the end, stopping the agent when what it reports is over a cap.

    Wall time and silence are the sandbox's to watch. Unavailable when the agent never ran.
    """
    transcript = Transcript()
    said = Said()
    overrun = ""
    try:
        for said in read(transcript.recorded(running.lines())):
            if not overrun and (overrun := find_overrun(said.usage, caps)):
                running.stop()
    except BaseException:
        # A signal or a bug of ours ended the listening: no agent goes on without a listener.
        running.stop()
        running.wait()
        raise
    outcome = running.wait()
    if isinstance(outcome.ended, NeverRan):
        raise Unavailable(f"the agent could not be started: {outcome.ended.reason}", "run: autopilot doctor")
    ending, detail = (Ending.BUDGET, overrun) if overrun else tell_ending(outcome, said)
    return AgentReply(
        ending=ending,
        text=said.text,
        value=said.value,
        usage=said.usage,
        session=said.session,
        transcript=blobs.put(transcript.content() + b"--- both streams, as they came ---\n" + outcome.output),
        duration_ms=outcome.duration_ms,
        detail=detail,
    )


def find_overrun(usage: Usage, caps: Caps) -> str:
    if usage.tokens > caps.tokens:
        return f"{usage.tokens} tokens, over the cap of {caps.tokens}"
    if usage.usd > caps.usd:
        return f"{usage.usd:g} USD, over the cap of {caps.usd:g}"
    return ""


def tell_ending(outcome: Outcome, said: Said) -> tuple[Ending, str]:
    """How a call ended, and why in words. A result counts only when the program also ended well."""
    match outcome.ended:
        case TimedOut(after_s):
            return Ending.TIMED_OUT, f"still running after {after_s:g} s"
        case Stalled(after_s):
            return Ending.STALLED, f"silent for {after_s:g} s"
        case Killed(reason):
            return Ending.CANCELLED, reason
        case Exited(0) if said.ending is not None:
            return said.ending, said.detail
        case Exited(0):
            return Ending.CRASHED, "it ended without a result"
        case Exited(code):
            return Ending.CRASHED, said.detail or f"it ended with exit code {code}"
        case NeverRan(reason):
            raise AssertionError(f"not an ending: {reason}")


class Transcript:
    """Everything an agent printed, up to a bound: the beginning and the end are kept, what lies between is counted."""

    def __init__(self, kept_bytes: int = KEPT_BYTES) -> None:
        self._room = kept_bytes
        self._head: list[bytes] = []
        self._tail: deque[bytes] = deque()
        self._head_size = self._tail_size = self._dropped = 0

    def recorded(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        for line in lines:
            self._keep(line.rstrip(b"\n") + b"\n")
            yield line

    def content(self) -> bytes:
        gap = f"… {self._dropped} bytes left out …\n".encode() if self._dropped else b""
        return b"".join((*self._head, gap, *self._tail))

    def _keep(self, line: bytes) -> None:
        if not (self._tail or self._dropped) and self._head_size + len(line) <= self._room:
            self._head.append(line)
            self._head_size += len(line)
            return
        self._tail.append(line)
        self._tail_size += len(line)
        while self._tail_size > self._room and self._tail:
            gone = len(self._tail.popleft())
            self._tail_size -= gone
            self._dropped += gone
