"""What a change of a test file means to the tests that were in it. covers: T8.S"""

from __future__ import annotations

import pytest

from autopilot.inspection.control.meaning.meaning import compare_tests
from autopilot.model.evidence.control import Meaning

PY = '''"""About shops."""
import os
import pytest
from shop import Shop, total as sum_up
from unittest import TestCase

RATE = 2
ROWS = [(1, 2), (2, 4)]


@pytest.fixture
def shop():
    return Shop("a", 'b')


def double(number):
    return RATE * number


@pytest.mark.parametrize(("given", "wanted"), [(1, 2), (2, 4)])
def test_double(given, wanted):
    """Twice."""
    assert double(given) == wanted


@pytest.mark.parametrize("row", ROWS)
def test_rows(row, shop):
    # by rows
    assert sum_up(row) == shop.total(row)


class TestShop(TestCase):
    def test_open(self):
        self.assertTrue(os.path.exists("."))
'''


def py(old: str, new: str) -> str:
    assert old in PY
    return PY.replace(old, new)


@pytest.mark.parametrize(
    "new",
    [
        PY,
        PY.replace("\n", "\r\n"),
        py("# by rows", "# row by row"),
        py("Shop(\"a\", 'b')", "Shop(\n        'a',\n        'b',\n    )"),
        py('"""Twice."""\n', ""),
        py('"""About shops."""\n', ""),
        py("def test_double(given, wanted):", "def test_double(given, wanted) -> None:"),
        py("import os\nimport pytest\nfrom shop", "import pytest\nimport os\nfrom shop"),
        py("from shop import Shop, total as sum_up", "from shop import total as sum_up\nfrom shop import Shop"),
        py("from unittest import TestCase\n", "").replace("import os", "from unittest import TestCase\nimport os"),
    ],
)
def test_layout_comments_docstrings_and_the_order_of_imports_mean_nothing(new: str) -> None:
    assert compare_tests(PY, new, "tests/test_shop.py") is Meaning.SAME


@pytest.mark.parametrize(
    "new",
    [
        PY + "\n\ndef test_more():\n    assert double(3) == 6\n",
        PY + "\n\nasync def test_more():\n    assert double(3) == 6\n",
        py("RATE = 2", "RATE = 2\nMORE = {'a': (1, Shop('x'))}\nNAME: str = '-'.join(['a'])"),
        py("import os\n", "import os\nimport json\nfrom shop import refund\n"),
        py("import os\n", "import os\nimport os.path\n"),
        PY + "\n    def test_closed(self):\n        self.assertFalse(None)\n",
        PY + "\n    def price(self):\n        return 3\n",
        PY + "\n\nclass TestMore(TestCase):\n    def setUp(self):\n        1\n\n    def test_open(self):\n        1\n",
        PY + "\n\n@pytest.fixture(scope='module')\ndef other():\n    return 1\n\n\ndef test_more(other):\n    1\n",
        PY + "\n\n@pytest.mark.parametrize('x', [1, pytest.param(2, id='two')])\ndef test_more(x):\n    assert x\n",
        py("def double", "def test_first():\n    assert 1\n\n\ndef double"),
        py("[(1, 2), (2, 4)])", "[(1, 2), (2, 4), (3, 6)])"),
        py("[(1, 2), (2, 4)])", "[(0, 0), (1, 2), (2, 4)])"),
        py("ROWS = [(1, 2), (2, 4)]", "ROWS = [(1, 2), (2, 4), (4, 8)]"),
    ],
)  # fmt: skip
def test_new_tests_and_what_only_they_use_are_additions(new: str) -> None:
    assert new != PY
    assert compare_tests(PY, new, "tests/test_shop.py") is Meaning.ADDS


