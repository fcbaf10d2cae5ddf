"""Text with its escapes read: what HTML, URLs, JSON, Python and shells write instead of a character.

Every character stays at its place: what was read is filled up to the length of the escape, so that a place in the text
that was read is the same place in the text that was given.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from urllib.parse import unquote_to_bytes

FILLER = "\0"
_HEX = "[0-9a-fA-F]"
_BYTE = rf"(?:x{_HEX}{{2}}|[0-3][0-7]{{2}})"
_UNIT = rf"(?:u{_HEX}{{4}}|u\{{{_HEX}{{1,6}}\}}|U{_HEX}{{8}})"
# Several in a row are read as one: they may be the parts of one character. Each pattern begins with a plain character,
# which is looked for as quickly as a word, and every run in it is bounded.
_ENTITY = re.compile(rf"&(?:\#[0-9]{{1,7}}|\#[xX]{_HEX}{{1,6}}|[A-Za-z][A-Za-z0-9]{{1,31}});")
_PERCENT = re.compile(rf"%{_HEX}{{2}}(?:%{_HEX}{{2}}){{0,63}}+")
_BYTES = re.compile(rf"\\\\{{0,7}}+{_BYTE}(?:\\{{1,8}}+{_BYTE}){{0,63}}+")
_UNITS = re.compile(rf"\\\\{{0,7}}+{_UNIT}(?:\\{{1,8}}+{_UNIT}){{0,63}}+")
_CODE = re.compile(rf"(?:x|u\{{?|U)({_HEX}{{1,8}})|([0-3][0-7]{{2}})")


def read_escapes(text: str) -> str:
    """Always as long as before."""
    if "&" in text:
        text = _ENTITY.sub(_padded(html.unescape), text)
    if "%" in text:
        text = _PERCENT.sub(_padded(_read_percent), text)
    if "'$'" in text:  # how a shell goes from one kind of quotes to the other
        text = text.replace("'$'", FILLER * 3)
    return _read_backslashes(text) if "\\" in text else text


def _read_backslashes(text: str) -> str:
    if "\\x" in text or any(f"\\{digit}" in text for digit in "0123"):
        text = _BYTES.sub(_padded(_read_bytes), text)
    if "\\u" in text or "\\U" in text:
        text = _UNITS.sub(_padded(_read_units), text)
    for escape, character in (("\\n", "\n"), ("\\r", "\n"), ("\\t", "\t")):
        text = text.replace(escape, character + FILLER)
    return text


def _padded(read: Callable[[str], str]) -> Callable[[re.Match[str]], str]:
    def replace(match: re.Match[str]) -> str:
        found = read(match[0])
        return found.ljust(len(match[0]), FILLER) if len(found) <= len(match[0]) else match[0]

    return replace


def _read_percent(escapes: str) -> str:
    return _text_of(unquote_to_bytes(escapes))


def _read_bytes(escapes: str) -> str:
    return _text_of(bytes(_codes(escapes)))


def _read_units(escapes: str) -> str:
    """A character beyond the first plane is escaped in two halves, which are joined here."""
    characters = "".join(chr(code) for code in _codes(escapes) if code <= 0x10FFFF)
    return characters.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _codes(escapes: str) -> list[int]:
    return [int(hexed, 16) if hexed else int(octal, 8) for hexed, octal in _CODE.findall(escapes)]


def _text_of(content: bytes) -> str:
    """Python writes a character of Latin-1 as one byte, everybody else its UTF-8."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content.decode("latin-1")
