"""What became of every promise of a phase: one answer for the gate, for reviewers and for every report."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from autopilot.events.criteria import criteria_of_plan
from autopilot.events.state import PhaseState
from autopilot.model.assessment import CriterionReading, Traced, Verification
from autopilot.model.evidence.account import Account, Known, account_for, doubt_unspoken, land_unseen
from autopilot.model.evidence.proving import decidable, proving_checks
from autopilot.model.evidence.verdict import Outcome, Verdict
from autopilot.model.planning.criterion import identity
from autopilot.model.planning.promise import Promise, Source, left_to_person, promises
from autopilot.model.run import PersonVerdict

FAULTED = (PersonVerdict.ISSUES_FOUND, PersonVerdict.FAIL)
TRACED = {Traced.VERIFIED: "verified", Traced.CONTRADICTED: "failed", Traced.UNVERIFIABLE: "unverifiable"}


def promises_of(phase: PhaseState) -> tuple[Promise, ...]:
    """None in a run that began before promises were accounted for."""
    if not phase.brief.accounted:
        return ()
    return promises(phase.brief.criteria, phase.plan.must_haves, phase.brief.requirements)


def accounts_of(phase: PhaseState, verdicts: Sequence[Verdict] | None = None) -> tuple[Account, ...]:
    """By the verdicts of the gate, or by those that it is about to give."""
    known = _known(phase, phase.gate.verdicts if verdicts is None else verdicts)
    accounts = tuple(
        account_for(promise, checks_for(phase, promise), person_for(phase, promise), known)
        for promise in promises_of(phase)
    )
    brought = {seen.subject for seen in phase.observed.observations or () if seen.brought}
    mapped = {promise.name for promise in promises_of(phase) if not promise.is_runnable}
    accounts = doubt_unspoken(accounts, mapped, phase.observed.unasked)
    accounts = tuple(replace(a, brought=a.is_proven_by(brought)) for a in accounts)
    return land_unseen(accounts) if phase.ruling.outcome is Outcome.PASS else accounts


def promises_to_read(phase: PhaseState, verdicts: Sequence[Verdict]) -> tuple[Promise, ...]:
    """What no command decides and no person is asked about: the verifier has to read it."""
    decided = {verdict.about.without_layer for verdict in verdicts}
    return tuple(
        promise
        for promise in promises_of(phase)
        if promise.source is not Source.REQUIREMENT
        and not person_for(phase, promise)
        and not decided.intersection(checks_for(phase, promise))
    )


def reviewed_in_parts(phase: PhaseState) -> bool:
    """Whether the reviews of its parts are its own.

    What only a person or a reviewer can settle is asked of the whole, for parts promise none of it; what was made of
    the parts together, by a resolver or a debugger, no part's reviewers have read.
    """
    asks = any(task.task.asks_person for task in phase.planned) or _has_unchecked(phase)
    changed = phase.split.resolutions or any(debug.commit for debug in phase.retries.debug_rounds)
    return bool(phase.split.parts) and not phase.split.remediation and not asks and not changed


def _has_unchecked(phase: PhaseState) -> bool:
    """Whether the owner asks for something that no command of the phase is to prove, or that a person is to see."""
    decided = decidable((*phase.brief.criteria, *criteria_of_plan(phase)), phase.plan.red or ())
    return any(
        person_for(phase, promise) or decided.isdisjoint(checks_for(phase, promise))
        for promise in promises_of(phase)
        if promise.source is not Source.REQUIREMENT
    )


def person_for(phase: PhaseState, promise: Promise) -> str:
    """Why only a person can tell, or ""."""
    return left_to_person(promise, phase.plan.answers, criteria_of_plan(phase))


def checks_for(phase: PhaseState, promise: Promise) -> tuple[str, ...]:
    """The ids of what may prove it."""
    return proving_checks(promise, phase.plan.answers, criteria_of_plan(phase), phase.red_before)


def _known(phase: PhaseState, verdicts: Sequence[Verdict]) -> Known:
    report, deferral = phase.reviews.verification, phase.deferral
    verdict = deferral.verdict if deferral else PersonVerdict.NOT_YET
    mended = verdict is PersonVerdict.ISSUES_FOUND and _is_mended(phase)
    fixed = mended and report is not None and report.passed
    found = (
        "; ".join(deferral.issues) or "the work is rejected" if deferral and verdict in FAULTED and not mended else ""
    )
    readings = _by_words(_readings(report), promises_of(phase)) if report else None
    return Known(tuple(verdicts), readings, verdict is PersonVerdict.PASS, fixed, found)


def _is_mended(phase: PhaseState) -> bool:
    """Whether anything was changed for the issues that a person found: until then the report is the one they doubt."""
    cycles = [cycle for cycle in phase.remediation.cycles if cycle.by_person]
    if phase.deferral is None or len(cycles) < phase.deferral.number:
        return False
    last = cycles[-1]
    tasks = (phase.tasks[name] for name in last.tasks if name in phase.tasks)
    return any(task.commit for task in tasks) or any(d.commit for d in phase.retries.debug_rounds[last.debugs_before :])


def _readings(report: Verification) -> tuple[CriterionReading, ...]:
    """What the verifier reports of criteria; of one that it only traced, what its trace came to."""
    read = {identity(reading.criterion) for reading in report.criteria_results}
    traced = (
        CriterionReading(trace.criterion, TRACED[trace.status], f"{trace.trigger}; {trace.terminal_action}")
        for trace in report.traces
        if identity(trace.criterion) not in read
    )
    return (*report.criteria_results, *traced)


def _by_words(readings: Sequence[CriterionReading], asked: Sequence[Promise]) -> tuple[CriterionReading, ...]:
    """A reading in the words of one promise is of that one alone, whatever name these words begin with."""
    names: dict[str, list[str]] = {}
    for promise in asked:
        names.setdefault(identity(promise.text), []).append(promise.name)
    meant = (names.get(identity(reading.criterion), ()) for reading in readings)
    return tuple(
        replace(reading, criterion=found[0]) if len(found) == 1 else reading
        for reading, found in zip(readings, meant, strict=True)
    )
