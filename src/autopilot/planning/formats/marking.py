"""Span edits: put into a text, and the usual ones made."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import pairwise

from autopilot.model.planning.outline import SpanEdit
from autopilot.planning.formats.boxes import open_spans

_EMPTY_BOX = re.compile(r"^[^\S\n]{0,40}(?:[-*+]|[0-9]{1,6}[.)])[^\S\n]{1,9}\[( )\]", re.MULTILINE)


def apply_edits(texts: Mapping[str, str], edits: Iterable[SpanEdit]) -> dict[str, str]:
    """The texts that change, with every span in place; what is the same afterwards is left out."""
    by_path: dict[str, list[SpanEdit]] = {}
    for edit in edits:
        by_path.setdefault(edit.path, []).append(edit)
    changed = {path: "".join(_pieces(texts[path], of_path)) for path, of_path in by_path.items()}
    return {path: text for path, text in changed.items() if text != texts[path]}


def tick_box(path: str, text: str, start: int, mark: str = "x") -> SpanEdit | None:
    """Tick the empty box of the list item that begins at ``start``; None when there is none, or it is ticked."""
    found = _EMPTY_BOX.match(text, start)
    return SpanEdit(path, found.start(1), found.end(1), mark) if found else None


def tick_boxes(path: str, text: str, lines: Container[int]) -> tuple[SpanEdit, ...]:
    """Whatever the boxes on these lines are marked with; those that are ticked stay as they are."""
    return tuple(SpanEdit(path, start, end, "x") for start, end in open_spans(text, lines))


def line_starts(text: str) -> tuple[int, ...]:
    """Where each line begins: ``starts[number - 1]`` for the numbers of ``scan_lines``."""
    starts = [0]
    while (feed := text.find("\n", starts[-1])) >= 0:
        starts.append(feed + 1)
    return tuple(starts)


def _pieces(text: str, edits: list[SpanEdit]) -> Iterator[str]:
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    assert all(first.end <= second.start for first, second in pairwise(ordered)), "edits overlap"
    end = 0
    for edit in ordered:
        yield text[end : edit.start]
        yield edit.new
        end = edit.end
    yield text[end:]
