"""Maven, Gradle, RSpec, minitest, PHPUnit and commands that name their report: calls known and reports read.

covers: T8.R
"""

from __future__ import annotations

import json

import pytest

from autopilot.model.evidence.testing import By, Ended
from autopilot.testtools.pack import Pack
from autopilot.testtools.packs.jvm_pack import Gradle, Maven
from autopilot.testtools.packs.minitest_pack import Minitest
from autopilot.testtools.packs.named_pack import NamedReport, find_report
from autopilot.testtools.packs.phpunit_pack import PhpUnit
from autopilot.testtools.packs.rspec_pack import RSpec
from autopilot.testtools.registry import PACKS
from tests.unit.testtools.recording import recorded

CART = {
    "com.shop.CartTest::adds": Ended.PASSED,
    "com.shop.CartTest::wrong": By.ASSERTION,
    "com.shop.CartTest::raises": By.ERROR,
    "com.shop.CartTest::waits": Ended.SKIPPED,
}


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("mvn -q test", "Maven"),
        ("./mvnw -B verify -Dtest=CartTest", "Maven"),
        ("mvn test -DskipTests", ""),
        ("mvn package", ""),
        ("./gradlew :app:test --tests CartTest", "Gradle"),
        ("gradle check", "Gradle"),
        ("gradle check -x test", ""),
        ("gradle build", ""),
        ("bundle exec rspec spec/a_spec.rb:3", "RSpec"),
        ("rake spec", "RSpec"),
        ("rspec --dry-run", ""),
        ("ruby -Itest test/cart_test.rb", "minitest"),
        ("bin/rails test test/models", "minitest"),
        ("rake test", "minitest"),
        ("ruby lib/cart.rb", ""),
        ("vendor/bin/phpunit --filter x", "PHPUnit"),
        ("php -d memory_limit=1G vendor/bin/phpunit", "PHPUnit"),
        ("phpunit --list-tests", ""),
        ("php index.php", ""),
        ("ctest --output-junit out/report.xml", "named report"),
        ("./check --gtest_output=xml:report.xml", "named report"),
        ("gotestsum --junitfile=report.xml ./...", "named report"),
        ("./check --junit", ""),
        ("./check --output report.xml", ""),
        ("make build", ""),
    ],
)
def test_a_call_is_known_by_one_pack_or_none(command: str, name: str) -> None:
    assert next((pack.name for pack in PACKS if pack.knows(command.split())), "") == name


@pytest.mark.parametrize(("pack", "file"), [(Maven(), "surefire-2.22.xml"), (Gradle(), "gradle-4.4.xml")])
def test_recorded_reports_of_maven_and_gradle_are_read_test_by_test(pack: Pack, file: str) -> None:
    files = {"1-1.xml": recorded(file), "1.where": b"./app/src/test/java/com/shop/CartTest.java\n"}
    report = pack.read(files, "")
    assert {r.id: r.by or r.ended for r in report.results} == CART
    assert {r.file for r in report.results} == {"app/src/test/java/com/shop/CartTest.java"}
    assert report.problem == ""


@pytest.mark.parametrize(
    ("pack", "output", "loading"),
    [
        (Maven(), "[ERROR] COMPILATION ERROR : \n[ERROR] /p/A.java:[1,4] cannot find symbol\n", "/p/A.java:[1,4]"),
        (Gradle(), "/p/A.java:1: error: cannot find symbol\n> Compilation failed; see the output\n", "/p/A.java:1"),
        (Gradle(), "e: /p/A.kt: (1, 4): Unresolved reference: b\n", "e: /p/A.kt"),
    ],
)
def test_a_compile_error_is_loading_and_silence_a_problem(pack: Pack, output: str, loading: str) -> None:
    report = pack.read({"1.began": b""}, output)
    assert report.problem == ""
    assert any(line.startswith(loading) for line in report.loading)
    assert pack.read({"1.began": b""}, "BUILD SUCCESS").problem
    assert pack.read({"1.began": b""}, "[INFO] No tests to run.\n> Task :test NO-SOURCE").problem == ""


def test_rspec_tells_pending_from_failed_and_an_example_that_was_cut_short_has_failed() -> None:
    report = RSpec().read({"1.json": recorded("rspec-3.12.json")}, "")
    assert {r.id.partition("::")[2]: r.by or r.ended for r in report.results} == {
        "Adding adds": Ended.PASSED,
        "Adding fails": By.ASSERTION,
        "Adding raises": By.ERROR,
        "Adding skipped": Ended.SKIPPED,
        "Adding pends": Ended.SKIPPED,
        "Adding todo": Ended.SKIPPED,
        "Adding is expected to eq 1": Ended.PASSED,
    }
    cut = {"examples": [{"full_description": "a", "status": ""}] * 2, "summary": {}}
    results = RSpec().read({"1.json": json.dumps(cut).encode()}, "").results
    assert [(r.id, r.by) for r in results] == [(".::a", By.ERROR), (".::a (2)", By.ERROR)]


