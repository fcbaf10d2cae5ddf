"""What a key does in the live view: where one looks afterwards, and what is to be done."""

from __future__ import annotations

from enum import StrEnum

from msgspec.structs import replace

from autopilot.reports.live.view import Known, Place, listed_phases, most_scrolled

PAGE = 10  # rows


class Order(StrEnum):
    """What only the outside can do."""

    NONE = ""
    ANSWER = "answer"
    CANCEL = "cancel"
    QUIT = "quit"


def press(key: str, place: Place, known: Known, columns: int, rows: int) -> tuple[Place, Order]:
    if place.asks_cancel:
        return replace(place, asks_cancel=False), Order.CANCEL if key in ("y", "Y") else Order.NONE
    match key:
        case "q":
            return place, Order.QUIT
        case "?":
            return replace(place, helps=not place.helps), Order.NONE
        case "escape":
            return replace(place, helps=False, is_open=place.is_open and place.helps, top=0), Order.NONE
        case "a":
            return replace(place, helps=False), Order.ANSWER
        case "c":
            return replace(place, helps=False, asks_cancel=known.is_driven), Order.NONE
        case _:
            return _move(key, place, known, columns, rows), Order.NONE


def _move(key: str, place: Place, known: Known, columns: int, rows: int) -> Place:
    last = len(listed_phases(known.state)) - 1
    if last < 0 or place.helps:
        return place
    if not place.is_open:
        opens = key in ("enter", "right")
        return replace(place, chosen=_within(place.chosen + _steps(key, last), last), is_open=opens, top=0)
    if key in ("left", "right"):
        step = 1 if key == "right" else -1
        return replace(place, chosen=_within(place.chosen + step, last), top=0)
    most = most_scrolled(known, place, columns, rows)
    return replace(place, top=_within(place.top + _steps(key, most), most))


def _steps(key: str, most: int) -> int:
    return {"up": -1, "down": 1, "page_up": -PAGE, "page_down": PAGE, "home": -most, "end": most}.get(key, 0)


def _within(value: int, most: int) -> int:
    return max(0, min(value, most))
