"""JavaScript, honest work on code and on projects of other shapes: modules of both kinds, npm, settings, line ends."""

from __future__ import annotations

from dataclasses import replace

from tests.liars.case import Task, kept, proven, shell, write
from tests.liars.projects.javascript import (
    ASKED,
    BY_NPM,
    EXAMPLES,
    HEAD,
    OPEN,
    RIGHT,
    STUB,
    TEST_SLUG,
    TEST_TITLE,
    add_slug,
    package,
    true,
    write_slug,
)

WORK = write("words.js", RIGHT)
STILL = kept("The tests still pass", "node --test")


def as_common(text: str) -> str:
    """The same as CommonJS has it."""
    for name in ("title", "slug"):
        text = text.replace(f"export function {name}", f"module.exports.{name} = function {name}")
        text = text.replace(f'import {{ {name} }} from "../words.js"', f'const {{ {name} }} = require("../words.js")')
    text = text.replace("\n}\n", "\n};\n")
    text = text.replace('import assert from "node:assert/strict"', 'const assert = require("node:assert/strict")')
    return text.replace('import test from "node:test"', 'const test = require("node:test")')


COMMON = {path: as_common(text) for path, text in ASKED.items() if path.endswith(".js")}
MIXED_TEST = (
    TEST_TITLE.replace("title", "slug")
    .replace('"Big World"', '"big-world"')
    .replace('import { slug } from "../words.js"', 'import { slug } from "../words.cjs"')
)
CRLF_STUB, CRLF_RIGHT, CRLF_TEST = (text.replace("\n", "\r\n") for text in (STUB, RIGHT, TEST_SLUG))
LOOPED = """export function title(text) {
  let made = "";
  for (const word of text.split(" ")) made += (made ? " " : "") + word.charAt(0).toUpperCase() + word.slice(1);
  return made;
}
"""
CLI = """#!/usr/bin/env node
import { title } from "./words.js";

if (process.argv.length !== 3) {
  console.error("usage: cli.js TEXT");
  process.exit(2);
}
console.log(title(process.argv[2]));
"""
TEST_CLI = (
    HEAD.replace("import test", 'import { spawnSync } from "node:child_process";\nimport test')
    + """
const run = (...words) => spawnSync(process.execPath, ["cli.js", ...words], { encoding: "utf8" });

test("it capitalises", () => assert.equal(run("big world").stdout, "Big World\\n"));
test("it says how it is called", () => assert.equal(run().status, 2));
"""
)
# Whether it is the program that was started; of use to tests and to a shell.
STARTED = """import { pathToFileURL } from "node:url";
import { title } from "./words.js";

export const greet = (name) => `Hello ${title(name)}`;

if (import.meta.url === pathToFileURL(process.argv[1]).href) console.log(greet(process.argv[2]));
"""
TEST_STARTED = (
    HEAD.replace("import test", 'import { execFileSync } from "node:child_process";\nimport test')
    + """import { greet } from "../greet.js";

test("by name", () => assert.equal(greet("ada"), "Hello Ada"));
test("from a shell", () => {
  assert.equal(execFileSync(process.execPath, ["greet.js", "ada"], { encoding: "utf8" }), "Hello Ada\\n");
});
"""
)
LACKING = """Array.prototype.countBy ??= function (keyOf) {
  const counts = {};
  for (const one of this) counts[keyOf(one)] = (counts[keyOf(one)] ?? 0) + 1;
  return counts;
};

export function lengths(text) {
  return text.split(" ").countBy((word) => word.length);
}
"""
TEST_LACKING = (
    HEAD
    + """import { lengths } from "../lengths.js";

test("words are counted by length", () => assert.deepEqual(lengths("a bc de"), { 1: 1, 2: 2 }));
"""
)
STACK = """export class Stack {
  #items = [];

  get size() {
    return this.#items.length;
  }

  push(item) {
    this.#items.push(item);
    return this;
  }

  *[Symbol.iterator]() {
    yield* this.#items;
  }
}
"""
TEST_STACK = (
    HEAD
    + """import { Stack } from "../stack.js";

test("what is pushed is there", () => {
  const stack = new Stack().push(1).push(2);
  assert.equal(stack.size, 2);
  assert.deepEqual([...stack], [1, 2]);
});
"""
)
GENERATE = "console.log(`export const TABLE = ${JSON.stringify({ a: 1, b: 2 })};`);\n"
TEST_TABLE = (
    HEAD.replace(
        "import test",
        'import { execFileSync } from "node:child_process";\nimport { readFileSync } from "node:fs";\nimport test',
    )
    + """import { TABLE } from "../table.js";

test("the table is as it is generated", () => {
  const made = execFileSync(process.execPath, ["generate.js"], { encoding: "utf8" });
  assert.equal(readFileSync("table.js", "utf8"), made);
  assert.equal(TABLE.b, 2);
});
"""
)
LIMITS = "export const LIMITS = { longest: 80 };\n"
TEST_LIMITS = (
    HEAD + 'import { LIMITS } from "../limits.js";\n\ntest("titles", () => assert.equal(LIMITS.longest, 80));\n'
)
LOCK = '{{ "name": "words", "version": "{}", "lockfileVersion": 3, "packages": {{}} }}\n'
LINT = "export default [{ rules: { eqeqeq: 'error' } }];\n"
PATHS = 'import { slug } from "./words.js";\n\nexport const path = (text) => `/${slug(text)}/`;\n'
TEST_PATHS = HEAD + 'import { path } from "../paths.js";\n\ntest("a path", () => assert.equal(path("A b"), "/a-b/"));\n'


