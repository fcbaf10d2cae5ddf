"""The boxes of one list: each at the margin is a phase, those below it are its tasks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterator, Mapping, Sequence

from autopilot.model.planning.complaint import Complaint, Severity
from autopilot.model.planning.standing import Stand
from autopilot.planning.formats.boxes import Box, find_boxes
from autopilot.planning.formats.found import Piece, Reading, Step
from autopilot.planning.formats.numbering import split_number
from autopilot.planning.roadmap.phase_id import slugify
from autopilot.text.lines import scan_lines

_ID = re.compile(r"[*_`]{0,3}(?P<id>[A-Z]{1,8}-?[0-9]{1,5})[*_`]{0,3}[:.)]?[*_`]{0,3}(?=[ \t])")
_GIVEN_UP = re.compile(
    r"\b(?:won['’ʼ]?t[ -]?(?:do|fix)|out[ -]of[ -]scope|rejected|not[ -]doing|deferred|icebox|someday|cancell?ed)\b",
    re.IGNORECASE,
)
_DECORATION = re.compile(r"\*\*|__|~~|`")
_KEY, _GOAL = 40, 1_500  # characters


def read_list(texts: Mapping[str, str], places: Sequence[str]) -> Reading:
    """Of the first place that is there."""
    here = [place for place in places if place in texts]
    if not here:
        return Reading(places[0])
    path, *others = here
    complaints = [Complaint(place, 0, f"{path} is read instead of it", Severity.INFO) for place in others]
    boxes = find_boxes(scan_lines(texts[path]))
    blank = _blank(boxes)
    pieces = tuple(_pieces(boxes, path, blank))
    complaints += [Complaint(path, boxes[index].line, "the box has no text: left out") for index in blank]
    if not pieces:
        complaints.append(Complaint(path, 0, "no box (`- [ ] text`) was found"))
    return Reading(path, pieces, tuple(complaints), spec=path if pieces else "")


def _blank(boxes: Sequence[Box]) -> tuple[int, ...]:
    """Boxes at the margin that do not say what is to be done: a place for later."""
    above = {box.parent for box in boxes}
    return tuple(
        index
        for index, box in enumerate(boxes)
        if box.parent is None
        and index not in above
        and not box.text
        and not any(line.text.strip() for line in box.body)
    )


def _pieces(boxes: Sequence[Box], path: str, blank: Container[int]) -> Iterator[Piece]:
    below: dict[int, list[Box]] = {}
    tops: dict[int, int] = {}
    for index, box in enumerate(boxes):
        tops[index] = index if box.parent is None else tops[box.parent]
        if tops[index] != index:
            below.setdefault(tops[index], []).append(box)
    roots = [index for index in range(len(boxes)) if tops[index] == index and index not in blank]
    for index, key in zip(roots, _keys([boxes[index] for index in roots]), strict=True):
        yield _piece(key, boxes[index], below.get(index, ()), path)


def _piece(key: str, box: Box, below: Sequence[Box], path: str) -> Piece:
    stand, because, against = _standing(box, below)
    more = [line.text for line in box.body if line.text.strip()]
    return Piece(
        key=key,
        name=_DECORATION.sub("", _split_id(box.text)[1]).strip() or key,
        goal="\n".join((box.text, *more))[:_GOAL],
        stand=stand,
        because=because,
        against=against,
        steps=tuple(_step(part, path) for part in below),
        path=path,
        line=box.line,
        specs=(path,),
    )


def _standing(box: Box, below: Sequence[Box]) -> tuple[Stand, str, tuple[str, ...]]:
    """A ticked box above an empty one is not done: that one was written down later, or forgotten."""
    still = sum(not part.is_done for part in below)
    if box.is_done and still:
        return Stand.OPEN, f"{still} of the {len(below)} boxes below it are empty", ("its own box is ticked",)
    if box.is_done:
        return Stand.DONE, f"ticked below `{box.section[:60]}`" if box.section else "ticked", ()
    if given_up := next((title for title in box.under if _GIVEN_UP.search(title)), ""):
        return Stand.DROPPED, f"it stands below `{given_up[:60]}`", ()
    if box.text.startswith("~~"):
        return Stand.DROPPED, "struck through", ()
    return Stand.OPEN, f"below `{box.section[:60]}`" if box.section else "", ()


def _step(part: Box, path: str) -> Step:
    number, name = split_number(part.text)
    more = [line.text for line in part.body if line.text.strip()]
    return Step(
        key=number,
        name=name,
        detail="\n".join((name, *more)),
        done=part.is_done,
        path=path,
        line=part.line,
        lines=(part.line,),
    )


def _keys(boxes: Sequence[Box]) -> list[str]:
    """Its own id, else its first words: both stay when work is added. What is said again gets a number."""
    used: set[str] = set()
    counts: dict[str, int] = {}
    keys: list[str] = []
    for box in boxes:
        id, message = _split_id(box.text)
        plain = _first_words(slugify(_without_accents(_DECORATION.sub("", message))))
        key = id if id and id not in used else plain
        while key in used:
            counts[plain] = counts.get(plain, 1) + 1
            key = f"{plain}-{counts[plain]}"
        used.add(key)
        keys.append(key)
    return keys


def _split_id(text: str) -> tuple[str, str]:
    """ "T12", "BUG-3", "#4", "2.1" at the head of a text."""
    if found := _ID.match(text):
        return found["id"], text[found.end() :].strip()
    return split_number(text)


def _without_accents(text: str) -> str:
    parts = unicodedata.normalize("NFKD", text[:300])
    return "".join(part for part in parts if not unicodedata.combining(part))


def _first_words(slug: str) -> str:
    if len(slug) <= _KEY:
        return slug
    return slug[: slug.rfind("-", 0, _KEY)] if "-" in slug[:_KEY] else slug[:_KEY]
