"""Examples in a spec: calls with their results or errors, as doctests, with arrows, in sentences or in tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from autopilot.model.evidence.example import Example
from autopilot.planning.examples.literals import Call, read_call, read_literal, whole_literal
from autopilot.planning.examples.passages import Passage, clause_around, is_conditional, passages, spans
from autopilot.planning.roadmap.table import split_cells
from autopilot.text.lazy_regex import lazy_regex

_PROMPT = lazy_regex(r"^\s*(?:> )?>>> ?(.*)$")
_MORE = lazy_regex(r"^\s*(?:> )?\.\.\. ?(.*)$")
_ARROW = r"(?:->|→|=>|⇒|⟶|↦|={2,3})"
_GIVES = lazy_regex(rf"\s*(?:(?:#|//)\s*)?(?:{_ARROW}|returns?\b)\s*")
_SAYS = lazy_regex(
    rf"\s*(?:{_ARROW}|(?:(?:should|must|shall|will)\s+)?"
    r"(?:returns?|gives?|equals?|evaluates to|produces?|becomes|is)\b)"
    r"\s*+(?:the (?:string|text|list|number|value)\s++)?:?\s*+",
    re.IGNORECASE,
)
_NAME = r"[A-Za-z_][\w.]*(?:Error|Exception|Exit|Interrupt|Iteration)"
_ANY = r"(?:error|exception)\b"
_VERB = r"(?:raises?|throws?|rejects\s+with|fails\s+with)\s+"
# "Is an error" alone may mean a value that says so.
_RAISES = lazy_regex(
    rf"\s*(?:(?:#|//)\s*)?(?:(?:should|must|shall|will)\s+)?(?:(?:{_ARROW}\s*)?{_VERB}(?:an?\s+|the\s+)?"
    rf"(?:({_NAME}|(?:\w{{1,40}}\.){{0,6}}[A-Z]\w*)(?![\w.]\w)|{_ANY})|(?:{_ARROW}|is)\s*(?:an?\s+)?({_NAME})(?![\w.]\w))"
)
_ERROR_CELL = lazy_regex(rf"(?:(?:{_VERB})?(?:an?\s+)?`?({_NAME})|{_VERB}(?:an?\s+)?{_ANY})\W*", re.IGNORECASE)
_TRACED = lazy_regex(r"([A-Za-z_][\w.]*)(?::|\Z)")
_BEGINS = lazy_regex(r"\s*(?:assert\s+|await\s+)?")
_CODE_ENDS = lazy_regex(r"\s*+;?\s*+(?:(?:#|//).*)?$")
_PROSE_ENDS = lazy_regex(r"\s*(?:$|[.;,:)|/]|[-–—(]|and\b|because\b)")
_LINE_ENDS = lazy_regex(r"\s*+[.;,]?\s*+$")
_RESULT = lazy_regex(r"\W*(?:results?|returns?|return value|output|expected(?: \w+)?|value|gives)\W*", re.IGNORECASE)
_BREAK = lazy_regex(r"(?<!\s)\s*\n\s*")
LONGEST_TEXT = 200
MOST = 400


def find_examples(text: str) -> tuple[Example, ...]:
    """In the order of the text, each once. What a spec says in two ways is no example of anything."""
    found: dict[str, Example] = {}
    torn: set[str] = set()
    for example in sorted(_all(text), key=lambda item: item.line)[:MOST]:
        key = repr((example.module, example.function, example.arguments, sorted(example.keywords.items())))
        first = found.setdefault(key, example)
        if (first.raises, repr(first.expected)) != (example.raises, repr(example.expected)):
            torn.add(key)
    return tuple(example for key, example in found.items() if key not in torn)


def _all(text: str) -> Iterator[Example]:
    for passage in passages(text):
        if any(_PROMPT.match(line) for _, line in passage.lines):
            yield from _doctests(passage)
        elif passage.is_code:
            for number, line in passage.lines:
                yield from _code(line, number)
        elif passage.lines[0][1].lstrip().startswith("|"):
            yield from _table(passage)
        else:
            before = ""
            for number, line in passage.lines:
                yield from _prose(line, number, before)
                before = line


def _doctests(passage: Passage) -> Iterator[Example]:
    lines = passage.lines
    index = 0
    while index < len(lines):
        number, line = lines[index]
        index += 1
        if not (prompt := _PROMPT.match(line)):
            continue
        source, shown = [prompt[1]], []
        while index < len(lines) and (more := _MORE.match(lines[index][1])):
            source.append(more[1])
            index += 1
        while index < len(lines) and lines[index][1].strip(" >") and not _PROMPT.match(lines[index][1]):
            shown.append(lines[index][1].strip().removeprefix("> "))
            index += 1
        called, result = "\n".join(source).strip(), whole_literal("\n".join(shown)) if shown else None
        call = read_call(called)
        if not call or call[1] != len(called):
            continue
        if result:
            yield _example(call[0], result[0], number, f"{called} -> {' '.join(shown)}")
        elif shown and shown[0].startswith("Traceback") and (error := _TRACED.match(shown[-1])):
            yield _failing(call[0], error[1], number, called)


def _code(line: str, number: int, ends: re.Pattern[str] = _CODE_ENDS) -> Iterator[Example]:
    """A whole line, or a whole span, of code."""
    begins = _BEGINS.match(line)
    start = begins.end() if begins else 0
    call = read_call(line, start)
    gives = _GIVES.match(line, call[1]) if call else None
    result = read_literal(line, gives.end()) if gives else None
    if call and gives and result and ends.match(line, result[1]) and not _is_signature(call[0], result[0]):
        yield _example(call[0], result[0], number, line[start : result[1]])
    elif call and (raised := _RAISES.match(line, call[1])) and ends.match(line, raised.end()):
        yield _failing(call[0], raised[1] or raised[2], number, line[start : call[1]])


def _prose(line: str, number: int, before: str = "") -> Iterator[Example]:
    """A condition spoils what a sentence says; ``before`` is the line it may have begun on."""
    pieces = spans(line)
    pieces[0] = f"{before} {pieces[0]}"
    if len(pieces) == 1:
        yield from () if is_conditional(clause_around(pieces, 0)) else _code(line, number, _LINE_ENDS)
        return
    for index in range(1, len(pieces), 2):
        if not is_conditional(clause_around(pieces, index)):
            examples = list(_code(pieces[index], number))
            yield from examples or _stated(pieces[index:], number)


def _stated(pieces: Sequence[str], number: int) -> Iterator[Example]:
    """```f(1)` returns `2``` or ```f(1)` → 2``: a call in code, words, and a literal in code or bare."""
    call = read_call(pieces[0].strip())
    if not call or call[1] != len(pieces[0].strip()) or not (call[0].arguments or call[0].keywords):
        return  # what is called with nothing answers by what is around it
    prose = "".join(pieces[1:4])
    if (raised := _RAISES.match(prose)) and _PROSE_ENDS.match(prose, raised.end()):
        yield _failing(call[0], raised[1] or raised[2], number, pieces[0].strip())
    says = _SAYS.match(pieces[1])
    if not says:
        return
    if says.end() == len(pieces[1]) and len(pieces) > 2:
        result, rest = whole_literal(pieces[2]), "".join(pieces[3:4])
    else:
        bare = read_literal(pieces[1], says.end())
        result, rest = ((bare[0],), pieces[1][bare[1] :]) if bare else (None, "")
    if result and _PROSE_ENDS.match(rest) and not _is_signature(call[0], result[0]):
        shown = (
            f"{pieces[0].strip()} -> {pieces[2] if says.end() == len(pieces[1]) else pieces[1][says.end() :].strip()}"
        )
        yield _example(call[0], result[0], number, shown)


def _table(passage: Passage) -> Iterator[Example]:
    """Rows with an arrow in one cell, or with the call in one column and its result in one of that name."""
    header = [cell.strip() for cell in split_cells(passage.lines[0][1])]
    column = next((index for index, cell in enumerate(header) if index > 1 and _RESULT.fullmatch(cell)), None)
    for number, line in passage.lines[1:]:
        cells = [cell.replace("\\|", "|").strip() for cell in split_cells(line)]
        for index, cell in enumerate(cells):
            yield from _prose(cell, number)
            if column is not None and index < column < len(cells):
                bare, shown = cell.strip("`"), cells[column].strip("`")
                call, result = read_call(bare), whole_literal(shown)
                if not call or call[1] != len(bare):
                    continue
                if result:
                    yield _example(call[0], result[0], number, f"{bare} -> {shown}")
                elif error := _ERROR_CELL.fullmatch(shown):
                    yield _failing(call[0], error[1], number, bare)


def _is_signature(call: Call, result: Any) -> bool:
    """``close() -> None`` and ``reset(kind=None) -> None`` tell a type, not an example."""
    return result is None and not call.arguments


def _example(call: Call, expected: Any, line: int, text: str) -> Example:
    shown = _BREAK.sub(" ", text).strip()[:LONGEST_TEXT]
    return Example(call.function, call.arguments, call.keywords, expected, line, shown, call.module)


def _failing(call: Call, error: str | None, line: int, called: str) -> Example:
    """``error``: how the spec calls its class, perhaps with the module in front; None for any."""
    name = (error or "").rpartition(".")[2]
    return replace(_example(call, None, line, f"{called} raises {name or 'an error'}"), raises=name)
