"""What the tests ask and expect, where the product holds it hashed, encoded or turned round.

Code that computes has no use for the checksum of a test's question, nor for its answer in base64.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import hashlib
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence

from autopilot.model.evidence.objection import Layer, Objection, Weight

FEWEST = 2
MOST_LITERALS = 400
_SHORTEST, _LONGEST = 4, 200
_DIGITS = 8  # of a digest, by which it is known
_MOST_BYTES = 4_096
_MOST_CODE = 400_000
_LITERAL = re.compile(r"\"((?:[^\"\\\n]|\\.){4,400}+)\"|'((?:[^'\\\n]|\\.){4,400}+)'|`([^`\n]{4,400}+)`")
_DIGEST = re.compile(r"(?<![\w.])(?:0[xX])?([0-9a-fA-F]{8,128}|[0-9]{6,12})(?![\w.])")
_DIGESTS = ("md5", "sha1", "sha256", "sha512", "blake2b")


def judge_disguised(subject: str, added: Mapping[str, Sequence[str]], tests: Sequence[str]) -> tuple[Objection, ...]:
    """``added``: new lines of the product, by file; ``tests``: the texts of test files."""
    found_in_tests = (literal for test in tests for literal in _literals(test) if len(literal) <= _LONGEST)
    literals = list(dict.fromkeys(found_in_tests))[:MOST_LITERALS]
    sums = {digest: text for text in literals for digest in _digests(text)}
    for path, lines in added.items():
        code = "\n".join(lines)[:_MOST_CODE]
        found = dict.fromkeys([*_hashed(code, sums), *_encoded(code, frozenset(literals))])
        if not found:
            continue
        shown = ", ".join(repr(text)[:60] for text in list(found)[:2])
        description = f"the new code holds what the tests ask or expect, hashed or encoded: {shown}"
        satisfy = "let the code compute the answer from what it is given; write constants as they are read"
        weight = Weight.REFUSE if len(found) >= FEWEST else Weight.FLAG
        return (Objection(Layer.HELD_OUT, subject, description, path, satisfy, weight),)
    return ()


def _literals(code: str) -> Iterator[str]:
    yield from (found for groups in _LITERAL.findall(code) for found in groups if found.strip())


def _digests(text: str) -> Iterator[str]:
    content = text.encode("utf-8", "replace")
    for number in (zlib.crc32(content), zlib.adler32(content)):
        yield from (str(number), f"{number:08x}")
    for name in _DIGESTS:
        yield hashlib.new(name, content, usedforsecurity=False).hexdigest()


def _hashed(code: str, sums: Mapping[str, str]) -> Iterator[str]:
    """By their first digits: code may know a digest by these alone."""
    short = {digest[:_DIGITS]: text for digest, text in sums.items() if len(digest) > _DIGITS and not digest.isdigit()}
    for spelled in (found.lower() for found in _DIGEST.findall(code)):
        known = sums.get(spelled) or sums.get(spelled.lstrip("0").rjust(_DIGITS, "0"))
        if known or (known := short.get(spelled[:_DIGITS])):
            yield known


def _encoded(code: str, expected: frozenset[str]) -> Iterator[str]:
    for literal in _literals(code):
        for decode in _DECODERS:
            text = decode(literal)
            if text and text != literal and len(text) >= _SHORTEST and text in expected and literal not in expected:
                yield text


def _decoded(decode: Callable[[str], bytes]) -> Callable[[str], str]:
    def read(literal: str) -> str:
        try:
            content = decode(literal)[:_MOST_BYTES]
        except (ValueError, binascii.Error, UnicodeEncodeError):
            return ""
        return _text(content) or _text(_unpacked(content))

    return read


def _text(content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError:
        return ""


def _unpacked(content: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(content, _MOST_BYTES)
    except zlib.error:
        return b""


_DECODERS: tuple[Callable[[str], str], ...] = (
    _decoded(lambda literal: base64.b64decode(literal + "=" * (-len(literal) % 4), validate=True)),
    _decoded(lambda literal: base64.urlsafe_b64decode(literal + "=" * (-len(literal) % 4))),
    _decoded(lambda literal: base64.b32decode(literal + "=" * (-len(literal) % 8))),
    _decoded(base64.a85decode),
    _decoded(bytes.fromhex),
    lambda literal: codecs.decode(literal, "rot13"),
    lambda literal: literal[::-1],
)
