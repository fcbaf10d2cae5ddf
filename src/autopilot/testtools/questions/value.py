"""A value that a command hands to the product: where it stands, and what may stand there instead."""

from __future__ import annotations

import re

from msgspec import Struct

# Nothing that a quote, a shell or another language would read as a sign of its own.
_PLAIN = re.compile(r"[^'\"\\\n`$]+")
_BARE = re.compile(r"[\w.:@,+%-]+")
_NUMBER = re.compile(r"-?[0-9]{1,12}(?:\.[0-9]{1,9})?")


class Value(Struct, frozen=True):
    text: str
    start: int  # in the command
    end: int
    is_quoted: bool = True
    is_direct: bool = True  # what comes of it is what is asked for; False: it only makes the thing that is asked
    call: int = 0  # which call, or which start of a program, it is handed to
    is_name: bool = False  # it may be the name of what is asked for, as the first word behind a program may be

    @property
    def is_number(self) -> bool:
        return not self.is_quoted and _NUMBER.fullmatch(self.text) is not None

    def can_be(self, text: str) -> bool:
        return (_PLAIN if self.is_quoted else _BARE).fullmatch(text) is not None

    def put(self, command: str, text: str) -> str:
        return command[: self.start] + text + command[self.end :]


class Found(Struct, frozen=True):
    """A value in a program that a command carries (`python3 -c …`), by its place in that program."""

    text: str
    start: int
    end: int
    is_quoted: bool = True
    is_direct: bool = True
    call: int = 0
