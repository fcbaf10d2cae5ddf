"""What a clause is so exact about that code has to spell it. covers: T8.unseen"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from autopilot.planning.spec.spelling import MOST, find_unspelled, read_spelled, unspelled

CODE = (
    "MOST = 50\nkept = timedelta(days=1)\nraise MissingError\ns.NOT_FOUND\nVAT = 0.15\n"
    "add('--dry-run')\nuserId\nrows = 13\n"
)


@pytest.mark.parametrize(
    ("clause", "missing"),
    [
        ("The check is modulo 97", ("97",)),
        ("at most 50 characters", ()),
        ("at most 51 characters", ()),  # as a bound that is left out
        ("It lasts 24 hours", ()),
        ("VAT of 15 percent", ()),
        ("answers 404", ()),
        ("answers 405", ("405",)),
        ("answers 200", ()),  # what every framework answers
        ("An unknown id raises KeyError", ("KeyError",)),
        ("raises MissingError", ()),
        ("with --dry-run", ()),
        ("with --no-color", ("--no-color",)),
        ("user_id is kept", ()),
        ("api_key is hidden", ("api_key",)),
        ("follows ISO 8601 and Python 12 of 2024-11-30, since 2019", ()),
        ("about 60 rows, ~70 of them, over 80", ()),
        ("`add(12, 34)` gives 46", ()),
        ('says "99 bottles"', ()),
        ("handles 5000 rows without slowing down", ()),
        ("answers within 300 ms", ()),
        ("80 percent coverage", ()),
        ("supports 100 users, sorts 1000 numbers of 64 bits", ()),
        ("The README describes all 12 commands, and `max_items`", ()),  # where documents count, code does not spell it
        ("The board has 650 squares", ()),  # 50 rows of 13
        ("The board has 651 squares", ("651",)),
        ("up to 3 of them", ()),  # small numbers are everywhere
        ("as tests/test_slug.py says on GitHub", ()),
    ],
)
def test_numbers_and_names_without_a_synonym_have_to_stand_somewhere(clause: str, missing: tuple[str, ...]) -> None:
    assert unspelled(clause, read_spelled([CODE])) == missing


def test_code_is_read_text_by_text_and_no_further_than_there_is_something_to_find() -> None:
    """All at once it took gigabytes."""
    clauses = ["The check is modulo 97", "with --no-color"]
    read: list[str] = []

    def code() -> Iterator[str]:
        for text in ("MODULO = 97", "add('--no-color')", "never read"):
            read.append(text)
            yield text

    assert find_unspelled(clauses, code()) == {} and read == ["MODULO = 97", "add('--no-color')"]
    assert find_unspelled(clauses, ["a = 1", "b = 97"]) == {"with --no-color": ("--no-color",)}


def test_nothing_follows_from_more_code_than_is_read() -> None:
    assert find_unspelled(["The check is modulo 97"], ["x" * MOST, "y", "97"]) == {}
