"""The requirements table and the tests that cite it agree."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from tests.tidy.house import ROOT, SOURCE, modules, named, parsed

# Figures to reach rather than rules to keep: printed by bench/ and the long suites, free to be cited.
GOALS = ("R-KILL", "R-IO", "R-SBX", "R-GIT", "R-LIE", "R-PROC", "R-FUZZ", "R-LOCK", "R-BUDGET", "R-SECRET", "P-TOK")
IDS = (Path(__file__).parent / "requirement-ids.txt").read_text(encoding="utf-8").split()
STATES = {"built", "held by construction", "not yet"}
COVERS = re.compile(r"#\s*covers:\s*(.+)")
WORD = re.compile(r"[A-Z][A-Z0-9]*(?:-\d+b?|-[A-Z]+)*(?:\.\w+)?(?![\w-])")


class Row(Struct, frozen=True):
    id: str
    what: str
    state: str
    where: tuple[str, ...]
    tests: tuple[str, ...]


def rows() -> list[Row]:
    text = (ROOT / "docs" / "requirements.md").read_text(encoding="utf-8")
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in text.splitlines() if line[:1] == "|"]
    return [Row(c[0], c[1], c[2], quoted(c[3]), quoted(c[4])) for c in cells if c[0] != "id" and len(c) == 5]


def quoted(cell: str) -> tuple[str, ...]:
    return tuple(re.findall(r"`([^`]+)`", cell))


def citations(path: Path) -> Iterator[str]:
    """Ids in docstrings and in ``covers`` comments: elsewhere a word like PLAN may be only a constant's name."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield from WORD.findall(ast.get_docstring(node) or "")
    for line in COVERS.findall(path.read_text(encoding="utf-8")):
        yield from WORD.findall(line)


def test_every_requirement_has_exactly_one_row() -> None:
    listed = [row.id for row in rows()]
    assert sorted(listed) == sorted(IDS)


def test_every_row_has_a_known_state_and_says_what_it_is() -> None:
    assert [row.id for row in rows() if row.state not in STATES or not row.what] == []


def test_a_requirement_that_is_built_is_cited_by_a_test() -> None:
    cited = {id for path in modules(ROOT / "tests") for id in citations(path)}
    assert [row.id for row in rows() if row.state == "built" and row.id not in cited] == []


def test_a_requirement_that_is_built_or_held_names_places_that_exist() -> None:
    settled = [row for row in rows() if row.state != "not yet"]
    places = [(row.id, SOURCE, place) for row in settled for place in row.where]
    places += [(row.id, ROOT, place) for row in settled for place in row.tests]
    assert [row.id for row in settled if not row.tests] == []
    assert [(id, place) for id, root, place in places if not (root / place.partition("::")[0]).exists()] == []


def test_a_whole_section_is_built_only_with_all_its_parts() -> None:
    open_parts = {row.id.partition(".")[0] for row in rows() if "." in row.id and row.state == "not yet"}
    assert [row.id for row in rows() if row.id in open_parts and row.state != "not yet"] == []


def test_every_id_that_a_test_says_it_covers_exists() -> None:
    unknown = [
        (named(path), id)
        for path in modules(ROOT / "tests")
        for line in COVERS.findall(path.read_text(encoding="utf-8"))
        for id in WORD.findall(line)
        if id not in IDS and id not in GOALS
    ]
    assert unknown == []


def test_citations_are_read_from_docstrings_and_comments_only(tmp_path: Path) -> None:
    sample = tmp_path / "sample.py"
    sample.write_text('"""Shows T5.network and AL-5b; not T4.7-like."""\nPLAN = "GATE"\n# covers: CHK-12, INV-1\n')
    assert set(citations(sample)) >= {"T5.network", "AL-5b", "CHK-12", "INV-1"}
    assert {"PLAN", "GATE", "T4.7", "T5"}.isdisjoint(citations(sample))
