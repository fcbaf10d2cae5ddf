"""What a command asks the product with: arguments, words, input; not separators, files or expected values."""

from __future__ import annotations

import pytest

from autopilot.testtools.questions.question import read_question

PATHS = frozenset({"tool.py", "swap.sh", "notes.txt"})


@pytest.mark.parametrize(
    ("command", "values"),
    [
        ("python3 -c \"import words; print(words.swapcase('Ada'))\"", ["Ada"]),
        ('python3 -c "import words; print(words.swapcase(\\"Ada\\"))"', ["Ada"]),
        ("python3 -c \"import words; print('|'.join(words.chunks('a-b', 3)))\"", ["a-b", "3"]),
        ("python3 -c \"import words; print(words.chunks('a-b').count('x'))\"", ["a-b"]),
        ("python3 -c \"import words; print(words.split('a-b'))\"", ["a-b"]),
        (
            "python3 -c \"import sys; sys.path.insert(0, 'src'); import words; print(words.f('a', key='b'))\"",
            ["a", "b"],
        ),
        ("python3 -c \"from words import Cart; c = Cart(); c.add('pear', 2); print(c.total())\"", ["pear", "2"]),
        ("python3 -c \"print(__import__('words').swap('Ada'))\"", ["Ada"]),
        ("node -e \"console.log(require('./words').swap('Ada'))\"", ["Ada"]),
        ("node -p \"require('./words').words('a b').join('|')\"", ["a b"]),
        (
            "node --input-type=module -e \"const m = await import('./words.js'); console.log(m.swap('Ada', 3))\"",
            ["Ada", "3"],
        ),
        ("ruby -e \"require './words'; puts swap('Ada')\"", ["Ada"]),
        ("bash -c 'source lib/words.bash; slug \"Hello World\"'", ["Hello World"]),
        ("python3 tool.py swap Ada", ["swap", "Ada"]),
        ("python3 -m words --name=Ada --deep 'big one'", ["Ada", "big one"]),
        ("bash swap.sh 'Ada Lovelace'", ["Ada Lovelace"]),
        ("go run ./cmd/words world", ["world"]),
        ("cargo run -q --offline -- Ada", ["Ada"]),
        ("npm run -s swap -- Ada", ["Ada"]),
        ("echo 'Ada' | python3 tool.py", ["Ada"]),
        ("printf 'a b\\n' | ./tool", ["a b"]),
        ("python3 tool.py <<< 'Ada'", ["Ada"]),
        ("timeout 5 ./swap Ada", ["Ada"]),
    ],
)
def test_values_are_what_reaches_the_product(command: str, values: list[str]) -> None:
    question = read_question(command, PATHS.__contains__)
    assert [value.text for value in question.values] == values
    assert [question.command[value.start : value.end] for value in question.values] == values


@pytest.mark.parametrize(
    "command",
    ["true", "python3 tool.py", "./run.sh", "cat notes.txt", "make greet", "python3 cli.py --version", "go test ./...",
     "python3 tool.py notes.txt", "python3 -c \"import words; print(words.VERSION)\""],
)  # fmt: skip
def test_a_command_that_hands_nothing_over_has_no_values(command: str) -> None:
    assert read_question(command, PATHS.__contains__).values == ()


@pytest.mark.parametrize(
    ("command", "asked"),
    [
        ('test "$(python3 -c "import w; print(w.add(2, 3))")" = "5"', 'python3 -c "import w; print(w.add(2, 3))"'),
        ("python3 tool.py swap Ada | grep -q aDA", "python3 tool.py swap Ada"),
        (
            "python3 -c \"from words import f; assert f('a') == 'b'\"",
            "python3 -c \"from words import f\nprint(repr(f('a')))\"",
        ),
        (
            "python3 -c \"from words import f; assert 'b' in f('a') and f('c') == 'd'\"",
            "python3 -c \"from words import f\nprint(repr((f('a'), f('c'))))\"",
        ),
        (
            "python3 -c \"from words import f; assert f('a') and f('a')[0] == 'b'\"",
            "python3 -c \"from words import f\nprint(repr(f('a') and f('a')[0] == 'b'))\"",
        ),
        ("python3 tool.py Ada | sort", "python3 tool.py Ada | sort"),
    ],
)
def test_what_compares_the_answer_is_left_out(command: str, asked: str) -> None:
    assert read_question(command, PATHS.__contains__).command == asked


@pytest.mark.parametrize(
    ("asks", "is_direct"),
    [
        ("words.f('a')", True),
        ("words.f('a')[0].upper()", True),
        ("words.Client('a').timeout", False),
        ("words.Client('a').get()", False),
    ],
)
def test_a_part_of_what_a_call_makes_is_not_asked_by_its_arguments(asks: str, is_direct: bool) -> None:
    (value,) = read_question(f'python3 -c "import words; print({asks})"', PATHS.__contains__).values
    assert value.is_direct is is_direct


def test_the_first_word_behind_a_program_may_be_the_name_of_what_it_does() -> None:
    first, second = read_question("python3 tool.py swap Ada", PATHS.__contains__).values
    assert first.is_name
    assert not second.is_name


def test_brackets_without_end_are_read_in_one_go() -> None:
    """A pattern for nested brackets would try every way to pair them."""
    read_question("test $(" + "(a)" * 5_000, PATHS.__contains__)
