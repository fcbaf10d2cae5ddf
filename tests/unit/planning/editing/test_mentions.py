"""Which numbers in a text are those of phases. covers: PHASE-EDIT"""

from __future__ import annotations

import pytest

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.editing.mentions import Mentions
from autopilot.planning.editing.renumbering import Padding, Renumbering, close_gap, next_decimal, next_integer

KNOWN = [PhaseId(id) for id in ("1", "2", "2.1", "3", "4", "5", "6", "10", "11", "12A", "999.1")]
CLOSED = close_gap(KNOWN, PhaseId("4"))  # 5 becomes 4, 6 becomes 5, 10 becomes 9, …


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("### Phase 5: Till", "### Phase 4: Till"),
        ("Phase 05 and phase 06.", "Phase 04 and phase 05."),
        ("Phases 5, 6 and 10", "Phases 4, 5 and 9"),
        ("Phases 3, 4 and 6", "Phases 3 and 5"),
        ("Phases 4 and 6", "Phases 5"),
        ("Phases 2-6", "Phases 2-5"),
        ("Phases 2-4", "Phases 2-3"),
        ("Phase 12A (reason: Phase 11)", "Phase 11A (reason: Phase 10)"),
        ("see 05-01-PLAN.md and 06-CONTEXT.md", "see 04-01-PLAN.md and 05-CONTEXT.md"),
        (".planning/phases/10-api/10-01-PLAN.md", ".planning/phases/09-api/09-01-PLAN.md"),
        ("Phase 5, 6 plans", "Phase 4, 6 plans"),
        ("Phase 999.1 later", "Phase 999.1 later"),
        ("on 2026-05-06, v1.5, 5-6 users, 10-20 ms, 5 → 6", "on 2026-05-06, v1.5, 5-6 users, 10-20 ms, 5 → 6"),
    ],
)
def test_only_numbers_of_phases_are_rewritten(before: str, after: str) -> None:
    assert Mentions(CLOSED).in_prose(before).text == after


def test_a_removed_phase_that_stands_alone_is_named_and_left() -> None:
    found = Mentions(CLOSED).in_prose("as in Phase 4")
    assert (found.text, found.stale) == ("as in Phase 4", ("4",))


def test_a_removed_phase_leaves_a_chain_of_arrows() -> None:
    assert Mentions(CLOSED).in_chain("order: 1 → 2 → 4 → 5").text == "order: 1 → 2 → 4"


def test_ten_becomes_nine_as_the_file_writes_it() -> None:
    assert Mentions(CLOSED, padding=Padding(integers=True)).in_prose("Phase 10").text == "Phase 09"
    assert Mentions(CLOSED).in_prose("Phase 10").text == "Phase 9"


def test_a_roadmap_in_another_language_keeps_its_word() -> None:
    assert Mentions(CLOSED, word="фаз[аыеу]").in_prose("### Фаза 5 — Тур этапа 6").text == "### Фаза 4 — Тур этапа 6"


def test_new_numbers_follow_gsds_rules() -> None:
    assert next_integer(KNOWN, ()) == "13"  # the backlog is not counted
    assert next_integer((), [PhaseId("7")]) == "8"
    assert next_decimal(KNOWN, PhaseId("2")) == "2.2"
    assert next_decimal(KNOWN, PhaseId("2.1")) == "2.1.1"


def test_a_removed_decimal_moves_its_siblings_up_with_what_is_behind_them() -> None:
    known = [PhaseId(id) for id in ("2", "2.1", "2.2", "2.2.1", "2.3", "3")]
    assert close_gap(known, PhaseId("2.1")) == Renumbering(
        {PhaseId("2.2"): PhaseId("2.1"), PhaseId("2.2.1"): PhaseId("2.1.1"), PhaseId("2.3"): PhaseId("2.2")},
        frozenset({PhaseId("2.1")}),
    )
