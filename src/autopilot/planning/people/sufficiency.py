"""How much is known of a phase before it is built, scored by code (CMAP-01), and again with what its user answered.

Four marks from 1 to 10, weighted .35 criteria, .35 requirements, .15 documentation, .15 dependencies, rounded to the
nearest whole number, halves up. A phase whose goal is a stub has 1 everywhere: nothing else about it can be trusted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.planning.sufficiency import Sufficiency
from autopilot.model.run import PhaseBrief
from autopilot.planning.spec.requirement_text import is_specific, mapped_requirements
from autopilot.text.naming import name_phases

WEIGHTS = {"criteria": 35, "requirements": 35, "docs": 15, "dependencies": 15}  # of a hundred
ENOUGH = 8  # below it the user is asked
WORRYING = 5  # below it a run without `--map` warns
LOWEST, HIGHEST = 1.0, 10.0
# Placeholders for a goal that is not written yet.
_STUB = re.compile(r"\[[^\]\n]{0,60}\bto be (?:planned|defined)\]|\bTBD\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{4,}")
_EVERYDAY = frozenset(("with", "from", "that", "this", "into", "their", "when", "have", "each", "must", "phase"))
# Whose mark an answer raises. How to build and test says how to check; the domain says what is wanted; the structure
# is what the project's own documents should have told.
RAISES: Mapping[str, str] = {
    "criteria": "criteria",
    "build_config": "criteria",
    "requirements": "requirements",
    "domain": "requirements",
    "architecture": "docs",
    "dependencies": "dependencies",
}
FIRST_ANSWER, FURTHER_ANSWER = 4.0, 2.0
PROJECT = ".planning/PROJECT.md"
PAPERS = ("RESEARCH.md", "PLAN.md", "CONTEXT.md")  # how documents of a phase's own end


class Sources(Struct, frozen=True):
    """What there is to read about a phase besides its own entry in the roadmap."""

    spec: str = ""
    project: str | None = None  # PROJECT.md
    own_documents: bool = False  # research, a plan or a discussion in its folder
    met: frozenset[PhaseId] = frozenset()  # phases that are done
    ahead: frozenset[PhaseId] = frozenset()  # phases that are still to come


def assess(brief: PhaseBrief, sources: Sources) -> Sufficiency:
    if is_stub(brief.goal):
        return Sufficiency(1, LOWEST, LOWEST, LOWEST, LOWEST, "its goal is not written yet")
    parts = {
        "criteria": _criteria(brief),
        "requirements": _requirements(brief, sources.spec),
        "docs": _docs(brief, sources),
        "dependencies": _dependencies(brief, sources),
    }
    marks = {name: mark for name, (mark, _) in parts.items()}
    score = _score(marks)
    low = "; ".join(why for _, why in parts.values() if why) if score < ENOUGH else ""
    return Sufficiency(score, **marks, reason=low)


def rescore(before: Sufficiency, answered: Iterable[str]) -> Sufficiency:
    """The score with answers to questions of these categories: the first in a mark raises it by 4, each further by 2.

    Answers about criteria and requirements, which is what most questions are about, so gain two to four points
    together. No mark rises above 10, and no score ever falls.
    """
    counts = Counter(RAISES[category] for category in answered if category in RAISES)
    marks = {name: _raised(getattr(before, name), counts[name]) for name in WEIGHTS}
    score = max(before.score, _score(marks)) if counts else before.score
    return replace(before, score=score, **marks, reason="" if score >= ENOUGH else before.reason)


def is_stub(goal: str) -> bool:
    return not goal.strip() or _STUB.search(goal) is not None


def _score(marks: Mapping[str, float]) -> int:
    """In whole thousandths: a half must not be lost to the way fractions are stored."""
    thousandths = sum(weight * round(marks[name] * 10) for name, weight in WEIGHTS.items())
    return (thousandths + 500) // 1000


def _raised(mark: float, answers: int) -> float:
    gain = FIRST_ANSWER + FURTHER_ANSWER * (answers - 1) if answers else 0.0
    return max(mark, min(HIGHEST, mark + gain))


def _criteria(brief: PhaseBrief) -> tuple[float, str]:
    count, prose = len(brief.criteria), len(brief.prose)
    if not count:
        return 1.0, "it has no success criteria"
    if prose == count:
        return 2.0, "none of its success criteria can be run"
    if not prose:
        return 10.0, ""
    return round(5 + 2 * (count - prose) / count, 1), f"{prose} of {count} criteria cannot be run"


def _requirements(brief: PhaseBrief, spec: str) -> tuple[float, str]:
    """The mean of its requirements: specific 10, vague 6, not in the spec or left open there 2."""
    mapped = mapped_requirements(brief, spec)
    if not mapped:
        return 1.0, "no requirement is assigned to it"
    marks = [2.0 if not text or is_stub(text) else 10.0 if is_specific(text) else 6.0 for text in mapped.values()]
    lacking = [name for name, mark in zip(mapped, marks, strict=True) if mark < ENOUGH]
    names, is_one = ", ".join(lacking[:4]), len(lacking) == 1
    why = f"the spec says too little about {names}" if lacking else ""
    if lacking and not spec.strip():
        why = f"{names} {'is' if is_one else 'are'} explained nowhere: there is no spec"
    return round(sum(marks) / len(marks), 1), why


def _docs(brief: PhaseBrief, sources: Sources) -> tuple[float, str]:
    if sources.own_documents:
        return 9.0, ""
    if sources.project is None:
        return 2.0, "there is no PROJECT.md"
    known = {word.lower() for word in _WORD.findall(sources.project)}
    wanted = {word.lower() for word in _WORD.findall(f"{brief.name} {brief.goal}")} - _EVERYDAY
    share = len(wanted & known) / len(wanted) if wanted else 0.0
    if share >= 0.5:
        return 9.0, ""
    reason = "PROJECT.md describes it only in part" if share else "PROJECT.md does not mention it"
    return (6.0 if share else 4.0), reason


def _dependencies(brief: PhaseBrief, sources: Sources) -> tuple[float, str]:
    left = [phase for phase in brief.depends_on if phase not in sources.met]
    if missing := [phase for phase in left if phase not in sources.ahead]:
        are = "is" if len(missing) == 1 else "are"
        return 1.0, f"it builds on {name_phases(missing)}, which {are} neither done nor planned"
    return (5.0, f"it builds on {name_phases(left)}, still to come") if left else (10.0, "")
