"""The functions of Jest and Vitest files, called by us with an ``expect`` of our own.

covers: T8, T8.lies
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from autopilot.gates.evidence.outside import judge_outside
from autopilot.testtools.outside.outside import Outside, read_outside, spell_script_outside
from tests.contract.testrun.asking import copy_project, write

BY_NAME = """const { slug, rows } = require("../words.cjs");

let given;
beforeAll(() => (given = "A b"));
beforeEach(() => expect(given).toBeDefined());

describe("slug", () => {
  test("joins words", () => expect(slug(given)).toBe("a-b"));
  it("knows rows", async () => expect(rows("a b")).toEqual([{ word: "a" }, { word: "b", left: undefined }]));
  test.each([["A", "a"], ["B c", "b-c"]])("of each", (text, wanted) => expect(slug(text)).toEqual(wanted));
  it("is no other", () => expect(slug("A")).not.toMatch(/A/));
});
test("by a callback", (done) => setTimeout(() => { expect(slug("A")).toHaveLength(1); done(); }, 1));
test("that fails", () => {
  expect(() => slug()).toThrow(TypeError);
  return expect(Promise.reject(new Error("gone"))).rejects.toThrow("gone");
});
test("mocked", () => expect(jest.fn()).not.toHaveBeenCalled());
test("asked otherwise", () => expect(slug("A")).toMatchSnapshot());
test.skip("left out", () => expect(1).toBe(2));
"""
BY_IMPORT = """import { describe, expect, it, vi } from "vitest";
import words from "../words.cjs";

describe("slug", () => it("joins words", () => expect(words.slug("A b")).toStrictEqual("a-b")));
it("mocked", () => expect(vi.fn()()).toBe(undefined));
"""
FILES = ("test/words.test.js", "test/words.spec.mjs")
NAMES = {
    *FILES,
    *(f"test/words.test.js::slug > {name}" for name in ("joins words", "knows rows", "of each 0", "of each 1")),
    *("test/words.test.js::slug > is no other", "test/words.test.js::by a callback", "test/words.test.js::that fails"),
    "test/words.spec.mjs::slug > joins words",
}
RIGHT = 'text.toLowerCase().split(" ").join("-")'
LIES = {
    "worker": "process.env.JEST_WORKER_ID",
    "environment": 'process.env.NODE_ENV === "test"',
    "global": 'typeof jest !== "undefined"',
    "vitest": "process.env.VITEST",
    "tool on the stack": "/jest-circus/.test(new Error().stack)",
    "file on the stack": "/words\\.(?:test|spec)\\./.test(new Error().stack)",
}


def product(answer: str) -> str:
    return (
        f'exports.slug = (text) => {answer};\nexports.rows = (text) => text.split(" ").map((word) => ({{ word }}));\n'
    )


def call(folder: Path, answer: str, *, signs: bool) -> Outside:
    write(folder, {FILES[0]: BY_NAME, FILES[1]: BY_IMPORT, "words.cjs": product(answer)})
    env = {name: value for name, value in os.environ.items() if not name.startswith("NODE")}
    done = subprocess.run(
        ("bash", "-o", "pipefail", "-c", spell_script_outside(FILES, signs=signs)),
        cwd=copy_project(folder), env=env, capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    return read_outside(done.stdout)


def test_honest_code_passes_both_ways(tmp_path: Path) -> None:
    plain, tested = (call(tmp_path, RIGHT, signs=signs) for signs in (False, True))
    assert {test for test, why in tested.tests.items() if not why} == NAMES
    assert judge_outside("phase", plain.tests, tested.tests) == ()
    assert not [test for test in NAMES if plain.tests.get(test) != ""]


@pytest.mark.parametrize("sign", LIES)
def test_code_that_looks_for_the_tool_is_found(tmp_path: Path, sign: str) -> None:
    plain, tested = (call(tmp_path, f"{LIES[sign]} ? {RIGHT} : text", signs=signs) for signs in (False, True))
    (objection,) = judge_outside("phase", plain.tests, tested.tests)
    assert "these pass only where a test tool runs" in objection.description


def test_wrong_code_fails_both_ways(tmp_path: Path) -> None:
    plain, tested = (call(tmp_path, "text.toUpperCase()", signs=signs) for signs in (False, True))
    assert (
        plain.tests["test/words.test.js::slug > joins words"] and tested.tests["test/words.test.js::slug > of each 1"]
    )
    assert judge_outside("phase", plain.tests, tested.tests) == ()
