"""An objection: what one layer of evidence saw, where, and what would satisfy it."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct, field

from autopilot.model.evidence.subject import objection_subject
from autopilot.model.evidence.verdict import Outcome, Verdict


class Layer(StrEnum):
    PLAN = "P"
    COMMIT = "C"
    CHANGE = "S"
    RUN = "R"
    RED = "E"
    SABOTAGE = "M"
    HELD_OUT = "H"
    LOOK = "L"


class Weight(StrEnum):
    REFUSE = "refuse"  # the work is not done
    UNPROVEN = "unproven"  # the observations do not decide it
    OURS = "ours"  # our own sandbox failed on the way: neither green nor red
    FLAG = "flag"  # shown to reviewers and in every report; it refuses nothing by itself


class Objection(Struct, frozen=True):
    layer: Layer
    subject: str  # as ``Subject`` spells it
    description: str = field(name="saw")
    where: str = ""  # a path, a test id, a command
    satisfy: str = ""  # what would satisfy it, for the agent or person that has to fix it
    weight: Weight = Weight.REFUSE
    is_newly_red: bool = False  # that tests are red which were not so at the base

    def __str__(self) -> str:
        place = f" ({self.where})" if self.where and self.where not in self.description else ""
        return f"{self.description}{place}" + (f"; {self.satisfy}" if self.satisfy else "")


def unfinished(layer: Layer, subject: str, asked: str) -> Objection:
    """A probe that did not end in its time shows nothing, neither for the work nor against it."""
    return Objection(layer, subject, f"not checked: {asked} did not end in time", weight=Weight.FLAG)


_OUTCOMES = {Weight.REFUSE: Outcome.FAIL, Weight.UNPROVEN: Outcome.UNPROVEN, Weight.OURS: Outcome.UNPROVEN}


def verdicts_of(objections: tuple[Objection, ...]) -> tuple[Verdict, ...]:
    """As the gate receives them: a flag is not among them, and an objection is never a pass."""
    return tuple(
        Verdict(
            objection_subject(objection.layer.value, objection.subject),
            _OUTCOMES[objection.weight],
            str(objection),
            ours=objection.weight is Weight.OURS,
        )
        for objection in objections
        if objection.weight in _OUTCOMES
    )
