"""One row of a live view, and what its colour means; the words alone say it too."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Tone(StrEnum):
    PLAIN = ""
    HEAD = "head"
    DIM = "dim"
    GOOD = "good"
    BAD = "bad"
    WARN = "warn"
    CHOSEN = "chosen"


class Row(Struct, frozen=True):
    text: str = ""
    tone: Tone = Tone.PLAIN
