"""Records the user's verdict on a waiting phase, from any process, at any time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from autopilot.api.assembly import Assembly
from autopilot.api.people.inbox import choose_run, post_and_record, read_open_runs
from autopilot.api.people.settled import verdict_before
from autopilot.events.entry import Message
from autopilot.events.recovery import VerdictGiven
from autopilot.events.state import PhaseState, RunState
from autopilot.model.errors import UsageError
from autopilot.model.run import PersonVerdict, PhaseStatus
from autopilot.planning.people.scope import split_deferred
from autopilot.planning.roadmap.phase_id import parse_phase_id
from autopilot.reports.markdown import stamp
from autopilot.reports.status.gates import LANDING, VERDICT, find_waiting, resume_command
from autopilot.text.naming import render_phases


def record_verdict(assembly: Assembly, phase: str, verdict: str, issues: tuple[str, ...], by: str) -> str:
    """Post the verdict. A driving process records it; without one it is recorded here, and `resume` acts on it."""
    issues, deferred = split_issues(map(assembly.redactor.clean, issues))
    if verdict == PersonVerdict.ISSUES_FOUND and not issues:
        raise UsageError("issues_found needs at least one issue", f'autopilot verdict {phase} issues_found --issue "…"')
    if verdict == PersonVerdict.PASS and issues:
        hint = f'autopilot verdict {phase} issues_found --issue "…"; or without --issue: autopilot verdict {phase} pass'
        raise UsageError("pass lands the work as it is, so it has no issues", hint)
    runs = read_open_runs(assembly, phase)
    run = choose_run(runs, parse_phase_id(phase) or phase)
    waiting = _find_waiting(run, phase, runs)
    assert waiting.deferral is not None
    if waiting.deferral.verdict:
        author, deferral = _find_author(assembly, run, waiting), waiting.deferral
        first = VerdictGiven(waiting.id, deferral.verdict, deferral.issues, author)
        raise _already_given(run, first, f" on {stamp(waiting.deferral.verdict_at)}")
    given = VerdictGiven(waiting.id, PersonVerdict(verdict), issues, by, deferred)
    posted, is_recorded = post_and_record(
        assembly, Message(verdict_key(run, waiting), run.run, given), "autopilot verdict"
    )
    if posted.event != given:
        assert isinstance(posted.event, VerdictGiven), "no other message has such a key"
        raise _already_given(run, posted.event, "; the run has not read it yet")
    if not is_recorded:
        return f"phase {waiting.id}: {verdict} is saved; the running process reads it after its current step"
    return f"phase {waiting.id}: {verdict} is recorded; continue with: {resume_command(run)}"


def split_issues(texts: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is to be fixed, and apart from it what a person wishes for beyond the phase."""
    parts = [split_deferred(text) for text in texts]
    return tuple(issue for issue, _ in parts if issue), tuple(idea for _, ideas in parts for idea in ideas)


def verdict_key(run: RunState, phase: PhaseState) -> str:
    """A new key each time the phase waits: after its issues are fixed, it may wait again."""
    return f"verdict/{run.run}/{phase.id}/{phase.totals.attempt}/{len(phase.remediation.cycles)}"


def _already_given(run: RunState, first: VerdictGiven, time: str) -> UsageError:
    issues = f" ({'; '.join(first.issues)})" if first.issues else ""
    message = f"phase {first.phase} already has a verdict: {first.verdict}{issues}, by {first.by}{time}"
    return UsageError(message, f"`{resume_command(run)}` continues with it")


def _find_author(assembly: Assembly, run: RunState, phase: PhaseState) -> str:
    """Who gave the verdict that counts: the first one since the phase began to wait."""
    events = (stored.event for stored in assembly.ports.journal.read(run.run))
    given = [event for event in events if isinstance(event, VerdictGiven) and event.phase == phase.id]
    assert phase.deferral is not None
    return next((event.by for event in reversed(given) if event.verdict == phase.deferral.verdict), "another user")


def _find_waiting(run: RunState, phase: str, runs: Sequence[RunState]) -> PhaseState:
    waiting = [p for p in run.phases.values() if p.status is PhaseStatus.NEEDS_HUMAN_VERIFICATION]
    for candidate in waiting:
        if candidate.id == parse_phase_id(phase):
            return candidate
    raise not_waiting(runs, phase)


def not_waiting(runs: Sequence[RunState], phase: str) -> UsageError:
    """With the phases that do; what else waits takes no verdict and is listed elsewhere."""
    known = runs[0].phases if len(runs) == 1 else {}
    if known and parse_phase_id(phase) not in known:
        return UsageError(f"the run has no phase {phase}", render_phases(known))
    waiting = [item for run in runs for item in find_waiting(run) if item.kind != LANDING]
    names = ", ".join(item.name for item in waiting if item.kind == VERDICT)
    others = "`autopilot gates` lists what waits for you" if waiting else "`autopilot status` shows the last run"
    hint = f"waiting for a verdict: {names}" if names else others
    return UsageError(verdict_before(runs, phase) or f"phase {phase} is not waiting for a verdict", hint)
