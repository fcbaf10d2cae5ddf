"""Where tests in JavaScript and TypeScript say what they expect: `node:assert`, and `expect` of Jest and Vitest."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from autopilot.testtools.expectations.script_literals import other_script_literal
from autopilot.testtools.expectations.site import Draw, Site
from autopilot.text.script_tree import ScriptTree, script_tree

_TEST = re.compile(rb"(?:test|it)(?:\.(?:only|concurrent))?")
FUNCTIONS = frozenset({"arrow_function", "function_expression", "function"})
_LEAVING = frozenset({"return_statement", "throw_statement", "break_statement", "continue_statement"})
_OPPOSITES = {
    b"equal": b"notEqual",
    b"strictEqual": b"notStrictEqual",
    b"deepEqual": b"notDeepEqual",
    b"deepStrictEqual": b"notDeepStrictEqual",
    b"match": b"doesNotMatch",
    b"throws": b"doesNotThrow",
    b"rejects": b"doesNotReject",
}
_OPPOSITES |= {after: before for before, after in _OPPOSITES.items()}
_EQUALITIES = frozenset({b"equal", b"strictEqual", b"deepEqual", b"deepStrictEqual"})
_LITERAL_MATCHERS = re.compile(rb"to(?:Be|Equal|StrictEqual|BeCloseTo|HaveLength|Contain)")

_Edit = tuple[int, int, bytes, bool]


def script_sites(text: bytes, draw: Draw) -> Iterator[Site]:
    tree = script_tree(text)
    if tree is not None and not tree.wrong:
        yield from ScriptReader(tree, text, draw).sites()


class ScriptReader:
    def __init__(self, tree: ScriptTree, text: bytes, draw: Draw) -> None:
        self._tree, self._text, self._draw = tree, text, draw

    def sites(self) -> Iterator[Site]:
        for title, body in self.tests():
            yield from (Site(title, *edit) for edit in self.edits(body))

    def tests(self) -> Iterator[tuple[str, int]]:
        for index, part in enumerate(self._tree.parts):
            if part.kind == "call_expression" and (found := self._test(index)):
                yield found

    def _test(self, call: int) -> tuple[str, int] | None:
        """The title and the body of `test("title", () => { … })`."""
        callee, given = self.called(call)
        if not _TEST.fullmatch(callee) or not given or self._tree.parts[given[0]].kind != "string":
            return None
        function = next((argument for argument in given[1:] if self._tree.parts[argument].kind in FUNCTIONS), None)
        body = self._tree.child(function, "body") if function is not None else None
        if body is None or self._tree.parts[body].kind != "statement_block":
            return None
        return self.source(given[0])[1:-1].decode(errors="replace"), body

    def edits(self, body: int) -> Iterator[_Edit]:
        """Only of what every run of the test comes by: what stands in a branch may never be reached."""
        for statement in self._tree.children(body):
            if self._tree.parts[statement].kind != "expression_statement":
                if self._leaves(statement):
                    return
                continue
            value = next(self._tree.children(statement), None)
            if value is not None and self._tree.parts[value].kind == "await_expression":
                value = next(self._tree.children(value), None)
            if value is not None and self._tree.parts[value].kind == "call_expression":
                yield from self._call(value)

    def _leaves(self, statement: int) -> bool:
        """Whether it may end the test. What an inner function returns is nothing to the test."""
        index = statement
        while index < self._tree.after[statement]:
            kind = self._tree.parts[index].kind
            if kind in _LEAVING:
                return True
            index = self._tree.after[index] if kind in FUNCTIONS or kind == "function_declaration" else index + 1
        return False

    def _call(self, call: int) -> Iterator[_Edit]:
        callee, given = self.called(call)
        object_, _, method = callee.rpartition(b".")
        if callee in (b"assert", b"assert.ok") and given:
            yield self._replaced(given[0], b"!(%s)" % self.source(given[0]), is_value=False)
        elif object_.rpartition(b".")[2] == b"assert" or (object_ == b"" and method in _OPPOSITES):
            yield from self._assertion(call, method, given)
        elif object_.startswith(b"expect(") and not object_.endswith(b".not"):
            literal = self._other(given[:1]) if _LITERAL_MATCHERS.fullmatch(method) else None
            yield literal or self._at_method(call, method, b"not." + method)

    def _assertion(self, call: int, method: bytes, given: Sequence[int]) -> Iterator[_Edit]:
        literal = self._other(given[1::-1]) if method in _EQUALITIES else None
        if literal:
            yield literal
        elif method in _OPPOSITES and self._text[self._tree.parts[call].start :].startswith((b"assert.", b"t.assert.")):
            yield self._at_method(call, method, _OPPOSITES[method])

    def _at_method(self, call: int, method: bytes, instead: bytes) -> _Edit:
        callee = self._tree.child(call, "function")
        assert callee is not None
        end = self._tree.parts[callee].end
        return end - len(method), end, instead, False

    def called(self, call: int) -> tuple[bytes, list[int]]:
        callee, arguments = self._tree.child(call, "function"), self._tree.child(call, "arguments")
        if callee is None or arguments is None:
            return b"", []
        given = [child for child in self._tree.children(arguments) if self._tree.parts[child].kind != "comment"]
        return self.source(callee), given

    def _other(self, given: Sequence[int]) -> _Edit | None:
        found = (other_script_literal(self._tree, self._text, argument, self._draw) for argument in given)
        return next(((*edit, True) for edit in found if edit), None)

    def _replaced(self, index: int, instead: bytes, *, is_value: bool) -> _Edit:
        part = self._tree.parts[index]
        return part.start, part.end, instead, is_value

    def source(self, index: int) -> bytes:
        part = self._tree.parts[index]
        return self._text[part.start : part.end]
