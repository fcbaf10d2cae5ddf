"""Acceptance tests that cannot compile without the work: they are red where constants stand in its place.

covers: AL-4, ISSUE-RED
"""

from __future__ import annotations

import json
from pathlib import Path

from tests.contract.testrun.asking import search_path
from tests.scenario.kit.issue_world import FOLDER, IssueWorld, Ran, designs, implements, make_issue_world, stories
from tests.scenario.kit.issue_world import PLAN as OF_PYTHON
from tests.scenario.kit.issue_world import TESTS as DESIGNED

TITLE = """package words

import "strings"

func Title(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
"""
SHOUT = (
    TITLE
    + """
func Shout(text string) string { return strings.TrimRight(strings.ToUpper(text), "!") + "!" }
"""
)
TEST_TITLE = """package words

import "testing"

func TestTitle(t *testing.T) {
	if Title("big") != "Big" {
		t.Error("no capital")
	}
}
"""
CAPITALS = """package words

import "testing"

func TestAt001Capitals(t *testing.T) {
	if got := Shout("hi there"); got[:8] != "HI THERE" {
		t.Errorf("got %q", got)
	}
}
"""
MARK = """
func TestAt002Mark(t *testing.T) {
	if got := Shout("hi"); got[len(got)-1] != '!' {
		t.Errorf("got %q", got)
	}
}
"""
NOTHING = """
func TestAt002Mark(t *testing.T) {
	_ = Shout("hi")
}
"""


class GoWorld(IssueWorld):
    @property
    def environment(self) -> dict[str, str]:
        return {**super(IssueWorld, self).environment, "PATH": search_path()}


def approved(folder: Path, tests: str) -> Ran:
    """How the implementation ended, after its design was approved."""
    design = {
        f"{FOLDER}/plan.md": OF_PYTHON.replace("words.py", "words.go").replace("tests/test_shout.py", "shout_test.go"),
        f"{FOLDER}/acceptance-tests.md": DESIGNED,
    }
    files = {"words.go": SHOUT, "shout_test.go": tests}
    made = make_issue_world(
        folder,
        [stories(), designs("plan", design), implements(files)],
        {
            "go.mod": "module example.org/words\n\ngo 1.18\n",
            "words.go": TITLE,
            "words_test.go": TEST_TITLE,
            "words.py": "",
            "tests/test_title.py": "",
            ".planning/config.json": json.dumps({"project": {"commands": {"test": "go test ./..."}}}),
        },
    )
    world = GoWorld(made.folder)
    assert world.issue("24", "--route", "full", "--max-iterations", "running-atdd-cycle=1").status == 3
    assert world.autopilot("approve", "design-24-1").status == 0
    return world.issue("24", "--route", "full")


def test_a_test_that_calls_a_new_function_is_red_by_constants_in_its_place(tmp_path: Path) -> None:
    ran = approved(tmp_path, CAPITALS + MARK)
    assert ran.status == 0, ran
    assert "red yes, green yes, covered yes" in ran.out


def test_a_test_that_asks_nothing_of_the_new_function_was_never_red(tmp_path: Path) -> None:
    ran = approved(tmp_path, CAPITALS.replace("got[:8] != ", "got != ").replace('"HI THERE"', '"HI THERE!"') + NOTHING)
    assert ran.status == 1, ran
    assert "AT-002: its test does not compile without the implementation, and passes with constants" in ran.out
