"""Where Rust tests say what they expect: `assert!`, `assert_eq!` and `assert_ne!`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from autopilot.testtools.expectations.site import Draw, Site
from autopilot.text.grammar import Grammar
from autopilot.text.script_tree import ScriptTree, flat_tree

_SWAPPED = {b"assert_eq": b"assert_ne", b"assert_ne": b"assert_eq"}

_Edit = tuple[int, int, bytes, bool]
_Span = tuple[int, int]


def rust_sites(text: bytes, draw: Draw) -> Iterator[Site]:
    tree = flat_tree(text, Grammar.RUST)
    if tree is not None and not tree.wrong:
        yield from _Reader(tree, text, draw).sites()


class _Reader:
    def __init__(self, tree: ScriptTree, text: bytes, draw: Draw) -> None:
        self._tree, self._text, self._draw = tree, text, draw

    def sites(self) -> Iterator[Site]:
        marked = False
        for index, part in enumerate(self._tree.parts):
            if part.kind == "attribute_item":
                spelled = self._source(index)
                marked = (marked or b"test]" in spelled) and b"should_panic" not in spelled and b"cfg" not in spelled
            elif part.kind == "function_item":
                name, body = self._tree.child(index, "name"), self._tree.child(index, "body")
                if marked and name is not None and body is not None:
                    title = self._source(name).decode(errors="replace")
                    yield from (Site(title, *edit) for edit in self._edits(body))
                marked = False

    def _edits(self, block: int) -> Iterator[_Edit]:
        """Only of what every run of the test comes by: what stands in a branch may never be reached."""
        for statement in self._tree.children(block):
            macro = self._macro(statement)
            if macro is not None:
                yield from self._assertion(macro)
            elif re.search(rb"\breturn\b|\?;", self._source(statement)):
                return

    def _macro(self, statement: int) -> int | None:
        inner = next(self._tree.children(statement), None)
        found = (statement, inner) if inner is not None else (statement,)
        return next((index for index in found if self._tree.parts[index].kind == "macro_invocation"), None)

    def _assertion(self, macro: int) -> Iterator[_Edit]:
        name, *rest = self._tree.children(macro)
        called = self._source(name)
        if not rest or self._tree.parts[rest[-1]].kind != "token_tree":
            return
        arguments = self._arguments(rest[-1])
        if called == b"assert" and arguments:
            start, end = arguments[0]
            yield start, end, b"!(%s)" % self._text[start:end], False
        elif called in _SWAPPED and len(arguments) >= 2:
            literal = self._other(rest[-1], arguments[1::-1]) if called == b"assert_eq" else None
            span = self._tree.parts[name]
            yield literal or (span.start, span.end, _SWAPPED[called], False)

    def _arguments(self, tokens: int) -> list[_Span]:
        """Split at the commas that are inside no bracket and no literal."""
        whole = self._tree.parts[tokens]
        inside = [
            (self._tree.parts[index].start, self._tree.parts[index].end)
            for index in self._tree.children(tokens)
            if self._tree.parts[index].kind in ("token_tree", "string_literal", "raw_string_literal", "char_literal")
        ]
        commas = [
            position
            for position in range(whole.start + 1, whole.end - 1)
            if self._text[position : position + 1] == b"," and not any(start <= position < end for start, end in inside)
        ]
        edges = [whole.start, *commas, whole.end - 1]
        spans = [(first + 1, last) for first, last in pairwise(edges)]
        return [self._trimmed(span) for span in spans if self._text[span[0] : span[1]].strip()]

    def _trimmed(self, span: _Span) -> _Span:
        source = self._text[span[0] : span[1]]
        start = span[0] + len(source) - len(source.lstrip())
        return start, start + len(source.strip())

    def _other(self, tokens: int, arguments: Sequence[_Span]) -> _Edit | None:
        """A literal that is the argument, or the first inside one that calls nothing of the product."""
        for start, end in arguments:
            if re.search(rb"(?<!\w)[a-z]\w*\s*\((?!\s*\))", self._text[start:end]):
                continue  # a call: its literals are what it is given
            for index in range(tokens, self._tree.after[tokens]):
                part = self._tree.parts[index]
                if start <= part.start and part.end <= end and (edit := self._changed(index)):
                    return edit
        return None

    def _changed(self, index: int) -> _Edit | None:
        part = self._tree.parts[index]
        match part.kind:
            case "string_literal":
                return part.end - 1, part.end, self._draw.word().encode() + b'"', True
            case "integer_literal":
                # One digit more keeps its type in most cases; a literal that does not fit would not build.
                return part.start, part.start, str(1 + self._draw.below(2)).encode(), True
            case "float_literal":
                return part.start, part.start, str(1 + self._draw.below(9)).encode(), True
            case "boolean_literal":
                return part.start, part.end, b"false" if self._source(index) == b"true" else b"true", True
            case _:
                return None

    def _source(self, index: int) -> bytes:
        part = self._tree.parts[index]
        return self._text[part.start : part.end]
