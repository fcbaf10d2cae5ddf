"""Gray areas as an agent proposes them: which are worth a talk, and which follow-up questions are new."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.proposal import DOMAINS, GrayArea, GrayAreas
from autopilot.planning.people.questions import LONGEST, same_words

FEWEST_AREAS, MOST_AREAS = 3, 5
FEWEST_QUESTIONS, MOST_QUESTIONS = 3, 4
MOST_FOLLOW_UPS = 3
LONGEST_NAME = 120
# An area that is named by these words alone could be one of any phase of any project.
_GENERIC = """
    ui ux api cli gui user users interface experience frontend backend design architecture structure implementation
    error errors exception exceptions handling test tests testing coverage quality code performance speed security auth
    authentication logging monitoring documentation docs configuration config settings data database storage model
    models deployment scope requirement requirements feature features functionality behavior behaviour general
    misc miscellaneous other others details technical technology stack approach strategy decisions considerations
    naming conventions validation edge cases integration dependencies maintainability scalability
"""
_FILLERS = "a an and the of for to in on with or this that phase its our"
GENERIC, FILLERS = frozenset(_GENERIC.split()), frozenset(_FILLERS.split())
# What the phase is to do is the roadmap's to say.
WHETHER = re.compile(r"\bwhat (should|must|does|will) (this|the) phase (do|build|include|contain|deliver)\b", re.I)


class AreasCheck(Struct, frozen=True):
    domain: str  # "" for one we do not know
    areas: tuple[GrayArea, ...]  # those that are sound
    problems: tuple[str, ...] = ()

    @property
    def complaint(self) -> str:
        """Why it is worth asking again; "" when there is enough to talk about."""
        enough = self.domain and len(self.areas) >= FEWEST_AREAS
        return "" if enough else "; ".join(self.problems[:MOST_AREAS])


def check_areas(reply: GrayAreas) -> AreasCheck:
    """An area that is refused is left out; the others stand."""
    word = reply.domain.strip().upper()
    domain = word if word in DOMAINS else ""
    problems = [] if domain else [f"the domain is none of {', '.join(DOMAINS)}: {reply.domain}"]
    sound: list[GrayArea] = []
    for area in reply.gray_areas:
        if len(sound) == MOST_AREAS:
            break  # the user is not asked about more, however many there are
        asked = [question for before in sound for question in before.questions]
        fresh = new_questions(area.questions, asked)[:MOST_QUESTIONS]
        tidy = replace(area, area=" ".join(area.area.split()), questions=fresh)
        reasons = list(_faults(tidy, sound))
        named = tidy.area[:LONGEST_NAME] or "an area without a name"
        problems += [f"{named}: {reason}" for reason in reasons]
        sound += [] if reasons else [tidy]
    if len(sound) < FEWEST_AREAS:
        problems.insert(0, f"{len(sound)} areas can be used; at least {FEWEST_AREAS} are needed")
    return AreasCheck(domain, tuple(sound), tuple(problems))


def new_questions(proposed: Iterable[str], asked: Iterable[str]) -> tuple[str, ...]:
    """Without those that were asked already, whatever their capitals and punctuation, and those that are too long."""
    known = {same_words(question) for question in asked}
    fresh: dict[str, str] = {}
    for question in proposed:
        if (key := same_words(question)) and key not in known and len(question) <= LONGEST:
            fresh.setdefault(key, " ".join(question.split()))
    return tuple(fresh.values())


def _faults(area: GrayArea, before: Sequence[GrayArea]) -> Iterator[str]:
    meant = _meant(area.area)
    if meant <= GENERIC:
        yield "too general; name a decision that only this phase has to make"
    if any(meant == _meant(other.area) for other in before):
        yield "another area is about the same"
    if not area.description.strip():
        yield "its description is empty"
    if len(area.area) > LONGEST_NAME or len(area.description) > LONGEST:
        yield f"a name has at most {LONGEST_NAME} characters, and a description {LONGEST}"
    if WHETHER.search(" ".join((area.area, area.description, *area.questions))):
        yield "the roadmap defines what the phase does; ask how"
    if len(area.questions) < FEWEST_QUESTIONS:
        yield f"it has {len(area.questions)} questions that no other area asks; at least {FEWEST_QUESTIONS} are needed"


def _meant(name: str) -> frozenset[str]:
    return frozenset(same_words(name).split()) - FILLERS
