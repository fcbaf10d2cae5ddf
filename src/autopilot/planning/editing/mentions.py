"""The numbers of phases in a text, rewritten where they stand: nothing but the digits changes.

A number counts where it is said to be one of a phase: after the word ("Phase 6", "Phases 6-8 and 10"), in a column or a
field that holds nothing else, in the name of a plan ("06-01", "06-01-PLAN.md"), in the name of a folder. "10-20 users",
"2026-06-01" and "v1.6" are none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.editing.renumbering import Padding, Renumbering, spell
from autopilot.planning.roadmap.phase_id import ID, normalise, sort_key

_NUMBER = rf"{ID}(?!\w|\.[0-9])"
_DASH = r"\s?(?:[-–—]|\bto\b|\bthrough\b)\s?"
_JOIN = r"\s{0,3}(?:,\s{0,3}(?:and|or)\b|,|\band\b|&|\+|/|\bor\b|;|→|->|⟶)\s{0,3}"
_ARROW = r"\s{0,3}(?:→|-{1,3}>|={1,3}>|⟶|➜)\s{0,3}"
_NO_COUNT = r"(?!\s?(?:plans?|tasks?|steps?|of|%|x)\b|\s?%)"
_TOKEN = re.compile(_NUMBER)
_WORD = r"Phase[ns]?"
_FILE = re.compile(
    rf"(?<![\w.-])(?P<phase>{ID})(?=-(?:[0-9]{{1,3}}[A-Za-z]?-)?(?:PLAN-[0-9]{{1,3}}|[A-Z][A-Z-]{{2,30}})\.md\b)"
)
_PLAN = re.compile(rf"(?<![\w./-])(?P<phase>{ID})(?=-(?P<plan>[0-9]{{2,3}}[A-Za-z]?)(?![\w-]|\.[0-9]))")
_PATH = re.compile(rf"(?<=phases/)(?P<code>[A-Z]{{1,6}}-)?(?P<phase>{ID})(?=[-/_ ]|\b)")


class Rewritten(Struct, frozen=True):
    text: str
    stale: tuple[PhaseId, ...] = ()  # removed phases that the text still names


class Mentions(Struct, frozen=True):
    """How a file speaks of phases, and what their numbers become."""

    renumbering: Renumbering
    word: str = _WORD
    padding: Padding = Padding()

    def in_prose(self, text: str) -> Rewritten:
        """After the word for "phase", in names of files and folders."""
        if not self.word:
            return self._files(text, ())
        found = _lists(self.word).finditer(text)
        return self._files(text, tuple(_Run(match.start(1), match.end(1)) for match in found))

    def number(self, token: str) -> str:
        """A number by itself."""
        return self._one(token)

    def padded_number(self, token: str) -> str:
        """A number in the name of a plan, which has two digits."""
        return self._one(token, padded=True)

    def is_removed(self, token: str) -> bool:
        return normalise(token) in self.renumbering.removed

    def in_list(self, text: str) -> Rewritten:
        """A text that begins with numbers alone: a cell ("6. Name", "6-8"), a field ("6, 7")."""
        lead = re.match(rf"[*~_`\s\[(]{{0,12}}(?:(?:{self.word or _WORD})\s{{1,3}})?", text, re.IGNORECASE)
        start = lead.end() if lead else 0
        run = _BARE.match(text, start)
        rest = self.in_prose(text[run.end() :] if run else text)
        if run is None:
            return rest
        head, stale = self._renumber(run[0])
        return Rewritten(text[:start] + head + rest.text, (*stale, *rest.stale))

    def in_chain(self, text: str) -> Rewritten:
        """Numbers joined by arrows: "1 → 2 → 2.1 → 3", "P1 --> P2"."""
        parts, position, stale = list[str](), 0, list[PhaseId]()
        for match in _CHAIN.finditer(text):
            before = self.in_prose(text[position : match.start()])
            inside, old = self._renumber(match[0])
            parts += [before.text, inside]
            stale += [*before.stale, *old]
            position = match.end()
        rest = self.in_prose(text[position:])
        return Rewritten("".join(parts) + rest.text, (*stale, *rest.stale))

    def in_plan_list(self, text: str) -> Rewritten:
        """Inside the section of a phase, where plans are named by their numbers: "- [ ] 06-01: …"."""
        found = self.in_prose(text)
        return Rewritten(_PLAN.sub(lambda match: self._plan(match), found.text), found.stale)

    def _files(self, text: str, runs: Sequence[_Run]) -> Rewritten:
        parts, position, stale = list[str](), 0, list[PhaseId]()
        for run in runs:
            inside, old = self._renumber(text[run.start : run.end])
            parts += [self._named(text[position : run.start]), inside]
            stale += old
            position = run.end
        return Rewritten("".join([*parts, self._named(text[position:])]), tuple(stale))

    def _named(self, text: str) -> str:
        text = _FILE.sub(lambda match: self._one(match["phase"], padded=True), text)
        return _PATH.sub(lambda match: f"{match['code'] or ''}{self._one(match['phase'], padded=True)}", text)

    def _plan(self, match: re.Match[str]) -> str:
        is_padded = match["phase"].startswith("0") or match["plan"].startswith("0")
        return self._one(match["phase"], padded=True) if is_padded else match["phase"]

    def _one(self, token: str, *, padded: bool = False) -> str:
        id = normalise(token)
        new = self.renumbering.of(id)
        return token if new == id else spell(new, token, padded=padded or self.padding.of(new))

    def _renumber(self, text: str) -> tuple[str, tuple[PhaseId, ...]]:
        """A run of numbers: each is rewritten; one that was removed goes with its comma, unless it is the only one."""
        items = _items(text)
        kept = [item for item in items if not self._is_gone(item, text)]
        if not kept:
            return text, tuple(dict.fromkeys(normalise(text[first.start : first.end]) for first, _ in items))
        out, position = list[str](), 0
        for index, (first, last) in enumerate(items):
            item_start, item_end = first.start, (last or first).end
            if (first, last) not in kept:
                follows = bool(out)
                out += [] if follows else [text[position:item_start]]
                position = item_end if follows else _start(items, index + 1, text)
                continue
            out += [text[position:item_start], self._item(text, first, last)]
            position = item_end
        return "".join([*out, text[position:]]), ()

    def _is_gone(self, item: _Item, text: str) -> bool:
        first, last = item
        ends = {normalise(text[run.start : run.end]) for run in (first, last) if run}
        return ends <= self.renumbering.removed

    def _item(self, text: str, first: _Run, last: _Run | None) -> str:
        if last is None:
            return self._one(text[first.start : first.end])
        if self.renumbering.permutes:  # "Phases 3-6" are whatever stands there
            return text[first.start : last.end]
        low, high = text[first.start : first.end], text[last.start : last.end]
        between = text[first.end : last.start]
        return f"{self._end(low, up=True)}{between}{self._end(high, up=False)}"

    def _end(self, token: str, *, up: bool) -> str:
        """An end of a range; where that phase was removed, the range ends at its neighbour."""
        id = normalise(token)
        if id not in self.renumbering.removed:
            return self._one(token)
        number, letter, decimals = sort_key(id)
        if up:
            return token  # its number is the next one's now
        if decimals:
            last = decimals[-1] - 1
            rest = "".join(f".{part}" for part in decimals[:-1])
            before = f"{number}{letter}{rest}" + (f".{last}" if last else "")
        else:
            before = f"{max(number - 1, 0)}"
        return spell(PhaseId(before), token, padded=self.padding.of(PhaseId(before)))


class _Run(Struct, frozen=True):
    start: int
    end: int


_Item = tuple[_Run, _Run | None]


def _items(text: str) -> list[_Item]:
    """Single numbers and ranges. "6-01" is no range: it counts down."""
    found = [_Run(*match.span()) for match in _TOKEN.finditer(text)]
    items: list[_Item] = []
    index = 0
    while index < len(found):
        first = found[index]
        after = found[index + 1] if index + 1 < len(found) else None
        if after and re.fullmatch(rf"{_DASH}(?:\w{{3,12}}\s)?", text[first.end : after.start], re.IGNORECASE):
            items.append((first, after if _counts_up(text, first, after) else None))
            index += 2
        else:
            items.append((first, None))
            index += 1
    return items


def _counts_up(text: str, first: _Run, last: _Run) -> bool:
    return sort_key(normalise(text[first.start : first.end])) <= sort_key(normalise(text[last.start : last.end]))


def _start(items: Sequence[_Item], index: int, text: str) -> int:
    return items[index][0].start if index < len(items) else len(text)


def _list_of(item: str) -> str:
    return rf"{item}(?:{_JOIN}{item}{_NO_COUNT})*"


def _item_of(word: str) -> str:
    number = rf"(?:(?:{word})\s{{1,3}})?{_NUMBER}"
    return rf"{number}(?:{_DASH}{number})?"


@lru_cache(maxsize=32)
def _lists(word: str) -> re.Pattern[str]:
    """Where the word is followed by numbers; in scripts without spaces nothing stands between them."""
    return re.compile(
        rf"(?<!\w)(?:{word})(?:\s{{1,3}}|(?<=[^\x00-\x7f])\s{{0,3}})({_list_of(_item_of(word))})", re.IGNORECASE
    )


_BARE = re.compile(rf"{_list_of(_item_of(_WORD))}(?=[.:)\]\s*~_`–—|-]|\Z)", re.IGNORECASE)
_CHAIN = re.compile(rf"(?<![\w.])P?{_NUMBER}(?:{_ARROW}P?{_NUMBER})+")
