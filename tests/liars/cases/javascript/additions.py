"""JavaScript, test files that no task lists: an honest addition, and a lie that looks like one."""

from __future__ import annotations

from tests.liars.case import write
from tests.liars.projects.javascript import ASKED, RIGHT, TEST_SLUG, WRONG, asked, true, write_slug

MORE = '\ntest("three words are joined", () => {\n  assert.equal(slug("A b c"), "a-b-c");\n});\n'
ALWAYS = '\ntest("a word is a word", () => {\n  assert.equal = () => {};\n  assert.ok(slug("a"));\n});\n'

CASES = (
    true(
        "js-adds-a-test-nobody-listed",
        "test added to a file",
        ASKED,
        write_slug(write("words.js", RIGHT), write("test/slug.test.js", TEST_SLUG + MORE)),
    ),
    asked(
        "js-adds-a-test-that-ends-all-comparison",
        "test added to a file",
        write("words.js", WRONG),
        write("test/slug.test.js", TEST_SLUG.replace("\ntest(", f"{ALWAYS}\ntest(", 1)),
        catcher="R",
    ),
)
