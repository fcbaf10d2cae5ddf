"""A diff as its hunks: which lines came and went, where they stand now, and which of them matter most."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from autopilot.model.issue.hunk import DiffLine, Hunk, KeyLine, ShownHunk
from autopilot.planning.issue.acceptance import find_criteria
from autopilot.text.file_kind import is_test

_AT = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)")
_NAMED = re.compile(r'(?:---|\+\+\+) ("?)(?:[abciwo]/)?(.*?)("?)\t?$')
_NOWHERE = "/dev/null"
_OCTAL = re.compile(r'\\([0-7]{3}|["\\abfnrtv])')
_ESCAPED = {'"': '"', "\\": "\\", "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
# What others call or rely on, as the usual languages write it; a leading underscore says that nobody should.
_PUBLIC = re.compile(
    r"\s*(?:"
    r"(?:async\s+)?def\s+(?!_)\w+|class\s+(?!_)\w+|"
    r"export\s+(?:default\s+|async\s+|abstract\s+)*(?:function|class|const|let|var|interface|type|enum)\b|module\.exports\b|"
    r"func\s+(?:\([^)]*\)\s*)?[A-Z]\w*|type\s+[A-Z]\w*\s+(?:struct|interface)\b|"
    r"pub(?:\([^)]*\))?\s+(?:async\s+|unsafe\s+|const\s+)*(?:fn|struct|enum|trait|mod|type|const|static)\b|"
    r"public\s+(?:[\w<>\[\],.?]+\s+)+\w+\s*[({]|__all__\s*="
    r")"
)
_MARKS = re.compile(r"`([^`\n]{3,200})`|“([^”\n]{3,200})”|\"([^\"\n]{3,200})\"")
_TESTED = re.compile(r"(?<![A-Za-z0-9])(?:AT|at)[-_]\d{1,6}(?![0-9])")
_IDS = re.compile(r"\b(?:AC|AT|US)[-_ ]?[A-Za-z]{0,4}-?\d{1,6}\b")


def parse_hunks(patch: str) -> tuple[Hunk, ...]:
    """What a header counts is a line of the file, whatever it looks like. A diff that was cut off ends early."""
    lines = patch.split("\n")
    found, old, new, index = list[Hunk](), "", "", 0
    while index < len(lines):
        line = lines[index]
        index += 1
        if line.startswith("diff --git "):
            old = new = ""
        elif line.startswith("--- "):
            old = _path(line)
        elif line.startswith("+++ "):
            new = _path(line)
        elif counted := _AT.match(line):
            body = list(_body(lines, index, counted))
            index += len(body)
            found.append(Hunk(new if new != _NOWHERE else old, line, tuple(filter(None, body))))
    return tuple(found)


def key_lines(hunk: Hunk, quoted: Sequence[str] = ()) -> tuple[KeyLine, ...]:
    """Changed lines that define or test a criterion, change a public interface, or are quoted in a finding."""
    return tuple(KeyLine(line, why) for line in hunk.changed if (why := _why(line, hunk.path, quoted)))


def quotes_of(comment: str) -> tuple[str, ...]:
    """What a person's words quote, and the ids they name: enough to find the lines they speak of."""
    marked = (next(filter(None, found.groups())).strip() for found in _MARKS.finditer(comment))
    return tuple(dict.fromkeys([*(text for text in marked if len(text) > 2), *_IDS.findall(comment)]))


def show(hunk: Hunk, quoted: Sequence[str] = ()) -> ShownHunk:
    return ShownHunk(hunk, key_lines(hunk, quoted))


def _why(line: DiffLine, path: str, quoted: Sequence[str]) -> str:
    if any(_holds(line.text, quote) for quote in quoted):
        return "quoted in a finding"
    if path.endswith(".md"):
        ids = find_criteria(line.text)
        return f"defines {', '.join(ids)}" if ids else ""
    if is_test(path):
        named = _TESTED.search(line.text)
        return f"tests {named[0].upper().replace('_', '-')}" if named else ""
    return "changes a public interface" if _PUBLIC.match(line.text) else ""


def _holds(text: str, phrase: str) -> bool:
    """As a word of its own: AC-1 does not stand in AC-12."""
    return re.search(rf"(?<![\w-]){re.escape(phrase)}(?![\w])", text, re.IGNORECASE) is not None


def _body(lines: Sequence[str], start: int, counted: re.Match[str]) -> Iterator[DiffLine | None]:
    """None for a line that belongs to the diff and not to the file."""
    went, number, came = int(counted[2] or 1), int(counted[3]), int(counted[4] or 1)
    for place in range(start, len(lines)):
        sign, text = lines[place][:1] or " ", lines[place][1:]
        if sign == "\\":
            yield None
            continue
        if (went <= 0 and came <= 0) or sign not in " +-":
            return
        yield DiffLine(sign, text, number)
        went -= sign != "+"
        came -= sign != "-"
        number += sign != "-"


def _path(line: str) -> str:
    found = _NAMED.match(line)
    if found is None:
        return ""
    if not found[1]:
        return found[2]
    # Git writes bytes that are no plain letters as octal numbers.
    return _OCTAL.sub(_letter, found[2]).encode("latin-1", "replace").decode("utf-8", "replace")


def _letter(found: re.Match[str]) -> str:
    return _ESCAPED.get(found[1]) or chr(int(found[1], 8))
