"""The pins of a baseline: which pictures a person accepted, by digest, in a small file that is committed."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from autopilot.model.errors import UsageError

PATH = ".planning/visual-baseline.json"
VERSION = 1


class Pin(Struct, frozen=True):
    picture: str  # digests
    facts: str
    commit: str  # what it was shot at, so that it can be shot again
    browser: str = ""


class Pins(Struct, frozen=True):
    version: int = VERSION
    shots: Mapping[str, Pin] = {}


def parse_pins(content: bytes | None) -> Pins:
    if content is None:
        return Pins()
    try:
        pins = msgspec.json.decode(content, type=Pins)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise UsageError(f"{PATH} cannot be read: {error}", f"restore it: `git checkout -- {PATH}`") from error
    if pins.version != VERSION:
        raise UsageError(f"{PATH} has version {pins.version}, this program reads {VERSION}", "update Autopilot")
    return pins


def render_pins(pins: Pins) -> bytes:
    ordered = Pins(pins.version, dict(sorted(pins.shots.items())))
    return msgspec.json.format(msgspec.json.encode(ordered), indent=2) + b"\n"
