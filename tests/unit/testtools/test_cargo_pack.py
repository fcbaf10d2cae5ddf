"""``cargo test``: which calls are known, and what its text says; lines and summary are held against each other.

covers: T8.R
"""

from __future__ import annotations

import pytest

from autopilot.model.evidence.testing import By, Ended, Grade
from autopilot.testtools.packs.cargo_pack import CargoTest
from tests.unit.testtools.recording import recorded

CARGO = CargoTest()
HEADER = "     Running unittests src/lib.rs (target/debug/deps/shop-0123456789abcdef)\n"


def printed(out: str, errors: str = HEADER) -> dict[str, bytes]:
    return {"1.out": out.encode(), "1.err": errors.encode()}


def block(*lines: str, passed: int = 0, failed: int = 0, ignored: int = 0) -> str:
    head = f"\nrunning {passed + failed + ignored} tests\n" + "\n".join(lines)
    return (
        f"{head}\n\ntest result: ok. {passed} passed; {failed} failed; {ignored} ignored; 0 measured; 0 filtered out\n"
    )


@pytest.mark.parametrize(
    ("command", "known"),
    [
        ("cargo test", True),
        ("cargo +nightly t -p shop", True),
        ("cargo --locked test --all -- --nocapture", True),
        ("cargo test --no-run", False),
        ("cargo test -- --list", False),
        ("cargo build", False),
        ("cargo run test", False),
        ("cargo", False),
    ],
)
def test_a_call_is_known_when_it_runs_tests(command: str, known: bool) -> None:
    assert CARGO.knows(command.split()) is known


def test_a_recorded_run_is_read_test_by_test() -> None:
    where = b"./src/lib.rs:    fn plain() {\n./src/other.rs:fn plain() {\n"
    report = CARGO.read(
        {"1.out": recorded("cargo-1.95.out"), "1.err": recorded("cargo-1.95.err"), "1.where": where}, ""
    )
    assert report.grade is Grade.TEXT
    assert (report.problem, report.loading) == ("", ())
    assert {r.id: r.by or r.ended for r in report.results} == {
        "demo::tests::adds": Ended.PASSED,
        "demo::tests::wrong": By.ASSERTION,
        "demo::tests::plain": By.ASSERTION,
        "demo::tests::unwraps": By.ERROR,
        "demo::tests::slow": Ended.SKIPPED,
        "demo::tests::panics": Ended.PASSED,
        "demo::tests::panics_not": By.ASSERTION,
        "demo::tests::result": By.ERROR,
        "tests/smoke.rs::adds": Ended.PASSED,
        "src/lib.rs - add": Ended.PASSED,
    }


def test_what_a_test_prints_uncaught_may_stand_before_its_end() -> None:
    lines = ("test a ... hello ... ", "ok", "test b ... more text ok", "test c ... ignored, later")
    report = CARGO.read(printed(block(*lines, passed=2, ignored=1)), "")
    assert report.problem == ""
    assert {r.id: (r.ended, r.message) for r in report.results} == {
        "shop::a": (Ended.PASSED, ""),
        "shop::b": (Ended.PASSED, ""),
        "shop::c": (Ended.SKIPPED, "later"),
    }


@pytest.mark.parametrize(
    ("out", "problem"),
    [
        ("\nrunning 2 tests\ntest a ... ok\n", "exited before it printed its summary"),
        (block("test a ... ok", "test forged ... ok", passed=1), "do not match"),
        (block("test a ... ok", passed=2), "do not match"),
        ("", "printed no result"),
    ],
)
def test_a_run_whose_summary_is_missing_or_differs_cannot_be_relied_on(out: str, problem: str) -> None:
    assert problem in CARGO.read(printed(out), "").problem


def test_a_compile_error_is_loading_and_what_programs_print_later_is_not() -> None:
    errors = "error[E0425]: cannot find function `x`\nerror: could not compile `shop` (lib test)\n"
    assert CARGO.read(printed("", errors), "").loading == (
        "cannot find function `x`",
        "could not compile `shop` (lib test)",
    )
    assert CARGO.read(printed(block("test a ... ok", passed=1), HEADER + "error: of my own\n"), "").loading == ()
    assert CARGO.read({"1.out": b""}, "").problem


def test_a_broken_example_of_the_documentation_was_not_loaded() -> None:
    story = "---- src/lib.rs - add (line 3) stdout ----\nerror[E0425]: no\nCouldn't compile the test.\n"
    out = block("test src/lib.rs - add (line 3) ... FAILED", "", "failures:", "", story, failed=1)
    (result,) = CARGO.read(printed(out, "   Doc-tests shop\n"), "").results
    assert (result.id, result.by, result.file) == ("src/lib.rs - add", By.LOADING, "src/lib.rs")


def test_a_program_without_the_harness_makes_names_uncertain_but_loses_none() -> None:
    errors = HEADER + "     Running benches/own.rs (target/debug/deps/own-0123456789abcdef)\n"
    report = CARGO.read(printed(block("test a ... ok", passed=1), errors), "")
    assert [r.id for r in report.results] == ["a"]


@pytest.mark.parametrize(
    ("paths", "command", "path"),
    [
        (["Cargo.toml", "src/lib.rs"], "cargo test", "tests/autopilot_canary.rs"),
        (["Cargo.toml", "a/Cargo.toml", "a/src/lib.rs"], "cargo test -p a", "a/tests/autopilot_canary.rs"),
        (["Cargo.toml", "a/Cargo.toml"], "cargo test", None),
    ],
)
def test_the_canary_stands_in_a_package_that_has_code(paths: list[str], command: str, path: str | None) -> None:
    canary = CARGO.canary(paths, command.split())
    assert (canary.path if canary else None) == path


def test_the_same_call_on_some_files_names_their_programs() -> None:
    words = ["cargo", "+nightly", "test", "--features", "fast", "-p", "shop", "--lib", "adds", "--", "--exact"]
    only = "cargo +nightly test --features fast -p shop --test canary"
    assert CARGO.only(words, ["tests/canary.rs"]) == only.split()
    assert CARGO.only(["cargo", "t"], ["src/cart.rs", "tests/a.rs"]) == ["cargo", "test", "--lib", "--test", "a"]
    assert "cargo test --all --" in CARGO.ask(["cargo", "test", "-q", "--all", "--", "-q"], "1")
