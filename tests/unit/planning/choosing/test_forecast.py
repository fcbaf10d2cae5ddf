"""What a run would come to. covers: MTRC-02, CMAP-05"""

from __future__ import annotations

from typing import Any

import pytest

from autopilot.model.intent import Purpose
from autopilot.model.planning.estimate import Estimate
from autopilot.model.planning.forecast import Forecast, Rate
from autopilot.model.planning.phase_type import PhaseType
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.planning.sufficiency import Sufficiency
from autopilot.model.policy import Budget
from autopilot.model.run import PhaseBrief
from autopilot.planning.choosing.estimate import ROUND_TOKENS, estimate_work, run_warning
from autopilot.planning.choosing.forecast import Prospect, make_forecast, phase_waves
from autopilot.reports.run.forecast import forecast_document, render_forecast
from tests.unit.making import make_brief, make_task


def briefs(**waits: str) -> tuple[PhaseBrief, ...]:
    """``briefs(p1="", p2="1")``"""
    pairs = ((PhaseId(name[1:]), text.split()) for name, text in waits.items())
    return tuple(make_brief(id, *(PhaseId(one) for one in needed)) for id, needed in pairs)


DIAMOND = briefs(p1="", p2="1", p3="1", p4="2 3", p5="")


@pytest.mark.parametrize(
    ("phases", "at_once", "waves"),
    [
        (DIAMOND, 1, [1, 2, 3, 4, 5]),
        (DIAMOND, 2, [1, 2, 2, 3, 1]),
        (DIAMOND, 9, [1, 2, 2, 3, 1]),
        (briefs(p1="", p2="", p3="", p4=""), 3, [1, 1, 1, 2]),
        (briefs(p4="9"), 2, [1]),  # what it waits for is not part of the run
        (briefs(p1="2", p2="1"), 2, [1, 2]),  # completed before, in a circle or not: the order given
        ((), 3, []),
    ],
)
def test_waves_hold_what_may_run_side_by_side(phases: tuple[PhaseBrief, ...], at_once: int, waves: list[int]) -> None:
    found = phase_waves(phases, at_once)
    assert [found[brief.id] for brief in phases] == waves


def make(*phases: PhaseBrief, tokens: int = 100_000, **more: Any) -> Forecast:
    estimates = {brief.id: Estimate(tokens) for brief in phases}
    return make_forecast(Prospect("autopilot run", phases, estimates, more.pop("budget", Budget()), **more))


def test_money_and_time_are_told_where_they_are_known_and_else_said_not_to_be() -> None:
    known = make(*DIAMOND, at_once=2, rate=Rate(4.0, "by the price of x"), phase_seconds=60.0)
    assert (known.tokens, known.usd, known.seconds) == (500_000, 2.0, 180.0)
    told = render_forecast(known)
    assert "~2.00 USD (estimate) of at most 20.00, by the price of x" in told and "about 3 min" in told
    assert "order: 1, 5 in parallel, then 2, 3 in parallel, then 4" in told
    unknown = make(*DIAMOND)
    assert (unknown.usd, unknown.seconds) == (None, None)
    assert "cost: unknown (no agent is chosen)" in render_forecast(unknown)
    assert "time: unknown" in render_forecast(unknown)


@pytest.mark.parametrize(
    ("budget", "more", "warning"),
    [
        (
            Budget(tokens=600_000),
            {},
            "the run's cap of 600,000 tokens is hardly above the estimate of 500,000: name fewer phases, or pass",
        ),
        (
            Budget(tokens_per_phase=120_000),
            {},
            "phase 3: the cap of 120,000 tokens is hardly above the estimate of 100,000",
        ),
        (Budget(usd=2.4), {"rate": Rate(4.0, "")}, "~2.00 USD (estimate) with a cap of 2.40 USD"),
        (Budget(minutes=6), {"phase_seconds": 60.0}, "about 5 minutes with a cap of 6"),
    ],
)
def test_more_than_four_fifths_of_a_cap_is_warned_of(budget: Budget, more: dict[str, Any], warning: str) -> None:
    assert any(warning in words for words in make(*DIAMOND, budget=budget, **more).warnings)
    assert make(*DIAMOND, **more).warnings == ()


