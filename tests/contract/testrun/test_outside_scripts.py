"""The functions of node:test files, called by us: what depends on a test tool shows, and what does not is left alone.

covers: T8, T8.lies
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from autopilot.gates.evidence.outside import judge_outside, judge_replaced
from autopilot.testtools.outside.outside import Outside, read_outside, spell_script_outside
from tests.contract.testrun.asking import copy_project, write

MODULE = """import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import test, { after, before, beforeEach, describe, it, mock } from "node:test";
import { following } from "../shop.mjs";

let given = 0;
beforeEach(() => (given += 1));

test("the next number", () => assert.equal(following(1), 2));

describe("numbers", () => {
  let three;
  before(async () => (three = 3));
  after(() => (three = 0));
  describe("of today", () => it("have a next one", async () => assert.equal(await following(three), 4)));
  it("are counted", () => assert.ok(given > 1));
});

test("by a callback", (t, done) => setTimeout(() => done(following(1) === 2 ? null : new Error("not 2")), 1));

test("in parts", async (t) => {
  let begun = 0;
  t.beforeEach(() => (begun += 1));
  t.after(() => (begun = 0));
  for (const number of [1, 2]) await t.test(`of ${number}`, () => assert.equal(following(begun), number + 1));
});

test("by its program", () => {
  const done = spawnSync(process.execPath, ["shop.mjs", "4"], { encoding: "utf8" });
  assert.equal(done.stdout, "5\\n");
});

test("left out", { skip: true }, () => assert.fail());
test.todo("to do", () => assert.fail());
test("mocked", (t) => assert.equal(t.mock.fn(() => 1)(), 1));
test("mocked too", () => assert.equal(mock.fn(() => 1)(), 1));
"""
COMMON = """const test = require("node:test");
const assert = require("node:assert");
const { once } = require("./helper.cjs");

