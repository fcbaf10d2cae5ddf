"""Captures of a language's query in a text: the native parser with a limit of time, loaded when it is first needed."""

from __future__ import annotations

import importlib
import warnings
from functools import cache
from typing import TYPE_CHECKING

from autopilot.repomap.grammars.table import GRAMMARS

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Query, Tree

TIMEOUT_US = 700_000  # of one text; with the query after it a file stays below a second
Captures = dict[str, list["Node"]]


class NoGrammar(Exception):
    """The package with the grammar of this language is not installed."""


def parse(text: bytes, language: str) -> tuple[Tree, Captures] | None:
    """None when it timed out. The tree must outlive its nodes."""
    from tree_sitter import QueryCursor

    parser, query = _tools(language)
    try:
        tree = parser.parse(text)
    except ValueError:
        parser.reset()  # or it would continue with this text
        return None
    return tree, QueryCursor(query).captures(tree.root_node)


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
        return Parser(loaded, timeout_micros=TIMEOUT_US), Query(loaded, grammar.query)
