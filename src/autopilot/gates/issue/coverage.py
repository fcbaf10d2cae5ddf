"""Is every acceptance criterion covered? A map from criterion to acceptance test to executed test, both ways."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from autopilot.gates.evidence.test_id import some
from autopilot.gates.issue.belonging import meets, owned
from autopilot.model.evidence.testing import By, Ended, TestReport, TestResult
from autopilot.model.issue.issue import AcceptanceState, AcceptanceTest, Link, SeedFinding

_NOT_RUN = (By.LOADING, By.ABSENT)  # what is called failed there was never begun


class Coverage(Struct, frozen=True):
    ok: bool
    uncovered: tuple[str, ...]  # criteria that no acceptance test names, or only such as were not executed
    links: tuple[Link, ...]
    problems: tuple[SeedFinding, ...]


class _Covering(Struct, frozen=True):
    """One acceptance test with what ran for it."""

    test: AcceptanceTest
    results: tuple[TestResult, ...]
    unmet: tuple[str, ...]  # tests it names that did not run

    @property
    def is_executed(self) -> bool:
        return any(map(is_executed, self.results))


def judge_coverage(
    criteria: Sequence[str],
    tests: Sequence[AcceptanceTest],
    report: TestReport | None,
    approved: Sequence[AcceptanceTest] = (),
) -> Coverage:
    """A test that failed was executed: whether it is green is asked elsewhere. Without a report nothing was.

    ``approved``: as a person saw them. More may come, and none of them may go.
    """
    usable = report is not None and not report.problem
    results = report.results if report is not None and usable else ()
    coverings = [_covering(test, results, tests) for test in tests]
    asked = tuple(dict.fromkeys(criteria))
    uncovered = tuple(id for id in asked if not any(c.is_executed and id in c.test.covers for c in coverings))
    known, counted = frozenset(asked), Counter(test.id for test in tests)
    wrongs = [list(_wrongs(covering, known, counted, usable)) for covering in coverings]
    problems = [*_of_the_whole(asked, tests, report), *_of_approved(approved, tests, known)]
    problems += [_of_criterion(id, tests) for id in uncovered]
    problems += _of_shared(coverings, approved)
    problems += [
        SeedFinding(f"{c.test.id}: {description}", do)
        for c, own in zip(coverings, wrongs, strict=True)
        for description, do in own
    ]
    links = tuple(_link(covering, own[0][0] if own else "") for covering, own in zip(coverings, wrongs, strict=True))
    return Coverage(not problems, uncovered, links, tuple(dict.fromkeys(problems)))


def find_kept(approved: Sequence[AcceptanceTest], tests: Sequence[AcceptanceTest]) -> frozenset[str]:
    """Those that a person approved as regressions, where they claim no more than they did then."""
    covered = {test.id: set(test.covers) for test in approved if test.state == AcceptanceState.REGRESSION}
    return frozenset(test.id for test in tests if test.id in covered and set(test.covers) <= covered[test.id])


def is_executed(result: TestResult) -> bool:
    return result.ended is Ended.PASSED or (result.ended is Ended.FAILED and result.by not in _NOT_RUN)


def _covering(test: AcceptanceTest, results: Sequence[TestResult], tests: Sequence[AcceptanceTest]) -> _Covering:
    own = owned(test, results, [other.id for other in tests])
    ran = [result for result in own if is_executed(result)]
    unmet = tuple(name for name in test.tests if not any(meets(name, result, test.id) for result in ran))
    return _Covering(test, own, unmet)


def _of_the_whole(
    criteria: Sequence[str], tests: Sequence[AcceptanceTest], report: TestReport | None
) -> Iterator[SeedFinding]:
    if not criteria:
        yield SeedFinding("no acceptance criterion is defined", "give each criterion an id of its own: `- AC-1: …`")
    if not tests:
        yield SeedFinding("no acceptance test is declared", "declare each: `- [ ] [planned] AT-001: … Covers: AC-1`")
    if report is None:
        yield SeedFinding("the acceptance tests reported no single test", "run them with a tool that reports each test")
    elif report.problem:
        yield SeedFinding(f"the report of the acceptance tests cannot be used: {report.problem}")


def _of_approved(
    approved: Sequence[AcceptanceTest], tests: Sequence[AcceptanceTest], known: frozenset[str]
) -> Iterator[SeedFinding]:
    """Criteria that are defined nowhere may be put right; whatever else was approved stays declared."""
    now: dict[str, set[str]] = {}
    for test in tests:
        now.setdefault(test.id, set()).update(test.covers)
    for test in approved:
        lost = [id for id in test.covers if id in known and id not in now.get(test.id, ())]
        if test.id not in now:
            yield SeedFinding(f"{test.id}: approved, and no longer declared", "restore its entry")
        elif lost:
            yield SeedFinding(f"{test.id}: approved for {some(lost)}, which it no longer names", "put it back")


def _of_shared(coverings: Sequence[_Covering], approved: Sequence[AcceptanceTest]) -> Iterator[SeedFinding]:
    """Two that rest on the very same tests are one under two names, unless a person saw them declared so."""
    agreed = {(test.id, test.tests) for test in approved if test.tests}
    first: dict[frozenset[str], str] = {}
    for covering in coverings:
        test, ran = covering.test, frozenset(result.id for result in covering.results)
        other = first.setdefault(ran, test.id) if ran else test.id
        if other != test.id and (test.id, test.tests) not in agreed:
            description = f"{test.id}: it uses the same tests as {other}: {some(sorted(ran))}"
            yield SeedFinding(description, "give each acceptance test a test of its own")


def _of_criterion(id: str, tests: Sequence[AcceptanceTest]) -> SeedFinding:
    naming = [test.id for test in tests if id in test.covers]
    if not naming:
        return SeedFinding(f"{id}: no acceptance test covers it", f"add a test and name {id} in its entry")
    return SeedFinding(f"{id}: none of its acceptance tests was executed ({some(naming)})", "make one of them run")


def _wrongs(
    covering: _Covering, known: frozenset[str], counted: Counter[str], usable: bool
) -> Iterator[tuple[str, str]]:
    """What was observed, and what would fix it. The most important first: it is the one that the map shows."""
    test = covering.test
    if counted[test.id] > 1:
        yield "the id is declared more than once", "give each acceptance test an id of its own"
    if not test.covers:
        yield "it names no acceptance criterion", "say which one it covers, or remove it"
    if strange := [id for id in test.covers if id not in known]:
        yield (
            f"it names ids that are not acceptance criteria: {some(strange)}",
            "name criteria of prd.md and user-stories.md",
        )
    if not usable:
        return
    for ended, label in ((Ended.SKIPPED, "skipped"), (Ended.XFAILED, "expected to fail")):
        if skipped := [result.id for result in covering.results if result.ended is ended]:
            yield f"{label}, not executed: {some(skipped)}", "make it run"
    if covering.unmet:
        yield (
            f"it names tests that were not executed: {some(covering.unmet)}",
            "make the command run it, or name a test that it runs",
        )
    elif not covering.is_executed:
        yield (
            "no executed test has its id",
            f"put {test.id} into the test's name, or name the test: `Test: …`",
        )


def _link(covering: _Covering, problem: str) -> Link:
    passed = tuple(result.id for result in covering.results if result.ended is Ended.PASSED)
    return Link(covering.test.id, covering.test.covers, passed, problem)
