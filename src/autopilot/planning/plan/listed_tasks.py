"""Tasks of a plan without ``<task>`` blocks: headings, list items, check boxes, rows of a table.

The first of these forms that the plan has is read. Boxes below a heading about proof ("Verification", "Success
criteria") are no tasks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from autopilot.planning.plan.task_block import Block, headed_blocks, wave_of
from autopilot.planning.roadmap.table import Row, Table, cell, find_tables
from autopilot.text.lazy_regex import lazy_regex
from autopilot.text.lines import Heading, Line, heading

_BULLET = r"^\s*(?:[-*+]\s+|\d{1,3}[.)]\s+)?"
_NAMED = lazy_regex(
    rf"{_BULLET}(?:\[[ xX✅✓-]\]\s+)?\*{{0,2}}`?Task\s+([0-9][\w.-]{{0,20}}|[A-Z][0-9]{{0,4}})`?"
    r"\s*(?:[:.)–—]|\s-\s|\*\*)\s*(.*)$",
    re.IGNORECASE,
)
_BOX = lazy_regex(r"^\s{0,3}(?:[-*+]|\d{1,3}[.)])\s+\[[ xX✅✓-]\]\s+(.*)$")
_ITEM = lazy_regex(r"^\s{0,3}(?:[-*+]|\d{1,3}[.)])\s+(.*)$")
_STEP = lazy_regex(
    r"(?P<word>Step|Plan)\s+(?P<a>[0-9][\w.]{0,10})\b\s*[:.)–—-]*\s*(?P<x>.*)$|(?P<b>[0-9]{1,2})[.)]\s+(?P<y>.*)$|"
    r"(?P<c>[0-9]{1,3}\.[0-9]{1,3})(?!\w)[.):]?\s*[–—:-]?\s+(?P<z>.*)$|"
    r"(?P<d>[A-Z]{1,4}-?[0-9]{1,4})\s*[:.)–—]\s*(?P<w>.*)$",
    re.IGNORECASE,
)
_WAVE = lazy_regex(r"Wave\s+([0-9]{1,4})\s*[:.)–—-]+\s*(.+)$", re.IGNORECASE)
_PROOF = lazy_regex(
    r"verif|criteri|accept|success|definition of done|done when|checklist|test plan|risk|out of scope|non-goal|"
    r"requirement|context|reference|background|open question|must.haves?|uat|pre-?requisite|notes?\b|next steps",
    re.IGNORECASE,
)
_WORK = lazy_regex(
    r"\b(?:waves?|tasks?|steps?|implementation|work (?:items?|units?)|to-?dos?|action items?)\b", re.IGNORECASE
)
_TITLES = ("task", "title", "description", "action", "name")
_FILES = ("files", "file", "file(s)", "target files")

Reader = Callable[[Sequence[Line]], list[Block]]


def listed_blocks(lines: Sequence[Line]) -> tuple[str, tuple[Block, ...]]:
    """In which form the tasks are written, and the tasks; "" when there are none."""
    for form, read in _FORMS:
        if blocks := read(lines):
            return form, tuple(blocks)
    return "", ()


def _named_items(lines: Sequence[Line]) -> list[Block]:
    return _cut(lines, lambda line, _: (found[1], found[2]) if (found := _NAMED.match(line.text)) else None)


def _steps(lines: Sequence[Line]) -> list[Block]:
    """``### Step 2: …`` anywhere, ``### 2. …`` below a heading about work."""
    found: list[Block] = []
    above: list[Heading] = []
    wave = 0
    for index, line in enumerate(lines):
        if title := heading(line):
            wave = wave_of(title) or wave
            above = [other for other in above if other.level < title.level]
            step = _STEP.match(title.text.strip("* "))
            is_work = step and (step["word"] or any(_WORK.search(other.text) for other in above))
            if step and is_work and title.level > 1 and not any(_PROOF.search(other.text) for other in above):
                number = step["a"] or step["b"] or step["c"] or step["d"]
                name = step["x"] or step["y"] or step["z"] or step["w"]
                found.append(_section(lines, index, {"number": number, "name": name or title.text}, wave))
            above.append(title)
    return found


