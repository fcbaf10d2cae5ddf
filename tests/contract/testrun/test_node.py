"""Node's test runner, really run: the same tests, the same exit status and output, and a report. covers: T8.R, T8.M"""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from autopilot.model.evidence.testing import By, red_by
from tests.contract.testrun.asking import call, call_on_its_canary, write

CASES = """\
const test = require("node:test");
const assert = require("node:assert");
test("right", () => {});
test("wrong", () => assert.equal(1, 2));
test("boom", () => { throw new TypeError("x"); });
test("left", { skip: true }, () => {});
test("known", { todo: true }, () => assert.ok(false));
test.describe("suite", () => { test.it("inner", () => {}); });
"""
ENDS = {
    "right": "passed",
    "wrong": "assertion",
    "boom": "error",
    "left": "skipped",
    "known": "expected to fail",
    "suite > inner": "passed",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    scripts = {"test": "node --test test/*.test.js"}
    write(folder, {"app/package.json": json.dumps({"scripts": scripts}), "app/test/a.test.js": CASES})
    return folder


def without_numbers(text: str) -> str:
    return re.sub(r"[\d.]+", "0", text)


def test_node_is_heard_and_prints_what_it_always_prints(project: Path) -> None:
    command = "cd app && node --test test/*.test.js 2>&1 | grep -v duration_ms"
    ran = call(project, command)
    assert ran.ends() == {f"app/test/a.test.js > {name}": end for name, end in ENDS.items()}
    plain = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=project, capture_output=True, text=True)
    assert ran.status == plain.returncode == 1
    assert without_numbers(ran.output) == without_numbers(plain.stdout)


def test_npm_test_is_followed_to_its_script(project: Path) -> None:
    ran = call(project, "cd app && CI=1 timeout 60 npm test")
    assert ran.status == 1
    assert len(ran.ends()) == len(ENDS)


def test_what_cannot_be_loaded_is_no_red_test(project: Path) -> None:
    write(project, {"app/test/b.test.js": 'require("./missing");\n'})
    ran = call(project, "cd app && node --test test/b.test.js")
    assert (ran.status, ran.report.results, red_by(ran.report)) == (1, (), By.LOADING)
    assert ran.report.loading == ("app/test/b.test.js: Error: Cannot find module './missing'",)


def test_a_file_that_leaves_before_its_tests_is_one_test_and_not_those(project: Path) -> None:
    write(project, {"app/test/a.test.js": f"process.exit(0);\n{CASES}"})
    ran = call(project, "cd app && node --test test/a.test.js")
    assert (ran.status, ran.ends()) == (0, {"app/test/a.test.js": "passed"})


def test_the_canary_fails_alone(project: Path) -> None:
    name, ran = call_on_its_canary(project, "cd app && npm test")
    assert [(end, name in test) for test, end in ran.ends().items()] == [("error", True)]
    assert ran.status == 1


def test_the_canary_fails_among_the_tests_at_stake(project: Path) -> None:
    name, ran = call_on_its_canary(project, "cd app && npm test", "app/test/a.test.js")
    assert ran.ends() == {f"app/test/a.test.js > {test}": end for test, end in {**ENDS, name: "error"}.items()}


@pytest.mark.parametrize(
    ("code", "ends"),
    [
        ("export const one = 1;\n", {"one": "passed", "the canary": "error"}),
        ('import assert from "node:assert";\nassert.equal = () => {};\nexport const one = 1;\n', "passed"),
        ('import { strict } from "node:assert";\nstrict.match = () => {};\nexport const one = 1;\n', "passed"),
        ("export const one = 1;\nprocess.exit(0);\n", {"": "passed"}),
    ],
    ids=["honest", "patches equal", "patches match", "exits"],
)
def test_code_that_patches_or_ends_its_tests_does_not_get_past_the_canary(
    project: Path, code: str, ends: dict[str, str] | str
) -> None:
    """Where it is told as passed, or is not told and the run is green, nothing that passed beside it counts."""
    test = 'import test from "node:test";\nimport { one } from "../one.mjs";\n\ntest("one", () => one)\n// one'
    write(project, {"app/one.mjs": code, "app/test/one.test.mjs": test})
    name, ran = call_on_its_canary(project, "cd app && node --test test/one.test.mjs", "app/test/one.test.mjs")
    told = {test.partition(" > ")[2].replace(name, "the canary"): end for test, end in ran.ends().items()}
    assert told["the canary"] == ends if isinstance(ends, str) else told == ends


def test_what_the_call_does_not_select_is_not_called_skipped(project: Path) -> None:
    ran = call(project, "cd app && node --test --test-name-pattern=right test/a.test.js")
    assert {test: end for test, end in ran.ends().items() if "inner" not in test} == {
        "app/test/a.test.js > right": "passed",
    }
