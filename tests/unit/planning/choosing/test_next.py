"""`next`: the phase its owner would run. covers: INV-1"""

from __future__ import annotations

import pytest

from autopilot.model.errors import NothingOpen, UsageError
from autopilot.model.intent import Intent, Purpose
from autopilot.model.planning.roadmap import Phase, PhaseId, Roadmap
from autopilot.model.planning.standing import Stand, Standing
from autopilot.planning.choosing.purposes import choose_phases
from autopilot.planning.choosing.selection import select_phases


def phase(id: str, *waits: str, stand: Stand = Stand.OPEN, because: str = "") -> Phase:
    return Phase(
        PhaseId(id),
        f"P{id}",
        depends_on=tuple(PhaseId(one) for one in waits),
        ticked=stand is Stand.DONE,
        standing=Standing(stand, because),
    )


DONE, DROPPED = Stand.DONE, Stand.DROPPED
PHASES = (
    phase("1"),
    phase("2", stand=DONE),
    phase("4", "3.1"),
    phase("5"),
    phase("3", stand=DONE),
    phase("3.1"),
    phase("6", stand=DROPPED, because="superseded in the roadmap"),
)


@pytest.mark.parametrize(
    ("current", "chosen", "why"),
    [
        (None, "1", ""),
        ("1", "1", ""),
        ("5", "5", "STATE.md is at phase 5; phase 1 is open as well"),
        ("2", "3.1", "STATE.md is at phase 2, which is done; phase 1 is open as well"),
        ("3", "3.1", "which is done"),
        ("4", "4", "STATE.md is at phase 4;"),
        ("6", "1", ""),
        ("32", "1", ""),
        ("0", "1", ""),
    ],
)
def test_next_is_where_the_state_is_or_the_next_open_phase_after_it(current: str | None, chosen: str, why: str) -> None:
    roadmap = Roadmap("R.md", PHASES, current=PhaseId(current) if current else None)
    selection = select_phases(["next"], roadmap, set())
    assert selection.phases == (chosen,)
    assert bool(selection.reason) == bool(why) and why in selection.reason


def test_after_the_current_phase_one_that_waits_for_an_open_one_lets_others_pass() -> None:
    phases = (phase("1", stand=DONE), phase("2", "4"), phase("3"), phase("4"))
    assert select_phases(["next"], Roadmap("R.md", phases, current=PhaseId("1")), set()).phases == ("3",)


def test_what_our_journal_proves_is_done_wherever_the_state_is() -> None:
    roadmap = Roadmap("R.md", (phase("1"), phase("2"), phase("3")), current=PhaseId("2"))
    assert select_phases(["next"], roadmap, {PhaseId("2")}).phases == ("3",)


def test_all_keeps_the_order_of_the_roadmap_wherever_the_state_is() -> None:
    roadmap = Roadmap("R.md", (phase("1"), phase("2")), current=PhaseId("2"))
    assert select_phases(["all"], roadmap, set()).phases == ("1", "2")


def test_at_the_end_of_a_roadmap_the_last_phase_that_was_done_can_be_built_again() -> None:
    roadmap = Roadmap("R.md", (PHASES[1], PHASES[-1]))
    with pytest.raises(NothingOpen, match="phases 2, 6 are done or given up") as raised:
        select_phases(["next"], roadmap, set())
    assert "autopilot run --force 2`" in raised.value.hint


def test_a_phase_that_was_given_up_is_skipped_with_the_word_and_forced_only_by_its_number() -> None:
    roadmap = Roadmap("R.md", PHASES)
    said = ("6", "superseded in the roadmap (not to be run)")
    assert said in select_phases(["all"], roadmap, set()).skipped
    with pytest.raises(UsageError, match="nothing to run: phase 6 is skipped: superseded in the roadmap") as raised:
        select_phases(["6"], roadmap, set())
    assert "autopilot run --force 6" in raised.value.hint
    assert choose_phases(["6"], roadmap, {}, Intent(force=True)).purposes == {"6": Purpose.BUILD}
    assert choose_phases([], roadmap, {}, Intent(force=True)).phases == ("2", "3")
    assert said in choose_phases([], roadmap, {}, Intent(quality=True)).skipped
