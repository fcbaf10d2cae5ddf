"""Tests that expect something else are plain copies of the real ones, each with one expectation changed. covers: T8"""

from __future__ import annotations

import ast
import re

import pytest

from autopilot.testtools.expectations.expectation import change_expectations

PYTHON = b'''import unittest
import pytest
from shop import total

ROWS = [(1, 2)]


def test_values():
    """Of all kinds."""
    assert total([1]) == {"sum": [1, -2]}, "a message"
    assert total([]) == []
    assert "sum" in total([3])
    assert total([4]) is None
    with pytest.raises(ValueError, match="empty"):
        total(None)
    for given, wanted in ROWS:
        assert total(given) == wanted


class TestTotals(unittest.TestCase):
    def test_methods(self):
        self.assertEqual(total([1]), "one")
        self.assertTrue(total([2]))
        with self.assertRaises(KeyError):
            total([3])
'''
SCRIPT = b"""import test from "node:test";
test("adds up", () => {
  assert.equal(add(1, 2), 3);
  assert.deepEqual(add([1]), { a: [1, -2], b: "x" });
  assert(add(1));
  assert.throws(() => add());
});
describe("a group", () => {
  it("waits", async () => {
    await expect(later()).resolves.toEqual(value);
    expect(add(1)).toBe("one");
  });
});
"""
GO = b"""package shop

import "testing"

func TestTotal(t *testing.T) {
	tests := []struct{ in, want int }{{in: 1, want: 2}}
	for _, tt := range tests {
		if got := Total(tt.in); got != tt.want {
			t.Errorf("no")
		}
	}
	got, err := Parse("x")
	if err != nil {
		t.Fatal(err)
	}
	if got != "y" {
		t.Errorf("no")
	}
}
"""
RUST = b"""#[cfg(test)]
mod tests {
    #[test]
    fn adds() {
        assert_eq!(add(1, 2), vec![2, 3]);
        assert_eq!(name("a,b"), "x".to_string(), "a message {}", 1);
        assert!(add(1, 1).is_empty());
        assert_eq!(first(&[1]), Some(7));
    }
}
"""
BATS = b"""@test "adds" {
  run add 1 2
  [ "$status" -eq 0 ]
  [ "$output" = "3" ]
  if slow; then
    [ "$a" = "b" ]
  fi
}
"""


def changed_lines(path: str, text: bytes) -> list[str]:
    """The lines that differ, over all rounds until there is nothing left to change."""
    lines: list[str] = []
    for number in range(20):
        changed = change_expectations(path, text, number, "a commit")
        if changed is None:
            return lines
        pairs = zip(text.decode().splitlines(), changed.text.decode().splitlines(), strict=True)
        differing = [new.strip() for old, new in pairs if old != new]
        assert len(differing) == len(changed.tests), "one expectation of each test"
        lines += differing
    raise AssertionError("it never ends")


def test_every_expectation_of_a_python_test_has_its_turn() -> None:
    lines = changed_lines("tests/test_shop.py", PYTHON)
    assert len(lines) == 9
    assert "assert not (total([4]) is None)" in lines
    assert "assert not (total(given) == wanted)" in lines
    assert 'with pytest.raises(UnicodeTranslateError, match="empty"):' in lines
    assert "self.assertFalse(total([2]))" in lines
    assert [line for line in lines if line.startswith("assert total([]) == [")] != ["assert total([]) == []"]


def test_what_is_changed_is_still_python() -> None:
    for number in range(6):
        changed = change_expectations("test_shop.py", PYTHON, number, "a commit")
        assert changed is not None
        ast.parse(changed.text)
        assert set(changed.tests) <= {"test_values", "TestTotals.test_methods"}


def test_every_expectation_of_a_script_has_its_turn() -> None:
    lines = changed_lines("test/add.test.js", SCRIPT)
    assert len(lines) == 6
    assert {"assert(!(add(1)));", "assert.doesNotThrow(() => add());"} <= set(lines)
    assert "await expect(later()).resolves.not.toEqual(value);" in lines


@pytest.mark.parametrize(
    ("path", "text", "number", "part"),
    [
        ("total_test.go", GO, 3, "if err == nil {"),
        ("src/lib.rs", RUST, 4, "assert!(!(add(1, 1).is_empty()));"),
        ("add.bats", BATS, 2, '[ "$status" -eq '),
    ],
)
def test_other_languages_say_what_they_expect_too(path: str, text: bytes, number: int, part: str) -> None:
    lines = changed_lines(path, text)
    assert len(lines) == number
    assert [line for line in lines if line.startswith(part)]


GO_ERRORS = """package shop

import (
	"errors"
	"testing"
)

func TestGone(t *testing.T) {
	rows := []struct {
		in      string
		wantErr error
		odd     error
	}{{in: "a", wantErr: ErrGone, odd: ErrOdd}}
	for _, row := range rows {
		if err := Find(row.in); !errors.Is(err, row.wantErr) {
			t.Errorf("got %v", err)
		}
	}
	CHECK
}
"""


