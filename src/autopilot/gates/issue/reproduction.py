"""Is a bug shown? A new test that fails by itself, every time, while the other tests end as before."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from autopilot.gates.evidence.test_id import some
from autopilot.gates.evidence.test_run import judge_tests
from autopilot.gates.issue.anchor_test import how_ended, is_in, names_test, results_of, why_not_run
from autopilot.gates.issue.coverage import Coverage, is_executed
from autopilot.gates.issue.oracle import Oracle, Ran, refusing
from autopilot.model.evidence.objection import Objection
from autopilot.model.evidence.testing import Ended, TestReport
from autopilot.model.issue.issue import Cause, CauseClass, Link, OracleState, SeedFinding

KIND, TEXT, FILES = "cause.kind", "cause.text", "cause.files"


class Brought(Struct, frozen=True):
    """What came with a reproduction, against the commit it was begun on."""

    tests: tuple[str, ...] = ()  # test files, and what tests read, that are new or were changed
    rewritten: tuple[str, ...] = ()  # of these, such as were there and lost lines
    objections: tuple[Objection, ...] = ()  # to other changes of what judges


def judge_reproduction(cause: Cause | None, base: Ran, now: Ran, shown: Sequence[Ran], brought: Brought) -> Oracle:
    """``base`` and ``now``: the whole suite without the reproduction and with it. ``shown``: runs as the fix will be
    judged by them. It holds only where nothing is left to fix: a bug that is not shown yet is no matter for a person.
    """
    test = cause.test if cause else ""
    ends = [how_ended(test, ran) for ran in shown]
    findings = [
        *judge_claim(cause, CauseClass),
        *_files(cause, now.report, brought),
        *(_not_shown(test, ends, shown) if names_test(test) else ()),
        *_beside(test, shown),
        *_suite(test, base, now, cause.files if cause else ()),
        *(
            SeedFinding(path, "lines of existing tests were removed: only add to the file, or use a new file")
            for path in brought.rewritten
        ),
        *refusing(brought.objections),
    ]
    state = OracleState(
        red_observed=bool(ends) and all(end is Ended.FAILED for end in ends),
        at_green=not findings,
        coverage_ok=bool(ends) and None not in ends,
        uncovered=() if ends and None not in ends else (test or "reproduction",),
        failing=tuple(sorted({finding.evidence_ref for finding in findings})),
    )
    return Oracle(state, tuple(findings))


def cover_by_reproduction(test: str, report: TestReport | None) -> Coverage:
    """The failing reproduction in the place of a map from criteria to tests: it was executed, or nothing is covered."""
    results = results_of(test, report)
    ok = bool(results) and all(map(is_executed, results))
    passed = tuple(result.id for result in results if result.ended is Ended.PASSED)
    problem = "" if ok else "it was not executed"
    problems = () if ok else (SeedFinding(f"{test}: {problem}", "make it run; neither skip nor rename it"),)
    return Coverage(ok, () if ok else (test,), (Link(test, (), passed, problem),), problems)


def judge_claim(cause: Cause | None, kinds: Iterable[str]) -> Iterator[SeedFinding]:
    """What a person is to agree with has to be there as a whole."""
    known = [str(kind) for kind in kinds]
    if cause is None:
        yield SeedFinding(
            "cause", f"the reply contains no cause: give its kind ({', '.join(known)}), text, test and files"
        )
        return
    if cause.kind not in known:
        yield SeedFinding(KIND, f"{cause.kind or 'nothing'!r} is not one of {', '.join(known)}")
    if not cause.text.strip():
        yield SeedFinding(TEXT, "say what is wrong, and where")
    if not names_test(cause.test):
        yield SeedFinding(
            "cause.test", f"{cause.test or 'nothing'!r} names no test: use the name that the test tool reports"
        )


def _files(cause: Cause | None, report: TestReport | None, brought: Brought) -> Iterator[SeedFinding]:
    """What it names is pinned when a person agrees, so it has to be all of the reproduction and nothing else."""
    if cause is None:
        return
    named = {path.removeprefix("./") for path in cause.files}
    if not named:
        yield SeedFinding(FILES, "name the files of the reproduction")
    for path in sorted(named - set(brought.tests)):
        yield SeedFinding(FILES, f"{path} is not a test file of the reproduction")
    for path in sorted(set(brought.tests) - named):
        yield SeedFinding(FILES, f"{path} is part of the reproduction and is not named")
    if not is_in(cause.test, report, cause.files):
        yield SeedFinding(FILES, f"{cause.test} is in another file than the named ones")


def _not_shown(test: str, ends: Sequence[Ended | None], shown: Sequence[Ran]) -> Iterator[SeedFinding]:
    unseen = [ran for ran, end in zip(shown, ends, strict=True) if end is None]
    passed = ends.count(Ended.PASSED)
    if unseen or not ends:
        yield why_not_run(test, unseen[0]) if unseen else SeedFinding(test, "it was not run")
    elif passed == len(ends):
        yield SeedFinding(test, "the reproduction passes: the bug is not shown")
    elif passed:
        message = f"it passed in {passed} of {len(ends)} runs: make it fail every time"
        yield SeedFinding(test, f"{message}; use the flaky route for a test that fails only sometimes")


def _beside(test: str, shown: Sequence[Ran]) -> Iterator[SeedFinding]:
    """What else is red in the run that shows the bug would keep it red when the bug is gone."""
    own = {result.id for ran in shown for result in results_of(test, ran.report)}
    red = {id for ran in shown if ran.report for id in ran.report.of(Ended.FAILED)} - own
    if own and red:
        satisfy = "put the reproduction into a new file, or make --at-command run it alone"
        yield SeedFinding(min(red), f"other tests than the reproduction are red: {some(red)}; {satisfy}")


def _suite(test: str, base: Ran, now: Ran, files: Sequence[str]) -> Iterator[SeedFinding]:
    """Every test that was there says what it said. What is new in the files of the reproduction may be red."""
    if now.report is None:
        return
    known = base.report.of(*Ended) if base.report else frozenset()
    red = {result.id for result in results_of(test, now.report) if result.ended is Ended.FAILED}
    kept = [r for r in now.report.results if r.id not in red and (r.id in known or r.file not in files)]
    # Why the reproduction itself could not be loaded is told with it.
    own_name = re.compile("|".join(rf"\b{re.escape(PurePosixPath(path).stem)}\b" for path in files) or "(?!)")
    unloaded = tuple(line for line in now.report.loading if not own_name.search(line))
    others = replace(now.report, results=tuple(kept), loading=unloaded)
    silent = base.report is not None and bool(base.report.problem)
    before = _without(base.report, red | _moved(test, base.report, now.report))
    yield from refusing(judge_tests("suite", before, others, must_run=False, silent_base=silent))


def _moved(test: str, base: TestReport | None, now: TestReport) -> set[str]:
    """A tool may know the cases of a test by their places, and a new case moves those behind it: none of them is lost
    while as many pass as did before."""
    before, after = _passed(test, base), _passed(test, now)
    return before - now.of(*Ended) if len(before) <= len(after) else set()


def _passed(test: str, report: TestReport | None) -> set[str]:
    return {result.id for result in results_of(test, report) if result.ended is Ended.PASSED}


def _without(report: TestReport | None, ids: set[str]) -> TestReport | None:
    if report is None:
        return None
    return replace(report, results=tuple(result for result in report.results if result.id not in ids))
