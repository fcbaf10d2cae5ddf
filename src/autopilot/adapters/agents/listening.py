"""Reading an agent's output while it runs: its partial reply, the caps that end it, and how it ended."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct

from autopilot.model.agent import AgentReply, Caps, Ending, Usage
from autopilot.model.errors import Unavailable
from autopilot.model.secrecy.cutting import cut_end
from autopilot.ports.sandbox import DaemonLost, Exited, Killed, NeverRan, Outcome, OverLimit, Running, Stalled, TimedOut
from autopilot.ports.transcripts import OpenTranscript

LAST_WORDS = 300  # characters


class PartialReply(Struct, frozen=True):
    """What an agent has reported up to now. ``ending`` is None until it says how it ended."""

    ending: Ending | None = None
    text: str = ""
    value: Any = None
    usage: Usage = Usage()
    session: str = ""
    session_total: Usage = Usage()
    model: str = ""  # which one it asks, if it says so
    detail: str = ""
    activity: str = ""  # what it is at, in a few words
    resets_at: datetime | None = None
    retry_after_s: float | None = None
    exit_endings: Mapping[int, Ending] = {}  # what its exit codes mean, where they mean something
    over: bool = False  # nothing more is to be waited for: end it, it has ended as ``ending`` says


# How agents word it that they got no answer; our own proxy knows better whether a host was reached at all.
UNREACHED = (Ending.OVERLOADED, Ending.CRASHED, Ending.STALLED, Ending.TIMED_OUT)

Reader = Callable[[Iterable[bytes]], Iterator[PartialReply]]


def collect_reply(running: Running, read: Reader, caps: Caps, transcript: OpenTranscript) -> AgentReply:
    """Read to the end, stopping the agent when what it reports is over a cap, or when it only waits for a limit.

    Wall time and silence are the sandbox's to watch. Unavailable when the agent never ran.
    """
    partial, overrun = PartialReply(), ""
    try:
        for partial in read(_recorded(running.lines(), transcript)):
            transcript.doing(partial.activity, partial.usage)
            if partial.over or (not overrun and (overrun := find_overrun(partial.usage, caps))):
                running.stop()
    except BaseException:
        # A signal or a bug of ours ended the reading: no agent goes on without a reader.
        running.stop()
        transcript.close(running.wait().output)
        raise
    outcome = running.wait()
    digest = transcript.close(outcome.output)
    if isinstance(outcome.ended, NeverRan):
        raise Unavailable(
            f"the agent could not be started: {outcome.ended.reason}", "`autopilot doctor` checks sandbox and agents"
        )
    ending, detail = (Ending.BUDGET, overrun) if overrun else tell_ending(outcome, partial)
    return AgentReply(
        ending=ending,
        text=partial.text,
        value=partial.value,
        usage=partial.usage,
        session=partial.session,
        session_total=partial.session_total,
        transcript=digest,
        duration_ms=outcome.duration_ms,
        detail=detail,
        resets_at=partial.resets_at,
        retry_after_s=partial.retry_after_s,
        refused_hosts=outcome.refused_hosts,
    )


def _recorded(lines: Iterable[bytes], transcript: OpenTranscript) -> Iterator[bytes]:
    for line in lines:
        transcript.line(line)
        yield line


def find_overrun(usage: Usage, caps: Caps) -> str:
    if usage.tokens_counted > caps.tokens:
        return f"{usage.tokens_counted:,} tokens, over the cap of {caps.tokens:,}"
    if usage.usd > caps.usd:
        return f"{usage.usd:g} USD, over the cap of {caps.usd:g}"
    return ""


def tell_ending(outcome: Outcome, partial: PartialReply) -> tuple[Ending, str]:
    """How a call ended, and why: by itself, or because its model could not be reached."""
    ending, detail = _tell_own_ending(outcome, partial)
    if ending in UNREACHED and outcome.unreached_hosts:
        return Ending.OFFLINE, "; ".join(outcome.unreached_hosts)
    return ending, detail


def _tell_own_ending(outcome: Outcome, partial: PartialReply) -> tuple[Ending, str]:
    """A result counts only when the program also ended well."""
    if partial.over and partial.ending is not None:
        return partial.ending, partial.detail
    match outcome.ended:
        case TimedOut(after_s):
            return Ending.TIMED_OUT, f"still running after {after_s:g} s"
        case Stalled(after_s):
            return Ending.STALLED, f"silent for {after_s:g} s"
        case Killed(reason):
            return Ending.CANCELLED, reason
        case OverLimit(reason) | DaemonLost(reason):
            return Ending.CRASHED, f"it was stopped: {reason}"
        case Exited(code) if code in partial.exit_endings:
            return partial.exit_endings[code], partial.detail or f"it ended with exit code {code}"
        case Exited(0) if partial.ending is not None:
            return partial.ending, partial.detail
        case Exited(0):
            return Ending.CRASHED, "it ended with exit code 0 and without a result"
        case Exited(code) if partial.ending in (None, Ending.COMPLETED):
            return Ending.CRASHED, partial.detail or f"it ended with exit code {code}{_last_words(outcome)}"
        case Exited(_):
            assert partial.ending is not None
            return partial.ending, partial.detail
        case NeverRan(reason):
            raise AssertionError(f"not an ending: {reason}")


def _last_words(outcome: Outcome) -> str:
    """What a program that died said last on either stream, where that was meant for people."""
    lines = [line.strip() for line in outcome.output.decode(errors="replace").splitlines()]
    shown = [line for line in lines if line and not line.startswith("{")]
    return f": {cut_end(shown[-1], LAST_WORDS)}" if shown else ""
