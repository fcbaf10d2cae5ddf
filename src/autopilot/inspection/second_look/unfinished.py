"""Unfinished code: functions that say themselves that they are not written yet, do nothing, or never use what they get.

Tests that reach them would fail or ask for more; what no test reaches is seen here alone. All of it may be meant, so it
is shown and never held against the work.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TypeGuard

from autopilot.inspection.second_look.finding import Finding, lines_by_place
from autopilot.text.file_kind import suffix_of
from autopilot.text.grammar import Grammar
from autopilot.text.masking import mask
from autopilot.text.python_tree import python_tree, without_docstring
from autopilot.text.script_tree import ScriptTree, flat_tree

WRITE = "write what is missing, or say in the plan that it comes later"
USE = "let the answer depend on it, or leave it out of the signature"

_GRAMMARS = dict.fromkeys((".js", ".mjs", ".cjs", ".jsx", ".tsx"), Grammar.TSX)
_GRAMMARS |= dict.fromkeys((".ts", ".mts", ".cts"), Grammar.TYPESCRIPT) | {".go": Grammar.GO, ".rs": Grammar.RUST}
_WORDS = r"(?:not (?:yet |been )?(?:implemented|supported yet|written)|unimplemented|to ?do\b|fixme\b|stub\b)"
# What a language has for code that is not there, and errors in these words.
_MISSING = re.compile(
    r"\b(?:todo|unimplemented)!\s*[(\[{]|\bTODO\s*\(|\bNotImplemented(?:Error|Exception)\b(?!\s*\bas\b)|"
    r"\b(?:panic|throw|raise|die|fail|error|Error\w{0,40}|\w{1,40}Exception)\b[^\n\"'`]{0,60}[\"'`]"
    rf"(?:[\w.:# ]{{0,40}}\b)?{_WORDS}",
    re.IGNORECASE,
)
_OPEN = frozenset({"ABC", "Protocol", "Enum", "Exception", "TypedDict", "NamedTuple"})
_DECLARES = frozenset({"abstractmethod", "overload", "abstractproperty", "singledispatch", "setter", "deleter"})
_FUNCTIONS = frozenset({"function_declaration", "generator_function_declaration", "function_item"})
_PARAMETERS = frozenset({"formal_parameters", "required_parameter", "parameter_declaration", "parameter"})
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def find_unfinished(path: str, text: str) -> Iterator[Finding]:
    tree = python_tree(text) if suffix_of(path) == ".py" else None
    if tree is not None:
        yield from _in_python(tree)
        return
    line_of, spoken = lines_by_place(text), mask(path, text, strings=False)
    for found in _MISSING.finditer(spoken):
        line = line_of(found.start())
        yield Finding(line, line, f"is not written yet (`{' '.join(found[0].split())[:60]}`)", WRITE)
    if grammar := _GRAMMARS.get(suffix_of(path)):
        yield from _unused_by_grammar(text, grammar)


def _in_python(tree: ast.Module) -> Iterator[Finding]:
    owners = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if not isinstance(node, _Function) or _is_declared(node, owners.get(node)):
            continue
        first, last = node.lineno, node.end_lineno or node.lineno
        if raised := next(filter(_is_missing, ast.walk(node)), None):
            yield Finding(raised.lineno, raised.lineno, f"`{node.name}` raises NotImplementedError", WRITE)
        elif _is_empty(node):
            yield Finding(first, last, f"`{node.name}` has no code of its own yet", WRITE)
        elif not isinstance(owners.get(node), ast.ClassDef) and not node.decorator_list:
            for name in _unused(node):
                yield Finding(first, first, f"`{node.name}` never uses its parameter `{name}`", USE, name)


def _is_declared(node: _Function, owner: ast.AST | None) -> bool:
    """Others are to write it: an abstract method, a signature; or it is a hook of a class that has others."""
    names = {part.attr if isinstance(part, ast.Attribute) else getattr(part, "id", "") for part in node.decorator_list}
    bases = [ast.unparse(base).rpartition(".")[2].partition("[")[0] for base in getattr(owner, "bases", ())]
    is_open = isinstance(owner, ast.ClassDef) and (bool(owner.keywords) or not _OPEN.isdisjoint(bases))
    return is_open or not _DECLARES.isdisjoint(names) or node.name.startswith("__")


def _is_empty(node: _Function) -> bool:
    match without_docstring(node.body):
        case [] | [ast.Pass()] | [ast.Expr(value=ast.Constant())]:
            return True
        case _:
            return False


def _is_missing(node: ast.AST) -> TypeGuard[ast.Raise]:
    match node:
        case ast.Raise(exc=ast.Name(id=name) | ast.Call(func=ast.Name(id=name))):
            return name == "NotImplementedError"
        case _:
            return False


def _unused(node: _Function) -> list[str]:
    if node.name.startswith("_"):
        return []
    used = {part.id for statement in node.body for part in ast.walk(statement) if isinstance(part, ast.Name)}
    if "locals" in used:
        return []
    given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    return [argument.arg for argument in given if argument.arg not in used and not argument.arg.startswith("_")]


def _unused_by_grammar(text: str, grammar: Grammar) -> Iterator[Finding]:
    raw = text.encode()
    tree, line_of = flat_tree(raw, grammar), lines_by_place(raw.decode("latin-1"))
    for index, part in enumerate(tree.parts if tree else ()):
        if part.kind not in _FUNCTIONS or tree is None or part.wrong:
            continue
        name, given, body = (tree.child(index, field) for field in ("name", "parameters", "body"))
        if name is None or given is None or body is None or not _is_public(raw, tree, index, grammar):
            continue
        inside = _spelled(raw, tree, body)
        for parameter in _identifiers(raw, tree, given):
            if not re.search(rf"(?<![\w$]){re.escape(parameter)}(?![\w$])", inside):
                line = line_of(part.start)
                description = f"`{_spelled(raw, tree, name)}` never uses its parameter `{parameter}`"
                yield Finding(line, line, description, USE, parameter)


def _is_public(raw: bytes, tree: ScriptTree, index: int, grammar: Grammar) -> bool:
    """And no signature that others prescribe: a method of a trait or an interface."""
    name = tree.child(index, "name")
    if grammar is Grammar.GO:
        return name is not None and _spelled(raw, tree, name)[:1].isupper()
    if grammar is Grammar.RUST:
        return any(tree.parts[child].kind == "visibility_modifier" for child in tree.children(index))
    return True


def _identifiers(raw: bytes, tree: ScriptTree, given: int) -> Iterator[str]:
    for index in range(given + 1, tree.after[given]):
        part = tree.parts[index]
        is_given = part.kind == "identifier" and part.field != "value"
        if is_given and tree.parts[part.parent].kind in _PARAMETERS and raw[part.start : part.start + 1] != b"_":
            yield _spelled(raw, tree, index)


def _spelled(raw: bytes, tree: ScriptTree, index: int) -> str:
    return raw[tree.parts[index].start : tree.parts[index].end].decode("utf-8", "replace")
