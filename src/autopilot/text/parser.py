"""Who parses the texts of strangers with native code: this process, or another one that was put in its place.

A text that crashes a native parser ends the process that reads it. While a command runs, that is a process kept for it
(ADR 63). Tests of readers, and that process itself, parse at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from autopilot.text.grammar import Grammar
    from autopilot.text.script_tree import ScriptTree
    from autopilot.text.shell_tokens import ShellTree


class Parser(Protocol):
    """Each answers None for a text that it could not parse."""

    def parse_source(self, text: bytes, grammar: Grammar) -> ScriptTree | None: ...

    def parse_shell(self, text: bytes) -> ShellTree | None: ...


_elsewhere: list[Parser] = []


@contextmanager
def parse_elsewhere(parser: Parser) -> Iterator[None]:
    """Whichever thread asks meanwhile."""
    _elsewhere.append(parser)
    try:
        yield
    finally:
        _elsewhere.remove(parser)


def find_parser() -> Parser | None:
    return _elsewhere[-1] if _elsewhere else None
