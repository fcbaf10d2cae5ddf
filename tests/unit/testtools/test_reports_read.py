"""Reports of all calls as one, whatever stands in them. covers: T8, T8.R"""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.model.evidence.testing import By, Ended, Grade, TestReport, TestResult
from autopilot.testtools.formats.junit_xml import read_cases, read_junit
from autopilot.testtools.formats.results import joined
from autopilot.testtools.instrument import LARGEST_REPORT, MOST_PARTS, Asked, ask_for_reports, read_reports
from autopilot.testtools.places import placed
from autopilot.testtools.registry import PACKS
from tests.unit.testtools.recording import FOLDER, recorded

JUNIT = b"""<testsuites><testsuite name="s"><testcase classname="A" name="ok" time="1,000.5"/>
<testcase classname="A" name="bad"><failure type="org.opentest4j.AssertionFailedError" message="no"/></testcase>
<testcase classname="A" name="err"><failure type="java.lang.IllegalStateException">at A</failure></testcase>
<testcase classname="A" name="gone"><error type="java.lang.NoClassDefFoundError"/></testcase>
<testcase classname="A" name="left"><skipped/></testcase>
<testcase classname="A" name="flaky"><flakyFailure type="X"/></testcase>
<testcase classname="A" name="twice"><skipped/><error message="teardown"/></testcase></testsuite></testsuites>"""


def test_junit_tells_an_assertion_by_the_name_of_its_exception() -> None:
    report = read_junit(JUNIT, "maven")
    assert {result.id: (result.ended, result.by) for result in report.results} == {
        "A::ok": (Ended.PASSED, None),
        "A::bad": (Ended.FAILED, By.ASSERTION),
        "A::err": (Ended.FAILED, By.ERROR),
        "A::gone": (Ended.FAILED, By.LOADING),
        "A::left": (Ended.SKIPPED, None),
        "A::flaky": (Ended.PASSED, None),
        "A::twice": (Ended.FAILED, By.ERROR),
    }
    assert report.results[0].seconds == 1000.5


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<a/>",
        b"<testsuite>",
        b"<testsuite/><testsuite/>",
        b'<!DOCTYPE x [<!ENTITY a "b">]><testsuite name="&a;"/>',
        b'<!DOCTYPE testsuite SYSTEM "file:///etc/passwd"><testsuite/>',
        b"<?xml version='1.0' encoding='utf-7'?><testsuite/>",
        b"<testsuite>&unknown;</testsuite>",
        '<!DOCTYPE x><testsuite name="wide"/>'.encode("utf-16"),
    ],
)
def test_what_is_no_report_is_a_problem(content: bytes) -> None:
    read = read_cases(content)
    assert read.problem.startswith("the report is not readable")
    assert read.cases == ()


def test_control_characters_that_a_test_printed_do_not_spoil_the_report() -> None:
    read = read_cases(b'<testsuite><testcase name="a"><failure>\x1b[31mred\x00</failure></testcase></testsuite>')
    assert [case.text for case in read.cases] == ["?[31mred?"]


def asked(command: str) -> Asked:
    found = ask_for_reports(command, lambda _: None)
    assert found is not None
    return found


def xml(name: str, file: str = "tests/test_a.py") -> bytes:
    case = f'<testcase classname="tests.test_a" name="{name}" file="{file}"/>'
    return f"<testsuites><testsuite>{case}</testsuite></testsuites>".encode()


def test_tests_of_two_folders_are_kept_apart() -> None:
    files = {"1.pwd": b"/p/a\n", "1.xml": xml("test_x"), "2.pwd": b"/p/b\n", "2.xml": xml("test_x")}
    report = read_reports(asked("cd a && pytest; cd ../b && pytest"), files, "")
    assert [result.id for result in report.results] == ["a/tests/test_a.py::test_x", "b/tests/test_a.py::test_x"]
    assert (report.runner, report.grade, report.problem) == ("pytest", Grade.REPORT, "")


def test_a_call_that_was_never_reached_owes_no_report() -> None:
    files = {"1.pwd": b"/p\n", "1.xml": xml("test_x")}
    assert read_reports(asked("pytest && node --test"), files, "").problem == ""
    assert read_reports(asked("pytest && node --test"), files | {"2.pwd": b"/p\n"}, "").problem != ""