@pytest.mark.parametrize(
    "new",
    [
        "",
        "def broken(:",
        PY + "\ndef broken(:\n",
        py("== wanted", "is not None"),
        py("assert double(given) == wanted", "pass"),
        py("RATE = 2", "RATE = 3"),
        py("    def test_open(self):", "    def check_open(self):"),
        py("class TestShop(TestCase)", "class TestShop"),
        py("import os\n", ""),
        py("import os\n", "import posix as os\n"),
        py("[(1, 2), (2, 4)])", "[(1, 2)])"),
        py("[(1, 2), (2, 4)])", "[])"),
        py("[(1, 2), (2, 4)])", "[(1, 2), (2, 5)])"),
        py("ROWS = [(1, 2), (2, 4)]", "ROWS = [(1, 2)]"),
        py("RATE = 2\nROWS = [(1, 2), (2, 4)]", "ROWS = [(1, 2), (2, 4)]\nRATE = 2"),
        "# coding: utf-7\n" + PY,
        # a new decorator on an old test
        py("def test_double", "@pytest.mark.skip\ndef test_double"),
        py("class TestShop", "@pytest.mark.skip\nclass TestShop"),
        # in place of what was there
        PY + "\n\ndef test_double():\n    pass\n",
        PY + "\n\ndef double(number):\n    return 2\n",
        PY + "\n\ndef sum_up(rows):\n    return 2\n",
        PY + "\n\nsum_up = RATE\n",
        PY + "\n\ndef abs(x):\n    return 2\n",
        PY + "\n    def test_open(self):\n        pass\n",
        PY + "\n    def assertTrue(self, value):\n        pass\n",
        PY + "\n\nclass Shop:\n    pass\n",
        py("import os\n", "import os\nfrom other import wanted\n"),
        py("import os\n", "import os\nfrom other import *\n"),
        py("import os\n", "import os\nimport fake as double\n"),
        py("from shop import Shop, total as sum_up", "from shop import Shop, total as sum_up, fake as sum_up"),
        # what applies by itself
        PY + "\n\n@pytest.fixture(autouse=True)\ndef patched():\n    yield\n",
        PY + "\n\n@pytest.fixture(autouse=not 0)\ndef patched():\n    yield\n",
        PY + "\n\n@pytest.fixture(**OPTIONS)\ndef patched():\n    yield\n",
        PY + "\n\n@pytest.fixture(name='shop')\ndef patched():\n    yield\n",
        PY + "\n\ndef setup_module():\n    pass\n",
        PY + "\n\ndef setUpModule():\n    pass\n",
        PY + "\n\ndef load_tests(loader, tests, pattern):\n    return tests\n",
        PY + "\n\ndef pytest_generate_tests(metafunc):\n    pass\n",
        PY + "\n\npytestmark = pytest.mark.skip\n",
        PY + "\n\n__test__ = False\n",
        PY + "\n    def setUp(self):\n        pass\n",
        PY + "\n    @classmethod\n    def setUpClass(cls):\n        pass\n",
        PY + "\n    __test__ = False\n",
        PY + "\n    failureException = KeyError\n",
        py("import os\n", "import os\nfrom other import setup_module\n"),
        # statements with effects
        PY + "\n\nShop.total = None\n",
        PY + "\n\nsetattr(Shop, 'total', None)\n",
        PY + "\n\nMORE = setattr(Shop, 'total', None)\n",
        PY + "\n\nfor name in dir(Shop):\n    pass\n",
        PY + "\n\ndel RATE\n",
        PY + "\n\ndef test_more(x=setattr(Shop, 'total', None)):\n    pass\n",
        PY + "\n\n@Shop.patch\ndef test_more():\n    pass\n",
        PY + "\n\nclass TestMore:\n    Shop.total = None\n",
        PY + "\n\nclass TestMore(metaclass=Shop):\n    pass\n",
    ],
)  # fmt: skip
def test_whatever_reaches_a_test_that_was_there_is_another_meaning(new: str) -> None:
    assert compare_tests(PY, new, "tests/test_shop.py") is Meaning.OTHER


def test_the_test_tool_itself_may_be_imported() -> None:
    old = "from shop import a\n\n\ndef test_a():\n    assert a\n"
    new = f"import pytest\n{old}\n\n@pytest.fixture\ndef b():\n    return 1\n\n\ndef test_b(b):\n    assert b\n"
    assert compare_tests(old, new, "test_a.py") is Meaning.ADDS


