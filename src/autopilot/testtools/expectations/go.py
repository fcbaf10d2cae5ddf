"""Where Go tests say what they expect: comparisons that report, errors they look for, rows of a table, testify."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from autopilot.testtools.expectations.site import Draw, Site
from autopilot.text.grammar import Grammar
from autopilot.text.script_tree import ScriptTree, flat_tree

_REPORTS = re.compile(rb"\bt\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\(")
_WANTED = re.compile(rb"want\w*|exp\w*|out(?:put)?|result|res")
_SWAPPED = {b"!=": b"==", b"==": b"!="}
_TESTIFY = {b"Equal": b"NotEqual", b"True": b"False", b"False": b"True", b"NoError": b"Error", b"Nil": b"NotNil"}
_TESTIFY |= {b"ErrorIs": b"NotErrorIs"}
_ERRORS = re.compile(rb'^(?:import[ \t]+|[ \t]+)"errors"', re.MULTILINE)
_ERROR = re.compile(rb"(?:\w{1,60}\.)?(?:Err[A-Z]\w{0,80}|err[A-Z]\w{0,80}|EOF)")
_MAY_BE_ERROR = re.compile(rb"(?:want|exp)\w*|err\w*")
_KNOWN_ERROR = re.compile(rb"(?<![\w.])(?:\w{1,60}\.)?Err[A-Z]\w{0,80}\b(?!\s*[(:=])")
_OF_ERRORS = re.compile(rb"(?:want|exp|is|has)?\w{0,20}err(?:or)?s?|fails?|panics?|skip")
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
            elif kind == "for_statement" and (clause := self._range(statement)) is not None:
                yield from self._table(clause)
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
        if not _REPORTS.search(self._source(body)):
            return
        error = self._error(condition)
        if error:
            yield error
        if error or self._tree.parts[condition].kind != "binary_expression":
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

    def _error(self, condition: int) -> _Edit | None:
        """`!errors.Is(err, ErrGone)`, also behind `err == nil ||`: another error, which only an error that is equal to
        everything would match."""
        part = self._tree.parts[condition]
        operands = list(self._tree.children(condition))
        if part.kind == "binary_expression" and b"||" in self._text[self._end(operands[0]) : self._start(operands[1])]:
            return self._error(operands[1]) or self._error(operands[0])
        if part.kind != "unary_expression" or self._text[part.start : part.start + 1] != b"!":
            return None
        callee, given = (self._tree.child(operands[0], field) for field in ("function", "arguments"))
        arguments = list(self._tree.children(given)) if callee is not None and given is not None else []
        if callee is None or len(arguments) != 2:
            return None
        name, (start, end) = self._source(callee), (self._start(arguments[1]), self._end(arguments[1]))
        if name == b"errors.Is" and self._source(arguments[1]) != b"nil":
            others = self._all_others(self._source(arguments[0]), self._source(arguments[1]))
            if others is not None:
                return self._start(operands[0]), self._end(operands[0]), others, True
            return start, end, self._other_error(), True
        if name == b"errors.As":
            kind = self._draw.word().capitalize().encode()
            other = b"func(interface{}) interface{} { return new(interface{ %b() }) }(%b)"
            return start, end, other % (kind, self._source(arguments[1])), True
        return None

    def _other_error(self) -> bytes:
        return b'errors.New("%b")' % self._draw.word().encode()

    def _all_others(self, error: bytes, sought: bytes) -> bytes | None:
        """Every other error that these tests know, where they know several: none is all of them at once."""
        known = sorted({*_KNOWN_ERROR.findall(self._text)} - {sought})
        others = [name for name in known if name.rpartition(b".")[0] == sought.rpartition(b".")[0]]
        if len(others) < 2:
            return None
        return b"(%b)" % b" && ".join(b"errors.Is(%b, %b)" % (error, other) for other in others)

    def _range(self, loop: int) -> int | None:
        found = (child for child in self._tree.children(loop) if self._tree.parts[child].kind == "range_clause")
        return next(found, None)

    def _table(self, declaration: int) -> Iterator[_Edit]:
        """`tests := []struct{…}{ {…, want: 3}, … }`, also where it is gone through: each row expects something else."""
        literal = next(
            (
                index
                for index in range(declaration, self._tree.after[declaration])
                if self._tree.parts[index].kind == "literal_value"
                and self._tree.parts[self._tree.parts[index].parent].kind == "composite_literal"
            ),
            None,
        )
        names = list(self._field_names(declaration, literal)) if literal else []
        for element in self._tree.children(literal) if literal else ():
            row = self._row(element)
            fields = self._fields(row, names) if row else []
            if not self._ends_in_an_error(fields):
                wanted = [value for key, value in fields if _WANTED.fullmatch(key.lower())]
                yield from filter(None, [self._inside(wanted[0]) if wanted else None])
            for name, field in fields:
                is_error = _MAY_BE_ERROR.fullmatch(name.lower()) and _ERROR.fullmatch(self._source(field))
                if is_error and self._is_sought(name):
                    yield self._start(field), self._end(field), self._other_error(), True

    def _field_names(self, start: int, end: int) -> Iterator[bytes]:
        """Of the struct that is written out before the rows."""
        for index in range(start, end):
            if self._tree.parts[index].kind == "field_declaration":
                for child in self._tree.children(index):
                    if self._tree.parts[child].kind == "field_identifier":
                        yield self._source(child)

    def _fields(self, row: int, names: Sequence[bytes]) -> list[tuple[bytes, int]]:
        elements = list(self._tree.children(row))
        keyed = [
            (self._source(key), value)
            for element in elements
            if (key := self._tree.child(element, "key")) and (value := self._tree.child(element, "value"))
        ]
        return keyed or (list(zip(names, elements, strict=True)) if len(names) == len(elements) else [])

    def _ends_in_an_error(self, fields: Sequence[tuple[bytes, int]]) -> bool:
        """Then what else the row holds is often never compared."""
        errors = [self._source(value) for key, value in fields if _OF_ERRORS.fullmatch(key.lower())]
        return any(value not in (b"false", b"nil", b'""') for value in errors)

    def _is_sought(self, key: bytes) -> bool:
        """Whether rows are compared by this field; many tests only ask whether there is an error at all."""
        return re.search(rb"\berrors\.Is\(\w{1,60}, \w{1,60}\.%b\)" % re.escape(key), self._text) is not None

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
        if name == b"ErrorIs" and len(given) > 1 and _ERRORS.search(self._text):
            literal = self._start(given[1]), self._end(given[1]), self._other_error(), True
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

    def _start(self, index: int) -> int:
        return self._tree.parts[index].start

    def _end(self, index: int) -> int:
        return self._tree.parts[index].end

    def _source(self, index: int) -> bytes:
        part = self._tree.parts[index]
        return self._text[part.start : part.end]
