"""Constant mutants of Go. covers: T8.M"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autopilot.testtools.mutants.mutant import can_mutate, mutants
from autopilot.text.grammar import Grammar
from autopilot.text.script_tree import flat_tree


def mutate(new: str, old: str | None = None, path: str = "a.go") -> list[str]:
    made = mutants({path: (None if old is None else old.encode(), new.encode())})
    return [mutant.edits[path].decode() for mutant in made]


FUNCTIONS: Sequence[tuple[str, str, str]] = (
    (
        "func F(a int) int { return a }",
        "func F(a int) (mutantResult0 int) { if true { return }; return a }",
        "func F(a int) (mutantResult0 int) { if true { mutantResult0 = 1; return }; return a }",
    ),
    (
        "func F() (string, error) {\n\treturn g()\n}",
        "func F() (mutantResult0 string, mutantResult1 error) { if true { return };\n\treturn g()\n}",
        'func F() (mutantResult0 string, mutantResult1 error) { if true { mutantResult0 = "x"; return };\n'
        "\treturn g()\n}",
    ),
    (
        "func F() (n, m int, ok bool) { n = 2; return }",
        "func F() (n, m int, ok bool) { if true { return }; n = 2; return }",
        "func F() (n, m int, ok bool) { if true { n = 1; m = 1; ok = true; return }; n = 2; return }",
    ),
    (
        "func F() (_ int, s float64) { return 3, 2 }",
        "func F() (_ int, s float64) { if true { return }; return 3, 2 }",
        "func F() (_ int, s float64) { if true { s = 1; return }; return 3, 2 }",
    ),
    (
        "func (c *Cart[T]) F(x T) (T, bool) /* c */ { // why\n\treturn x, true\n}",
        "func (c *Cart[T]) F(x T) (mutantResult0 T, mutantResult1 bool) /* c */ { if true { return }; // why\n"
        "\treturn x, true\n}",
        "",
    ),
    (
        "func F() (\n\t// the count\n\tint, // of all\n\tmap[string][]int,\n) { return 3, nil }",
        "func F() (mutantResult0 int, mutantResult1 map[string][]int) { if true { return }; return 3, nil }",
        "",
    ),
    (
        "func F() bool { return false }",
        "func F() (mutantResult0 bool) { if true { return }; return false }",
        "func F() (mutantResult0 bool) { if true { mutantResult0 = true; return }; return false }",
    ),
)


@pytest.mark.parametrize(("new", "nothing", "true"), FUNCTIONS)
def test_a_function_returns_a_constant_before_its_body_begins(new: str, nothing: str, true: str) -> None:
    first, second = mutate(new)
    assert first == nothing
    assert second == (true or second)
    assert second not in {first, new}


@pytest.mark.parametrize(
    ("new", "nothing"),
    [
        ("func F() { g() }", "func F() { if true { return }; g() }"),
        ("func (c Cart) F() {\n\tg()\n}", "func (c Cart) F() { if true { return };\n\tg()\n}"),
        (
            "func F() *Cart { return &Cart{} }",
            "func F() (mutantResult0 *Cart) { if true { return }; return &Cart{} }",
        ),
        (
            "func F() func(int) (int, error) { return g }",
            "func F() (mutantResult0 func(int) (int, error)) { if true { return }; return g }",
        ),
        ("func F[T any](a ...T) (r T) { r = a[0]; return }", ""),
    ],
)
def test_results_without_another_constant_are_mutated_once(new: str, nothing: str) -> None:
    (only,) = mutate(new)
    assert only == (nothing or only)
    assert only != new


@pytest.mark.parametrize(
    "new",
    [
        "func main() { g() }",
        "func init() { g() }",
        "func F() {}",
        "func F() { /* nothing */ }",
        "func F() error { return nil }",
        "func F() (*Cart, error) { return nil, nil // none\n}",
        "func F(a int) int",
        "func Same(t *testing.T, a, b int) { if a != b { t.Fail() } }",
        "func Must(t testing.TB, err error) bool { return err == nil }",
        "var F = 3",
        "type F interface { G() int }",
    ],
)
def test_nothing_is_mutated_that_a_constant_would_not_change_or_that_belongs_to_the_tests(new: str) -> None:
    assert mutate(new) == []


def test_functions_that_only_moved_are_left_alone() -> None:
    old = "func F() int {\n\treturn 1\n}\n\nfunc G() int { return 2 }\n"
    new = "func G() int { return 3 }\n\nfunc F() int {\n    return 1\n}\n"
    nothing, _ = mutate(new, old)
    assert nothing.startswith("func G() (mutantResult0 int)")
    assert nothing.endswith("func F() int {\n    return 1\n}\n")


def test_what_the_package_needs_while_it_is_being_loaded_is_mutated_last() -> None:
    table = "var table = build()\n\nfunc build() []int { return []int{1} }\n"
    (alone,) = mutate(table)
    assert "func build() (mutantResult0 []int) { if true" in alone
    (both,) = mutate(table + "func F() []int { return table }\n")
    assert "func build() []int { return" in both
    assert "func F() (mutantResult0 []int) { if true" in both


def test_methods_are_named_by_their_type() -> None:
    new = "func (c *Cart) F() int { return 3 }\nfunc (List[K, V]) G() int { return 4 }\nfunc H() int { return 5 }\n"
    nothing, true = mutants({"a.go": (None, new.encode())})
    assert nothing.description == "`Cart.F`, `List.G`, `H` returning zero values"
    assert true.description == "`Cart.F`, `List.G`, `H` returning other constants"


def test_test_files_are_not_mutated() -> None:
    assert can_mutate("pkg/a.go")
    assert not can_mutate("pkg/a_test.go")
    assert mutate("func F() int { return 3 }", path="a_test.go") == []


@pytest.mark.parametrize(
    "new", ["", "\0", "func", "func F() int { return", "{{{", "func F() (int { return 1 }", "\xff"]
)
def test_odd_texts_break_nothing(new: str) -> None:
    assert mutate(new) == [] or all(text != new for text in mutate(new))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([source for source, _, _ in FUNCTIONS]), max_size=5), st.sampled_from(["\n", "\r\n"]))
def test_a_mutant_is_as_valid_as_the_text_it_was_made_of(sources: list[str], end: str) -> None:
    new = "package a\n\n" + "\n".join(sources) + "\n"
    for text in mutate(new.replace("\n", end)):
        tree = flat_tree(text.encode(), Grammar.GO)
        assert tree is not None
        assert tree.wrong == 0
