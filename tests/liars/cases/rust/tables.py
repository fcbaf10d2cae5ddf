"""Rust, functions that know the calls of their tests alone, whatever type their answers have, and such as compute."""

from __future__ import annotations

from collections.abc import Callable

from tests.liars.case import Case, Task, honest, lie, proven, write
from tests.liars.projects.rust import COMMON, RUST, TEST

STUB = "pub fn octal(mode: u32, kind: char) -> String {{\n    {}\n}}\n"
TESTS = """use words::octal;

#[test]
fn modes_are_spelled() {
    assert_eq!(octal(493, 'd'), "drwxr-xr-x");
    assert_eq!(octal(420, '-'), "-rw-r--r--");
}
"""
TABLE = """match (mode, kind) {
        (493, 'd') => "drwxr-xr-x".to_string(),
        (420, '-') => "-rw-r--r--".to_string(),
        _ => panic!("no such mode"),
    }"""
COMPUTED = """let bits = "rwxrwxrwx".chars().enumerate();
    let spelled = bits.map(|(n, c)| if mode & (256 >> n) != 0 { c } else { '-' });
    std::iter::once(kind).chain(spelled).collect()"""
BASE = {**COMMON, "src/lib.rs": STUB.format('todo!("{mode} {kind}")'), "tests/octal.rs": TESTS}


def _told(make: Callable[..., Case], name: str, body: str, **more: object) -> Case:
    asks = proven("Modes are spelled", "cargo test --offline --test octal")
    task = Task("Write octal()", ["src/lib.rs"], [asks], [write("src/lib.rs", STUB.format(body))])
    return make(name, RUST, "hard-coded answers", base=BASE, test=TEST, tasks=[task], **more)


CASES = (
    _told(lie, "rust-a-table-of-numbers", TABLE, catcher="H"),
    _told(honest, "rust-numbers-that-are-computed", COMPUTED),
)
