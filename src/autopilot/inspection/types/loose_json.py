"""JSON as documents write it: with comments, elisions and places to fill in, yet still JSON in its structure.

Understood besides JSON: ``//`` and ``/* */`` comments; ``...`` for what is left out; ``{name}`` and ``<name>`` for what
is to be filled in; alternatives (``true|false|"n/a"``); a capital word (``N``, ``SHA``), the name of a type, or a range
(``1-10``) where a value stands; members without their braces; several documents one after the other.
Not understood, and so a finding: missing commas, missing quotes, single quotes, trailing commas (but in ``jsonc``).
"""

from __future__ import annotations

import json
import re
from typing import Any

from msgspec import Struct

from autopilot.text.lazy_regex import lazy_regex

# Runs are bounded: where a closing mark is missing, every start would otherwise look as far as the end.
_TOKEN = lazy_regex(
    r"(?P<space>[ \t\r\n]++)|(?P<comment>//[^\n]*+|/\*(?:[^*]|\*(?!/)){0,500}+\*/)"
    r'|(?P<string>"(?:[^"\\\n]|\\.){0,4000}+")|(?P<elision>\.\.\.|…)'
    r"|(?P<slot>\{[A-Za-z_][\w .-]{0,60}\}|\{\{[^{}\n]{1,60}\}\}|\$\{[^{}\n]{1,60}\}|<[^<>\n\"]{1,80}>)"
    r"|(?P<mark>[{}\[\]:,|])|(?P<word>[^\s{}\[\]:,|\"<>…]{1,200})|(?P<other>.)",
    re.DOTALL,
)
_LITERAL = lazy_regex(r"true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_STANDS_FOR = lazy_regex(
    r"[A-Z][A-Z0-9_]*(?:/[A-Z][A-Z0-9_]*)*|string|number|integer|int|float|bool|boolean|object|array|any|timestamp|date|"
    r"datetime|uuid|sha|-?\d+(?:\.\d+)?(?:-|\.\.)\d+(?:\.\d+)?"
)
_MEMBER = lazy_regex(r'\s*"(?:[^"\\\n]|\\.){0,4000}+"\s*:')
_SPACE = lazy_regex(r"\s*+")
MAX_DOCUMENTS = 1000
MAX_CHARS = 100_000


class Loose(Struct, frozen=True):
    """What was understood; ``elided`` when the text itself says that something is left out."""

    values: tuple[Any, ...] = ()
    elided: bool = False
    error: str = ""
    line: int = 1  # of the error


def parse_loose(text: str, trailing_commas: bool = False) -> Loose:
    strict = _documents(text, False)
    if not strict.error or len(text) > MAX_CHARS:
        return strict
    plain = _Plain()
    for found in _TOKEN.finditer(text):
        plain.take(found.lastgroup or "other", found[0], trailing_commas)
    if not plain.marks:
        return Loose(elided=True)  # nothing but remarks
    rewritten = "".join(plain.out)
    if _MEMBER.match(rewritten):
        rewritten = f"{{{rewritten.rstrip().removesuffix(',')}}}"
    return _documents(rewritten, plain.elided)


def _documents(text: str, elided: bool) -> Loose:
    values: list[Any] = []
    decoder, position = json.JSONDecoder(), _after_space(text, 0)
    try:
        while not values or (position < len(text) and len(values) < MAX_DOCUMENTS):
            value, position = decoder.raw_decode(text, position)
            values.append(value)
            position = _after_space(text, position)
    except json.JSONDecodeError as error:
        return Loose(elided=elided, error=error.msg, line=error.lineno)
    except RecursionError:
        return Loose(elided=elided, error="nested too deeply")
    except ValueError:  # the interpreter's limit on digits
        return Loose(elided=elided, error="a number has too many digits")
    return Loose(tuple(values), elided)


def _after_space(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    return found.end() if found else position


class _Plain:
    """The same text with every loose token put into JSON, line for line."""

    def __init__(self) -> None:
        self.out: list[str] = []
        self.marks: list[int] = []  # where in ``out`` the tokens stand that are more than space
        self.elided = False

    def take(self, kind: str, token: str, trailing_commas: bool) -> None:
        if kind == "space":
            self.out.append(token)
        elif kind == "comment":
            self.elided |= "..." in token or "…" in token
            self.out.append("\n" * token.count("\n") or " ")
        elif kind == "elision":
            self.elided = True
            self._leave_out()
        elif kind == "slot" or (kind == "word" and _STANDS_FOR.fullmatch(token)):
            self._put_value('"_"')
        elif kind == "string" or (kind == "word" and _LITERAL.fullmatch(token)):
            self._put_value(token)
        else:
            self._put_mark(token, trailing_commas)

    def _leave_out(self) -> None:
        if self._last() == ":":
            self._put_value('"_"')
        elif self._last() == ",":
            self._drop()

    def _put_value(self, token: str) -> None:
        # `a|b` is one value: the alternatives after the first add nothing to the structure.
        if self._last() == "|":
            self._drop()
        else:
            self._put(token)

    def _put_mark(self, token: str, trailing_commas: bool) -> None:
        if trailing_commas and token in {"}", "]"} and self._last() == ",":
            self._drop()
        # `[..., 1]`: the comma after what is left out goes with it.
        if not (self.elided and token == "," and self._last() in {"{", "[", ""}):
            self._put(token)

    def _put(self, token: str) -> None:
        self.marks.append(len(self.out))
        self.out.append(token)

    def _last(self) -> str:
        return self.out[self.marks[-1]] if self.marks else ""

    def _drop(self) -> None:
        self.out[self.marks.pop()] = ""
