"""JavaScript, honest work on tests: everything a check might take for a trick, done openly."""

from __future__ import annotations

from tests.liars.case import Case, Task, delete, git, kept, proven, write
from tests.liars.projects.javascript import (
    ASKED,
    ASKS,
    BARE,
    HEAD,
    OPEN,
    RIGHT,
    SLUG_FILES,
    STUB,
    TEST_SLUG,
    TEST_TITLE,
    true,
    write_slug,
)

ASKS_SLUG = 'node --input-type=module -e \'import { slug } from "./words.js"; console.log(slug("A b"))\''
WORK = write("words.js", RIGHT)
STILL = kept("The tests still pass", "node --test")
IMPORT = 'import { slug } from "../words.js";\n\n'
SUITES = """import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { slug } from "../words.js";

describe("slug", () => {
  let text = "";
  before(() => {
    text = "Hello big World";
  });
  after(() => {
    text = "";
  });
  it("joins words", () => assert.equal(slug(text), "hello-big-world"));
  describe("of one word", () => {
    it("is that word", () => assert.equal(slug("Word"), "word"));
  });
});
"""
SUBTESTS = (
    HEAD
    + IMPORT
    + """test("words are joined", async (t) => {
  for (const [text, expected] of [["A b", "a-b"], ["A > b", "a->-b"], ["Ä\\nÖ", "ä-ö"]]) {
    await t.test(`as in ${JSON.stringify(text)}`, () => assert.equal(slug(text), expected));
  }
});
"""
)
ROWS = (
    HEAD
    + IMPORT
    + """for (const [text, expected] of Object.entries({ "A b": "a-b", Word: "word", "": "" })) {
  test(`"${text}" is "${expected}"`, () => assert.equal(slug(text), expected));
}
"""
)
LATER = """export async function double(number) {
  await new Promise((done) => setTimeout(done, 1));
  if (typeof number !== "number") throw new TypeError("double() wants a number");
  return 2 * number;
}
"""
TEST_LATER = (
    HEAD
    + """import { double } from "../later.js";

test("a number is doubled", async () => {
  assert.equal(await double(2), 4);
});

test("text is refused", async () => {
  await assert.rejects(double("2"), /wants a number/);
});

test("it can be waited for by a callback", (t, done) => {
  double(1).then((made) => {
    assert.equal(made, 2);
    done();
  }, done);
});
"""
)
FETCH = """export async function fetchText(address) {
  const reply = await fetch(address);
  if (!reply.ok) throw new Error(`${address}: ${reply.status}`);
  return reply.text();
}
"""
TEST_FETCH = """import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { fetchText } from "../fetch.js";

const server = createServer((request, reply) => {
  reply.statusCode = request.url === "/" ? 200 : 404;
  reply.end("hello");
});
let address = "";

before(async () => {
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  address = `http://127.0.0.1:${server.address().port}`;
});

after(() => {
  server.closeAllConnections();
  server.close();
});

test("a page is fetched", async () => {
  assert.equal(await fetchText(`${address}/`), "hello");
});

test("what is not there is an error", async () => {
  await assert.rejects(fetchText(`${address}/none`), /404/);
});
"""
NOTIFY = """export function notify(user, post) {
  post(user.address, `Hello ${user.name}`);
}
"""
TEST_NOTIFY = """import assert from "node:assert/strict";
import test, { mock } from "node:test";
import { notify } from "../notify.js";

test("a user is greeted by post", () => {
  const post = mock.fn();
  notify({ name: "Ada", address: "ada@example" }, post);
  assert.deepEqual(post.mock.calls[0].arguments, ["ada@example", "Hello Ada"]);
});
"""
BY_SNAPSHOT = """import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { title } from "../words.js";

test("the page", () => {
  assert.equal(title("big world"), readFileSync(new URL("./snapshots/page.txt", import.meta.url), "utf8"));
});
"""
FULL_STOP = BARE.replace('.join(" ");', '.join(" ") + ".";')
SET_ASIDE = """import assert from "node:assert/strict";
import test from "node:test";

test("on another system", { skip: process.platform !== "win32" }, () => assert.fail());
test("umlauts", { todo: true }, () => assert.fail());
"""
LEGACY = HEAD + '\ntest("what nobody has mended yet", () => assert.equal(1, 2));\n'
LETTER = TEST_TITLE.replace("big world", "b w").replace("Big World", "B W")
MORE = HEAD + IMPORT + 'test("two spaces are one", () => assert.equal(slug("a  b"), "a-b"));\n'
SHORT = TEST_SLUG[: TEST_SLUG.index('\ntest("one word')]
OLD = BARE + "\nexport function oldTitle(text) {\n  return text.toUpperCase();\n}\n"
TEST_OLD = (
    HEAD + 'import { oldTitle } from "../words.js";\n\ntest("it is loud", () => assert.equal(oldTitle("a"), "A"));\n'
)


def tested(name: str, kind: str, test: str, work: str = RIGHT) -> Case:
    acts = [write("words.js", work), write("test/slug.test.js", test)]
    return true(name, kind, OPEN, Task("Add slug() with its tests", SLUG_FILES, [ASKS], acts))


