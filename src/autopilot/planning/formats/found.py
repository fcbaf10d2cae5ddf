"""What a reader of a planning format finds: pieces of work, their tasks and criteria, and what was not understood."""

from __future__ import annotations

from msgspec import Struct

from autopilot.model.planning.complaint import Complaint
from autopilot.model.planning.standing import Stand


class Promise(Struct, frozen=True):
    """A criterion as it is written."""

    path: str
    line: int
    text: str


class Step(Struct, frozen=True):
    """A task of a piece of work."""

    key: str  # as the format names it; "": by its place
    name: str
    detail: str = ""
    done: bool = False
    held: str = ""  # why it is not to be run
    path: str = ""
    line: int = 0
    lines: tuple[int, ...] = ()  # of the boxes that say it is done
    criteria: tuple[Promise, ...] = ()


class Piece(Struct, frozen=True):
    """What becomes a phase."""

    key: str  # as the format names it: "4.2", "add-login", "US-001"
    name: str
    goal: str = ""
    stand: Stand = Stand.OPEN
    because: str = ""
    against: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()  # keys
    criteria: tuple[Promise, ...] = ()
    steps: tuple[Step, ...] = ()
    path: str = ""
    line: int = 0
    specs: tuple[str, ...] = ()  # the files that say what it must do


class Reading(Struct, frozen=True):
    path: str  # the one file, or the folder
    pieces: tuple[Piece, ...] = ()  # in the order in which the work is done
    complaints: tuple[Complaint, ...] = ()
    spec: str = ""  # the file that holds for all
