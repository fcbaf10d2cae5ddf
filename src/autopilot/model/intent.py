"""What a run was asked to do beyond carrying out phases, and what earlier runs have to say about a phase."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum

from msgspec import Struct, field

LENIENT, USUAL, QUALITY = 7.0, 9.0, 9.5  # what a phase has to score, by flag
NEAR_PERFECT = 9.8  # from here on there is no gap worth closing
QUALITY_CYCLES, GAP_ITERATIONS = 3, 5


class Intent(Struct, frozen=True):
    """The flags of the call that began the run. Whether they go together is planning/choosing/flags.py's to say."""

    complete: bool = False
    map: bool = False
    lenient: bool = False
    force: bool = False
    quality: bool = False
    gaps: bool = False
    discuss: bool = False
    visual: bool = False
    sequential: bool = False
    checkpoint_every: int = 0  # a human gate after so many phases; 0 for none
    parallel: int = 1  # phases at the same time
    accept_red: tuple[str, ...] = ()  # ids of tests or checks that may be red before the work, or "all"

    @property
    def arguments(self) -> tuple[str, ...]:
        """The flags as one would type them."""
        return self.beside(())

    def beside(self, phases: Iterable[str]) -> tuple[str, ...]:
        """The flags and the phases; a flag with a number goes last, or the first phase reads as another of its."""
        switches = ("complete", "map", "lenient", "force", "quality", "gaps", "discuss", "visual", "sequential")
        flags = [f"--{name}" for name in switches if getattr(self, name)]
        every = (f"--checkpoint-every {self.checkpoint_every}",) if self.checkpoint_every else ()
        red = (f"--accept-red {shlex.quote(id)}" for id in self.accept_red)
        return (*flags, *phases, *every, *((f"--parallel {self.parallel}",) if self.parallel > 1 else ()), *red)

    @property
    def only_maps(self) -> bool:
        """`--map` alone, or with nothing but phases and a bar: it audits and asks, and carries out nothing."""
        carries_out = self.complete or self.force or self.quality or self.gaps or self.discuss
        return self.map and not carries_out


class Purpose(StrEnum):
    """What is to be done with a phase."""

    BUILD = "build"  # the whole pipeline, by its route
    REDO = "redo"  # `--force`: from scratch on top of what is there
    REFINE = "refine"  # `--quality` of a completed phase: remediation only
    GAPS = "gaps"  # `--gaps` of a completed phase: one deficiency at a time

    @property
    def refines(self) -> bool:
        """Whether it betters what is there: nothing is planned, and whatever comes of it the phase stays completed."""
        return self in (Purpose.REFINE, Purpose.GAPS)


class Scored(Struct, frozen=True):
    """A score a phase once had."""

    score: float
    scored_at: datetime = field(name="at")
    flag: str  # initial, force, quality or gaps
    cycle: int = 0


class Deficiency(Struct, frozen=True):
    """What keeps a completed phase from a better score, and where that is known from."""

    text: str
    criterion: str = ""
    score: float | None = None  # of that criterion
    file: str = ""
    source: str = ""  # scorecard, diagnostic, judge_report or verification
    weight: str = ""  # high, medium or low, where there is no score to compare

    @property
    def label(self) -> str:
        """By which one that was tried is known again: a criterion is the same whatever is said of it next time."""
        return self.criterion or self.text


class Earlier(Struct, frozen=True):
    """A phase as the last run that completed it left it."""

    run: str
    completed_at: datetime = field(name="at")
    score: float | None
    incomplete: bool = False
    history: tuple[Scored, ...] = ()  # every score before and including that one, oldest first
    deficiencies: tuple[Deficiency, ...] = ()  # biggest gap first
    plans: tuple[tuple[str, str], ...] = ()  # what Autopilot itself planned for it: paths and digests


class ContextAnswer(Struct, frozen=True):
    """What the user once answered about a phase."""

    question: str
    answer: str
    category: str = ""
