"""An expectation of which it is not certain that its test must notice another one, and what would settle it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from autopilot.testtools.expectations.site import Site

Piece = tuple[int, int, bytes]


class Doubt(Struct, frozen=True):
    """Where a test stays green with the other expectation, it is run once more with the settling pieces in its place.

    Red then says that the place was reached, or that the values do differ: the other expectation was lost on the way.
    """

    site: Site
    settling: tuple[Piece, ...]
    is_equality: bool = False  # the product's own equality decides; else code of the product calls what asserts
    is_all: bool = True  # the test expects nothing elsewhere


def splice_pieces(text: bytes, pieces: Sequence[Piece]) -> bytes:
    made, position = list[bytes](), 0
    for start, end, instead in sorted(pieces):
        made += [text[position:start], instead]
        position = end
    return b"".join((*made, text[position:]))