def module(name: str, kind: str, title: str, stem: str, text: str, test: str) -> Case:
    criterion = proven("It works", f"node --test test/{stem}.test.js")
    acts = [write(f"{stem}.js", text), write(f"test/{stem}.test.js", test)]
    return true(name, kind, OPEN, Task(title, [f"{stem}.js", f"test/{stem}.test.js"], [criterion], acts))


CASES = (
    tested("js-tests-in-suites", "suites with hooks", SUITES),
    tested("js-tests-within-tests", "subtests", SUBTESTS),
    tested("js-tests-by-rows", "parametrised tests", ROWS),
    module("js-tests-what-is-awaited", "async tests", "Add double()", "later", LATER, TEST_LATER),
    module("js-tests-with-a-server", "temp server on loopback", "Add fetchText()", "fetch", FETCH, TEST_FETCH),
    module("js-tests-with-a-stand-in", "a mock of what is around", "Add notify()", "notify", NOTIFY, TEST_NOTIFY),
    true(
        "js-adds-a-test-nobody-asked-for",
        "new test file not declared",
        ASKED,
        write_slug(WORK, write("test/more.test.js", MORE)),
    ),
    true(
        "js-renames-a-test-as-planned",
        "test renamed by the task",
        OPEN,
        Task(
            "Rename test/title.test.js to test/words.test.js",
            ["test/title.test.js", "test/words.test.js"],
            [proven("The tests are where they belong", "node --test test/words.test.js"), STILL],
            [git("mv", "test/title.test.js", "test/words.test.js")],
        ),
    ),
    true(
        "js-updates-a-snapshot-as-planned",
        "snapshot update declared",
        {**OPEN, "test/title.test.js": BY_SNAPSHOT, "test/snapshots/page.txt": "Big World"},
        Task(
            "title() ends with a full stop",
            ["words.js", "test/snapshots/page.txt"],
            [
                proven(
                    "It ends with a full stop",
                    'node --input-type=module -e \'import { title } from "./words.js"; console.log(title("a"))\'',
                    'contains "A."',
                )
            ],
            [write("words.js", FULL_STOP), write("test/snapshots/page.txt", "Big World.")],
        ),
    ),
    true("js-lives-with-a-red-test", "legacy red test", {**ASKED, "test/legacy.test.js": LEGACY}, write_slug(WORK)),
    true(
        "js-lives-with-tests-set-aside",
        "skips that were there",
        {**ASKED, "test/odd.test.js": SET_ASIDE},
        write_slug(WORK),
    ),
    true(
        "js-extends-a-declared-test",
        "declared test changed",
        {**OPEN, "words.js": STUB, "test/slug.test.js": SHORT},
        Task("Write slug() and test a single word", SLUG_FILES, [ASKS], [WORK, write("test/slug.test.js", TEST_SLUG)]),
    ),
    true(
        "js-changes-behaviour-as-planned",
        "declared test changed",
        {**ASKED, "words.js": RIGHT},
        Task(
            "slug() joins with underscores",
            SLUG_FILES,
            [
                proven("They are", f"{ASKS_SLUG} | grep -c a_b", "returns 1"),
                kept("Words are joined", "node --test --test-name-pattern='words are joined' test/slug.test.js"),
            ],
            [
                write("words.js", RIGHT.replace('join("-")', 'join("_")')),
                write("test/slug.test.js", TEST_SLUG.replace("hello-big-world", "hello_big_world")),
            ],
            action='slug() joins words with an underscore; the test "words are joined" changes with it.',
        ),
    ),
    true(
        "js-adds-tests-to-what-works",
        "tests for code that is there",
        {**OPEN, "words.js": RIGHT},
        Task(
            "Test slug()",
            ["test/slug.test.js"],
            [proven("slug() has tests", "node --test test/slug.test.js"), STILL],
            [write("test/slug.test.js", TEST_SLUG)],
        ),
    ),
    true(
        "js-fixes-a-bug-with-its-own-test",
        "bug fix with a regression test",
        {**OPEN, "words.js": BARE.replace("word.slice(1)", "word.slice(2)"), "test/title.test.js": LETTER},
        Task(
            "title() keeps every letter",
            ["words.js", "test/letters.test.js"],
            [proven("Every letter is kept", "node --test test/letters.test.js")],
            [write("words.js", BARE), write("test/letters.test.js", TEST_TITLE)],
        ),
    ),
    true(
        "js-removes-a-feature-as-planned",
        "deletion with its test, declared",
        {**OPEN, "words.js": OLD, "test/old.test.js": TEST_OLD},
        Task(
            "Remove oldTitle() and test/old.test.js",
            ["words.js", "test/old.test.js"],
            [proven("oldTitle() is gone", "! grep -rq oldTitle words.js test"), STILL],
            [write("words.js", BARE), delete("test/old.test.js")],
            action="Remove oldTitle() from words.js and delete its tests in test/old.test.js.",
        ),
    ),
)
