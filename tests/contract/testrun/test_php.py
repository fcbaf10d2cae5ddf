"""The real PHPUnit, asked for its log (T8 R: ids, skipped and risky tests, reasons, the canary).

covers: T8.R
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.contract.testrun.asking import call, call_on_canary, write

CART = """<?php
use PHPUnit\\Framework\\TestCase;
final class CartTest extends TestCase {
    public function testAdds(): void { $this->assertSame(3, 1 + 2); }
    public function testWrong(): void { $this->assertSame(4, 1 + 2); }
    public function testRaises(): void { throw new RuntimeException("oh"); }
    public function testLater(): void { $this->markTestSkipped("later"); }
    public function testUnfinished(): void { $this->markTestIncomplete("todo"); }
    public function testChecksNothing(): void { }
}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write(tmp_path / "project", {"tests/CartTest.php": CART})
    return tmp_path / "project"


def test_every_test_is_reported_by_name_and_one_that_checks_nothing_has_not_passed(project: Path) -> None:
    ran = call(project, "phpunit tests 2>&1 | tail -3")
    assert ran.status == 2
    assert "Tests: 6" in ran.output
    assert ran.ends() == {
        "CartTest::testAdds": "passed",
        "CartTest::testWrong": "assertion",
        "CartTest::testRaises": "error",
        "CartTest::testLater": "skipped",
        "CartTest::testUnfinished": "skipped",
        "CartTest::testChecksNothing": "skipped",
    }
    assert {result.file for result in ran.report.results} == {"tests/CartTest.php"}


def test_an_early_exit_is_a_problem_and_a_syntax_error_is_loading(project: Path) -> None:
    write(project, {"tests/ExitTest.php": CART.replace("CartTest", "ExitTest").replace("throw new", "exit(0); new")})
    ran = call(project, "phpunit --log-junit own.xml tests/ExitTest.php")
    assert ran.status == 0
    assert ran.report.problem

    write(project, {"tests/ExitTest.php": "<?php class ExitTest {"})
    ran = call(project, "phpunit tests/ExitTest.php")
    assert ran.status != 0
    assert (ran.report.problem, len(ran.report.loading)) == ("", 1)


def test_the_canary_fails_in_the_report(project: Path) -> None:
    name, ran = call_on_canary(project, "phpunit --filter testAdds tests")
    assert [(name in test, by) for test, by in ran.ends().items()] == [(True, "assertion")]
