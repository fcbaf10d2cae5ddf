"""How a layout moved: where the same elements lay before and lie now."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from autopilot.model.visual.facts import Box

TOLERATED = 1  # pixels: a fraction of old is rounded either way
FAR = 8  # pixels from which on a shift is more than cosmetic


class Shift(Struct, frozen=True):
    moved: tuple[tuple[Box, Box], ...] = ()
    gone: tuple[Box, ...] = ()
    added: tuple[Box, ...] = ()

    @property
    def farthest(self) -> int:
        return max((_distance(before, after) for before, after in self.moved), default=0)

    @property
    def is_far(self) -> bool:
        return self.farthest >= FAR or any(box.text for box in self.gone)


def compare_boxes(before: Sequence[Box], after: Sequence[Box]) -> Shift:
    """An element is known again by its place in the document."""
    then, now = {box.where: box for box in before}, {box.where: box for box in after}
    pairs = ((then[where], now[where]) for where in then.keys() & now.keys())
    moved = [(old, new) for old, new in pairs if _distance(old, new) > TOLERATED]
    return Shift(
        # The largest element first: what lies within it moved with it.
        tuple(sorted(moved, key=lambda pair: (-pair[0].width * pair[0].height, pair[0].where))),
        tuple(then[where] for where in sorted(then.keys() - now.keys())),
        tuple(now[where] for where in sorted(now.keys() - then.keys())),
    )


def describe_shift(shift: Shift) -> str:
    parts = []
    if shift.moved:
        old, new = max(shift.moved, key=lambda pair: _distance(*pair))
        parts.append(
            f"{_count(len(shift.moved))} moved or resized, most of all {old.where}: "
            f"{_place(old)} before, {_place(new)} now"
        )
    if shift.gone:
        parts.append(f"{_count(len(shift.gone))} gone: {_name(shift.gone)}")
    if shift.added:
        parts.append(f"{_count(len(shift.added))} new: {_name(shift.added)}")
    return "; ".join(parts)


def _distance(old: Box, new: Box) -> int:
    return max(abs(old.x - new.x), abs(old.y - new.y), abs(old.width - new.width), abs(old.height - new.height))


def _place(box: Box) -> str:
    return f"{box.width}x{box.height} at {box.x},{box.y}"


def _name(boxes: Sequence[Box]) -> str:
    named = ", ".join(f"{box.where}{f' ({box.text!r})' if box.text else ''}" for box in boxes[:3])
    return named + (f" and {len(boxes) - 3} more" if len(boxes) > 3 else "")


def _count(number: int) -> str:
    return "1 element" if number == 1 else f"{number} elements"
