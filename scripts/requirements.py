#!/usr/bin/env python3
"""Writes docs/requirements.md: the rows of docs/requirements.toml, each with the tests that cite its id.

    scripts/requirements.py

A test cites an id in a docstring or in a comment such as `# covers: CRIT, T5.network`.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "docs" / "requirements.toml"
PAGE = ROOT / "docs" / "requirements.md"
COVERS = re.compile(r"#\s*covers:\s*(.+)")
ID = re.compile(r"[A-Z][A-Z0-9]*(?:-\d+b?|-[A-Z]+)*(?:\.\w+)?(?![\w-])")
MOST_FILES = 4  # beyond that a row names folders
NOTHING = "—"

HEAD = """\
# Requirements

This page is generated: change `docs/requirements.toml` or the `# covers:` marks in the tests, then run
`scripts/requirements.py`. `tests/tidy/test_requirements.py` holds that the page, the table and the marks agree.

- **built**: a test that cites the id shows it.
- **held by construction**: nothing can be asked that the design does not already answer; the test column names the
  scenario.
- **not yet**: also where a part is missing. "begun:" says what of it there is; the places are where that stands or is
  planned.

What another id owns is counted there and named in brackets; "untested:" names what is there and no test shows.
Places in `where` are below `src/autopilot/`, places in `test` below `tests/`: files, or folders where there are many.
A row such as T5 stands for its whole section and is built when all its parts are. Issue mode's ids other than its
laws (`ISSUE-…`) and the parts of T3 to T8 are this project's own.
"""
COLUMNS = "| id | what | state | where | test |\n|---|---|---|---|---|\n"


def main() -> None:
    PAGE.write_text(render_page(read_sections(), find_citations()), encoding="utf-8")


def read_sections() -> list[dict[str, Any]]:
    sections: list[dict[str, Any]] = tomllib.loads(TABLE.read_text(encoding="utf-8"))["section"]
    return sections


@cache
def find_citations() -> dict[str, list[str]]:
    """By id, the files that cite it, below tests/."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for id in set(citations(path)):
            found[id].append(path.relative_to(ROOT / "tests").as_posix())
    return found


def citations(path: Path) -> Iterator[str]:
    """Ids in docstrings and in ``covers`` comments: elsewhere a word like PLAN may be only a constant's name."""
    text = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text, str(path))):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield from ID.findall(ast.get_docstring(node) or "")
    for line in COVERS.findall(text):
        yield from ID.findall(line)


def render_page(sections: Iterable[Mapping[str, Any]], cited: Mapping[str, list[str]]) -> str:
    parts = [HEAD]
    for section in sections:
        rows = "".join(render_row(row, cited) for row in section["rows"])
        about = f"{section['about']}\n\n" if "about" in section else ""
        parts.append(f"## {section['title']}\n\n{about}{COLUMNS}{rows}")
    return "\n".join(parts)


def render_row(row: Mapping[str, Any], cited: Mapping[str, list[str]]) -> str:
    where = ", ".join(f"`{place}`" for place in row.get("where", ())) or NOTHING
    where += f"; {row['note']}" if "note" in row else ""
    tests = summarise(cited.get(row["id"]) or row.get("tests", ()))
    return f"| {row['id']} | {row['what']} | {row['state']} | {where} | {tests} |\n"


def summarise(files: Iterable[str]) -> str:
    files = list(files)
    if len(files) > MOST_FILES:
        files = list(dict.fromkeys(PurePosixPath(file).parent.as_posix() for file in files))
    return ", ".join(f"`{place}`" for place in files) or NOTHING


if __name__ == "__main__":
    main()
