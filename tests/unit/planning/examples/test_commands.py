"""Commands that a document states with what they print or how they end are read where nothing has to be guessed.
covers: T8.H, T1"""

from __future__ import annotations

import pytest

from autopilot.model.evidence.example import FAILS, StatedCommand
from autopilot.planning.examples.commands import find_commands, program_of
from autopilot.planning.examples.owner import in_roadmap
from tests.unit.making import make_brief

FILES = {"greet", "wc.py", "shelf/__main__.py", "data/in.txt", "src/tool/__main__.py", "tests/test_a.py", "go.mod"}
HELLO = "Hello, Ada!"


def found(text: str) -> tuple[StatedCommand, ...]:
    return find_commands(text, (FILES | {"package.json"}).__contains__)


@pytest.mark.parametrize(
    ("text", "command", "shows", "status"),
    [
        (f"`./greet Ada` prints `{HELLO}`.", "./greet Ada", (HELLO,), None),
        (f'- [ ] **G-1**: `./greet Ada` should print "{HELLO}" and exit with 0', "./greet Ada", (HELLO,), 0),
        ("1. `./greet` without a name exits with 2", "./greet", (), 2),
        ("- `./greet` exits 2 when no name is given", "./greet", (), 2),
        ("`./greet` exits with status `2`, so that scripts notice", "./greet", (), 2),
        ("`./greet` writes `usage:` to stderr and fails.", "./greet", ("usage:",), FAILS),
        ("`python wc.py missing.txt` exits non-zero", "python wc.py missing.txt", (), FAILS),
        ("`python3 wc.py data/in.txt` shows `3`", "python3 wc.py data/in.txt", ("3",), None),
        ("`python -m tool --max 5` prints `5`", "python -m tool --max 5", ("5",), None),
        ('`echo "1 2" | python wc.py` prints `2`', 'echo "1 2" | python wc.py', ("2",), None),
        ("`go run . 4` prints `16`", "go run . 4", ("16",), None),
        ("`./greet Ada` prints `Hello … !`", "./greet Ada", ("Hello", "!"), None),
        ("| Command | Output | Exit code |\n|---|---|---|\n| `./greet A` | `Hi A` | 0 |", "./greet A", ("Hi A",), 0),
        (f"```console\n$ ./greet Ada\n{HELLO}\n```", "./greet Ada", (HELLO,), None),
    ],
)
def test_a_stated_command_is_read(text: str, command: str, shows: tuple[str, ...], status: int | None) -> None:
    assert [(stated.command, stated.shows, stated.exit) for stated in found(text)] == [(command, shows, status)]


@pytest.mark.parametrize(
    "text",
    [
        "`./greet NAME` prints `Hello`",
        "`./greet <name>` prints `Hello`",
        "`./greet Ada` prints a greeting",
        "`./greet Ada` prints `Hello` if it is strict",
        f"> `./greet Ada` prints `{HELLO}`.",
        f"An issue says:\n> `./greet Ada` prints `{HELLO}`.",
        f"> | Command | Output |\n> |---|---|\n> | `./greet Ada` | `{HELLO}` |",
        f"> ```\n> x; ./greet Ada\n> ```\n> prints `{HELLO}`",
        "Given a shelf with Dune, `python -m shelf list` prints `Dune`",
        "Currently `./greet` exits 1",
        "`./greet Ada` prints `a` instead of `b`",
        "`python wc.py in.txt` prints `3`",
        "`pytest -q` exits 0",
        "`npm test` exits 0",
        "`python tests/test_a.py` prints `x`",
        "`data/in.txt` shows `wc.py`",
        "`greet/old Ada` prints `Hello`",
        "`./greet Ada` prints `a`. `./greet Ada` prints `b`.",
        "## Out of scope\n\n`./greet Ada` prints `Hello`",
        "```console\n$ ./greet <name>\nHello\n```",
        "```console\n$ ls\na\n```",
    ],
)
def test_what_would_have_to_be_guessed_is_left_out(text: str) -> None:
    assert found(text) == ()


def test_a_command_knows_those_above_it_that_may_have_made_what_it_finds() -> None:
    text = "1. `python -m shelf add Dune` exits 0.\n2. `python -m shelf list` prints `Dune`.\n"
    assert [(stated.command, stated.before) for stated in found(text)] == [
        ("python -m shelf add Dune", ()),
        ("python -m shelf list", ("python -m shelf add Dune",)),
    ]
    console = found("```sh\n$ python -m shelf add Dune\n$ python -m shelf list\nDune\n```")
    assert [(stated.before, stated.is_console) for stated in console] == [(("python -m shelf add Dune",), True)]


@pytest.mark.parametrize(
    ("command", "line", "shown"),
    [
        ("./greet add Ada", "Added Ada (id 7f3a9c21) on 2024-05-01 12:30", ("Added Ada (id", ") on")),
        ("./greet list", "1   Ada    3 days", ("1", "Ada", "3 days")),  # columns
        ("./greet list", "2 lines in 0.02s", ("2 lines in",)),
        ("./greet after 2024-05-01", "2024-05-02", ("2024-05-02",)),  # it follows from what is asked
    ],
)
def test_of_a_console_what_another_day_shows_otherwise_is_left_out(
    command: str, line: str, shown: tuple[str, ...]
) -> None:
    assert [stated.shows for stated in found(f"```console\n$ {command}\n{line}\n```")] == [shown]


def test_a_file_that_an_earlier_command_of_the_console_makes_need_not_be_there() -> None:
    assert found("```\n$ echo a b > new.txt\n$ python wc.py new.txt\n2\n```")[0].command == "python wc.py new.txt"


def test_the_program_is_a_file_of_the_project() -> None:
    exists = FILES.__contains__
    assert program_of("python -m tool", exists) == "src/tool/__main__.py"
    assert [program_of(line, exists) for line in ("make test", "ls wc.py", "cargo run", "python other.py")] == [""] * 4


def test_what_a_phase_states_stands_in_its_own_section() -> None:
    roadmap = "### Phase 1: One\n\n`./greet A` prints `A`\n\n### Phase 2: Two\n\n`./greet B` prints `B`\n"
    mine = in_roadmap(roadmap, found(roadmap), make_brief("2"))
    assert [stated.command for stated in mine] == ["./greet B"]
