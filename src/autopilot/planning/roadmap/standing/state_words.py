"""How STATE.md says that a phase, or everything up to it, is over."""

from __future__ import annotations

import re
from collections.abc import Sequence

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.roadmap.phase_id import ID, normalise
from autopilot.planning.roadmap.standing.milestone import headings_above
from autopilot.planning.roadmap.standing.progress import progress_rows
from autopilot.text.lines import Line

MOST_CHARS = 400

_OVER = re.compile(
    r"(?<!not )(?<!nearly )(?<!almost )\b(?:complete|completed|done|shipped|finished)\b"
    r"(?=\W{0,3}$|\s?[0-9(,.;:–—✅*]|\s--?\s)|已?完成|完了|완료|✅",
    re.IGNORECASE,
)
_NAMES = re.compile(r"\((?!\s?(?:complete|completed|done)\s?\))[^()]{0,200}\)", re.IGNORECASE)
_STATUS_OVER = re.compile(
    rf"\W{{0,6}}(?:Phase\s{{1,3}}(?:({ID})\s{{1,3}})?)?(?:is\s)?(?:complete|completed|done|shipped|verified)\b"
    r"(?=\W{0,3}$|\s?[(,.;:–—✅*]|\s--?\s|\sand\b)",
    re.IGNORECASE,
)
_EVERYTHING = re.compile(
    r"\ball\s(?:\w{1,20}\s){0,2}(?:phases|milestones)\b.{0,20}\b(?:complete|completed|done|shipped|executed)\b"
    r"|\b(?:roadmap|project)\s(?:is\s)?(?:complete|completed|done)\b"
    r"|\bmilestone\s(?:[\w.]{1,30}\s){0,3}(?:complete|completed|shipped|archived|done)\b"
    r"|\bv[0-9][\w.]{0,20}\s(?:(?!phase|plan)[\w&/-]{1,30}\s){0,5}(?:shipped|complete|completed|archived|released)\b"
    r"|\b(?:next|new)[ -]milestone\b",
    re.IGNORECASE,
)
_ALL_PLANS = re.compile(
    r"\ball\s(?:\w{1,20}\s){0,2}plans\b.{0,20}\b(?:complete|completed|done|executed)\b", re.IGNORECASE
)
_GOING_ON = re.compile(
    r"\b(?:ready to (?:plan|execute|discuss)|planning|executing|in progress|not started)\b", re.IGNORECASE
)
_NEXT_MILESTONE = re.compile(
    r"\b(?:ready to plan|planning|plan|start|define)\s(?:the\s)?(?:next|new) milestone", re.IGNORECASE
)
_LISTED = re.compile(
    rf"^\s{{0,8}}[-*+]\s{{1,4}}(?:\[[xX✅]\]\s)?[^\w\[(]{{0,12}}Phases?\s{{1,3}}({ID})(?:\s?[-–—]\s?({ID}))?"
    r"\*{0,2}\s?(?::|[–—-]|\(|✅|✓|$)",
    re.IGNORECASE,
)
_TICK = re.compile(r"[✅✓]|\[[xX]\]")
_RECORD = re.compile(r"\b(?:complete|completed|done|shipped|achievements?|phases|history|progress)\b", re.IGNORECASE)


def says_over(where: str) -> bool:
    """What follows the number of the current phase. In brackets stands its name, unless it is the one word."""
    return _OVER.search(_NAMES.sub(" ", where[:MOST_CHARS]).replace("(", " ").replace(")", " ")) is not None


def status_is_over(status: str) -> PhaseId | str | None:
    """The phase a status calls complete, "" for the current one; None when it does not."""
    found = _STATUS_OVER.match(status)
    return (normalise(found[1]) if found[1] else "") if found else None


def says_everything(text: str) -> bool:
    """ "All phases complete", "Milestone v2.0 shipped", "Ready to plan next milestone"; not when another has begun."""
    cut = text[:MOST_CHARS]
    return _EVERYTHING.search(cut) is not None and _GOING_ON.search(_NEXT_MILESTONE.sub(" ", cut)) is None


def says_all_plans(text: str) -> bool:
    return _ALL_PLANS.search(text[:MOST_CHARS]) is not None


def listed_phases(lines: Sequence[Line]) -> tuple[set[PhaseId], tuple[tuple[PhaseId, PhaseId], ...]]:
    """Phases, and ranges of them, that its tables and its lists of what was done call complete."""
    complete = {id for id, row in progress_rows(lines).items() if row.complete}
    ranges = []
    above = headings_above(lines)
    for line in lines:
        found = _LISTED.match(line.text[:MOST_CHARS])
        recorded = found and any(_RECORD.search(text) for text in above[line.number][-1:])
        if not found or not recorded or not _TICK.search(line.text[:MOST_CHARS]):
            continue
        if found[2]:
            ranges.append((normalise(found[1]), normalise(found[2])))
        else:
            complete.add(normalise(found[1]))
    return complete, tuple(ranges)
