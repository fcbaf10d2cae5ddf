"""Estimates.

covers: MTRC-02
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.model.planning.estimate import Estimate
from autopilot.model.planning.phase_type import PhaseType
from autopilot.model.planning.plan import Task
from autopilot.planning.choosing.estimate import estimate_run, estimate_tokens, over_cap_warning

COMPLEXITIES = st.lists(st.sampled_from(["simple", "medium", "complex", "", "huge"]))


def tasks(*complexities: str) -> list[Task]:
    return [Task(f"1-{number}", "T", complexity=word) for number, word in enumerate(complexities)]


@pytest.mark.parametrize(
    ("complexities", "expected"),
    [
        (("simple",), Estimate(78_000, simple=1)),
        (("medium",), Estimate(96_000, medium=1)),
        (("complex",), Estimate(132_000, complex=1)),
        (("simple", "medium", "complex"), Estimate(186_000, 1, 1, 1)),
        (("",), Estimate(96_000, unknown=1)),
        (("enormous", "simple"), Estimate(114_000, simple=1, unknown=1)),
    ],
)
def test_a_plan_costs_its_tasks_and_the_pipeline_with_a_buffer(
    complexities: tuple[str, ...], expected: Estimate
) -> None:
    assert estimate_tokens(tasks(*complexities), PhaseType.UI) == expected


@pytest.mark.parametrize(
    ("phase_type", "tokens"),
    [
        (PhaseType.PROTOCOL, 180_000),
        (PhaseType.UI, 300_000),
        (PhaseType.DATA, 120_000),
        (PhaseType.MIXED, 240_000),
    ],
)
def test_an_unplanned_phase_costs_what_its_type_usually_does(phase_type: PhaseType, tokens: int) -> None:
    assert estimate_tokens([], phase_type) == Estimate(tokens)


@pytest.mark.parametrize(
    ("tokens", "cap", "said"),
    [
        (400_000, 500_000, ""),
        (400_001, 500_000, "the cap of 500,000 tokens is hardly above the estimate of 400,001"),
        (600_000, 500_000, "the cap of 500,000 tokens is below the estimate of 600,000"),
        (600_000, 0, ""),
    ],
)
def test_more_than_four_fifths_of_the_cap_is_warned_of(tokens: int, cap: int, said: str) -> None:
    assert over_cap_warning(Estimate(tokens), cap) == said


def test_complex_tasks_are_named_as_what_could_be_split() -> None:
    assert over_cap_warning(Estimate(9, complex=1), 10).endswith("; splitting the complex tasks would help")


@given(COMPLEXITIES, st.sampled_from(["simple", "medium", "complex", ""]))
def test_every_task_counts_once_and_costs_something(words: list[str], more: str) -> None:
    before = estimate_tokens(tasks("simple", *words), PhaseType.DATA)
    after = estimate_tokens(tasks("simple", *words, more), PhaseType.DATA)
    assert after.tokens > before.tokens and after.tasks == before.tasks + 1 == len(words) + 2


@given(st.lists(COMPLEXITIES))
def test_a_run_costs_the_sum_of_its_phases(phases: list[list[str]]) -> None:
    single = [estimate_tokens(tasks(*words), PhaseType.MIXED) for words in phases]
    total = estimate_run(single)
    assert total.tokens == sum(one.tokens for one in single) and total.tasks == sum(one.tasks for one in single)