def test_a_command_that_never_came_to_its_tests_has_a_problem() -> None:
    report = read_reports(asked("make build && pytest"), {}, "")
    assert report.problem == "the command exited before it called pytest"


def test_full_paths_are_told_from_the_project() -> None:
    result = TestResult("/p/app/t/a.test.js > x", Ended.PASSED, file="/p/app/t/a.test.js")
    report = TestReport("jest", Grade.REPORT, (result,), loading=("/p/app/t/b.test.js: no",))
    there = placed(report, "/p/app", "app")
    assert [(one.id, one.file) for one in there.results] == [("app/t/a.test.js > x", "app/t/a.test.js")]
    assert there.loading == ("app/t/b.test.js: no",)


@pytest.mark.parametrize(
    ("told", "files", "found"),
    [
        ("tests/test_a.py", {"app/tests/test_a.py"}, "app/tests/test_a.py"),
        ("tests/test_a.py", {"tests/test_a.py"}, "tests/test_a.py"),
        ("app/tests/test_a.py", {"app/tests/test_a.py"}, "app/tests/test_a.py"),
        ("tests/test_a.py", set[str](), "app/tests/test_a.py"),
    ],
)
def test_a_file_is_looked_for_from_where_the_call_stood_and_above(told: str, files: set[str], found: str) -> None:
    report = TestReport("pytest", Grade.REPORT, (TestResult(f"{told}::test_x", Ended.PASSED, file=told),))
    (result,) = placed(report, "/p/app", "app", files.__contains__).results
    assert (result.file, result.id) == (found, f"{found}::test_x")


def test_the_whole_is_as_weak_as_its_weakest_report() -> None:
    strong = TestReport("pytest", Grade.REPORT, (TestResult("a", Ended.PASSED),))
    weak = TestReport("cargo test", Grade.TEXT, (TestResult("a", Ended.FAILED, By.ASSERTION),), "cut off")
    whole = joined([strong, weak])
    assert (whole.runner, whole.grade, whole.problem) == ("pytest, cargo test", Grade.TEXT, "cut off")
    assert whole.of(Ended.FAILED) == {"a"}


def test_half_a_character_in_a_name_does_not_keep_a_report_from_being_kept() -> None:
    line = b'{"type":"pass","name":"\\ud800","nesting":0,"file":"/p/\\udfff.js"}\n{"type":"end"}\n'
    files = {"1.pwd": b"/p\xff\n", "1.jsonl": line}
    report = read_reports(asked("node --test"), files, "")
    assert len(report.results) == 1
    assert msgspec.json.decode(msgspec.json.encode(report), type=TestReport) == report


RECORDED = sorted(path.name for path in FOLDER.iterdir() if path.suffix in {".xml", ".json", ".jsonl"})


@given(st.sampled_from(RECORDED), st.data())
def test_a_report_that_was_damaged_never_raises(name: str, data: st.DataObject) -> None:
    whole = recorded(name)
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, min(len(whole), start + 300)))
    damaged = whole[:start] + data.draw(st.binary(max_size=20)) + whole[end:]
    for pack in PACKS:
        for ending in (".xml", ".json", ".jsonl"):
            report = pack.read({f"1{ending}": damaged}, damaged.decode("utf-8", "replace"))
            assert msgspec.json.decode(msgspec.json.encode(report), type=TestReport) == report


@pytest.mark.parametrize(
    ("content", "limit"),
    [
        (b"x" * (LARGEST_REPORT + 1), "the report has 16,000,001 bytes; up to 16,000,000 are read"),
        (b"\n" * (MOST_PARTS + 1), "the report has 400,001 lines and elements; up to 400,000 are read"),
        (b"<testcase/>" * (MOST_PARTS + 1), "the report has 400,001 lines and elements; up to 400,000 are read"),
    ],
)
def test_a_report_beyond_the_limits_is_a_problem_that_names_the_limit(content: bytes, limit: str) -> None:
    report = read_reports(asked("pytest"), {"1.pwd": b"/p\n", "1.xml": content}, "")
    assert (report.problem, report.results) == (limit, ())
