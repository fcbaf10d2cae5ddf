"""Words people use for how a phase stands: finished, refused, given up. They count where they are a mark, not prose."""

from __future__ import annotations

import re

from autopilot.text.lazy_regex import lazy_regex

_FINISHED = r"(?:complete|completed|done|shipped|passed|finished|delivered|verified|implemented|closed|released)\b"
_ELSEWHERE = r"(?:已?完成|完了|완료|заверш[её]н|terminée?\b|conclu[íi]d[oa]\b|abgeschlossen\b|erledigt\b)"
_COMPLETE = lazy_regex(rf"\W{{0,20}}(?:{_FINISHED}|{_ELSEWHERE})|\s*[✅✓✔]|\s*100\s?%", re.IGNORECASE)
# What somebody found after the work: it outweighs plans that were merely carried out.
_REFUSED = lazy_regex(
    r"\b(?:not\s+(?:\w+\s+){0,2}?(?:achieved|met|closed|complete|completed|done|passed|proven)"
    r"|incomplete|failed|blocked|gaps?[ _]found|awaiting|reopened|rejected)\b",
    re.IGNORECASE,
)
_GIVEN_UP = (
    r"(?:abandoned|superseded|deferred|cancell?ed|dropped|obsolete|postponed|paused|on[ -]hold|parked|shelved|descoped"
    r"|out of scope|won['’]?t do|archived|archiv[ée]e?|skipped|removed|replaced|merged into|backlog)(?!\w)"
)
_DROPPED_STATUS = lazy_regex(rf"\W{{0,20}}({_GIVEN_UP})", re.IGNORECASE)
# In a title or a sentence the word must stand in brackets, or behind a dash as all that is said there.
_DROPPED_MARK = lazy_regex(
    rf"(?:[(\[]\s?|[–—⏸🚫❌]\W{{0,4}}|\s--?\s\W{{0,4}}|\*\*)({_GIVEN_UP})"
    r"(?=\W{0,3}$|\W{0,3}[0-9]|\s?[)\]*:;,.–—]|\s(?:by|in|to|into|until|as|on|for|from|per|after)\b|\s--?\s)",
    re.IGNORECASE,
)
_DONE_MARK = lazy_regex(
    r"[✅✓✔]|[(\[]\s?(?:complete|completed|done|shipped)\b"
    r"|(?:[–—]|\s--?\s)\W{0,4}(?:complete|completed|done|shipped)\b(?=\W{0,3}$|\W{0,3}[0-9]|\s?[)*:;,.(–—])",
    re.IGNORECASE,
)
_STRUCK = lazy_regex(r"~~[^~\n]{0,20}Phase\s|Phase\s[\w.]{1,12}\W{0,4}~~[^~\n]{1,200}~~\W{0,3}$", re.IGNORECASE)
_HELD_MARK = lazy_regex(r"\(\s?waits for you(?:\s?:\s?([^()\n]{1,300}))?\)", re.IGNORECASE)
_OPEN = lazy_regex(
    r"\W{0,20}(?:not[ -]?(?:started|planned|begun)|in[ -]progress|planned|planning|pending|todo|to do|ready|executing"
    r"|ongoing|active|current|next|upcoming|started|partial|wip|open|tbd|researched|discussed)\b|\s*(?:🚧|⏳|🔄|📋|🔜)",
    re.IGNORECASE,
)


def says_complete(status: str) -> bool:
    """A status that begins by saying so: "Complete", "**DONE** (2026-01-01)", "✅ Shipped", "完成"."""
    return _COMPLETE.match(status) is not None


def says_refused(status: str) -> bool:
    """A judgement on the phase as a whole: "GOAL NOT ACHIEVED", "Awaiting operator", "gaps_found"."""
    return not says_complete(status) and _REFUSED.search(status[:200]) is not None


def given_up(status: str) -> str:
    """The word of a status that says the phase is not to be run, such as "deferred"; "" for every other status."""
    found = _DROPPED_STATUS.match(status) or _DROPPED_MARK.search(status[:400])
    return found[1].lower() if found else ""


def given_up_mark(text: str) -> str:
    """The same of a heading or a checklist line, where only a mark counts: "(Superseded)", "— DEFERRED to v2"."""
    found = _DROPPED_MARK.search(text[:400])
    if found:
        return found[1].lower()
    return "struck through" if _STRUCK.search(text[:400]) else ""


def held_mark(text: str) -> str:
    """What a person has to settle first, of a checklist line with "(waits for you: …)"; "" where nothing is."""
    found = _HELD_MARK.search(text[:800])
    return (found[1] or "the roadmap says so").strip() if found else ""


def marked_done(text: str) -> bool:
    """Whether a heading or checklist line carries a mark: ``✅``, ``(completed 2026-01-01)``, ``— COMPLETE``."""
    return _DONE_MARK.search(text) is not None


def is_status(cell: str) -> bool:
    """Whether a cell of a table is a status at all, and not a count or a date that stands in its column."""
    return bool(_OPEN.match(cell) or says_complete(cell) or says_refused(cell) or _DROPPED_STATUS.match(cell))
