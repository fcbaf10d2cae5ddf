"""Expectations of JavaScript and TypeScript tests that the product has a hand in: inside callbacks that it calls, and
where its own `equals` compares."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autopilot.testtools.expectations.doubt import Doubt
from autopilot.testtools.expectations.script import FUNCTIONS, ScriptReader
from autopilot.testtools.expectations.script_literals import script_scalars
from autopilot.testtools.expectations.site import Draw, Site
from autopilot.text.script_tree import ScriptTree, script_tree

# Nothing can catch this, and no assertion is needed for it.
_ENDS = b"process.reallyExit(97); "
# What calls these functions is no product: tests, hooks, timers, mocks, and assertions that expect an error.
_NOT_PRODUCT = re.compile(
    rb"(?:\w+\.)?(?:test|it|describe|suite|before|after|beforeEach|afterEach|mock|fn|skip|todo|only)(?:\.\w+)*"
    rb"|(?:assert|expect|t|vi|jest|mock|process|global|globalThis|console)\b[\s\S]{0,200}"
    rb"|set(?:Timeout|Interval|Immediate)|queueMicrotask|new Promise|Promise"
)
_ASSERTS = (b"assert", b"assert.ok")
_EQUALS = (b"equals", b"isEqual", b"eq", b"isEqualTo")


def script_doubts(text: bytes, draw: Draw) -> Iterator[Doubt]:
    tree = script_tree(text)
    if tree is None or tree.wrong:
        return
    reader = ScriptReader(tree, text, draw)
    for title, body in reader.tests():
        outer = any(reader.edits(body))
        for function in _callbacks(tree, reader, body):
            yield from _inside(tree, reader, title, function, is_all=not outer)
        yield from _compared(tree, text, draw, reader, title, body)


def _callbacks(tree: ScriptTree, reader: ScriptReader, body: int) -> Iterator[int]:
    """The bodies of functions that are written out as arguments."""
    index = body
    while index < tree.after[body]:
        part = tree.parts[index]
        if part.kind == "try_statement":
            index = tree.after[index]  # the test itself may take what is thrown
            continue
        if part.kind == "call_expression" and _NOT_PRODUCT.fullmatch(reader.called(index)[0]):
            index = tree.after[index]
            continue
        is_given = part.kind in FUNCTIONS and tree.parts[part.parent].kind == "arguments"
        block = tree.child(index, "body") if is_given else None
        if block is not None and tree.parts[block].kind == "statement_block":
            yield block
        index += 1


def _inside(tree: ScriptTree, reader: ScriptReader, title: str, block: int, *, is_all: bool) -> Iterator[Doubt]:
    statements = [tree.parts[child] for child in tree.children(block)]
    for edit in reader.edits(block):
        start = next(part.start for part in statements if part.start <= edit[0] < part.end)
        yield Doubt(Site(title, *edit), ((start, start, _ENDS),), is_all=is_all)


def _compared(
    tree: ScriptTree, text: bytes, draw: Draw, reader: ScriptReader, title: str, body: int
) -> Iterator[Doubt]:
    """`assert.ok(got.equals(new Money(400, "EUR")))`: each literal of the expected object."""
    for statement in tree.children(body):
        call = next(tree.children(statement), None)
        asserted, given = reader.called(call) if call is not None else (b"", [])
        inner, expected = reader.called(given[0]) if asserted in _ASSERTS and given else (b"", [])
        got, _, method = inner.rpartition(b".")
        if method not in _EQUALS or len(expected) != 1 or tree.parts[expected[0]].kind != "new_expression":
            continue
        if got.startswith(b"new ") and b")." not in got:
            continue  # both sides are written out: the test is about equality itself
        assert call is not None
        whole = tree.parts[call]
        content = b"assert.deepStrictEqual(%b, %b)" % (got, reader.source(expected[0]))
        for start, end, instead in script_scalars(tree, text, expected[0], draw):
            settling = ((whole.start, whole.end, content),)
            yield Doubt(Site(title, start, end, instead), settling, is_equality=True)
