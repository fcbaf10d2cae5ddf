"""Other values are of the same kind, can be written in the place of the first, and hold what a table may know."""

from __future__ import annotations

import pytest

from autopilot.testtools.expectations.site import Draw
from autopilot.testtools.questions.own_words import own_words
from autopilot.testtools.questions.value import Value
from autopilot.testtools.questions.variation import exchanged, longer, variations


def others(text: str, own: tuple[str, ...] = (), *, is_quoted: bool = True) -> list[str]:
    return variations(Value(text, 0, len(text), is_quoted), Draw("a commit"), own)


@pytest.mark.parametrize(
    ("text", "own", "other"),
    [
        ("Ada", (), "Beb"),
        ("Ada", (), "AdaAda"),
        ("<a>b</a>", (), "<b>c</b>"),
        ("2024-01-31", (), "2024-01-30"),
        ("Hello big World", (), "World big Hello"),
        ("France", ("FR", "Spain"), "Spain"),
        ("a.html", (".html", ".css"), "a.css"),
    ],
)
def test_a_text_is_asked_near_and_far_and_with_words_of_the_code(text: str, own: tuple[str, ...], other: str) -> None:
    assert other in others(text, own)
    assert text not in others(text, own)


def test_another_word_begins_otherwise_for_answers_that_rest_on_its_first_letter() -> None:
    for seed in map(str, range(60)):
        word = variations(Value("grace hopper", 0, 12, True), Draw(seed), ())[0].removeprefix("grace ")
        assert word[0] != "h" and word.isalpha()


def test_a_number_has_its_neighbours_and_one_far_away() -> None:
    near = others("3", ("March", "7"), is_quoted=False)
    assert {"4", "2", "7"} < set(near)
    assert any(int(number) > 1_000 for number in near)
    assert "March" not in near


def test_nothing_is_put_where_a_shell_would_read_it_otherwise() -> None:
    assert all(" " not in text for text in others("Ada", ("big one", "it's"), is_quoted=False))
    assert "it's" not in others("Ada", ("it's",))


def test_words_that_criteria_name_are_no_other_words() -> None:
    code = {"words.py": ["CODES = {'France': 'FR', 'Spain': 'ES', 7: 'x'}"]}
    words = own_words(code, ["host = here"], ["python3 -c \"code('France')\""], Draw("a commit"))
    assert {"FR", "Spain", "ES", "7", "x", "host", "here"} - {*words} == set()
    assert "France" not in words


def test_where_nothing_is_found_what_was_put_in_is_asked_for() -> None:
    put, sought, year = Value("Emma", 9, 13, True), Value("zebra", 30, 35, True), Value("1815", 16, 20, False)
    made = Value("Austen", 40, 46, True, is_direct=False)
    assert exchanged([put, sought, year]) == [(put, "zebra"), (sought, "Emma")]
    assert exchanged([made, put]) == [(put, "Austen")]
    assert exchanged([put]) == []


def test_a_list_in_a_call_is_made_longer_by_its_first_item_and_no_call_by_an_argument() -> None:
    command = """python3 -c 'import total; print(total.count(["bread 2.50", "milk 1.50"]))'"""
    bread, milk = (
        Value(text, command.index(text), command.index(text) + len(text)) for text in ("bread 2.50", "milk 1.50")
    )
    [(value, text)] = longer(command, [milk, bread])
    assert value.put(command, text) == command.replace('["bread 2.50"', '["bread 2.50", "bread 2.50"')
    alone = "python3 -c 'print(greet(\"Ada\"))'"
    assert longer(alone, [Value("Ada", alone.index("Ada"), alone.index("Ada") + 3)]) == []
