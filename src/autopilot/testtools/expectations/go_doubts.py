"""Expectations of Go tests where an `Equal` of the product compares: each literal of the expected value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from autopilot.testtools.expectations.doubt import Doubt
from autopilot.testtools.expectations.site import Draw, Site
from autopilot.text.grammar import Grammar
from autopilot.text.script_tree import ScriptTree, flat_tree

_PACKAGE = re.compile(rb"^package \w{1,80}[^\n]{0,200}\n", re.MULTILINE)
_IMPORT = b'\nimport content "reflect"\n'
_CONTENT = b"!content.DeepEqual(%b, %b)"
_BARE = b"content.Indirect(content.ValueOf(%b)).Interface()"
_EQUAL = re.compile(rb"(?:Equals?|Eq|IsEqual|Same)")


def go_doubts(text: bytes, draw: Draw) -> Iterator[Doubt]:
    tree, package = flat_tree(text, Grammar.GO), _PACKAGE.search(text)
    if tree is None or tree.wrong or package is None:
        return
    reader = _Reader(tree, text, draw, package.end())
    for index, part in enumerate(tree.parts):
        name, body = tree.child(index, "name"), tree.child(index, "body")
        if part.kind != "function_declaration" or name is None or body is None:
            continue
        title = reader.source(name).decode(errors="replace")
        if title.startswith("Test"):
            yield from reader.doubts(title, body)


class _Reader:
    def __init__(self, tree: ScriptTree, text: bytes, draw: Draw, imports: int) -> None:
        self._tree, self._text, self._draw, self._imports = tree, text, draw, imports

    def doubts(self, title: str, body: int) -> Iterator[Doubt]:
        """`if want := (Money{400, "EUR"}); !got.Equal(want) { t.Errorf(…) }`, wherever the value is declared."""
        written = self._written(body)
        for index in range(body, self._tree.after[body]):
            if self._tree.parts[index].kind != "if_statement":
                continue
            condition = self._tree.child(index, "condition")
            if condition is None or self.source(condition)[:1] != b"!":
                continue
            got, expected = self._sides(condition)
            value = written.get(self.source(expected), expected) if expected is not None else None
            if not got or got in written or value is None or self._composite(value) is None:
                continue
            assert expected is not None
            sides = (_BARE % side for side in (got, self.source(expected)))
            whole, content = self._tree.parts[condition], _CONTENT % tuple(sides)
            settling = ((self._imports, self._imports, _IMPORT), (whole.start, whole.end, content))
            for start, end, instead in self._scalars(value):
                yield Doubt(Site(title, start, end, instead), settling, is_equality=True)

    def _sides(self, condition: int) -> tuple[bytes, int | None]:
        """Of `!got.Equal(want)`: the source of what is compared, and the place of what it is compared with."""
        call = next(self._tree.children(condition), None)
        callee = self._tree.child(call, "function") if call is not None else None
        given = self._tree.child(call, "arguments") if call is not None else None
        arguments = list(self._tree.children(given)) if given is not None else []
        got, _, method = self.source(callee).rpartition(b".") if callee is not None else (b"", b"", b"")
        fits = _EQUAL.fullmatch(method) and len(arguments) == 1 and got not in (b"reflect", b"bytes", b"slices")
        return (got, arguments[0]) if fits else (b"", None)

    def _written(self, body: int) -> Mapping[bytes, int]:
        """Names that are given a value that is written out."""
        found: dict[bytes, int] = {}
        for index in range(body, self._tree.after[body]):
            if self._tree.parts[index].kind == "short_var_declaration":
                left, right = self._tree.child(index, "left"), self._tree.child(index, "right")
                if left is not None and right is not None and self._composite(right) is not None:
                    found[self.source(left)] = right
        return found

    def _composite(self, index: int) -> int | None:
        """Itself a value that is written out, in brackets or by its address."""
        source = self.source(index).lstrip(b"(&").rstrip(b")")
        inside = range(index, self._tree.after[index])
        first = next((i for i in inside if self._tree.parts[i].kind == "composite_literal"), None)
        return first if first is not None and source == self.source(first) else None

    def _scalars(self, value: int) -> Iterator[tuple[int, int, bytes]]:
        for index in range(value, self._tree.after[value]):
            part = self._tree.parts[index]
            match part.kind:
                case "interpreted_string_literal":
                    yield part.end - 1, part.end, self._draw.word().encode() + b'"'
                case "int_literal" | "float_literal":
                    yield part.start, part.start, str(1 + self._draw.below(96)).encode()
                case "true" | "false":
                    yield part.start, part.end, b"false" if part.kind == "true" else b"true"
                case _:
                    pass

    def source(self, index: int) -> bytes:
        part = self._tree.parts[index]
        return self._text[part.start : part.end]
