"""How STATE.md says that a phase, or everything up to it, is over."""

from __future__ import annotations

import re
from collections.abc import Sequence

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.roadmap.phase_id import ID, normalise
from autopilot.planning.roadmap.standing.milestone import headings_above
from autopilot.planning.roadmap.standing.progress import progress_rows
from autopilot.text.lazy_regex import lazy_regex
from autopilot.text.lines import Line

MOST_CHARS = 400

_NAMES = lazy_regex(r"\((?!\s?(?:complete|completed|done)\s?\))[^()]{0,200}\)", re.IGNORECASE)
_DATE = r"(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\s[0-9]{1,2})"
_DONE = r"(?:complete|completed|done|shipped|finished)"
# Where one statement ends and the next begins: what holds for one says nothing about the others.
_BETWEEN = lazy_regex(r"[,;()\[\]–—]|\.(?=\s|\Z)|\s--?\s")
# A statement that is nothing but the word, with what it is said of and when; any other word qualifies it.
_OVER = lazy_regex(
    rf"\W{{0,9}}(?:(?:phase|all\s(?:[0-9]{{1,3}}\s)?(?:plans|tasks))\s)?(?:(?:is|are|now|fully|100\s?%)\s){{0,2}}{_DONE}"
    rf"(?:\s([0-9]{{1,4}})/\1(?:\s(?:plans|tasks))?)?(?:\s(?:on\s)?{_DATE})?(?:\sand\s(?:verified|shipped|merged))?\W{{0,9}}"
    r"|\W{0,9}(?:已?完成|完了|완료)\W{0,9}|(?!.{0,80}\b(?:plan|research|context))[^✅]{0,80}✅\W{0,4}",
    re.IGNORECASE,
)
_LEFT = lazy_regex(
    r"(?<!no )(?<!0 )\bgaps?\b"
    r"|\b(?:open|pending|remain|remains|remaining|partial|partially|except|unverified|in progress)\b",
    re.IGNORECASE,
)
_NOT = lazy_regex(
    r"\b(?:not|never|nearly|almost|partial|partially|before|until|once|when|after|if|to be|must|should|will)\b"
    r"|\b(?:except|unless)\b|n['’]t\b",
    re.IGNORECASE,
)
_STATUS_OVER = lazy_regex(
    rf"\W{{0,6}}(?:Phase\s{{1,3}}(?:({ID})\s{{1,3}})?)?(?:is\s)?(?:complete|completed|done|shipped|verified)\b"
    r"(?=\W{0,3}$|\s?[(,.;:–—✅*]|\s--?\s|\sand\b)",
    re.IGNORECASE,
)
_STEPS = r"phase|plan|requirement|research|roadmap|context|discussion|design"  # a version has these before it is over
_EVERYTHING = lazy_regex(
    r"\W{0,9}(?:the\s)?(?:all\s(?:\w{1,20}\s){0,2}(?:phases|milestones)\b.{0,20}\b(?:complete|completed|done|shipped|executed)"
    r"|(?:roadmap|project)\s(?:is\s)?(?:complete|completed|done)"
    r"|milestone\s(?:[\w.]{1,30}\s){0,3}(?:complete|completed|shipped|archived|done)"
    rf"|v[0-9][\w.]{{0,20}}\s(?:(?!{_STEPS})[\w&/-]{{1,30}}\s){{0,5}}(?:shipped|complete|completed|archived|released)"
    r"|(?:next(?:\s(?:step|action))?:\s)?(?:ready\s)?(?:(?:to|for|plan|planning|start|starting|begin|define|defining|awaiting)\s)"
    r"{0,2}(?:the\s)?(?:next|new)[ -]milestone(?:\s(?:planning|definition))?)"
    rf"(?:\W{{0,9}}\Z|\s(?:with|via|using|run|on|and\s[a-z]{{1,20}}ed)\b|\W{{0,4}}\s(?:on\s)?{_DATE})",
    re.IGNORECASE,
)
_ALL_PLANS = lazy_regex(
    r"\W{0,9}all\s(?:\w{1,20}\s){0,2}plans\b.{0,20}\b(?:complete|completed|done|executed)\b", re.IGNORECASE
)
_GOING_ON = lazy_regex(
    r"\b(?:ready to (?:plan|execute|discuss)|planning|executing|in progress|not started)\b", re.IGNORECASE
)
_NEXT_MILESTONE = lazy_regex(
    r"\b(?:ready to plan|planning|plan|start|define)\s(?:the\s)?(?:next|new) milestone", re.IGNORECASE
)
_LISTED = lazy_regex(
    rf"^\s{{0,8}}[-*+]\s{{1,4}}(?:\[[xX✅]\]\s)?[^\w\[(]{{0,12}}Phases?\s{{1,3}}({ID})(?:\s?[-–—]\s?({ID}))?"
    r"\*{0,2}\s?(?::|[–—-]|\(|✅|✓|$)",
    re.IGNORECASE,
)
_TICK = lazy_regex(r"[✅✓]|\[[xX]\]")
_RECORD = lazy_regex(r"\b(?:complete|completed|done|shipped|achievements?|phases|history|progress)\b", re.IGNORECASE)


def says_over(where: str) -> bool:
    """What follows the number of the current phase. In brackets stands its name, unless it is the one word."""
    text = _NAMES.sub(" ", where[:MOST_CHARS])
    return _LEFT.search(text) is None and any(map(_OVER.fullmatch, _BETWEEN.split(text)))


def status_is_over(status: str) -> PhaseId | str | None:
    """The phase a status calls complete, "" for the current one; None when it does not."""
    found = _STATUS_OVER.match(status)
    if found is None or (not found[1] and _LEFT.search(status[:MOST_CHARS])):
        return None
    return normalise(found[1]) if found[1] else ""


def says_everything(text: str) -> bool:
    """ "All phases complete", "Milestone v2.0 shipped", "Ready to plan next milestone"; not when another has begun."""
    cut = text[:MOST_CHARS]
    return _states(_EVERYTHING, cut) and _GOING_ON.search(_NEXT_MILESTONE.sub(" ", cut)) is None


def says_all_plans(text: str) -> bool:
    return _states(_ALL_PLANS, text[:MOST_CHARS])


def _states(form: re.Pattern[str], text: str) -> bool:
    """One of its statements begins so, and neither denies it nor says when it will be."""
    return any(form.match(part) and not _NOT.search(part) for part in _BETWEEN.split(text))


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
