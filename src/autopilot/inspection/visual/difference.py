"""How far two pictures differ to the eye: differences of colour in YIQ, without what anti-aliasing alone changes.

The distance is that of Kotsarenko and Ramos, "Measuring perceived color difference using YIQ NTSC transmission color
space in mobile applications" (2010); what counts as anti-aliased is after Vyšniauskas, "Anti-aliased pixel and
intensity slope detector" (2009).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from autopilot.inspection.visual.png import Pixels
from autopilot.model.visual.subject import Region

THRESHOLD = 0.1  # of the largest distance of two colours
LARGEST = 35215.0
MOST_EXAMINED = 20_000  # differing pixels that are examined for anti-aliasing; beyond, the layout is another one
FADED = bytes(255 - (255 - value) // 5 for value in range(256))
RED = b"\xe0\x00\x20"


class Difference(Struct, frozen=True):
    changed: int = 0  # pixels
    share: float = 0.0  # of all
    region: Region | None = None  # what holds them all
    places: tuple[tuple[int, int], ...] = ()


def count_exact(old: Pixels, new: Pixels, ignored: Sequence[Region]) -> int:
    """Pixels that are not the same byte for byte: two pictures of one page must not differ at all."""
    if (old.width, old.height) != (new.width, new.height):
        return max(old.width * old.height, new.width * new.height)
    return sum(1 for _ in _differing(old, new, ignored))


def compare_pictures(before: Pixels, after: Pixels, ignored: Sequence[Region]) -> Difference:
    """Where one is larger, what only it has is counted as changed."""
    limit = LARGEST * THRESHOLD * THRESHOLD
    distances: dict[bytes, float] = {}
    places: list[tuple[int, int]] = []
    examined = 0
    for x, y, pair in _differing(before, after, ignored):
        distance = distances.get(pair)
        if distance is None:
            distance = distances[pair] = _distance(pair)
        if distance <= limit:
            continue
        examined += 1
        if examined <= MOST_EXAMINED and (_is_smoothed(before, after, x, y) or _is_smoothed(after, before, x, y)):
            continue
        places.append((x, y))
    width, height = max(before.width, after.width), max(before.height, after.height)
    beyond = width * height - min(before.width, after.width) * min(before.height, after.height)
    changed = len(places) + beyond
    return Difference(changed, changed / (width * height), _surround(places), tuple(places))


def render_difference(after: Pixels, places: Sequence[tuple[int, int]]) -> Pixels:
    """The picture faded, what changed in red."""
    data = bytearray(after.data.translate(FADED))
    for x, y in places:
        start = (y * after.width + x) * 3
        data[start : start + 3] = RED
    return Pixels(after.width, after.height, bytes(data))


def _differing(old: Pixels, new: Pixels, ignored: Sequence[Region]) -> Iterator[tuple[int, int, bytes]]:
    """Of what both have. Equal rows, which are most, are compared as a whole."""
    length = min(old.width, new.width) * 3
    for y in range(min(old.height, new.height)):
        left, right = old.row(y)[:length], new.row(y)[:length]
        if left == right:
            continue
        spans = [(r.x, r.x + r.width) for r in ignored if r.y <= y < r.y + r.height]
        for start in range(0, length, 3):
            first, second = left[start : start + 3], right[start : start + 3]
            if first != second and not any(a * 3 <= start < b * 3 for a, b in spans):
                yield start // 3, y, first + second


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


def _surround(places: Sequence[tuple[int, int]]) -> Region | None:
    if not places:
        return None
    xs, ys = [x for x, _ in places], [y for _, y in places]
    return Region(min(xs), min(ys), max(xs) - min(xs) + 1, max(ys) - min(ys) + 1)
