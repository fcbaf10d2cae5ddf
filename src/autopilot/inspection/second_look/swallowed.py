"""Swallowed assertions: a test that catches their failure, or that never asks for their status.

Such a test passes whatever the product does, and still counts where tests are counted.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from autopilot.inspection.second_look.finding import Finding, lines_by_place
from autopilot.text.file_kind import suffix_of
from autopilot.text.python_tree import python_tree
from autopilot.text.script_tree import script_tree

END_THE_TEST = "let a failed assertion end its test; expect an error by the test tool's own means"
_CATCHING_ALL = frozenset({"Exception", "BaseException", "AssertionError"})
_SCRIPTS = (".js", ".mjs", ".cjs", ".jsx", ".tsx")
_TYPED = (".ts", ".mts", ".cts")
_ASSERTS = re.compile(rb"\b(?:assert|expect)\b[.\w]{0,80}\(")
_TELLS = re.compile(rb"\b(?:throw|assert\w{0,40}|expect|fail|reject|done|break|return|continue)\b")
# `run` takes the status of a command, which is lost where no line asks for it.
_RUN = re.compile(r"^[ \t]{0,40}run[ \t]{1,9}(?:!?[ \t]{0,9})(?:test|\[\[?|grep|diff|cmp)\b[^\n]{0,400}$", re.MULTILINE)
_ASKED = re.compile(r"\$\{?(?:status|output|lines)\b|\bassert_\w|\brefute_\w")
_UNTIL = re.compile(r"^(?:[ \t]{0,40}run\b|\})", re.MULTILINE)


def find_swallowed(path: str, text: str) -> Iterator[Finding]:
    """In a file of tests."""
    suffix = suffix_of(path)
    if suffix == ".py":
        yield from _in_python(text)
    elif suffix in (*_SCRIPTS, *_TYPED):
        yield from _in_script(text, typed=suffix in _TYPED)
    elif suffix == ".bats":
        yield from _in_bats(text)


def _in_python(text: str) -> Iterator[Finding]:
    tree = python_tree(text)
    for node in ast.walk(tree) if tree else ():
        if not isinstance(node, ast.Try) or not any(map(_asserts, _inside(node.body))):
            continue
        for handler in node.handlers:
            if _catches_all(handler) and not any(map(_leaves, _inside([*node.body, *handler.body, *node.orelse]))):
                last = handler.end_lineno or handler.lineno
                yield Finding(node.lineno, last, "a test catches the failure of its own assertions", END_THE_TEST)


def _inside(body: list[ast.stmt]) -> Iterator[ast.AST]:
    for statement in body:
        yield from ast.walk(statement)


def _asserts(node: ast.AST) -> bool:
    match node:
        case ast.Assert():
            return True
        case ast.Call(func=ast.Attribute(attr=name)):
            return name.startswith("assert")
        case _:
            return False


def _leaves(node: ast.AST) -> bool:
    """A test that tries again until it holds leaves its loop when it does, or says that it never did."""
    match node:
        case ast.Raise() | ast.Break() | ast.Return():
            return True
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
            return name in ("fail", "skip", "skipTest", "append", "put")
        case _:
            return False


def _catches_all(handler: ast.ExceptHandler) -> bool:
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    names = {node.id for node in caught if isinstance(node, ast.Name)}
    return handler.type is None or not _CATCHING_ALL.isdisjoint(names)


def _in_script(text: str, *, typed: bool) -> Iterator[Finding]:
    raw = text.encode()
    tree, line_of = script_tree(raw, typed=typed), lines_by_place(raw.decode("latin-1"))
    for index, statement in enumerate(tree.parts if tree else ()):
        if tree is None or statement.kind != "try_statement" or statement.wrong:
            continue
        body, handler = tree.child(index, "body"), tree.child(index, "handler")
        if body is None or handler is None:
            continue
        tried, caught = (raw[tree.parts[part].start : tree.parts[part].end] for part in (body, handler))
        if _ASSERTS.search(tried) and not _TELLS.search(caught) and not re.search(rb"\b(?:break|return)\b", tried):
            first, last = line_of(statement.start), line_of(statement.end)
            yield Finding(first, last, "a test catches the failure of its own assertions", END_THE_TEST)


def _in_bats(text: str) -> Iterator[Finding]:
    line_of = lines_by_place(text)
    for found in _RUN.finditer(text):
        until = _UNTIL.search(text, found.end())
        if not _ASKED.search(text, found.end(), until.start() if until else len(text)):
            line = line_of(found.start())
            description = f"a test never asks for the status of `{found[0].strip()[:60]}`"
            yield Finding(line, line, description, END_THE_TEST)
