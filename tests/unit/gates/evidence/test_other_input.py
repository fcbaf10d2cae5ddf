"""An answer that is written into the code, and given whatever is asked, is no work. covers: T8"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from autopilot.gates.evidence.other_input import judge_other_input
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.planning.criterion import Criterion, Expectation, Form, Want
from autopilot.testtools.commands.other_input import vary_input
from autopilot.testtools.expectations.site import Draw

COMMAND = "python3 -c \"import words; print(words.swapcase('Ada'))\""
CRITERION = Criterion("01-01.c1", "swaps", Form.COMMAND, COMMAND, Expectation(Want.CONTAINS, text="aDA"))
GREEN = Observation("01-01.c1", COMMAND, "a commit", Seen.PASSED, exit_code=0, output="digest of aDA")
STUB = {"words.py": ["def swapcase(word):", '    return "aDA"']}
REAL = {"words.py": ["def swapcase(word):", "    return word.swapcase()"]}


def test_the_same_answer_that_stands_in_the_code_is_refused() -> None:
    (objection,) = judge_other_input(CRITERION, GREEN, GREEN, "another command", STUB)
    assert "words.py" in objection.description
    assert "`another command`" in objection.description


@pytest.mark.parametrize(
    ("expected", "printed", "line"),
    [
        ("90", "90.0", "    return 90.0"),
        ("the quick|brown fox", "the quick|brown fox", "    return ['the quick', 'brown fox']"),
        ("foo,b", "foo,b", "    return ['foo','b']"),
    ],
)
def test_an_answer_written_in_another_form_is_the_same_answer(expected: str, printed: str, line: str) -> None:
    criterion = replace(CRITERION, expectation=Expectation(Want.CONTAINS, text=expected))
    green = replace(GREEN, excerpt=f"{printed}\n")
    assert judge_other_input(criterion, green, green, "another command", {"words.py": [line]}) != ()
    assert judge_other_input(criterion, green, green, "another command", REAL) == ()


@pytest.mark.parametrize("other", [replace(GREEN, output="another"), replace(GREEN, exit_code=1, seen=Seen.FAILED)])
def test_another_answer_is_what_honest_code_gives(other: Observation) -> None:
    assert judge_other_input(CRITERION, GREEN, other, "another command", STUB) == ()


def test_the_same_answer_that_was_computed_may_be_right() -> None:
    """Whether a text is valid, say, is true of many texts."""
    assert judge_other_input(CRITERION, GREEN, GREEN, "another command", REAL) == ()


@pytest.mark.parametrize(
    ("command", "part"),
    [
        (COMMAND, "'Ada{}'"),
        ("node -e \"console.log(require('./words').swap('Ada'))\"", ".swap('Ada{}')"),
        ("python3 tool.py swap Ada", "tool.py swap Ada{}"),
        ("python3 tool.py swap Ada | grep -q aDA", "swap Ada{} | grep -q aDA"),
        ('test "$(python3 -c "import w; print(w.add(2, 3))")" = "5"', "w.add(2, "),
        ("bash swap.sh 'Ada Lovelace'", "'Ada Lovelace{}'"),
    ],
)
def test_the_last_value_that_a_command_hands_over_is_changed(command: str, part: str) -> None:
    varied = vary_input(command, Draw("a commit"), {"tool.py", "swap.sh"}.__contains__)
    assert varied is not None
    assert varied != command
    before, _, after = part.partition("{}")
    assert before in varied
    assert varied.endswith(after) or after in varied


@pytest.mark.parametrize("command", ["true", "python3 tool.py", "./run.sh", "cat notes.txt"])
def test_a_command_that_hands_nothing_over_is_left_alone(command: str) -> None:
    assert vary_input(command, Draw("a commit"), {"tool.py", "run.sh", "notes.txt"}.__contains__) is None


def test_brackets_without_end_are_read_in_one_go() -> None:
    """A pattern for nested brackets would try every way to pair them."""
    vary_input("$(" + "(a)" * 5_000, Draw("a commit"), set[str]().__contains__)
