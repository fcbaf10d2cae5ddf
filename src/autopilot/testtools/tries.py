"""Loops of tests that try until something fits, and the same tests with one try.

A loop that waits between its tries may rightly wait for something else to happen; one that does not asks again until
chance gives the answer. By rule, without a grammar: only loops whose number of tries is written out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from autopilot.text.file_kind import suffix_of
from autopilot.text.masking import mask

_WAITS = re.compile(
    r"\b(?:sleep|Sleep|usleep|wait\w*|setTimeout|await|poll\w*|retry_after|curl|nc|ping|select|Ticker|After|join)\b"
)
_LEAVES = re.compile(r"\bbreak\b|\breturn\b")
_SHELL = re.compile(r"\bfor\s+\w{1,60}\s+in\s+(?P<tries>\$\(seq\s+(?:1\s+)?\d{1,6}\)|\{1\.\.\d{1,6}\})")
_PYTHON = re.compile(r"\bfor\s+\w{1,60}\s+in\s+range\((?P<tries>\d{1,9}|\d{1,3}(?:_\d{3}){1,3})\)")
_BRACES = re.compile(
    r"\bfor ?\(? ?(?:(?:let|var|int) )?(?P<name>\w{1,60}+) ?:?= ?0 ?; ?(?P=name) ?< ?(?P<tries>\d{1,9}+) ?;"
    r"|\bfor \w{1,60}+ in 0\.\.(?P<more>\d{1,9}+)\b"
)
_ENDS_SHELL = re.compile(r"^[ \t]{0,80}+done\b", re.MULTILINE)
_LOOPS = {".py": _PYTHON, ".bats": _SHELL, ".sh": _SHELL, ".bash": _SHELL}
_LOOPS |= dict.fromkeys((".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".go", ".rs"), _BRACES)
_MOST = 6_000  # letters of a loop


def with_one_try(path: str, text: str) -> str | None:
    """None where no loop of it tries."""
    loops = _LOOPS.get(suffix_of(path))
    found = list(_tries(loops, suffix_of(path), mask(path, text, strings=True))) if loops else []
    for start, end in reversed(found):
        text = text[:start] + "1" + text[end:]
    return text if found else None


def _tries(loops: re.Pattern[str], suffix: str, code: str) -> Iterator[tuple[int, int]]:
    for loop in loops.finditer(code):
        body = _body(suffix, code, loop)
        if _LEAVES.search(body) and not _WAITS.search(body):
            yield loop.span("more") if loop.groupdict().get("more") else loop.span("tries")


def _body(suffix: str, code: str, loop: re.Match[str]) -> str:
    rest = code[loop.end() : loop.end() + _MOST]
    if suffix == ".py":
        indent = len(code[code.rfind("\n", 0, loop.start()) + 1 : loop.start()].expandtabs())
        inner = re.compile(rf"^(?:[ \t]{{{indent + 1},}}[^\n]*|[ \t]*)$")
        lines = rest.split("\n")
        end = next((n for n, line in enumerate(lines[1:], 1) if not inner.match(line)), len(lines))
        return "\n".join(lines[:end])
    if _LOOPS[suffix] is _SHELL:
        done = _ENDS_SHELL.search(rest)
        return rest[: done.start()] if done else rest
    return _in_braces(rest)


def _in_braces(rest: str) -> str:
    depth = 0
    for place, sign in enumerate(rest):
        depth += (sign == "{") - (sign == "}")
        if sign == "}" and depth <= 0:
            return rest[:place]
    return rest
