"""A criterion that is one example stands under "Not checked", unless something asks for more. covers: T8"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from autopilot.events.pieces import TaskState
from autopilot.events.state import PhaseState
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.testing import Grade, Tally
from autopilot.reports.evidence.examples import examples_of
from autopilot.reports.evidence.unchecked import unchecked_in_phase
from tests.unit.making import make_criterion, make_observation, make_phase, make_state, make_task

SWAPS = "python3 -c \"import words; print(words.swapcase('{}'))\""
ASKED = make_criterion("01-01.c1", "it swaps", command=SWAPS.format("Ada"))
HELD = make_criterion("phase.h1", "it swaps too", command=SWAPS.format("bob"))
NOTICED = make_observation("mutant:test", Seen.FAILED, tests=Tally("pytest", Grade.REPORT, failed=1))


def phase(*probes: Observation, held: bool = False) -> PhaseState:
    task = TaskState(make_task("01-01", ASKED), probes=probes)
    made = replace(make_phase(), tasks={"01-01": task})
    return replace(made, plan=replace(made.plan, held_out=(HELD,) if held else ()))


@pytest.mark.parametrize(
    ("given", "alone"),
    [
        (phase(), [ASKED.text]),
        (phase(held=True), []),
        (phase(NOTICED), []),
        (phase(replace(NOTICED, seen=Seen.PASSED)), [ASKED.text]),
        (phase(replace(NOTICED, tests=None)), [ASKED.text]),
    ],
)
def test_an_example_is_alone_unless_another_or_a_test_that_notices_stands_beside_it(
    given: PhaseState, alone: list[str]
) -> None:
    assert examples_of(given) == alone


def test_it_is_listed_among_what_was_not_checked() -> None:
    shown = unchecked_in_phase(make_state(phase()), phase())
    assert "it swaps: this criterion is one example, other inputs were not compared" in shown
    assert not any("one example" in line for line in unchecked_in_phase(make_state(phase()), phase(held=True)))
