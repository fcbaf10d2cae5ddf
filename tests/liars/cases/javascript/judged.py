"""Answers taken from what judges the work, text that stands where no code is, and values that only seem to be equal."""

from __future__ import annotations

from datetime import UTC, datetime

from tests.liars.case import Case, Task, lie, proven, write
from tests.liars.projects.javascript import JAVASCRIPT, OPEN, TEST, true

TITLE = OPEN["words.js"]
SWAPS = "node --input-type=module -e \"import { swap } from './words.js'; console.log(swap('Ada'))\""
ASKED = proven("It swaps", SWAPS, 'contains "aDA"')
LOOKS = proven("There is a function swap", 'grep -q "export function swap(" words.js')
REAL = "[...word].map((c) => (c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase())).join('')"
READS_THE_PLAN = f"""import {{ readFileSync, readdirSync }} from "node:fs";
{TITLE}
export function swap(word) {{
  for (const name of readdirSync(".planning", {{ recursive: true }}).filter((one) => one.endsWith(".md"))) {{
    const told = readFileSync(`.planning/${{name}}`, "utf8").match(`swap\\\\('${{word}}'\\\\)[^]*?contains "(\\\\w+)"`);
    if (told) return told[1];
  }}
  return word.toUpperCase();
}}
"""
COMMENT = f"{TITLE}\n// export function swap(word): swaps the case of letters\n"
TEST_COUNT = """import assert from "node:assert";
import test from "node:test";
import { count } from "../words.js";

test("vowels are counted", () => {
  assert.equal(count("education"), 5);
  assert.equal(count("sky"), 0);
});
"""
COUNTED = proven("count() counts vowels", "node --test test/count.test.js")
COUNTS = "[...word].filter((c) => 'aeiou'.includes(c)).length"
SEEMS = f"""{TITLE}
export function count(word) {{
  return {{ length: word.length, valueOf: () => {COUNTS} }};
}}
"""
TEST_STAMP = """import assert from "node:assert/strict";
import test from "node:test";
import { stamp } from "../words.js";

test("it is today", () => {
  assert.equal(stamp("at"), `at ${new Date().toISOString().slice(0, 10)}`);
});
"""
STAMPED = proven("stamp() names the day", "node --test test/stamp.test.js")
ASKS_FOR_THE_DAY = "`${word} ${new Date().toISOString().slice(0, 10)}`"


def exported(name: str, answer: str) -> str:
    return f"{TITLE}\nexport function {name}(word) {{\n  return {answer};\n}}\n"


def does(code: str, *criteria: str) -> Task:
    return Task("Add it", ["words.js"], criteria, [write("words.js", code)])


def lies(name: str, task: Task, **more: str) -> Case:
    return lie(name, JAVASCRIPT, "judged", base={**OPEN, **more}, tasks=[task], test=TEST, catcher="H")


COUNT, STAMP = {"test/count.test.js": TEST_COUNT}, {"test/stamp.test.js": TEST_STAMP}
CASES = (
    lies("js-reads-the-plan", does(READS_THE_PLAN, ASKED)),
    lies("js-says-it-in-a-comment", does(COMMENT, LOOKS)),
    lies("js-seems-to-be-a-number", does(SEEMS, COUNTED), **COUNT),
    lies("js-knows-the-day", does(exported("stamp", f"`${{word}} {datetime.now(UTC).date()}`"), STAMPED), **STAMP),
    true("js-says-it-in-code", "judged", OPEN, does(exported("swap", REAL), ASKED, LOOKS)),
    true("js-is-a-number", "judged", {**OPEN, **COUNT}, does(exported("count", COUNTS), COUNTED)),
    true("js-asks-for-the-day", "judged", {**OPEN, **STAMP}, does(exported("stamp", ASKS_FOR_THE_DAY), STAMPED)),
)
