"""A JavaScript or TypeScript text as its syntax tree: every named part in the order of the text, in one flat tuple.

The parser is a native library and the text a stranger's. So the library's own objects are let go before anyone looks,
and a text that drives its error recovery astray (a hundred kilobytes of stray quotes take minutes) is given up on.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from tree_sitter import Language, Tree

_PATIENCE_US = 2_000_000  # a real file of 400 kB takes a tenth of it


class Part(Struct, frozen=True, gc=False):
    kind: str  # as the grammar calls it: "arrow_function"
    field: str  # what it is to the part around it: "name", "body"
    start: int
    end: int
    parent: int  # index of the part around it, -1 for the whole
    wrong: bool = False  # has an error inside


class ScriptTree(Struct, frozen=True):
    parts: tuple[Part, ...]
    after: tuple[int, ...]  # per part: index of the first one that is not inside it
    wrong: int  # places where the text is none of the language

    def children(self, index: int) -> Iterator[int]:
        child = index + 1
        while child < self.after[index]:
            yield child
            child = self.after[child]

    def child(self, index: int, field: str) -> int | None:
        return next((child for child in self.children(index) if self.parts[child].field == field), None)

    def around(self, index: int) -> Iterator[int]:
        """The parts around this one, the nearest first."""
        while (index := self.parts[index].parent) >= 0:
            yield index


def script_tree(text: bytes, *, typed: bool = False) -> ScriptTree | None:
    """None for what could not be parsed in time. ``typed`` is TypeScript without JSX, where ``<T>x`` is a cast.

    The grammar of TSX reads plain JavaScript as well as a grammar of its own would.
    """
    from tree_sitter import Parser

    with warnings.catch_warnings():
        # The way that is not deprecated, a callback, ends in a segmentation fault (0.25.2).
        warnings.simplefilter("ignore", DeprecationWarning)
        parser = Parser(_language(typed), timeout_micros=_PATIENCE_US)
    try:
        return _flatten(parser.parse(text))
    except ValueError:
        return None


@cache
def _language(typed: bool) -> Language:
    import tree_sitter_typescript
    from tree_sitter import Language

    return Language(tree_sitter_typescript.language_typescript() if typed else tree_sitter_typescript.language_tsx())


def _flatten(tree: Tree) -> ScriptTree:
    parts: list[Part] = []
    after: list[int] = []
    wrong = 0
    around = [-1]  # per depth of the cursor: the recorded part there
    cursor = tree.walk()
    while True:
        node = cursor.node
        assert node is not None
        wrong += node.is_error or node.is_missing
        if node.is_named:
            field = cursor.field_name or ""
            parts.append(Part(node.type, field, node.start_byte, node.end_byte, around[-1], node.has_error))
            after.append(0)
            around.append(len(parts) - 1)
        else:
            around.append(around[-1])
        if cursor.goto_first_child():
            continue
        while True:
            done = around.pop()
            if done != around[-1]:
                after[done] = len(parts)
            if cursor.goto_next_sibling():
                break
            if not cursor.goto_parent():
                return ScriptTree(tuple(parts), tuple(after), wrong)
