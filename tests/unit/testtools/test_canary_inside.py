"""A canary in a test file that is there: where it can stand, and how it is spelled there. covers: T8.R"""

from __future__ import annotations

import pytest

from autopilot.testtools.canary_inside import put_inside
from autopilot.testtools.instrument import put_canary

MODULE = 'import test from "node:test";\n\ntest("a", () => {});'
COMMON = 'const test = require("node:test");\n\ntest("a", () => {});'
GO = 'package a\n\nimport (\n\t"fmt"\n\t"testing"\n)\n\nfunc TestA(t *testing.T) { fmt.Print() }'
RUST = "#[test]\nfn a() {}\n"
PATHS = ("src/lib.rs", "src/a.rs", "src/main.rs", "src/bin/b.rs", "tests/a.rs", "app/src/main.rs")


@pytest.mark.parametrize(
    ("tool", "path", "text", "has"),
    [
        ("node:test", "test/a.test.js", MODULE, 'import autopilotTest from "node:test"'),
        ("node:test", "test/a.test.js", COMMON, 'autopilotTest = require("node:test")'),
        ("node:test", "a.test.ts", "  export {};\n" + MODULE, "import autopilotTest"),
        ("go test", "a_test.go", GO, "func TestAutopilotCanary"),
        ("go test", "a_test.go", 'package a\nimport "testing"\n', "func TestAutopilotCanary"),
        ("cargo test", "tests/a.rs", RUST, "fn autopilot_canary"),
        ("cargo test", "src/lib.rs", RUST, "fn autopilot_canary"),
        ("cargo test", "src/a.rs", RUST, "fn autopilot_canary"),
    ],
)
def test_it_stands_at_the_end_of_the_file(tool: str, path: str, text: str, has: str) -> None:
    canary = put_inside(tool, [path], PATHS, {path: text}.get)
    assert canary is not None
    assert canary.path == path
    assert canary.text.startswith(f"{text}\n")
    assert has in canary.text.removeprefix(text)


@pytest.mark.parametrize(
    ("tool", "path", "text"),
    [
        ("pytest", "tests/test_a.py", "def test_a(): ..."),  # there, one file beside another shares a process already
        ("node:test", "test/a.test.js", 'import { test } from "./kit.js";\n'),
        ("node:test", "test/a.json", MODULE),
        ("go test", "a.go", GO),
        ("go test", "a_test.go", 'package a\n\nimport check "testing"\n'),
        ("cargo test", "tests/a.rs", "fn main() {}\n"),  # a program without Rust's own test harness
        ("cargo test", "src/main.rs", RUST),
        ("cargo test", "src/bin/b.rs", RUST),
        ("cargo test", "app/src/main.rs", RUST),
        ("cargo test", "app/src/a.rs", RUST),
        ("cargo test", "tests/gone.rs", None),
    ],
)
def test_it_stands_in_no_file_where_it_might_not_be_run(tool: str, path: str, text: str | None) -> None:
    assert put_inside(tool, [path], PATHS, {path: text}.get) is None


def test_the_call_is_made_on_the_file_that_holds_it() -> None:
    files = {"app/test/a.test.js": MODULE, "app/test/b.test.js": ""}
    found = put_canary(
        "cd app && node --test", files.get, list(files), beside=["app/test/b.test.js", "app/test/a.test.js"]
    )
    assert found is not None
    assert found[0].path == "app/test/a.test.js"
    assert found[1] == "cd app && node --test test/b.test.js test/a.test.js"
