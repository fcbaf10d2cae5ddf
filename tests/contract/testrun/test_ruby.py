"""The real RSpec and minitest, asked for their reports (T8 R: ids, pending tests, reasons, the canary).

covers: T8.R
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.contract.testrun.asking import call, call_on_canary, write

PROJECT = {
    "spec/cart_spec.rb": """RSpec.describe "Cart" do
  it("adds") { expect(1 + 2).to eq(3) }
  it("is wrong") { expect(1 + 2).to eq(4) }
  it("raises") { raise "oh" }
  xit("waits") { }
  pending("is not yet right") { expect(1).to eq(2) }
end
""",
    "spec/broken_spec.rb": 'RSpec.describe("broken") { it("a") {}\n',
    "spec/exit_spec.rb": 'RSpec.describe("Exit") { it("leaves") { exit 0 } }\n',
    "test/cart_test.rb": """require "minitest/autorun"
class CartTest < Minitest::Test
  def test_adds; assert_equal 3, 1 + 2; end
  def test_wrong; assert_equal 4, 1 + 2; end
  def test_raises; raise "oh"; end
  def test_waits; skip "later"; end
end
describe("Basket") { it("holds") { _(1).must_equal 1 } }
""",
    "test/broken_test.rb": 'require "not_there"\n',
    "test/exit_test.rb": """require "minitest/autorun"
class ExitTest < Minitest::Test
  def test_it; exit!(0); end
end
""",
    "Rakefile": 'require "rake/testtask"\nRake::TestTask.new { |t| t.pattern = "test/cart_test.rb" }\n',
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write(tmp_path / "project", PROJECT)
    return tmp_path / "project"


def test_rspec_reports_every_example_and_prints_what_it_would(project: Path) -> None:
    ran = call(project, "rspec spec/cart_spec.rb | tail -20")
    assert ran.status == 1
    assert "5 examples, 2 failures, 2 pending" in ran.output
    assert ran.ends() == {
        "spec/cart_spec.rb::Cart adds": "passed",
        "spec/cart_spec.rb::Cart is wrong": "assertion",
        "spec/cart_spec.rb::Cart raises": "error",
        "spec/cart_spec.rb::Cart waits": "skipped",
        "spec/cart_spec.rb::Cart is not yet right": "skipped",
    }


def test_an_example_that_leaves_has_not_passed_and_a_file_that_cannot_be_read_is_loading(project: Path) -> None:
    ran = call(project, "rspec spec/exit_spec.rb")
    assert (ran.status, ran.ends()) == (0, {"spec/exit_spec.rb::Exit leaves": "error"})
    ran = call(project, "rspec -f d spec/broken_spec.rb")
    assert (ran.status, ran.ends(), len(ran.report.loading)) == (1, {}, 1)


def test_minitest_reports_every_test_through_rake_as_well(project: Path) -> None:
    expected = {
        "test/cart_test.rb::CartTest#test_adds": "passed",
        "test/cart_test.rb::CartTest#test_wrong": "assertion",
        "test/cart_test.rb::CartTest#test_raises": "error",
        "test/cart_test.rb::CartTest#test_waits": "skipped",
        "test/cart_test.rb::Basket#holds": "passed",
    }
    ran = call(project, "ruby -Itest test/cart_test.rb")
    assert (ran.status, ran.ends()) == (1, expected)
    assert call(project, "rake test").ends() == expected


def test_a_minitest_run_that_leaves_early_is_a_problem_and_a_missing_library_is_loading(project: Path) -> None:
    ran = call(project, "ruby -Itest test/exit_test.rb")
    assert ran.status == 0
    assert ran.report.problem
    ran = call(project, "ruby -Itest test/broken_test.rb")
    assert (ran.status, ran.report.problem, len(ran.report.loading)) == (1, "", 1)


@pytest.mark.parametrize("command", ["rspec -e adds spec/cart_spec.rb", "ruby -Itest test/cart_test.rb -n /adds/"])
def test_the_canary_fails_in_the_report(project: Path, command: str) -> None:
    name, ran = call_on_canary(project, command)
    assert [(name in test, by) for test, by in ran.ends().items()] == [(True, "assertion")]
