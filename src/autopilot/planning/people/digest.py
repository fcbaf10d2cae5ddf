"""What came of a talk: an agent's digest held against the user's own words, or those words as they are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

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
    plain, notices = take_as_said(talk), list[str]()
    said = {each.area: each.decisions for each in plain.decisions}
    taken: dict[str, list[str]] = {}
    for each in digest.decisions:
        name = next((area for area in said if same_words(area) == same_words(each.area)), "")
        if name:
            taken.setdefault(name, []).extend(_told(each.decisions))
        elif _told(each.decisions):
            notices.append(f"what is said to be decided about {each.area!r} was left out: you answered nothing there")
    decisions = tuple(AreaDecisions(area, tuple(taken.get(area) or said[area])) for area in said)
    deferred = tuple(idea for idea in digest.deferred if is_quoted(idea.quote, talk.answers))
    notices += [
        f"{idea.idea!r} was not noted as a deferred idea: nobody said {idea.quote!r}"
        for idea in digest.deferred
        if idea not in deferred
    ]
    left = _without_twins((*plain.discretion, *_told(digest.discretion)))
    return Settled(decisions, left, _told(digest.ideas), deferred, tuple(notices))


def take_as_said(talk: Discussion) -> Settled:
    """Every answer is a decision, but for those that leave it to us; so are areas nobody said anything about."""
    decisions, left = list[AreaDecisions](), list[str]()
    for area in talk.picked or ():
        answers = [each for each in talk.answers if each.question.area == area]
        firm = [each for each in answers if not LEFT_TO_US.match(each.answer)]
        if firm:
            decisions.append(AreaDecisions(area, tuple(f"{a.question.text} -- {a.answer}" for a in firm)))
        left += [f"{area}: {a.question.text} -- {a.answer}" for a in answers if a not in firm]
        left += [] if answers else [f"{area}: no question was answered"]
    return Settled(tuple(decisions), tuple(left))


def is_quoted(quote: str, answers: Sequence[Answered]) -> bool:
    """Whether these words, in this order, stand in one answer."""
    wanted = same_words(quote).split()
    if len("".join(wanted)) < SHORTEST_QUOTE:
        return False
    return any(_holds(same_words(each.answer).split(), wanted) for each in answers)


def _holds(whole: list[str], part: list[str]) -> bool:
    return any(whole[at : at + len(part)] == part for at in range(len(whole) - len(part) + 1))


def _told(lines: Iterable[str]) -> tuple[str, ...]:
    return tuple(line.strip() for line in lines if line.strip())


def _without_twins(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple({same_words(line): line for line in reversed(lines)}.values())[::-1]
