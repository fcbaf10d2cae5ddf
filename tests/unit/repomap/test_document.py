"""The map as a document: the schema of the sources, and what goes when it is too long."""

from __future__ import annotations

import json

import pytest

from autopilot.model.repomap.code_map import RepoMap
from autopilot.repomap.document import MOST_LINES, describe_cut, render_document
from autopilot.repomap.extracting import extract
from autopilot.repomap.languages import language_of
from autopilot.repomap.linking import link


def rendered(files: dict[str, str], most_lines: int = MOST_LINES) -> str:
    facts = {path: extract(text.encode(), language_of(path)) for path, text in files.items()}
    return render_document(RepoMap("", facts), link(facts), "/project", "2026-01-01T00:00:00+00:00", most_lines)


def test_a_file_is_described_by_the_schema() -> None:
    """covers: REPOMAP"""
    text = "import os\n\nclass A(B):\n    def run(self): f()\n    def _own(self): ...\n\ndef f(x: int) -> str: ...\n"
    document = json.loads(rendered({"a.py": text, "note.txt": ""}))
    assert document["files"][0] == {
        "path": "a.py",
        "language": "python",
        "exports": [{"name": "A", "type": "class", "line": 3}, {"name": "f", "type": "function", "line": 7}],
        "imports": [{"source": "os", "names": ["*"], "line": 1}],
        "functions": [{"name": "f", "params": ["x: int"], "line": 7, "returns": "str"}],
        "classes": [{"name": "A", "extends": "B", "methods": ["run"], "line": 3}],
        "call_graph": [{"caller": "A.run", "callees": ["f"], "line": 4}],
    }
    assert document["files"][1]["language"] == "other" and document["size_cap_applied"] is False
    assert document["summary"]["languages"] == {"python": 1, "other": 1} and document["version"] == 1


@pytest.mark.parametrize(
    ("count", "kept", "cut"),
    [
        (3, {"path", "language", "exports", "imports", "functions", "classes", "call_graph"}, ""),
        (19, {"path", "language", "exports", "imports"}, "functions, classes and calls"),
        (34, {"path", "language", "exports"}, "functions, classes, calls and imports"),
        (3_000, {"path"}, "everything but the summary and the paths"),
    ],
)
def test_a_long_map_loses_its_parts_in_order_and_says_so(count: int, kept: set[str], cut: str) -> None:
    text = rendered({f"m{number}.py": "import os\n\ndef f(x): ...\n" for number in range(count)})
    document = json.loads(text)
    assert set(document["files"][0]) == kept and len(document["files"]) == count
    assert document["size_cap_applied"] is (count > 3) and text.count("\n") <= MOST_LINES
    assert describe_cut(text) == cut


def test_the_whole_map_can_be_had() -> None:
    document = json.loads(rendered({f"m{number}.py": "def f(x): ...\n" for number in range(200)}, 0))
    assert document["size_cap_applied"] is False and document["files"][199]["functions"]
