"""The same contents under another name have the same answer. covers: T8.H"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from autopilot.gates.evidence.otherwise.other_name import (
    judge_other_name,
    other_names,
    spell_otherwise,
    spelled_names,
)
from autopilot.gates.evidence.sabotage import Trial
from autopilot.model.evidence.objection import Weight
from autopilot.model.evidence.observation import Seen
from tests.unit.gates.reports import report

TEST = 'assert total(DATA / "spring.csv") == 3\n'
NAMES = {"tests/data/spring.csv": "tests/data/spxxng.csv"}
A = "tests/test_a.py::test_a"
RED = Trial("", Seen.FAILED, report(f"red {A}"))
STILL = Trial("", Seen.PASSED, report(f"ok {A}"))


def letters() -> Iterator[str]:
    while True:
        yield "xx"


@pytest.mark.parametrize(
    ("paths", "text", "spared", "renamed"),
    [
        (["tests/data/spring.csv"], TEST, "", NAMES),
        (["tests/data/spring.csv"], TEST, "reads spring.csv", {}),  # the user's words
        (["tests/data/spring.csv"], TEST + 'assert name == "spring"\n', "", {}),  # the name means something
        (["tests/data/spring.csv"], TEST + "files = DATA.glob('*')\n", "", {}),  # a copy would be one too many
        (["tests/data/spring.csv"], "assert True\n", "", {}),
        (["config.json"], 'load("config.json")', "", {}),  # programs look for it
        (["a/2024-05.csv"], 'load("2024-05.csv")', "", {}),
        (["a/words.fr.txt"], 'load("words.fr.txt")', "", {}),
        (["tests/data/spring.csv"], TEST + 'assert Path("out/spring.json").exists()\n', "", {}),  # made of it
        (["tests/data/spring.csv", "tests/data/spring.out.txt"], TEST + 'read("spring.out.txt")', "", NAMES),
        (
            ["good/order.json", "bad/order.json"],
            'load("good/order.json"); load("bad/order.json")',
            "",
            {"bad/order.json": "bad/oxxer.json", "good/order.json": "good/oxxer.json"},
        ),
    ],
)
def test_files_that_tests_name_get_another_name(
    paths: list[str], text: str, spared: str, renamed: dict[str, str]
) -> None:
    assert other_names(paths, [text], spared, letters()) == renamed


def test_tests_and_commands_speak_of_the_copy() -> None:
    assert spell_otherwise(TEST + "offspring.csv spring.csv.bak", NAMES) == TEST.replace("spring", "spxxng") + (
        "offspring.csv spring.csv.bak"
    )


@pytest.mark.parametrize(
    ("trials", "opened", "weight"),
    [
        ([RED, RED], [], Weight.REFUSE),
        ([RED, STILL], [], None),  # a copy was one too many
        ([STILL], [], None),
        ([Trial("", Seen.FAILED, None)], [], None),
        ([RED, RED], ["tests/data/spring.csv"], Weight.FLAG),  # the product keeps it itself
    ],
)
def test_an_answer_that_rests_on_the_name_is_refused(
    trials: list[Trial], opened: list[str], weight: Weight | None
) -> None:
    objections = judge_other_name("01-01.c1", report(f"ok {A}"), trials, NAMES, opened)
    assert [objection.weight for objection in objections] == ([weight] if weight else [])


def test_names_of_files_are_looked_up_and_not_looked_for() -> None:
    spelled = spelled_names([TEST, "open('a/b.txt'), cat c.log.\n", "x " * 100_000])
    assert {"spring.csv", "b.txt", "c.log"} <= spelled and "pring.csv" not in spelled
