"""Tests that expect something else are plain copies of the real ones, each with one expectation changed. covers: T8"""

from __future__ import annotations

import ast

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
