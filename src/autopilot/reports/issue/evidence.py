"""What an issue rests on, row by row: red, green, coverage, what put the tests to the test, and what is still red."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from autopilot.events.issue.happened import OracleJudged
from autopilot.events.issue.rooms import Round
from autopilot.events.issue.state import IssueState
from autopilot.events.state import PhaseState
from autopilot.model.evidence.objection import Weight
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import SubjectKind
from autopilot.model.issue.issue import RowVerdict
from autopilot.reports.evidence.strength import read_probe, tests_words
from autopilot.reports.issue.wording import oracle_words
from autopilot.reports.markdown import shorten
from autopilot.text.naming import plural

EVIDENCE_HEAD = ("What", "Observed by Autopilot")
COVERAGE_HEAD = ("Criteria", "Acceptance test", "Tests that ran and passed")
AUDIT_HEAD = ("Step", "Iteration", "Verdict", "Fingerprint")
# On trees made for it: where it must be red, and where it must be green again.
RED_KINDS = {
    "reverted": "sabotage, implementation reverted",
    "mutant": "sabotage, functions replaced by constants",
    "canary": "canary",
    "expectation": "other expectations in the tests",
}
GREEN_KINDS = {"repeat": "repeated", "held-out": "examples of the requirements", "pinned": "control files as pinned"}
SHOWN_TESTS = 3


def judged_of(issue: IssueState) -> OracleJudged | None:
    return issue.convergence.rounds.get(issue.at_step, Round()).judged


def evidence_rows(issue: IssueState, phase: PhaseState) -> Iterator[tuple[str, str]]:
    judged = judged_of(issue)
    if judged is not None:
        yield "oracle", f"{oracle_words(judged.state)}, at `{judged.commit[:12]}`"
    if judged is not None and judged.red is not None:
        red = judged.red
        tests = plural(len(red.tests), "test") if red.tests else f"exit status {red.exit_code}"
        yield "red", f"{tests} failed at `{red.commit[:12]}`, without the implementation{_named(red.tests)}"
    for seen in phase.observed.observations or ():
        yield ("green" if seen.about.is_plain(SubjectKind.ACCEPTANCE) else seen.subject), _observed(seen)
    yield from _probe_rows(phase)
    if issue.baseline.rate is not None:
        after = f" → {judged.rate.text}" if judged is not None and judged.rate is not None else ""
        yield "failure rate", f"{issue.baseline.rate.text}{after} runs of {issue.baseline.rate.test}"
    weights = Counter(objection.weight is Weight.FLAG for objection in phase.observed.objections)
    counts = f"{plural(weights[False], 'objection')}, {plural(weights[True], 'flag')}"
    if phase.observed.observations:  # before anything was looked at, no objection says nothing
        yield "regressions, control files, second look", counts
    verdicts = Counter(row.verdict for row in issue.audit.rows)
    yield (
        "audit log",
        f"{plural(len(issue.audit.rows), 'row')}: {verdicts[RowVerdict.PASS]} PASS, {verdicts[RowVerdict.FAIL]} FAIL",
    )


def coverage_rows(issue: IssueState) -> Iterator[tuple[str, ...]]:
    judged = judged_of(issue)
    for link in judged.links if judged else ():
        tests = ", ".join(link.tests[:SHOWN_TESTS]) + (
            f" and {len(link.tests) - SHOWN_TESTS} more" * _is_long(link.tests)
        )
        yield (
            ", ".join(link.covers) or "none",
            link.acceptance_test,
            f"{tests}{'; ' if tests and link.problem else ''}{link.problem}",
        )


def audit_rows(issue: IssueState) -> Iterator[tuple[str, ...]]:
    for row in issue.audit.rows:
        yield row.step, str(row.iteration), row.verdict, row.fingerprint[:12]


def debt_lines(phase: PhaseState) -> list[str]:
    """What was red before the work and is still: no part of the issue, and yours to know."""
    before = {observation.subject: observation for observation in phase.plan.baseline or ()}
    lines = []
    for seen in phase.observed.observations or ():
        if seen.legacy:
            lines.append(f"`{seen.command}`: {plural(seen.legacy, 'test')} red before the work began, and still red")
        elif seen.seen is Seen.FAILED and seen.subject in before and before[seen.subject].seen is Seen.FAILED:
            lines.append(f"`{seen.command}`: failed before the work began, and still fails")
    return lines


def no_debts(phase: PhaseState) -> str:
    return (
        "Nothing that was red before the work is still red." if phase.observed.observations else "Nothing was run yet."
    )


def _is_long(tests: tuple[str, ...]) -> bool:
    return len(tests) > SHOWN_TESTS


def _named(tests: tuple[str, ...]) -> str:
    if not tests:
        return ""
    return f": {', '.join(tests[:SHOWN_TESTS])}{' …' if _is_long(tests) else ''}"


def _observed(seen: Observation) -> str:
    counted = f" ({tests_words(seen.tests)})" if seen.tests else ""
    return f"`{shorten(seen.command, 120)}` {seen.seen.text}{counted} at `{seen.commit[:12]}`"


def _probe_rows(phase: PhaseState) -> Iterator[tuple[str, str]]:
    runs, failed = Counter[str](), Counter[str]()
    for probe in map(read_probe, phase.observed.probes):
        runs[probe.kind] += 1
        failed[probe.kind] += probe.seen.seen is Seen.FAILED
    for kind, name in RED_KINDS.items():
        if runs[kind]:
            expected = "as required" if failed[kind] == runs[kind] else "but all of them must fail"
            yield name, f"{failed[kind]} of {plural(runs[kind], 'run')} failed, {expected}"
        elif kind == "mutant" and runs["reverted"]:
            yield name, "not run: the change has no function that a constant could replace"
    for kind, name in GREEN_KINDS.items():
        if runs[kind]:
            yield name, f"{runs[kind] - failed[kind]} of {plural(runs[kind], 'run')} passed"
