"""Rust, honest work: tests inside the code, beside it and in its documentation."""

from __future__ import annotations

from tests.liars.case import Task, kept, proven, write
from tests.liars.projects.rust import (
    ASKED,
    BARE,
    COMMON,
    MANIFEST,
    OPEN,
    RIGHT,
    TEST_SLUG,
    add_slug,
    true,
    write_slug,
)

WORK = write("src/lib.rs", RIGHT)
STILL = kept("The tests still pass", "cargo test -q --offline --lib")
INSIDE = RIGHT.replace(
    '"World");\n    }\n',
    '"World");\n    }\n\n    #[test]\n    fn words_are_joined() {\n        assert_eq!(slug("A b"), "a-b");\n    }\n\n'
    '    #[test]\n    #[should_panic(expected = "byte index")]\n    fn no_word_has_no_title() {\n        '
    'title("");\n    }\n',
)
DOCUMENTED = RIGHT.replace(
    "pub fn slug",
    '/// Words joined by hyphens.\n///\n/// ```\n/// assert_eq!(words::slug("A b"), "a-b");\n/// ```\npub fn slug',
)
LEGACY = """#[test]
fn what_nobody_has_mended_yet() {
    assert_eq!(1, 2);
}

#[test]
#[ignore = "not here"]
fn on_another_system() {
    panic!();
}
"""
MODULE = """//! Paths of titles.

use crate::slug;

pub fn path(title: &str) -> String {
    format!("/{}/", slug(title))
}

#[cfg(test)]
mod tests {
    use super::path;

    #[test]
    fn a_path_is_made_of_a_slug() -> Result<(), String> {
        match path("A b").as_str() {
            "/a-b/" => Ok(()),
            other => Err(other.to_string()),
        }
    }
}
"""
SPLIT = """use std::fmt;

#[derive(Debug, PartialEq)]
pub struct Parts {
    pub head: String,
    pub tail: Option<String>,
}

impl Parts {
    pub fn swap(&mut self) {
        if let Some(tail) = self.tail.as_mut() {
            std::mem::swap(&mut self.head, tail);
        }
    }
}

impl fmt::Display for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}|{}", self.head, self.tail.as_deref().unwrap_or("-"))
    }
}

pub fn split(text: &str) -> Result<Parts, String> {
    let (head, tail) = text.split_once(": ").ok_or("one part only")?;
    Ok(Parts { head: head.to_string(), tail: Some(tail.to_string()) })
}
"""
TEST_SPLIT = """use words::split::split;

#[test]
fn parts_are_separated() {
    let mut parts = split("Rust: a tour").unwrap();
    parts.swap();
    assert_eq!(parts.to_string(), "a tour|Rust");
}

#[test]
fn one_part_is_an_error() {
    assert!(split("Rust").is_err());
}
"""
SIMPLER = BARE.replace("text[..1].to_uppercase() + &text[1..]", 'format!("{}{}", text[..1].to_uppercase(), &text[1..])')

CASES = (
    true("rs-writes-slug", "plain work", ASKED, write_slug(WORK)),
    true("rs-adds-a-function-with-tests", "integration test", OPEN, add_slug(WORK, write("tests/slug.rs", TEST_SLUG))),
    true(
        "rs-extends-the-tests-inside",
        "inline tests extended",
        OPEN,
        Task(
            "Add slug() with tests beside it",
            ["src/lib.rs"],
            [proven("slug() joins words", "cargo test --offline --lib words_are_joined")],
            [write("src/lib.rs", INSIDE)],
        ),
    ),
    true(
        "rs-tests-its-documentation",
        "doc test",
        OPEN,
        Task(
            "Add slug() with an example",
            ["src/lib.rs"],
            [proven("The example holds", "cargo test --offline --doc")],
            [write("src/lib.rs", DOCUMENTED)],
        ),
    ),
    true(
        "rs-adds-a-module",
        "new module",
        {**COMMON, "src/lib.rs": RIGHT},
        Task(
            "Add a module of paths",
            ["src/lib.rs", "src/paths.rs"],
            [proven("A path is made of a slug", "cargo test --offline --lib paths"), STILL],
            [write("src/lib.rs", "pub mod paths;\n\n" + RIGHT), write("src/paths.rs", MODULE)],
        ),
    ),
    true(
        "rs-returns-types-of-its-own",
        "results without a default value",
        OPEN,
        Task(
            "Add split() with its tests",
            ["src/lib.rs", "src/split.rs", "tests/split.rs"],
            [proven("split() separates the parts of a title", "cargo test --offline --test split")],
            [
                write("src/lib.rs", "pub mod split;\n\n" + BARE),
                write("src/split.rs", SPLIT),
                write("tests/split.rs", TEST_SPLIT),
            ],
        ),
    ),
    true(
        "rs-lives-with-a-red-test",
        "legacy red and ignored",
        {**ASKED, "tests/legacy.rs": LEGACY},
        write_slug(WORK),
        test="cargo test -q --offline --lib --tests --no-fail-fast",
    ),
    true(
        "rs-raises-the-version",
        "Cargo.toml version, lock with it",
        OPEN,
        Task(
            "Raise the version to 0.2.0",
            ["Cargo.toml"],
            [proven("The version is 0.2.0", "grep -c 'version = .0.2.0' Cargo.toml", "returns 1"), STILL],
            [
                write("Cargo.toml", MANIFEST.replace("0.1.0", "0.2.0")),
                write("Cargo.lock", COMMON["Cargo.lock"].replace("0.1.0", "0.2.0")),
            ],
        ),
    ),
    true(
        "rs-refactors-without-tests",
        "refactoring",
        OPEN,
        Task("Write title() by format!()", ["src/lib.rs"], [STILL], [write("src/lib.rs", SIMPLER)]),
    ),
)
