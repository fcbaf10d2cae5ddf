"""Constant mutants of Rust. covers: T8.M"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autopilot.testtools.mutants.mutant import can_mutate, mutants
from autopilot.text.grammar import Grammar
from autopilot.text.script_tree import flat_tree

PATH = "src/lib.rs"


def mutate(new: str, old: str | None = None) -> list[str]:
    made = mutants({PATH: (None if old is None else old.encode(), new.encode())})
    return [mutant.edits[PATH].decode() for mutant in made]


TYPES: Sequence[tuple[str, str, str]] = (
    ("bool", "false", "true"),
    ("u8", "0", "1"),
    ("isize", "0", "1"),
    ("f64", "0.0", "1.0"),
    ("String", "String::new()", 'String::from("x")'),
    ("std::string::String", "String::new()", 'String::from("x")'),
    ("&'static str", '""', '"x"'),
    ("Result<u8, Error>", "Ok(0)", "Ok(1)"),
    ("anyhow::Result<String>", "Ok(String::new())", 'Ok(String::from("x"))'),
    ("(u8, Option<Cart>)", "(0, None,)", "(1, None,)"),
    ("Box<bool>", "Box::new(false)", "Box::new(true)"),
    ("std::sync::Arc<Mutex<u8>>", "std::sync::Arc::new(Mutex::new(0))", "std::sync::Arc::new(Mutex::new(1))"),
)


@pytest.mark.parametrize(("type", "nothing", "true"), TYPES)
def test_a_function_returns_a_constant_before_its_body_begins(type: str, nothing: str, true: str) -> None:
    assert mutate(f"pub fn f(a: u8) -> {type} {{\n    g(a)\n}}\n") == [
        f"pub fn f(a: u8) -> {type} {{ if true {{ return {constant}; }}\n    g(a)\n}}\n" for constant in (nothing, true)
    ]


ONCE: Sequence[tuple[str, str]] = (
    ("Option<Cart>", "None"),
    ("Vec<Cart>", "Default::default()"),
    ("std::collections::HashMap<K, V>", "Default::default()"),
    ("&'a [Cart]", "Default::default()"),
    ("&mut str", "Default::default()"),
    ("Result<(), Box<dyn Error>>", "Ok(())"),
    ("fmt::Result", "Ok(())"),
    ("()", "()"),
)


@pytest.mark.parametrize(("type", "nothing"), ONCE)
def test_a_type_without_another_constant_is_mutated_once(type: str, nothing: str) -> None:
    (only,) = mutate(f"fn f() -> {type} {{ g() }}")
    assert only == f"fn f() -> {type} {{ if true {{ return {nothing}; }} g() }}"


@pytest.mark.parametrize(
    "type", ["Cart", "Self", "Self::Output", "impl Iterator<Item = u8>", "!", "T", "&Cart", "[u8; 3]"]
)
@pytest.mark.parametrize("around", ["{}", "Result<{}, Error>", "(u8, {})", "Box<{}>"])
def test_a_type_that_may_have_no_default_is_left_alone(type: str, around: str) -> None:
    assert mutate(f"fn f() -> {around.format(type)} {{ g() }}") == []


def test_a_type_that_derives_its_default_has_one() -> None:
    cart = "#[derive(Debug, Default)]\npub struct Cart { n: u8 }\n\n"
    (only,) = mutate(cart + "impl Cart { fn f() -> Result<Self, u8> { g() } }\nfn h() -> Cart { g() }\n")
    assert only == (
        cart + "impl Cart { fn f() -> Result<Self, u8> { if true { return Ok(Default::default()); } g() } }\n"
        "fn h() -> Cart { if true { return Default::default(); } g() }\n"
    )
    assert mutate("#[derive(Default)]\nstruct Cart<T>(T);\nfn h() -> Cart { g() }\n") == []


@pytest.mark.parametrize(
    ("declared", "nothing", "true"),
    [
        ("pub struct Cart;", "Cart", "Cart"),
        ("struct Cart(pub u8, String);", "Cart(0, String::new())", 'Cart(1, String::from("x"))'),
        (
            "struct Cart<'a> { pub a: &'a str, b: Vec<T> }",
            *(f'Cart {{ a: "{x}", b: Default::default() }}' for x in ("", "x")),
        ),
        ("struct Cart { a: Kind }\nenum Kind { A(u8), B, C }", "Cart { a: Kind::B }", "Cart { a: Kind::C }"),
        ("#[derive(Default)]\nstruct A;\nstruct Cart(bool);", "Cart(false)", "Cart(true)"),
    ],
)
def test_a_type_that_the_file_declares_is_made_of_constants(declared: str, nothing: str, true: str) -> None:
    made = mutate(f"{declared}\nfn f() -> Cart {{ g() }}\n")
    wanted = [f"{declared}\nfn f() -> Cart {{ if true {{ return {value}; }} g() }}\n" for value in (nothing, true)]
    assert made == list(dict.fromkeys(wanted))


def test_a_reference_is_to_a_constant_that_is_never_freed() -> None:
    nothing, _ = mutate("fn f(a: &u8) -> &u8 { a }")
    assert nothing == "fn f(a: &u8) -> &u8 { if true { return Box::leak(Box::new(0)); } a }"


@pytest.mark.parametrize(
    "declared",
    [
        "enum Cart { A(u8) }",
        "struct Cart(Other);",
        "struct Cart(Box<Cart>);",
        "struct Cart<T>(T);",
        "union Cart { a: u8 }",
    ],
)
def test_a_type_without_a_constant_is_not_made(declared: str) -> None:
    assert mutate(f"{declared}\nfn f() -> Cart {{ g() }}\n") == []


def test_types_made_of_each_other_end_before_their_constants_grow_too_long() -> None:
    declared = "".join(f"struct A{n} {{ a: A{n + 1}, b: A{n + 1} }}\n" for n in range(40)) + "struct A40(u8);\n"
    assert mutate(declared + "fn f() -> A0 { g() }\n") == []


def test_where_one_changed_function_has_no_constant_none_is_mutated() -> None:
    """Tests may compare what that one returns, and leave the others alone."""
    with_other = b"fn f() -> Other { g() }\n"
    assert mutants({"a.rs": (None, with_other + b"fn h() { g() }\n")}) == ()
    assert mutants({"a.rs": (None, with_other), "b.rs": (None, b"fn h() { g() }\n")}) == ()
    (only,) = mutants({"a.rs": (with_other, with_other), "b.rs": (None, b"fn h() { g() }\n")})
    assert only.description == "`h` returning default values"


@pytest.mark.parametrize(
    ("new", "nothing"),
    [
        ("fn f() { g(); }", "fn f() { if true { return; } g(); }"),
        ("async fn f(a: u8) { g(a).await }", "async fn f(a: u8) { if true { return; } g(a).await }"),
        (
            "trait A { fn f(&self) { g() } fn h(&self); }",
            "trait A { fn f(&self) { if true { return; } g() } fn h(&self); }",
        ),
        ("mod a { impl B { fn f() { g() } } }", "mod a { impl B { fn f() { if true { return; } g() } } }"),
        ("fn f() { #![allow(x)] g() }", "fn f() { #![allow(x)] if true { return; } g() }"),
        ("#[cfg(not(test))]\nfn f() { g() }", "#[cfg(not(test))]\nfn f() { if true { return; } g() }"),
        ("fn f() { fn h() { g() } h() }", "fn f() { if true { return; } fn h() { g() } h() }"),
    ],
)
def test_functions_are_found_wherever_they_stand(new: str, nothing: str) -> None:
    assert mutate(new) == [nothing]


@pytest.mark.parametrize(
    "new",
    [
        "fn main() { g() }",
        "fn f() {}",
        "fn f() { /* nothing */ }",
        "fn f() -> Result<(), E> { Ok(()) // fine\n}",
        "fn f() -> Option<u8> { return None; }",
        "const fn f() -> String { String::new() }",
        "trait A { fn f(&self) -> u8; }",
        "#[test]\nfn f() { g() }",
        '#[tokio::test(flavor = "multi_thread")]\n/// why\nasync fn f() { g() }',
        "#[cfg(test)]\n#[allow(x)]\nmod tests { fn f() -> u8 { 3 } }",
        "#[cfg(all(test, unix))]\nimpl A { fn f() -> u8 { 3 } }",
        "#![cfg(test)]\nfn f() -> u8 { 3 }",
        "mod a { #![cfg(test)]\nfn f() -> u8 { 3 } }",
        "pub fn assert_same(a: u8, b: u8) { assert_eq!(a, b) }",
        "macro_rules! m { () => { fn f() -> u8 { 3 } } }",
        "const F: u8 = 3;",
    ],
)
def test_nothing_is_mutated_that_a_constant_would_not_change_or_that_belongs_to_the_tests(new: str) -> None:
    assert mutate(new) == []


def test_a_constant_function_returns_literals_alone() -> None:
    nothing, true = mutate("pub const fn f() -> u8 { 3 }")
    assert (nothing, true) == (
        "pub const fn f() -> u8 { if true { return 0; } 3 }",
        "pub const fn f() -> u8 { if true { return 1; } 3 }",
    )


def test_code_behind_a_module_of_tests_is_mutated() -> None:
    nothing, _ = mutate("#[cfg(test)]\nmod tests { fn f() -> u8 { 3 } }\nfn g() -> u8 { 3 }\n")
    assert "fn f() -> u8 { 3 }" in nothing
    assert "fn g() -> u8 { if true { return 0; } 3 }" in nothing


def test_functions_that_only_moved_are_left_alone() -> None:
    old = "fn f() -> u8 {\n    1\n}\n\nfn g() -> u8 { 2 }\n"
    nothing, _ = mutate("mod a {\n    fn f() -> u8 {\n        1\n    }\n}\nfn g() -> u8 { 3 }\n", old)
    assert nothing == "mod a {\n    fn f() -> u8 {\n        1\n    }\n}\nfn g() -> u8 { if true { return 0; } 3 }\n"


def test_methods_are_named_by_their_type() -> None:
    new = "impl<T> fmt::Display for Cart<T> { fn f() -> u8 { 3 } }\nfn main_part() -> u8 { 3 }\n"
    nothing, true = mutants({PATH: (None, new.encode())})
    assert nothing.description == "`Cart::f`, `main_part` returning default values"
    assert true.description == "`Cart::f`, `main_part` returning other constants"
    assert can_mutate(PATH)


@pytest.mark.parametrize(
    "new", ["", "\0", "fn", "fn f() -> u8 { 3", "}}}", "fn f() -> { 3 }", "#[test", "mod a {" * 3000]
)
def test_odd_texts_break_nothing(new: str) -> None:
    assert mutate(new) == [] or all(text != new for text in mutate(new))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([type for type, *_ in (*TYPES, *ONCE)]), max_size=5), st.sampled_from(["\n", "\r\n"]))
def test_a_mutant_is_as_valid_as_the_text_it_was_made_of(types: list[str], end: str) -> None:
    new = "".join(f"fn f<'a>() -> {type} {{\n    g()\n}}\n" for type in types)
    for text in mutate(new.replace("\n", end)):
        tree = flat_tree(text.encode(), Grammar.RUST)
        assert tree is not None
        assert tree.wrong == 0