def test_a_relative_import_of_a_moved_file_is_known_by_where_it_leads() -> None:
    old, new = "from .shop import a\n", "from ..shop import a\n"
    assert compare_tests(old, new, "tests/test_a.py", "tests/unit/test_a.py") is Meaning.SAME
    assert compare_tests(old, old, "tests/test_a.py", "tests/unit/test_a.py") is Meaning.OTHER


def test_examples_in_a_docstring_may_be_run_and_count() -> None:
    assert compare_tests('"""\n>>> 1\n1\n"""\n', "", "test_a.py") is Meaning.OTHER


JS = """import test from 'node:test';
import assert from 'node:assert';
import { slug } from '../words.js';

const RATE = 2;

function twice(x) {
  return RATE * x; // two times
}

test('joins words', () => {
  assert.equal(slug('A b'), 'a-b');
});

describe("shop", () => {
  beforeEach(() => reset());

  it("opens", async () => {
    expect(twice(`a  ${1}`)).toBe(2);
  });
});
"""
GO = """package words

import "testing"

var rows = []int{1, 2}

// Slug joins.
func TestSlug(t *testing.T) {
\tif Slug("A b") != "a-b" {
\t\tt.Fatal(len(rows))
\t}
}
"""
RUST = """use words::slug;

#[test]
fn joins() {
    assert_eq!(slug("A b"), "a-b");
}

#[cfg(test)]
mod more {
    use super::*;

    fn text() -> &'static str { "A" }

    #[test]
    fn keeps() { assert_eq!(slug(text()), "a"); }
}
"""
TEXTS = {"test/a.test.js": JS, "test/a.test.ts": JS, "words_test.go": GO, "tests/words.rs": RUST}
SCRIPTS = ("test/a.test.js", "test/a.test.ts")


def of_scripts(*pairs: tuple[str, str]) -> list[tuple[str, str, str]]:
    return [(path, old, new) for path in SCRIPTS for old, new in pairs]


