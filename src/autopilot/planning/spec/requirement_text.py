"""What a spec says about the requirements of a phase, and whether that is enough to build from."""

from __future__ import annotations

import re
from collections.abc import Mapping

from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import PhaseBrief
from autopilot.planning.roadmap.phase_id import normalise
from autopilot.planning.spec.spec import parse_requirements
from autopilot.text.lazy_regex import lazy_regex
from autopilot.text.lines import heading, scan_lines

# A list item, a heading or a table row that opens with the name of a requirement. Bounded: a spec is anybody's text.
_OPENS = lazy_regex(
    r"^\s{0,8}(?:[-*+]\s{1,4}(?:\[[ xX]\]\s{1,4})?|#{1,6}\s{1,4}|\|\s{0,4})[*`_]{0,3}"
    r"([A-Za-z][A-Za-z0-9.]{0,20}(?:-[A-Za-z0-9.]{1,20}){0,4}-[0-9]{1,6}(?:\.[0-9]{1,4}){0,3}[A-Za-z]?|"
    r"[A-Z]{1,5}[0-9]{1,4}(?:\.[0-9]{1,4}){0,3}(?=[*`_]{0,3}\s{0,4}[:|–—]))"  # R1, FR2.3: only as a label
    r"[*`_]{0,3}(?![\w-]|\.[0-9])[\s:|–—-]{0,8}(.*)$"
)
_PHASE = lazy_regex(r"\|\s*Phase\s+([0-9]{1,6}[A-Za-z]?(?:\.[0-9]{1,6})*)\s*(?=\||$)", re.IGNORECASE)
_WORD = lazy_regex(r"[^\W_]{2,}")
FEWEST_WORDS = 5
LONGEST = 2_000
# Words that leave open what they seem to say; a number, a name out of the code or an example settles it again.
_OPEN = lazy_regex(
    r"\b(?:etc|and so on|as needed|as appropriate|appropriate(?:ly)?|properly|various|user[- ]friendly|intuitive|"
    r"robust|good|nice|better|fast|modern|improve[ds]?|enhance[ds]?|somehow|maybe|some kind)\b",
    re.IGNORECASE,
)
_SETTLED = lazy_regex(r"\d|`[^`\n]{1,200}`|\"[^\"\n]{2,200}\"|\be\.g\.|\bsuch as\b")


def mapped_requirements(brief: PhaseBrief, spec: str) -> Mapping[str, str]:
    """Each requirement of the phase with its text, "" for one the spec does not know.

    The roadmap names them; where it names none, rows of the spec that name this phase do.
    """
    texts = requirement_texts(spec)
    if brief.requirements:
        by_name = {name.upper(): text for name, text in texts.items()}
        return {name: by_name.get(name.upper(), "") for name in brief.requirements}
    return {name: texts[name] for name in _rows_naming(brief.id, spec)}


def requirement_texts(spec: str) -> Mapping[str, str]:
    """By name. The usual form of a requirement goes before a row or a heading that only names it again."""
    found: dict[str, str] = {}
    for line in scan_lines(spec):
        opened = None if line.hidden else _OPENS.match(line.text[:LONGEST])
        if opened:
            found.setdefault(opened[1], opened[2].strip(" |*"))
    return {**found, **{requirement.id: requirement.text for requirement in parse_requirements(spec)}}


def requirement_lines(spec: str) -> tuple[tuple[str, int, int], ...]:
    """Each requirement with its first and last line: up to the next one, or to the heading that comes after."""
    found: list[tuple[str, int, int]] = []
    open_name, first, last = "", 0, 0
    for line in scan_lines(spec):
        opened = None if line.hidden else _OPENS.match(line.text[:LONGEST])
        if opened or heading(line):
            found += [(open_name, first, last)] if open_name else []
            open_name, first = (opened[1] if opened else ""), line.number
        last = line.number
    return (*found, (open_name, first, last)) if open_name else tuple(found)


def is_specific(text: str) -> bool:
    terms = _WORD.findall(text[:LONGEST])
    return len(terms) >= FEWEST_WORDS and (_OPEN.search(text) is None or _SETTLED.search(text) is not None)


def _rows_naming(phase: PhaseId, spec: str) -> list[str]:
    names = []
    for line in scan_lines(spec):
        opened = None if line.hidden else _OPENS.match(line.text[:LONGEST])
        if opened and any(normalise(number) == phase for number in _PHASE.findall(line.text[:LONGEST])):
            names.append(opened[1])
    return list(dict.fromkeys(names))
