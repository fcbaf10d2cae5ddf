"""What the owner asks of a phase, and how a plan says that it is to be checked.

A promise has a name by which plans and reviewers speak of it: ``SC-2`` is the second success criterion of the phase in
the roadmap, or the one that its owner calls so; ``MH-1`` is the first must-have of the plan's front matter; a
requirement has its own id.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import count

from msgspec import Struct

from autopilot.model.planning.criterion import Criterion, Form, identity
from autopilot.model.planning.visual import looks_itself

_LABEL = re.compile(r"\W{0,4}SC[-_ ]?0{0,4}([1-9][0-9]{0,3})(?!\w|[-.]\w)", re.IGNORECASE)  # at the head of a criterion
# How reviewers begin: "SC-1", "SC1:", "**SC-01**", "Criterion SC-1", "SC-1, SC-2 and SC-3".
_BEFORE = re.compile(r"\W{0,8}(?:(?:success )?criteri(?:on|a)\W{1,4}|must[- ]haves?\W{1,4})?", re.IGNORECASE)
_NAME = re.compile(r"(SC|MH)[-_ ]?0{0,4}([1-9][0-9]{0,3})(?!\w|[-.]\w)", re.IGNORECASE)
_AND = re.compile(r"[\s*`\])]{0,6}(?:[,;/&+]|\band\b)(?:\s{0,3}and\b)?[\s*`\[(]{0,6}", re.IGNORECASE)


class Source(StrEnum):
    ROADMAP = "roadmap"
    MUST_HAVE = "must_haves"
    REQUIREMENT = "requirement"


class Promise(Struct, frozen=True):
    name: str
    text: str
    source: Source
    criterion: Criterion | None = None  # of the roadmap: the same as a criterion, which may have a command

    @property
    def is_runnable(self) -> bool:
        return self.criterion is not None and self.criterion.is_runnable

    @property
    def is_traced(self) -> bool:
        """Whether it says itself that a reviewer has to follow the code."""
        return self.criterion is not None and self.criterion.form is Form.TRACE

    def is_named_by(self, mention: str) -> bool:
        """By its words, by its name, by both ("SC-2: The page loads"), or by its name in a list of names."""
        mentioned = identity(mention)
        own = {self.name.casefold(), identity(self.text)} | (
            {self.criterion.id.casefold()} if self.criterion else set()
        )
        return mentioned in own or self.name in _names_at_head(mentioned)


def _names_at_head(mention: str) -> Iterator[str]:
    before = _BEFORE.match(mention)
    position = before.end() if before else 0
    while found := _NAME.match(mention, position):
        yield f"{found[1].upper()}-{found[2]}"
        if not (joined := _AND.match(mention, found.end())):
            return
        position = joined.end()


class Answer(Struct, frozen=True):
    """One row of a plan's table: what shows that a promise is kept."""

    name: str
    by: tuple[str, ...] = ()  # ids of criteria of the plan
    reviewer: str = ""  # why no command can check it, and a reviewer has to read it
    person: str = ""  # why only a person can tell
    unknown: tuple[str, ...] = ()  # what it names and the plan does not have
    kept: bool = False  # it is about what was there before, and its checks hold then
    path: str = ""
    line: int = 0


def promises(
    criteria: Sequence[Criterion], must_haves: Iterable[str] = (), requirements: Iterable[str] = ()
) -> tuple[Promise, ...]:
    """Each once: a must-have in the words of the roadmap is the roadmap's."""
    names = _names(criteria)
    of_roadmap = [Promise(name, c.text, Source.ROADMAP, c) for name, c in zip(names, criteria, strict=True)]
    known = {identity(promise.text) for promise in of_roadmap}
    others = {identity(text): text for text in must_haves if identity(text) not in known}
    of_plan = [Promise(f"MH-{n}", text, Source.MUST_HAVE) for n, text in enumerate(others.values(), start=1)]
    named = [Promise(name, name, Source.REQUIREMENT) for name in dict.fromkeys(requirements)]
    return (*of_roadmap, *of_plan, *named)


def _names(criteria: Sequence[Criterion]) -> list[str]:
    """The owner's own label where there is one ("SC-2: it loads" stands first), else the place, else what is free."""
    labels = [int(found[1]) if (found := _LABEL.match(criterion.text)) else 0 for criterion in criteria]
    taken = set(labels)
    numbers: list[int] = []
    for place, label in enumerate(labels, start=1):
        free = place if place not in taken else next(n for n in count(1) if n not in taken)
        number = label if label and label not in numbers else free
        numbers.append(number)
        taken.add(number)
    return [f"SC-{number}" for number in numbers]


def checks_of(promise: Promise, answers: Iterable[Answer], criteria: Iterable[Criterion]) -> tuple[str, ...]:
    """The ids of what is to prove it: its own command, what the plan names, and criteria in the same words."""
    own = (promise.criterion.id,) if promise.criterion and promise.is_runnable else ()
    named = [id for answer in answers if answer.name == promise.name for id in answer.by]
    same = [criterion.id for criterion in criteria if criterion.identity == identity(promise.text)]
    return tuple(dict.fromkeys((*own, *named, *same)))


BY_EYE = "how it looks can only be seen by eye"


def left_to_person(promise: Promise, answers: Sequence[Answer], criteria: Iterable[Criterion]) -> str:
    """Why only a person can tell, by the plan or by its own words; "" where it is not so.

    What is asked of the eye is not proven by a command that sees nothing, nor by reading code, whatever the plan says.
    """
    written = next((answer.person for answer in answers if answer.name == promise.name and answer.person), "")
    if written or promise.criterion is None or not promise.criterion.visual:
        return written
    known = tuple(criteria)
    checks = checks_of(promise, answers, known)
    return "" if any(looks_itself(c.command) for c in known if c.id in checks) else BY_EYE
