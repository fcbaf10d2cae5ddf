"""What agents propose to ask or to write down: neither a claim about work nor an assessment of it."""

from __future__ import annotations

from msgspec import Struct

CATEGORIES = ("build_config", "architecture", "requirements", "criteria", "dependencies", "domain")
DOMAINS = ("SEE", "CALL", "RUN", "READ", "ORGANIZE")


class ProposedQuestion(Struct, frozen=True):
    question: str
    category: str  # one of CATEGORIES
    why_needed: str


class ProposedQuestions(Struct, frozen=True):
    """The questioner's reply: what it would have to know of one phase."""

    questions: tuple[ProposedQuestion, ...]  # two to five
    estimated_score_after: float


class GrayArea(Struct, frozen=True):
    area: str
    description: str
    questions: tuple[str, ...]  # three or four


class GrayAreas(Struct, frozen=True):
    """The discusser's first reply: decisions of one phase that its user should weigh in on."""

    domain: str  # one of DOMAINS
    domain_description: str
    gray_areas: tuple[GrayArea, ...]  # three to five


class FollowUp(Struct, frozen=True):
    area: str
    questions: tuple[str, ...]  # two or three


class DeferredIdea(Struct, frozen=True):
    idea: str
    quote: str  # the user's own words it is taken from


class FollowUps(Struct, frozen=True):
    """The discusser's reply when the user wants to say more about some areas."""

    areas: tuple[FollowUp, ...]
    deferred: tuple[DeferredIdea, ...] = ()  # new capabilities that the answers so far ask for


class AreaDecisions(Struct, frozen=True):
    area: str
    decisions: tuple[str, ...]


class Digest(Struct, frozen=True):
    """The discusser's last reply: what the user decided, left open, and wished for beyond this phase."""

    decisions: tuple[AreaDecisions, ...]
    discretion: tuple[str, ...] = ()  # areas the user left to us
    ideas: tuple[str, ...] = ()  # references and examples the user named
    deferred: tuple[DeferredIdea, ...] = ()  # new capabilities: they belong to other phases
