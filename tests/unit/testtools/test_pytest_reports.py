"""What pytest writes down, read test by test. covers: T8, T8.R, T8.E"""

from __future__ import annotations

from autopilot.model.evidence.testing import By, red_by
from autopilot.testtools.packs.pytest_pack import Pytest, read_pytest
from tests.unit.testtools.recording import ends, recorded


def test_every_test_is_known_by_its_id_and_by_why_it_was_red() -> None:
    report = read_pytest(recorded("pytest.xml"))
    assert report.problem == ""
    a = "tests/test_a.py"
    assert ends(report) == {
        "tests/test_modskip.py": "skipped",
        f"{a}::test_ok": "passed",
        f"{a}::test_wrong": "assertion",
        f"{a}::test_boom": "error",
        f"{a}::test_deep": "assertion",
        f"{a}::test_p[1]": "passed",
        f"{a}::test_p[a b::c]": "passed",
        f"{a}::test_p[\\xe9]": "passed",
        f"{a}::test_skip": "skipped",
        f"{a}::test_xf": "expected to fail",
        f"{a}::test_xp": "passed",
        f"{a}::test_xps": "assertion",
        f"{a}::test_xnr": "expected to fail",
        f"{a}::test_setup": "error",
        f"{a}::test_teardown": "error",
        f"{a}::test_fail_and_teardown": "assertion",
        f"{a}::test_sa": "error",
        f"{a}::test_raises": "assertion",
        f"{a}::test_pfail": "assertion",
        f"{a}::test_imp": "loading",
        f"{a}::test_iskip": "skipped",
        f"{a}::test_exit": "error",
        f"{a}::TestC::test_m": "assertion",
        f"{a}::TestC::TestInner::test_n": "passed",
        f"{a}::U::test_ef": "expected to fail",
        f"{a}::U::test_eu": "assertion",
        f"{a}::U::test_sk": "skipped",
        f"{a}::U::test_sub": "assertion",
        f"{a}::U::test_u": "assertion",
    }


def test_a_file_that_cannot_be_loaded_is_no_test() -> None:
    report = read_pytest(recorded("pytest.xml"))
    assert report.loading == (
        "tests/test_imp.py: ModuleNotFoundError: No module named 'nothere_y'",
        "tests/test_syn.py: SyntaxError: invalid syntax",
    )


def test_a_report_of_the_newer_family_names_the_same_tests() -> None:
    report = read_pytest(recorded("pytest-xunit2.xml"))
    assert ends(report) == {
        "tests/test_a.py::TestC::test_m": "assertion",
        "tests/test_a.py::TestC::TestInner::test_n": "passed",
    }


def test_a_file_that_is_not_there_leaves_a_report_without_tests() -> None:
    report = read_pytest(recorded("pytest-absent.xml"))
    assert (report.results, report.loading, report.problem) == ((), (), "")


def test_a_missing_report_is_a_problem() -> None:
    assert Pytest().read({}, "1 passed in 0.01s").problem == "pytest left no report"


def test_support_files_that_cannot_be_loaded_are_told_by_what_is_printed() -> None:
    report = Pytest().read({}, "ImportError while loading conftest '/project/conftest.py'.\nE   No module named 'x'\n")
    assert report.loading == ("/project/conftest.py: could not be loaded",)
    assert (report.problem, red_by(report)) == ("", By.LOADING)
