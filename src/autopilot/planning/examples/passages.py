"""Passages of a Markdown text in which an example may stand: fences of code, and lines of prose that state a fact."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from autopilot.text.fences import Block, blocks
from autopilot.text.lines import Line, heading, scan_lines


def _set(names: str) -> frozenset[str]:
    return frozenset(names.split())


# A statement about the past, a mistake or a later version is no promise.
_DENIED = re.compile(
    r"\b(?:currently|today|at present|right now|used to|no longer|previous(?:ly)?|formerly|bugs?|buggy|broken|"
    r"wrong(?:ly)?|incorrect(?:ly)?|instead|mistaken(?:ly)?|actual(?:ly)?|avoid|anti-?patterns?|bad|deprecated|hypothetical|"
    r"pseudo-?code|old|legacy|before|pitfalls?|rejected|alternatives?|out of scope|non-?goals?|future|later|deferred|"
    r"v[2-9]|history|changelog|mock(?:ed|s)?|stub(?:bed|s)?)\b|❌|✗|✘",
    re.IGNORECASE,
)
# And what holds only under a condition cannot be asked without it.
_CONDITION = re.compile(
    r"\b(?:if|when|whenever|unless|until|after|once|assuming|given|suppose|while|except|only|mode|without|depending|"
    r"sometimes|may|might|could|approximately|about|roughly)\b",
    re.IGNORECASE,
)
_ITEM = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_CODE = re.compile(r"`[^`\n]{0,2000}`")
# Fences that show something else than calls of the product.
_OTHER = _set(
    "sh bash shell zsh console fish powershell diff patch json jsonc yaml yml toml ini sql html css scss xml http "
    "mermaid dockerfile makefile nginx graphql csv dot plantuml"
)
_SENTENCE_END = re.compile(r"[.;!?](?=\s|$)")
_TICKS = re.compile(r"(`+)")
_CONSOLES = _set("sh bash shell zsh console")
LONGEST_LINE = 2_000


class Passage(Struct, frozen=True):
    lines: tuple[tuple[int, str], ...]  # with their numbers
    is_code: bool = False


def passages(text: str, *, consoles: bool = False) -> Iterator[Passage]:
    """``consoles``: also what stands in fences that show a shell."""
    other = _OTHER - _CONSOLES if consoles else _OTHER
    lines = scan_lines(text)
    headings = _headings(lines)
    for block in blocks(text):
        if block.language not in other and (code := _fence(block, lines, headings)):
            yield code
    for paragraph in _paragraphs(lines):
        prose = " ".join(_CODE.sub(" ", line.text) for line in paragraph)
        if not _DENIED.search(headings[paragraph[0].number - 1]) and not _DENIED.search(prose):
            yield Passage(_numbered(paragraph))


def is_conditional(text: str) -> bool:
    return _CONDITION.search(text) is not None


def spans(line: str) -> list[str]:
    """Prose and spans of code in turn, prose first; one piece when no span is closed."""
    parts = _TICKS.split(line)
    pieces, position = [parts[0]], 1
    while position < len(parts):
        closing = next((index for index in range(position + 2, len(parts), 2) if parts[index] == parts[position]), None)
        if closing is None:
            pieces[-1] += "".join(parts[position:])
            break
        pieces += ["".join(parts[position + 1 : closing]), parts[closing + 1]]
        position = closing + 2
    return pieces


def clause_around(pieces: Sequence[str], index: int) -> str:
    """The prose around a span of code, up to where the sentence or its half ends."""
    prose = "\0".join(piece for position, piece in enumerate(pieces) if position % 2 == 0)
    starts = [found.start() for found in re.finditer("\0", prose)]
    position = starts[index // 2] if index // 2 < len(starts) else len(prose)
    begin = max((end.end() for end in _SENTENCE_END.finditer(prose, 0, position)), default=0)
    ends = _SENTENCE_END.search(prose, position)
    return prose[begin : ends.start() if ends else len(prose)]


def _fence(block: Block, lines: Sequence[Line], headings: Sequence[str]) -> Passage | None:
    """Its lines as they are in the text: prompts (``>>>``) look like quotes to a Markdown parser."""
    first, count = block.line - 1, block.text.count("\n") + 1
    inside = lines[first : first + count]
    if not inside or inside[0].archived:
        return None
    lead = next((line.text for line in reversed(lines[: max(0, first - 1)]) if line.text.strip()), "")
    if _DENIED.search(headings[first]) or _DENIED.search(_CODE.sub(" ", lead)):
        return None
    return Passage(_numbered(inside), is_code=True)


def _headings(lines: Sequence[Line]) -> list[str]:
    """For every line the headings it stands under, outermost first."""
    above: list[tuple[int, str]] = []
    result = []
    for line in lines:
        if found := heading(line):
            above = [*(entry for entry in above if entry[0] < found.level), (found.level, found.text)]
        result.append(" / ".join(title for _, title in above))
    return result


def _paragraphs(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Lines that belong together: up to a blank one, a list item, a heading; a table is one."""
    paragraph: list[Line] = []
    for line in lines:
        plain = line.text.strip()
        opens = _ITEM.match(line.text) or heading(line) or (plain[:1] == "|") != _is_table(paragraph)
        if paragraph and (not plain or line.hidden or line.archived or opens):
            yield paragraph
            paragraph = []
        if plain and not line.hidden and not line.archived and len(line.text) <= LONGEST_LINE:
            paragraph.append(line)
    if paragraph:
        yield paragraph


def _is_table(paragraph: Sequence[Line]) -> bool:
    return bool(paragraph) and paragraph[0].text.lstrip().startswith("|")


def _numbered(lines: Sequence[Line]) -> tuple[tuple[int, str], ...]:
    return tuple((line.number, _ITEM.sub("", line.text)) for line in lines if len(line.text) <= LONGEST_LINE)
