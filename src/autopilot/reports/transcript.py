"""What agents said: the calls of a run as a list, and one transcript as text.

An agent prints one JSON object a line, each kind of agent in its own form. Shown are its texts, whatever they are
called there; everything else is in the transcript as it was recorded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

import msgspec
from msgspec import Struct

from autopilot.model.agent import Role
from autopilot.reports.markdown import aligned, how_long, one_line, shorten, stamp

# Names under which agents print words, commands and results.
PRINTED_AS = {
    *("text", "thinking", "reasoning", "command", "path", "file_path", "content", "output", "stdout", "stderr"),
    *("result", "error", "message", "delta", "query", "pattern", "description", "action", "reply", "title"),
}
LONGEST_TEXT = 4_000
LONGEST_OTHER = 300  # of a line that has no such text: figures, names, settings
HEAD = ("#", "phase", "step", "task", "role", "agent", "ended", "tokens", "took")


class CallShown(Struct, frozen=True):
    """One call of an agent, as the record holds it."""

    number: int  # in its run
    time: datetime
    phase: str
    step: str
    task: str
    role: Role
    agent: str  # with its model
    ending: str
    tokens: int
    usd: float
    duration_ms: int | None  # None for one that was cut off
    transcripts: tuple[str, ...]  # digests, oldest first
    detail: str = ""

    def is_named(self, name: str) -> bool:
        """By its step, task, role or number, or by step and task as `execute.01-01`."""
        wanted = name.casefold().lstrip("#").replace("-", "_")
        own = (self.step, self.task, self.role.value, str(self.number), f"{self.step}.{self.task}")
        return wanted in {word.casefold().replace("-", "_") for word in own if word}


def render_calls(calls: Sequence[CallShown]) -> str:
    return "".join(f"{one_line(line)}\n" for line in aligned([HEAD, *map(_row, calls)]))


def _row(call: CallShown) -> tuple[str, ...]:
    took = how_long(call.duration_ms / 1000) if call.duration_ms is not None else ""
    number, tokens = str(call.number), f"{call.tokens:,}"
    return number, call.phase, call.step, call.task, call.role.value, call.agent, call.ending, tokens, took


def head_of(call: CallShown) -> str:
    task = f" {call.task}" if call.task else ""
    detail = f": {call.detail}" if call.detail else ""
    about = f"{call.step}{task} of phase {call.phase}, {call.role.value} by {call.agent}"
    return f"--- call {call.number}: {about}, {stamp(call.time)}, {call.ending}{detail} ---"


def render_transcript(lines: Sequence[str]) -> Iterator[str]:
    """Each text once; what is no JSON is shown as it is."""
    last = ""
    for line in lines:
        for text in _texts(line):
            shown = text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}… ({len(text):,} characters)"
            if shown.strip() and shown != last:
                yield shown
                last = shown


def _texts(line: str) -> Iterator[str]:
    try:
        value = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        yield line
        return
    texts = list(_printed_texts(value))
    yield from texts or [shorten(line, LONGEST_OTHER)]


def _printed_texts(value: Any) -> Iterator[str]:
    """Without recursion: an agent may nest as deep as it likes."""
    waiting: list[tuple[str, Any]] = [("", value)]
    while waiting:
        name, found = waiting.pop()
        if isinstance(found, dict):
            waiting += [(str(key), inner) for key, inner in reversed(found.items())]
        elif isinstance(found, list):
            waiting += [(name, inner) for inner in reversed(found)]
        elif isinstance(found, str) and name in PRINTED_AS:
            yield found


def calls_document(calls: Sequence[CallShown]) -> list[dict[str, Any]]:
    return [{**msgspec.to_builtins(call), "time": stamp(call.time)} for call in calls]
