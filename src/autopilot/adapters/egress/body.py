"""How much of what a client sends belongs to its one plain request: a second one could be meant for another host.

Read strictly, as the head is: where two programs could see the end in different places, the connection ends.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence

_LINE_END = b"\r\n"
_LENGTH = re.compile(rb"[0-9]{1,13}")
_CHUNK = re.compile(rb"[0-9A-Fa-f]{1,10}")
_NOTHING = re.compile(rb"")
_LONGEST_LINE = 12  # of a chunk's size with its line end


class Body:
    """Passes on what belongs to it."""

    def __init__(self, length: int | None) -> None:
        """``length`` is None for one that comes in chunks, each behind its size."""
        self._reading = _chunks() if length is None else _bytes(length)
        self._wanted = next(self._reading, 0)  # bytes, at most; none when it is over

    @property
    def is_over(self) -> bool:
        return not self._wanted

    def take(self, data: bytes) -> bytes:
        """The part of ``data`` that belongs to it. ConnectionError when it is malformed."""
        passed = 0
        while passed < len(data) and self._wanted:
            part = data[passed : passed + self._wanted]
            passed += len(part)
            try:
                self._wanted = self._reading.send(part)
            except StopIteration:
                self._wanted = 0
        return data[:passed]


Reading = Generator[int, bytes, None]  # how many bytes it wants next, at most; then gets some


def _bytes(length: int) -> Reading:
    while length:
        length -= len((yield length))


def _chunks() -> Reading:
    while True:
        size = yield from _line(_CHUNK)
        yield from _bytes(int(size, 16))
        yield from _line(_NOTHING)
        if not int(size, 16):
            return


def _line(form: re.Pattern[bytes]) -> Generator[int, bytes, bytes]:
    """Neither extensions of a chunk nor fields behind the last one are passed on: hardly anybody sends them."""
    line = b""
    while not line.endswith(_LINE_END):
        line += yield 1
        if len(line) > _LONGEST_LINE:
            raise ConnectionAbortedError
    if not form.fullmatch(line.removesuffix(_LINE_END)):
        raise ConnectionAbortedError
    return line


def find_length(fields: Sequence[tuple[bytes, bytes]]) -> int | None:
    """By a head's fields; None for chunks. ValueError when they leave a doubt."""
    lengths = [value for name, value in fields if name == b"content-length"]
    codings = [value.lower() for name, value in fields if name == b"transfer-encoding"]
    if codings == [b"chunked"] and not lengths:
        return None
    if codings or len(lengths) > 1 or any(not _LENGTH.fullmatch(value) for value in lengths):
        raise ValueError
    return int(lengths[0]) if lengths else 0
