"""Spans of a run, from its journal: run, phase, step, call of an agent, what the agent did; waits and gates.

They hold names, figures and how something ended. No prompt, no reply, no path, no command and no output is in them.
Names of attributes about agents are those of the semantic conventions for generative AI, as of ``SCHEMA``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime, timedelta

from msgspec import UNSET, Struct

from autopilot.events import happened as h
from autopilot.events import provision as p
from autopilot.events import recovery as r
from autopilot.events.entry import Stored
from autopilot.events.people import HumanAnswered, HumanAsked
from autopilot.model.agent import Ending, Usage
from autopilot.model.run import RunStatus, StepStatus
from autopilot.model.telemetry.spans import Attribute, Span, SpanKind

SCHEMA = "https://opentelemetry.io/schemas/1.41.0"  # the last one with these names in the common conventions
MOST_ACTS = 200  # of one call
LONGEST = 200  # characters of a name
LONGEST_CALL = timedelta(days=365)  # what claims to have taken longer is a broken clock

UNFINISHED: Mapping[str, Attribute] = {"autopilot.unfinished": True}
Clean = Callable[[str], str]
Attributes = dict[str, Attribute]


class _Open(Struct, frozen=True):
    """What has begun and not ended. ``seq`` of its first entry gives it its id."""

    kind: str
    seq: int
    began_at: datetime
    name: str
    parent: str
    attributes: Mapping[str, Attribute]


class RunSpans:
    """Fed with the entries of one run in their order; gives every span when it ends.

    When the run stops, what is open is given as it stands then, and again under the same id when it has ended.
    """

    def __init__(self, repository: str, clean: Clean) -> None:
        self._repository = repository
        self._clean = clean
        self._trace = self._run = ""
        self._began_at: datetime | None = None
        self._phases: dict[str, _Open] = {}
        self._steps: dict[tuple[str, str, str], _Open] = {}
        self._others: dict[str, _Open] = {}  # waits and gates
        self._usage, self._calls, self._waited_s = Usage(), 0, 0.0

    def take(self, stored: Stored) -> list[Span]:
        event, now = stored.event, stored.time
        if self._began_at is None:
            self._begin(stored)
        match event:
            case h.PhaseStarted(phase=phase, attempt=attempt):
                named: Attributes = {"autopilot.phase": str(phase), "autopilot.attempt": attempt}
                self._phases[phase] = self._opened("phase", stored, f"phase {phase}", self._root, named)
            case h.PhaseCompleted(phase=phase):
                return self._end_phase(phase, now, "completed", {"autopilot.score": event.score or 0.0})
            case h.PhaseFailed(phase=phase):
                return self._end_phase(phase, now, "failed", {"autopilot.category": event.category})
            case r.PhaseDeferred(phase=phase):
                return self._end_phase(phase, now, "deferred", {})
            case h.StepStarted(phase=phase, step=step, task=task):
                key = (str(phase), step.value, task)
                named = {**_of_step(event), "autopilot.attempt": event.attempt}
                if task:
                    named["autopilot.task"] = task
                if key not in self._steps:  # a further try after a crash goes on with it
                    self._steps[key] = self._opened("step", stored, step.value, self._above(phase), named)
            case h.StepEnded(phase=phase, step=step, task=task, status=status):
                found = self._steps.pop((str(phase), step.value, task), None)
                ended: Attributes = {"autopilot.status": status.value}
                return [self._closed(found, now, ended, status in _BAD)] if found else []
            case h.AgentReplied() | p.AgentCutOff():
                return self._call(stored, event)
            case _:
                return self._pause(stored)
        return []

    def _begin(self, stored: Stored) -> None:
        self._run, self._began_at = stored.run, stored.time
        self._trace = _digest(self._repository, stored.run)[:32]

    @property
    def _root(self) -> str:
        return self._id("run", 0)

    def _id(self, kind: str, seq: int, number: int = 0) -> str:
        return _digest(self._trace, kind, str(seq), str(number))[:16]

    def _above(self, phase: str) -> str:
        """Steps before the first phase, and between phases, belong to the run."""
        found = self._phases.get(phase)
        return self._id(found.kind, found.seq) if found else self._root

    def _opened(self, kind: str, stored: Stored, name: str, parent: str, attributes: Attributes) -> _Open:
        return _Open(kind, stored.seq, stored.time, name, parent, attributes)

    def _closed(self, opened: _Open, now: datetime, ended: Mapping[str, Attribute], has_failed: bool = False) -> Span:
        identity = self._id(opened.kind, opened.seq)
        attributes = {**opened.attributes, **ended}
        return self._span(identity, opened.parent, opened.name, (opened.began_at, now), attributes, has_failed)

    def _span(
        self,
        identity: str,
        parent: str,
        name: str,
        times: tuple[datetime, datetime],
        attributes: Mapping[str, Attribute],
        has_failed: bool = False,
        kind: SpanKind = SpanKind.INTERNAL,
    ) -> Span:
        began_at, ended_at = times
        whole: Mapping[str, Attribute] = {"autopilot.run": self._run, **attributes}
        cleaned = {key: self._word(value) if isinstance(value, str) else value for key, value in whole.items()}
        ends = max(began_at, ended_at)
        return Span(self._trace, identity, parent, self._word(name), began_at, ends, cleaned, has_failed, kind)

    def _word(self, text: str) -> str:
        """Redacted before it is cut: half a secret would not be known as one."""
        return self._clean(text)[:LONGEST]

    def _end_phase(self, phase: str, now: datetime, status: str, more: Attributes) -> list[Span]:
        found = self._phases.pop(phase, None)
        ended: Attributes = {"autopilot.status": status, **more}
        left = [self._steps.pop(key) for key in list(self._steps) if key[0] == phase]
        spans = [self._closed(step, now, UNFINISHED) for step in left]
        return [*spans, *([self._closed(found, now, ended, status == "failed")] if found else [])]

    def _call(self, stored: Stored, event: h.AgentReplied | p.AgentCutOff) -> list[Span]:
        self._usage, self._calls = self._usage + event.usage, self._calls + 1
        step = self._steps.get((str(event.phase), event.step.value, event.task))
        parent = self._id(step.kind, step.seq) if step else self._above(event.phase)
        least = step.began_at if step else self._began_at or stored.time
        began_at = least
        if isinstance(event, h.AgentReplied):
            took = min(timedelta(milliseconds=max(0, event.duration_ms)), LONGEST_CALL)
            began_at = max(least, stored.time - took)
        identity, name = self._id("call", stored.seq), f"invoke_agent {event.agent}"
        ending = event.ending if isinstance(event, h.AgentReplied) else Ending.CANCELLED
        is_bad = ending is not Ending.COMPLETED
        attributes = _of_call(event, ending)
        times = (began_at, stored.time)
        return [
            self._span(identity, parent, name, times, attributes, is_bad, SpanKind.CLIENT),
            *self._acts(stored.seq, identity, began_at, event),
        ]

    def _acts(self, seq: int, parent: str, began_at: datetime, event: h.AgentReplied | p.AgentCutOff) -> Iterator[Span]:
        """What the agent did, by its transcript, which gives no times: each stands where its call began."""
        acts = event.acts if isinstance(event, h.AgentReplied) and event.acts is not UNSET else ()
        for number, act in enumerate(acts[:MOST_ACTS]):
            named: Attributes = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": act.action}
            yield self._span(
                self._id("act", seq, number), parent, f"execute_tool {act.action}", (began_at, began_at), named
            )

    def _pause(self, stored: Stored) -> list[Span]:
        """Waits, gates and the end of a session."""
        event = stored.event
        match event:
            case p.WaitStarted():
                self._others["wait"] = self._opened("wait", stored, "wait for an agent", self._root, {})
            case HumanAsked(gate=gate, kind=kind):
                named: Attributes = {"autopilot.gate": gate, "autopilot.gate.kind": kind.value}
                self._others[f"gate {gate}"] = self._opened("gate", stored, f"gate {kind.value}", self._root, named)
            case p.Woken(waited_s=waited_s):
                self._waited_s += waited_s
                return self._end_other("wait", stored.time, {"autopilot.waited_s": waited_s})
            case HumanAnswered(gate=gate):
                return self._end_other(f"gate {gate}", stored.time, {})
            case h.RunStopped(status=status, exit_status=exit_status):
                return [*self._unfinished(stored.time), self._whole(stored.time, status, exit_status)]
            case _:
                pass
        return []

    def _end_other(self, name: str, now: datetime, ended: Attributes) -> list[Span]:
        found = self._others.pop(name, None)
        return [self._closed(found, now, ended)] if found else []

    def _unfinished(self, now: datetime) -> list[Span]:
        begun = (*self._phases.values(), *self._steps.values(), *self._others.values())
        return [self._closed(found, now, UNFINISHED) for found in begun]

    def _whole(self, now: datetime, status: RunStatus, exit_status: int) -> Span:
        assert self._began_at is not None, "a run that stopped has begun"
        attributes: Attributes = {
            "autopilot.status": status.value,
            "autopilot.exit_status": exit_status,
            "autopilot.calls": self._calls,
            "autopilot.waited_s": self._waited_s,
            **_of_usage(self._usage),
        }
        name, has_failed = f"run {self._run}", status is RunStatus.FAILED
        return self._span(self._root, "", name, (self._began_at, now), attributes, has_failed)


_BAD = (StepStatus.FAIL, StepStatus.ERROR, StepStatus.REFUSED)


def render_spans(entries: Iterable[Stored], repository: str, clean: Clean, since: int = 0) -> list[Span]:
    """Those of one run that ended after the entry ``since``. ``repository``: the record's id; runs may share names."""
    spans, found = RunSpans(repository, clean), []
    for stored in entries:
        ended = spans.take(stored)
        if stored.seq > since:
            found += ended
    return found


def _of_step(event: h.StepStarted | h.AgentReplied | p.AgentCutOff) -> Attributes:
    return {"autopilot.phase": str(event.phase), "autopilot.step": event.step.value}


def _of_call(event: h.AgentReplied | p.AgentCutOff, ending: Ending) -> Attributes:
    attributes: Attributes = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": event.agent,
        **_of_step(event),
        "autopilot.role": event.role.value,
        "autopilot.ending": ending.value,
        **_of_usage(event.usage),
    }
    if isinstance(event, h.AgentReplied) and event.model:
        attributes["gen_ai.request.model"] = event.model
    if ending is not Ending.COMPLETED:
        attributes["error.type"] = ending.value
    return attributes


def _of_usage(usage: Usage) -> Attributes:
    return {
        "gen_ai.usage.input_tokens": usage.tokens_in,
        "gen_ai.usage.output_tokens": usage.tokens_out,
        "gen_ai.usage.cache_read.input_tokens": usage.tokens_cached,
        "autopilot.usd": usage.usd,
        "autopilot.usd_is_estimate": usage.usd_is_estimate,
    }


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(("autopilot-trace", *parts)).encode("utf-8", "replace")).hexdigest()