def replaced(path: str, old: str, new: str) -> str:
    """``new`` in place of ``old``; behind the last line where ``old`` is empty."""
    text = TEXTS[path]
    assert old in text
    return text.replace(old, new) if old else text + new


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        *of_scripts(
            (" // two times", ""),
            ("'A b'", '"A b"'),
            ("slug('A b'), 'a-b')", "\n    slug('A b'),\n    'a-b',\n  )"),
            ("const RATE = 2;", "const RATE = 2"),
            (JS[: JS.index("\n\nconst")], "\n".join(reversed(JS[: JS.index("\n\nconst")].split("\n")))),
        ),
        ("words_test.go", "// Slug joins.", "// Slug joins words."),
        ("words_test.go", "[]int{1, 2}", "[]int{\n\t1,\n\t2,\n}"),
        ("words_test.go", 'import "testing"', 'import (\n\t"testing"\n)'),
        ("tests/words.rs", 'slug("A b"), "a-b");', '\n        slug("A b"),\n        "a-b"\n    );'),
        ("tests/words.rs", "use words::slug;", "use words::{slug};"),
    ],
)  # fmt: skip
def test_layout_means_nothing_in_other_languages(path: str, old: str, new: str) -> None:
    assert compare_tests(TEXTS[path], replaced(path, old, new), path) is Meaning.SAME


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        *of_scripts(
            ("", "test('more', () => assert.ok(slug('x')));"),
            ("", "test.each([[1], [2]])('row %s', (row) => { assert.ok(row) });"),
            ("", "describe('more', () => { beforeEach(() => start()); it('opens', () => {}); });"),
            ('  it("opens"', '  it("closes", () => {});\n\n  it("opens"'),
            ("import { slug }", "import { slug, title }"),
            ("const RATE = 2;", "const RATE = 2;\nconst MORE = [-1, new Date(3), (x) => slug(x)];"),
            ("const RATE = 2;", "const RATE = 2;\nconst { join } = require('node:path');"),
            ("", "function thrice(x) { return slug(x); }"),
        ),
        ("words_test.go", "", "func TestMore(t *testing.T) { t.Log(Slug(\"x\")) }\n"),
        ("words_test.go", "", "type pair struct{ a, b string }\n\nvar pairs = []pair{{\"a\", \"b\"}}\n"),
        ("words_test.go", 'import "testing"', 'import (\n\t"strings"\n\t"testing"\n)'),
        ("tests/words.rs", "", "#[test]\n#[should_panic(expected = \"x\")]\nfn panics() { panic!(\"x\") }\n"),
        ("tests/words.rs", "    fn text()", "    #[test]\n    fn empties() { slug(\"\"); }\n\n    fn text()"),
        ("tests/words.rs", "use words::slug;", "use words::{slug, title};"),
    ],
)  # fmt: skip
def test_new_tests_are_additions_in_other_languages(path: str, old: str, new: str) -> None:
    assert compare_tests(TEXTS[path], replaced(path, old, new), path) is Meaning.ADDS


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        *of_scripts(
            ("'a-b'", "'A b'"),
            ("`a  ${1}`", "`a ${1}`"),
            ("test('joins words', () => {", "test.skip('joins words', () => {"),
            ("", "test.only('more', () => {});"),
            ("", "test('more', { only: true }, () => {});"),
            ("", "test('joins words', () => {});"),
            ("", "beforeEach(() => repair());"),
            ('  it("opens"', '  beforeAll(() => repair());\n\n  it("opens"'),
            ("", "jest.mock('../words.js');"),
            ("", "words.slug = null;"),
            ("", "const MORE = repair();"),
            ("", "function assert() {}"),
            ("", "import '../repair.js';"),
            ("", "import { twice as slug } from '../repair.js';"),
            ("'../words.js'", "'../other.js'"),
            ("import test", "// @jest-environment ./fake.js\nimport test"),
            ("describe(", "describe.skip("),
            ("", "test('broken"),
        ),
        ("words_test.go", '"a-b"', '"A b"'),
        ("words_test.go", "{1, 2}", "{1, 2, 3}"),
        ("words_test.go", "package words", "//go:build ignore\n\npackage words"),
        ("words_test.go", "package words", "package words_test"),
        ("words_test.go", "", "func init() {}\n"),
        ("words_test.go", "", "func TestMain(m *testing.M) {}\n"),
        ("words_test.go", "", "func len(x []int) int { return 2 }\n"),
        ("words_test.go", "", "func (w Word) String() string { return \"\" }\n"),
        ("words_test.go", "", "var repaired = repair()\n"),
        ("words_test.go", "", "var _ = 1\n"),
        ("words_test.go", 'import "testing"', 'import (\n\t_ "example.com/repair"\n\t"testing"\n)'),
        ("words_test.go", "func TestSlug", "func testSlug"),
        ("tests/words.rs", '"a-b"', '"A b"'),
        ("tests/words.rs", "#[test]\nfn joins", "#[test]\n#[ignore]\nfn joins"),
        ("tests/words.rs", "#[test]\nfn joins", "fn joins"),
        ("tests/words.rs", "use words::slug;", "#![cfg(windows)]\nuse words::slug;"),
        ("tests/words.rs", "", "fn slug(text: &str) -> String { String::new() }\n"),
        ("tests/words.rs", "    fn text()", "    fn slug(text: &str) -> String { String::new() }\n\n    fn text()"),
        ("tests/words.rs", "", "macro_rules! assert_eq { ($($x:tt)*) => {} }\n"),
        ("tests/words.rs", "", "#[ctor::ctor]\nfn repair() {}\n"),
        ("tests/words.rs", "", "use other::*;\n"),
        ("tests/words.rs", "", "mod repair;\n"),
        ("tests/words.rs", "#[cfg(test)]", "#[cfg(windows)]"),
    ],
)  # fmt: skip
def test_whatever_reaches_an_old_test_is_another_meaning_in_other_languages(path: str, old: str, new: str) -> None:
    assert compare_tests(TEXTS[path], replaced(path, old, new), path) is Meaning.OTHER


PLAIN = """'use strict'
const assert = require('assert')
const format = require('../')

setTimeout(function () { assert.equal(format('late'), 'late') }, 10)
assert.equal(format('%s', ['a']), 'a')
"""


