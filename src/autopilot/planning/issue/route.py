"""Which route an issue should take: by its labels first, then by its text. A recommendation; the user chooses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from autopilot.model.issue.issue import Route
from autopilot.text.lazy_regex import lazy_regex

LABELS: Mapping[str, Route] = {
    **dict.fromkeys(("bug", "defect", "regression"), Route.BUGFIX),
    **dict.fromkeys(("flaky", "flaky-test", "intermittent"), Route.FLAKY),
    **dict.fromkeys(("documentation", "docs", "typo", "chore:docs"), Route.EXPRESS),
    **dict.fromkeys(("feature", "enhancement"), Route.FULL),
}
# "type: bug", "kind/bug": the first word says only that a kind follows. An area ("area: docs") says nothing of a kind.
_KIND = lazy_regex(r"\A(?:type|kind|category)\s*[:/-]\s*")
# Whole words, and none that is denied ("not a regression", "without a crash").
_WORDS: Mapping[Route, re.Pattern[str]] = {
    Route.FLAKY: lazy_regex(
        r"\b(?:flaky|flakes|flakiness|intermittent(?:ly)?|(?:sometimes|occasionally|randomly)\s+fails?|"
        r"fails?\s+(?:sometimes|occasionally|randomly)|race\s+in\s+(?:the\s+|a\s+)?tests?)\b",
        re.IGNORECASE,
    ),
    Route.BUGFIX: lazy_regex(
        r"\b(?:crash(?:es|ed|ing)?|tracebacks?|regressions?|wrong\s+results?|fails\s+when|bugs?)\b", re.IGNORECASE
    ),
    Route.EXPRESS: lazy_regex(
        r"\b(?:typos?|readme(?:\.\w+)?|wording|changelog(?:\.\w+)?|broken\s+links?|misspell(?:ed|ing)s?)\b",
        re.IGNORECASE,
    ),
}
_DENIED = lazy_regex(r"\b(?:not|no|never|without)(?:\s+(?:an?|any|the))?\s+\Z", re.IGNORECASE)
_REACH = 24  # characters before a word in which it can be denied
# What is more than a document; express has no tests to show that nothing else changed.
_BEHAVIOUR = lazy_regex(
    r"\b(?:behaviou?rs?|returns?|raises?|exceptions?|errors?|fail(?:s|ed|ing|ure|ures)?|options?|flags?|apis?|endpoints?|"
    r"functions?|methods?|parameters?|arguments?|implement(?:s|ed)?|feature|performance|slow|hangs?)\b",
    re.IGNORECASE,
)
NOTHING = "neither its labels nor its text indicate a route"


class Recommendation(Struct, frozen=True):
    route: Route | None  # None: the user has to be asked
    reasons: tuple[str, ...]


def recommend(labels: Sequence[str], title: str, text: str) -> Recommendation:
    by_label = [(f"label {label.strip()}", route) for label in labels if (route := _labelled(label))]
    if by_label:
        return _agreed(by_label)
    for place, content in (("title", title), ("text", text)):
        if found := list(_signals(place, content)):
            return _checked(_agreed(found), title, text)
    return Recommendation(None, (NOTHING,))


def _labelled(label: str) -> Route | None:
    plain = re.sub(r"[^\w:/-]+", " ", label.lower()).strip()
    plain = re.sub(r"[\s_]+", "-", _KIND.sub("", plain, count=1).strip())
    return LABELS.get(re.sub(r"(?:(?<!-)-++)?:-*+", ":", plain))


def _signals(place: str, text: str) -> Iterator[tuple[str, Route]]:
    """The first telling word of every route."""
    for route, pattern in _WORDS.items():
        if phrase := _first(pattern, text):
            yield f"the {place} says “{phrase}”", route


def _first(pattern: re.Pattern[str], text: str) -> str:
    for found in pattern.finditer(text):
        if not _DENIED.search(text[max(0, found.start() - _REACH) : found.start()]):
            return " ".join(found[0].split())
    return ""


def _agreed(found: Sequence[tuple[str, Route]]) -> Recommendation:
    reasons = tuple(dict.fromkeys(reason for reason, _ in found))
    routes = list(dict.fromkeys(route for _, route in found))
    if len(routes) == 1:
        return Recommendation(routes[0], reasons)
    return Recommendation(None, (*reasons, f"these indicate different routes: {', '.join(routes)}"))


def _checked(found: Recommendation, title: str, text: str) -> Recommendation:
    """The short way only where nothing speaks of behaviour, wherever it stands."""
    if found.route is not Route.EXPRESS:
        return found
    for place, content in (("title", title), ("text", text)):
        for pattern in (_BEHAVIOUR, _WORDS[Route.BUGFIX], _WORDS[Route.FLAKY]):
            if phrase := _first(pattern, content):
                against = f"the {place} says “{phrase}”, which concerns more than documentation"
                return Recommendation(None, (*found.reasons, against))
    return found
