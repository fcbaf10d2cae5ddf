"""Words and flags in any order; what is wrong is said by the command it was said to. covers: INV-2"""

from __future__ import annotations

import pytest

from autopilot.cli.parser import build_parser


@pytest.mark.parametrize(
    ("words", "name", "found"),
    [
        (("run", "3", "--lenient", "5"), "phases", ["3", "5"]),
        (("run", "--budget-tokens", "9", "3", "-q", "5", "--json", "7"), "phases", ["3", "5", "7"]),
        (("answer", "discuss-1-0", "--more", "2", "1.1=x", "1.2="), "arguments", ["discuss-1-0", "1.1=x", "1.2="]),
        (("agents", "test", "claude", "--json", "codex"), "names", ["claude", "codex"]),
    ],
)
def test_words_may_stand_before_and_after_flags(words: tuple[str, ...], name: str, found: list[str]) -> None:
    assert getattr(build_parser().parse_args(words), name) == found


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "3", "--bogus", "5"), "error: unrecognized arguments: --bogus 5\nhint: autopilot run --help\n"),
        (("approve", "1", "2"), "error: unrecognized arguments: 2\nhint: autopilot approve --help\n"),
    ],
)
def test_what_is_not_known_is_refused_with_the_help_of_its_own_command(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        build_parser().parse_args(words)
    assert (ended.value.code, capsys.readouterr().err) == (2, said)
