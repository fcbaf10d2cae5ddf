"""The real bats and prove, asked for their reports (T8 R: ids, skipped tests, reasons, the canary).

covers: T8.R, AL-3
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.contract.testrun.asking import call, call_on_canary, call_on_its_canary, write

PROJECT = {
    "tests/cart.bats": """setup() { load helper; }
@test "AT-001 adds" { [ "$((1 + 2))" -eq 3 ]; }
@test "is wrong" { run echo a; [ "$output" = b ]; }
@test "raises" { not_there; }
@test "waits" { skip "later"; }
@test "speaks of # skip" { true; }
""",
    "tests/helper.bash": ":\n",
    "tests/more/other.bats": '@test "AT-001 adds" { true; }\n',
    "tests/unset.bats": 'setup_file() { false; }\n@test "never" { true; }\n@test "nor this" { true; }\n',
    "tests/unread.bats": '@test "half" { if true;\n',
    "tests/helpless.bats": 'setup() { load nothing; }\n@test "alone" { true; }\n',
    "tests/forged.bats": '@test "says more" { echo "ok 2 not begun" >&3; }\n',
    "tests/killed.bats": '@test "ends all" { kill -9 $PPID; }\n@test "after" { true; }\n',
    "t/cart.t": """use Test::More;
ok 1, "adds"; is 1 + 2, 4, "is wrong";
SKIP: { skip "later", 1; ok 1 }
TODO: { local $TODO = "not yet"; ok 0, "is to come" }
subtest inner => sub { plan tests => 1; ok 1, "within" };
done_testing;
""",
    "t/unread.t": "use Not::There;\n",
    "t/short.t": 'use Test::More tests => 2; ok 1, "one";\n',
    "sh/list.sh": 'echo 1..2; echo "ok 1 - AT-002 lists"; echo "not ok 2 - sorts"; exit 1\n',
}
CART = {
    "tests/cart.bats::AT-001 adds": "passed",
    "tests/cart.bats::is wrong": "assertion",
    "tests/cart.bats::raises": "error",
    "tests/cart.bats::waits": "skipped",
    "tests/cart.bats::speaks of # skip": "passed",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write(tmp_path / "project", PROJECT)
    return tmp_path / "project"


def test_bats_reports_every_test_with_its_file_and_prints_tap_as_it_would(project: Path) -> None:
    ran = call(project, "bats --tap -T tests/cart.bats tests/more | cat")
    assert (ran.status, ran.report.problem) == (1, "")
    assert ran.ends() == CART | {"tests/more/other.bats::AT-001 adds": "passed"}
    assert ran.output.startswith("1..6\nok 1 AT-001 adds in ")
    assert "begin" not in ran.output


def test_what_bats_could_not_set_up_is_loading_and_the_rest_still_counts(project: Path) -> None:
    ran = call(project, "bats tests/unset.bats tests/unread.bats tests/more/other.bats")
    assert (ran.ends(), ran.report.problem) == ({"tests/more/other.bats::AT-001 adds": "passed"}, "")
    assert [line.partition(":")[0] for line in ran.report.loading] == ["tests/unset.bats", "tests/unread.bats"]
    assert call(project, "bats tests/helpless.bats").ends() == {"tests/helpless.bats::alone": "loading"}
    ran = call(project, "bats tests/nothing.bats")
    assert (ran.status, ran.ends(), len(ran.report.loading)) == (1, {}, 1)


@pytest.mark.parametrize("name", ["forged", "killed"])
def test_a_report_of_bats_that_does_not_add_up_is_a_problem(project: Path, name: str) -> None:
    assert call(project, f"bats tests/{name}.bats").report.problem


def test_prove_reports_the_tests_of_every_file_in_any_language(project: Path) -> None:
    ran = call(project, "prove t/cart.t")
    assert (ran.status, ran.report.problem) == (1, "")
    assert ran.ends() == {
        "t/cart.t::adds": "passed",
        "t/cart.t::is wrong": "assertion",
        "t/cart.t::test 3": "skipped",
        "t/cart.t::is to come": "expected to fail",
        "t/cart.t::inner": "passed",
    }
    assert call(project, "prove -e sh sh/list.sh").ends() == {
        "sh/list.sh::AT-002 lists": "passed",
        "sh/list.sh::sorts": "assertion",
    }


def test_a_file_of_prove_that_cannot_be_read_is_loading_and_one_cut_short_a_problem(project: Path) -> None:
    ran = call(project, "prove t/unread.t")
    assert (ran.status != 0, ran.report.problem, len(ran.report.loading)) == (True, "", 1)
    assert (
        "t/short.t: 2 tests were planned and 1 reported" in call(project, f"prove {project}/t/short.t").report.problem
    )


@pytest.mark.parametrize("command", ["bats -f adds tests", "prove t", "prove -e bash sh/list.sh"])
def test_the_canary_fails_in_the_report(project: Path, command: str) -> None:
    name, ran = call_on_canary(project, command)
    assert [(name in test, by) for test, by in ran.ends().items()] == [(True, "assertion")]


def test_a_canary_of_bats_lives_in_the_file_whose_green_is_believed(project: Path) -> None:
    name, ran = call_on_its_canary(project, "bats tests", "tests/cart.bats")
    assert ran.ends() == CART | {f"tests/cart.bats::{name}": "assertion"}
