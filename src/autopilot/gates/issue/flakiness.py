"""Is a test flaky, and is it steady now? Counted over runs of ours; a single green run is no sign of either."""

from __future__ import annotations

from collections.abc import Sequence

from autopilot.gates.issue.oracle import Oracle
from autopilot.model.evidence.objection import Layer, Objection, Weight
from autopilot.model.evidence.testing import Ended
from autopilot.model.issue.issue import OracleState, Rate, SeedFinding

DOUBT = 0.05
LEAST_FAILURES = 2  # one red run may be anything; what failed twice and passed as well fails now and then

Ends = Sequence[Ended | None]  # how the test ended in each run; None where it was not executed


def rate_of(commit: str, test: str, command: str, ends: Ends) -> Rate:
    return Rate(commit, test, len(ends), ends.count(Ended.FAILED), command)


def is_flaky(rate: Rate | None) -> bool:
    return rate is not None and LEAST_FAILURES <= rate.failures < rate.runs


def judge_before(test: str, ends: Ends, others: Sequence[SeedFinding]) -> Oracle:
    """``others``: what is wrong with the claim and its commit. It holds only where nothing is left to fix."""
    failures, executed = ends.count(Ended.FAILED), bool(ends) and None not in ends
    flaky = executed and LEAST_FAILURES <= failures < len(ends)
    findings = (*others, *(() if flaky or not test else (SeedFinding(test, _why_not_flaky(ends)),)))
    state = OracleState(
        red_observed=flaky,
        at_green=not findings,
        coverage_ok=executed,
        uncovered=() if executed else (test or "flaky test",),
        failing=_refs(findings),
    )
    return Oracle(state, findings)


def judge_after(test: str, before: Rate | None, ends: Ends, wanted: int, broken: Sequence[SeedFinding]) -> Oracle:
    """``broken``: what else is not as it was. Green is ``wanted`` greens in a row; the first red run ends the row."""
    executed = bool(ends) and None not in ends
    red = before is not None and before.test == test and is_flaky(before)
    findings = (*broken, *_unsteady(test, ends, wanted))
    state = OracleState(
        red_observed=red,
        at_green=not findings and ends.count(Ended.PASSED) >= wanted > 0,
        coverage_ok=executed,
        uncovered=() if executed else (test,),
        failing=_refs(findings),
    )
    if not red:
        failed = before.text if before else "never"
        findings += (SeedFinding(test, f"it was not flaky before the fix: it failed {failed}"),)
    return Oracle(state, findings)


def flag_luck(test: str, before: Rate, greens: int) -> tuple[Objection, ...]:
    """How likely so many greens in a row were if nothing had changed: shown to the user who merges."""
    luck = (1 - before.failures / before.runs) ** greens if before.runs else 1.0
    if luck <= DOUBT:
        return ()
    description = (
        f"it failed {before.text} before; at that rate {greens} passes in a row are chance in {luck:.0%} of cases"
    )
    satisfy = "request more runs: --flaky-runs"
    return (Objection(Layer.RUN, test, description, satisfy=satisfy, weight=Weight.FLAG),)


def _why_not_flaky(ends: Ends) -> str:
    failures, runs = ends.count(Ended.FAILED), len(ends)
    if not runs or None in ends:
        return f"it was not executed in {'any run' if not runs else f'run {ends.index(None) + 1} of {runs}'}"
    if failures == runs:
        return f"it failed in all {runs} runs: it is broken, not flaky; use the bugfix route"
    count = "1 failure" if failures == 1 else f"{failures} failures"
    return f"no flakiness was observed in {runs} runs: {count}; name a failing test, or write one that fails as often"


def _unsteady(test: str, ends: Ends, wanted: int) -> tuple[SeedFinding, ...]:
    for number, end in enumerate(ends, 1):
        if end is None:
            return (SeedFinding(test, f"it was not executed in run {number}: make it run every time"),)
        if end is Ended.FAILED:
            return (SeedFinding(test, f"failed in run {number} of {wanted}: it has to be green in all of them"),)
    return ()


def _refs(findings: Sequence[SeedFinding]) -> tuple[str, ...]:
    return tuple(sorted({finding.evidence_ref for finding in findings}))