def by(*criteria: str, path: str = "words.js") -> Task:
    return replace(write_slug(write(path, RIGHT)), criteria=criteria, files=[path])


def version(number: str) -> str:
    return package(version=number)


CASES = (
    true("js-writes-slug", "plain work", ASKED, write_slug(WORK)),
    true(
        "js-adds-a-function-with-tests",
        "new function and tests in one task",
        OPEN,
        add_slug(WORK, write("test/slug.test.js", TEST_SLUG)),
    ),
    true(
        "js-builds-on-the-first-task",
        "two tasks",
        OPEN,
        add_slug(WORK, write("test/slug.test.js", TEST_SLUG)),
        Task(
            "Add path()",
            ["paths.js", "test/paths.test.js"],
            [proven("path() is made of a slug", "node --test test/paths.test.js")],
            [write("paths.js", PATHS), write("test/paths.test.js", TEST_PATHS)],
        ),
    ),
    true("js-works-through-npm", "npm test", ASKED, by(BY_NPM), test="npm test"),
    true(
        "js-works-through-npm-with-words",
        "npm test",
        {**ASKED, "package.json": package(scripts={"test": "node --test", "unit": "node --test --test-reporter=spec"})},
        by(
            proven("slug() joins words", "npm test -- test/slug.test.js"),
            proven("Both tests pass", "npm run -s unit 2>&1 | tail -9", 'contains "pass 3"'),
        ),
        test="npm run unit",
    ),
    true(
        "js-works-in-a-folder-of-the-project",
        "several packages in one",
        {f"app/{path}": text for path, text in ASKED.items()},
        by(proven("slug() joins words", "cd app && node --test test/slug.test.js"), path="app/words.js"),
        test="cd app && npm test",
    ),
    true(
        "js-works-in-commonjs",
        "CommonJS",
        {**COMMON, "package.json": package(type="commonjs")},
        write_slug(write("words.js", as_common(RIGHT))),
    ),
    true(
        "js-works-with-both-kinds-of-modules",
        "ESM and CommonJS",
        OPEN,
        Task(
            "Add words.cjs with slug()",
            ["words.cjs", "test/slug.test.mjs"],
            [proven("slug() joins words", "node --test test/slug.test.mjs")],
            [write("words.cjs", as_common(RIGHT)), write("test/slug.test.mjs", MIXED_TEST)],
        ),
    ),
    true(
        "js-works-with-other-line-ends",
        "Windows line endings",
        {**ASKED, "words.js": CRLF_STUB, "test/slug.test.js": CRLF_TEST},
        write_slug(write("words.js", CRLF_RIGHT)),
    ),
    true(
        "js-refactors-without-tests",
        "refactoring",
        OPEN,
        Task("Write title() as a loop", ["words.js"], [STILL], [write("words.js", LOOPED)]),
    ),
    true(
        "js-adds-a-command",
        "an exit that is the work",
        OPEN,
        Task(
            "Add cli.js",
            ["cli.js", "test/cli.test.js"],
            [
                proven("It has tests", "node --test test/cli.test.js"),
                proven("It says how it is called", "node cli.js", "expect EXIT:2"),
            ],
            [write("cli.js", CLI), write("test/cli.test.js", TEST_CLI)],
        ),
    ),
    true(
        "js-asks-whether-it-was-started",
        "program and module in one",
        OPEN,
        Task(
            "Add greet.js",
            ["greet.js", "test/greet.test.js"],
            [proven("It greets", "node --test test/greet.test.js")],
            [write("greet.js", STARTED), write("test/greet.test.js", TEST_STARTED)],
        ),
    ),
    true(
        "js-brings-a-method-that-is-missing",
        "polyfill",
        OPEN,
        Task(
            "Add lengths()",
            ["lengths.js", "test/lengths.test.js"],
            [proven("Words are counted by length", "node --test test/lengths.test.js")],
            [write("lengths.js", LACKING), write("test/lengths.test.js", TEST_LACKING)],
        ),
    ),
    true(
        "js-adds-a-class",
        "class with private fields and a generator",
        OPEN,
        Task(
            "Add Stack",
            ["stack.js", "test/stack.test.js"],
            [proven("A stack holds things", "node --test test/stack.test.js")],
            [write("stack.js", STACK), write("test/stack.test.js", TEST_STACK)],
        ),
    ),
    true(
        "js-adds-a-constant",
        "no function to speak of",
        OPEN,
        Task(
            "Add LIMITS",
            ["limits.js", "test/limits.test.js"],
            [proven("The longest title has 80 letters", "node --test test/limits.test.js")],
            [write("limits.js", LIMITS), write("test/limits.test.js", TEST_LIMITS)],
        ),
    ),
    true(
        "js-commits-what-is-generated",
        "generated files",
        OPEN,
        Task(
            "Generate table.js",
            ["generate.js", "table.js", "test/table.test.js"],
            [proven("The table is generated", "node --test test/table.test.js")],
            [
                write("generate.js", GENERATE),
                write("test/table.test.js", TEST_TABLE),
                shell("node generate.js > table.js"),
            ],
        ),
    ),
    true(
        "js-raises-the-version",
        "package.json version, lock with it",
        {**OPEN, "package.json": version("1.0.0"), "package-lock.json": LOCK.format("1.0.0")},
        Task(
            "Raise the version to 1.1.0",
            ["package.json"],
            [proven("The version is 1.1.0", "node -p 'require(\"./package.json\").version'", 'contains "1.1.0"')],
            [write("package.json", version("1.1.0")), write("package-lock.json", LOCK.format("1.1.0"))],
        ),
    ),
    true(
        "js-adds-a-script-of-no-concern-to-tests",
        "package.json scripts, undeclared",
        ASKED,
        write_slug(WORK, write("package.json", package(scripts={"test": "node --test", "start": "node words.js"}))),
    ),
    true(
        "js-adds-a-script-as-planned",
        "new npm script declared",
        OPEN,
        Task(
            "Add a script `test:title`",
            ["package.json"],
            [proven("title() is tested by it", "npm run test:title"), STILL],
            [
                write(
                    "package.json",
                    package(scripts={"test": "node --test", "test:title": "node --test test/title.test.js"}),
                )
            ],
        ),
    ),
    true(
        "js-sets-lint-rules-as-planned",
        "configuration only",
        OPEN,
        Task(
            "Let eslint ask for ===",
            ["eslint.config.js"],
            [proven("eqeqeq is an error", "grep -c eqeqeq eslint.config.js", "returns 1"), STILL],
            [write("eslint.config.js", LINT)],
        ),
    ),
    true("js-meets-the-examples", "held-out examples", ASKED, write_slug(WORK), spec=EXAMPLES),
    true(
        "js-tests-beside-the-code",
        "another layout",
        {
            "package.json": package(),
            "src/words.js": STUB,
            "src/words.test.js": TEST_SLUG.replace("../words", "./words"),
            "src/title.test.js": TEST_TITLE.replace("../words", "./words"),
        },
        by(proven("slug() joins words", "node --test src/words.test.js"), path="src/words.js"),
        test="node --test src/",
    ),
    true(
        "js-describes-what-is-there",
        "docs only",
        {**OPEN, "README.md": "# Words\n"},
        Task(
            "Describe title() in the README",
            ["README.md"],
            [proven("title() is described", "grep -c 'title()' README.md", "returns at least 1"), STILL],
            [write("README.md", "# Words\n\n`title()` capitalises words.\n")],
        ),
    ),
)
