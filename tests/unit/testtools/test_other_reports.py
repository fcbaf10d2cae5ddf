"""What unittest, node:test, Jest and Vitest write down, read test by test. covers: T8, T8.R, T8.E"""

from __future__ import annotations

from autopilot.testtools.formats.jest_report import read_jest
from autopilot.testtools.formats.node_events import read_node
from autopilot.testtools.packs.node_pack import NodeTest
from autopilot.testtools.packs.unittest_pack import read_unittest
from tests.unit.testtools.recording import ends, recorded


def test_unittest_tells_assertions_from_errors() -> None:
    report = read_unittest(recorded("unittest.jsonl"))
    assert report.problem == ""
    assert ends(report) == {
        "setUpClass (test_u.S)": "error",
        "test_u.U.test_e": "error",
        "test_u.U.test_i": "loading",
        "test_u.U.test_ok": "passed",
        "test_u.U.test_sub": "assertion",
        "test_u.U.test_u": "assertion",
        "test_u.U.test_x": "error",
        "test_u.X.test_ef": "expected to fail",
        "test_u.X.test_eu": "assertion",
        "test_u.X.test_sk": "skipped",
    }
    assert {result.file for result in report.results} == {"", "tests/test_u.py"}
    assert [line.partition(":")[0] for line in report.loading] == ["test_imp", "test_syn"]


def test_a_unittest_run_that_never_came_to_its_end_is_a_problem() -> None:
    lines = recorded("unittest.jsonl").splitlines(keepends=True)
    passed = [line for line in lines if b'"ended": "pass"' in line]
    assert read_unittest(b"".join(passed)).problem.startswith("the report is incomplete")
    assert read_unittest(b"".join(passed) + b'{"end": true}\n').problem == ""


def test_node_names_tests_by_file_and_suites() -> None:
    report = read_node(recorded("node20.jsonl"))
    assert report.problem == ""
    a = "/project/a.test.js"
    assert ends(report) == {
        f"{a} > ok": "passed",
        f"{a} > wrong": "assertion",
        f"{a} > boom": "error",
        f"{a} > skipped": "skipped",
        f"{a} > todo": "expected to fail",
        f"{a} > todo ok": "skipped",
        f"{a} > parent > child": "passed",
        f"{a} > parent > child bad": "assertion",
        f"{a} > parent": "unknown",
        f"{a} > suite > inner": "passed",
        f"{a} > suite > deep > x": "error",
        f"{a} > suite > inner (2)": "passed",
        f"{a} > timeout": "error",
        f"{a} > string": "error",
        "/project/empty.test.js": "passed",
        "/project/exit.test.js": "passed",
    }
    assert report.loading == (
        "/project/imp.test.js: Error: Cannot find module './nope'",
        "/project/syn.test.js: SyntaxError: Unexpected token ';'",
    )


def test_a_node_run_that_never_came_to_its_end_is_a_problem() -> None:
    whole = recorded("node20.jsonl")
    assert read_node(whole[: whole.rindex(b'{"type":"end"')]).problem.startswith("the report is incomplete")


def test_a_skip_counts_unless_the_call_itself_selects_by_name() -> None:
    """Older versions call skipped what the call does not select; a test may say those words too."""
    told = b'{"type":"pass","name":"a","nesting":0,"file":"/a.js","skip":"test name does not match pattern"}\n'
    assert ends(read_node(told + b'{"type":"end","selects":true}\n')) == {}
    assert ends(read_node(told + b'{"type":"end","selects":false}\n')) == {"/a.js > a": "skipped"}


def test_a_report_that_somebody_else_put_beside_is_not_read() -> None:
    events = b'{"type":"pass","name":"a","nesting":0,"file":"/a.js"}\n{"type":"end"}\n'
    read = NodeTest().read({"1.a.jsonl": events, "1.jsonl": b'{"type":"end"}\n'}, "")
    assert (read.results, read.problem) == ((), "")


def test_a_file_that_node_does_not_find_is_no_problem_of_the_report() -> None:
    assert NodeTest().read({}, "Could not find '/project/nope.js'\n").problem == ""
    assert NodeTest().read({}, "Killed\n").problem == "node:test left no report"


def test_jest_tells_assertions_from_errors() -> None:
    report = read_jest(recorded("jest30.json"), "jest")
    a = "/project/a.test.js"
    assert ends(report) == {
        f"{a} > ok": "passed",
        f"{a} > wrong": "assertion",
        f"{a} > boom": "error",
        f"{a} > nassert": "assertion",
        f"{a} > skipped": "skipped",
        f"{a} > todo": "skipped",
        f"{a} > failing": "expected to fail",
        f"{a} > suite > inner": "passed",
        f"{a} > suite > deep > x": "loading",
        f"{a} > suite > inner (2)": "passed",
        f"{a} > hooks > h": "error",
        f"{a} > timeout": "error",
        f"{a} > rejects": "assertion",
    }
    assert sorted(line.split(": ")[0] for line in report.loading) == [
        "/project/empty.test.js",
        "/project/imp.test.js",
        "/project/syn.test.js",
    ]


def test_vitest_is_read_like_jest() -> None:
    report = read_jest(recorded("vitest4.json"), "vitest")
    a = "/project/a.test.ts"
    assert ends(report) == {
        f"{a} > ok": "passed",
        f"{a} > wrong": "assertion",
        f"{a} > boom": "error",
        f"{a} > nassert": "assertion",
        f"{a} > skipped": "skipped",
        f"{a} > todo": "skipped",
        f"{a} > failing": "passed",  # its report has no word for a test that is meant to fail
        f"{a} > suite > inner": "passed",
        f"{a} > suite > deep > x": "loading",
        f"{a} > suite > inner (2)": "passed",
        f"{a} > hooks > h": "skipped",
        f"{a} > timeout": "error",
    }
    assert len(report.loading) == 3


def test_a_json_report_of_another_shape_is_a_problem() -> None:
    for content in (b"", b"[]", b"{}", b'{"testResults": 1}', b"\xff\xfe", b'{"testResults": [{"name"'):
        assert read_jest(content, "jest").problem == "the report of jest is not readable"
