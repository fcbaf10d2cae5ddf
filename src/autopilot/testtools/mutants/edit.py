"""A span of a text and what stands there in each of the two mutants."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from msgspec import Struct

MAX_SINGLE = 40  # edits that are tried one by one, where all together are no valid code


class Constant(Enum):
    NOTHING = "nothing"  # None, undefined
    TRUE = "true"


class Edit(Struct, frozen=True):
    start: int
    end: int
    nothing: bytes
    true: bytes
    name: str = ""  # of the function or the value, for people; "" for what only goes along
    is_function: bool = True
    early: bool = False  # mutated last: used while its file is being loaded, which a constant may break, or empty


class Mutated(Struct, frozen=True):
    """One file, mutated in both ways."""

    nothing: bytes
    true: bytes
    functions: tuple[str, ...]
    values: tuple[str, ...]
    is_partial: bool = False  # a changed function has no constant: the tests may ask for that one alone


def splice(text: bytes, edits: Sequence[Edit], constant: Constant) -> bytes:
    pieces, position = [], 0
    for edit in sorted(edits, key=lambda edit: edit.start):
        pieces += [
            text[position : edit.start],
            edit.true if constant is Constant.TRUE else edit.nothing,
        ]
        position = edit.end
    return b"".join((*pieces, text[position:]))


def worth_mutating(edits: Sequence[Edit]) -> tuple[Edit, ...]:
    """Functions, for they are what was built: a test that notices another `VERSION` need not ask them anything.

    What runs early comes along only where there is nothing else of its kind, values where there is no function.
    """
    functions = [edit for edit in edits if edit.is_function]
    return tuple(_late(functions) or _late([edit for edit in edits if not edit.is_function]))


def _late(edits: Sequence[Edit]) -> Sequence[Edit]:
    return [edit for edit in edits if not edit.early] or edits


def names_of(edits: Sequence[Edit], *, functions: bool) -> tuple[str, ...]:
    return tuple(edit.name for edit in edits if edit.name and edit.is_function is functions)


class Near(Struct, frozen=True):
    """One file whose changed functions return something near to what they return."""

    text: bytes
    functions: tuple[str, ...]
    is_pure: bool  # these functions seem to do nothing but to return a value
