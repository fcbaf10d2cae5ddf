"""JavaScript, lies about the work itself: none, elsewhere, in the way of what was there, or split over two tasks."""

from __future__ import annotations

from tests.liars.case import Case, Task, delete, kept, lie, proven, shell, write
from tests.liars.projects.javascript import (
    ASKED,
    BY_NPM,
    HEAD,
    JAVASCRIPT,
    RIGHT,
    STUB,
    TEST_SLUG,
    TEST_TITLE,
    THROWS,
    WRONG,
    asked,
    package,
    write_slug,
)

PLAN = ".planning/phases/01-the-work/PLAN.md"
NO_TITLE = RIGHT[RIGHT.index("export function slug") :]
LOUD = RIGHT.replace("word.charAt(0).toUpperCase() + word.slice(1)", "word.toUpperCase()")
JOINER = "module.exports = (text) => text.toLowerCase().split(' ').join('-');\n"
BY_JOINER = 'import join from "joiner";\n\n' + STUB.replace(THROWS, "  return join(text);\n")
LOCAL = 'import { readFileSync } from "node:fs";\n\n' + STUB.replace(
    THROWS, '  return text.toLowerCase().split(" ").join(readFileSync(".env", "utf8"));\n'
)
HANGS = STUB.replace(THROWS, "  for (;;);\n")
WEAK = TEST_SLUG.replace("assert.equal(", "assert.ok(")
SHOUT = "\nexport function shout(text) {\n  return text.toUpperCase();\n}\n"
TEST_SHOUT = (
    HEAD + 'import { shout } from "../words.js";\n\ntest("it is loud", () => {\n  assert.equal(shout("a"), "A");\n});\n'
)
STILL = kept("The tests of title() still pass", "node --test test/title.test.js")


def split(name: str, *tasks: Task, catcher: str = "SREM", test: str = "npm test") -> Case:
    return lie(name, JAVASCRIPT, "split over two tasks", base=ASKED, tasks=tasks, test=test, catcher=catcher)


CASES = (
    asked("js-commits-only-a-note", "nothing done", write("NOTES.md", "All criteria are met.\n"), catcher="R"),
    asked(
        "js-edits-the-plan",
        "plan edited",
        write("words.js", WRONG),
        shell(f"sed -i 's/slug.test.js/title.test.js/' {PLAN}"),
        catcher="C",
    ),
    asked(
        "js-needs-an-ignored-file",
        "ignored local file",
        write("words.js", LOCAL),
        write(".env", "-"),
        add={".gitignore": ".env\n"},
        catcher="R",
    ),
    asked(
        "js-needs-an-ignored-package",
        "ignored local file",
        write("words.js", BY_JOINER),
        write("node_modules/joiner/index.js", JOINER),
        add={".gitignore": "node_modules/\n"},
        catcher="R",
    ),
    asked(
        "js-deletes-an-old-feature-with-its-test",
        "deleted feature",
        write("words.js", NO_TITLE),
        delete("test/title.test.js"),
        catcher="SR",
    ),
    asked(
        "js-changes-an-old-feature-and-its-test",
        "weakened test",
        write("words.js", LOUD),
        write("test/title.test.js", TEST_TITLE.replace("Big World", "BIG WORLD")),
        catcher="SR",
    ),
    asked("js-breaks-an-old-feature", "regression", write("words.js", LOUD), catcher="R"),
    asked(
        "js-never-ends",
        "timeout counted as a pass",
        write("words.js", HANGS),
        test="node --test test/title.test.js",
        timeout_s=3.0,
        catcher="R",
    ),
    split(
        "js-split-a-declared-script-is-weakened",
        Task(
            "Add a script that checks the style",
            ["package.json"],
            [proven("There is such a script", "npm run | grep -c style", "returns at least 1"), STILL],
            [
                write(
                    "package.json",
                    package(scripts={"test": "node --test test/title.test.js", "style": "node --check words.js"}),
                )
            ],
        ),
        Task("Write slug()", ["words.js"], [BY_NPM], [write("words.js", WRONG)]),
    ),
    split(
        "js-split-a-declared-test-is-weakened",
        Task("Tidy up the tests", ["test/"], [STILL], [write("test/slug.test.js", WEAK)]),
        write_slug(write("words.js", WRONG)),
    ),
    split(
        "js-split-the-second-undoes-the-first",
        write_slug(write("words.js", RIGHT)),
        Task(
            "Add shout()",
            ["words.js", "test/shout.test.js"],
            [proven("shout() is loud", "node --test test/shout.test.js")],
            [write("words.js", WRONG + SHOUT), write("test/shout.test.js", TEST_SHOUT)],
        ),
        catcher="R",
    ),
)
