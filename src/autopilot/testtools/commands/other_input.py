"""The same command with another input: the last value that it hands to the product, replaced by another one."""

from __future__ import annotations

import re
from collections.abc import Callable

from autopilot.testtools.expectations.site import Draw

_TEXT = re.compile(r"'([^'\"\\\n`$]+)'|\"([^'\"\\\n`$]+)\"")
_CALL = re.compile(r"\w\(([^()'\"]*)\)")
_NUMBER = re.compile(r"(?<![\w.])\d{1,9}(?![\w.])")
_WORD = re.compile(r"(?<=\s)[A-Za-z0-9][\w:@,-]*(?=\s*\Z)")
_RECIPE = re.compile(r"\s*(?:make|gmake|just|npm|pnpm|yarn|bun|task|rake|cargo|go)\b(?!\s+run\b)")
_PATH = re.compile(r"[./~]|\A-")
_BEFORE_PROGRAM = re.compile(r"(?:^|\s)-[cemrp]\s?['\"]?\Z")


def vary_input(command: str, draw: Draw, is_path: Callable[[str], bool]) -> str | None:
    """None where the command hands over no value that is written out."""
    start, end = _asking_part(command)
    part = command[start:end]
    found = [
        (match.start(group), match.end(group))
        for match in _TEXT.finditer(part)
        for group in (1, 2)
        if match[group] and not _PATH.search(match[group]) and not is_path(match[group])
    ]
    numbers = [
        (call.start(1) + number.start(), call.start(1) + number.end())
        for call in _CALL.finditer(part)
        for number in _NUMBER.finditer(call[1])
    ]
    spans = sorted([*_innermost(found, part), *numbers])
    if not spans:
        word = _WORD.search(part)
        if word is None or is_path(word[0]) or len(part.split()) < 3 or _RECIPE.match(part):
            return None
        spans = [word.span()]
    first, last = spans[-1]
    value = part[first:last]
    other = str(int(value) + draw.number()) if value.isdigit() else value + draw.word()
    return command[:start] + part[:first] + other + part[last:] + command[end:]


def _asking_part(command: str) -> tuple[int, int]:
    """What is compared with an expected value comes from inside `$(…)`, or from before the first pipe."""
    start = command.find("$(") + 2
    if start > 1:
        return start, _closing(command, start)
    pipe = re.search(r"(?<!\|)\|(?!\|)", command)
    return 0, pipe.start() if pipe else len(command)


def _closing(command: str, start: int) -> int:
    """Where the bracket closes that opened before ``start``; the end where it never does."""
    depth = 1
    for position in range(start, len(command)):
        depth += {"(": 1, ")": -1}.get(command[position], 0)
        if not depth:
            return position
    return len(command)


def _innermost(found: list[tuple[int, int]], part: str) -> list[tuple[int, int]]:
    """A quoted program (`-c "…"`) is no value: values are what it writes inside its calls, or words of their own."""
    return [span for span in found if not _BEFORE_PROGRAM.search(part[max(0, span[0] - 5) : span[0]])]
