"""Syntax trees by tree-sitter: the one place that calls the native parser.

The parser is a native library and the text is untrusted. So callers copy what they need of the tree and release it,
and parsing has a timeout: a text such as a hundred kilobytes of unmatched quotes keeps its error recovery busy for
minutes.
"""

from __future__ import annotations

import warnings
from enum import Enum, auto
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language, Tree

_TIMEOUT_US = 1_500_000  # a real file of 400 kB takes a seventh of it


class Grammar(Enum):
    BASH = auto()
    GO = auto()
    RUST = auto()
    TSX = auto()  # reads plain JavaScript as well as a grammar of its own would
    TYPESCRIPT = auto()  # without JSX, where ``<T>x`` is a cast


def parse_tree(text: bytes, grammar: Grammar) -> Tree | None:
    """None when the parser timed out."""
    from tree_sitter import Parser

    with warnings.catch_warnings():
        # The way that is not deprecated, a callback, ends in a segmentation fault (0.25.2).
        warnings.simplefilter("ignore", DeprecationWarning)
        parser = Parser(_language(grammar), timeout_micros=_TIMEOUT_US)
    try:
        return parser.parse(text)
    except ValueError:
        return None


@cache
def _language(grammar: Grammar) -> Language:
    from tree_sitter import Language

    if grammar is Grammar.BASH:
        import tree_sitter_bash

        return Language(tree_sitter_bash.language())
    if grammar is Grammar.GO:
        import tree_sitter_go

        return Language(tree_sitter_go.language())
    if grammar is Grammar.RUST:
        import tree_sitter_rust

        return Language(tree_sitter_rust.language())
    import tree_sitter_typescript

    typed = grammar is Grammar.TYPESCRIPT
    return Language(tree_sitter_typescript.language_typescript() if typed else tree_sitter_typescript.language_tsx())
