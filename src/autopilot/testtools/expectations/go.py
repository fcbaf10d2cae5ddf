"""Where Go tests say what they expect: comparisons that report an error, rows of a table, testify's functions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autopilot.testtools.expectations.site import Draw, Site
from autopilot.text.grammar import Grammar
from autopilot.text.script_tree import ScriptTree, flat_tree

_REPORTS = re.compile(rb"\bt\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\(")
_WANTED = re.compile(rb"want\w*|exp\w*|out(?:put)?|result|res")
_SWAPPED = {b"!=": b"==", b"==": b"!="}
_TESTIFY = {b"Equal": b"NotEqual", b"True": b"False", b"False": b"True", b"NoError": b"Error", b"Nil": b"NotNil"}
_LEAVING = re.compile(rb"\breturn\b|\bt\.Skip|\bos\.Exit")

_Edit = tuple[int, int, bytes, bool]


def go_sites(text: bytes, draw: Draw) -> Iterator[Site]:
    tree = flat_tree(text, Grammar.GO)
    if tree is not None and not tree.wrong:
        yield from _Reader(tree, text, draw).sites()


class _Reader:
    def __init__(self, tree: ScriptTree, text: bytes, draw: Draw) -> None:
        self._tree, self._text, self._draw = tree, text, draw

    def sites(self) -> Iterator[Site]:
        for index, part in enumerate(self._tree.parts):
            name, body = self._tree.child(index, "name"), self._tree.child(index, "body")
            if part.kind == "function_declaration" and name is not None and body is not None:
                spelled = self._source(name)
                if spelled.startswith(b"Test"):
                    yield from (Site(spelled.decode(errors="replace"), *edit) for edit in self._edits(body))

    def _edits(self, block: int) -> Iterator[_Edit]:
        """Only of what every run of the test comes by; a table with a row is gone through at least once."""
        for statement in self._statements(block):
            kind = self._tree.parts[statement].kind
            if kind == "if_statement":
                yield from self._condition(statement)
                if _LEAVING.search(self._source(statement)) and not _REPORTS.search(self._source(statement)):
                    return
            elif kind == "short_var_declaration":
                yield from self._table(statement)
            elif kind == "expression_statement":
                yield from self._call(statement)
            elif _LEAVING.search(self._source(statement)) and kind != "for_statement":
                return

    def _statements(self, block: int) -> Iterator[int]:
        for child in self._tree.children(block):
            if self._tree.parts[child].kind == "statement_list":
                yield from self._tree.children(child)
            else:
                yield child

    def _condition(self, statement: int) -> Iterator[_Edit]:
        """`if got != 3 { t.Errorf(…) }`, without an `else`."""
        condition, body = self._tree.child(statement, "condition"), self._tree.child(statement, "consequence")
        if condition is None or body is None or self._tree.child(statement, "alternative") is not None:
            return
        if not _REPORTS.search(self._source(body)) or self._tree.parts[condition].kind != "binary_expression":
            return
        left, right = self._tree.child(condition, "left"), self._tree.child(condition, "right")
        assert left is not None
        assert right is not None
        between = self._text[self._tree.parts[left].end : self._tree.parts[right].start]
        operator = between.strip()
        if operator not in _SWAPPED:
            return
        literal = (self._other(right) or self._other(left)) if operator == b"!=" else None
        if literal:
            yield literal
        else:
            start = self._tree.parts[left].end + between.index(operator)
            yield start, start + 2, _SWAPPED[operator], False

    def _table(self, declaration: int) -> Iterator[_Edit]:
        """`tests := []struct{…}{ {…, want: 3}, … }`: the first row expects something else."""
        literal = next(
            (
                index
                for index in range(declaration, self._tree.after[declaration])
                if self._tree.parts[index].kind == "literal_value"
                and self._tree.parts[self._tree.parts[index].parent].kind == "composite_literal"
            ),
            None,
        )
        row = next((self._row(element) for element in self._tree.children(literal)), None) if literal else None
        fields = [
            (self._source(key), value)
            for element in (self._tree.children(row) if row else ())
            if (key := self._tree.child(element, "key")) and (value := self._tree.child(element, "value"))
        ]
        wanted = [value for key, value in fields if _WANTED.fullmatch(key.lower())]
        edit = self._inside(wanted[0]) if wanted else None
        if edit:
            yield edit

    def _row(self, element: int) -> int | None:
        return next(
            (child for child in self._tree.children(element) if self._tree.parts[child].kind == "literal_value"), None
        )

    def _call(self, statement: int) -> Iterator[_Edit]:
        call = next(self._tree.children(statement), None)
        if call is None or self._tree.parts[call].kind != "call_expression":
            return
        callee, arguments = self._tree.child(call, "function"), self._tree.child(call, "arguments")
        if callee is None or arguments is None:
            return
        package, _, name = self._source(callee).rpartition(b".")
        if package not in (b"assert", b"require") or name not in _TESTIFY:
            return
        given = list(self._tree.children(arguments))[1:]
        literal = (
            next((edit for argument in given if (edit := self._other(argument))), None) if name == b"Equal" else None
        )
        end = self._tree.parts[callee].end
        yield literal or (end - len(name), end, _TESTIFY[name], False)

    def _inside(self, index: int) -> _Edit | None:
        return next((edit for inner in range(index, self._tree.after[index]) if (edit := self._other(inner))), None)

    def _other(self, index: int) -> _Edit | None:
        part = self._tree.parts[index]
        match part.kind:
            case "interpreted_string_literal" | "raw_string_literal":
                mark = self._text[part.end - 1 : part.end]
                return part.end - 1, part.end, self._draw.word().encode() + mark, True
            case "int_literal" | "float_literal":
                return part.start, part.end, str(1 + self._draw.below(96)).encode() + self._source(index), True
            case "true" | "false":
                return part.start, part.end, b"false" if part.kind == "true" else b"true", True
            case _:
                return None

    def _source(self, index: int) -> bytes:
        part = self._tree.parts[index]
        return self._text[part.start : part.end]
