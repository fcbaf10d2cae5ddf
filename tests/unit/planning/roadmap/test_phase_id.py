"""Phase numbers and folders. covers: INV-1"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.roadmap.phase_id import ID, folder_prefix, parse_phase_id, phase_of_folder, slugify, sort_key

IDS = st.from_regex(rf"\A{ID}\Z")


@pytest.mark.parametrize(
    ("text", "id"),
    [("3", "3"), ("02.1", "2.1"), ("12a", "12A"), ("0", "0"), ("00", "0"), ("12.3.1", "12.3.1"), ("020A.01", "20A.1")],
)
def test_a_number_has_one_spelling(text: str, id: str) -> None:
    assert parse_phase_id(text) == id


@pytest.mark.parametrize("text", ["", "x", "1-2", "1ab", "1.", ".1", "PROJ-42", "9" * 5000, "٣"])
def test_what_is_no_number_is_none(text: str) -> None:
    assert parse_phase_id(text) is None


@given(IDS)
def test_normalising_twice_is_normalising_once(text: str) -> None:
    once = parse_phase_id(text)
    assert once is not None
    assert parse_phase_id(once) == once
    assert parse_phase_id(folder_prefix(once)) == once
    assert phase_of_folder(f"{folder_prefix(once)}-slug") == once


def test_letters_and_decimals_sort_between_whole_numbers() -> None:
    order = [PhaseId(text) for text in ("2", "2.1", "2.10", "12", "12A", "12A.1", "12A.1.2", "12A.2", "12B", "13")]
    shuffled = [*order[5:], *order[:5]]
    assert sorted(shuffled, key=sort_key) == order


@pytest.mark.parametrize(
    ("name", "id"),
    [
        ("02-slug", "2"),
        ("02.1-slug", "2.1"),
        ("CTRX-15-api", "15"),
        ("101-slug", "101"),
        ("04b-x", "4B"),
        ("14-14-twice", "14"),
        ("7", "7"),
        ("12.3.1-pre-wipe", "12.3.1"),
        ("phase-3-x", "3"),
        ("03_x", "3"),
    ],
)
def test_a_folder_name_tells_its_phase(name: str, id: str) -> None:
    assert phase_of_folder(name) == id


@pytest.mark.parametrize("name", ["notes", "TOOLONGX-15-api", "phased-3-x", "", "-1"])
def test_other_folders_belong_to_no_phase(name: str) -> None:
    assert phase_of_folder(name) is None


@given(st.text())
def test_a_slug_is_always_a_safe_folder_name(name: str) -> None:
    slug = slugify(name)
    assert slug and "/" not in slug and not slug.startswith((".", "-")) and len(slug) <= 60
