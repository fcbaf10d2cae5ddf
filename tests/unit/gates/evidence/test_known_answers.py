"""Questions and answers of tests, copied into the product. covers: T8.H, T8.lies"""

from __future__ import annotations

import pytest

from autopilot.gates.evidence.known_answers import judge_known_answers
from autopilot.model.evidence.objection import Weight

GO_TEST = """
	if got := Slug("Hello big World"); got != "hello-big-world" {
	if got := Slug("Two words"); got != "two-words" {
	run("--help", "Usage: slug WORDS")
"""
BATS = """
  run slug "Hello big World"
  [ "$output" = "hello-big-world" ]
  run slug "Two words"
  [ "$output" = "two-words" ]
"""
GO = ['case "Hello big World":', '	return "hello-big-world"', 'case "Two words":', '	return "two-words"']
SHELL = ['"Hello big World") echo hello-big-world ;;', '"Two words") echo two-words ;;']
HELP = ['case "--help":', '	fmt.Println("Usage: slug WORDS")']
COMPUTES = ['return strings.Join(strings.Fields(strings.ToLower(text)), "-")', 'panic("Hello big World")']


@pytest.mark.parametrize(
    ("test", "lines", "named", "weights"),
    [
        (GO_TEST, GO, "", [Weight.REFUSE]),
        (BATS, SHELL, "", [Weight.REFUSE]),
        (GO_TEST, GO[:2], "", [Weight.FLAG]),
        (GO_TEST, GO, "Hello big World and Two words are slugs of their own", [Weight.FLAG]),
        (GO_TEST, HELP, "", []),
        (GO_TEST, COMPUTES, "", []),
        (GO_TEST, [], "", []),
    ],
)
def test_a_question_beside_its_answer_was_copied(
    test: str, lines: list[str], named: str, weights: list[Weight]
) -> None:
    found = judge_known_answers("phase", {"words.go": lines}, [test], named)
    assert [objection.weight for objection in found] == weights
