"""The user's answer at a gate: the plain word ok, or a rejection, split into findings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from autopilot.model.issue.issue import SeedFinding
from autopilot.planning.issue.points import ARTEFACTS, LABEL, Point, cut_points
from autopilot.text.lazy_regex import lazy_regex

NO_COMMENT = "rejected without a comment"

_OK = lazy_regex(r"ok\.?", re.IGNORECASE | re.ASCII)
_NAMES = "|".join(ARTEFACTS.values())
# Nothing but an ok for one of them: "stories: ok", "the plan is fine.", "plan.md looks good"
_AGREED = lazy_regex(
    rf"(?:the\s+)?(?:{_NAMES})\s*+(?:[:：=–—-]|is|are|looks?)?\s*(?:ok|okay|fine|good|approved|lgtm)\s*[.!,]?",
    re.IGNORECASE,
)
_NAME = lazy_regex(rf"(?:the\s+)?(?:{_NAMES})\s*[:：]?", re.IGNORECASE)
_MARKS = lazy_regex(r"(?:#{1,6}\s+|\(?\d{1,3}[.)]\s+|\(?[A-Za-z]\)\s+|[*_`]++)+")
_DECORATION = lazy_regex(r"[*_`]")
# Words by which an artefact is known where no label names it.
_ABOUT = {
    "stories": lazy_regex(r"\b(?i:(?:user[- ])?stor(?:y|ies))\b|\bUS-?\d+\b"),
    "plan": lazy_regex(r"\b(?i:plan)\b|\b(?i:step)\s+\d+\b"),
    "tests": lazy_regex(r"\b(?i:tests?)\b|\bAT-?\d+\b"),
    "prd": lazy_regex(r"\b(?i:prd)\b"),
}
_PRESENTED = ("stories", "plan", "tests")
# Code is left whole; then the two signs between parts, and the end of a sentence at the end of a line.
_BETWEEN = lazy_regex(r"`[^`\n]*`|(?P<sign>\s/\s|;|(?<=[.!?])\n)")
_PRIORITY = lazy_regex(
    r"(?:^\s*|(?<=\[)|(?<=\())P(?P<short>\d{1,2})(?=\s*(?:[\]):：,]|[-–—]\s|\Z))"
    r"|(?:^\s*|(?<=[\[(,;:.–—])\s*)priority\s*+[:=]?\s*(?P<long>\d{1,2})(?=\s*(?:[\]),;:.–—]|\Z))",
    re.IGNORECASE,
)


def is_ok(text: str) -> bool:
    """Nothing but the word: an answer with more text is no plain ok."""
    return _OK.fullmatch(text.strip()) is not None


def split_rejection(text: str, about: str = "") -> tuple[SeedFinding, ...]:
    """One finding for each point, in the person's own words; an ok for a part is none, and nothing else is left out.

    ``about``: what was sent back, for words that do not name it.
    """
    if not text.strip():
        return (SeedFinding(NO_COMMENT, about=about),)
    parts = [part for point in cut_points(text) for part in _parts(point)]
    kept = [part for part in parts if not _is_agreed(part.text)]
    kept += _left_above([part for part in parts if _is_agreed(part.text)], kept)
    return tuple(_finding(part, about) for part in kept or (Point(text.strip()),))


def _parts(point: Point) -> Iterator[Point]:
    """Cut where one side is about one artefact and the other about another; anything else is one point."""
    if "```" in point.text or "~~~" in point.text:
        yield point
        return
    cuts = [found for found in _BETWEEN.finditer(point.text) if found["sign"]]
    ends = [*(found.start() for found in cuts), len(point.text)]
    start, known = 0, _artefact(point.text[: ends[0]])
    for cut, end in zip(cuts, ends[1:], strict=True):
        following = _artefact(point.text[cut.end() : end])
        if known and following and known != following:
            yield Point(point.text[start : cut.start()].strip(), point.above)
            start, known = cut.end(), following
        known = known or following
    yield Point(point.text[start:].strip(), point.above)


def _is_agreed(text: str) -> bool:
    plain = " ".join(_DECORATION.sub("", _unmarked(text)).split())
    return is_ok(plain) or _AGREED.fullmatch(plain) is not None


def _left_above(dropped: Sequence[Point], kept: Sequence[Point]) -> list[Point]:
    """Headings with words of their own above nothing but an ok; a mere name said what was ok."""
    used = {title for part in kept for title in part.above}
    lost = dict.fromkeys(title for part in dropped for title in part.above if title not in used)
    return [Point(title) for title in lost if not _is_name(title) and not _is_agreed(title)]


def _is_name(text: str) -> bool:
    return _NAME.fullmatch(_DECORATION.sub("", _unmarked(text)).strip()) is not None


def _finding(point: Point, about: str) -> SeedFinding:
    nearest = (point.text, *reversed(point.above))
    artefact = next((found for text in nearest if (found := _artefact(text))), about)
    stated = next((priorities for text in nearest if (priorities := _priorities(text))), [0])
    evidence = "\n".join((*point.above, point.text))
    return SeedFinding(evidence, priority=min(stated), about=artefact if artefact in _PRESENTED else "")


def _artefact(text: str) -> str:
    """The one it is about; "" when it names none, or several without saying which."""
    if label := LABEL.match(_unmarked(text)):
        return next(name for name, matched in label.groupdict().items() if matched)
    named = [name for name, pattern in _ABOUT.items() if pattern.search(text)]
    return named[0] if len(named) == 1 else ""


def _priorities(text: str) -> list[int]:
    plain = _unmarked(text)
    plain = plain[label.end() :] if (label := LABEL.match(plain)) else plain
    return [int(found["short"] or found["long"]) for found in _PRIORITY.finditer(plain)]


def _unmarked(text: str) -> str:
    """Without the sign of a heading, the number of an item, or stars."""
    return text[found.end() :] if (found := _MARKS.match(text)) else text