test("it is done once", () => assert.equal(once(), 1));
test.describe("again", () => test.it("is done again", () => assert.equal(once(), 1)));
"""
TESTS = {
    "test/shop.test.mjs": MODULE,
    "test/common.test.cjs": COMMON,
    "test/helper.cjs": "exports.once = () => 1;\n",
    "test/other.test.js": 'it("belongs to another tool", () => assert(1 === 2));\n',
}
NAMES = {
    "test/common.test.cjs",
    "test/common.test.cjs::it is done once",
    "test/common.test.cjs::again > is done again",
    "test/shop.test.mjs",
    "test/shop.test.mjs::the next number",
    "test/shop.test.mjs::numbers > of today > have a next one",
    "test/shop.test.mjs::numbers > are counted",
    "test/shop.test.mjs::by a callback",
    "test/shop.test.mjs::in parts",
    "test/shop.test.mjs::in parts > of 1",
    "test/shop.test.mjs::in parts > of 2",
    "test/shop.test.mjs::by its program",
}
# Asks, as programs do, whether it is the one that was started.
PROGRAM = """import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const isMain = import.meta.url === pathToFileURL(process.argv[1]).href;
FUNCTION
if (isMain) console.log(following(Number(process.argv[2])));
"""


def following(sign: str) -> str:
    return PROGRAM.replace("FUNCTION", f"export function following(number) {{\n  return number + Number({sign});\n}}\n")


PARENT = "readFileSync(`/proc/${process.ppid}/cmdline`, 'utf8')"
LIES = {
    "variable": '"NODE_TEST_CONTEXT" in process.env',
    "file in the arguments": "process.argv[1].endsWith('/test/shop.test.mjs')",
    "arguments of Node": 'process.execArgv.includes("--test")',
    "file on the stack": "/shop\\.test\\.mjs/.test(new Error().stack)",
    "tool on the stack": "/node:internal.test_runner/.test(new Error().stack)",
    "file in the parent's arguments": f"isMain ? {PARENT}.includes('.test.') : 1",
    "tool in the parent's arguments": f"isMain ? {PARENT}.includes('--test') : 1",
    "process that goes on": "process.env.NODE_TEST_CONTEXT ? 1 : process.exit(0)",
}


def call(folder: Path, *, signs: bool) -> Outside:
    files = [path for path in TESTS if ".test." in path]
    env = {name: value for name, value in os.environ.items() if not name.startswith("NODE")}
    done = subprocess.run(
        ("bash", "-o", "pipefail", "-c", spell_script_outside(files, signs=signs)),
        cwd=copy_project(folder), env=env, capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    return read_outside(done.stdout)


def project(folder: Path, product: str) -> Path:
    write(folder, {**TESTS, "shop.mjs": product})
    return folder


def test_honest_code_passes_both_ways(tmp_path: Path) -> None:
    folder = project(tmp_path, following("true"))
    plain, tested = call(folder, signs=False), call(folder, signs=True)
    assert plain == tested == Outside(dict.fromkeys(NAMES, ""))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("sign", LIES)
def test_code_that_looks_for_a_test_tool_is_found(tmp_path: Path, sign: str) -> None:
    folder = project(tmp_path, following(LIES[sign]))
    plain, tested = call(folder, signs=False), call(folder, signs=True)
    (objection,) = judge_outside("phase", plain.tests, tested.tests)
    assert "these pass only where a test tool runs" in objection.description


def test_code_that_cannot_be_loaded_without_a_test_tool_is_found(tmp_path: Path) -> None:
    folder = project(tmp_path, "if (!process.env.NODE_TEST_CONTEXT) throw new Error('no');\n" + following("true"))
    plain, tested = call(folder, signs=False), call(folder, signs=True)
    assert plain.tests["test/shop.test.mjs"] == "Error: no"
    assert judge_outside("phase", plain.tests, tested.tests)


def test_a_test_that_needs_more_than_we_can_give_it_is_not_held_against_the_work(tmp_path: Path) -> None:
    """Red both ways: here a file that only a script before the tests would make."""
    folder = project(tmp_path, following("true"))
    write(folder, {"test/helper.cjs": "exports.once = () => require('node:fs').readFileSync('made-before');\n"})
    plain, tested = call(folder, signs=False), call(folder, signs=True)
    assert any(plain.tests.values())
    assert judge_outside("phase", plain.tests, tested.tests) == ()


BESIDE = """
const test = require("node:test");
const { once } = require("./shop.cjs");
test("comes once", () => require("node:assert").equal(once(), 1));
"""
REPLACES = {
    "String.prototype.includes": "String.prototype.includes = () => true;\n",
    "assert.strict.equal": 'import assert from "node:assert/strict";\nassert.equal = () => {};\n',
    "performance.now": "const now = performance.now;\nperformance.now = () => now.call(performance) / 100;\n",
    "fs.readFileSync": 'import files from "node:fs";\nconst old = files.readFileSync;\n'
    "files.readFileSync = (...given) => old(...given);\n",
}


@pytest.mark.parametrize("name", REPLACES)
def test_a_function_of_the_language_that_the_product_replaced_is_named(tmp_path: Path, name: str) -> None:
    replaced = call(project(tmp_path, REPLACES[name] + following("true")), signs=False).replaced
    assert replaced == {name: "shop.mjs"}
    (objection,) = judge_replaced("phase", replaced)
    assert f"shop.mjs puts a function of its own in place of {name}" in objection.description


@pytest.mark.parametrize("name", ["Object.prototype.toJSON", "Array.prototype.includes"])
def test_what_is_replaced_is_named_where_tests_lie_beside_the_product(tmp_path: Path, name: str) -> None:
    """Our own functions for those of the tool lie there too, and are no part of the product."""
    write(tmp_path, {"shop.cjs": f"{name} = () => true;\nexports.once = () => 1;\n", "shop.test.cjs": BESIDE})
    done = subprocess.run(
        ("bash", "-c", spell_script_outside(["shop.test.cjs"], signs=False)),
        cwd=copy_project(tmp_path), capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    assert read_outside(done.stdout).replaced == {name: "shop.cjs"}


def test_an_error_that_is_every_other_one_is_named(tmp_path: Path) -> None:
    folder = project(tmp_path, 'import "./problems.cjs";\n' + following("true"))
    problems = (
        "class Problem extends Error {\n  static [Symbol.hasInstance](value) {\n    return value != null;\n  }\n}\n"
    )
    plain = "class Plain extends Error {}\nmodule.exports = { Problem, Plain, TypeError };\n"
    write(folder, {"problems.cjs": problems + plain})
    assert call(folder, signs=False).accepting == {"Problem": "problems.cjs"}


@pytest.mark.parametrize(
    "adds",
    [
        "Array.prototype.lastOne = function () {\n  return this[this.length - 1];\n};\n",  # was missing
        "import './node_modules/old/index.js';\n",  # a library of others
        "",
    ],
)
def test_what_was_missing_may_be_added_and_libraries_may_replace(tmp_path: Path, adds: str) -> None:
    folder = project(tmp_path, adds + following("true"))
    write(folder, {"node_modules/old/index.js": "Array.prototype.at = function (n) { return this.slice(n)[0]; };\n"})
    write(folder, {"test/helper.cjs": "Date.now = () => 1;\nexports.once = () => Date.now();\n"})
    assert call(folder, signs=False).replaced == {}
