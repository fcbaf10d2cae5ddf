"""The result of a discussion: an agent's digest checked against the user's answers, or those answers as they are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from autopilot.events.talk import Answered, Discussion
from autopilot.model.proposal import AreaDecisions, DeferredIdea, Digest
from autopilot.planning.people.questions import same_words

# A quote shorter than this could stand in any answer.
SHORTEST_QUOTE = 4
LEFT_TO_US = re.compile(
    r"^\W*(you (can |may )?(decide|choose|pick)|(it'?s |it is )?(your (choice|call)|up to you)|"
    r"(i have )?no (preference|opinion)|(i )?(don'?t|do not) (care|mind)|whatever you (like|think|want|prefer))\b",
    re.I,
)


class Settled(Struct, frozen=True):
    decisions: tuple[AreaDecisions, ...]
    discretion: tuple[str, ...]
    ideas: tuple[str, ...] = ()
    deferred: tuple[DeferredIdea, ...] = ()
    notices: tuple[str, ...] = ()  # what of the digest was not taken, and why


def settle_digest(digest: Digest, talk: Discussion) -> Settled:
    """What the agent wrote where the user said anything it could rest on; what it passed over, in the user's words."""
    plain, notices = take_verbatim(talk), list[str]()
    by_area = {entry.area: entry.decisions for entry in plain.decisions}
    taken: dict[str, list[str]] = {}
    for entry in digest.decisions:
        name = next((area for area in by_area if same_words(area) == same_words(entry.area)), "")
        if name:
            taken.setdefault(name, []).extend(_non_empty(entry.decisions))
        elif _non_empty(entry.decisions):
            notices.append(f"the decisions about {entry.area!r} were left out: you answered no question of that area")
    deferred, refused = take_deferred(digest.deferred, talk)
    kept = {area: tuple(_within_phase(taken.get(area) or by_area[area], deferred)) for area in by_area}
    decisions = tuple(AreaDecisions(area, lines) for area, lines in kept.items() if lines)
    notices += refused
    left = _without_twins((*plain.discretion, *_non_empty(digest.discretion)))
    return Settled(decisions, left, _non_empty(digest.ideas), deferred, tuple(notices))


def take_deferred(found: Sequence[DeferredIdea], talk: Discussion) -> tuple[tuple[DeferredIdea, ...], list[str]]:
    """What came up beyond the phase so far, with what an agent found in the answers; and what it only made up."""
    quoted = [idea for idea in found if is_quoted(idea.quote, talk.answers)]
    made_up = [
        f"{idea.idea!r} was not recorded as a deferred idea: no answer contains {idea.quote!r}"
        for idea in found
        if idea not in quoted
    ]
    by_words = {same_words(idea.quote): idea for idea in reversed((*talk.deferred, *quoted))}
    return tuple(by_words.values())[::-1], made_up


def _within_phase(decisions: Sequence[str], deferred: Sequence[DeferredIdea]) -> Iterator[str]:
    """What is a deferred idea is no decision; one that holds its words among others says that they do not count."""
    for decision in decisions:
        parts = same_words(decision).split()
        held = [idea for idea in deferred if _holds(parts, same_words(idea.quote).split())]
        if any(same_words(decision) in (same_words(idea.idea), same_words(idea.quote)) for idea in deferred):
            continue
        quotes = ", ".join(f'"{" ".join(idea.quote.split())}"' for idea in held)
        yield f"{decision} (deferred, not part of this phase: {quotes})" if held else decision


def take_verbatim(talk: Discussion) -> Settled:
    """Every answer is a decision, except those that leave it to Autopilot; so are areas without an answer."""
    decisions, left = list[AreaDecisions](), list[str]()
    for area in talk.picked or ():
        answers = [answered for answered in talk.answers if answered.question.area == area]
        firm = [answered for answered in answers if not LEFT_TO_US.match(answered.answer)]
        if firm:
            decisions.append(AreaDecisions(area, tuple(f"{a.question.text} -- {a.answer}" for a in firm)))
        left += [f"{area}: {a.question.text} -- {a.answer}" for a in answers if a not in firm]
        left += [] if answers else [f"{area}: no question was answered"]
    return Settled(tuple(decisions), tuple(left), deferred=talk.deferred)


def is_quoted(quote: str, answers: Sequence[Answered]) -> bool:
    """Whether these words, in this order, stand in one answer."""
    wanted = same_words(quote).split()
    if len("".join(wanted)) < SHORTEST_QUOTE:
        return False
    return any(_holds(same_words(answered.answer).split(), wanted) for answered in answers)


def _holds(text: list[str], part: list[str]) -> bool:
    return any(text[start : start + len(part)] == part for start in range(len(text) - len(part) + 1))


def _non_empty(lines: Iterable[str]) -> tuple[str, ...]:
    return tuple(line.strip() for line in lines if line.strip())


def _without_twins(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple({same_words(line): line for line in reversed(lines)}.values())[::-1]
