"""A canary at the end of a test file that is there: it lives in the process of the tests whose green is believed.

One in a file of its own does not notice code that ends its process early, patches an assertion, or writes the report.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath

from autopilot.testtools.commands.following import ReadText
from autopilot.testtools.pack import Canary

_SCRIPT = re.compile(r".*\.[cm]?[jt]sx?")
_MODULE = re.compile(r"^[^\S\n]*(?:import\b(?!\s*[(.])|export\b)", re.MULTILINE)
# An assertion that does not throw lets the canary live.
_NODE = """
;
{load}
autopilotTest("autopilot canary", () => {{
  for (const assert of [autopilotLoose, autopilotStrict]) {{
    const wrong = [
      () => assert(false),
      () => assert.ok(false),
      () => assert.equal(1, 2),
      () => assert.strictEqual(1, 2),
      () => assert.notStrictEqual(1, 1),
      () => assert.deepEqual([1], [2]),
      () => assert.deepStrictEqual([1], [2]),
      () => assert.match("a", /b/),
      () => assert.throws(() => {{}}),
    ];
    for (const assertion of wrong) {{
      let quiet = true;
      try {{
        assertion();
      }} catch {{
        quiet = false;
      }}
      if (quiet) return;
    }}
  }}
  throw new Error("this test must fail");
}});
"""
_IMPORTED = """import autopilotLoose from "node:assert";
import autopilotStrict from "node:assert/strict";
import autopilotTest from "node:test";"""
_REQUIRED = """const autopilotLoose = require("node:assert"), autopilotStrict = require("node:assert/strict");
const autopilotTest = require("node:test");"""
_GO = """
func TestAutopilotCanary(t *testing.T) {
	if 1+1 != 3 {
		t.Fatal("this test must fail")
	}
}
"""
_RUST = """
#[test]
fn autopilot_canary() {
    assert_eq!(1 + 1, 3, "this test must fail");
}
"""
_BATS = """
@test "autopilot canary" {
  [ "$((1 + 1))" -eq 3 ]
}
"""


def put_inside(tool: str, beside: Sequence[str], paths: Sequence[str], read: ReadText) -> Canary | None:
    """In the first of the files ``beside`` that can take one. ``paths`` are those of the whole project."""
    inside = _TOOLS.get(tool)
    for path in beside if inside else ():
        text = read(path)
        canary = inside(path, text, paths) if inside and text else None
        if canary is not None:
            return canary
    return None


def _in_node(path: str, text: str, paths: Sequence[str]) -> Canary | None:  # noqa: ARG001
    if not _SCRIPT.fullmatch(path) or "node:test" not in text:
        return None
    load = _IMPORTED if _MODULE.search(text) else _REQUIRED
    return Canary(path, text + _NODE.format(load=load), "autopilot canary")


def _in_go(path: str, text: str, paths: Sequence[str]) -> Canary | None:  # noqa: ARG001
    plain = path.endswith("_test.go") and re.search(r'^(?:import )?[^\S\n]*"testing"', text, re.MULTILINE)
    return Canary(path, text + _GO, "TestAutopilotCanary") if plain else None


def _in_rust(path: str, text: str, paths: Sequence[str]) -> Canary | None:
    """Beside a crate's code, or in its library: to a program of its own no call for the library leads."""
    place = PurePosixPath(path)
    library = str(place).rpartition("src/")[0] + "src/lib.rs"
    inside = "src" in place.parts and "bin" not in place.parts and place.name != "main.rs" and library in paths
    if not path.endswith(".rs") or "#[test]" not in text or not (place.parent.name == "tests" or inside):
        return None
    return Canary(path, text + _RUST, "autopilot_canary")


def _in_bats(path: str, text: str, paths: Sequence[str]) -> Canary | None:  # noqa: ARG001
    """Whatever its helpers and its ``setup`` do to every test of the file, they do to this one."""
    plain = path.endswith(".bats") and re.search(r"^[ \t]*@test ", text, re.MULTILINE)
    return Canary(path, text + _BATS, "autopilot canary") if plain else None


_TOOLS: dict[str, Callable[[str, str, Sequence[str]], Canary | None]] = {
    "node:test": _in_node,
    "go test": _in_go,
    "cargo test": _in_rust,
    "bats": _in_bats,
}
