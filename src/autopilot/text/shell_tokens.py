"""A shell text cut into words, operators and redirects, each with its place, by the grammar of bash."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from autopilot.text.grammar import Grammar, parse_tree
from autopilot.text.parser import find_parser

if TYPE_CHECKING:
    from tree_sitter import Tree

MOST_SIGNS = {"|": 1_000, "&": 2_000, "`": 400}  # in one text
OPERATORS = frozenset({"&&", "||", ";", ";;", "|", "|&", "&", "(", ")"})
_GOES_ON = frozenset({"&&", "||", "|", "|&"})  # a line that ends in one of them is not over
_REDIRECTS = frozenset({"<", ">", ">>", "<<", "<<-", "<<<", "<&", ">&", "&>", "&>>", "<>", ">|"})
_GROUPS = frozenset({"subshell", "compound_statement", "function_definition"})
_EXPANDED = frozenset(
    {"command_substitution", "process_substitution", "expansion", "simple_expansion", "arithmetic_expansion"}
    | {"brace_expression", "ansi_c_string", "translated_string", "array"}
)
_SKIPPED = frozenset({"comment", "heredoc_body", "heredoc_end"})
_WHOLE = _EXPANDED | {"string", "raw_string", "heredoc_body", "comment"}
_UNREAD = re.compile(r"(?:\\[^\n]|[^\s\\])+")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED_IN_QUOTES = re.compile(r"\\([$`\"\\\n])")
_GLOB = re.compile(r"[*?\[\]{}~$`]")
_EXPANSION = re.compile(r"`|\$[\w({@*#?$!-]")


class Word(Struct, frozen=True):
    text: str  # as the command sees it; an expansion stands there as it is written
    start: int
    end: int
    is_literal: bool  # nothing in it is expanded: ``text`` is all it is


class Operator(Struct, frozen=True):
    text: str
    start: int
    depth: int = 0  # how many groups in brackets it stands in


class Redirect(Struct, frozen=True):
    """The sign and its target."""

    start: int
    end: int


Token = Word | Operator | Redirect


class Shell(Struct, frozen=True):
    tokens: tuple[Token, ...]
    is_valid: bool  # the grammar knows every part of it


class Piece(Struct, frozen=True, gc=False, array_like=True):
    """A leaf of the syntax tree."""

    kind: str
    start: int
    end: int
    depth: int
    in_test: bool


class ShellTree(Struct, frozen=True):
    pieces: tuple[Piece, ...]  # in the order of the text
    is_valid: bool


@lru_cache(256)
def read_shell(text: str) -> Shell | None:
    """None when it could not be parsed, or would take a gigabyte: memory grows with the square of such signs.

    So does its time with NUL bytes behind a backslash, which no command can hold.
    """
    if "\0" in text or any(text.count(sign) > most for sign, most in MOST_SIGNS.items()):
        return None
    written = text.encode("utf-8", "replace")
    parser = find_parser()
    tree = parser.parse_shell(written) if parser else parse_shell(written)
    return Shell(tuple(_tokens(text, _with_gaps(text, tree.pieces))), tree.is_valid) if tree else None


def parse_shell(text: bytes) -> ShellTree | None:
    """In this process. None when the parser timed out."""
    tree = parse_tree(text, Grammar.BASH)
    return ShellTree(tuple(_pieces(tree, text.decode())), not tree.root_node.has_error) if tree else None


def _pieces(tree: Tree, text: str) -> Iterator[Piece]:
    """The leaves of the tree in the order of the text; quotes and expansions whole."""
    places = _char_places(text)
    cursor = tree.walk()
    around = [(0, False)]  # per depth of the cursor: groups in brackets, and whether inside a test
    opens = 0  # 1 at the bracket that opens a group, which itself stands outside of it
    while True:
        node = cursor.node
        assert node is not None
        depth, in_test = around[-1]
        if node.type not in _WHOLE and cursor.goto_first_child():
            opens = int(node.type in _GROUPS)
            around.append((depth + opens, in_test or node.type == "test_command"))
            continue
        if node.end_byte > node.start_byte:
            yield Piece(node.type, places[node.start_byte], places[node.end_byte], depth - opens, in_test)
        opens = 0
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return
            around.pop()


def _with_gaps(text: str, pieces: Iterable[Piece]) -> Iterator[Piece]:
    """The grammar leaves out some words: the `-` of `cat - <<END`."""
    end = 0
    for piece in pieces:
        for found in _UNREAD.finditer(text, end, piece.start):
            yield Piece("word", found.start(), found.end(), piece.depth, piece.in_test)
        yield piece
        end = piece.end


def _char_places(text: str) -> Sequence[int]:
    """Of every byte: which character it belongs to."""
    if text.isascii():
        return range(len(text) + 1)
    return [index for index, char in enumerate(text) for _ in char.encode("utf-8", "replace")] + [len(text)]


def _tokens(text: str, pieces: Iterable[Piece]) -> Iterator[Token]:
    """Pieces that touch are one word; a line end is an operator where the line is over."""
    word, redirect, end, over = list[Piece](), -1, 0, False
    for piece in pieces:
        ended = "\n" in text[end : piece.start].replace("\\\n", "")
        if word and (ended or piece.start > end or not _is_of_word(piece)):
            yield _finish(text, word, redirect)
            word, redirect = [], -1
        if ended and over and piece.kind != "heredoc_body":
            redirect = -1
            yield Operator("\n", end, piece.depth)
        if piece.kind in OPERATORS and not piece.in_test:
            redirect = -1
            yield Operator(piece.kind, piece.start, piece.depth)
        elif piece.kind in _REDIRECTS and not piece.in_test:
            redirect = piece.start if redirect < 0 else redirect
        elif piece.kind == "file_descriptor":
            redirect = piece.start
        elif _is_of_word(piece):
            word.append(piece)
        end, over = piece.end, piece.kind not in _GOES_ON
    if word:
        yield _finish(text, word, redirect)


def _is_of_word(piece: Piece) -> bool:
    return piece.in_test or piece.kind not in OPERATORS | _REDIRECTS | _SKIPPED | {"file_descriptor"}


def _finish(text: str, pieces: Sequence[Piece], redirect: int) -> Word | Redirect:
    start, end = pieces[0].start, pieces[-1].end
    if redirect >= 0:
        return Redirect(redirect, end)
    values = [_value(piece.kind, text[piece.start : piece.end]) for piece in pieces]
    return Word("".join(value for value, _ in values), start, end, all(literal for _, literal in values))


def _value(kind: str, written: str) -> tuple[str, bool]:
    """What the command sees, and whether that is all there is to know."""
    if kind in _EXPANDED:
        return written, False
    if kind == "raw_string":
        return written[1:-1], True
    if kind == "string":
        plain = _ESCAPED_IN_QUOTES.sub("", written)
        value = _ESCAPED_IN_QUOTES.sub(lambda found: found[1].replace("\n", ""), written[1:-1])
        return value, not _EXPANSION.search(plain)
    value = _ESCAPED.sub(lambda found: found[1].replace("\n", ""), written)
    return value, not _GLOB.search(_ESCAPED.sub("", written))
