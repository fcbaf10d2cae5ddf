"""Lines of an agent without secrets, those included that come in pieces: a key line by line, a text chunk by chunk."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

HELD_BYTES = 16_384  # of a text that comes in chunks, until it goes on in the log
LONGEST_CHUNK = 8_192
LONGEST_KEY = 2_000  # lines

_KEY_BEGINS = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_KEY_GOES_ON = re.compile(r"[\s\d|>:→.+-]{0,20}[A-Za-z0-9+/=]{0,200}\s{0,20}|[A-Z][A-Za-z-]{1,20}: .{0,200}")
# A terminal's colours as JSON writes them; what they colour may be a secret.
_ESCAPED_COLOUR = re.compile(r"\\{1,4}u00(?:1b\[|9b)[0-?]{0,32}[ -/]{0,4}[@-~]", re.IGNORECASE)
_TEXT = re.compile(rb'"(?:text|delta|data|thinking|partial_json)"\s{0,4}:\s{0,4}"((?:[^"\\]|\\.)*+)"')
_STREAMED = (b"chunk", b"delta")


class CleanLines:
    """A secret is known by its whole: what belongs together is put together before it is looked at.

    An agent that means to hide a secret can; this is for those that only show what they saw.
    """

    def __init__(self, clean: Callable[[str], str]) -> None:
        self._clean = clean
        self._key_lines = 0  # how many more lines may belong to the key that has begun
        self._frame = (b"", b"")  # around the text of the chunks that are held
        self._held = bytearray()

    def take(self, line: bytes) -> Iterator[bytes]:
        """What can be stored now that this line has come."""
        line = line.rstrip(b"\r\n")
        chunk = _find_chunk(line)
        if chunk is None:
            yield from self.rest()
            yield from self._cleaned(line)
            return
        begin, end = chunk
        frame = (line[:begin], line[end:])
        if frame != self._frame:
            yield from self.rest()
            self._frame = frame
        self._held += line[begin:end]
        if len(self._held) > HELD_BYTES:
            yield from self._let_go(self._held.rfind(b"\\n") + 2 or len(self._held))

    def rest(self) -> Iterator[bytes]:
        """What is still held."""
        if self._held:
            yield from self._let_go(len(self._held))

    def _let_go(self, size: int) -> Iterator[bytes]:
        """Up to a line end, where there is one: no secret but a key goes over it."""
        text = bytes(self._held[:size])
        del self._held[:size]
        yield from self._cleaned(text.join(self._frame))

    def _cleaned(self, line: bytes) -> Iterator[bytes]:
        text = line.decode("utf-8", "surrogateescape")
        if self._key_lines:
            after = self._after_key(text)
            if after is None:
                return
            text = after
        if _ends_in_key(text):
            self._key_lines = LONGEST_KEY
        if "u00" in text:
            text = _ESCAPED_COLOUR.sub("", text)
        yield self._clean(text).encode("utf-8", "surrogateescape") + b"\n"

    def _after_key(self, text: str) -> str | None:
        """What of a line does not belong to the key that began before it; None when nothing does."""
        _, end, after = text.partition("-----END ")
        if end:
            self._key_lines = 0
            return after.partition("-----")[2] or None
        self._key_lines = self._key_lines - 1 if _KEY_GOES_ON.fullmatch(text) else 0
        return None if self._key_lines else text


def clean_lines(content: bytes, clean: Callable[[str], str]) -> bytes:
    """The same for many lines at once."""
    lines = CleanLines(clean)
    whole = [part for line in content.splitlines() for part in lines.take(line)]
    return b"".join((*whole, *lines.rest()))


def _ends_in_key(text: str) -> bool:
    begin = text.rfind("-----BEGIN ")
    return begin >= 0 and bool(_KEY_BEGINS.match(text, begin)) and text.find("-----END ", begin) < 0


def _find_chunk(line: bytes) -> tuple[int, int] | None:
    """Where the text of a streamed chunk stands in its line; None for any other line."""
    if len(line) > LONGEST_CHUNK or not line.startswith(b"{") or not any(word in line for word in _STREAMED):
        return None
    texts = [found.span(1) for found in _TEXT.finditer(line)]
    if not texts:
        return None
    begin, end = texts[-1]
    return (begin, end) if any(word in line[:begin] or word in line[end:] for word in _STREAMED) else None
