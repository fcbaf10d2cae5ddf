"""pytest and unittest, really run: the same tests, the same exit status, and a report. covers: T8.R, T8.E, T8.M"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from autopilot.model.evidence.testing import By, red_by
from tests.contract.testrun.asking import Ran, call, call_on_its_canary, write

PYTEST = f"PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 {sys.executable} -m pytest -q -p no:cacheprovider"
UNITTEST = f"{sys.executable} -m unittest"
CASES = """\
import unittest


class Cases(unittest.TestCase):
    def test_right(self): self.assertEqual(1, 1)
    def test_wrong(self): self.assertEqual(1, 2)
    def test_boom(self): raise KeyError("x")
    @unittest.skip("later")
    def test_left(self): pass
    @unittest.expectedFailure
    def test_known(self): self.fail()
"""
ENDS = {"right": "passed", "wrong": "assertion", "boom": "error", "left": "skipped", "known": "expected to fail"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    write(folder, {"app/tests/test_cases.py": CASES, "app/pytest.ini": "[pytest]\n"})
    return folder


def plain_status(folder: Path, command: str) -> int:
    return subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder, capture_output=True).returncode


def test_pytest_is_heard_through_a_pipe_and_from_another_folder(project: Path) -> None:
    command = f"cd app && {PYTEST} tests/test_cases.py 2>&1 | tail -1"
    ran = call(project, command)
    assert ran.ends() == {f"app/tests/test_cases.py::Cases::test_{name}": end for name, end in ENDS.items()}
    assert ran.status == plain_status(project, command) == 1
    assert ran.output.startswith("2 failed, 1 passed, 1 skipped, 1 xfailed")


def test_what_pytest_cannot_load_or_find_is_told_apart_from_a_red_test(project: Path) -> None:
    write(project, {"app/tests/test_new.py": "from app import missing\n\n\ndef test_it(): assert missing()\n"})
    loading = call(project, f"cd app && {PYTEST} tests/test_new.py")
    assert (loading.status, loading.report.results, red_by(loading.report)) == (2, (), By.LOADING)
    absent = call(project, f"cd app && {PYTEST} tests/test_absent.py")
    assert (absent.status, absent.report.results, absent.report.loading, absent.report.problem) == (4, (), (), "")


def leaving(project: Path, how: str, command: str) -> Ran:
    write(project, {"app/tests/test_leaving.py": f"import os, sys, unittest\n\n\n{how}\n"})
    return call(project, f"cd app && {command}")


def test_a_process_that_leaves_in_the_middle_has_no_report_to_show(project: Path) -> None:
    how = "class Leaving(unittest.TestCase):\n    def test_it(self): os._exit(0)"
    by_pytest = leaving(project, how, f"{PYTEST} tests/test_leaving.py")
    assert (by_pytest.status, by_pytest.report.problem) == (0, "pytest left no report")
    by_unittest = leaving(project, how, f"{UNITTEST} tests.test_leaving")
    assert by_unittest.status == 0
    assert by_unittest.report.problem.startswith("the report is incomplete")
    at_import = leaving(project, "sys.exit(0)", f"{UNITTEST} tests.test_leaving")
    assert (at_import.status, at_import.report.problem != "") == (0, True)


@pytest.mark.parametrize(
    ("words", "module"), [("tests.test_cases", "tests.test_cases"), ("discover -s tests -v", "test_cases")]
)
def test_unittest_is_heard_by_a_result_of_ours(project: Path, words: str, module: str) -> None:
    ran = call(project, f"cd app && {UNITTEST} {words}")
    assert ran.ends() == {f"app/{module}.Cases.test_{name}": end for name, end in ENDS.items()}
    assert {result.file for result in ran.report.results} == {"app/tests/test_cases.py"}
    assert ran.status == 1
    assert "FAILED (failures=1, errors=1, skipped=1, expected failures=1)" in ran.output


def test_make_is_followed_and_keeps_its_own_status(project: Path) -> None:
    write(project, {"Makefile": f".PHONY: test\ntest:\n\t@echo first\n\t@cd app && {PYTEST} tests\n"})
    ran = call(project, "make test")
    assert ran.status == 2
    assert ran.output.startswith("first\n")
    assert len(ran.ends()) == len(ENDS)


def test_a_target_that_is_already_there_runs_no_test_and_that_is_seen(project: Path) -> None:
    write(project, {"Makefile": f"test:\n\t{PYTEST} app\n", "test": "a file of that name"})
    ran = call(project, "make test")
    assert (ran.status, ran.report.problem) == (0, "the command exited before it called pytest")


@pytest.mark.parametrize("command", [f"{PYTEST} -k right tests", f"{UNITTEST} discover -s tests -k right"])
def test_the_canary_fails_alone(project: Path, command: str) -> None:
    name, ran = call_on_its_canary(project, f"cd app && {command}")
    assert [(end, name in test) for test, end in ran.ends().items()] == [("assertion", True)]
    assert ran.status == 1
