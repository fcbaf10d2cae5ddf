"""Literals and calls as people write them in a spec, in the spelling of Python, JavaScript or JSON. Nothing is run."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

_SPACE = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")
_NUMBER = re.compile(r"[+-]?(?:[0-9][0-9_]{0,40}\.?[0-9]{0,40}|\.[0-9]{1,40})(?:[eE][+-]?[0-9]{1,3})?(?![\w.])")
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_DOTTED = re.compile(r"([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*){0,8})\(")
_WORDS = {"None": None, "null": None, "True": True, "true": True, "False": False, "false": False}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "\\": "\\", "'": "'", '"': '"'}
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
DEEPEST = 20


class Call(Struct, frozen=True):
    function: str
    module: str
    arguments: tuple[Any, ...]
    keywords: Mapping[str, Any]


def read_literal(text: str, at: int = 0) -> tuple[Any, int] | None:
    """The value that begins at ``at`` as JSON has it, and where it ends. A tuple is a list; a set is no JSON."""
    try:
        return _value(text, at, 0)
    except ValueError:
        return None


def whole_literal(text: str) -> tuple[Any] | None:
    """In a tuple of its own: None is a value too."""
    found = read_literal(text, _skip(text, 0))
    return (found[0],) if found and _skip(text, found[1]) == len(text) else None


def read_call(text: str, at: int = 0) -> tuple[Call, int] | None:
    """A call whose arguments are literals, and where it ends."""
    named = _DOTTED.match(text, at)
    if not named:
        return None
    module, _, function = named[1].rpartition(".")
    try:
        arguments, keywords, end = _arguments(text, named.end())
    except ValueError:
        return None
    return Call(function, module, tuple(arguments), keywords), end


def _arguments(text: str, at: int) -> tuple[list[Any], dict[str, Any], int]:
    values: list[Any] = []
    keywords: dict[str, Any] = {}
    at = _skip(text, at)
    while text[at : at + 1] != ")":
        keyword = _NAME.match(text, at)
        equals = _skip(text, keyword.end()) if keyword else at
        if keyword and text[equals : equals + 1] == "=" and text[equals + 1 : equals + 2] != "=":
            keywords[keyword[0]], at = _value(text, _skip(text, equals + 1), 0)
        elif keywords:
            raise ValueError
        else:
            value, at = _value(text, at, 0)
            values.append(value)
        at = _next(text, at, ")")
    return values, keywords, at + 1


def _value(text: str, at: int, depth: int) -> tuple[Any, int]:
    if depth > DEEPEST:
        raise ValueError
    match text[at : at + 1]:
        case "[":
            return _list(text, at + 1, "]", depth)
        case "(":
            return _tuple(text, at + 1, depth)
        case "{":
            return _object(text, at + 1, depth)
        case '"' | "'":
            found = _STRING.match(text, at)
            # Of three quotes in a row the first two would read as an empty text.
            if found and text[found.end() : found.end() + 1] not in ('"', "'"):
                return _unescape(found[0][1:-1]), found.end()
        case _:
            if (word := _NAME.match(text, at)) and word[0] in _WORDS:
                return _WORDS[word[0]], word.end()
            if number := _NUMBER.match(text, at):
                return _number(number[0]), number.end()
    raise ValueError


def _number(text: str) -> int | float:
    """``007`` is a number to some and an error to others."""
    plain = text.replace("_", "")
    digits = plain.lstrip("+-")
    if digits.isdigit() and (digits[0] != "0" or len(digits) == 1):
        return int(plain)
    value = float(plain)
    if digits.isdigit() or math.isinf(value):
        raise ValueError
    return value


def _list(text: str, at: int, closing: str, depth: int) -> tuple[list[Any], int]:
    values = []
    at = _skip(text, at)
    while text[at : at + 1] != closing:
        value, at = _value(text, at, depth + 1)
        values.append(value)
        at = _next(text, at, closing)
    return values, at + 1


def _tuple(text: str, at: int, depth: int) -> tuple[Any, int]:
    values, end = _list(text, at, ")", depth)
    if len(values) == 1 and not text[at : end - 1].rstrip().endswith(","):
        return values[0], end  # brackets alone make no tuple
    return values, end


def _object(text: str, at: int, depth: int) -> tuple[dict[str, Any], int]:
    pairs: dict[str, Any] = {}
    at = _skip(text, at)
    while text[at : at + 1] != "}":
        key, at = _key(text, at, depth)
        at = _skip(text, at)
        if text[at : at + 1] != ":":
            raise ValueError
        pairs[key], at = _value(text, _skip(text, at + 1), depth + 1)
        at = _next(text, at, "}")
    return pairs, at + 1


def _key(text: str, at: int, depth: int) -> tuple[str, int]:
    """As JSON would spell it: ``{1: "a"}`` has the key "1". A bare word is how JavaScript writes one."""
    bare = _NAME.match(text, at)
    if bare and bare[0] not in _WORDS:
        return bare[0], bare.end()
    value, end = _value(text, at, depth + 1)
    if not isinstance(value, str | int) or isinstance(value, bool):
        raise ValueError
    return str(value), end


def _next(text: str, at: int, closing: str) -> int:
    """Past the comma before the next value, or at the end."""
    at = _skip(text, at)
    if text[at : at + 1] == ",":
        return _skip(text, at + 1)
    if text[at : at + 1] != closing:
        raise ValueError
    return at


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _unescape(text: str) -> str:
    """An escape that Python and JavaScript read differently makes no literal."""
    plain = _ESCAPE.sub(_escaped, text)
    try:
        # Two halves of one character, as JSON writes it; half a character alone is no text.
        return plain.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError as error:
        raise ValueError from error


def _escaped(found: re.Match[str]) -> str:
    if code := found[1] or found[2]:
        return chr(int(code, 16))
    if found[3] not in _ESCAPES:
        raise ValueError
    return _ESCAPES[found[3]]
