"""What a refinement means to the phase that was completed before (QUAL, GAPS).

covers: QUAL, GAPS, CENF-03, FORCE
"""

from __future__ import annotations

from typing import Any

import pytest

from autopilot.events.fold import fold_all
from autopilot.events.happened import Event, GateJudged, PhaseCompleted, PhaseRated, PhaseStarted
from autopilot.events.recovery import Exhausted, RemediationStarted, Withdrawn
from autopilot.events.state import PhaseState
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.intent import Earlier, Purpose, Scored
from autopilot.model.run import PhaseStatus
from tests.unit.making import ONE, START, make_brief, make_rating, make_started, store

FIRST = Scored(8.4, START, "initial")


def after(*events: Event, purpose: Purpose = Purpose.REFINE, incomplete: bool = False) -> PhaseState:
    earlier = Earlier("run-0", START, 8.4, incomplete, (FIRST,))
    started = make_started(make_brief(purpose=purpose, earlier=earlier))
    return fold_all(store(started, PhaseStarted(ONE, 1, "base"), *events)).phases[ONE]


def rated(score: float) -> PhaseRated:
    return PhaseRated(ONE, "work", make_rating(), score, "good")


def cycle(number: int, flag: str) -> RemediationStarted:
    return RemediationStarted(ONE, number, 8.4, 9.5, (), flag=flag)


def test_a_withdrawn_refinement_leaves_the_score_and_keeps_what_was_tried_in_the_history() -> None:
    phase = after(cycle(1, "quality"), rated(7.9), Withdrawn(ONE, "it is worse"), PhaseCompleted(ONE, 8.4, ""))
    assert (phase.status, phase.reviews.score, phase.reviews.band, phase.remediation.withdrawn) == (
        PhaseStatus.COMPLETED,
        8.4,
        "",
        "it is worse",
    )
    assert [(each.score, each.flag, each.cycle) for each in phase.totals.history] == [
        (8.4, "initial", 0),
        (7.9, "quality", 1),
    ]


@pytest.mark.parametrize(
    ("purpose", "events", "flags"),
    [
        (Purpose.BUILD, (rated(8.2), cycle(1, ""), rated(9.0)), [("initial", 0), ("initial", 1)]),
        (Purpose.REDO, (rated(8.2),), [("force", 0)]),
        (Purpose.GAPS, (cycle(1, "gaps"), rated(8.2), cycle(2, "gaps"), rated(9.0)), [("gaps", 1), ("gaps", 2)]),
        (
            Purpose.REFINE,
            (cycle(1, "quality"), rated(9.6), cycle(2, "gaps"), rated(9.8)),
            [("quality", 1), ("gaps", 2)],
        ),
    ],
)
def test_every_score_is_kept_with_what_led_to_it(purpose: Purpose, events: Any, flags: list[tuple[str, int]]) -> None:
    assert [(each.flag, each.cycle) for each in after(*events, purpose=purpose).totals.history[1:]] == flags


@pytest.mark.parametrize(
    ("incomplete", "score", "still"), [(True, 8.4, True), (True, 8.9, True), (True, 9.0, False), (False, 8.4, False)]
)
def test_what_was_incomplete_is_so_until_it_reaches_what_a_phase_has_to(
    incomplete: bool, score: float, still: bool
) -> None:
    phase = after(cycle(1, "quality"), rated(score), PhaseCompleted(ONE, score, "work"), incomplete=incomplete)
    assert (phase.remediation.incomplete, phase.reviews.score) == (still, score)


def test_that_it_was_exhausted_is_said_anew_by_every_gate() -> None:
    exhausted = Exhausted(ONE, "quality", 9.2, 9.5, 3)
    judged = GateJudged(ONE, "work", Outcome.PASS, "so", ())
    assert after(cycle(1, "quality"), rated(9.2), judged, exhausted).remediation.exhausted == ("quality",)
    assert after(cycle(1, "quality"), rated(9.2), judged, exhausted, rated(9.6), judged).remediation.exhausted == ()


def test_the_score_of_a_phase_that_is_built_is_its_own() -> None:
    phase = after(rated(9.2), PhaseCompleted(ONE, 0.0, "work"), purpose=Purpose.BUILD)
    assert phase.reviews.score == 9.2
