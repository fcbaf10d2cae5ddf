"""TRACE.jsonl: one line a span, from the journal. Best effort: it shows what was recorded and requires nothing."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Literal

from msgspec import UNSET, Struct

from autopilot.events import happened as h
from autopilot.events import recovery as r
from autopilot.events.entry import Stored
from autopilot.model.agent import Action, Ending
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import PersonVerdict, Step
from autopilot.model.secrecy.terminal import strip_controls
from autopilot.reports.documents.documents import TRACE, step_trace
from autopilot.reports.documents.timeline import BAD, RUNNER, Actor, MomentStatus, held
from autopilot.reports.markdown import shorten, stamp
from autopilot.reports.status.scores import in_words

SUMMARY_CHARS = 200
LONGEST_MS = 365 * 24 * 3600 * 1000  # what claims to have taken longer is a broken clock


class Span(Struct, frozen=True):
    began_at: datetime
    phase: str
    step: Actor
    action: Action | Literal["tool_call", "decision", "agent_spawn"]
    input: str
    output: str
    duration_ms: int = 0
    status: MomentStatus = "success"

    def line(self) -> str:
        summaries = {"input_summary": self.input, "output_summary": self.output}
        shown = {
            "timestamp": stamp(self.began_at),
            "phase_id": self.phase,
            "step": self.step,
            "action": self.action,
            **{name: shorten(strip_controls(text), SUMMARY_CHARS) for name, text in summaries.items()},
            "duration_ms": self.duration_ms,
            "status": self.status,
        }
        return json.dumps(shown, ensure_ascii=False)


def render_traces(entries: Iterable[Stored], phase_id: PhaseId) -> dict[str, str]:
    """By file: the spans of a phase and of its parts in the order they began, and those of each step by themselves."""
    spans = _all_spans(entries, phase_id)
    steps = {span.step for span in spans if isinstance(span.step, Step) and span.step.role}
    texts = {step_trace(step): [span for span in spans if span.step == step] for step in steps}
    return {TRACE: _text(spans), **{name: _text(own) for name, own in sorted(texts.items())}}


def _text(spans: Iterable[Span]) -> str:
    return "".join(f"{span.line()}\n" for span in spans)


def _all_spans(entries: Iterable[Stored], phase_id: PhaseId) -> list[Span]:
    known = list(entries)
    names = {phase_id, *_parts(known, phase_id)}
    mine = [stored for stored in known if getattr(stored.event, "phase", None) in names]
    spans = [*step_spans(mine), *(span for stored in mine for span in _spans(stored))]
    return sorted(spans, key=lambda span: span.began_at)


def _parts(entries: Sequence[Stored], phase: PhaseId) -> Iterator[str]:
    for stored in entries:
        if isinstance(stored.event, r.SplitAgreed) and stored.event.phase == phase:
            yield from (part.id for part in stored.event.parts)


def step_spans(entries: Sequence[Stored]) -> Iterator[Span]:
    """From the first try of an attempt to its end; one in progress has no span yet."""
    begun: dict[tuple[str, Step, int, str], datetime] = {}
    for stored in entries:
        match stored.event:
            case h.StepStarted(phase=phase, step=step, attempt=attempt, task=task):
                begun.setdefault((phase, step, attempt, task), stored.time)
            case h.StepEnded(phase=phase, step=step, attempt=attempt, task=task, status=status, detail=detail):
                start = begun.pop((phase, step, attempt, task), stored.time)
                took = max(0, round((stored.time - start).total_seconds() * 1000))
                asked = f"{step.value}, attempt {attempt}" + (f", task {task}" if task else "")
                word = held(status not in BAD)
                result = f"{status}: {detail}" if detail else status
                yield Span(start, phase, step, "tool_call", asked, result, min(took, LONGEST_MS), word)
            case h.StepSkipped(phase=phase, step=step, reason=reason):
                yield Span(stored.time, phase, step, "decision", step.value, reason, status="skipped")
            case _:
                continue


def _spans(stored: Stored) -> list[Span]:
    event, ended_at = stored.event, stored.time
    match event:
        case h.AgentReplied(phase=phase, step=step, role=role, agent=agent, ending=ending, detail=detail):
            asked = f"Asking {agent} as {role.value}" + (f" for task {event.task}" if event.task else "")
            result = f"{ending.value}, {event.usage.tokens} tokens" + (f": {detail}" if detail else "")
            status = held(ending is Ending.COMPLETED)
            took = _clamp(event.duration_ms)
            spawned = Span(_before(ended_at, took), phase, step, "agent_spawn", asked, result, took, status)
            return [spawned, *_acts(spawned, event)]
        case h.Triaged(phase=phase, observations=seen):
            decided = f"{'verify_only' if event.verify_only else 'full_pipeline'}: {event.note}"
            return [
                *_commands(phase, Step.TRIAGE, ended_at, seen),
                Span(ended_at, phase, RUNNER, "decision", "route", decided),
            ]
        case h.RedObserved(phase=phase, observations=seen) | r.BaselineObserved(phase=phase, observations=seen):
            return _commands(phase, Step.EXECUTE, ended_at, seen)
        case h.TaskVerified(phase=phase, observations=seen):
            return _commands(phase, Step.MINI_VERIFY, ended_at, (*seen, *event.probes))
        case h.PhaseObserved(phase=phase, observations=seen):
            return _commands(phase, Step.VERIFY, ended_at, (*seen, *event.probes))
        case r.Integrated(phase=phase, observations=seen):
            return _commands(phase, Step.INTEGRATE, ended_at, seen)
        case h.GateJudged(phase=phase, outcome=outcome, reason=reason, verdicts=verdicts, action=action):
            result = f"{outcome.value}{f', {action.value}' if action else ''}: {reason}"
            status = held(outcome is Outcome.PASS)
            return [Span(ended_at, phase, Step.GATE, "decision", f"{len(verdicts)} verdicts", result, 0, status)]
        case _:
            return _pipeline(stored)


def _acts(call: Span, event: h.AgentReplied) -> list[Span]:
    """What the agent did, by its transcript, which gives no times: each stands where its call began."""
    acts = event.acts if event.acts is not UNSET else ()
    source = f"by {event.agent}, as its transcript tells it"
    return [Span(call.began_at, call.phase, call.step, act.action, act.subject, source) for act in acts]


def _commands(phase: str, step: Step, recorded_at: datetime, seen: Sequence[Observation]) -> list[Span]:
    """They ran one after the other and were recorded together, so each began when those after it had yet to come."""
    spans, ended = [], recorded_at
    for observation in reversed(seen):
        took = _clamp(observation.duration_ms)
        ended = _before(ended, took)
        exit_word = f"exit {observation.exit_code}" if observation.exit_code is not None else observation.seen.text
        result = f"{exit_word}: {observation.reason or observation.excerpt}"
        status = "skipped" if observation.seen is Seen.NOTHING else held(observation.seen is Seen.PASSED)
        spans.append(Span(ended, phase, step, "command_run", observation.command, result, took, status))
    return spans[::-1]


def _pipeline(stored: Stored) -> list[Span]:
    """What concerns the phase as a whole."""
    event = stored.event
    entry: tuple[str, str, MomentStatus]
    match event:
        case h.PhaseStarted(attempt=attempt, base=base):
            entry = ("begin", f"attempt {attempt} at {base[:12]}", "success")
        case h.PhaseCompleted(score=score, commit=commit):
            entry = ("end", f"completed with {in_words(score or None)} at {commit[:12]}", "success")
        case h.PhaseFailed(reason=reason, category=category):
            entry = ("end", f"failed, {category}: {reason}", "failure")
        case h.PhaseSkipped(reason=reason):
            entry = ("end", f"skipped: {reason}", "skipped")
        case h.Rerouted(reason=reason, verify_only=verify_only):
            entry = ("route", f"{'verification' if verify_only else 'the full pipeline'}: {reason}", "success")
        case r.Replanned(score=score):
            entry = ("re-plan", f"the score was {score}", "success")
        case r.RemediationStarted(cycle=cycle, score=score, tasks=tasks):
            entry = ("remediate", f"cycle {cycle}, score {score}, {len(tasks)} tasks", "success")
        case r.SplitAgreed(parts=parts, reason=reason):
            entry = ("split", f"{len(parts)} parts: {reason}", "success")
        case r.PhaseDeferred(branch=branch):
            entry = ("defer", f"waits for a person on {branch}", "success")
        case r.VerdictGiven(verdict=verdict):
            entry = ("a person's verdict", verdict, held(verdict == PersonVerdict.PASS))
        case _:
            return []
    return [Span(stored.time, event.phase, RUNNER, "decision", entry[0], entry[1], 0, entry[2])]


def _clamp(duration_ms: int) -> int:
    return min(max(0, duration_ms), LONGEST_MS)


def _before(ended_at: datetime, duration_ms: int) -> datetime:
    try:
        return ended_at - timedelta(milliseconds=duration_ms)
    except OverflowError:
        return ended_at
