"""What a sentence says of a command: what it prints, how it ends."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.evidence.example import FAILS
from autopilot.text.lazy_regex import lazy_regex

SPAN = "\x01"  # stands for a span of code, with its number
_TEXT = rf"(?:{SPAN}(?P<span>\d{{1,4}}){SPAN}|[\"\u201c](?P<quoted>[^\"\u201c\u201d\n]{{1,200}})[\"\u201d])"
# Of a text whose runs of spaces are one.
_MUST = r" ?(?:(?:should|must|shall|will|then|also|now) ){0,2}"
_PRINTS = lazy_regex(
    rf"{_MUST}(?:prints?|outputs?|shows?|writes?|displays?|says|reports?|echoes|answers) "
    rf"(?:(?:exactly|only|just|out) )?(?:the (?:line|text|words?|message|string|number|result|value) )?(?:: ?)?{_TEXT}"
)
_EXITS = lazy_regex(
    rf"{_MUST}(?:exits?|ends?|fails|terminates)(?: (?:with|by|in))?"
    rf"(?: (?:an? |the )?(?:exit )?(?:code|status))?(?: of)? "
    rf"(?:(?P<number>\d{{1,3}}|zero|non-?zero)\b|{SPAN}(?P<coded>\d{{1,4}}){SPAN})",
    re.IGNORECASE,
)
_FAILS = lazy_regex(rf"{_MUST}(?:fails|exits? with an? error)\b", re.IGNORECASE)
_STARTED = lazy_regex(
    r"(?: (?:called|run|started))?(?: (?:without|with no) (?:an? |any |the )?[\w-]{1,30}(?: [\w-]{1,30})?)?"
    r"(?= (?:should|must|shall|will|prints?|outputs?|shows?|exits?|ends?|fails|writes?|says|reports?)\b)",
    re.IGNORECASE,
)
_AND = lazy_regex(r" ?(?:,|,? ?(?:and|then|but))(?= )")
_STREAM = lazy_regex(r" (?:on|to) (?:std(?:err|out)|standard (?:error|output)|the (?:screen|terminal))")
_END = lazy_regex(r" ?(?:$|[.;:)|](?= |$)|[-–—(]|because\b|so that\b|(?:if|when) [^.;]{0,40}\bno\b)")
_SPACE = lazy_regex(r"\s+")
_LEFT_OUT = lazy_regex(r"\.\.\.|…|<[\w -]{1,40}>")
# In a console what another day, machine or run shows otherwise: days, times, how long it took, ids, homes, versions.
_VARIES = lazy_regex(
    r"\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?Z?)?\b|\b\d\d?:\d\d(?::\d\d)?\b|"
    r"(?:(?<=in )|(?<=took )|(?<=\())\d{1,9}(?:\.\d{1,9})? ?(?:[mµn]?s|sec(?:ond)?s?)\b|"
    r"\b(?=[a-f]{0,39}\d)(?=\d{0,39}[a-f])[0-9a-f-]{7,40}\b|"
    r"/(?:home|Users|tmp|root)/\S{1,200}|\bv?\d{1,4}\.\d{1,4}\.\d{1,4}\b|[ \t]{2,}"
)
LONGEST = 300


class Outcome(Struct, frozen=True):
    shows: tuple[str, ...] = ()
    exit: int | None = None


def read_outcome(rest: str, pieces: Sequence[str]) -> Outcome | None:
    """``rest``: what follows the command, with each span of code by its number in ``pieces``."""
    rest = _SPACE.sub(" ", rest)
    started = _STARTED.match(rest)
    position, found = started.end() if started else 0, Outcome()
    while True:
        if printed := _PRINTS.match(rest, position):
            text = printed["quoted"] or pieces[int(printed["span"])]
            found, position = replace(found, shows=(*found.shows, *read_parts(text))), printed.end()
            stream = _STREAM.match(rest, position)
            position = stream.end() if stream else position
        elif ended := _EXITS.match(rest, position):
            status = read_status(ended["number"] or pieces[int(ended["coded"])].strip())
            if status is None:
                return None
            found, position = replace(found, exit=status), ended.end()
        elif failed := _FAILS.match(rest, position):
            found, position = replace(found, exit=FAILS), failed.end()
        else:
            return None
        joined = _AND.match(rest, position)
        if joined is None or not _goes_on(rest, joined.end()):
            break
        position = joined.end()
    return found if found != Outcome() and (_END.match(rest, position) or _AND.match(rest, position)) else None


def _goes_on(rest: str, position: int) -> bool:
    return any(form.match(rest, position) for form in (_PRINTS, _EXITS, _FAILS))


def read_status(spelled: str) -> int | None:
    if spelled.isdigit():
        return int(spelled)
    return {"zero": 0, "nonzero": FAILS, "non-zero": FAILS}.get(spelled.lower())


def read_parts(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in _LEFT_OUT.split(text) if part.strip())


def read_shown(line: str, commands: Sequence[str]) -> tuple[str, ...]:
    """Of a line that a console shows. Where the ``commands`` have a day or an id themselves, it follows from these."""
    is_given = any(found[0].strip() for command in commands for found in _VARIES.finditer(command))
    return read_parts(line if is_given else _VARIES.sub(" … ", line))


def spell(command: str, found: Outcome) -> str:
    shown = [f"prints `{' … '.join(found.shows)}`"] if found.shows else []
    if found.exit is not None:
        shown.append("fails" if found.exit == FAILS else f"exits with {found.exit}")
    return f"`{command}` {' and '.join(shown)}"[:LONGEST]