@pytest.mark.parametrize(
    "line",
    [
        "assert.equal(format('%d', [1]), '1')",
        "require('assert').strictEqual(require('../index.js').initials('ada lovelace'), 'AL')",
        "assert(format('') === '')\nassert.deepEqual(format('ab').length, 2)",
        "assert.throws(() => format(null), TypeError)",
        "assert.equal(format(['deleted', 'exit'])['length'], -1 + 3)",
        "assert.ok(/a+/.test(`${format('a')}`), 'a text')",
    ],
)
def test_an_assertion_behind_the_last_of_a_plain_script_is_an_addition(line: str) -> None:
    assert compare_tests(PLAIN, f"{PLAIN}{line}\n", "test/index.js") is Meaning.ADDS


@pytest.mark.parametrize(
    "line",
    [
        "process.exit(0)",
        "assert.ok(process.exit(0))",
        "assert.ok(!process.exit(0))",
        "assert.ok(setTimeout(format, 0))",
        "assert.ok(assert.equal = format)",
        "assert.ok(assert.equal(1, 1))",
        "assert.ok(Object.assign(assert, {}))",
        "assert.ok(delete assert.equal)",
        "assert.ok(format.constructor('return process')())",
        "assert.ok(format['constructor']('x'))",
        "assert.ok(format['const' + 'ructor']('x'))",
        "assert.ok(require.cache)",
        "assert.ok(require('fs').rmSync('a'))",
        "assert.ok(require('./quiet'))",
        "assert.ok(require('../test/quiet.js'))",
        "assert.ok(require('../../elsewhere'))",
        "assert.ok((() => { process.exit(0) })())",
        "assert.ok(unknown())",
        "assert.ok(require(format))",
        "format('%s', ['a'])",
        "assert.rejects(format)",
        "other.equal(1, 1)",
    ],
)
def test_what_does_more_than_assert_is_another_meaning(line: str) -> None:
    assert compare_tests(PLAIN, f"{PLAIN}{line}\n", "test/index.js") is Meaning.OTHER


def test_an_assertion_before_others_is_another_meaning() -> None:
    """It could throw before the rest is asked, in the hand of who expects a failure."""
    added = PLAIN.replace("assert.equal(format('%s'", "assert.ok(format('a'))\nassert.equal(format('%s'")
    assert compare_tests(PLAIN, added, "test/index.js") is Meaning.OTHER


def test_a_module_that_a_moved_script_loads_is_known_by_where_it_leads() -> None:
    moved = JS.replace("'../words.js'", "'../../words.js'")
    assert compare_tests(JS, moved, "test/a.test.js", "test/unit/a.test.js") is Meaning.SAME
    assert compare_tests(JS, JS, "test/a.test.js", "test/unit/a.test.js") is Meaning.OTHER


def test_a_language_that_is_not_read_is_not_known() -> None:
    assert compare_tests("a", "a ", "test_a.rb") is Meaning.OTHER
    assert compare_tests("a = '\ufffd'\n", "a  = '\ufffd'\n", "test_a.py") is Meaning.OTHER


BATS = """#!/usr/bin/env bats
load test_helper

setup() {
  source lib/words.bash
}

@test "joins  words" {
  run slug "A  b"
  [ "$output" = 'a-b' ]
  read -r first <<< "$output"
}
"""
MORE = '\n@test "one word" {\n  run slug "A"\n  [ "$output" = a ]\n}\n'


def bats(old: str, new: str) -> str:
    assert old in BATS
    return BATS.replace(old, new)


