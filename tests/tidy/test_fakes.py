"""Fakes ship in the package: nothing is mocked or patched from outside."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.tidy.house import ROOT, SOURCE, modules, named, nodes, parsed, with_any

WORDS = ("unittest", "mock", "setattr")  # one of them is in every substitution


def substitutions(tree: ast.AST) -> Iterator[int]:
    for node in nodes(tree):
        match node:
            case ast.Import(names=names) if any(alias.name.startswith("unittest") for alias in names):
                yield node.lineno
            case ast.ImportFrom(module=str(module)) if module.split(".")[0] in ("unittest", "mock", "pytest_mock"):
                yield node.lineno
            case ast.Attribute(value=ast.Name(id="monkeypatch"), attr="setattr"):
                yield node.lineno


def test_nothing_is_mocked() -> None:
    files = with_any(WORDS, modules(SOURCE) + modules(ROOT / "tests") + modules(ROOT / "bench"))
    assert [f"{named(path)}:{line}" for path in files for line in substitutions(parsed(path))] == []


def test_a_mock_is_found_however_it_is_imported() -> None:
    spellings = "import unittest.mock", "from unittest import mock", "from unittest.mock import patch"
    for code in (*spellings, "monkeypatch.setattr(thing, 'name', 1)"):
        assert list(substitutions(ast.parse(code))) == [1]
        assert any(word in code for word in WORDS)


def test_no_test_is_skipped() -> None:
    marks = {"skip", "skipif", "xfail", "importorskip"}
    skipped = [
        f"{named(path)}:{node.lineno}"
        for path in with_any(marks, modules(ROOT / "tests"))
        for node in nodes(parsed(path))
        if isinstance(node, ast.Attribute) and node.attr in marks and ast.unparse(node).startswith("pytest.")
    ]
    assert skipped == []
