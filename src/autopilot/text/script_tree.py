"""A text as its syntax tree: every named part in the order of the text, in one flat tuple."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from autopilot.text.grammar import Grammar, parse_tree
from autopilot.text.parser import find_parser

if TYPE_CHECKING:
    from tree_sitter import Tree


class Part(Struct, frozen=True, gc=False, array_like=True):
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
    """Of JavaScript or TypeScript. ``typed`` is TypeScript without JSX."""
    return flat_tree(text, Grammar.TYPESCRIPT if typed else Grammar.TSX)


def flat_tree(text: bytes, grammar: Grammar) -> ScriptTree | None:
    """None when it could not be parsed: the parser timed out, or died of it."""
    parser = find_parser()
    return parser.parse_source(text, grammar) if parser else parse_source(text, grammar)


def parse_source(text: bytes, grammar: Grammar) -> ScriptTree | None:
    """In this process. None when the parser timed out."""
    tree = parse_tree(text, grammar)
    return None if tree is None else _flatten(tree)


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
