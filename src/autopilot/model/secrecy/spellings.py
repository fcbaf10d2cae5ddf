"""The spellings of a known value, and where one stands in a text: also quoted, escaped or broken over lines.

Text and spelling are compared without what quoting and wrapping put in between: white space, quotes, backslashes and
the plus that joins two literals. One search for a plain word then finds every such spelling; only where it does,
a pattern says where exactly, and whether what stands in between does break a word or is a sentence of ordinary text.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from msgspec import Struct

from autopilot.model.secrecy.escapes import FILLER, read_escapes
from autopilot.model.secrecy.secrets import MIN_LENGTH

_QUOTING = "\"'`\\+" + FILLER
_SPACE = " \t\r\f\v"
_GAPS = f"{_QUOTING}{_SPACE}\n".encode()
_SEPARATORS = b":,;-"  # of hex digits, besides
_Q, _S = re.escape(_QUOTING), re.escape(_SPACE)
_ANY_GAP = rf"[{_Q}{_S}\n]*+"
# With a line end in it, or without any white space.
_BREAK = rf"(?:[{_Q}{_S}]*+\n[{_Q}{_S}\n]*+|[{_Q}]*+)"
_HEX_GAP = rf"(?:[{_Q}{_S}\n:,;-]|0[xX])*+"


class Spelling(Struct, frozen=True):
    name: str
    squeezed: bytes  # empty: only the pattern tells
    gap: str = _BREAK
    literal: str = ""

    @property
    def pattern(self) -> re.Pattern[str]:
        return _compiled(
            self.literal or self.squeezed.decode("utf-8", "surrogatepass"), "" if self.literal else self.gap
        )


class Span(Struct, frozen=True, order=True):
    start: int
    end: int
    name: str


class Spellings:
    """All spellings of all known values."""

    def __init__(self, values: Iterable[tuple[str, str]]) -> None:
        found = {spelling: None for name, value in values for spelling in _spell(name, value)}
        self._plain = tuple(spelling for spelling in found if spelling.gap is not _HEX_GAP)
        self._hexed = tuple(spelling for spelling in found if spelling.gap is _HEX_GAP)

    def spans(self, text: str) -> Iterator[Span]:
        """Where known values stand, in no order; spans may overlap."""
        if not self._plain:
            return
        squeezed = _squeeze(text)
        yield from _find(self._plain, text, squeezed)
        if (read := read_escapes(text)) != text:
            squeezed = _squeeze(read)
            yield from _find(self._plain, read, squeezed)
        digits = squeezed.translate(None, _SEPARATORS).replace(b"0x", b"").replace(b"0X", b"")
        yield from _find(self._hexed, read, digits)


def _find(spellings: Sequence[Spelling], text: str, squeezed: bytes) -> Iterator[Span]:
    for spelling in spellings:
        if spelling.squeezed in squeezed:
            for match in spelling.pattern.finditer(text):
                yield Span(match.start(), match.end(), spelling.name)


@cache
def _compiled(word: str, gap: str) -> re.Pattern[str]:
    # No character of the word can stand in a gap, so that there is only one way to match.
    return re.compile(gap.join(map(re.escape, word)))


def _squeeze(text: str) -> bytes:
    """As bytes: characters are deleted from them many times quicker than from text."""
    return text.encode("utf-8", "surrogatepass").translate(None, _GAPS)


def _spell(name: str, value: str) -> Iterator[Spelling]:
    """Raw, line by line, as hex, and inside base64 at each of its three alignments."""
    gap = _ANY_GAP if any(map(str.isspace, value)) else _BREAK
    lines = [line.strip() for line in value.splitlines()]
    long = [line for line in lines if len(line) >= 2 * MIN_LENGTH and not line.startswith("-----")]
    if len(_squeeze(value)) < MIN_LENGTH:  # hardly anything but quotes and spaces: only as it is
        yield from (Spelling(name, b"", literal=literal) for literal in (value, json.dumps(value)[1:-1]))
    for plain in (value, read_escapes(value), *(long if len(lines) > 1 else ())):
        if len(squeezed := _squeeze(plain)) >= MIN_LENGTH:
            yield Spelling(name, squeezed, gap)
    raw = value.encode("utf-8", "surrogateescape")
    yield from (Spelling(name, digits, _HEX_GAP) for digits in (raw.hex().encode(), raw.hex().upper().encode()))
    for before in range(3):
        # The first and last characters depend on the neighbours of the value; the middle does not.
        first, last = -(-before * 8 // 6), (before + len(raw)) * 8 // 6
        middle = base64.b64encode(bytes(before) + raw).decode()[first:last]
        for alphabet in (middle, middle.replace("+", "-").replace("/", "_")):
            if len(squeezed := _squeeze(alphabet)) >= MIN_LENGTH:
                yield Spelling(name, squeezed)
