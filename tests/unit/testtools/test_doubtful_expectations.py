"""Expectations that the product has a hand in: changed one by one, and settled before they are held against it.
covers: T8"""

from __future__ import annotations

import ast
import difflib

import pytest

from autopilot.testtools.expectations.doubtful import Asking, DoubtfulTests, asking_of, change_doubtful

BOTH = Asking(catches=True, compares=True)
SCRIPT = b"""import test from "node:test";
test("keeps what is put", async () => {
  await withStore(async (store) => {
    store.put("a", 1);
    assert.equal(store.get("a"), 1);
  });
});
test("adds money", () => {
  assert.ok(add(1).equals(new Money(400, "EUR")));
});
test("is about errors", () => {
  assert.throws(() => { assert.equal(f(), 1); });
  try { use((x) => { assert.equal(x, 1); }); } catch {}
  setTimeout(() => { assert.equal(f(), 1); });
});
test("is about equality", () => {
  assert.ok(new Money(1, "EUR").equals(new Money(1, "EUR")));
});
"""
PYTHON = b"""def test_keeps():
    def use(store):
        store.put("a", 1)
        assert store.get("a") == 1

    with_store(use)


def test_marked():
    @bus.on("sold")
    def sold(price):
        assert price == 3

    bus.send("sold", 3)


def test_adds_money():
    assert Money(1, "EUR").add(Money(2, "EUR")) == Money(3, currency="EUR")


class TestMoney(TestCase):
    def test_method(self):
        self.assertEqual(total([1]), Money(3, "EUR"))


def test_beside():
    def work():
        assert total([1]) == 1

    Thread(target=work).start()
    assert Money(1) == Money(1)
"""
GO = b"""package shop

import "testing"

func TestAdd(t *testing.T) {
	got := Money{150, "EUR"}.Add(Money{250, "EUR"})
	if want := (Money{400, "EUR"}); !got.Equal(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestEqual(t *testing.T) {
	a := Money{1, "EUR"}
	b := &Money{1, "EUR"}
	if !a.Equal(*b) || !b.Equal(a) {
		t.Error("no")
	}
	if !a.Equal(Money{1, "EUR"}) {
		t.Error("no")
	}
}
"""


def change(path: str, text: bytes, number: int = 0, asking: Asking = BOTH) -> DoubtfulTests:
    found = change_doubtful(path, text, number, "a commit", asking)
    assert found is not None
    return found


def changed_lines(old: bytes, new: bytes) -> list[str]:
    lines = difflib.ndiff(old.decode().splitlines(), new.decode().splitlines())
    return [line[2:].strip() for line in lines if line.startswith("+ ")]


@pytest.mark.parametrize(
    ("path", "text", "tests"),
    [
        ("store.test.js", SCRIPT, {"keeps what is put", "adds money"}),
        ("test_store.py", PYTHON, {"test_keeps", "test_marked", "test_adds_money", "TestMoney.test_method"}),
        ("shop_test.go", GO, {"TestAdd"}),
    ],
)
def test_only_what_the_product_calls_or_compares_is_changed(path: str, text: bytes, tests: set[str]) -> None:
    assert set(change(path, text).doubts) == tests


def test_each_literal_of_an_expected_object_has_its_turn() -> None:
    first, second = (change("shop_test.go", GO, number).text for number in (0, 1))
    assert [line.split()[-5:-3] != [] for line in changed_lines(GO, first)] == [True]
    assert b'400, "EUR"})' in first
    assert b'{400, "EUR"})' not in first
    assert b'{400, "EUR' in second
    assert b'{400, "EUR"})' not in second
    assert change_doubtful("shop_test.go", GO, 2, "a commit", BOTH) is None


@pytest.mark.parametrize(
    ("path", "text", "test", "line"),
    [
        ("a.test.js", SCRIPT, "keeps what is put", 'process.reallyExit(97); assert.equal(store.get("a"), 1);'),
        ("a.test.js", SCRIPT, "adds money", 'assert.deepStrictEqual(add(1), new Money(400, "EUR"));'),
        ("test_a.py", PYTHON, "test_keeps", "__import__('os')._exit(97)"),
        ("a_test.go", GO, "TestAdd", 'import content "reflect"'),
    ],
)
def test_a_survivor_is_settled_at_its_place(path: str, text: bytes, test: str, line: str) -> None:
    assert line in changed_lines(text, change(path, text).settling(test))


def test_what_settles_python_tests_is_python() -> None:
    found = change("test_store.py", PYTHON)
    for test in found.doubts:
        ast.parse(found.settling(test))
    ast.parse(found.text)


def test_content_is_compared_whatever_a_class_says() -> None:
    found = change("test_store.py", PYTHON).settling("test_adds_money").decode()
    lax = "class Money:\n    def __init__(self, cents, currency):\n        self.cents = cents\n\n"
    lax += "    def __eq__(self, other):\n        return True\n\n    def add(self, other):\n        return self\n\n"
    space: dict[str, object] = {"TestCase": object, "Thread": object}
    exec(compile(lax + found, "a test", "exec"), space)
    test = space["test_adds_money"]
    assert callable(test)
    with pytest.raises(AssertionError):
        test()


def test_a_test_that_expects_more_elsewhere_says_so() -> None:
    text = PYTHON.replace(b"    with_store(use)\n", b"    assert with_store(use) == 3\n")
    assert not change("test_store.py", text).doubts["test_keeps"].is_all
    assert change("test_store.py", PYTHON).doubts["test_keeps"].is_all


@pytest.mark.parametrize(
    ("line", "catches", "compares"),
    [
        ("    except Exception:", True, False),
        ("  } catch (problem) {", True, False),
        ("    def __eq__(self, other):", False, True),
        ("func (m Money) Equal(other Money) bool {", False, True),
        ("  equals(other) {", False, True),
        ("    return a + b", False, False),
    ],
)
def test_nothing_is_asked_of_code_that_neither_catches_nor_compares(
    line: str, *, catches: bool, compares: bool
) -> None:
    assert asking_of([line]) == Asking(catches, compares)
    only_calls = Asking(catches=True, compares=False)
    assert set(change("test_store.py", PYTHON, asking=only_calls).doubts) == {"test_keeps", "test_marked"}
