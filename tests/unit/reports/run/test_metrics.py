"""The figures of runs and how they move: one run, the array of all, and the trend (MTRC-01, MTRC-03)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.events.people import HumanAsked
from autopilot.events.pieces import PhaseDebug
from autopilot.events.state import PhaseState
from autopilot.events.talk import HumanGate
from autopilot.model.human import GateKind
from autopilot.model.run import PhaseStatus, RunStatus
from autopilot.reports.run.metrics import (
    RunMetrics,
    failure_histogram,
    find_rows,
    foreign_rows,
    is_over,
    merge_metrics,
    run_metrics,
)
from autopilot.reports.run.trend import FIRST, find_trend, trend_lines, trend_section
from tests.unit.making import ONE, START, TWO, alter, make_phase, make_state, make_verification
from tests.unit.reports.ending_states import broken_state, closed_state, done_phase, failed_phase

# covers: MTRC-01, MTRC-03
GATE = HumanGate(HumanAsked("map", GateKind.MAP, "more is needed"), START)


def test_a_run_is_summed_up_in_figures() -> None:
    found = run_metrics(broken_state())
    counts = (found.phases_attempted, found.phases_succeeded, found.phases_failed, found.phases_human_deferred)
    assert counts == (3, 1, 1, 1)
    assert (found.phases_skipped, found.success_rate, found.avg_alignment_score) == (2, 0.3333, 9.6)
    assert (found.total_duration_minutes, found.total_debug_loops) == (30.0, 2)
    assert (found.total_estimated_tokens, found.total_tokens_used, found.total_usd) == (100_000, 120_000, 1.25)
    assert found.usd_is_estimate is True
    assert found.failure_taxonomy_histogram == {"acceptance_criteria_unmet": 1}
    first = found.per_phase_summary[0]
    assert (first.phase_id, first.status, first.alignment_score, first.duration_minutes) == ("1", "completed", 9.6, 10)
    assert [each.phase_id for each in found.per_phase_summary] == ["1", "2", "4"]


@pytest.mark.parametrize(("score", "successes"), [(9.6, 1), (7.0, 1), (6.9, 0), (None, 1)])
def test_a_completed_phase_below_seven_is_no_success(score: float | None, successes: int) -> None:
    done = make_phase(status=PhaseStatus.COMPLETED, score=score)
    assert run_metrics(make_state(done)).phases_succeeded == successes


def mended(*categories: str) -> PhaseDebug:
    return PhaseDebug(1, (), "c1", (), (), categories)


@pytest.mark.parametrize(
    ("phases", "failures", "expected"),
    [
        ((done_phase(),), (), {}),
        (
            (done_phase(debug_rounds=(mended("lint_failure", "build_failure"),)),),
            (),
            {"build_failure": 1, "lint_failure": 1},
        ),
        # One that failed at last is told once, though it stands in both places.
        ((failed_phase(),), (failed_phase(),), {"acceptance_criteria_unmet": 1}),
        # One that failed and then passed is told too.
        ((done_phase(TWO),), (failed_phase(),), {"acceptance_criteria_unmet": 1}),
        ((make_phase(verification=make_verification(False, failures=())),), (), {}),
    ],
)
def test_failures_of_every_attempt_are_counted_by_kind(
    phases: tuple[PhaseState, ...], failures: tuple[PhaseState, ...], expected: dict[str, int]
) -> None:
    assert failure_histogram(make_state(*phases, failures=failures)) == expected


@pytest.mark.parametrize(
    ("changes", "over"),
    [
        ({}, True),
        ({"status": RunStatus.COMPLETED}, True),
        ({"status": RunStatus.WAITING}, True),
        ({"status": RunStatus.WAITING, "gates": {"map": GATE}}, False),
        ({"status": RunStatus.PAUSED}, False),
        ({"status": RunStatus.PAUSED, "archived": True}, True),
        ({"exit_status": None}, False),
        ({"phases": {ONE: make_phase(started_at=None)}}, False),
    ],
)
def test_a_run_counts_when_it_is_over_and_began_a_phase(changes: dict[str, Any], over: bool) -> None:
    assert is_over(alter(broken_state(), **changes)) is over


def figures(run: str, **more: Any) -> RunMetrics:
    return replace(run_metrics(broken_state(run=run)), **{"timestamp": f"2025-01-01T12:0{run[-1]}:00Z", **more})


def merged(kept: str | None, *ours: RunMetrics, known: tuple[str, ...] = ("run-1", "run-2")) -> list[Any]:
    rows: list[Any] = json.loads(merge_metrics(kept.encode() if kept is not None else None, ours, known))
    return rows


def test_the_array_holds_every_run_once_whoever_wrote_it_before() -> None:
    kept = json.dumps(
        [
            {"run_id": "run-0", "timestamp": "2024-12-31T00:00:00Z", "note": "of another machine"},
            {"run_id": "run-1", "timestamp": "2025-01-01T12:01:00Z", "phases_attempted": 99},
        ]
    )
    rows = merged(kept, figures("run-1"), figures("run-2"))
    assert [row["run_id"] for row in rows] == ["run-0", "run-1", "run-2"]
    assert rows[0]["note"] == "of another machine"
    assert rows[1]["phases_attempted"] == 3


def test_a_run_that_was_taken_up_again_has_no_row_until_it_is_over() -> None:
    kept = json.dumps([{"run_id": "run-2", "timestamp": ""}])
    assert [row["run_id"] for row in merged(kept, figures("run-1"))] == ["run-1"]


@pytest.mark.parametrize("kept", [None, "", "{}", "no json"])
def test_what_is_no_array_is_replaced(kept: str | None) -> None:
    assert [row["run_id"] for row in merged(kept, figures("run-1"))] == ["run-1"]


def test_rows_of_another_shape_stay_too() -> None:
    assert merged('[1, [], "x"]', figures("run-1"))[:3] == [1, [], "x"]


def test_runs_of_another_program_count_in_the_trend_as_far_as_they_can_be_read() -> None:
    theirs = {
        "run_id": "run-2026-02-10-143052",
        "timestamp": "2024-12-10T16:45:00Z",
        "success_rate": 0.5,
        "avg_alignment_score": 7.8,
        "total_estimated_tokens": 425000,
        "failure_taxonomy_histogram": {"lint_failure": 1},
    }
    broken = [{**theirs, "success_rate": value} for value in ("0.5", None, 7, [])]
    later = {**theirs, "timestamp": "2099-01-01T00:00:00Z"}
    kept = json.dumps([7, *broken, {**theirs, "run_id": 3}, later, theirs, {**theirs, "run_id": "run-1"}]).encode()
    found = foreign_rows(kept, ("run-1",), figures("run-1").timestamp)
    assert [row.run_id for row in found] == ["run-2026-02-10-143052"]
    trend = find_trend([*found, figures("run-1")])
    assert trend is not None and trend.previous == "run-2026-02-10-143052" and trend.historical.total_runs == 2
    assert (trend.success_rate_before, trend.tokens_delta) == (0.5, None)
    assert "Tokens used: n/a" in trend_lines(trend)


def test_a_first_run_has_no_trend_and_says_so() -> None:
    assert find_trend([figures("run-1")]) is None
    assert trend_section(None) == f"{FIRST}\n"


def test_a_trend_is_the_difference_from_the_run_before_and_the_range_of_all() -> None:
    first = figures("run-1", success_rate=0.5, avg_alignment_score=8.0, total_estimated_tokens=1000)
    second = figures("run-2", success_rate=0.8, avg_alignment_score=9.0, total_estimated_tokens=3000)
    third = figures("run-3", success_rate=0.9, avg_alignment_score=9.4, total_estimated_tokens=2000)
    trend = find_trend([first, second, replace(third, failure_taxonomy_histogram={"lint_failure": 1})])
    assert trend is not None
    deltas = (trend.success_rate_delta, trend.avg_alignment_delta, trend.estimated_cost_delta)
    assert (trend.previous, deltas, trend.warning) == ("run-2", (0.1, 0.4, -1000), "")
    assert trend.recurring_failures == ()
    past = trend.historical
    assert past.total_runs == 3
    assert past.success_rate is not None and (past.success_rate.min, past.success_rate.max) == (0.5, 0.9)
    assert past.avg_alignment is not None and past.avg_alignment.avg == 8.8
    assert past.total_cost is not None and (past.total_cost.min, past.total_cost.avg) == (1000, 2000)


def test_a_falling_success_rate_is_warned_of_and_what_recurs_is_named() -> None:
    trend = find_trend([figures("run-1", success_rate=1.0), figures("run-2")])
    assert trend is not None
    assert trend.warning.startswith("the success rate fell from 100% to 33% since the run before; ")
    text = trend_section(trend)
    assert text.startswith(f"**Warning: {trend.warning}**")
    assert "- Success rate: 33% (-67 points)" in text
    assert "- Recurring failures: acceptance_criteria_unmet" in text


def test_a_run_without_scores_has_no_difference_in_them() -> None:
    trend = find_trend([figures("run-1", avg_alignment_score=None), figures("run-2")])
    assert trend is not None and trend.avg_alignment_delta is None
    assert "- Average alignment: n/a" in trend_section(trend)


def test_what_an_audited_run_cost_and_gave_is_in_its_figures() -> None:
    assert run_metrics(closed_state()).success_rate == 1.0


@pytest.mark.parametrize("value", [b"[]", b"{}", b"0", b'""'])
def test_a_file_that_no_runs_have_made_is_not_decoded(value: bytes) -> None:
    """Just below the limit of a document, it would be two gigabytes of objects."""
    few, many = (b"[" + b",".join([value] * count) + b"]" for count in (1_000, 15_000_000 // len(value)))
    assert find_rows(few) is not None, "the control"
    assert find_rows(many) is None
    assert find_rows(b"[" + b" " * 16_000_000 + b"]") is None
