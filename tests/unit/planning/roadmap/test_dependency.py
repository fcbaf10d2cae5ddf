"""What "Depends on" means. covers: CMPL-01"""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.roadmap.dependency import find_places, parse_depends, resolve

ORDER = [PhaseId(id) for id in ("1", "2", "2.1", "3", "4", "5", "9", "10")]


@pytest.mark.parametrize(
    ("words", "ids"),
    [
        ("Phase 2", ["2"]),
        ("Phase 02.1", ["2.1"]),
        ("Nothing (first phase)", []),
        ("Nothing", []),
        ("None", []),
        ("N/A", []),
        ("-", []),
        ("Phase 1, Phase 3", ["1", "3"]),
        ("Phase 1 (needs 3 and 4), Phase 2.1 (see Phase 5)", ["1", "2.1"]),
        ("Phases 1, 2, and 3", ["1", "2", "3"]),
        ("Phasen 1–2 fertig", ["1", "2"]),
        ("Phases 1 and 4 (all done)", ["1", "4"]),
        ("Phase 1, 2, 3 (all previous phases)", ["1", "2", "3"]),
        ("Phases 2-4 (all shipped)", ["2", "2.1", "3", "4"]),
        ("Phase 1–3", ["1", "2", "2.1", "3"]),
        ("Phase 4 complete (viewport bugs isolated)", ["4"]),
        ("Phase 9 (desktop). Can run in parallel with any Phase 5 work.", ["9"]),
        ("**Phase 3**", ["3"]),
        ("1, 2", ["1", "2"]),
        ("2", ["2"]),
        ("All previous phases", ["1", "2", "2.1", "3", "4", "5", "9"]),
    ],
)
def test_dependencies_are_read_from_lists_ranges_reasons_and_prose(words: str, ids: list[str]) -> None:
    found = resolve(parse_depends(words), PhaseId("10"), find_places(ORDER, ()))
    assert list(found.known) == ids
    assert parse_depends(words).understood


@pytest.mark.parametrize("words", ["ULTIMATE-CONFIG layer 5", "the database"])
def test_what_names_no_phase_is_not_understood(words: str) -> None:
    assert not parse_depends(words).understood


def test_an_unknown_phase_is_named_and_an_archived_one_is_settled() -> None:
    found = resolve(
        parse_depends("Phases 3, 7 and 8"), PhaseId("4"), find_places(ORDER, [(PhaseId("6"), PhaseId("7"))])
    )
    assert (found.known, found.unknown) == (("3",), ("8",))


def test_a_milestone_is_understood_and_waits_for_no_phase() -> None:
    wait = parse_depends("v1.0 foundation")
    assert wait.understood and wait.milestone and not wait.single


def test_a_number_below_all_of_the_roadmap_belongs_to_an_earlier_milestone() -> None:
    found = resolve(parse_depends("Phases 3-5 and 7"), PhaseId("10"), find_places([PhaseId("9"), PhaseId("10")], ()))
    assert (found.known, found.unknown, found.earlier) == ((), (), ("7", "3-5"))


def test_a_phase_that_waits_for_itself_is_noticed_and_not_kept() -> None:
    found = resolve(parse_depends("Phase 4"), PhaseId("4"), find_places(ORDER, ()))
    assert found.itself and found.known == ()


def test_a_range_around_a_phase_does_not_make_it_wait_for_itself() -> None:
    assert resolve(parse_depends("Phases 1-5"), PhaseId("4"), find_places(ORDER, ())).known == (
        "1",
        "2",
        "2.1",
        "3",
        "5",
    )


@given(st.text(alphabet="Phase 0123.,-–()and All nothing"))
def test_any_words_are_read_without_a_traceback(words: str) -> None:
    found = resolve(parse_depends(words), PhaseId("4"), find_places(ORDER, ()))
    assert set(found.known) <= set(ORDER) - {"4"}


def _seconds(count: int) -> float:
    """Of computing, never of the clock on the wall; the best of three looks, for a busy machine is slower at times."""
    order = [PhaseId(str(number)) for number in range(1, count + 1)]
    wait = parse_depends("Phases 2-3 and 99999")
    took = []
    for _ in range(3):
        began = process_time()
        places = find_places(order, ())
        assert all(resolve(wait, id, places).unknown == ("99999",) for id in order)
        took.append(process_time() - began)
    return min(took)


def test_four_times_the_phases_take_about_four_times_as_long() -> None:
    assert _seconds(3200) < 8 * _seconds(800)
