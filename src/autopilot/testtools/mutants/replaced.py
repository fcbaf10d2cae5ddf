"""A mutant of what tests replace: functions of the work, each of which fails as soon as it is called.

Tests that still pass have only ever called the replacement. Python by the name of the function; in JavaScript and
TypeScript whole modules are replaced, and the module fails as soon as it is loaded.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from msgspec import Struct

from autopilot.testtools.mutants.mutant import MAX_BYTES, MAX_FILES, Contents, Mutant, list_names
from autopilot.testtools.near.effects import has_effects
from autopilot.text.file_kind import suffix_of
from autopilot.text.python_tree import python_tree

# `patch("shop.steps", …)`, `patch.object(shop, "steps")`, `monkeypatch.setattr(shop, "steps", …)`.
_PYTHON = re.compile(
    r"\bpatch\(\s{0,40}[\"']([\w.]{1,200})[\"']|"
    r"\b(?:patch\.object|setattr)\(\s{0,40}(?:[\w.]{1,200}\s{0,20},\s{0,40})?[\"']([\w.]{1,200})[\"']"
)
# `vi.mock("../src/steps.js", …)`, `jest.mock`, `mock.module` of node:test.
_SCRIPT = re.compile(r"\b(?:vi|jest)\.(?:do)?[mM]ock\(\s{0,40}[\"'`](\.{1,2}/[^\"'`\n]{1,200})[\"'`]|"
                     r"\bmock\.module\(\s{0,40}[\"'`](\.{1,2}/[^\"'`\n]{1,200})[\"'`]")  # fmt: skip
_FAILS = "raise RuntimeError"
_SCRIPTS = (".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".mts", ".cts")


class Replaced(Struct, frozen=True):
    mutant: Mutant
    where: str  # the first file
    has_effects: bool  # one of them reaches the network, files or the clock, where a replacement is usual


def replaced_mutant(tests: Sequence[str], changed: Mapping[str, Contents]) -> Replaced | None:
    """``tests``: texts of test files that came with the work; ``changed``: files of the product."""
    names = {(a or b).rpartition(".")[2] for text in tests for a, b in _PYTHON.findall(text)}
    modules = {PurePosixPath(a or b).stem for text in tests for a, b in _SCRIPT.findall(text)}
    edits, done, effects = dict[str, bytes](), list[str](), False
    for path, (old, new) in sorted(changed.items())[:MAX_FILES]:
        if len(new) > MAX_BYTES:
            continue
        text = new.decode("utf-8", "replace")
        if path.endswith(".py") and (found := list(_replaced_functions(old, text, names))):
            edits[path] = _failing(text, found)
            done += [function.name for function in found]
            effects = effects or any(has_effects(ast.get_source_segment(text, function) or "") for function in found)
        elif suffix_of(path) in _SCRIPTS and PurePosixPath(path).stem in modules:
            edits[path] = b'throw new Error("not replaced");\n' + new
            done.append(path)
            effects = effects or has_effects(text)
    if not edits:
        return None
    return Replaced(Mutant(f"{list_names(done)} failing at once", edits), next(iter(edits)), effects)


def _replaced_functions(
    old: bytes | None, text: str, names: set[str]
) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Those that the work wrote or changed, on lines of their own."""
    tree = python_tree(text)
    before = old.decode("utf-8", "replace") if old else ""
    for node in ast.walk(tree) if tree else ():
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or node.name not in names:
            continue
        source = ast.get_source_segment(text, node) or ""
        if source not in before and node.body[0].lineno > node.lineno:
            yield node


def _failing(text: str, functions: Sequence[ast.FunctionDef | ast.AsyncFunctionDef]) -> bytes:
    lines = text.splitlines(keepends=True)
    for function in sorted(functions, key=lambda node: -node.lineno):
        first = function.body[0]
        lines.insert(first.lineno - 1, f"{' ' * first.col_offset}{_FAILS}\n")
    return "".join(lines).encode()
