"""Questions to a person, asked by the run and answered whenever the person likes."""

from __future__ import annotations

import re
from enum import StrEnum

from msgspec import Struct

_WORDS = re.compile(r"\w+")


class GateKind(StrEnum):
    CHECKPOINT = "checkpoint"  # approve or reject: go on, or stop here
    MAP = "map"  # questions about phases that say too little
    AREAS = "areas"  # which gray areas of a phase to talk about: numbers, "all" or "none"
    DISCUSS = "discuss"  # questions about the areas that were picked
    ROUTE = "route"  # of an issue: advice, and which way it is to go; none of its three gates
    REQUIREMENTS = "requirements"  # an issue's first gate: approve prd.md, or send it back
    DESIGN = "design"  # its middle gate: approve, or send back with words
    CAUSE = "cause"  # the middle gate of a bug or a flaky test


DECIDED = (GateKind.CHECKPOINT, GateKind.REQUIREMENTS, GateKind.DESIGN, GateKind.CAUSE)  # by a yes or a no
OF_AN_ISSUE = (GateKind.ROUTE, GateKind.REQUIREMENTS, GateKind.DESIGN, GateKind.CAUSE)
DEFER = "defer"  # a line `defer: …` of an answer is an idea for another phase
SECTIONS = ("stories", "plan", "tests")  # what of a design a person can send back by name


class HumanQuestion(Struct, frozen=True):
    id: str  # unique in its gate: "3.1", the first question about phase 3
    text: str
    phase: str = ""
    category: str = ""
    why: str = ""
    area: str = ""  # of a discussion


def same_words(text: str) -> str:
    """Equal for two questions that differ in nothing but case, spaces and marks."""
    return " ".join(_WORDS.findall(text.casefold()))
