"""Python text in, the same text out with constants in place of the work of its changed functions."""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator

from msgspec import Struct

from autopilot.testtools.mutants.edit import (
    MAX_SINGLE,
    Constant,
    Edit,
    Mutated,
    names_of,
    splice,
    worth_mutating,
)
from autopilot.testtools.mutants.python_loading import used_while_loading
from autopilot.testtools.mutants.python_pieces import Piece, pieces
from autopilot.text.python_tree import compiles, python_tree

_LINE_END = re.compile(rb"\r\n|\r|\n")  # as Python counts lines, whichever way a file ends them


class Source(Struct, frozen=True):
    text: bytes  # in UTF-8, in which the tree counts its columns
    tree: ast.Module
    encoding: str

    def encode(self, text: bytes) -> bytes:
        return text.decode().encode(self.encoding)

    @property
    def starts(self) -> list[int]:
        """Of each line."""
        return [0, *(end.end() for end in _LINE_END.finditer(self.text))]


def mutate_python(old: bytes | None, new: bytes) -> Mutated | None:
    source = read_source(new)
    if source is None:
        return None
    edits = worth_mutating(tuple(edit for edit, _ in changed_pieces(old, source)))
    if not _holds(source, edits):
        edits = tuple(edit for edit in edits[:MAX_SINGLE] if _holds(source, (edit,)))
    if not edits or not _holds(source, edits):
        return None
    nothing, true = (source.encode(splice(source.text, edits, constant)) for constant in Constant)
    return Mutated(nothing, true, names_of(edits, functions=True), names_of(edits, functions=False))


def changed_pieces(old: bytes | None, source: Source) -> Iterator[tuple[Edit, Piece]]:
    """What is neither known from before nor a constant already. A piece that only moved is known."""
    before = read_source(old) if old is not None else None
    known = {(name, piece.meaning) for name, piece in pieces(before.tree)} if before else set[tuple[str, str]]()
    early, starts = used_while_loading(source.tree), source.starts
    for name, piece in pieces(source.tree):
        first, last = piece.first, piece.last
        if (name, piece.meaning) in known or last.end_lineno is None or last.end_col_offset is None:
            continue
        start = starts[first.lineno - 1] + first.col_offset
        if piece.decorated:  # the tree lets a decorator begin behind its sign
            start = source.text.rfind(b"@", 0, start)
        end = starts[last.end_lineno - 1] + last.end_col_offset
        # A method is reached only through its class, and to make an object is to call `__init__`, which stays harmless.
        is_early = piece.is_empty or (name if piece.is_function else name.rpartition(".")[2]) in early
        yield Edit(start, end, piece.nothing.encode(), piece.true.encode(), name, piece.is_function, is_early), piece


def _holds(source: Source, edits: tuple[Edit, ...]) -> bool:
    return all(compiles(splice(source.text, edits, constant).decode()) for constant in Constant)


def read_source(raw: bytes) -> Source | None:
    """Only what comes back byte for byte: a mutant differs where it was mutated and nowhere else."""
    try:
        encoding, _ = tokenize.detect_encoding(iter(raw.splitlines(keepends=True)).__next__)
        text = raw.decode(encoding)
        if text.encode(encoding) != raw:
            return None
    except (SyntaxError, ValueError, LookupError):
        return None
    tree = python_tree(text)
    return None if tree is None else Source(text.encode(), tree, encoding)
