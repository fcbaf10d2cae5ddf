"""Reports read back: the tables of a Markdown text, and the lists that stand below a heading or a label."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from autopilot.model.planning.criterion import identity
from autopilot.planning.roadmap.table import split_cells
from autopilot.text.lines import Line, heading, items, scan_lines

LONGEST = 400
MOST_READ = 2_000  # of one item or cell: what is longer says no more, and searching it would take long
# "**Concerns:**", "Concerns:" or "### Concerns", alone on their line.
_LABEL = re.compile(r"(?:[-*+] )?\**([A-Za-z][A-Za-z' ]{1,60}?) ?:?\** ?:?\Z")
_NOTHING = re.compile(r"(?:none|nothing|n/?a|-+)(?:\s+(?:found|noted|identified))?\W*\Z", re.IGNORECASE)
_MARKS = re.compile(r"\*\*|__|`")

Row = Mapping[str, str]  # by the folded words of its column's head


def tables(text: str) -> Iterator[tuple[Row, ...]]:
    """Every table's rows. A cell more or less than the head has does not make a row unreadable."""
    block: list[Line] = []
    for line in (*scan_lines(text), Line(0, "")):
        if not line.hidden and line.text.lstrip().startswith("|"):
            block.append(line)
            continue
        if len(block) > 2 and "-" in block[1].text and not block[1].text.strip("|:- \t"):
            head = [fold(cell) for cell in _cells(block[0].text)]
            yield tuple(dict(zip(head, _cells(row.text), strict=False)) for row in block[2:])
        block = []


def cell(row: Row, *names: str) -> str:
    """What stands in the first of these columns the row has; a name also stands for heads that begin with it."""
    for name in names:
        found = next((text for head, text in row.items() if head == name or head.startswith(f"{name} ")), "")
        if found:
            return found
    return ""


def listed_under(text: str, titles: Collection[str]) -> Iterator[str]:
    """The items of every list whose heading or label is one of these, down to the next heading or label."""
    wanted = {fold(title) for title in titles}
    taken: list[Line] | None = None
    for line in scan_lines(text):
        title = _title(line)
        if title is not None:
            yield from _item_texts(taken or ())
            taken = [] if title in wanted else None
        elif taken is not None:
            taken.append(line)
    yield from _item_texts(taken or ())


def sections(text: str) -> Iterator[tuple[str, str]]:
    """(heading, the text below it up to the next one)."""
    title, body = "", list[str]()
    for line in scan_lines(text):
        found = heading(line)
        if found is None:
            body.append(line.text)
            continue
        yield title, "\n".join(body)
        title, body = found.text, []
    yield title, "\n".join(body)


def plain(text: str) -> str:
    """One line of bounded length, without marks of emphasis."""
    line = " ".join(_MARKS.sub("", text).split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1].rstrip()}…"


def fold(text: str) -> str:
    """The identity of a text that was read back from Markdown, where marks of emphasis may have been added."""
    return identity(_MARKS.sub("", text))


def _title(line: Line) -> str | None:
    found = heading(line)
    if found is not None:
        return fold(found.text).rstrip(": ")
    if line.hidden or not line.text.rstrip(" *").endswith(":"):
        return None
    label = _LABEL.match(" ".join(line.text[:MOST_READ].split()))
    return fold(label[1]) if label else None


def _item_texts(lines: Sequence[Line]) -> Iterator[str]:
    texts = (" ".join(text[:MOST_READ].split()) for _, text in items(lines))
    return (text for text in texts if text and not _NOTHING.match(text))


def _cells(text: str) -> list[str]:
    row = text.strip().removeprefix("|").removesuffix("|")
    return [" ".join(part[:MOST_READ].replace("\\|", "|").split()) for part in split_cells(row)]
