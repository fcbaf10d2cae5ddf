"""What may be added to a Rust test file without a word: functions, values and types, also inside a module of tests."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from autopilot.inspection.control.meaning.merging import Body, Import, Statement
from autopilot.inspection.control.meaning.source import Source

_ITEMS = frozenset({"function_item", "const_item", "struct_item", "enum_item", "type_item", "mod_item"})
_MARKS = re.compile(
    r"#\[\s{0,20}+(?:(?:\w{1,60}::){0,5}test|should_panic|ignore|allow|expect|derive|cfg|rstest|case|values|test_case|timeout|serial)\b"
    r"(?!\s*::)[^\[\]]{0,2000}+(?:\[[^\[\]]{0,2000}+\][^\[\]]{0,2000}+){0,50}+\]"
)


class Rust:
    def statements(self, source: Source, around: int) -> Sequence[Statement]:
        found, marks = list[Statement](), list[int]()
        for index in source.children(around):
            if source.kind(index) == "attribute_item":
                marks.append(index)
            else:
                found.append(Statement(source, index, tuple(marks)))
                marks = []
        return found

    def imports(self, statement: Statement) -> Iterator[Import] | None:
        if statement.kind != "use_declaration" or statement.marks:
            return None
        source = statement.source
        (*_, argument) = source.children(statement.index)
        return _uses(source, argument, source.text_of(statement.index).split("use")[0].strip())

    def body(self, statement: Statement) -> Body | None:
        source, index = statement.source, statement.index
        body = source.tree.child(index, "body") if statement.kind == "mod_item" else None
        if body is None:
            return None
        marks = " ".join(source.meaning(mark) for mark in statement.marks)
        return f"{marks} {source.meaning(index, without=body)}", body

    def title(self, statement: Statement) -> str:  # noqa: ARG002
        return ""  # the compiler refuses two of a name

    def may_add(self, statement: Statement, used: frozenset[str], beside: frozenset[str]) -> bool:  # noqa: ARG002
        source, name = statement.source, statement.source.field(statement.index, "name")
        if statement.kind not in _ITEMS or name in used:
            return False
        is_file = statement.kind == "mod_item" and source.tree.child(statement.index, "body") is None
        return not is_file and all(_MARKS.fullmatch(source.text_of(mark)) for mark in statement.marks)

    def may_append(self, statement: Statement, used: frozenset[str]) -> bool:  # noqa: ARG002
        return False  # statements stand in functions alone


def _uses(source: Source, index: int, before: str) -> Iterator[Import]:
    """Each path of a ``use`` by itself: ``a::{b, c}`` is ``a::b`` and ``a::c``."""
    if source.kind(index) in ("scoped_use_list", "use_list"):
        path, inner = source.field(index, "path"), source.tree.child(index, "list")
        for child in source.children(index if inner is None else inner):
            yield from _uses(source, child, f"{before} {path}::" if path else before)
        return
    text = "".join(source.text_of(index).split())
    alias = source.field(index, "alias")
    bound = alias or text.rpartition("::")[2]
    yield f"{before.replace(' ', '')}{text} {alias}", frozenset() if "*" in text or bound == "_" else frozenset({bound})
