"""Python text in, the same text out with changed functions that return something near to what they return."""

from __future__ import annotations

import ast
import re

from autopilot.testtools.mutants.edit import Constant, Edit, Near, splice, worth_mutating
from autopilot.testtools.mutants.python import Source, changed_pieces, read_source
from autopilot.testtools.mutants.python_pieces import Piece, returns_value
from autopilot.testtools.near.effects import has_effects
from autopilot.testtools.near.near_python_code import CALLS, CODE, VALUE
from autopilot.text.python_tree import compiles, without_docstring

# Objects could not even be made, entered or found with another result of these.
_LEFT_ALONE = re.compile(
    r"__(?:init|new|post_init|init_subclass|class_getitem|set_name|a?enter|a?exit|hash|repr|bool|instancecheck|"
    r"subclasscheck|getattr|getattribute|setattr|delattr|get|set|del|prepare|reduce\w*|getstate|setstate)__"
)


def near_python(old: bytes | None, new: bytes) -> Near | None:
    source = read_source(new)
    if source is None:
        return None
    found = dict(changed_pieces(old, source))
    chosen = [(edit, found[edit]) for edit in worth_mutating(tuple(found)) if edit.is_function]
    named = [(e, p) for e, p in chosen if not p.is_empty and not _LEFT_ALONE.fullmatch(e.name.rpartition(".")[2])]
    answering = [(e, p) for e, p in named if p.function is None or returns_value(p.function)]
    if not answering:
        return None
    edits = [_near(source, edit, piece) if (edit, piece) in answering else edit for edit, piece in named]
    text = splice(source.text, [_code(source), *edits], Constant.NOTHING)
    if not compiles(text.decode()):
        return None
    pure = not any(has_effects(_source(source, edit, piece)) for edit, piece in answering)
    return Near(source.encode(text), tuple(edit.name for edit, _ in answering), is_pure=pure)


def _near(source: Source, edit: Edit, piece: Piece) -> Edit:
    """Below its other decorators: what they are given is the function that answers otherwise."""
    if piece.function is None:
        return Edit(edit.start, edit.end, b"%s(%s)" % (VALUE.encode(), source.text[edit.start : edit.end]), b"")
    line = source.starts[piece.function.lineno - 1]
    place = line + piece.function.col_offset
    return Edit(place, place, b"@%s\n%s" % (CALLS.encode(), source.text[line:place]), b"")


def _code(source: Source) -> Edit:
    """Before the first statement that is no docstring and no import from the future."""
    body = without_docstring(source.tree.body)
    first = next(node for node in body if not (isinstance(node, ast.ImportFrom) and node.module == "__future__"))
    lines = [first.lineno, *(decorator.lineno for decorator in getattr(first, "decorator_list", ()))]
    place = source.starts[min(lines) - 1]
    return Edit(place, place, CODE.encode(), b"")


def _source(source: Source, edit: Edit, piece: Piece) -> str:
    if piece.function is None:
        return source.text[edit.start : edit.end].decode()
    return ast.get_source_segment(source.text.decode(), piece.function) or ""
