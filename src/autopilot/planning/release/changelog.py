"""A new section in a changelog, written as its earlier ones are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date as Date

from autopilot.text.lazy_regex import lazy_regex
from autopilot.text.lines import scan_lines

_UNRELEASED = lazy_regex(r"^(#{1,4})\s+\[?unreleased\]?(?:\s*[-–—].*+)?\s*$", re.IGNORECASE)
_HEADING = lazy_regex(r"^(#{1,4})\s+\S")
_NUMBER = r"[0-9]+\.[0-9]+\.[0-9]+(?:[-.]?(?:a|b|rc|alpha|beta|dev|pre)[0-9A-Za-z.-]*)?"
_RELEASED = lazy_regex(
    rf"^(?P<mark>#{{1,4}}\s+)?[^\w#]{{0,3}}(?:(?:version|release)\s+)?v?(?P<version>{_NUMBER})\b", re.IGNORECASE
)
_UNDERLINE = lazy_regex(r"^(=+|-{3,}|~{3,})\s*$")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_MONTH = "|".join(f"{name}|{name[:3]}" for name in _MONTHS)
_ISO = lazy_regex(r"\b[0-9]{4}([-/.])[0-9]{2}\1[0-9]{2}\b")
_WORDY = lazy_regex(rf"\b(?:({_MONTH})\.? ([0-9]{{1,2}}),? ([0-9]{{4}})|([0-9]{{1,2}}) ({_MONTH})\.? ([0-9]{{4}}))\b")


def add_section(text: str, old: str, new: str, date: str, lines: Sequence[str]) -> str:
    """The text with a section for ``new``.

    Under a heading for what is unreleased, its content becomes the new section's. Otherwise a section with ``lines`` is
    put before the latest, its heading made like that one's. A version that is in the file already changes nothing.
    """
    # What stands there keeps its line ends, whatever they are; a line that is added ends as most of the file does.
    end = "\r" if text.count("\r\n") * 2 > text.count("\n") else ""
    raw = text.split("\n")
    shown = [index for index, line in enumerate(scan_lines(text)) if not line.hidden]
    latest = _latest(raw, shown)
    if latest is not None and _version(raw[latest]) == new:
        return text
    unreleased = next((index for index in shown if _UNRELEASED.match(raw[index])), None)
    heading = _heading_like(raw, latest, new, date) if latest is not None else [f"## [{new}] - {date}"]
    if unreleased is not None:
        level = _UNRELEASED.match(raw[unreleased])
        assert level is not None
        if latest is None:
            heading = [f"{level[1]} [{new}] - {date}"]
        raw = _released(raw, shown, unreleased, heading, lines, end)
    else:
        position = latest if latest is not None else _after_title(raw)
        raw = [*raw[:position], *_ended((*heading, "", *_listed(lines), ""), end), *raw[position:]]
    return "\n".join(_with_links(raw, old, new, end))


def _ended(lines: Sequence[str], end: str) -> list[str]:
    return [f"{line}{end}" for line in lines]


def _listed(lines: Sequence[str]) -> list[str]:
    return [f"- {line}" for line in lines]


def _latest(raw: Sequence[str], shown: Sequence[int]) -> int | None:
    """The line of the first section of a released version, by a heading with marks or with a line under it."""
    for index in shown:
        found = _RELEASED.match(raw[index])
        underlined = index + 1 < len(raw) and _UNDERLINE.match(raw[index + 1])
        if found and (found["mark"] or underlined):
            return index
    return None


def _version(line: str) -> str:
    found = _RELEASED.match(line)
    return found["version"] if found else ""


def _heading_like(raw: Sequence[str], latest: int, new: str, date: str) -> list[str]:
    line = raw[latest].rstrip()
    before = _version(line)
    known = re.escape(before)
    range_ = rf"(?P<range>v?{_NUMBER}(?P<dots>\.{{2,3}})(?P<mark>v?){known}(?![\d.]))"

    def renew(found: re.Match[str]) -> str:
        # A link to what changed goes from the version before to the new one.
        mark = found["mark"]
        return f"{mark}{before}{found['dots']}{mark}{new}" if found["range"] else new

    line = _dated(re.sub(rf"{range_}|(?<![\d.]){known}(?!\d)", renew, line), date)
    under = _UNDERLINE.match(raw[latest + 1]) if latest + 1 < len(raw) else None
    return [line, under[1][0] * len(line)] if under else [line]


def _dated(line: str, date: str) -> str:
    """The date in the form that stands there; no date where there was none."""
    day = Date.fromisoformat(date)

    def as_text(found: re.Match[str]) -> str:
        name = found[1] or found[5]
        month = _MONTHS[day.month - 1]
        month = month if name in _MONTHS and len(name) > 3 else month[:3]
        if found[1]:
            comma = "," if "," in found[0] else ""
            return f"{month} {day.day}{comma} {day.year}"
        return f"{day.day} {month} {day.year}"

    line = _ISO.sub(lambda found: date.replace("-", found[1]), line, count=1)
    return _WORDY.sub(as_text, line, count=1)


def _released(
    raw: list[str], shown: Sequence[int], position: int, heading: list[str], lines: Sequence[str], end: str
) -> list[str]:
    """What stood under the heading for the unreleased stands under the new one; where nothing did, ``lines`` do."""
    level = len(raw[position]) - len(raw[position].lstrip("#"))
    later = [
        index
        for index in shown
        if index > position and (found := _HEADING.match(raw[index])) and len(found[1]) <= level
    ]
    links = [index for index in range(position + 1, len(raw)) if re.match(r"\[[^\]]+\]:\s", raw[index])]
    until = min([*later, *links, len(raw)])
    content = raw[position + 1 : until]
    if not any(line.strip() and not line.startswith("#") for line in content):
        content = _ended(("", *_listed(lines), ""), end)
    return [*raw[: position + 1], *_ended(("", *heading), end), *content, *raw[until:]]


def _after_title(raw: Sequence[str]) -> int:
    """Behind the title and what stands directly under it."""
    if not raw or not raw[0].startswith("# "):
        return 0
    return next((index + 1 for index, line in enumerate(raw) if index and not line.strip()), len(raw))


def _with_links(raw: list[str], old: str, new: str, end: str) -> list[str]:
    """``[Unreleased]: …/v1.2.0...HEAD`` begins at the new version, which gets a link of its own."""
    pattern = lazy_regex(rf"^\[unreleased\]:\s*(\S+?/)(v?){re.escape(old)}(\.{{2,3}})HEAD\s*$", re.IGNORECASE)
    for index, line in enumerate(raw):
        if found := pattern.match(line):
            place, mark, dots = found.groups()
            label = line[: line.index("]:")]
            renewed = [f"{label}]: {place}{mark}{new}{dots}HEAD", f"[{new}]: {place}{mark}{old}{dots}{mark}{new}"]
            return [*raw[:index], *_ended(renewed, end), *raw[index + 1 :]]
    return raw
