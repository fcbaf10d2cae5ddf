"""Does the product know the day it was written on? What holds today alone was written for today."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from autopilot.model.evidence.objection import Layer, Objection, Weight
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.text.lazy_regex import lazy_regex

_CLOCK = lazy_regex(r"\btime\b|\bdate\w*\b|\bnow\b|\btoday\b|\bDate\b|\bInstant\b|\bSystemTime\b", re.IGNORECASE)
_NUMBER = lazy_regex(r"(?<![\w.])([0-9]{10}|[0-9]{13})(?![\w.])")
_YEARS = 5  # ahead: until when a constant may wait


def names_time(lines: Iterable[str], now: datetime) -> bool:
    """Whether code names a moment of these days or the next years, and asks the clock or a date."""
    code = "\n".join(lines)
    years = rf"(?<![\w.])(?:{'|'.join(str(now.year + more) for more in range(_YEARS + 1))})(?!\w)"
    named = _today(now).search(code) or re.search(years, code) or _moments(code, now)
    return bool(named) and (_CLOCK.search(code) is not None or _today(now).search(code) is not None)


def judge_other_day(
    subject: str, other: Observation, added: Mapping[str, Sequence[str]], now: datetime
) -> tuple[Objection, ...]:
    """``other``: the same command, some years ahead. Work that names no day of today's, and none that is still to come,
    may fail for other reasons."""
    if other.seen is not Seen.FAILED:
        return ()  # what cannot be run on another day says nothing
    place = next((path for path, lines in added.items() if _waits("\n".join(lines), now)), "")
    description = "it holds these days alone: with a clock some years ahead it fails"
    satisfy = "ask the clock for the day, or make the code independent of it"
    weight = Weight.REFUSE if place else Weight.FLAG
    return (Objection(Layer.HELD_OUT, subject, description, place, satisfy, weight),)


def _waits(code: str, now: datetime) -> bool:
    later = "|".join(str(now.year + more) for more in range(1, _YEARS + 1))
    named = _today(now).search(code) or re.search(rf"(?<![\w.])(?:{later})(?!\w)", code)
    return named is not None or _moments(code, now)


def _moments(code: str, now: datetime) -> bool:
    """Seconds or milliseconds of a day from now on."""
    first, last = now.timestamp() - 172_800, now.timestamp() + _YEARS * 31_600_000
    numbers = (int(found[:10]) for found in _NUMBER.findall(code.replace("_", "")))
    return any(first <= number <= last for number in numbers)


def _today(now: datetime) -> re.Pattern[str]:
    """The days around now as code and texts spell them."""
    return lazy_regex("|".join(form for shift in (-1, 0, 1) for form in _forms(now + timedelta(days=shift))))


def _forms(day: datetime) -> tuple[str, ...]:
    year, month, number = day.year, day.month, day.day
    return (
        rf"{year}[-/.]?0?{month}[-/.]?0?{number}(?!\d)",
        rf"(?<!\d)0?{number}[-/.]0?{month}[-/.]{year}",
        rf"(?<!\d)0?{month}[-/.]0?{number}[-/.]{year}",
        rf"{year}\s*,\s*0?(?:{month}|{month - 1})\s*,\s*0?{number}(?!\d)",
        rf"{number}\.?\s+{day.strftime('%B')}\s+{year}|{day.strftime('%B')}\s+{number},\s+{year}",
    )
