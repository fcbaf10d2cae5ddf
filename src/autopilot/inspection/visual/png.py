"""PNG pictures read and written, by our own code: they come out of a sandbox in which foreign code ran.

Only what browsers write is read: eight bits a channel, RGB or RGBA, not interlaced. Everything else is refused.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from itertools import accumulate

from msgspec import Struct

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MOST_PIXELS = 40_000_000
MOST_ROWS = 20_000  # our program shoots 12,000
PIECE = 1 << 16  # bytes
LAST_FILTER = 4
_CHANNELS = {2: 3, 6: 4}


class Pixels(Struct, frozen=True):
    """Three bytes a pixel, row by row."""

    width: int
    height: int
    data: bytes

    def row(self, y: int) -> bytes:
        stride = self.width * 3
        return self.data[y * stride : (y + 1) * stride]


class NotAPicture(ValueError):
    pass


def decode_png(content: bytes) -> Pixels:
    """Row by row into one piece of memory: a row may be one pixel, and a picture a thousand times its file."""
    width, height, channels, packed = _read_chunks(content)
    stride = width * channels
    data, before = bytearray(width * height * 3), bytes(stride)
    rows = _unpack(packed, stride + 1, height)
    for y, row in enumerate(rows):
        before = _undo(row[0], row[1:], before, channels)
        start = y * width * 3
        data[start : start + width * 3] = before if channels == 3 else _without_alpha(before)
    return Pixels(width, height, bytes(data))


def _unpack(packed: bytes, length: int, height: int) -> Iterator[bytes]:
    """So many rows of this length."""
    stream, ready, given = zlib.decompressobj(), bytearray(), 0
    for _ in range(height):
        while len(ready) < length:
            source = stream.unconsumed_tail or packed[given : given + PIECE]
            given += 0 if stream.unconsumed_tail else PIECE
            try:
                unpacked = stream.decompress(source, max(PIECE, length)) if source else b""
            except zlib.error as error:
                raise NotAPicture(f"its data cannot be unpacked: {error}") from error
            if not unpacked and given >= len(packed) and not stream.unconsumed_tail:
                raise NotAPicture("its data is shorter than its size says")
            ready += unpacked
        yield bytes(ready[:length])
        del ready[:length]


def check_png(content: bytes) -> None:
    """NotAPicture unless it can be decoded; far cheaper than to do it."""
    width, height, channels, packed = _read_chunks(content)
    for row in _unpack(packed, width * channels + 1, height):
        if row[0] > LAST_FILTER:
            raise NotAPicture(f"its filter {row[0]} is unknown")


def encode_png(pixels: Pixels) -> bytes:
    header = struct.pack(">IIBBBBB", pixels.width, pixels.height, 8, 2, 0, 0, 0)
    raw = b"".join(b"\0" + pixels.row(y) for y in range(pixels.height))
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(raw, 6)), (b"IEND", b""))
    return SIGNATURE + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in chunks
    )


def _read_chunks(content: bytes) -> tuple[int, int, int, bytes]:
    if not content.startswith(SIGNATURE) or content[12:16] != b"IHDR" or len(content) < 29:
        raise NotAPicture("it is not a PNG file")
    width, height, depth, colour, _, _, interlaced = struct.unpack_from(">IIBBBBB", content, 16)
    if depth != 8 or colour not in _CHANNELS or interlaced:
        raise NotAPicture(f"it has depth {depth}, colour type {colour}: no browser writes that")
    if not 0 < width * height <= MOST_PIXELS or height > MOST_ROWS:
        most = f"{MOST_PIXELS:,}, or more than {MOST_ROWS:,} rows"
        raise NotAPicture(f"it has {width} x {height} pixels, which is none, or more than {most}")
    packed, place = [], 8
    while place + 8 <= len(content):
        (length,) = struct.unpack_from(">I", content, place)
        if content[place + 4 : place + 8] == b"IDAT":
            packed.append(content[place + 8 : place + 8 + length])
        place += length + 12
    return width, height, _CHANNELS[colour], b"".join(packed)


def _undo(kind: int, row: bytes, before: bytes, channels: int) -> bytes:
    match kind:
        case 0:
            return row
        case 1:
            return _undo_sub(row, channels)
        case 2:
            return _add(row, before)
        case 3 | 4:
            return _undo_slow(kind, row, before, channels)
    raise NotAPicture(f"its filter {kind} is unknown")


def _undo_sub(row: bytes, channels: int) -> bytes:
    done = bytearray(len(row))
    for channel in range(channels):
        done[channel::channels] = bytes(total & 255 for total in accumulate(row[channel::channels]))
    return bytes(done)


def _add(row: bytes, before: bytes) -> bytes:
    """All bytes at once, as one number: no sum may carry into its neighbour."""
    size = len(row)
    low = int.from_bytes(b"\x7f" * size, "big")
    left, right = int.from_bytes(row, "big"), int.from_bytes(before, "big")
    return (((left & low) + (right & low)) ^ ((left ^ right) & ~low)).to_bytes(size, "big")


def _undo_slow(kind: int, row: bytes, before: bytes, channels: int) -> bytes:
    done = bytearray(row)
    for i, above in enumerate(before):
        left = done[i - channels] if i >= channels else 0
        if kind == 3:
            done[i] = (done[i] + (left + above) // 2) & 255
            continue
        corner = before[i - channels] if i >= channels else 0
        a, b, c = abs(above - corner), abs(left - corner), abs(left + above - 2 * corner)
        done[i] = (done[i] + (left if a <= b and a <= c else above if b <= c else corner)) & 255
    return bytes(done)


def _without_alpha(row: bytes) -> bytes:
    """A page is painted on white, so that nothing shines through."""
    done = bytearray(len(row) // 4 * 3)
    for channel in range(3):
        done[channel::3] = row[channel::4]
    return bytes(done)
