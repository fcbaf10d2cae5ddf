"""What is read from the text alone is what the nodes of the parser say."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from autopilot.repomap.definitions import read_definitions
from autopilot.repomap.grammars.python import GRAMMAR
from autopilot.repomap.parsing import parse

DEFINITIONS = (
    "def a(): ...",
    "def a(b, *, c=1, **d): ...",
    "async def a(b: int, c: x.Y = None) -> x.Z: ...",
    "def a(\n    b,\n    c,\n): ...",
    "def a(b=lambda x, y: 1): ...",
    "def a(b, /, c='x, y', *d): ...",
    "def a(b: list[int, str]) -> dict[str, int]: ...",
    "def a(b,  # why, indeed\n      c): ...",
    "def größe(a): ...",
    "class A: ...",
    "class A(): ...",
    "class A(B, c.D): ...",
    "class A(B[int, str], metaclass=M): ...",
)


@pytest.mark.parametrize("text", DEFINITIONS)
def test_a_plain_definition_comes_to_the_same_as_its_nodes(text: str) -> None:
    """covers: REPOMAP"""
    content = text.encode()
    parsed = parse(content, "python", lambda _: False)
    assert parsed is not None
    tree, captures = parsed
    by_nodes = read_definitions(captures, content, replace(GRAMMAR, plain={}))
    read = read_definitions(captures, content, GRAMMAR)
    assert (read.functions, read.classes, read.scopes) == (by_nodes.functions, by_nodes.classes, by_nodes.scopes)
    assert not tree.root_node.has_error and len(read.functions) + len(read.classes) == 1
