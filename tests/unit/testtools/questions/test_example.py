"""A criterion is one example where nothing else asks the same with other values, and no test does."""

from __future__ import annotations

import pytest

from autopilot.model.planning.criterion import Criterion, Expectation, Form, Kind, Strength, Want
from autopilot.testtools.questions.example import lone_examples

SWAPS = "python3 -c \"import words; print(words.swapcase('{}'))\""
DEEPER = "python3 -c \"import words; print(words.name(chr({}), 'x'))\""
JOINS = "npx tsx -e \"import {{join}} from './src/join.ts'; console.log(join({}))\""
BOTH = "python3 -c \"from words import swapcase as s; assert s('Ada') == 'aDA' and s('bob') == 'BOB'\""


def criterion(number: int, command: str, kind: Kind = Kind.NEW, strength: Strength = Strength.COMMAND) -> Criterion:
    wanted = Expectation(Want.CONTAINS, text="x")
    return Criterion(f"01-01.c{number}", "it does", Form.COMMAND, command, wanted, kind, strength)


@pytest.mark.parametrize(
    ("commands", "alone"),
    [
        ([SWAPS.format("Ada")], ["01-01.c1"]),
        ([SWAPS.format("Ada"), SWAPS.format("bob")], []),
        ([SWAPS.format("Ada"), SWAPS.format("Ada")], ["01-01.c1", "01-01.c2"]),
        ([SWAPS.format("Ada"), "python3 tool.py swap Ada"], ["01-01.c1", "01-01.c2"]),
        ([SWAPS.format("Ada"), "python3 -m pytest -q tests/test_words.py"], []),
        ([BOTH], []),
        (["python3 tool.py swap Ada"], ["01-01.c1"]),
        (["python3 tool.py add Emma; python3 tool.py add Ulysses; python3 tool.py list"], []),
        (["python3 tool.py --version"], []),
        (["python3 -c \"import words; print(words.VERSION)\""], []),
        (["sh part-01.sh"], []),
        (["grep -q swapcase words.py"], []),
    ],
)  # fmt: skip
def test_a_lone_example_is_asked_once_with_values(commands: list[str], alone: list[str]) -> None:
    criteria = [criterion(number, command) for number, command in enumerate(commands, start=1)]
    assert [found.id for found in lone_examples(criteria)] == alone


def test_what_was_there_and_what_searches_text_is_no_example() -> None:
    command = SWAPS.format("Ada")
    assert lone_examples([criterion(1, command, Kind.KEEP), criterion(2, command, strength=Strength.GREP)]) == ()


@pytest.mark.parametrize(
    ("beside", "count"),
    [(SWAPS.format("bob"), 0), (SWAPS.format("Ada"), 1), ("python3 tool.py swap bob", 1), (DEEPER.format(1), 1)],
)
def test_a_further_example_asks_the_same_with_other_values(beside: str, count: int) -> None:
    one, other = criterion(1, SWAPS.format("Ada")), criterion(2, beside)
    assert len(lone_examples([one], [other])) == count


@pytest.mark.parametrize(("first", "second", "count"), [("0x41", "0x42", 0), ("65", "0x42", 0), ("65", "65", 1)])
def test_a_number_deeper_than_an_argument_is_a_value_too(first: str, second: str, count: int) -> None:
    one, other = criterion(1, DEEPER.format(first)), criterion(2, DEEPER.format(second))
    assert len(lone_examples([one], [other])) == count


def test_tests_that_are_still_to_be_written_support_nothing_yet() -> None:
    criteria = [criterion(1, SWAPS.format("Ada")), criterion(2, "python3 -m pytest -q tests/test_words.py")]
    assert [found.id for found in lone_examples(criteria, strict=True)] == ["01-01.c1"]


@pytest.mark.parametrize("other", ["['so', '', 'up']", "['so', 'up', '', 's']", "[]", "['a']"])
@pytest.mark.parametrize("command", [JOINS, JOINS.replace("tsx", "vite-node"), SWAPS.replace("'{}'", "{}")])
def test_a_list_may_have_more_values_or_fewer(command: str, other: str) -> None:
    """An empty text among them is one too, and does not take the text after it apart."""
    one, further = criterion(1, command.format("['pig', '', 'let']")), criterion(2, command.format(other))
    assert lone_examples([one], [further], strict=True) == ()
    assert lone_examples([one], strict=True) == (one,)
