"""Pictures are read as they were written, and differ as the eye sees it. VIS"""

from __future__ import annotations

import struct
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autopilot.inspection.visual.difference import MOST_SPANS, compare_pictures, count_exact, render_difference
from autopilot.inspection.visual.png import SIGNATURE, NotAPicture, Pixels, check_png, decode_png, encode_png
from autopilot.model.visual.subject import Region
from tests.sampling import examples

WHITE, BLACK, BLUE = b"\xff\xff\xff", b"\0\0\0", b"\x00\x55\xaa"


def plain(width: int = 20, height: int = 10, colour: bytes = WHITE) -> Pixels:
    return Pixels(width, height, colour * (width * height))


def paint(picture: Pixels, region: Region, colour: bytes) -> Pixels:
    data = bytearray(picture.data)
    for y in range(region.y, region.y + region.height):
        start = (y * picture.width + region.x) * 3
        data[start : start + region.width * 3] = colour * region.width
    return Pixels(picture.width, picture.height, bytes(data))


def filtered(pixels: Pixels, kinds: bytes, alpha: bool) -> bytes:
    """As an encoder writes it that chooses a filter for each row."""
    channels = 4 if alpha else 3
    before, packed = bytes(pixels.width * channels), bytearray()
    for y in range(pixels.height):
        row = pixels.row(y)
        if alpha:
            row = b"".join(row[i : i + 3] + b"\xff" for i in range(0, len(row), 3))
        kind = kinds[y % len(kinds)]
        packed.append(kind)
        for i, value in enumerate(row):
            left, above = row[i - channels] if i >= channels else 0, before[i]
            corner = before[i - channels] if i >= channels else 0
            near = min((left, above, corner), key=lambda one: abs(left + above - corner - one))
            packed.append((value - (0, left, above, (left + above) // 2, near)[kind]) & 255)
        before = row
    header = struct.pack(">IIBBBBB", pixels.width, pixels.height, 8, 6 if alpha else 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(bytes(packed))), (b"IEND", b""))
    return SIGNATURE + b"".join(
        struct.pack(">I", len(b)) + n + b + struct.pack(">I", zlib.crc32(n + b)) for n, b in chunks
    )


@settings(max_examples=examples(40), deadline=None)
@given(
    st.integers(1, 7)
    .flatmap(lambda w: st.tuples(st.just(w), st.integers(1, 5)))
    .flatmap(
        lambda size: st.tuples(st.just(size), st.binary(min_size=size[0] * size[1] * 3, max_size=size[0] * size[1] * 3))
    ),
    st.lists(st.integers(0, 4), min_size=1, max_size=5).map(bytes),
    st.booleans(),
)
def test_every_filter_of_the_format_is_undone(sized: tuple[tuple[int, int], bytes], kinds: bytes, alpha: bool) -> None:
    (width, height), data = sized
    pixels = Pixels(width, height, data)
    assert decode_png(filtered(pixels, kinds, alpha)) == pixels
    assert decode_png(encode_png(pixels)) == pixels


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no picture",
        encode_png(plain())[:40],
        encode_png(plain()).replace(b"IHDR\0\0\0\x14", b"IHDR\x7f\xff\xff\xff"),
        SIGNATURE + b"\0\0\0\rIHDR" + struct.pack(">IIBBBBB", 5, 5, 16, 2, 0, 0, 0),
        SIGNATURE + b"\0\0\0\rIHDR",
        encode_png(plain(1, 30_000)),
    ],
)
def test_what_is_no_picture_of_a_browser_is_refused(content: bytes) -> None:
    for read in (decode_png, check_png):
        with pytest.raises(NotAPicture):
            read(content)


def test_a_page_that_changed_all_over_is_compared_within_bounds_of_memory_and_time() -> None:
    """A tuple for each of its pixels was a gigabyte. T5"""
    before, after = plain(1280, 1300), plain(1280, 1300, BLUE)
    found = compare_pictures(before, after, ())
    assert (found.changed, found.share, found.region) == (1_664_000, 1.0, Region(0, 0, 1280, 1300))
    assert len(found.spans) == 1300
    speckled = Pixels(1280, 600, (WHITE + BLACK) * (640 * 600))
    counted = compare_pictures(speckled, plain(1280, 600), ())
    assert counted.changed == 640 * 600 and len(counted.spans) <= MOST_SPANS + 640


def test_equal_pictures_do_not_differ() -> None:
    assert compare_pictures(plain(), plain(), ()).changed == 0


def test_a_wrong_colour_differs_where_it_is() -> None:
    region = Region(4, 2, 6, 5)
    found = compare_pictures(paint(plain(), region, BLUE), paint(plain(), region, b"\xaa\x55\x00"), ())
    assert (found.changed, found.region) == (30, region)
    assert render_difference(plain(), found.spans).data.count(b"\xe0\x00\x20") == 30


def test_a_colour_that_no_eye_tells_apart_does_not_differ_but_two_shots_of_one_page_must_be_equal() -> None:
    other = plain(colour=b"\xfe\xff\xfe")
    assert compare_pictures(plain(), other, ()).changed == 0
    assert count_exact(plain(), other, ()) == 200


def test_what_anti_aliasing_alone_changes_does_not_count() -> None:
    edge = paint(plain(), Region(0, 0, 10, 10), BLACK)
    one = paint(edge, Region(10, 0, 1, 10), b"\x80\x80\x80")
    two = paint(edge, Region(10, 0, 1, 10), b"\xc8\xc8\xc8")
    assert count_exact(one, two, ()) == 10
    assert compare_pictures(one, two, ()).changed == 0


def test_a_region_that_may_differ_is_not_compared() -> None:
    region = Region(4, 2, 6, 5)
    changed = paint(plain(), region, BLACK)
    assert compare_pictures(plain(), changed, (region,)).changed == 0
    assert count_exact(plain(), changed, (region,)) == 0
    assert compare_pictures(plain(), changed, (Region(4, 2, 5, 5),)).changed == 5


def test_what_only_one_of_two_sizes_has_counts_as_changed() -> None:
    assert compare_pictures(plain(20, 10), plain(20, 12), ()).changed == 40
