"""Texts that are not read, or not as they are: binary, huge, minified, of another encoding."""

from __future__ import annotations

import codecs
import re

from autopilot.model.repomap.facts import Problem

MOST_BYTES = 1_000_000  # of a text that is parsed
_LONG_LINE = 5_000  # bytes; nobody wrote it
_HEAD = 8_000
_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", re.MULTILINE)
_CARRIAGE = re.compile(rb"\r(?!\n)")


def find_problem(text: bytes, language: str) -> Problem | None:
    """Why a text is not parsed at all."""
    if b"\0" in text[:_HEAD]:
        return Problem.BINARY
    if len(text) > MOST_BYTES:
        return Problem.TOO_LARGE
    # In other languages long lines are tables of data, which hold nothing up.
    return Problem.MINIFIED if language == "javascript" and is_minified(text) else None


def is_minified(text: bytes) -> bool:
    """Few lines for its size, and one that is very long: written by a program."""
    if len(text) < _LONG_LINE:
        return False
    lines = text.count(b"\n") + 1
    return len(text) > 500 * lines and max(map(len, text.split(b"\n"))) > _LONG_LINE


def as_utf8(text: bytes, language: str) -> tuple[bytes, bool]:
    """The text in UTF-8, one kind of line break, and whether it was none: characters that are none are replaced."""
    text = text.removeprefix(codecs.BOM_UTF8)
    if b"\r" in text:
        text = _CARRIAGE.sub(b"\n", text)
    try:
        text.isascii() or text.decode()
    except UnicodeDecodeError:
        if language == "python" and (declared := _declared(text)):
            return declared.encode(), False
        return text.decode("utf-8", "replace").encode(), True
    return text, False


def _declared(text: bytes) -> str:
    """By the comment in which a Python file names its encoding; "" without one that holds."""
    cookie = _COOKIE.search(b"\n".join(text.split(b"\n", 2)[:2]))
    if not cookie:
        return ""
    try:
        return text.decode(cookie[1].decode())
    except (LookupError, UnicodeDecodeError, ValueError):
        return ""
