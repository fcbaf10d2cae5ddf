"""What earlier runs have to say about the phases of a roadmap."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from autopilot.engine.other_runs import OtherRuns, find_other_runs
from autopilot.model.intent import Earlier
from autopilot.model.planning.other_run import OtherRun
from autopilot.model.planning.roadmap import Phase, PhaseId
from autopilot.model.run import PhaseBrief
from autopilot.ports.git import Checkout

Named = tuple[PhaseId, str]


def named(phase: Phase | PhaseBrief) -> Named:
    """By number and name: a new milestone may use a number again."""
    return phase.id, " ".join(phase.name.split()).casefold()


class Unlanded(Struct, frozen=True):
    """Work that passed and has not landed."""

    run: str
    command: str  # the one that lands it


class Past(Struct, frozen=True):
    """What earlier runs have to say about the phases of a roadmap."""

    proven: frozenset[Named] = frozenset()  # completed, and in the user's branch
    incomplete: frozenset[Named] = frozenset()  # completed below the threshold, with remediation exhausted
    folders: frozenset[tuple[str, Named]] = frozenset()  # of every phase that was completed
    earlier: Mapping[Named, Earlier] = {}  # as the last run that completed it left it
    other_runs: tuple[OtherRun, ...] = ()  # of another program, as they were found and recorded
    unlanded: Mapping[Named, Unlanded] = {}  # passed, and not in the user's branch

    def taken_from(self, phase: Phase) -> set[str]:
        """Folders of phases that were completed under other names."""
        return {folder for folder, owner in self.folders if owner != named(phase)}

    def find_others(self, checkout: Checkout) -> OtherRuns:
        """Runs of another program that no run of ours has recorded."""
        return find_other_runs(checkout, (run.run for run in self.other_runs))


NO_PAST = Past()
