"""What may be added to a JavaScript or TypeScript test file without a word: tests, also inside a group of tests."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from autopilot.inspection.control.meaning.merging import Body, Import, Statement
from autopilot.inspection.control.meaning.script_asserting import only_asserts
from autopilot.inspection.control.meaning.source import Source
from autopilot.text.lazy_regex import lazy_regex

_TEST = lazy_regex(r"(?:test|it|describe|context|suite)(?:\.(?:describe|each|for|concurrent|skip|todo|skipIf|runIf))*")
_GROUP = lazy_regex(r"(?:describe|context|suite|test\.describe)")
_NAMED = frozenset({"function_declaration", "generator_function_declaration", "class_declaration"})
_TYPES = frozenset({"interface_declaration", "type_alias_declaration"})
_FUNCTIONS = frozenset({"arrow_function", "function_expression", "method_definition", "function_declaration"})
_RUNS = lazy_regex(
    r"(?:call|assignment|augmented_assignment|update|await|yield)_expression|class_static_block",
)


class Script:
    def statements(self, source: Source, around: int) -> Sequence[Statement]:
        return [Statement(source, index) for index in source.children(around)]

    def imports(self, statement: Statement) -> Iterator[Import] | None:
        source = statement.source
        if statement.kind == "import_statement":
            return _imported(source, statement.index)
        loaded = _required(source, statement.index)
        return None if loaded is None else iter(loaded)

    def body(self, statement: Statement) -> Body | None:
        """Of ``describe("title", () => { … })``."""
        source = statement.source
        call = _call(source, statement.index)
        if call is None or not _GROUP.fullmatch(source.field(call, "function")):
            return None
        given = source.children(source.tree.child(call, "arguments") or call)
        body = source.tree.child(given[-1], "body") if given and source.kind(given[-1]) in _FUNCTIONS else None
        if body is None or source.kind(body) != "statement_block":
            return None
        return source.meaning(statement.index, without=body), body

    def title(self, statement: Statement) -> str:
        source = statement.source
        call = _call(source, statement.index)
        given = source.children(source.tree.child(call, "arguments") or call) if call is not None else []
        return source.meaning(given[0]) if given else ""

    def may_add(self, statement: Statement, used: frozenset[str], beside: frozenset[str]) -> bool:
        source, index, kind = statement.source, statement.index, statement.kind
        if kind in _TYPES or kind in _NAMED:
            return source.field(index, "name") not in used and not _runs(source, index)
        if kind == "lexical_declaration":
            return _declares_values(source, index, used)
        call = _call(source, index)
        if call is None or not _TEST.fullmatch(_called(source, call)):
            return False
        is_alone = any(source.text_of(part) == "only" for part in source.inside(index))
        return not is_alone and self.title(statement) not in beside

    def may_append(self, statement: Statement, used: frozenset[str]) -> bool:
        return only_asserts(statement.source, statement.index, used)


def _call(source: Source, index: int) -> int | None:
    inner = source.children(index) if source.kind(index) == "expression_statement" else []
    return inner[0] if inner and source.kind(inner[0]) == "call_expression" else None


def _called(source: Source, call: int) -> str:
    """``test.each([…])("title", …)`` is a call of what a call of ``test.each`` returned."""
    function = source.tree.child(call, "function")
    if function is not None and source.kind(function) == "call_expression":
        return source.field(function, "function")
    return source.field(call, "function")


def _declares_values(source: Source, index: int, used: frozenset[str]) -> bool:
    declared = [part for part in source.children(index) if source.kind(part) == "variable_declarator"]
    names = [source.tree.child(part, "name") for part in declared]
    bound = {name for part in names if part is not None for name in source.names(part)}
    return bool(bound) and bound.isdisjoint(used) and not any(_runs(source, part) for part in declared)


def _runs(source: Source, index: int) -> bool:
    """Whether something is run when the file is loaded; what a function holds is not."""
    if source.kind(index) in _FUNCTIONS:
        return False
    return _RUNS.fullmatch(source.kind(index)) is not None or any(
        _runs(source, child) for child in source.children(index)
    )


def _imported(source: Source, index: int) -> Iterator[Import]:
    """Each name by itself: ``import { a, b }`` may have been two. One that binds no name is run for what it does."""
    module = source.tree.child(index, "source")
    clauses = [part for part in source.children(index) if source.kind(part) == "import_clause"]
    loaded = "" if module is None else source.meaning(module)
    is_type = "type " if source.text_of(index).startswith("import type") else ""
    if not clauses:
        yield f"{is_type}{source.meaning(index)}", frozenset()
    for part in (part for clause in clauses for part in source.children(clause)):
        for binding in source.children(part) if source.kind(part) == "named_imports" else [part]:
            last = [name for name in source.inside(binding) if source.kind(name) == "identifier"][-1:]
            bound = frozenset(source.text_of(name) for name in last)
            yield f"{is_type}{loaded} {source.meaning(binding)}", bound


def _required(source: Source, index: int) -> list[Import] | None:
    """``const { a, b } = require("module")``."""
    parts = source.children(index) if source.kind(index) == "lexical_declaration" else []
    if len(parts) != 1 or not re.fullmatch(r"require\s*\([^()]+\)", source.field(parts[0], "value")):
        return None
    name, value = source.tree.child(parts[0], "name"), source.tree.child(parts[0], "value")
    if name is None or value is None:
        return None
    bindings = source.children(name) if source.kind(name) == "object_pattern" else [name]
    return [(f"{source.meaning(value)} {source.meaning(part)}", source.names(part)) for part in bindings]
