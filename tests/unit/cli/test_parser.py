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
        (("run", "3", "--bogus", "5"), "`autopilot run` has no option --bogus"),
        (("approve", "1", "2"), "`autopilot approve` takes no such argument: 2"),
        (("issue",), "`autopilot issue` needs ISSUE"),
        (("shell",), "`autopilot shell` needs PHASE"),
        (("run", "--script"), "--script needs a value"),
        (("status", "--json", "--line"), "--line and --json exclude each other"),
        (("run", "--budget-usd", "1e999"), "--budget-usd: `1e999` is not a finite number above zero"),
        (("verdict", "3", "maybe"), 'verdict is "maybe", which is not one of pass, fail, issues_found'),
        (("agents", "certify"), "there is no action certify"),
        (("bogus",), "there is no command bogus"),
    ],
)
def test_what_is_not_known_is_refused_with_the_help_of_its_own_command(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        build_parser().parse_args(words)
    message, hint = capsys.readouterr().err.splitlines()
    assert (ended.value.code, message) == (2, f"error: {said}")
    command = " ".join(("autopilot", *words[: len(words) > 1 or words in (("issue",), ("shell",))]))
    assert f"`{command} --help`" in hint


@pytest.mark.parametrize(("typed", "meant"), [("--budget-tokins", "--budget-tokens"), ("--paralel=2", "--parallel")])
def test_a_misspelt_option_is_answered_with_the_one_that_was_meant(
    typed: str, meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        build_parser().parse_args(("run", "3", typed))
    assert f"hint: did you mean {meant}? `autopilot run --help` lists its arguments\n" in capsys.readouterr().err


def test_what_follows_two_dashes_is_a_command_of_the_users_own() -> None:
    for words in (("3", "--", "ls", "-l"), ("3", "--at", "abc", "--", "ls", "-l"), ("--before", "3", "--", "ls", "-l")):
        options = build_parser().parse_args(("shell", *words))
        assert (options.phase, options.arguments) == ("3", ["ls", "-l"]), words


def test_a_misspelt_command_is_answered_with_the_one_that_was_meant(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        build_parser().parse_args(("staus",))
    assert "hint: did you mean status? `autopilot --help` lists them all\n" in capsys.readouterr().err
