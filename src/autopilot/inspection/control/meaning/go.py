"""What may be added to a Go test file without a word: functions, types and values that stand for themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autopilot.inspection.control.meaning.merging import Body, Import, Statement
from autopilot.inspection.control.meaning.source import Source
from autopilot.text.lazy_regex import lazy_regex

# Predeclared names hold for the whole package, so a definition of one reaches every other file of tests.
_TAKEN = lazy_regex(
    r"_|init|main|TestMain|append|cap|clear|close|complex|copy|delete|imag|len|make|max|min|new|panic|print|println|real|"
    r"recover|true|false|iota|nil|any|bool|byte|comparable|complex64|complex128|error|float32|float64|u?int(?:8|16|32|64)?|"
    r"rune|string|uintptr"
)
_VALUES = frozenset({"const_declaration", "var_declaration"})
_NAMED = frozenset({"const_spec", "var_spec", "type_spec"})


class Go:
    def statements(self, source: Source, around: int) -> Sequence[Statement]:
        return [Statement(source, index) for index in source.children(around)]

    def imports(self, statement: Statement) -> Iterator[Import] | None:
        if statement.kind != "import_declaration":
            return None
        source = statement.source
        specs = [index for index in source.inside(statement.index) if source.kind(index) == "import_spec"]
        return ((source.meaning(index), _bound(source, index)) for index in specs)

    def body(self, statement: Statement) -> Body | None:  # noqa: ARG002
        return None

    def title(self, statement: Statement) -> str:  # noqa: ARG002
        return ""  # the compiler refuses two of a name

    def may_add(self, statement: Statement, used: frozenset[str], beside: frozenset[str]) -> bool:  # noqa: ARG002
        source, index = statement.source, statement.index
        if statement.kind == "function_declaration":
            return _is_free(source.field(index, "name"), used)
        if statement.kind not in (*_VALUES, "type_declaration") or _calls(source, index):
            return False
        specs = [part for part in source.inside(index) if source.kind(part) in _NAMED]
        names = [source.text_of(n) for s in specs for n in source.children(s) if source.tree.parts[n].field == "name"]
        return bool(names) and all(_is_free(name, used) for name in names)

    def may_append(self, statement: Statement, used: frozenset[str]) -> bool:  # noqa: ARG002
        return False  # statements stand in functions alone


def _is_free(name: str, used: frozenset[str]) -> bool:
    return name not in used and not _TAKEN.fullmatch(name)


def _bound(source: Source, index: int) -> frozenset[str]:
    """Empty for ``import _`` and ``import .``: what these bind is not written in the file."""
    alias, path = source.field(index, "name"), source.field(index, "path").strip('"`')
    if alias in ("_", ".") or path == "C":
        return frozenset()
    return frozenset({alias or path.rpartition("/")[2]})


def _calls(source: Source, index: int) -> bool:
    """Whether something is run when the package is loaded; what a function literal holds is not."""
    if source.kind(index) == "func_literal":
        return False
    return source.kind(index) == "call_expression" or any(_calls(source, child) for child in source.children(index))
