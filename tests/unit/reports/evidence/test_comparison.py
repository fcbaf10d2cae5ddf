"""Evidence that was run again: the same, another, or not run at all. covers: T8, T8.R"""

from __future__ import annotations

import json

import pytest

from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.testing import Ended, Grade, Tally, TestReport, TestResult, tally
from autopilot.reports.evidence.comparison import (
    Compared,
    Comparison,
    compare,
    exit_status_of,
    render_compared,
    render_total,
    reproved_document,
)
from tests.unit.making import make_observation

REPORTS = {
    "one": TestReport("pytest", Grade.REPORT, (TestResult("a", Ended.PASSED), TestResult("b", Ended.PASSED))),
    "skip": TestReport("pytest", Grade.REPORT, (TestResult("a", Ended.PASSED), TestResult("b", Ended.SKIPPED))),
    "other": TestReport("pytest", Grade.REPORT, (TestResult("a", Ended.PASSED), TestResult("c", Ended.PASSED))),
}


def seen(report: str = "", word: Seen = Seen.PASSED, lines: tuple[tuple[str, bool], ...] = ()) -> Observation:
    return make_observation("c1", word, tests=tally(REPORTS[report], report) if report else None, lines=lines)


GONE = make_observation("c1", tests=Tally("pytest", Grade.REPORT, 2, report="gone"))
FEWER = make_observation("c1", tests=Tally("pytest", Grade.REPORT, 1, report="gone"))


def again(recorded: Observation, now: Observation) -> Compared:
    return compare("1", "after", recorded, now, REPORTS.get, REPORTS.get)


@pytest.mark.parametrize(
    ("recorded", "now", "result", "words"),
    [
        (seen(), seen(), Comparison.SAME, ""),
        (seen("one"), seen("one"), Comparison.SAME, ""),
        (seen(), seen("one"), Comparison.SAME, ""),  # nothing was known of single tests then
        (seen(word=Seen.FAILED), seen(), Comparison.DIFFERS, "it failed and now passed"),
        (seen("one"), seen("skip"), Comparison.DIFFERS, "1 test with another result: b"),
        (seen("one"), seen("other"), Comparison.DIFFERS, "1 test missing: b"),
        (seen("one"), seen(), Comparison.DIFFERS, "pytest wrote no report"),
        (seen(lines=(("x", True),)), seen(lines=(("x", False),)), Comparison.DIFFERS, "'x'"),
        (GONE, GONE, Comparison.SAME, ""),
        (GONE, FEWER, Comparison.DIFFERS, "(2, 0, 0, 0), now (1, 0, 0, 0)"),
        (seen("one"), make_observation("c1", Seen.NOTHING, reason="no sandbox"), Comparison.NOT_RUN, ""),
    ],
)
def test_what_is_seen_again_is_compared_test_by_test(
    recorded: Observation, now: Observation, result: Comparison, words: str
) -> None:
    compared = again(recorded, now)
    assert compared.result is result
    assert words in "; ".join(compared.differences)
    assert bool(compared.differences) is (result is Comparison.DIFFERS)
    assert render_compared(compared).startswith(f"{result.value}: phase 1, c1 at c1: ")


SAME = again(seen(), seen())
OTHER = again(seen(), seen(word=Seen.FAILED))
NOT_RUN = again(seen(), seen(word=Seen.NOTHING))


@pytest.mark.parametrize(
    ("compared", "status"),
    [((SAME, SAME), 0), ((SAME, OTHER, NOT_RUN), 1), ((SAME, NOT_RUN), 5), ((), 5)],
)
def test_a_script_learns_from_the_exit_status(compared: tuple[Compared, ...], status: int) -> None:
    assert exit_status_of(compared) == status


def test_the_total_and_the_document_count_the_same() -> None:
    every = (SAME, OTHER, NOT_RUN, SAME)
    assert render_total(every) == "4 pieces of evidence run again: 2 same, 1 differs, 1 could not be run"
    assert render_total((NOT_RUN, NOT_RUN)) == "2 pieces of evidence: none could be run again"
    found = json.loads(json.dumps(reproved_document("run-1", every)))
    assert (found["same"], found["differs"], found["not_run"], len(found["evidence"])) == (2, 1, 1, 4)
