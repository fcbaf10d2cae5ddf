"""A shell text cut into words and operators, each with its place, so that a part can be replaced and the rest kept.

Stricter than ``planning.shell``, which wants to understand whatever a plan writes: here a construct that is not known
for sure is a doubt, and a command in doubt is left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

_OPERATOR = re.compile(r"&&|\|\||;;|\|&|[;|&()\n]")
_REDIRECT = re.compile(r"(?:\d+)?(?:<<<|<<-?|>>|<&|>&|<>|>\||<(?!\()|>(?!\())|&>>?")
_SPACE = re.compile(r"(?:[ \t]|\\\n)+")
_COMMENT = re.compile(r"#[^\n]*")
_PLAIN = re.compile(r"[^\s'\"\\$`*?\[\]{}~|&;()<>#!]+")
_NAME = re.compile(r"\$(?:\w+|[@*#?$!-])")
_ENDS_WORD = frozenset(" \t\n;|&()<>")
MAX_DEPTH = 20


class Doubt(Exception):
    """Something in the text whose meaning is not known for sure. Caught where a command is asked for reports."""


class Word(Struct, frozen=True):
    text: str  # as the command sees it; an expansion stands there as it is written
    start: int
    end: int
    is_literal: bool  # nothing in it is expanded: ``text`` is all it is


class Operator(Struct, frozen=True):
    text: str
    start: int


class Redirect(Struct, frozen=True):
    """The sign and its target."""

    start: int
    end: int


Token = Word | Operator | Redirect


def tokens(text: str) -> Iterator[Token]:
    """Raises ``Doubt`` where a quote or a bracket stays open, or a here-document has no end."""
    place, documents = 0, list[tuple[str, bool]]()
    while place < len(text):
        if found := _SPACE.match(text, place) or _COMMENT.match(text, place):
            place = found.end()
        elif found := _REDIRECT.match(text, place):
            target = _word(text, _past_space(text, found.end()))
            if found[0].lstrip("0123456789") in {"<<", "<<-"}:
                documents.append((target.text, found[0].endswith("-")))
            yield Redirect(place, target.end)
            place = target.end
        elif found := _OPERATOR.match(text, place):
            yield Operator(found[0], place)
            place = found.end()
            if found[0] == "\n":
                for name, indented in documents:
                    place = _document_end(text, place, name, indented)
                documents.clear()
        else:
            word = _word(text, place)
            yield word
            place = word.end
    if documents:
        raise Doubt("a here-document without its end")


def _word(text: str, start: int) -> Word:
    place, parts, literal = start, list[str](), True
    while place < len(text):
        char = text[place]
        if text.startswith(("<(", ">("), place):
            end = _bracket_end(text, place + 1, "()")
            parts.append(text[place:end])
            literal = False
        elif char in _ENDS_WORD:
            break
        elif found := _PLAIN.match(text, place):
            end = found.end()
            parts.append(found[0])
        elif char == "\\":
            end = min(place + 2, len(text))
            parts.append("" if text[place + 1 : end] == "\n" else text[place + 1 : end])
        elif char == "'":
            end = _find(text, "'", place + 1) + 1
            parts.append(text[place + 1 : end - 1])
        elif char == '"':
            end, inner, plain = _double_quoted(text, place)
            parts.append(inner)
            literal = literal and plain
        else:
            end = _expansion_end(text, place)
            parts.append(text[place:end])
            # `#` and `!` stand for themselves inside a word, and brackets that stand alone are the shell's own words.
            literal = literal and char in "#!"
        place = end
    if place == start:
        raise Doubt("a word is missing")
    return Word("".join(parts), start, place, literal)


def _double_quoted(text: str, start: int, depth: int = 0) -> tuple[int, str, bool]:
    """Where it ends, what is inside, and whether nothing of it is expanded."""
    place, parts, plain = start + 1, list[str](), True
    while place < len(text) and text[place] != '"':
        end = place + 1
        if text[place] == "\\" and text[end : end + 1] and text[end] in '$`"\\\n':
            end += 1
            parts.append(text[place + 1 : end].replace("\n", ""))
        elif text[place] in "$`":
            end = _expansion_end(text, place, depth)
            plain = plain and end == place + 1
            parts.append(text[place:end])
        else:
            parts.append(text[place])
        place = end
    if place >= len(text):
        raise Doubt("a quote stays open")
    return place + 1, "".join(parts), plain


def _expansion_end(text: str, start: int, depth: int = 0) -> int:
    if text[start] == "`":
        return _find(text, "`", start + 1) + 1
    if text.startswith("$'", start):
        found = re.compile(r"\$'(?:\\.|[^'\\])*'", re.DOTALL).match(text, start)
        if found is None:
            raise Doubt("a quote stays open")
        return found.end()
    if text.startswith("$(", start):
        return _bracket_end(text, start + 1, "()", depth)
    if text.startswith("${", start):
        return _bracket_end(text, start + 1, "{}", depth)
    found = _NAME.match(text, start)
    return found.end() if found else start + 1


def _bracket_end(text: str, start: int, pair: str, depth: int = 0) -> int:
    """Past the bracket that closes the one at ``start``; quotes and brackets inside are stepped over."""
    if depth > MAX_DEPTH:
        raise Doubt("brackets within brackets")
    place, level = start, 0
    while place < len(text):
        char = text[place]
        if char == "\\":
            place += 2
            continue
        if char == "'":
            place = _find(text, "'", place + 1)
        elif char == '"':
            place = _double_quoted(text, place, depth + 1)[0] - 1
        elif char == "$" and text[place + 1 : place + 2] in {"(", "{"}:
            place = _expansion_end(text, place, depth + 1) - 1
        elif char in pair:
            level += 1 if char == pair[0] else -1
            if level == 0:
                return place + 1
        place += 1
    raise Doubt("a bracket stays open")


def _document_end(text: str, start: int, name: str, indented: bool) -> int:
    place = start
    while place < len(text):
        end = text.find("\n", place)
        end = len(text) if end < 0 else end
        line = text[place:end]
        place = end + 1
        if (line.lstrip("\t") if indented else line) == name:
            return min(place, len(text))
    raise Doubt("a here-document without its end")


def _past_space(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    return found.end() if found else place


def _find(text: str, char: str, start: int) -> int:
    place = text.find(char, start)
    if place < 0:
        raise Doubt("a quote stays open")
    return place
