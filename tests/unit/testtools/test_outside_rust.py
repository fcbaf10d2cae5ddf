"""Rust sources whose tests can be called as ordinary functions. covers: T8"""

from __future__ import annotations

import pytest

from autopilot.testtools.outside.rust_outside import prepare_rust
from autopilot.testtools.outside.rust_source import RustTest, mark_tested, rewrite_rust


def test_tests_become_functions_that_the_crate_can_call() -> None:
    text = b"#[cfg(test)]\nmod tests {\n    #[test]\n    #[should_panic]\n    fn a() {}\n    fn b() {}\n}\n"
    source = rewrite_rust(text, ("inner",))
    assert source is not None
    assert source.tests == (RustTest("inner::tests::a", panics=True),)
    assert source.text.split() == b"pub(crate) mod tests { pub(crate) fn a() {} fn b() {} }".split()


@pytest.mark.parametrize(
    "text",
    [
        b"#[cfg(test)]\nfn answer() -> u8 { 1 }\n",
        b"#[cfg(not(test))]\nfn answer() -> u8 { 1 }\n",
        b'#[cfg(any(test, feature = "x"))]\npub mod helpers {}\n',
        b"fn a() -> bool { cfg!(test) }\n",
    ],
)
def test_conditions_of_the_product_stay(text: bytes) -> None:
    source = rewrite_rust(text)
    assert source is not None and source.text == text


@pytest.mark.parametrize(
    ("text", "tested"),
    [
        (b"cfg!(test)", b"cfg!(all())"),
        (b"#[cfg(not(test))]", b"#[cfg(not(all()))]"),
        (b"#[cfg(any(test, x))]", b"#[cfg(any(all(), x))]"),
        (b"#[cfg_attr(test, derive(A))]", b"#[cfg_attr(all(), derive(A))]"),
        (b"latest(test) #[test]", b"latest(test) #[test]"),
        (b'#[cfg(feature = "test")]', b'#[cfg(feature = "test")]'),
    ],
)
def test_with_signs_every_condition_on_being_tested_is_met(text: bytes, tested: bytes) -> None:
    assert mark_tested(text) == tested


def test_modules_in_files_of_their_own_are_named() -> None:
    source = rewrite_rust(b"mod a;\npub mod b;\n#[cfg(test)]\nmod tests;\n")
    assert source is not None
    assert source.modules == ("a", "b", "tests")
    assert source.text.split() == b"pub(crate) mod a; pub mod b; pub(crate) mod tests;".split()


@pytest.mark.parametrize(
    ("manifest", "code"),
    [
        ("[workspace]\n", "#[test]\nfn a() {}\n"),
        ('[package]\nname = "a"\n\n[[test]]\nname = "b"\n', "#[test]\nfn a() {}\n"),
        ('[package]\nname = "a"\n', "#![no_std]\n#[test]\nfn a() {}\n"),
        ('[package]\nname = "a"\n', 'fn p() { std::env::var("CARGO_MANIFEST_DIR"); }\n#[test]\nfn a() {}\n'),
        ('[package]\nname = "a"\n', "fn a() {}\n"),
        ('[package]\nname = "a"\n', "fn a( {\n#[test]\n"),
    ],
)
def test_what_needs_more_than_a_plain_program_is_left_out(manifest: str, code: str) -> None:
    files = {"Cargo.toml": manifest, "src/lib.rs": code}
    assert prepare_rust(["src/lib.rs"], files, lambda path: files[path].encode(), "x", signs=False) is None
