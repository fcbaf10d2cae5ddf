"""The requirements table and the tests that cite it agree."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct, convert

from scripts.requirements import COVERS, ID, PAGE, citations, find_citations, read_sections, render_page
from tests.tidy.house import ROOT, SOURCE, modules, named

# Figures to reach rather than rules to keep: printed by bench/ and the long suites, free to be cited.
GOALS = ("R-KILL", "R-IO", "R-SBX", "R-GIT", "R-LIE", "R-PROC", "R-FUZZ", "R-LOCK", "R-BUDGET", "R-SECRET", "P-TOK")
IDS = (Path(__file__).parent / "requirement-ids.txt").read_text(encoding="utf-8").split()
STATES = {"built", "held by construction", "not yet"}


class Row(Struct, frozen=True):
    id: str
    what: str
    state: str
    where: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    note: str = ""


def rows() -> list[Row]:
    return [convert(row, Row) for section in read_sections() for row in section["rows"]]


def test_the_page_of_requirements_is_up_to_date() -> None:
    expected = render_page(read_sections(), find_citations())
    assert expected == PAGE.read_text(encoding="utf-8"), "run: scripts/requirements.py"


def test_every_requirement_has_exactly_one_row() -> None:
    listed = [row.id for row in rows()]
    assert sorted(listed) == sorted(IDS)


def test_every_row_has_a_known_state_and_says_what_it_is() -> None:
    assert [row.id for row in rows() if row.state not in STATES or not row.what] == []


def test_a_requirement_that_is_built_is_cited_by_a_test() -> None:
    cited = find_citations()
    assert [row.id for row in rows() if row.state == "built" and row.id not in cited] == []


def test_a_requirement_that_is_built_or_held_names_places_that_exist() -> None:
    settled = [row for row in rows() if row.state != "not yet"]
    places = [(row.id, SOURCE, place) for row in settled for place in row.where]
    places += [(row.id, ROOT / "tests", place) for row in settled for place in row.tests]
    assert [row.id for row in settled if not row.where] == []
    assert [(id, place) for id, root, place in places if not (root / place.partition("::")[0]).exists()] == []


def test_a_row_names_tests_itself_only_where_no_test_cites_it() -> None:
    cited = find_citations()
    assert [row.id for row in rows() if row.tests and row.id in cited] == []
    assert [row.id for row in rows() if row.state != "not yet" and not row.tests and row.id not in cited] == []


def test_a_whole_section_is_built_only_with_all_its_parts() -> None:
    open_parts = {row.id.partition(".")[0] for row in rows() if "." in row.id and row.state == "not yet"}
    assert [row.id for row in rows() if row.id in open_parts and row.state != "not yet"] == []


def test_every_id_that_a_test_says_it_covers_exists() -> None:
    unknown = [
        (named(path), id)
        for path in modules(ROOT / "tests")
        for line in COVERS.findall(path.read_text(encoding="utf-8"))
        for id in ID.findall(line)
        if id not in IDS and id not in GOALS
    ]
    assert unknown == []


def test_citations_are_read_from_docstrings_and_comments_only(tmp_path: Path) -> None:
    sample = tmp_path / "sample.py"
    sample.write_text('"""Shows T5.network and AL-5b; not T4.7-like."""\nPLAN = "GATE"\n# covers: CHK-12, INV-1\n')
    assert set(citations(sample)) >= {"T5.network", "AL-5b", "CHK-12", "INV-1"}
    assert {"PLAN", "GATE", "T4.7", "T5"}.isdisjoint(citations(sample))
