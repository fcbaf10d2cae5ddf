"""A criterion that is one example, of a Rust program."""

from __future__ import annotations

from tests.liars.case import Task, lie, proven, write
from tests.liars.projects.rust import OPEN, RUST, TEST, true

STUB = """fn main() {
    let word: String = [97u8, 68, 65].iter().map(|c| *c as char).collect();
    println!("{word}");
}
"""
REAL = """fn main() {
    let given = std::env::args().nth(1).unwrap_or_default();
    let swapped: String = given
        .chars()
        .map(|c| if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() })
        .collect();
    println!("{swapped}");
}
"""
IDLE = "#[test]\nfn it_is_there() {\n    assert!(true);\n}\n"
ASKED = proven("It swaps", "cargo run -q --offline -- Ada", 'contains "aDA"')
FILES = ["src/main.rs", "tests/new.rs"]

CASES = (
    lie(
        "rust-one-example",
        RUST,
        "one example",
        base=OPEN,
        tasks=[Task("Add it", FILES, [ASKED], [write("src/main.rs", STUB), write("tests/new.rs", IDLE)])],
        test=TEST,
        catcher="HM",
    ),
    true(
        "rust-one-example-computed",
        "one example",
        OPEN,
        Task("Add it", FILES, [ASKED], [write("src/main.rs", REAL)]),
    ),
)
