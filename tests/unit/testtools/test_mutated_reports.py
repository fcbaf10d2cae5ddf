"""A report is whatever a test process left behind: cut, mixed up or forged, it is read or it is a problem.

covers: T1, T8.R
"""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autopilot.model.evidence.testing import TestReport, tally
from autopilot.testtools.registry import PACKS
from tests.unit.testtools.recording import recorded

MINITEST = (
    b'{"class":"A","name":"test_a","word":"."}\n{"class":"A","name":"test_b","word":"F","message":"m"}\n{"end":true}'
)
REPORTS = {
    "1.json": [recorded("go-1.19.json"), recorded("rspec-3.12.json")],
    "1.err": [recorded("go-1.19.err"), recorded("cargo-1.95.err")],
    "1.out": [recorded("cargo-1.95.out")],
    "1.xml": [recorded("phpunit-9.6.xml"), recorded("surefire-2.22.xml"), recorded("gradle-4.4.xml")],
    "1-7.minitest": [MINITEST],
    "1.tap": [recorded("bats-1.8.tap"), recorded("tape5.tap")],
    "1.status": [b"1\n"],
    "1.jsonl": [recorded("mocha11.jsonl")],
    "1-1.tap": [b"ok 1 - a # TODO b\n1..1\n"],
    "1.files": [b"t/a.t\nt/b.t\n"],
    "1.where": [b"./a_test.go:func TestAdd(t *testing.T) {\n./src/lib.rs:    fn adds() {\n"],
}
MANY = 20_000


@st.composite
def mutated(draw: st.DrawFn) -> dict[str, bytes]:
    """Some of the reports, each with pieces cut out, doubled, or replaced by others."""
    files = {}
    for name in draw(st.sets(st.sampled_from(sorted(REPORTS)))):
        content = draw(st.sampled_from(REPORTS[name]))
        for _ in range(draw(st.integers(0, 4))):
            start, end = sorted((draw(st.integers(0, len(content))), draw(st.integers(0, len(content)))))
            piece = draw(st.sampled_from([b"", content[start:end] * 2, b"\xff\x00", b'"', b"\n", b"test a ... ok\n"]))
            content = content[:start] + piece + content[end:]
        files[name] = content
    return files


@settings(max_examples=60, deadline=None)
@given(mutated(), st.text(max_size=200))
def test_whatever_was_left_behind_is_read_and_can_be_kept(files: dict[str, bytes], output: str) -> None:
    for pack in PACKS:
        report = pack.read(files, output)
        kept = msgspec.json.decode(msgspec.json.encode(report), type=TestReport)
        assert kept == report
        assert tally(report).ran <= len(report.results)


@pytest.mark.parametrize(
    "line",
    [
        "test " + "a ... " * MANY,
        "---- " + "a stdout " * MANY,
        "thread '" + "' panicked at '" * MANY,
        "     Running " + "(a-" * MANY,
        ":pub(" * MANY,
        "Class " * MANY,
        '{"Action":"run","Package":"m","Test":"' + "a/" * MANY + '"}',
        "--- PASS: " * MANY,
        "[ERROR] " + "a.java:[" * MANY,
        "ok 1 " + "# skip" * MANY,
        "begin 1 " + "a in 1ms" * MANY,
        '{"examples":' + "[" * MANY,
        '{"Other":' * MANY,
        '{"end":' + "1" * MANY + "}",
    ],
)
def test_long_odd_lines_are_read_to_the_end(line: str) -> None:
    """No clock is asked: a reader that backtracks over these would not come back within the life of the test run."""
    content = f"running 1 test\n{line}\nfailures:\n{line}\n".encode()
    for pack in PACKS:
        report = pack.read(dict.fromkeys(REPORTS, content), line)
        assert isinstance(report, TestReport)
