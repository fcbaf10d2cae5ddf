"""Calls that test files write out, in JavaScript, and wherever they stand. covers: T8.H"""

from __future__ import annotations

import pytest

from autopilot.planning.examples.in_any_tests import find_calls, find_in_tests
from autopilot.planning.examples.neighbours import MOST_ASKED, neighbours
from autopilot.testtools.expectations.site import Draw

HEAD = """import assert from "node:assert/strict";
import test from "node:test";
import { slug, total as sum } from "../src/words.js";
import m from "./m.mjs";
"""


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ('test("x", () => { assert.equal(slug("A b"), "a-b"); });', [("slug", ("A b",), "a-b", "words")]),
        ('test("x", async () => { assert.deepEqual(await sum([1, 2]), 3); });', [("total", ([1, 2],), 3, "words")]),
        ('it("x", () => expect(m.f(3, {a: 1})).toBe(4));', [("f", (3, {"a": 1}), 4, "m")]),
        ('test("x", () => { const r = slug("A"); assert.equal(r, "a"); });', [("slug", ("A",), "a", "words")]),
        ('test("x", () => { prepare(); assert.equal(slug("A"), "a"); });', []),
        ('test("x", () => { assert.equal(slug(given), "a"); });', []),
        ('test("x", () => { assert.equal(other("A"), "a"); });', []),
        ('beforeEach(() => {}); test("x", () => { assert.equal(slug("A"), "a"); });', []),
        ('test("x", () => { assert.equal(typeof slug("A"), "string"); });', []),
    ],
)
def test_only_tests_that_are_nothing_but_calls_are_read(test: str, expected: list[object]) -> None:
    found = find_in_tests("test/a.test.js", HEAD + test)
    assert [(e.function, e.arguments, e.expected, e.module) for e in found] == expected


def test_calls_are_found_in_any_assertion_and_told_whether_a_value_is_expected() -> None:
    python = (
        "from words import slug\n\ndef test_a():\n    assert any(slug('A') == 'a' for _ in range(9)) or slug('B')\n"
    )
    script = HEAD + 'test("x", () => { assert.ok(slug("A") === "a" || slug("B")); });'
    for path, text in (("test_a.py", python), ("a.test.js", script)):
        assert [(e.arguments, e.is_compared) for e in find_calls(path, text)] == [(("A",), True), (("B",), False)]


def test_neighbours_are_other_calls_of_the_same_function() -> None:
    examples = find_calls(
        "test_a.py", "from words import f\n\nassert f('Ada 1', [1, 2]) == 1\nassert f('Bo', [3]) == 2\n"
    )
    asked = neighbours(examples, Draw("a seed"), ("Eve",))
    assert len(asked) == len({repr(e.arguments) for e in asked}) == MOST_ASKED
    assert not {repr(e.arguments) for e in asked} & {repr(e.arguments) for e in examples}
    assert {type(e.arguments[1]) for e in asked} == {list}
