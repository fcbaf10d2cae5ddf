"""Results kept in a table: every input and every result in it is one that the tests contain."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator

from autopilot.inspection.second_look import finding
from autopilot.inspection.second_look.finding import Finding
from autopilot.inspection.second_look.patterns import STRINGS
from autopilot.text.masking import mask
from autopilot.text.script_tree import ScriptTree, script_tree

_FEWEST = 3  # entries of a table that is worth a finding
_NUMBER = re.compile(r"(?<![\w.])-?(?:0[xob][0-9a-fA-F_]+|[0-9][0-9_]*(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?)(?![\w.])")
_TABLE_OF_ANSWERS = "results come from a table that holds only inputs and results of the tests"


def literals_of(path: str, text: str) -> frozenset[str]:
    """The texts and numbers of a test file."""
    spoken = mask(path, text, strings=False)
    strings = {found[1] or found[2] or found[3] or "" for found in STRINGS.finditer(spoken)}
    return frozenset(strings | set(_NUMBER.findall(mask(path, text, strings=True))))


def find_tables(tree: ast.Module, held: Collection[str]) -> Iterator[Finding]:
    """``{2: 4, 3: 9}[x]``, and the same as a row of ``if x == 2: return 4``."""
    for node in ast.walk(tree):
        match node:
            case ast.Dict(keys=keys, values=values) if len(keys) >= _FEWEST:
                if all(key is not None and _is_held(key, held) for key in keys) and _are_held(values, held):
                    yield Finding(node.lineno, node.end_lineno or node.lineno, _TABLE_OF_ANSWERS, finding.TABLE)
            case ast.FunctionDef(body=body):
                rows = [row for statement in body for row in _rows(statement)]
                if len(rows) >= 2 * _FEWEST and _are_held(rows, held):
                    yield Finding(node.lineno, node.end_lineno or node.lineno, _TABLE_OF_ANSWERS, finding.TABLE)


def find_script_tables(text: str, typed: bool, held: Collection[str]) -> Iterator[Finding]:
    raw = text.encode()
    tree = script_tree(raw, typed=typed)
    for index, part in enumerate(tree.parts if tree else ()):
        if tree is None or part.kind != "object":
            continue
        pairs = [child for child in tree.children(index) if tree.parts[child].kind != "comment"]
        if len(pairs) >= _FEWEST and all(_is_held_pair(tree, raw, pair, held) for pair in pairs):
            first = raw.count(b"\n", 0, part.start) + 1
            yield Finding(first, raw.count(b"\n", 0, part.end) + 1, _TABLE_OF_ANSWERS, finding.TABLE)


def _rows(statement: ast.stmt) -> Iterator[ast.expr]:
    """Question and answer of every arm that compares with a literal and returns one."""
    while isinstance(statement, ast.If):
        match statement:
            case ast.If(
                test=ast.Compare(ops=[ast.Eq()], comparators=[asked]), body=[ast.Return(value=ast.expr() as answer)]
            ):
                yield from (asked, answer)
        if len(statement.orelse) != 1:
            return
        statement = statement.orelse[0]


def _are_held(nodes: Collection[ast.expr], held: Collection[str]) -> bool:
    return all(_is_held(node, held) for node in nodes)


def _is_held(node: ast.expr, held: Collection[str]) -> bool:
    match node:
        case ast.Constant(value=bool() | None):
            return True
        case ast.Constant(value=value):
            return str(value) in held
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return str(-number) in held
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            return bool(elements) and _are_held(elements, held)
        case _:
            return False


def _is_held_pair(tree: ScriptTree, raw: bytes, pair: int, held: Collection[str]) -> bool:
    if tree.parts[pair].kind != "pair":
        return False
    for child in tree.children(pair):
        part = tree.parts[child]
        if part.kind not in {"string", "number", "property_identifier", "true", "false", "null", "unary_expression"}:
            return False
        source = raw[part.start : part.end].decode(errors="replace")
        if part.kind not in {"true", "false", "null"} and source.strip("'\"") not in held:
            return False
    return True