def test_a_phase_that_says_too_little_is_named_with_the_command_that_asks() -> None:
    stub = PhaseBrief(PhaseId("7"), "Later", "TBD", (), (), ".planning/phases/07-later")
    told = render_forecast(make(stub))
    assert "phase 7 is hardly described (context 1/10): " in told and "`autopilot run --map 7`" in told


def test_what_was_answered_before_counts() -> None:
    stub = PhaseBrief(PhaseId("7"), "Later", "TBD", (), (), ".planning/phases/07-later")
    told = render_forecast(make(stub, known={stub.id: Sufficiency(8, 10.0, 10.0, 2.0, 10.0)}))
    assert "hardly described" not in told


def test_a_call_that_only_asks_is_told_what_is_known_and_not_what_building_would_take() -> None:
    stub = PhaseBrief(PhaseId("7"), "Later", "TBD", (), (), ".planning/phases/07-later")
    told = render_forecast(make(stub, *DIAMOND, at_once=9, only_maps=True))
    assert "would ask about 6 phases" in told and "phase 7 (Later): context 1/10: " in told
    assert not any(word in told for word in ("tokens", "money", "side by side", "--map"))


def test_what_is_only_refined_needs_no_context() -> None:
    stub = PhaseBrief(PhaseId("7"), "Later", "TBD", (), (), ".planning/phases/07-later", purpose=Purpose.REFINE)
    (phase,) = make(stub).phases
    assert (phase.context, phase.lacks) == (None, "")
    assert "refine phase 7 (Later) to a score of 9.5: up to 100,000 tokens" in render_forecast(make(stub))


def test_the_document_says_all_the_text_says() -> None:
    document = forecast_document(make(*DIAMOND, at_once=2, skipped=((PhaseId("9"), "because"),), taken_up="run-1"))
    assert document["waves"] == [["1", "5"], ["2", "3"], ["4"]]
    assert document["skipped"] == [{"phase_id": "9", "reason": "because"}]
    assert (document["taken_up"], document["estimated_tokens"]) == ("run-1", 500_000)


@pytest.mark.parametrize(
    ("purpose", "deficiencies", "tokens"),
    [
        (Purpose.BUILD, 0, 96_000),  # one medium task
        (Purpose.REDO, 0, 120_000),  # planned anew, so its type decides
        (Purpose.REFINE, 0, 3 * ROUND_TOKENS),
        (Purpose.GAPS, 0, ROUND_TOKENS),
        (Purpose.GAPS, 2, 2 * ROUND_TOKENS),
        (Purpose.GAPS, 9, 5 * ROUND_TOKENS),
    ],
)
def test_an_estimate_knows_what_is_to_be_done(purpose: Purpose, deficiencies: int, tokens: int) -> None:
    task = make_task(complexity="medium")
    assert estimate_work(purpose, [task], PhaseType.DATA, deficiencies).tokens == tokens


def test_a_cap_that_one_phase_breaks_is_not_blamed_on_their_number() -> None:
    assert run_warning([Estimate(900)], 1_000) == (
        "the run's cap of 1,000 tokens is hardly above the estimate of 900: pass --budget-tokens 100000",
    )
    (words,) = run_warning([Estimate(450), Estimate(450)], 1_000)
    assert words.endswith(": name fewer phases, or pass --budget-tokens 100000")
    (words,) = run_warning([Estimate(4_000), Estimate(4_000)], 1_000, of_config=True)
    assert words.endswith("is below the estimate of 8,000: raise it in .planning/config.json")  # not one would fit
    assert run_warning([Estimate(400), Estimate(400)], 1_000) == ()
