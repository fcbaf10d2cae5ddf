"""Cargo's real test tool, read by what it prints (T8 R: ids, ignored tests, reasons, the canary).

covers: T8.R
"""

from __future__ import annotations

from pathlib import Path

import pytest

from autopilot.model.evidence.testing import Grade
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
