"""Cargo's real test tool, read by what it prints (T8 R: ids, ignored tests, reasons, the canary, mutants).

covers: T8.R
"""

from __future__ import annotations

from pathlib import Path

import pytest

from autopilot.gates.evidence.sabotage import Trial, is_killed
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.testing import Grade
from autopilot.testtools.mutants.mutant import mutants
from tests.contract.testrun.asking import call, call_confined, call_on_canary, write

PROJECT = {
    "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n\n[lib]\ndoctest = false\n',
    "src/lib.rs": """pub fn total(a: i32, b: i32) -> i32 { a + b }

#[cfg(test)]
mod tests {
    #[test]
    fn adds() { assert_eq!(crate::total(1, 2), 3); }
    #[test]
    fn wrong() { assert_eq!(crate::total(1, 2), 4); }
    #[test]
    fn worded() { assert!(crate::total(1, 2) == 4, "in words of its own"); }
    #[test]
    fn unwraps() { None::<i32>.unwrap(); }
    #[test]
    #[ignore = "slow"]
    fn slow() {}
    #[test]
    #[should_panic]
    fn panics() { panic!("as it should") }
    #[test]
    #[should_panic]
    fn lives() {}
}
""",
    "tests/smoke.rs": "#[test]\nfn adds() { assert_eq!(shop::total(2, 2), 4); }\n",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write(tmp_path / "project", PROJECT)
    return tmp_path / "project"


def test_inside_the_sandbox_every_test_is_reported_by_name_and_with_its_reason(project: Path) -> None:
    ran = call_confined(project, "cargo test -q --no-fail-fast 2>&1 | tail -30")
    assert ran.status == 101
    assert ran.report.problem == ""
    assert ran.report.grade is Grade.TEXT
    assert ran.ends() == {
        "shop::tests::adds": "passed",
        "shop::tests::wrong": "assertion",
        "shop::tests::worded": "assertion",
        "shop::tests::unwraps": "error",
        "shop::tests::slow": "skipped",
        "shop::tests::panics": "passed",
        "shop::tests::lives": "assertion",
        "tests/smoke.rs::adds": "passed",
    }
    assert {result.file for result in ran.report.results} == {"src/lib.rs", "tests/smoke.rs"}


def test_a_canary_fails_an_early_exit_is_a_problem_and_a_compile_error_is_loading(project: Path) -> None:
    name, ran = call_on_canary(project, "cargo test --lib adds")
    assert [(name in test, by) for test, by in ran.ends().items()] == [(True, "assertion")]

    write(project, {"tests/smoke.rs": "#[test]\nfn leaves() { std::process::exit(0) }\n"})
    ran = call(project, "cargo test --test smoke")
    assert ran.status == 0
    assert "exited before" in ran.report.problem

    write(project, {"tests/smoke.rs": "#[test]\nfn adds() { shop::missing() }\n"})
    ran = call(project, "cargo test --test smoke")
    assert (ran.status, ran.ends()) == (101, {})
    assert any("missing" in line for line in ran.report.loading)


MUTATED = """#![deny(warnings)]
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex};

#[derive(Debug, Default)]
pub struct Cart { items: Vec<u8> }

pub enum Kind { One }

impl fmt::Display for Cart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, "{}", self.items.len()) }
}

impl Cart {
    pub fn of(items: &[u8]) -> Self { Self { items: items.to_vec() } }
    pub fn items(&self) -> &[u8] { &self.items }
    pub fn first(&mut self) -> Option<&mut u8> { self.items.first_mut() }
    pub fn checked(self) -> Result<(Self, u32), Box<dyn std::error::Error>> { let n = self.total()?; Ok((self, n)) }
    pub fn total(&self) -> Result<u32, std::num::TryFromIntError> { u32::try_from(self.items.len()) }
}

pub fn kind() -> Kind { Kind::One }
pub const fn twice(n: i64) -> i64 { -n * -2 }
pub fn minus(n: i64) -> i64 { -n }
pub fn shared(n: f32) -> Arc<Mutex<f32>> { Arc::new(Mutex::new(n)) }
pub fn quoted(text: &str) -> Cow<'_, str> { Cow::Borrowed(text) }
pub fn counts<K: std::hash::Hash + Eq>(keys: Vec<K>) -> HashMap<K, usize> { keys.into_iter().map(|k| (k, 1)).collect() }
pub fn shout(text: &str) -> String { text.to_uppercase() }
pub fn boxed(c: char) -> Box<(char, bool)> { Box::new((c, c.is_ascii())) }
pub fn name() -> &'static str { "cart" }
pub fn nothing(text: &mut String) { text.clear() }
"""
ASKING = {"tests/smoke.rs": '#[test]\nfn shouts() { assert_eq!(shop::shout("a"), "A"); }\n'}


def test_a_mutant_builds_and_is_noticed_by_a_test_that_compares(project: Path) -> None:
    write(project, {"src/lib.rs": MUTATED, **ASKING})
    green = call(project, "cargo test --test smoke").report
    trials = []
    for mutant in mutants({"src/lib.rs": (None, MUTATED.encode())}):
        write(project, {path: text.decode() for path, text in mutant.edits.items()})
        ran = call(project, "cargo test --test smoke")
        assert ran.ends() == {"tests/smoke.rs::shouts": "assertion"}
        trials.append(Trial(mutant.description, Seen.FAILED, ran.report))
    assert [is_killed(green, trial) for trial in trials] == [True, True]


def test_a_mutant_that_does_not_build_is_not_noticed(project: Path) -> None:
    write(project, {"src/lib.rs": MUTATED, **ASKING})
    green = call(project, "cargo test --test smoke").report
    write(project, {"src/lib.rs": MUTATED.replace('{ "cart" }', "{ 3 }")})
    ran = call(project, "cargo test --test smoke")
    assert ran.status == 101
    assert not is_killed(green, Trial("a broken mutant", Seen.FAILED, ran.report))
