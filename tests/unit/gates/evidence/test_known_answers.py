"""Questions and answers of tests, copied into the product. covers: T8.H, T8.lies"""

from __future__ import annotations

import pytest

from autopilot.gates.evidence.known_answers import judge_known_answers, judge_known_rows
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


RUST_ROWS = [
    '    "cat" => "cats".to_string(),',
    '    "bus" => "buses".to_string(),',
    '    "box" => "boxes".to_string(),',
]
SHELL_ROWS = ["  512) echo 512B ;;", "  1536) echo 1.5K ;;", "  2097152) echo 2.0M ;;"]
RUST_ASKED = (
    'assert_eq!(plural("cat"), "cats");\nassert_eq!(plural("bus"), "buses");\nassert_eq!(plural("box"), "boxes");'
)
SHELL_ASKED = "\n".join(
    f'run bin/human {asked}\n[ "$output" = "{answer}" ]'
    for asked, answer in (("512", "512B"), ("1536", "1.5K"), ("2097152", "2.0M"))
)


@pytest.mark.parametrize(("rows", "test"), [(RUST_ROWS, RUST_ASKED), (SHELL_ROWS, SHELL_ASKED)])
def test_rows_of_words_and_numbers_that_tests_ask_are_shown(rows: list[str], test: str) -> None:
    (shown,) = judge_known_rows("phase", {"lib.rs": rows}, [test], "")
    assert shown.weight is Weight.FLAG
    assert "3 questions of the tests" in shown.description
    assert judge_known_rows("phase", {"lib.rs": rows[:2]}, [test], "") == ()
    assert judge_known_rows("phase", {"lib.rs": rows}, [test], "cat, bus and box; 512, 1536 and 2097152") == ()
    assert judge_known_rows("phase", {"lib.rs": ["let n = 512 * 3;", "n + 1536"]}, [test], "") == ()
