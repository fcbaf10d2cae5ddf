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


def read_literal(text: str, position: int = 0) -> tuple[Any, int] | None:
    """The value that begins at ``position`` as JSON has it, and where it ends. A tuple is a list; a set is no JSON."""
    try:
        return _value(text, position, 0)
    except ValueError:
        return None


def whole_literal(text: str) -> tuple[Any] | None:
    """In a tuple of its own: None is a value too."""
    found = read_literal(text, _skip(text, 0))
    return (found[0],) if found and _skip(text, found[1]) == len(text) else None


def read_call(text: str, position: int = 0) -> tuple[Call, int] | None:
    """A call whose arguments are literals, and where it ends."""
    named = _DOTTED.match(text, position)
    if not named:
        return None
    module, _, function = named[1].rpartition(".")
    try:
        arguments, keywords, end = _arguments(text, named.end())
    except ValueError:
        return None
    return Call(function, module, tuple(arguments), keywords), end


def _arguments(text: str, position: int) -> tuple[list[Any], dict[str, Any], int]:
    values: list[Any] = []
    keywords: dict[str, Any] = {}
    position = _skip(text, position)
    while text[position : position + 1] != ")":
        keyword = _NAME.match(text, position)
        equals = _skip(text, keyword.end()) if keyword else position
        if keyword and text[equals : equals + 1] == "=" and text[equals + 1 : equals + 2] != "=":
            keywords[keyword[0]], position = _value(text, _skip(text, equals + 1), 0)
        elif keywords:
            raise ValueError
        else:
            value, position = _value(text, position, 0)
            values.append(value)
        position = _next(text, position, ")")
    return values, keywords, position + 1


def _value(text: str, position: int, depth: int) -> tuple[Any, int]:
    if depth > DEEPEST:
        raise ValueError
    match text[position : position + 1]:
        case "[":
            return _list(text, position + 1, "]", depth)
        case "(":
            return _tuple(text, position + 1, depth)
        case "{":
            return _object(text, position + 1, depth)
        case '"' | "'":
            found = _STRING.match(text, position)
            # Of three quotes in a row the first two would read as an empty text.
            if found and text[found.end() : found.end() + 1] not in ('"', "'"):
                return _unescape(found[0][1:-1]), found.end()
        case _:
            if (word := _NAME.match(text, position)) and word[0] in _WORDS:
                return _WORDS[word[0]], word.end()
            if number := _NUMBER.match(text, position):
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


def _list(text: str, position: int, closing: str, depth: int) -> tuple[list[Any], int]:
    values = []
    position = _skip(text, position)
    while text[position : position + 1] != closing:
        value, position = _value(text, position, depth + 1)
        values.append(value)
        position = _next(text, position, closing)
    return values, position + 1


def _tuple(text: str, position: int, depth: int) -> tuple[Any, int]:
    values, end = _list(text, position, ")", depth)
    if len(values) == 1 and not text[position : end - 1].rstrip().endswith(","):
        return values[0], end  # brackets alone make no tuple
    return values, end


def _object(text: str, position: int, depth: int) -> tuple[dict[str, Any], int]:
    pairs: dict[str, Any] = {}
    position = _skip(text, position)
    while text[position : position + 1] != "}":
        key, position = _key(text, position, depth)
        position = _skip(text, position)
        if text[position : position + 1] != ":":
            raise ValueError
        pairs[key], position = _value(text, _skip(text, position + 1), depth + 1)
        position = _next(text, position, "}")
    return pairs, position + 1


def _key(text: str, position: int, depth: int) -> tuple[str, int]:
    """As JSON would spell it: ``{1: "a"}`` has the key "1". A bare word is how JavaScript writes one."""
    bare = _NAME.match(text, position)
    if bare and bare[0] not in _WORDS:
        return bare[0], bare.end()
    value, end = _value(text, position, depth + 1)
    if not isinstance(value, str | int) or isinstance(value, bool):
        raise ValueError
    return str(value), end


def _next(text: str, position: int, closing: str) -> int:
    """Past the comma before the next value, or at the end."""
    position = _skip(text, position)
    if text[position : position + 1] == ",":
        return _skip(text, position + 1)
    if text[position : position + 1] != closing:
        raise ValueError
    return position


def _skip(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    return found.end() if found else position


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
