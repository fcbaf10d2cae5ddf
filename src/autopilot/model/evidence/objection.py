"""An objection: what one layer of evidence saw, where, and what would satisfy it."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

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
    UNPROVEN = "unproven"  # nobody can tell from what was seen
    OURS = "ours"  # our own sandbox failed on the way: neither green nor red
    FLAG = "flag"  # shown to reviewers and in every report; it refuses nothing by itself


class Objection(Struct, frozen=True):
    layer: Layer
    subject: str  # as ``Subject`` spells it
    saw: str
    where: str = ""  # a path, a test id, a command
    satisfy: str = ""  # what would satisfy it, said to whoever has to mend it
    weight: Weight = Weight.REFUSE
    is_newly_red: bool = False  # that tests are red which were not so at the base

    def __str__(self) -> str:
        place = f" ({self.where})" if self.where and self.where not in self.saw else ""
        return f"{self.saw}{place}" + (f"; {self.satisfy}" if self.satisfy else "")


_OUTCOMES = {Weight.REFUSE: Outcome.FAIL, Weight.UNPROVEN: Outcome.UNPROVEN, Weight.OURS: Outcome.UNPROVEN}


def verdicts_of(objections: tuple[Objection, ...]) -> tuple[Verdict, ...]:
    """As the gate hears them: a flag is not among them, and an objection is never a pass."""
    return tuple(
        Verdict(objection_subject(o.layer.value, o.subject), _OUTCOMES[o.weight], str(o), ours=o.weight is Weight.OURS)
        for o in objections
        if o.weight in _OUTCOMES
    )
