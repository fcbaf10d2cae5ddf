"""What passes between a run and its user: questions, answers, and what is made of them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from msgspec import Struct, field

from autopilot.model.human import GateKind, HumanQuestion
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.planning.sufficiency import Sufficiency
from autopilot.model.proposal import AreaDecisions, DeferredIdea, GrayArea
from autopilot.model.stored_text import StoredText


class FlagsRefused(Struct, frozen=True):
    """The user asked for flags that cannot be combined; the run itself is not changed."""

    flags: tuple[str, ...]
    reason: str


class PhasePassedOver(Struct, frozen=True):
    """`--complete` met a phase that an earlier run completed."""

    phase: PhaseId
    run: str
    completed_at: datetime = field(name="at")  # journals say at


class HumanAsked(Struct, frozen=True):
    """Only a person can say. All questions of a gate are asked at once."""

    gate: str  # "checkpoint-1", "map", "areas-3", "discuss-3-1"
    kind: GateKind
    title: str
    questions: tuple[HumanQuestion, ...] = ()
    phase: PhaseId | None = None


class HumanAnswered(Struct, frozen=True):
    """The first answer to a gate counts. What is not answered is left open; "" is an answer left out on purpose."""

    gate: str
    answers: Mapping[str, str]  # by question id
    by: str
    approved: bool | None = None  # of a checkpoint
    more: tuple[str, ...] = ()  # areas of a discussion the user wants to say more about
    comment: str = ""
    deferred: Mapping[str, tuple[str, ...]] = {}  # ideas for other phases, by question id; "": of the comment


class MappingStarted(Struct, frozen=True):
    phases: tuple[PhaseId, ...]
    mode: str  # the call, as the user wrote it


class ContextMapped(Struct, frozen=True):
    """One phase looked at: how much is known of it, and what would have to be."""

    phase: PhaseId
    sufficiency: Sufficiency
    questions: tuple[HumanQuestion, ...] = ()
    problem: str = ""  # why no questions could be had although the score is low


class MappingEnded(Struct, frozen=True):
    """Every phase scored again with what was answered."""

    after: Mapping[PhaseId, Sufficiency]
    questions: int
    answered: int


class AreasFound(Struct, frozen=True):
    """What of a phase is worth talking about before it is built."""

    phase: PhaseId
    domain: str
    description: str
    areas: tuple[GrayArea, ...]


class FollowedUp(Struct, frozen=True):
    """The user wanted to say more: further questions."""

    phase: PhaseId
    round: int
    questions: tuple[HumanQuestion, ...]
    deferred: tuple[DeferredIdea, ...] = ()  # what the answers so far ask for beyond the phase


class Discussed(Struct, frozen=True):
    """What came of the discussion of one phase. ``document`` is CONTEXT.md."""

    phase: PhaseId
    decisions: tuple[AreaDecisions, ...]
    discretion: tuple[str, ...]
    ideas: tuple[str, ...]
    deferred: tuple[DeferredIdea, ...]
    document: StoredText


class PauseRequested(Struct, frozen=True):
    """Stop, but only where no step is in progress: each that is comes to its end first."""

    by: str


class RecordCarried(Struct, frozen=True):
    """What stands before it of this run was recorded on another machine, and came here in a sealed artefact."""

    artefact: str  # digest of the file
    seq: int  # the last entry of the chain there
    digest: str


AskingEvent = HumanAsked | HumanAnswered | MappingStarted | MappingEnded
PeopleRunEvent = FlagsRefused | PhasePassedOver | PauseRequested | RecordCarried | AskingEvent
TalkEvent = ContextMapped | AreasFound | FollowedUp | Discussed