def test_rspec_errors_outside_of_examples_are_loading() -> None:
    outside = {
        "examples": [],
        "messages": ["\nAn error occurred while loading ./spec/b_spec.rb.\n", "No examples found."],
        "summary": {"errors_outside_of_examples_count": 1},
    }
    report = RSpec().read({"1.json": json.dumps(outside).encode()}, "")
    assert report.loading == ("An error occurred while loading ./spec/b_spec.rb.",)
    assert RSpec().read({}, "").problem
    assert RSpec().read({"1.json": b"{"}, "").problem


def minitest_line(**fields: object) -> str:
    return json.dumps({"class": "CartTest", "file": "test/cart_test.rb", "seconds": 0.1, **fields})


def test_minitest_is_believed_only_with_its_last_line() -> None:
    lines = [
        minitest_line(name="test_a", word="."),
        minitest_line(name="test_b", word="F", message="Expected: 4"),
        minitest_line(name="test_c", word="E"),
        minitest_line(name="test_0001_holds", word="S"),
    ]
    whole = "\n".join([*lines, '{"end": true}']).encode()
    report = Minitest().read({"1-77.minitest": whole}, "")
    assert {r.id: r.by or r.ended for r in report.results} == {
        "test/cart_test.rb::CartTest#test_a": Ended.PASSED,
        "test/cart_test.rb::CartTest#test_b": By.ASSERTION,
        "test/cart_test.rb::CartTest#test_c": By.ERROR,
        "test/cart_test.rb::CartTest#holds": Ended.SKIPPED,
    }
    assert report.problem == ""
    assert Minitest().read({"1-77.minitest": "\n".join(lines).encode()}, "").problem
    assert Minitest().read({"1-77.minitest": whole, "1-78.minitest": b""}, "").problem
    assert Minitest().read({}, "").problem
    missing = Minitest().read({}, "x.rb:1:in `require': cannot load such file -- y (LoadError)")
    assert (missing.problem, len(missing.loading)) == ("", 1)


def test_phpunit_calls_a_test_that_checks_nothing_skipped() -> None:
    report = PhpUnit().read({"1.xml": recorded("phpunit-9.6.xml")}, "")
    assert {r.id: r.by or r.ended for r in report.results} == {
        "ATest::testAdds": Ended.PASSED,
        "ATest::testFails": By.ASSERTION,
        "ATest::testRaises": By.ERROR,
        "ATest::testSkips": Ended.SKIPPED,
        "ATest::testIncomplete": Ended.SKIPPED,
        "ATest::testRisky": Ended.SKIPPED,
        "ATest::testWarns": By.ERROR,
        'ATest::testRows with data set "one"': Ended.PASSED,
        "ATest::testRows with data set #0": Ended.PASSED,
    }
    assert PhpUnit().read({"1.xml": b""}, "").problem
    assert PhpUnit().read({}, "PHP Fatal error:  Uncaught ParseError: x in y").loading


def test_a_named_report_has_to_be_of_this_run() -> None:
    words = ["ctest", "--output-junit", "out/report.xml"]
    assert find_report(words) == "out/report.xml"
    asked = NamedReport().ask(words, "1")
    assert asked.index("rm -f -- out/report.xml") < asked.index('"$@"')
    assert NamedReport().read({}, "").problem
    report = NamedReport().read({"1.xml": recorded("surefire-2.22.xml")}, "")
    assert {r.id: r.by or r.ended for r in report.results} == CART


@pytest.mark.parametrize(
    ("pack", "command", "only"),
    [
        (Maven(), "mvn -q -Dtest=Old test", "mvn -q test -Dtest=CartTest"),
        (Gradle(), "gradle test --tests Old -i", "gradle test -i --tests CartTest"),
        (RSpec(), "bundle exec rspec -r helper -e adds spec/a_spec.rb", "bundle exec rspec -r helper t/CartTest.x"),
        (Minitest(), "ruby -Itest test/a_test.rb -n /x/", "ruby -Itest t/CartTest.x"),
        (Minitest(), "rails test test/models -v", "rails test t/CartTest.x"),
        (PhpUnit(), "php vendor/bin/phpunit -c p.xml --filter x tests", "php vendor/bin/phpunit -c p.xml t/CartTest.x"),
    ],
)
def test_the_same_call_on_one_file_keeps_settings_and_drops_the_choice(pack: Pack, command: str, only: str) -> None:
    assert pack.only(command.split(), ["t/CartTest.x"]) == only.split()
