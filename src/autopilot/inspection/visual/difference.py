"""How far two pictures differ to the eye: differences of colour in YIQ, without what anti-aliasing alone changes.

The distance is that of Kotsarenko and Ramos, "Measuring perceived color difference using YIQ NTSC transmission color
space in mobile applications" (2010); what counts as anti-aliased is after Vyšniauskas, "Anti-aliased pixel and
intensity slope detector" (2009).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from autopilot.inspection.visual.png import Pixels
from autopilot.model.visual.subject import Region

THRESHOLD = 0.1  # of the largest distance of two colours
LARGEST = 35215.0
MOST_EXAMINED = 20_000  # differing pixels that are examined for anti-aliasing; beyond, the layout is another one
MOST_LOOKED = 1_500_000  # differing pixels that are looked at one by one
MOST_KNOWN = 100_000  # distances of two colours
MOST_SPANS = 200_000  # that are painted
_MARKED = re.compile(rb"[^\0]+")
FADED = bytes(255 - (255 - value) // 5 for value in range(256))
RED = b"\xe0\x00\x20"


class Span(Struct, frozen=True):
    """Pixels beside each other that changed."""

    x: int
    y: int
    width: int


class Difference(Struct, frozen=True):
    changed: int = 0  # pixels
    share: float = 0.0  # of all
    region: Region | None = None  # what holds them all
    spans: tuple[Span, ...] = ()


def count_exact(old: Pixels, new: Pixels, ignored: Sequence[Region]) -> int:
    """Pixels that are not the same byte for byte: two pictures of one page must not differ at all."""
    if (old.width, old.height) != (new.width, new.height):
        return max(old.width * old.height, new.width * new.height)
    return sum(len(marks) - marks.count(0) for _, marks in _differing(old, new, ignored))


def compare_pictures(before: Pixels, after: Pixels, ignored: Sequence[Region]) -> Difference:
    """Where one is larger, what only it has is counted as changed."""
    eye = _Eye(before, after)
    spans: list[Span] = []
    changed = 0
    for y, marks in _differing(before, after, ignored):
        seen = eye.look(y, marks)
        changed += len(seen) - seen.count(0)
        if len(spans) < MOST_SPANS:
            spans += (Span(found.start(), y, found.end() - found.start()) for found in _MARKED.finditer(seen))
    width, height = max(before.width, after.width), max(before.height, after.height)
    changed += width * height - min(before.width, after.width) * min(before.height, after.height)
    return Difference(changed, changed / (width * height), _surround(spans), tuple(spans))


def render_difference(after: Pixels, spans: Sequence[Span]) -> Pixels:
    """The picture faded, what changed in red."""
    data = bytearray(after.data.translate(FADED))
    for span in spans:
        start = (span.y * after.width + span.x) * 3
        data[start : start + span.width * 3] = RED * span.width
    return Pixels(after.width, after.height, bytes(data))


def _differing(old: Pixels, new: Pixels, ignored: Sequence[Region]) -> Iterator[tuple[int, bytes]]:
    """Rows that differ in what both have, each with a byte a pixel: 0 where it is the same, or may differ."""
    width = min(old.width, new.width)
    for y in range(min(old.height, new.height)):
        left, right = old.row(y)[: width * 3], new.row(y)[: width * 3]
        if left == right:
            continue
        marks = _mark(left, right)
        for region in ignored:
            if region.y <= y < region.y + region.height and region.x < width:
                end = min(width, region.x + region.width)
                marks[region.x : end] = bytes(max(0, end - region.x))
        if any(marks):
            yield y, bytes(marks)


def _mark(left: bytes, right: bytes) -> bytearray:
    """All pixels at once, as one number."""
    differing = (int.from_bytes(left, "big") ^ int.from_bytes(right, "big")).to_bytes(len(left), "big")
    channels = (int.from_bytes(differing[channel::3], "big") for channel in range(3))
    red, green, blue = channels
    return bytearray((red | green | blue).to_bytes(len(left) // 3, "big"))


class _Eye:
    """What of the pixels that differ an eye would see. Of very many the rest counts: the page is another one."""

    def __init__(self, before: Pixels, after: Pixels) -> None:
        self._before, self._after = before, after
        self._looked = self._examined = 0
        self._distances: dict[bytes, float] = {}

    def look(self, y: int, marks: bytes) -> bytes:
        if self._looked > MOST_LOOKED:
            return marks
        seen = bytearray(len(marks))
        for found in _MARKED.finditer(marks):
            self._looked += found.end() - found.start()
            for x in range(found.start(), found.end()):
                seen[x] = self._is_seen(x, y)
        return bytes(seen)

    def _is_seen(self, x: int, y: int) -> bool:
        pair = _colour(self._before, x, y) + _colour(self._after, x, y)
        distance = self._distances.get(pair)
        if distance is None:
            if len(self._distances) > MOST_KNOWN:
                self._distances.clear()
            distance = self._distances[pair] = _distance(pair)
        if distance <= LARGEST * THRESHOLD * THRESHOLD:
            return False
        self._examined += 1
        if self._examined > MOST_EXAMINED:
            return True
        before, after = self._before, self._after
        return not (_is_smoothed(before, after, x, y) or _is_smoothed(after, before, x, y))


def _distance(pair: bytes) -> float:
    r, g, b = pair[0] - pair[3], pair[1] - pair[4], pair[2] - pair[5]
    y = r * 0.29889531 + g * 0.58662247 + b * 0.11448223
    i = r * 0.59597799 - g * 0.27417610 - b * 0.32180189
    q = r * 0.21147017 - g * 0.52261711 + b * 0.31114694
    return 0.5053 * y * y + 0.299 * i * i + 0.1957 * q * q


def _is_smoothed(picture: Pixels, other: Pixels, x: int, y: int) -> bool:
    """Whether it lies on a slope between a darker and a lighter neighbour that each have neighbours alike in both."""
    levels = {(nx, ny): _level(picture, nx, ny) for nx, ny in _neighbours(picture, x, y)}
    own = _level(picture, x, y)
    if sum(1 for level in levels.values() if level == own) > 2:
        return False
    darkest = min(levels, key=lambda place: levels[place] - own)
    lightest = max(levels, key=lambda place: levels[place] - own)
    if levels[darkest] >= own or levels[lightest] <= own:
        return False
    return any(_has_siblings(picture, *place) and _has_siblings(other, *place) for place in (darkest, lightest))


def _has_siblings(picture: Pixels, x: int, y: int) -> bool:
    if x >= picture.width or y >= picture.height:
        return False
    own = _colour(picture, x, y)
    return sum(1 for nx, ny in _neighbours(picture, x, y) if _colour(picture, nx, ny) == own) > 2


def _neighbours(picture: Pixels, x: int, y: int) -> list[tuple[int, int]]:
    xs = range(max(0, x - 1), min(picture.width, x + 2))
    ys = range(max(0, y - 1), min(picture.height, y + 2))
    return [(nx, ny) for nx in xs for ny in ys if (nx, ny) != (x, y)]


def _colour(picture: Pixels, x: int, y: int) -> bytes:
    start = (y * picture.width + x) * 3
    return picture.data[start : start + 3]


def _level(picture: Pixels, x: int, y: int) -> float:
    red, green, blue = _colour(picture, x, y)
    return red * 0.29889531 + green * 0.58662247 + blue * 0.11448223


def _surround(spans: Sequence[Span]) -> Region | None:
    if not spans:
        return None
    left, right = min(span.x for span in spans), max(span.x + span.width for span in spans)
    top, bottom = spans[0].y, spans[-1].y
    return Region(left, top, right - left, bottom - top + 1)