def _waves(lines: Sequence[Line]) -> list[Block]:
    """A wave with a name of its own, where nothing smaller is named as a task."""
    found = [(index, title) for index, line in enumerate(lines) if (title := heading(line))]
    named = [(index, wave) for index, title in found if (wave := _WAVE.match(title.text.strip("* ")))]
    return [_section(lines, index, {"number": wave[1], "name": wave[2]}, int(wave[1])) for index, wave in named]


def _section(lines: Sequence[Line], start: int, attributes: Mapping[str, str], wave: int) -> Block:
    """From a heading to the next one of its level."""
    title = heading(lines[start])
    level = title.level if title else 0
    end = start + 1
    while end < len(lines) and not ((found := heading(lines[end])) and found.level <= level):
        end += 1
    named = {**attributes, "name": attributes["name"].strip(" *")}
    return Block(lines[start].number, named, tuple(lines[start + 1 : end]), wave)


def _boxes(lines: Sequence[Line]) -> list[Block]:
    def begins(line: Line, under: str) -> tuple[str, str] | None:
        found = _BOX.match(line.text)
        return ("", found[1]) if found and not _PROOF.search(under) else None

    return _cut(lines, begins)


def _items(lines: Sequence[Line]) -> list[Block]:
    """Items right below a heading such as "Tasks" or "Implementation steps"."""

    def begins(line: Line, under: str) -> tuple[str, str] | None:
        found = _ITEM.match(line.text)
        return ("", found[1]) if found and _WORK.search(under) and not _PROOF.search(under) else None

    return _cut(lines, begins)


def _rows(lines: Sequence[Line]) -> list[Block]:
    return [_row(table, row) for table in find_tables(lines) if _is_task_table(table) for row in table.rows]


def _is_task_table(table: Table) -> bool:
    return "task id" in table.columns or ("task" in table.columns and table.column("#", "id", *_FILES) is not None)


def _row(table: Table, row: Row) -> Block:
    name = cell(table, row, "description", *_TITLES)
    body = [Line(row.line.number, name)]
    if files := cell(table, row, *_FILES):
        body.append(Line(row.line.number, f"**Files:** {files}"))
    return Block(row.line.number, {"number": "", "name": name.strip(" *`")}, tuple(body), 0)


def _cut(lines: Sequence[Line], begins: Callable[[Line, str], tuple[str, str] | None]) -> list[Block]:
    """Blocks from one line that begins a task to the next one, or to a heading, or to a line that is not below it."""
    blocks: list[Block] = []
    under, wave, start = "", 0, None
    attributes: dict[str, str] = {}
    body: list[Line] = []
    gap = False
    for line in lines:
        title = heading(line)
        opened = None if line.hidden or title else begins(line, under)
        left = bool(line.text.strip()) and gap and start is not None and line.indent <= start.indent
        if start is not None and (title or (opened and line.indent <= start.indent) or (left and not line.hidden)):
            blocks.append(Block(start.number, attributes, tuple(body), wave))
            start = None
        if title:
            under, wave = title.text, wave_of(title) or wave
        if opened and start is None:
            name = opened[1].split("**")[0] if opened[1].count("**") % 2 else opened[1]
            start, body = line, [Line(line.number, opened[1])]
            attributes = {"number": opened[0], "name": name.strip(" *`:–—")[:200]}
        elif start is not None:
            body.append(line)
        gap = not line.text.strip()
    return [*blocks, Block(start.number, attributes, tuple(body), wave)] if start is not None else blocks


_FORMS: tuple[tuple[str, Reader], ...] = (
    ("headings", lambda lines: list(headed_blocks(lines))),
    ("list items", _named_items),
    ("steps", _steps),
    ("check boxes", _boxes),
    ("rows of a table", _rows),
    ("waves", _waves),
    ("list items below a heading", _items),
)
