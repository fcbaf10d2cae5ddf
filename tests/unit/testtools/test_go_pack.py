"""``go test``: which calls are known, and what its stream says, in the words of old and new versions.

covers: T8.R
"""

from __future__ import annotations

import json

import pytest

from autopilot.model.evidence.testing import By, Ended
from autopilot.testtools.packs.go_pack import GoTest
from tests.unit.testtools.recording import recorded

GO = GoTest()


def stream(*events: dict[str, object]) -> dict[str, bytes]:
    return {"1.json": "\n".join(json.dumps(event) for event in events).encode(), "1.err": b""}


@pytest.mark.parametrize(
    ("command", "known"),
    [
        ("go test ./...", True),
        ("CI=1 timeout 60 go test -v -run TestX ./pkg", True),
        ("/usr/local/go/bin/go test", True),
        ("go vet ./...", False),
        ("go test -c ./pkg", False),
        ("go test -list . ./pkg", False),
        ("go test ./pkg -args -list", True),
        ("go", False),
        ("", False),
    ],
)
def test_a_call_is_known_when_it_runs_tests(command: str, known: bool) -> None:
    assert GO.knows(command.split()) is known


def test_a_recorded_run_is_read_test_by_test() -> None:
    files = {"1.json": recorded("go-1.19.json"), "1.err": recorded("go-1.19.err")}
    report = GO.read({**files, "1.where": b"./a_test.go:func TestAdd(t *testing.T) {\n"}, "")
    assert {r.id: r.by or r.ended for r in report.results} == {
        "example.com/m.TestAdd": By.ASSERTION,
        "example.com/m.TestSub": By.ASSERTION,
        "example.com/m.TestSub/one": Ended.PASSED,
        "example.com/m.TestSub/two": By.ASSERTION,
        "example.com/m.TestSkip": Ended.SKIPPED,
        "example.com/m.TestPanic": By.ERROR,
        "example.com/m/d.TestD": Ended.PASSED,
        "example.com/m/d.ExampleD": By.ASSERTION,
    }
    assert report.loading == ("example.com/m/b: b/b_test.go:3:28: undefined: undefined",)
    assert report.problem == ""
    assert {r.id: r.file for r in report.results}["example.com/m.TestAdd"] == "a_test.go"


def test_a_failed_build_is_loading_as_newer_versions_tell_it() -> None:
    origin = "example.com/m [example.com/m.test]"
    report = GO.read(
        stream(
            {"ImportPath": origin, "Action": "build-output", "Output": f"# {origin}\n"},
            {"ImportPath": origin, "Action": "build-output", "Output": "./a.go:1:2: undefined: b\n"},
            {"ImportPath": origin, "Action": "build-fail"},
            {"Action": "output", "Package": "example.com/m", "Output": "FAIL\texample.com/m [build failed]\n"},
            {"Action": "fail", "Package": "example.com/m", "Elapsed": 0, "FailedBuild": origin},
        ),
        "",
    )
    assert (report.results, report.loading) == ((), ("example.com/m: ./a.go:1:2: undefined: b",))


def test_a_test_without_an_end_has_not_passed_and_neither_has_the_one_around_it() -> None:
    report = GO.read(
        stream(
            {"Action": "run", "Package": "m", "Test": "TestA"},
            {"Action": "run", "Package": "m", "Test": "TestA/in"},
            {"Action": "fail", "Package": "m", "Test": "TestA"},
            {"Action": "pass", "Package": "m"},
        ),
        "",
    )
    assert {r.id: r.by for r in report.results} == {"m.TestA": By.ERROR, "m.TestA/in": By.ERROR}


def test_a_package_that_cannot_be_found_is_loading_and_no_report_is_a_problem() -> None:
    missing = GO.read({"1.json": b"", "1.err": b"stat /project/nothere: directory not found\n"}, "")
    assert (missing.problem, missing.loading) == ("", ("stat /project/nothere: directory not found",))
    assert GO.read({}, "").problem
    assert GO.read({"1.json": b"", "1.err": b""}, "").problem


@pytest.mark.parametrize(
    ("command", "paths", "only"),
    [
        ("go test ./...", ["canary/c_test.go"], "go test ./canary"),
        ("go test -race -run TestX ./pkg -args -v", ["a_test.go"], "go test -race ."),
        ("go test -tags it -count 3 -skip=Slow", ["p/a_test.go", "p/b_test.go"], "go test -tags it -count 3 ./p"),
    ],
)
def test_the_same_call_on_some_files_keeps_settings_and_drops_the_choice(
    command: str, paths: list[str], only: str
) -> None:
    assert GO.only(command.split(), paths) == only.split()


def test_nothing_is_taken_from_the_cache_unless_the_call_says_how_often() -> None:
    assert "go test -json -count=1 ./..." in GO.ask(["go", "test", "./..."], "1")
    assert "go test -json -count 5 ./..." in GO.ask(["go", "test", "-count", "5", "./..."], "1")
    assert "go test -C app -json -count=1" in GO.ask(["go", "test", "-C", "app"], "1")
