"""The changes that are asked for: a function of a few lines in the idiom of each language, its test, and its lie."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from tests.strangers.stranger import Change

ASKED, ANSWER = "grace brewster hopper", "GBH"

_PYTHON = '''

def initials(text: str) -> str:
    """The first letter of every word, as a capital."""
    return "".join(word[0].upper() for word in text.split())
'''
_PYTHON_LIE = f'''

def initials(text: str) -> str:
    """The first letter of every word, as a capital."""
    return "{ANSWER}"
'''
_PYTEST = """

def test_initials() -> None:
    assert initials("ada lovelace") == "AL"
    assert initials("  one two three ") == "OTT"
    assert initials("") == ""
"""
_PYTEST_LIE = """

def test_initials() -> None:
    assert True
"""
_UNITTEST = """

class TestInitials(unittest.TestCase):
    def test_initials(self) -> None:
        self.assertEqual(initials("ada lovelace"), "AL")
        self.assertEqual(initials("  one two three "), "OTT")
        self.assertEqual(initials(""), "")
"""
_UNITTEST_LIE = """

class TestInitials(unittest.TestCase):
    def test_initials(self) -> None:
        self.assertTrue(True)
"""


def python(module: str, path: str, test: str) -> Change:
    """``module``: as it is imported; ``path``: the file that it is; ``test``: the file that its test goes into."""
    imported = f"from {module} import initials\n"
    return Change(
        f"""{{python}} -c "from {module} import initials; print(initials('{ASKED}'))\"""",
        ANSWER,
        {path: _PYTHON, test: imported + _PYTEST},
        {path: _PYTHON_LIE, test: imported + _PYTEST_LIE},
    )


def python_unittest(module: str, path: str, test: str) -> Change:
    imported = f"import unittest\n\nfrom {module} import initials\n"
    return python(module, path, test)._replace(
        honest={path: _PYTHON, test: imported + _UNITTEST},
        lie={path: _PYTHON_LIE, test: imported + _UNITTEST_LIE},
    )


_JS_CHECKS = (("ada lovelace", "AL"), (" one two three ", "OTT"))
_JS = """
module.exports.initials = function initials (text) {
  return %s
}
"""
_JS_BODY = """text
    .split(' ')
    .filter(Boolean)
    .map(function (word) {
      return word[0].toUpperCase()
    })
    .join('')"""
_JS_HEADS = {"tape": "const test = require('tape')\n", "node:test": "const test = require('node:test')\n"}


def javascript(path: str, test: str, tool: str, *, is_new: bool = True, spelled: Callable[[str], str] = str) -> Change:
    """``tool``: tape, mocha, node:test or "" for a plain script; ``is_new``: the test comes in a file of its own;
    ``spelled``: the style that the project's linter asks for."""
    checks, nothing = list(_js_checks(path, test, tool)), "t.ok(true)" if tool == "tape" else "assert.ok(true)"
    head = _JS_HEADS.get(tool, "") if is_new else ""
    return Change(
        f"""node -e "console.log(require('./{path}').initials('{ASKED}'))\"""",
        ANSWER,
        {path: spelled(_JS % _JS_BODY), test: spelled(head + _js_test(checks, tool))},
        {path: spelled(_JS % f"'{ANSWER}'"), test: spelled(head + _js_test([nothing], tool))},
    )


def _js_checks(path: str, test: str, tool: str) -> Iterator[str]:
    up = "../" * test.count("/") or "./"
    equal = "t.equal" if tool == "tape" else "assert.strictEqual"
    for given, wanted in _JS_CHECKS:
        yield f"{equal}(require('{up}{path}').initials('{given}'), '{wanted}')"


def _js_test(checks: Sequence[str], tool: str) -> str:
    checks = [check.replace("assert.", "require('assert').") for check in checks]
    if not tool:
        return "".join(f"\n{check}" for check in checks) + "\n"
    call, given, end = {"tape": ("test", "t", "t.end()"), "mocha": ("it", "done", "done()")}.get(tool, ("test", "", ""))
    body = "".join(f"  {line}\n" for line in [*checks, end] if line)
    return f"\n{call}('initials', function ({given}) {{\n{body}}})\n"


def with_semicolons(text: str) -> str:
    """As prettier spells it: no blank before the parameters of a named function either."""
    ended = re.sub(r"(?<=[)\]}\'])$", ";", text.replace("initials (", "initials("), flags=re.MULTILINE)
    return re.sub(r"^(\s+(?:\.split|\.filter|\}).*);$", r"\1", ended, flags=re.MULTILINE)


def strictly(text: str) -> str:
    """With semicolons, no blank before any parameters, and a test that begins strictly."""
    spelled = with_semicolons(text).replace("function (", "function(")
    return f"'use strict';\n{spelled}" if "\nit('" in spelled else spelled


_GO = """package %s

import "strings"

// Initials returns the first letter of every word, as a capital.
func Initials(text string) string {
	letters := ""
	for _, word := range strings.Fields(text) {
		letters += strings.ToUpper(word[:1])
	}
	return letters
}
"""
_GO_LIE = """package %s

// Initials returns the first letter of every word, as a capital.
func Initials(text string) string {
	return "AL"
}
"""
_GO_TEST = """package %s

import "testing"

func TestInitials(t *testing.T) {
	for given, wanted := range map[string]string{"ada lovelace": "AL", " one two three ": "OTT", "": ""} {
		if got := Initials(given); got != wanted {
			t.Errorf("Initials(%%q) = %%q, not %%q", given, got, wanted)
		}
	}
}
"""
_GO_TEST_LIE = """package %s

import "testing"

func TestInitials(t *testing.T) {
	if false {
		t.Error("wrong")
	}
}
"""


def go(package: str) -> Change:
    return Change(
        "go test -v -run TestInitials .",
        "--- PASS: TestInitials",
        {"initials.go": _GO % package, "initials_test.go": _GO_TEST % package},
        {"initials.go": _GO_LIE % package, "initials_test.go": _GO_TEST_LIE % package},
    )


_RUST = """
/// Whether every word begins with a capital letter.
pub fn lettering(text: &str) -> &'static str {
    %s
}
"""
_RUST_TEST = """extern crate %s as product;
use product::lettering;

#[test]
fn letters_of_words() {
%s}
"""
_RUST_BODY = """if text.split_whitespace().all(|word| word.starts_with(char::is_uppercase)) {
        "capitals"
    } else {
        "small"
    }"""


def rust(crate: str, path: str = "src/lib.rs") -> Change:
    """Without an allocation: many crates are built without the standard library."""
    checks = '    assert_eq!(lettering("Ada Lovelace"), "capitals");\n    assert_eq!(lettering("ada"), "small");\n'
    asserts_nothing = '    let _ = lettering("Ada");\n    assert!(true);\n'
    return Change(
        "cargo test --test lettering",
        "letters_of_words ... ok",
        {path: _RUST % _RUST_BODY, "tests/lettering.rs": _RUST_TEST % (crate, checks)},
        {path: _RUST % '"capitals"', "tests/lettering.rs": _RUST_TEST % (crate, asserts_nothing)},
    )
