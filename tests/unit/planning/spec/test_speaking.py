"""What a check has to say before a clause counts as spoken of. covers: T8.unseen"""

from __future__ import annotations

import pytest

from autopilot.planning.spec.clauses import read_clauses, unasked
from autopilot.planning.spec.speaking import asks_as_promised, is_test_of, marks_of, single_tests

PYTHON = "import pytest\n\nROWS = 1\n\n@pytest.mark.slow\ndef test_a():\n    a()\n\nasync def test_b():\n    pass\n"
SCRIPT = "import test from 'node:test';\n\ntest('one', () => {\n  a();\n});\n\ntest.skip(\"two\", () => {});\n"
GO = 'package a\n\nimport "testing"\n\nfunc TestA(t *testing.T) {\n}\n\nfunc TestB(t *testing.T) {\n}\n'
RUST = "use a::b;\n\n#[test]\nfn one() {\n}\n\n#[test]\n#[should_panic]\nfn two() {\n}\n"
BATS = 'setup() {\n  :\n}\n\n@test "one" {\n  a\n}\n\n@test "two" {\n  b\n}\n'


@pytest.mark.parametrize(
    ("text", "firsts"),
    [
        (PYTHON, ["@pytest.mark.slow", "async def test_b():"]),
        (SCRIPT, ["test('one', () => {", 'test.skip("two", () => {});']),
        (GO, ["func TestA(t *testing.T) {", "func TestB(t *testing.T) {"]),
        (RUST, ["#[test]", "#[test]"]),
        (BATS, ['@test "one" {', '@test "two" {']),
        ("assert a\n", []),
    ],
)
def test_a_file_is_read_as_its_single_tests(text: str, firsts: list[str]) -> None:
    above, *tests = single_tests(text)
    assert [test.split("\n")[0] for test in tests] == firsts
    assert "import" not in above


@pytest.mark.parametrize(
    ("clause", "marks"),
    [
        ("Slugs have at most 40 characters", {"40"}),
        ("Only the newest five are kept", {"5"}),
        ("After the third failure it stops", {"3"}),
        ("redact(record) hides password and api_key", {"redact", "api_key"}),
        ("An unknown id is a NotFoundError", {"notfounderror"}),
        ("With --dry-run nothing is removed", {"--dry-run"}),
        ("parseDuration is exact", {"parseduration"}),
        ("`npm run build -- --all 7` works in v2 on x86-64", set()),
        ("One of two is enough", set()),
    ],
)
def test_what_a_clause_is_exact_about_is_its_numbers_and_names(clause: str, marks: set[str]) -> None:
    assert marks_of(clause) == marks


@pytest.mark.parametrize(
    ("clause", "check", "asks"),
    [
        ("An unknown id raises KeyError", "with pytest.raises(KeyError):", True),
        ("An unknown id raises KeyError", "try:\n    find(1)\nexcept KeyError:\n    pass", False),
        ("A bad reply rejects", "await load().catch((e) => assert.match(e.message, /404/))", False),
        ("A bad reply rejects", "await assert.rejects(load(), /404/)", True),
        ("A double key is an error that names the line", "assert!(parse(text).is_err());", True),
        ("A double key is an error that names the line", "assert_eq!(parse(text).unwrap().len(), 1);", False),
        ("It exits 1 when a link is broken", '[ "$status" -eq 1 ]', True),
        ("It exits 1 when a link is broken", '[ "$status" -eq 0 ]', False),
        ("A wrong key is refused", "assert.equal(answer.status, 403)", True),
        ("Names are sorted", "assert names == ['a']", True),
    ],
)
def test_a_promised_failure_is_asked_for_by_who_expects_one(clause: str, check: str, asks: bool) -> None:
    assert asks_as_promised(clause, check) is asks


@pytest.mark.parametrize(
    ("text", "checks", "left"),
    [
        # The words of one clause in three tests are asked for by none of them.
        (
            "Equal points share a rank, and old seasons are archived each spring",
            ["test_equal_points_share_rank", "seasons = 2", "archived = []", "spring = 1", "old = 0"],
            ("old seasons are archived each spring",),
        ),
        ("Unknown routes are answered with status 404", ["test_unknown_routes_answered: status == 200"], "whole"),
        ("Unknown routes are answered with status 404", ["test_unknown_routes_answered: status == 404"], ()),
        ("Slugs have at most forty characters", ["test_slug_characters: len(x) <= 40"], ()),
        ("Part 1 says its name", ["sh part-01.sh says name"], ()),
        ("merge(a, b) keeps both, and sorts", ["test_merge_keeps_both", "test_merge_sorts"], ()),
    ],
)
def test_one_check_has_the_words_and_some_check_the_numbers(
    text: str, checks: list[str], left: tuple[str, ...] | str
) -> None:
    clauses = read_clauses([text])
    found = unasked(clauses, checks)
    assert bool(found) if left == "whole" else found == left


def test_what_stands_in_the_brackets_of_a_call_is_no_clause() -> None:
    assert read_clauses(["debounce(fn, ms) calls fn once, with the last arguments"]) == (
        "debounce(fn, ms) calls fn once",
        "with the last arguments",
    )


@pytest.mark.parametrize(
    ("check", "asks"),
    [
        ("mkdir -p q && touch q/b.tmp && python3 clean.py --dry-run q", False),
        ("A dry run names the files and removes none", False),
        ("touch b.tmp && python3 clean.py --dry-run . && test -e b.tmp", True),
        ("python3 clean.py --dry-run q; ls q", True),
        ("def test_dry_run():\n    clean(dry=True)\n    assert path.exists()\n", True),
        ("test('dry run', () => { expect(readdirSync(q)).toHaveLength(2) })", True),
    ],
)
def test_that_nothing_happens_is_asked_for_by_who_looks_afterwards(check: str, asks: bool) -> None:
    assert asks_as_promised("removes nothing", check) is asks
    assert asks_as_promised("prints `would remove NAME`", check)


def test_a_test_is_known_by_the_name_where_it_begins() -> None:
    *_, second = single_tests(PYTHON)
    assert is_test_of(second, frozenset(["test_b"]))
    assert not is_test_of(second, frozenset(["test_a", "test_bc"]))
    (_, one, _) = single_tests(SCRIPT)
    assert is_test_of(one, frozenset(["one"]))
    assert is_test_of("it('adds two', () => {", frozenset(["adds two"]))
    assert not is_test_of("def test_a():\n    x\n    x\n    x\n    test_b()\n", frozenset(["test_b"]))


def test_that_something_stays_as_it_was_is_asked_for_wherever_a_failure_is_expected() -> None:
    looks = "def test_a():\n    with raises(Closed):\n        move(1)\n    assert account == 2\n"
    silent = "def test_b():\n    with raises(ValueError):\n        move(-1)\n"
    clauses = ("both accounts are unchanged",)
    said = "# accounts unchanged\n"
    assert unasked(clauses, [looks + said]) == ()
    assert unasked(clauses, [looks + said, silent]) == clauses


def test_a_test_is_known_among_a_hundred_thousand_names_by_what_it_says_itself() -> None:
    names = frozenset(f"test_{number}" for number in range(100_000))
    tests = [f"def test_{number}():\n    pass\n" for number in range(99_000, 101_000)]
    assert sum(is_test_of(test, names) for test in tests) == 1_000
