"""An example: a call that a spec writes out together with its result, and what the product answered to it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct, field


class Example(Struct, frozen=True):
    function: str
    arguments: tuple[Any, ...]  # JSON values, as is what is expected
    keywords: Mapping[str, Any]
    expected: Any
    line: int
    text: str  # as the spec writes it
    module: str = ""  # what stands before the function: "text" of ``text.slugify("A")``
    is_compared: bool = True  # its result is expected to be one value; False where something else is asked of it
    owner: str = ""  # of a method: the class of the object that is asked
    made: tuple[Any, ...] = ()  # what that object is made of
    raises: str | None = None  # the class of the error that is expected, "" for any; ``expected`` says nothing then

    @property
    def inputs(self) -> tuple[Any, ...]:
        return self.made + self.arguments

    @property
    def called(self) -> str:
        return f"{self.owner}.{self.function}" if self.owner else self.function


class StatedCommand(Struct, frozen=True):
    """A command line that a document writes out together with what it prints or how it ends."""

    command: str
    line: int
    text: str  # as the document tells it
    shows: tuple[str, ...] = ()  # what its output holds, in this order
    exit: int | None = None  # its status; FAILS: any but 0
    before: tuple[str, ...] = ()  # commands that stand above it, which may have made what it finds
    function: str = ""  # what its program is called
    is_console: bool = False  # it follows those above it in one example, and is never run without them


FAILS = -1


class Language(StrEnum):
    PYTHON = "python"
    NODE = "node"


class Place(Struct, frozen=True):
    """Where a function is defined, at the top level of its file."""

    path: str
    function: str
    language: Language


class Answered(StrEnum):
    VALUE = "value"
    RAISED = "raised"
    UNFINISHED = "unfinished"  # it says itself that it is not written yet
    ELSEWHERE = "elsewhere"  # something around it is missing: a package, a file, the network, a browser
    SILENT = "silent"  # the process was gone before it answered
    LATE = "late"
    OURS = "ours"  # our own sandbox failed


class Answer(Struct, frozen=True):
    how: Answered
    value: Any = None
    detail: str = field(default="", name="saw")  # where there is no value
    is_changing: bool = False  # the call changed what it was given
    kinds: tuple[str, ...] = ()  # of an error that the called function raised: its class and those behind it


class HeldOut(Struct, frozen=True):
    """One example that a phase has to answer for."""

    example: Example
    place: Place
    source: str  # the document it stands in
    subject: str = ""  # of the observation that asked it
    due: bool = True  # False for what another phase, not done yet, is to bring about
    in_test: bool = False  # whether a test writes it out, and not the spec
    touched: bool = False  # whether the phase changed the function itself, and not only its file
