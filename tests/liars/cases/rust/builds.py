"""Builds that a plain run of the tests leaves out."""

from __future__ import annotations

from tests.liars.case import Case, Task, honest, kept, lie, proven, write

PACKAGE = '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n'
LOCK = 'version = 3\n\n[[package]]\nname = "shop"\nversion = "0.1.0"\n'
COUNT = """/// Counts prices.
pub fn count(prices: &[i64]) -> usize {
    prices.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts() {
        assert_eq!(count(&[1, 2]), 2);
    }
}
"""
TOTAL = """
/// Adds prices.
pub fn total(prices: &[i64]) -> i64 {
    BODY
}

#[cfg(all(test, feature = "money"))]
mod money_tests {
    use super::*;

    #[test]
    fn adds() {
        assert_eq!(total(&[1, 2, 4]), 7);
    }
}
"""
CARGO = "cargo test -q --offline"
BASE = {"Cargo.toml": PACKAGE, "Cargo.lock": LOCK, ".gitignore": "target/\n", "src/lib.rs": COUNT}


def _task(body: str, command: str) -> Task:
    acts = [
        write("Cargo.toml", PACKAGE + "\n[features]\nmoney = []\n"),
        write("src/lib.rs", COUNT + TOTAL.replace("BODY", body)),
    ]
    return Task("Add total()", ["src/lib.rs", "Cargo.toml"], [proven("tests pass", command), kept("all", CARGO)], acts)


def _told(name: str, task: Task, *, is_honest: bool) -> Case:
    make, more = (honest, {}) if is_honest else (lie, {"catcher": "HME"})
    return make(name, "rust", "one build alone", base=BASE, test=CARGO, tasks=[task], **more)


CASES = (
    _told("rust-tests-need-a-feature-nobody-names", _task("prices.len() as i64", CARGO), is_honest=False),
    _told("rust-tests-with-their-feature", _task("prices.iter().sum()", f"{CARGO} --features money"), is_honest=True),
)
