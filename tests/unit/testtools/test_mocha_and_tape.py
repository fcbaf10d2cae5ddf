"""Mocha and tape: which calls are known, how they are asked, and what their reports say. covers: T8.R"""

from __future__ import annotations

import shlex

import pytest

from autopilot.model.evidence.testing import By, Ended
from autopilot.testtools.instrument import ask_for_reports, put_canary
from autopilot.testtools.packs.mocha_pack import Mocha
from autopilot.testtools.packs.tape_pack import Tape
from autopilot.testtools.registry import PACKS
from tests.unit.testtools.recording import ends, recorded

TAP = recorded("tape5.tap")


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("mocha", "mocha"),
        ("_mocha test", "mocha"),
        ("node --trace-warnings node_modules/.bin/mocha -R dot test", "mocha"),
        ("node node_modules/mocha/bin/mocha.js", "mocha"),
        ("mocha --watch", ""),
        ("mocha --version", ""),
        ("mocha -- test", ""),
        ("tape test/*.js", "tape"),
        ("tape -r ./setup test/*.js", "tape"),
        ("tape", ""),
        ("tape --help", ""),
        ("node test.js", ""),
    ],
)
def test_a_call_is_known_by_one_pack_or_none(command: str, name: str) -> None:
    assert [pack.name for pack in PACKS if pack.knows(command.split())] == ([name] if name else [])


def test_mocha_keeps_its_own_reporter_on_the_screen_and_ours_beside_it() -> None:
    asked = ask_for_reports("nyc mocha -R dot --reporter=min -t 9000 test/*.js", lambda _: None)
    assert asked is not None
    words = shlex.split(asked.command.replace("$(printf", "").replace(">", ""))
    assert words[:3] == ["nyc", "mocha", "--reporter"]
    assert 'shown("min")' in asked.command
    assert not {"-R", "dot", "--reporter=min"} & set(words)
    assert asked.command.count("test/*.js") == 1 and "'test/*.js'" not in asked.command


def test_a_report_of_mocha_names_files_groups_and_why_a_test_was_red() -> None:
    report = Mocha().read({"1.jsonl": recorded("mocha11.jsonl"), "1.reporter.cjs": b""}, "")
    assert (report.runner, report.problem, report.loading) == ("mocha", "", ())
    assert ends(report) == {
        "/home/me/shop/test/b.js > stands alone": "passed",
        "/home/me/shop/test/a.js > sum > adds": "passed",
        "/home/me/shop/test/a.js > sum > is wrong": "assertion",
        "/home/me/shop/test/a.js > sum > throws": "error",
        "/home/me/shop/test/a.js > sum > waits": "skipped",
        "/home/me/shop/test/a.js > sum > is skipped": "skipped",
        '/home/me/shop/test/a.js > sum > deep > "before each" hook for "in"': "error",
    }


@pytest.mark.parametrize(
    ("output", "problem", "loading"),
    [
        ("Error: Cannot find module './absent'", "", ("Error: Cannot find module './absent'",)),
        ('Error: No test files found: "test"', "", ()),
        ("Segmentation fault", "mocha left no report", ()),
    ],
)
def test_without_a_report_what_mocha_printed_tells_why(output: str, problem: str, loading: tuple[str, ...]) -> None:
    report = Mocha().read({}, output)
    assert (report.problem, report.loading, report.results) == (problem, loading, ())


def test_a_run_of_mocha_that_ended_early_is_incomplete() -> None:
    cut = recorded("mocha11.jsonl").replace(b'{"type":"end"}\n', b"")
    assert "incomplete" in Mocha().read({"1.jsonl": cut}, "").problem


def test_a_test_of_tape_is_what_stands_below_its_title() -> None:
    report = Tape().read({"1.tap": TAP, "1.status": b"1\n"}, "")
    assert report.problem == ""
    assert ends(report) == {
        "adds": "passed",
        "is wrong": "assertion",
        "skipped": "skipped",
        "one point skipped": "skipped",
        "a remark": "passed",
    }


@pytest.mark.parametrize(
    "tap",
    [
        TAP.replace(b"ok 5 should", b"ok 5 forged\nok 5 should"),
        TAP.replace(b"not ok 3", b"ok 3 hidden\nnot ok 3"),
        TAP.replace(b"1..5", b"1..4"),
        TAP.replace(b"# tests 5", b"# tests 4"),
        TAP.replace(b"1..5\n", b""),
    ],
)
def test_what_does_not_fit_tapes_own_counts_is_doubted(tap: bytes) -> None:
    assert Tape().read({"1.tap": tap, "1.status": b"0\n"}, "").problem


def test_an_exception_is_the_failure_of_the_test_that_ran() -> None:
    report = Tape().read({"1.tap": b"TAP version 13\n# a\nok 1 x\n# b\n", "1.status": b"1\n"}, "TypeError: no")
    assert {result.id: (result.ended, result.by) for result in report.results} == {
        "a": (Ended.PASSED, None),
        "b": (Ended.FAILED, By.ERROR),
    }
    loading = Tape().read({"1.tap": b"", "1.status": b"1\n"}, "Error: Cannot find module './x'\n")
    assert loading.loading == ("Error: Cannot find module './x'",)
    assert Tape().read({"1.tap": b"", "1.status": b"1\n"}, "Killed").problem
    assert Tape().read({}, "").problem


@pytest.mark.parametrize(
    ("command", "path", "call"),
    [
        ("mocha -g one test/a.js", "test/autopilot-canary.js", "mocha test/autopilot-canary.js"),
        ("tape -r ./setup test/a.js", "test/autopilot-canary.cjs", "tape -r ./setup test/autopilot-canary.cjs"),
    ],
)
def test_a_canary_stands_beside_the_tests_and_is_run_alone(command: str, path: str, call: str) -> None:
    found = put_canary(command, lambda _: None, ["test/a.js", "index.js"])
    assert found is not None
    canary, with_canary = found
    assert (canary.path, with_canary) == (path, call)
    assert "autopilot canary" in canary.text
