"""Compares what was seen with the baseline that a person accepted, and says what is new."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from autopilot.inspection.visual.baseline import Pin, Pins
from autopilot.inspection.visual.difference import Difference, compare_pictures, render_difference
from autopilot.inspection.visual.judging import judge_change, judge_facts
from autopilot.inspection.visual.png import NotAPicture, check_png, decode_png, encode_png
from autopilot.model.visual.check import VisualCheck
from autopilot.model.visual.facts import Facts, Seen
from autopilot.model.visual.finding import Compared, Finding, State
from autopilot.model.visual.subject import Region, VisualTesting
from autopilot.ports.eyes import Pictures
from autopilot.steps.visual.looking import encode_facts, regions_of


def compare_with(pictures: Pictures, check: VisualCheck, pins: Pins, subject: VisualTesting) -> VisualCheck:
    compared: list[Compared] = []
    findings: list[Finding] = []
    routes = {shot.key: shot.route for shot in subject.shots()}
    for seen in check.seen:
        pair, found = _compare(pictures, seen, pins.shots.get(seen.key), regions_of(subject, routes[seen.key]))
        compared.append(pair)
        findings += found
    return replace(check, compared=tuple(compared), findings=tuple(findings))


def pin_all(pictures: Pictures, check: VisualCheck) -> Pins:
    """What was seen, as a baseline: of the tree before the work, where a person accepted none."""
    steady = (seen for seen in check.seen if not seen.moving and seen.picture)
    return Pins(shots={seen.key: pin(pictures, check, seen) for seen in steady})


def pin(pictures: Pictures, check: VisualCheck, seen: Seen) -> Pin:
    return Pin(seen.picture, pictures.keep(encode_facts(seen.facts)), check.commit, check.browser)


def list_lost(pictures: Pictures, pins: Pins) -> tuple[str, ...]:
    return tuple(key for key, pin in pins.shots.items() if not _is_there(pictures, pin))


def _compare(
    pictures: Pictures, seen: Seen, pin: Pin | None, regions: tuple[Region, ...]
) -> tuple[Compared, list[Finding]]:
    """A page that does not stand still is not compared; what is wrong with it anyhow is said all the same."""
    before = _read_facts(pictures, pin) if pin else None
    if pin is None or before is None:
        state = State.UNSTEADY if seen.moving else State.NEW if pin is None else State.LOST
        pair = Compared(seen.key, seen.picture, state, moving=seen.moving)
        return pair, list(judge_facts(seen.key, seen.facts, None))
    found = list(judge_facts(seen.key, seen.facts, before))
    if seen.moving or not seen.picture:
        state = State.UNSTEADY if seen.moving else State.CHANGED
        return Compared(seen.key, seen.picture, state, pin.picture, moving=seen.moving), found
    difference, shown = _measure(pictures, pin, seen, (*regions, *seen.facts.ignored, *before.ignored))
    changes = list(_changes(seen, difference, before))
    state = State.CHANGED if changes else State.SAME
    pair = Compared(seen.key, seen.picture, state, pin.picture, shown, difference.changed, share=difference.share)
    return pair, found + changes


def _measure(pictures: Pictures, pin: Pin, seen: Seen, ignored: tuple[Region, ...]) -> tuple[Difference, str]:
    """Most pictures are the same to the byte, and need not be unpacked."""
    if pin.picture == seen.picture:
        return Difference(), ""
    after = decode_png(pictures.get(seen.picture))
    difference = compare_pictures(decode_png(pictures.get(pin.picture)), after, ignored)
    if not difference.changed:
        return difference, ""
    return difference, pictures.keep(encode_png(render_difference(after, difference.spans)))


def _changes(seen: Seen, difference: Difference, before: Facts) -> Iterator[Finding]:
    yield from judge_change(seen.key, difference, seen.facts, before)


def _read_facts(pictures: Pictures, pin: Pin) -> Facts | None:
    """Of the baseline; None where they or the picture are gone, or are none: anybody may have written their names."""
    if not _is_there(pictures, pin):
        return None
    try:
        check_png(pictures.get(pin.picture))
        return msgspec.json.decode(pictures.get(pin.facts), type=Facts)
    except (NotAPicture, msgspec.DecodeError, UnicodeError, RecursionError):
        return None


def _is_there(pictures: Pictures, pin: Pin) -> bool:
    return pictures.has(pin.picture) and pictures.has(pin.facts)
