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
from autopilot.testtools.mutants.python_pieces import pieces
from autopilot.text.python_tree import compiles, python_tree

_LINE_END = re.compile(rb"\r\n|\r|\n")  # as Python counts lines, whichever way a file ends them


class _Source(Struct, frozen=True):
    text: bytes  # in UTF-8, in which the tree counts its columns
    tree: ast.Module
    encoding: str


def mutate_python(old: bytes | None, new: bytes) -> Mutated | None:
    source = _read(new)
    if source is None:
        return None
    before = _read(old) if old is not None else None
    known = {(name, piece.meaning) for name, piece in pieces(before.tree)} if before else set[tuple[str, str]]()
    edits = worth_mutating(tuple(_edits(source, known)))
    if not _holds(source, edits):
        edits = tuple(edit for edit in edits[:MAX_SINGLE] if _holds(source, (edit,)))
    if not edits or not _holds(source, edits):
        return None
    nothing, true = (splice(source.text, edits, constant).decode().encode(source.encoding) for constant in Constant)
    return Mutated(nothing, true, names_of(edits, functions=True), names_of(edits, functions=False))


def _edits(source: _Source, known: set[tuple[str, str]]) -> Iterator[Edit]:
    """What is neither known from before nor a constant already. A piece that only moved is known."""
    early = used_while_loading(source.tree)
    starts = [0, *(end.end() for end in _LINE_END.finditer(source.text))]
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
        yield Edit(start, end, piece.nothing.encode(), piece.true.encode(), name, piece.is_function, is_early)


def _holds(source: _Source, edits: tuple[Edit, ...]) -> bool:
    return all(compiles(splice(source.text, edits, constant).decode()) for constant in Constant)


def _read(raw: bytes) -> _Source | None:
    """Only what comes back byte for byte: a mutant differs where it was mutated and nowhere else."""
    try:
        encoding, _ = tokenize.detect_encoding(iter(raw.splitlines(keepends=True)).__next__)
        text = raw.decode(encoding)
        if text.encode(encoding) != raw:
            return None
    except (SyntaxError, ValueError, LookupError):
        return None
    tree = python_tree(text)
    return None if tree is None else _Source(text.encode(), tree, encoding)
