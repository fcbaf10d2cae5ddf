"""Is an issue done? Red observed, green observed, all covered: by observations, never by a claim (AL-3, AL-4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from autopilot.gates.evidence.sabotage import misses_a_name, speaks_of_behaviour
from autopilot.gates.issue.coverage import Coverage
from autopilot.model.evidence.objection import Layer, Objection, Weight
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.testing import By, Ended, Grade, TestReport, TestResult
from autopilot.model.evidence.verdict import Outcome, Verdict
from autopilot.model.issue.issue import Link, OracleState, SeedFinding

SHOWN = 20  # failing tests reported one by one
ABOUT_RED = (Layer.SABOTAGE, Layer.RED)
# In these languages no test compiles that calls what is not there yet, wherever it is imported.
COMPILED = frozenset({"go test", "cargo test"})


class Ran(Struct, frozen=True):
    """One run of the acceptance tests: what was seen, and the report behind it."""

    seen: Observation
    report: TestReport | None = None


class Oracle(Struct, frozen=True):
    state: OracleState
    findings: tuple[SeedFinding, ...] = ()
    fixable: bool = False  # red lacks only because the tests cannot be loaded without the implementation
    by_constants: frozenset[str] = frozenset()  # tests that were red in that place alone


def judge_oracle(
    red: Ran,
    green: Ran,
    coverage: Coverage,
    objections: Sequence[Objection] = (),
    checks: Sequence[Verdict] = (),
    kept: frozenset[str] = frozenset(),
    mutated: Sequence[TestReport] = (),
) -> Oracle:
    """``kept`` are acceptance tests that a person approved as regressions: they need not have been red.

    ``mutated``: how the tests ended with constants in place of the work.
    """
    by_constants = _red_by_constants(red, coverage.links, mutated)
    unred = list(_find_unred(red, coverage.links, kept, by_constants))
    is_red = (_is_red(red) or bool(by_constants)) and not unred
    # Tests that were never red cannot be sabotaged either: it is one fact, and belongs to red.
    weighing = [objection for objection in objections if is_red or objection.layer not in ABOUT_RED]
    broken = [*_failing(green), *refusing(tuple(_not_reported_yet(weighing, green))), *red_checks(checks)]
    state = OracleState(
        red_observed=is_red,
        at_green=not broken,
        coverage_ok=coverage.ok,
        uncovered=coverage.uncovered,
        failing=tuple(sorted({f.evidence_ref for f in (*unred, *broken, *coverage.problems)})),
    )
    if not is_red and not unred:
        unred = [SeedFinding("red.jsonl", f"the acceptance tests were not red before the implementation: {_say(red)}")]
    loading = red.report is not None and bool(red.report.loading)
    return Oracle(state, (*broken, *coverage.problems, *unred), loading, by_constants)


def _red_by_constants(red: Ran, links: Sequence[Link], mutated: Sequence[TestReport]) -> frozenset[str]:
    """Where tests do not compile without the work: those that fail by themselves with constants in its place.

    Also those that were not reached, because a test before them panicked; ``flag_unasked`` names them.
    """
    if not is_uncompiled(red):
        return frozenset()
    failed = frozenset(r.id for ran in mutated for r in ran.results if _failed_by_itself(ran, r))
    return failed | (_unreached(links, mutated) if failed else frozenset())


def is_uncompiled(red: Ran) -> bool:
    report = red.report
    return report is not None and bool(report.loading) and COMPILED.issuperset(report.runner.split(", "))


def _unreached(links: Sequence[Link], mutated: Sequence[TestReport]) -> frozenset[str]:
    """What no run with constants showed to be red, and one of them broke off before."""
    failed = {r.id for report in mutated for r in report.results if _failed_by_itself(report, r)}
    broken_off = [{r.id for r in report.results} for report in mutated if report.of(Ended.FAILED)]
    named = {id for link in links for id in link.tests} - failed
    return frozenset(id for id in named if any(id not in reached for reached in broken_off))


def judge_earlier(ran: Ran, changed: Sequence[str]) -> tuple[Objection, ...]:
    """What the acceptance tests say that were red first, on what is green by their changed versions."""
    if ran.seen.seen is Seen.NOTHING:
        description = f"the acceptance tests as they were first red could not be run: {ran.seen.reason}"
        return (Objection(Layer.CHANGE, ran.seen.subject, description, weight=Weight.OURS),)
    if ran.seen.seen is Seen.PASSED:
        return ()
    failed = sorted(ran.report.of(Ended.FAILED)) if ran.report else []
    named = ", ".join(failed[:3]) or ran.seen.reason or "the run"
    description = f"the test was changed after it was red, and its earlier version fails on this code: {named}"
    satisfy = "make the earlier version of the test pass; if the test itself is wrong, leave it and report that"
    return (Objection(Layer.CHANGE, ran.seen.subject, description, ", ".join(changed), satisfy),)


def flag_unasked(red: Ran, links: Sequence[Link], mutated: Sequence[TestReport]) -> Iterator[Objection]:
    """Acceptance tests that were red for a missing name alone and stay green with constants in place of the code.

    They may be right, where a constant is what they ask for; or they ask for nothing but that something is there.
    So are those that do not compile without the work, and that no run with constants reached.
    """
    if mutated and is_uncompiled(red):
        unreached = _unreached(links, mutated)
        for link in (link for link in links if link.tests and unreached.issuperset(link.tests)):
            description = (
                f"{link.acceptance_test}: red only because it does not compile without the work: with constants"
            )
            yield _flag(link, f"{description} in its place a test before it panicked, and it was not run")
    failed = [r for r in red.report.results if r.ended is Ended.FAILED] if red.report else []
    missing = {r.id for r in failed} - {r.id for r in failed if speaks_of_behaviour(r)}
    noticed = {id for report in mutated for id in report.of(Ended.FAILED)}
    for link in links:
        was_red = {r.id for r in failed}.intersection(link.tests)
        if mutated and was_red and was_red <= missing and not noticed.intersection(link.tests):
            description = "red only because a name is missing, and green with constants in place of the code"
            yield _flag(link, f"{link.acceptance_test}: {description}")


def _flag(link: Link, description: str) -> Objection:
    satisfy = "check what its test requires"
    return Objection(Layer.SABOTAGE, link.acceptance_test, description, satisfy=satisfy, weight=Weight.FLAG)


def _not_reported_yet(objections: Sequence[Objection], green: Ran) -> Iterator[Objection]:
    """Failing tests are reported test by test."""
    files = {r.file for r in green.report.results if r.ended is Ended.FAILED} if green.report else set()
    for objection in objections:
        if not (objection.is_newly_red and objection.where in files):
            yield objection


def _is_red(red: Ran) -> bool:
    """Failed, and by a test that ran: a run that could not even begin shows nothing missing but itself."""
    if red.seen.seen is not Seen.FAILED:
        return False
    return red.report is not None and any(_failed_by_itself(red.report, result) for result in red.report.results)


def _failed_by_itself(report: TestReport, result: TestResult) -> bool:
    if result.ended is not Ended.FAILED:
        return False
    if result.by is By.LOADING:  # an import inside the test, as the prompt asks for where a module is new
        return misses_a_name(result)
    return result.by in (By.ASSERTION, By.ERROR) or report.grade is Grade.TEXT


def _find_unred(
    red: Ran, links: Sequence[Link], kept: frozenset[str], by_constants: frozenset[str]
) -> Iterator[SeedFinding]:
    """Every acceptance test without a test that was red by itself on the code before."""
    report = red.report
    failed = {r.id for r in report.results if _failed_by_itself(report, r)} if report else set()
    failed |= by_constants
    passed = report.of(Ended.PASSED) if report else frozenset()
    for link in links:
        if link.acceptance_test in kept or not link.tests or failed.intersection(link.tests):
            continue
        if passed.intersection(link.tests):
            yield SeedFinding(link.acceptance_test, "its test passes without the implementation: it was never red")
        elif is_uncompiled(red):
            reason = "its test does not compile without the implementation, and passes with constants in its place"
            yield SeedFinding(link.acceptance_test, f"{reason}: assert on what only the real code returns")
        elif report is not None and report.loading:
            reason = f"its test cannot even be loaded without the implementation ({report.loading[0][:160]})"
            yield SeedFinding(
                link.acceptance_test, f"{reason}: import what is missing inside the test, so that the test itself fails"
            )
        else:
            yield SeedFinding(link.acceptance_test, "its test was not run without the implementation")


def _failing(green: Ran) -> Iterator[SeedFinding]:
    report, seen = green.report, green.seen
    failed = [r for r in report.results if r.ended is Ended.FAILED] if report else []
    for result in failed[:SHOWN]:
        yield SeedFinding(result.id, result.message or "failed")
    if len(failed) > SHOWN:
        yield SeedFinding(f"{len(failed) - SHOWN} more tests", "failed")
    for line in report.loading if report else ():
        yield SeedFinding(line[:200], "could not be loaded")
    if seen.seen is not Seen.PASSED and not failed and not (report and report.loading):
        yield SeedFinding(seen.command, f"it {seen.seen.text}: {seen.reason or seen.excerpt.strip()[:200]}")


def refusing(objections: Sequence[Objection]) -> Iterator[SeedFinding]:
    for objection in objections:
        if objection.weight in (Weight.REFUSE, Weight.UNPROVEN):
            yield SeedFinding(objection.where or objection.subject, str(objection))


def red_checks(checks: Sequence[Verdict]) -> Iterator[SeedFinding]:
    for verdict in checks:
        if verdict.outcome is not Outcome.PASS:
            yield SeedFinding(verdict.subject, verdict.because)


def _say(red: Ran) -> str:
    match red.seen.seen:
        case Seen.PASSED:
            return "they passed"
        case Seen.FAILED:
            return red.seen.reason or red.seen.excerpt.strip()[:160] or "no test failed by itself"
        case _:
            return red.seen.reason or red.seen.seen.text
