"""A spot: a span of a text and what stands there in each of the two mutants."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from msgspec import Struct

MAX_SINGLE = 40  # spots that are tried one by one, where all together are no valid code


class Constant(Enum):
    NOTHING = "nothing"  # None, undefined
    TRUE = "true"


class Spot(Struct, frozen=True):
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


def splice(text: bytes, spots: Sequence[Spot], constant: Constant) -> bytes:
    pieces, position = [], 0
    for spot in sorted(spots, key=lambda spot: spot.start):
        pieces += [text[position : spot.start], spot.true if constant is Constant.TRUE else spot.nothing]
        position = spot.end
    return b"".join((*pieces, text[position:]))


def worth_mutating(spots: Sequence[Spot]) -> tuple[Spot, ...]:
    """Functions, for they are what was built: a test that notices another `VERSION` need not ask them anything.

    What runs early comes along only where there is nothing else of its kind, values where there is no function.
    """
    functions = [spot for spot in spots if spot.is_function]
    return tuple(_late(functions) or _late([spot for spot in spots if not spot.is_function]))


def _late(spots: Sequence[Spot]) -> Sequence[Spot]:
    return [spot for spot in spots if not spot.early] or spots


def names_of(spots: Sequence[Spot], *, functions: bool) -> tuple[str, ...]:
    return tuple(spot.name for spot in spots if spot.name and spot.is_function is functions)
