"""The state of a run's questions to its user, of its discussions, its audit and its release."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from msgspec import Struct

from autopilot.events.closing import AuditEnded, VersionAdvised
from autopilot.events.people import HumanAnswered, HumanAsked
from autopilot.model.audit import Gap, IntegrationReport, RequirementAudit
from autopilot.model.human import HumanQuestion
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.planning.sufficiency import Sufficiency
from autopilot.model.proposal import AreaDecisions, DeferredIdea, GrayArea


class HumanGate(Struct, frozen=True):
    """A question to a person; open until it is answered."""

    asked: HumanAsked
    asked_at: datetime
    answered: HumanAnswered | None = None
    answered_at: datetime | None = None


class Answered(Struct, frozen=True):
    question: HumanQuestion
    answer: str
    answered_at: datetime


class IdeaDeferred(Struct, frozen=True):
    """What a person said beyond the phase it was asked about."""

    idea: str
    quote: str  # the person's own words
    phase: PhaseId | None = None  # the phase that it does not belong to; None: said at a checkpoint


class Mapped(Struct, frozen=True):
    """What `--map` knows of one phase."""

    before: Sufficiency
    mapped_at: datetime
    questions: tuple[HumanQuestion, ...] = ()
    answers: Mapping[str, Answered] = {}  # by question id
    after: Sufficiency | None = None
    problem: str = ""


class Discussion(Struct, frozen=True):
    """The discussion of a phase before it is built."""

    domain: str
    description: str
    areas: tuple[GrayArea, ...]
    began_at: datetime
    picked: tuple[str, ...] | None = None  # names of areas; None until the user has chosen
    answers: tuple[Answered, ...] = ()
    more: tuple[str, ...] = ()  # areas the user wants to discuss further
    rounds: int = 0  # of follow-up questions
    pending: tuple[HumanQuestion, ...] = ()  # follow-up questions not asked yet
    decisions: tuple[AreaDecisions, ...] = ()
    discretion: tuple[str, ...] = ()
    ideas: tuple[str, ...] = ()
    deferred: tuple[DeferredIdea, ...] = ()
    document: str = ""  # blob digest of CONTEXT.md
    done: bool = False


class AuditState(Struct, frozen=True):
    """The results of the audit of the whole run so far."""

    integration: IntegrationReport | None = None
    started: bool = False
    results: tuple[RequirementAudit, ...] = ()  # the last result of each requirement
    passes: int = 0  # of the self-audit
    first_gaps: tuple[Gap, ...] = ()  # what the first pass and the integration check found
    gaps: tuple[Gap, ...] = ()  # still open
    fixed: tuple[str, ...] = ()  # requirement ids
    rounds: int = 0  # of fixes
    fixed_since: bool = False  # a round of fixes has passed since the last pass
    advised: VersionAdvised | None = None
    ended: AuditEnded | None = None


class Release(Struct, frozen=True):
    commit: str = ""
    old: str = ""
    new: str = ""
    files: tuple[str, ...] = ()
    because: str = ""  # the rule it follows, or why there is no new version