@pytest.mark.parametrize(
    ("check", "other"),
    [
        ("if !errors.Is(err, ErrGone) {\n\t\tt.Error(err)\n\t}", r'if !errors.Is\(err, errors.New\("\w+"\)\) {'),
        (
            "if err == nil || !errors.Is(err, io.EOF) {\n\t\tt.Error(err)\n\t}",
            r'if err == nil \|\| !errors.Is\(err, errors.New\("\w+"\)\) {',
        ),
        (
            "if err := f(); !errors.As(err, &gone) {\n\t\tt.Error(err)\n\t}",
            r"if err := f\(\); !errors.As\(err, func\(interface{}\) interface{} "
            r"{ return new\(interface{ [A-Z]\w+\(\) }\) }\(&gone\)\) {",
        ),
        ("require.ErrorIs(t, err, ErrGone)", r'require.ErrorIs\(t, err, errors.New\("\w+"\)\)'),
        # Of another sense, or not for every run.
        ("if !errors.Is(err, nil) {\n\t\tt.Error(err)\n\t}", ""),
        ("if errors.Is(err, ErrGone) {\n\t\tt.Error(err)\n\t}", ""),
        ("if slow && !errors.Is(err, ErrGone) {\n\t\tt.Error(err)\n\t}", ""),
        ("if !errors.Is(err, ErrGone) {\n\t\tt.Log(err)\n\t}", ""),
    ],
)
def test_go_tests_look_for_another_error(check: str, other: str) -> None:
    """The field of the row by which errors are compared, and what is looked for outside of the table."""
    row, *others = changed_lines("gone_test.go", GO_ERRORS.replace("CHECK", check).encode())
    if not row.startswith("}{{in"):
        row, others = others[0], [row]
    assert re.fullmatch(r'}{{in: "a", wantErr: errors.New\("\w+"\), odd: ErrOdd}}', row)
    assert bool(others) == bool(other)
    assert all(re.fullmatch(other, line) for line in others)


def test_an_error_of_go_cannot_be_every_other_one() -> None:
    """`Is` of a product's own error may agree with all errors that its tests look for."""
    asks = "".join(f"\tif !errors.Is(f(), {name}) {{\n\t\tt.Fatal()\n\t}}\n" for name in ("ErrA", "ErrB", "ErrC"))
    text = f'package a\n\nimport "errors"\n\nfunc TestErrors(t *testing.T) {{\n{asks}}}\n'
    assert "if !(errors.Is(f(), ErrB) && errors.Is(f(), ErrC)) {" in changed_lines("a_test.go", text.encode())


INLINE = """package a

import "testing"

func TestRows(t *testing.T) {
	for _, tt := range []struct {
		name string
		n    int
		want string
		err  bool
	}{
		{"one", 1, "1", false},
		{"two", 2, "2", false},
		{"bad", -1, "", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Text(tt.n); got != tt.want {
				t.Errorf("got %q", got)
			}
		})
	}
}
"""


def test_each_row_of_a_table_in_a_loop_of_go_expects_something_else_in_turn() -> None:
    """Only rows that end without an error: what such a row wants may never be compared."""
    lines = changed_lines("a_test.go", INLINE.encode())
    assert sorted(re.sub(r"(?<=\d)[a-z]{5}", "x", line) for line in lines) == [
        '{"one", 1, "1x", false},',
        '{"two", 2, "2x", false},',
    ]


def test_a_row_whose_error_is_only_asked_for_is_left_alone() -> None:
    text = GO_ERRORS.replace("!errors.Is(err, row.wantErr)", "(err != nil) != (row.wantErr != nil)")
    assert changed_lines("gone_test.go", text.replace("CHECK", "").encode()) == []


def test_values_come_before_senses() -> None:
    """An equality that is always true survives another value, and no other sense."""
    changed = change_expectations("test_shop.py", b"def test_a():\n    assert f()\n    assert f() == 1\n", 0, "x")
    assert changed is not None
    assert b"assert f()\n" in changed.text


@pytest.mark.parametrize(
    "body",
    [
        "    if fast:\n        assert f() == 1\n",
        "    for row in rows():\n        assert f(row) == 1\n",
        "    if slow:\n        pytest.skip('slow')\n    assert f() == 1\n",
        "    return\n    assert f() == 1\n",
        "    def inner():\n        assert f() == 1\n",
        "    f()\n",
    ],
)
def test_what_a_run_may_never_reach_is_left_alone(body: str) -> None:
    assert change_expectations("test_a.py", f"def test_a():\n{body}".encode(), 0, "x") is None


def test_the_same_commit_gives_the_same_change_and_another_one_another() -> None:
    first, again, other = (change_expectations("test_shop.py", PYTHON, 0, seed) for seed in ("a", "a", "b"))
    assert first == again
    assert first != other


@pytest.mark.parametrize("text", [b"\xff\xfe", b"def test_a(:\n", b"def test_a():\n    assert f() == " + b"(" * 3000])
def test_what_is_no_test_is_left_alone(text: bytes) -> None:
    assert change_expectations("test_a.py", text, 0, "x") is None


def test_a_very_large_number_becomes_another_one() -> None:
    changed = change_expectations("test_a.py", b"def test_a():\n    assert f() == 1e300\n", 0, "x")
    assert changed is not None
    assert b"== 1e+300" not in changed.text
    assert b"== -1e+300" in changed.text


def test_what_a_table_gives_to_a_test_is_something_else_from_its_first_line_on() -> None:
    """Whoever reads the expected value from the caller's variables answers with that, and the test stays green."""
    rows, body = b"@pytest.mark.parametrize('day, wanted', [(1, 2)])\n", b"    assert name(day) == wanted\n"
    text = rows + b"def test_day(day, wanted):\n" + body
    changed = change_expectations("tests/test_day.py", text, 0, "a commit")
    assert changed is not None and changed.tests == ("test_day",)
    _, _, first, second, *_ = changed.text.decode().splitlines()
    assert first.startswith("    wanted = [wanted, ") and second == "    assert name(day) == wanted"


def test_of_two_tests_under_one_name_the_one_that_runs_is_changed() -> None:
    text = b"def test_a():\n    assert f() == 1\n\n\ndef test_a():\n    assert f() == 2\n"
    changed = change_expectations("t.py", text, 0, "seed")
    assert changed is not None and changed.tests == ("test_a",)
    assert changed.text.startswith(text[:36]) and changed.text != text
