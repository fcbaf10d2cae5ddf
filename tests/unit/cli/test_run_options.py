"""The flags of a call, read: every one has its place in what was asked for. covers: INV-2"""

from __future__ import annotations

import argparse
import shlex

import pytest

from autopilot.cli.parser import build_parser
from autopilot.cli.run_options import (
    read_intent,
    repeated_options,
    with_caps,
)
from autopilot.model.intent import Intent
from autopilot.model.policy import Budget, Policy


def parse(*words: str) -> argparse.Namespace:
    return build_parser().parse_args(["run", *words])


@pytest.mark.parametrize(
    ("words", "intent", "phases"),
    [
        ((), Intent(), []),
        (("--force", "3"), Intent(force=True), ["3"]),
        (("--map", "3-7"), Intent(map=True), ["3-7"]),
        (("--quality",), Intent(quality=True), []),
        (("3", "5", "--lenient"), Intent(lenient=True), ["3", "5"]),
        (("--checkpoint-every", "2", "--parallel", "4", "next"), Intent(checkpoint_every=2, parallel=4), ["next"]),
        (
            ("--complete", "--gaps", "--discuss", "--visual", "--sequential"),
            Intent(complete=True, gaps=True, discuss=True, visual=True, sequential=True),
            [],
        ),
    ],
)
def test_flags_and_phases_are_read_as_they_were_meant(
    words: tuple[str, ...], intent: Intent, phases: list[str]
) -> None:
    options = parse(*words)
    assert read_intent(options) == intent
    assert options.phases == phases


def test_every_flag_of_an_intent_can_be_said_and_is_spelt_as_it_was_said() -> None:
    values = {"checkpoint_every": 3, "parallel": 2, "accept_red": ("tests/test_a.py::test_x[1]", "lint")}
    for name in Intent.__struct_fields__:
        intent = Intent(**{name: values.get(name, True)})
        assert read_intent(parse(*shlex.split(" ".join(intent.arguments)))) == intent


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ((), Budget()),
        (("--budget-tokens", "9000000"), Budget(tokens=9_000_000)),
        (("--budget-tokens", "1000"), Budget(tokens=1_000)),
        (("--budget-tokens-per-phase", "700"), Budget(tokens_per_phase=700)),
        (("--budget-minutes-per-phase", "7"), Budget(minutes_per_phase=7.0)),
        (("--budget-tokens", "500", "--budget-tokens-per-phase", "700"), Budget(tokens=500, tokens_per_phase=500)),
        (("--budget-usd", "2.5"), Budget(usd=2.5)),
        (("--budget-minutes", "30"), Budget(minutes=30.0, minutes_per_phase=30.0)),
    ],
)
def test_caps_of_a_call_go_before_those_of_the_settings(words: tuple[str, ...], expected: Budget) -> None:
    assert with_caps(Budget(), parse(*words)) == expected
    assert repeated_options(parse(*words)).split() == list(words)


def test_a_suggested_command_repeats_agent_script_and_caps_of_the_call() -> None:
    assert repeated_options(parse("3", "--force")) == ""
    options = parse("--agent", "claude, codex", "--script", "/a b.json", "--budget-usd", "2.5")
    assert repeated_options(options) == " --agent 'claude, codex' --script '/a b.json' --budget-usd 2.5"


def test_a_cap_once_named_for_a_run_holds_until_another_is_named() -> None:
    # covers: INV-6
    begun = Policy(budget=with_caps(Budget(), parse("--budget-tokens", "1000")), caps_named=("tokens",))
    settings = Policy(budget=Budget(usd=3.0))
    assert begun.keep_caps(settings) == Budget(tokens=1_000, usd=3.0)
    raised = Policy(budget=with_caps(settings.budget, parse("--budget-tokens", "2000")), caps_named=("tokens",))
    assert begun.keep_caps(raised) == Budget(tokens=2_000, usd=3.0)
    assert Policy().keep_caps(settings) == settings.budget


@pytest.mark.parametrize(
    "words",
    [
        ("--parallel", "0"),
        ("--parallel", "17"),
        ("--parallel", "two"),
        ("--checkpoint-every", "-1"),
        ("--checkpoint-every", "1.5"),
        ("--budget-tokens", "0"),
        ("--budget-usd", "inf"),
        ("--budget-minutes", "-3"),
        ("--budget-minutes", ""),
    ],
)
def test_a_number_that_is_none_is_refused(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        parse(*words)
    assert words[0] in capsys.readouterr().err