@pytest.mark.parametrize(
    ("new", "meaning"),
    [
        (bats("setup() {\n  source", "# before each\nsetup()  {\n\n    source"), Meaning.SAME),
        (BATS.replace("\n", "\r\n"), Meaning.SAME),
        (BATS + "\n# the end\n", Meaning.SAME),
        (BATS + MORE, Meaning.ADDS),
        (bats('\n@test "joins', MORE + '\n@test "joins'), Meaning.ADDS),
        (BATS + "rows=3\nfresh() {\n  mktemp -d\n}\n" + MORE, Meaning.ADDS),
        (bats('"A  b"', '"A b"'), Meaning.OTHER),
        (bats("'a-b'", "'a-c'"), Meaning.OTHER),
        (bats("joins  words", "joins words"), Meaning.OTHER),
        (bats("  [ \"$output\" = 'a-b' ]\n", ""), Meaning.OTHER),
        (bats('<<< "$output"', '<<<  "$output"'), Meaning.SAME),
        (bats('  run slug "A  b"', "  skip\n" + '  run slug "A  b"'), Meaning.OTHER),
        (bats("load test_helper", "load test_helper &"), Meaning.OTHER),
        (bats("load test_helper", "load test_helper\nload other"), Meaning.OTHER),
        (bats("load test_helper", "# bats file_tags=slow\nload test_helper"), Meaning.OTHER),
        (bats("#!/usr/bin/env bats", "#!/usr/bin/env other"), Meaning.OTHER),
        (BATS + MORE.replace("one word", "joins  words"), Meaning.OTHER),
        (BATS + "teardown() {\n  :\n}\n", Meaning.OTHER),
        (BATS + "slug() {\n  echo a-b\n}\n", Meaning.OTHER),
        (BATS + "PATH=.\n", Meaning.OTHER),
        (BATS + "rows=$(touch a)\n", Meaning.OTHER),
        (BATS + "exit 0\n", Meaning.OTHER),
        (BATS + '@test "open" {\n', Meaning.OTHER),
    ],
)
def test_bats_files_are_compared_by_what_they_ask(new: str, meaning: Meaning) -> None:
    assert compare_tests(BATS, new, "tests/words.bats") is meaning


def test_a_shell_file_in_another_folder_is_another_one() -> None:
    assert compare_tests(BATS, BATS, "tests/words.bats", "tests/slug.bats") is Meaning.SAME
    assert compare_tests(BATS, BATS, "tests/words.bats", "words.bats") is Meaning.OTHER


TEST = "def test_a(monkeypatch):\n    text = read(1)\n    assert text == 1\n    for row in [1]:\n        assert row\n"


@pytest.mark.parametrize(
    ("old", "new", "meaning"),
    [
        ("    assert text", "    assert text != 2\n    assert text", Meaning.ADDS),
        ("    text = read(1)\n", "    text = read(2)\n    assert text == 2\n    text = read(1)\n", Meaning.ADDS),
        ("        assert row\n", "        assert row\n        assert row == 1\n", Meaning.ADDS),
        ("def test_a(monkeypatch)", "def test_a(monkeypatch: object) -> None", Meaning.ADDS),
        ("    assert text", "    text = 1\n    assert text", Meaning.OTHER),
        ("    text = read(1)\n", "    read = int\n    text = read(1)\n", Meaning.OTHER),
        ("    text = read(1)\n", "    return\n    text = read(1)\n", Meaning.OTHER),
        ("    text = read(1)\n", "    skip()\n    text = read(1)\n", Meaning.OTHER),
        ("    text = read(1)\n", "    monkeypatch.setattr('a.read', int)\n    text = read(1)\n", Meaning.OTHER),
        ("    text = read(1)\n", "    row.x = 1\n    text = read(1)\n", Meaning.OTHER),
        ("    assert text == 1\n", "", Meaning.OTHER),
        ("for row in [1]", "for row in []", Meaning.OTHER),
    ],
)
def test_a_test_may_ask_for_more_and_for_no_less(old: str, new: str, meaning: Meaning) -> None:
    assert old in TEST
    assert compare_tests(TEST, TEST.replace(old, new, 1), "t.py") is meaning


def test_rows_may_come_where_a_test_only_goes_through_them() -> None:
    loop = "def test_a():\n    rows = [1]\n    for row in rows:\n        assert row\n"
    assert compare_tests(loop, loop.replace("[1]", "[1, 2]"), "t.py") is Meaning.ADDS
    assert compare_tests(loop, loop.replace("[1]", "[2]"), "t.py") is Meaning.OTHER
    compared = "def test_a():\n    rows = [1]\n    assert read() == rows\n"
    assert compare_tests(compared, compared.replace("[1]", "[1, 2]"), "t.py") is Meaning.OTHER
