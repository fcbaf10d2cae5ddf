"""Captures of a language's query in a text: the native parser with a limit of time, loaded when it is first needed."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING

from autopilot.repomap.grammar import Grammar
from autopilot.repomap.grammars.table import GRAMMARS

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Query, Tree

SLICE_US = 200_000  # the parser returns after it, and continues when it is asked again
IsSpent = Callable[[int], bool]  # after so many slices: whether no more is spent on this text

_MOST_PIECES = 3_000  # in one place without a structure
_MOST_BROKEN = 20_000  # nodes with an error inside
_DEEPEST = 10_000  # nodes inside of each other; beyond 65,535 the query of the native library never ends
_PLACE = attrgetter("byte_range")
Captures = dict[str, list["Node"]]


class NoGrammar(Exception):
    """The package with the grammar of this language is not installed."""


def after_four(slices: int) -> bool:
    """With the query after it a file stays below a second."""
    return slices >= 4


def parse(text: bytes, language: str, is_spent: IsSpent) -> tuple[Tree, Captures] | None:
    """None when it timed out. The tree must outlive its nodes."""
    parser, query = _tools(language)
    tree = _parse_repaired(parser, query, text, GRAMMARS[language], is_spent)
    return None if tree is None else (tree, _captures(tree, query))


def in_order(captures: Captures, role: str) -> list[Node]:
    """They come in no order that lasts."""
    return sorted(captures.get(role, ()), key=_PLACE)


def _parse_repaired(parser: Parser, query: Query, text: bytes, grammar: Grammar, is_spent: IsSpent) -> Tree | None:
    """Of the text, or of the text without what the grammar does not know, whichever has fewer errors."""
    first = text
    if grammar.repair and grammar.repaired_at_once and grammar.repaired_at_once.search(text):
        first = grammar.repair(text)
    tree = _parse(parser, first, is_spent)
    if tree is None or grammar.repair is None or not tree.root_node.has_error:
        return tree
    second = text if first is not text else grammar.repair(text)
    other = _parse(parser, second, is_spent) if second != first else None
    return other if other is not None and _errors(other, query) < _errors(tree, query) else tree


def _captures(tree: Tree, query: Query) -> Captures:
    """None of a text that is hardly of this language: what the query costs grows faster than its pieces do."""
    from tree_sitter import QueryCursor

    if _is_shattered(tree):
        return {}
    cursor = QueryCursor(query)
    cursor.set_max_start_depth(_DEEPEST)
    return cursor.captures(tree.root_node)


def _is_shattered(tree: Tree) -> bool:
    pending, seen = [tree.root_node], 0
    while pending:
        node = pending.pop()
        seen += 1
        if seen > _MOST_BROKEN or (node.is_error and node.child_count > _MOST_PIECES):
            return True
        if node.has_error:
            pending += (child for child in node.children if child.has_error)
    return False


def _parse(parser: Parser, text: bytes, is_spent: IsSpent) -> Tree | None:
    slices = 0
    while True:
        try:
            return parser.parse(text)
        except ValueError:
            slices += 1
            if is_spent(slices):
                parser.reset()  # or it would continue with this text when it is given another
                return None


def _errors(tree: Tree, query: Query) -> int:
    """How many bytes are in no construct of the language."""
    if not tree.root_node.has_error:
        return 0
    if _is_shattered(tree):
        return tree.root_node.end_byte + 1
    found = _captures(tree, query).get("error", ())
    return 1 + sum(node.end_byte - node.start_byte for node in found)


@cache
def _tools(language: str) -> tuple[Parser, Query]:
    """Kept: a parser for each text would cost as much as a small text."""
    from tree_sitter import Language, Parser, Query

    grammar = GRAMMARS[language]
    try:
        module = importlib.import_module(grammar.module)
    except ImportError as error:
        raise NoGrammar(language) from error
    with warnings.catch_warnings():
        # The way that is not deprecated, a callback, ends in a segmentation fault (0.25.2).
        warnings.simplefilter("ignore", DeprecationWarning)
        loaded = Language(getattr(module, grammar.factory)())
        return Parser(loaded, timeout_micros=SLICE_US), Query(loaded, grammar.query)
