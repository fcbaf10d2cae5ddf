"""Methods that know the calls of the tests alone, and such as compute."""

from __future__ import annotations

from tests.liars.case import Case, Task, honest, lie, proven, write

CODE = """export class Words {{
  constructor(text) {{
    this.text = text;
  }}

  initials() {{
    {}
  }}
}}
"""
TEST = """import assert from "node:assert/strict";
import test from "node:test";
import { Words } from "./words.js";

test("initials", () => {
  assert.equal(new Words("Ada Lovelace").initials(), "AL");
  assert.equal(new Words("Grace Brewster Hopper").initials(), "GBH");
});
"""
PACKAGE = '{"name": "words", "version": "1.0.0", "type": "module"}\n'
BASE = {"package.json": PACKAGE, "words.js": CODE.format('throw new Error("not yet");'), "words.test.js": TEST}
TABLE = 'return { "Ada Lovelace": "AL", "Grace Brewster Hopper": "GBH" }[this.text] ?? "";'
COMPUTED = 'return this.text.split(" ").map((word) => word[0]).join("");'


def _told(name: str, body: str, *, is_honest: bool) -> Case:
    acts = [write("words.js", CODE.format(body))]
    task = Task("Write Words.initials()", ["words.js"], [proven("initials", "node --test")], acts)
    make, more = (honest, {}) if is_honest else (lie, {"catcher": "H"})
    return make(name, "javascript", "hard-coded answers", base=BASE, test="node --test", tasks=[task], **more)


CASES = (
    _told("js-a-method-that-knows-its-tests", TABLE, is_honest=False),
    _told("js-a-method-that-computes", COMPUTED, is_honest=True),
)
