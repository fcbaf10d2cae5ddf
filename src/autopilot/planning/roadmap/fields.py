"""The fields of a phase's section: ``**Goal**: …``, ``**Goal:** …``, ``- Goal: …``, ``*Goal: …*``, several on one line.

A bold label always opens a field. Without bold letters, and inside a line, only a known name does: prose is full of
words with a colon.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from autopilot.planning.roadmap.language import english_label
from autopilot.text.lines import Line, heading

GOAL = ("goal", "focus", "objective")
DEPENDS = ("depends on", "dependencies", "dependency", "depends", "requires", "prerequisites", "blocked by")
CRITERIA = {
    *("success criteria", "success criterion", "success", "acceptance criteria", "acceptance criterion"),
    *("exit criteria", "completion criteria", "definition of done", "done when"),
}
_PLAIN = {*GOAL, *DEPENDS, *CRITERIA, "requirements", "requirement", "plans", "status"} - {"success", "dependency"}
_KNOWN = {
    *(_PLAIN | CRITERIA),
    *("details", "tasks", "deliverables", "plan", "milestone", "research", "research flag", "research topics", "risk"),
    *("mitigation", "ui hint", "mode", "duration", "estimate", "effort", "priority", "completed", "gap closure"),
    *("notes", "note", "planned", "implementation", "verification", "wave", "waves", "type", "scope", "risks"),
    *("rationale", "key decisions", "delivers", "unlocks", "parallel", "complexity", "confidence", "features"),
}
_REQUIREMENTS = re.compile(
    r"(?:(?:mapped|covered|addressed) )?req(?:uirement)?s?(?: ids?)?"
    r"(?: (?:covered|addressed|mapped|satisfied|closed))?\Z"
)
_LABEL = re.compile(r"\*\*([^*\n]{1,60}?)\s*+([:：]?)\*\*\s{0,4}(\([^()\n]{0,200}\))?\s{0,4}([:：]?)")
_OPENING = re.compile(r"^\s*+(?:[-*+]\s+)?")
_UNBOLD = re.compile(r"[_*]?([A-Za-z][A-Za-z ]{2,40}+)(?:\s?\([^()\n]{0,200}\))?[_*]?\s?:[_*]?(?!\S*//)\s*(.*)\Z")
_LIST = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s|^\s*[|<]")
_COUNT = re.compile(r"\([^()\n]{0,200}\)|[*:：_]")


def label_name(text: str) -> str:
    """A label or heading in its one spelling: "Success Criteria (what must be TRUE):" is "success criteria"."""
    plain = " ".join(_COUNT.sub(" ", text).lower().split())
    return english_label(plain).removesuffix(" delivered").removesuffix(" met")


def is_criteria(text: str) -> bool:
    return label_name(text) in CRITERIA


def is_requirements(text: str) -> bool:
    return _REQUIREMENTS.match(label_name(text)) is not None


def fields_of(line: Line) -> Sequence[tuple[str, str]]:
    """Every field this line opens, with its words."""
    return () if line.hidden else _fields_in(line.text, line.indent)


@lru_cache(maxsize=4096)  # every reader of a section asks each of its lines, some of them for every line before it
def _fields_in(text: str, indent: int) -> Sequence[tuple[str, str]]:
    start = _OPENING.match(text)
    begins = start.end() if start else 0
    labels = [found for found in _LABEL.finditer(text, begins) if found[2] or found[4]]
    if not labels or labels[0].start() != begins:
        return _unbold(text[begins:], is_item=begins > indent)
    names = [label_name(found[1]) for found in labels]
    opening = [found for found, name in zip(labels, names, strict=True) if found is labels[0] or is_known(name)]
    ends = [*(found.start() for found in opening[1:]), len(text)]
    return tuple(
        (label_name(found[1]), text[found.end() : end].strip(" \t|·•;" if end < len(text) else " \t"))
        for found, end in zip(opening, ends, strict=True)
    )


def field_of(line: Line) -> tuple[str, str] | None:
    return next(iter(fields_of(line)), None)


def is_known(name: str) -> bool:
    return name in _KNOWN or _REQUIREMENTS.match(name) is not None


def read_fields(body: Sequence[Line]) -> dict[str, tuple[int, str]]:
    """Fields by lower-cased name: where they stand and their words, the lines they run on over included.

    A heading of that name is a field too: ``#### Goal`` with its text below.
    """
    fields: dict[str, tuple[int, str]] = {}
    for index, line in enumerate(body):
        for name, value in fields_at(body, index):
            fields.setdefault(name, (line.number, value))
    return fields


def fields_at(body: Sequence[Line], index: int) -> list[tuple[str, str]]:
    """The fields of one line with all their words."""
    line = body[index]
    found = fields_of(line)
    if found:
        name, value = found[-1]
        return [*found[:-1], (name, _joined([Line(line.number, value), *run_on(body, index + 1, line.indent)]))]
    title = heading(line)
    if not title or not is_known(name := label_name(title.text)):
        return []
    below = next((i for i in range(index + 1, len(body)) if body[i].text.strip()), len(body))
    return [(name, _joined(run_on(body, below, 0)))]


def first_field(fields: dict[str, tuple[int, str]], names: Sequence[str]) -> tuple[int, str]:
    return next((fields[name] for name in names if name in fields), (0, ""))


def _unbold(text: str, *, is_item: bool) -> Sequence[tuple[str, str]]:
    found = _UNBOLD.match(text)
    name = label_name(found[1]) if found else ""
    if not found or name not in _PLAIN or (is_item and name in {"status", "plans"}):
        return ()
    return ((name, found[2].rstrip("*_").strip()),)


def _joined(lines: Sequence[Line] | Iterator[Line]) -> str:
    """One text of several lines; a name that was broken at its dash is whole again."""
    text = ""
    for line in lines:
        part = line.text.strip()
        text += part if not text or re.search(r"[A-Za-z0-9]-\Z", text) else f" {part}"
    return text.strip()


def run_on(body: Sequence[Line], start: int, indent: int) -> Iterator[Line]:
    """The lines from ``start`` on over which the words of a field go on."""
    for position in range(start, len(body)):
        line = body[position]
        if line.hidden or not line.text.strip() or heading(line) or fields_of(line):
            return
        if _LIST.match(line.text) or line.indent < indent:
            return
        yield line
