"""Names of tests: the same test has the same name in two runs, and a plan names it as whole words (T8.R)."""

from __future__ import annotations

import pytest

from autopilot.gates.evidence.test_id import (
    file,
    is_named,
    is_to_be_removed,
    name,
    partners,
    settle,
    some,
    with_more_parameters,
)

# covers: T8.R


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("t.py::a[<Shelf object at 0x7f11aabbcc>]", "t.py::a[<Shelf object at 0x7f99001122>]"),
        ("t.py::a[/tmp/pytest-of-u/pytest-3/a0/x.db]", "t.py::a[/tmp/pytest-of-u/pytest-12/a0/x.db]"),
        ("t.py::a[/tmp/tmpq1w2e3]", "t.py::a[/tmp/tmpzzz]"),
        ("t.py::a[/private/var/folders/ab/x1/T/f]", "t.py::a[/private/var/folders/cd/y2/T/f]"),
        ("/one/project/tests/t.py::a", "/other/place/project/tests/t.py::a"),
        (r"C:\one\tests\t.py::a", r"D:\two\three\tests\t.py::a"),
        ("t.py::a[gw0]", "t.py::a[gw3]"),
        ("t.py::a[popen-gw0-fast]", "t.py::a[popen-gw1-fast]"),
        ("t.py::a[http://localhost:40111/x]", "t.py::a[http://localhost:51999/x]"),
        ("t.py::a[127.0.0.1:40111]", "t.py::a[127.0.0.1:1234]"),
        ("a[0f8fad5b-d9cb-469f-a165-70867728950e]", "a[7c9e6679-7425-40de-944b-e07fc1f90ae7]"),
        ("a[0f8fad5bd9cb469fa16570867728950e]", "a[7c9e6679742540de944be07fc1f90ae7]"),
        ("a[2025-01-01T10:00:00.123456+00:00]", "a[2026-12-31 23:59]"),
        ("a.test.js > adds (12 ms)", "a.test.js > adds (3 ms)"),
        ("t.py::a[pid=4711]", "t.py::a[pid=9]"),
        ("t.py::a[4-19-expected6-%C]", "t.py::a[4-19-expected11-%C]"),
    ],
)
def test_what_a_machine_or_a_moment_put_into_an_id_makes_no_other_test_of_it(one: str, other: str) -> None:
    assert settle(one) == settle(other)
    assert partners([one], [other]) == {one: other}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("t.py::a[1]", "t.py::a[2]"),
        ("t.py::a[4-19-expected6]", "t.py::a[4-20-expected6]"),
        ("t.py::a[W15]", "t.py::a[W16]"),
        ("t.py::a[0x1]", "t.py::a[0x2]"),
        ("t.py::a", "u.py::a"),
        ("a/t.py::a", "b/t.py::a"),
        ("GET /api/users/1 answers", "GET /api/books/1 answers"),
        ("t.py::a[2025-01-01]", "t.py::a[2025-01-02]"),
        ("worker 1 starts", "worker 2 starts"),
        ("a[deadbeef]", "a[cafebabe]"),
    ],
)
def test_what_a_person_wrote_into_an_id_does(one: str, other: str) -> None:
    assert partners([one], [other]) == {}


def test_two_tests_that_differ_in_noise_alone_stay_two() -> None:
    one, two = "a[/tmp/one]", "a[/tmp/two]"
    assert partners([one, two], [two]) == {two: two}
    assert partners([one, two], ["a[/tmp/six]"]) == {one: "a[/tmp/six]"}
    assert partners([one, two], [two, "a[/tmp/six]"]) == {one: "a[/tmp/six]", two: two}


@pytest.mark.parametrize(
    ("id", "called", "stands_in"),
    [
        ("tests/test_a.py::TestShelf::test_b[1-2]", "test_b", "tests/test_a.py"),
        ("tests.test_a.TestShelf.test_b", "test_b", ""),
        ("src/a.test.js > shelf > adds two books", "adds two books", "src/a.test.js"),
        ("example.com/app/shelf::TestAdd/negative", "negative", ""),
        ("shelf::tests::adds", "adds", ""),
        ("com.acme.ShelfTest.addsBook(int)", "addsBook", ""),
        ("Tests\\ShelfTest::testAdd", "testAdd", ""),
        ("adds two books", "adds two books", ""),
        ("", "", ""),
    ],
)
def test_a_test_is_called_by_the_last_part_of_its_id(id: str, called: str, stands_in: str) -> None:
    assert (name(id), file(id)) == (called, stands_in)


@pytest.mark.parametrize(
    ("part", "text", "named"),
    [
        ("test_b", "Rename test_b to test_c", True),
        ("test_b", "Rename test_bb to test_c", False),
        ("test_b", "`test_b`, no more", True),
        ("adds two books", "drop 'adds  two\nbooks'", True),
        ("works", "check that it works", False),
        ("works", "skip the test `works` for now", True),
        ("TestShelf", "the class TestShelf.", True),
        ("", "anything", False),
    ],
)
def test_a_text_names_a_test_as_whole_words_and_an_everyday_word_in_quotes(part: str, text: str, named: bool) -> None:
    assert is_named(part, text) is named


@pytest.mark.parametrize(
    ("text", "goes"),
    [
        ("Remove tests/test_old.py with the exporter.", True),
        ("Extend tests/test_old.py. Remove the exporter.", False),
        ("Extend tests/test_old.py\nRemove the exporter", False),
        ("tests/test_old.py is replaced", True),
    ],
)
def test_a_file_goes_when_one_sentence_says_so(text: str, goes: bool) -> None:
    assert is_to_be_removed("tests/test_old.py", text) is goes


def test_of_many_names_five_are_said_and_the_rest_is_counted() -> None:
    assert some(["b", "a", "a"]) == "a, b"
    assert some("fedcba") == "a, b, c, d, e and 1 more"
    assert some("hgfedcba") == "a, b, c, d, e and 3 more"


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("t.py::a", "t.py::a[x]", True),
        ("t.py::a[1]", "t.py::a[x-1]", True),
        ("t.py::a[1-2]", "t.py::a[1-2-x]", True),
        ("t.py::a[1]", "t.py::a[x-11]", False),
        ("t.py::a[1]", "t.py::a", False),  # a row that is gone
        ("t.py::a", "t.py::ab[x]", False),
    ],
)
def test_a_test_with_one_parameter_more_is_the_same_test(old: str, new: str, same: bool) -> None:
    assert with_more_parameters([old], [new]) == ({old} if same else set())


def test_so_are_tens_of_thousands_of_them_each_looked_up_and_not_compared_with_all_others() -> None:
    """A report is an agent's to make: compared one with another, these would take a quarter of an hour."""
    olds = [f"t.py::a[{number}]" for number in range(100_000)]
    others = [f"t.py::a[x{number}-y]" for number in range(100_000)]
    assert with_more_parameters(olds, [*others, "t.py::a[x-7-y]"]) == {"t.py::a[7]"}


def test_an_everyday_word_with_brackets_is_a_function() -> None:
    assert is_to_be_removed("title", "Remove title(); slug() stays.")
    assert not is_to_be_removed("title", "Remove the title of the page.")
