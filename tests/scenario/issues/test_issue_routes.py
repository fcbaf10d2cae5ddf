"""Issues that go another way, the gates before and after, and what comes back after a merge.

covers: AL-1, AL-2, AL-3, AL-5b, ISSUE-ROUTES, ISSUE-DEFINE, ISSUE-PREAPPROVED, ISSUE-HANDOFF, ISSUE-INPUT
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autopilot.events.people import HumanAsked
from autopilot.model.human import GateKind
from autopilot.model.issue.issue import Route
from tests.chaos.record import read_record
from tests.scenario.kit.issue_telling import Told, tell
from tests.scenario.kit.issue_world import (
    BRANCH,
    FOLDER,
    HONEST,
    RIGHT,
    STORIES,
    TESTS,
    IssueWorld,
    honest_calls,
    implements,
    make_issue_world,
    plan,
    stories,
)
from tests.scenario.stories import issue_routes

BY_NAME = {story.name.removeprefix("issue_"): story for story in issue_routes.STORIES}


def gates(told: Told) -> list[GateKind]:
    return [stored.event.kind for stored in read_record(told.world) if isinstance(stored.event, HumanAsked)]


def test_a_bug_is_done_when_its_reproduction_was_red_and_is_green_and_a_person_agreed_on_the_cause(
    tmp_path: Path,
) -> None:
    told = tell(BY_NAME["bugfix"], tmp_path)
    assert told.ending == "CONVERGED" and gates(told) == [GateKind.CAUSE]
    assert told.issue.cause.agreed is not None and told.issue.cause.agreed.kind == "C"
    assert "tests/test_mark.py" in told.issue.pinned.pins["autopilot-design.pin"].files
    assert [row.verdict for row in told.issue.audit.rows] == ["PASS", "PASS"]
    assert "shout() adds a mark" in told.world.on_branch(f"{FOLDER}/cause.md")


def test_a_flaky_test_is_done_when_it_was_seen_to_waver_and_then_never_did_in_as_many_runs(tmp_path: Path) -> None:
    told = tell(BY_NAME["flaky"], tmp_path)
    assert told.ending == "CONVERGED" and gates(told) == [GateKind.CAUSE]
    before, judged = told.issue.baseline.rate, told.issue.convergence.rounds["fixing-flaky-tests"].judged
    assert before is not None and judged is not None and judged.rate is not None
    assert 2 <= before.failures < before.runs == 16
    assert (judged.rate.runs, judged.rate.failures) == (16, 0)


def test_a_document_goes_the_short_way_when_the_user_says_so_and_still_has_its_gate(tmp_path: Path) -> None:
    told = tell(BY_NAME["express"], tmp_path)
    assert told.ending == "CONVERGED" and gates(told) == [GateKind.DESIGN]
    assert "Functions for words." in told.world.on_branch("README.md")


def test_advice_that_is_declined_changes_nothing(tmp_path: Path) -> None:
    told = tell(BY_NAME["express_declined"], tmp_path)
    assert told.issue.advice.recommended is Route.EXPRESS and told.issue.route is Route.FULL
    assert gates(told) == [GateKind.ROUTE, GateKind.DESIGN]
    assert "label documentation" in " ".join(told.issue.advice.reasons)


def test_requirements_that_an_agent_drafted_are_a_persons_to_approve_or_to_send_back(tmp_path: Path) -> None:
    told = tell(BY_NAME["defined"], tmp_path)
    assert gates(told) == [GateKind.REQUIREMENTS, GateKind.REQUIREMENTS, GateKind.DESIGN]
    assert "HI!" in told.world.on_branch(f"{FOLDER}/prd.md")
    asked = next(s.event for s in read_record(told.world) if isinstance(s.event, HumanAsked))
    assert [question.text for question in asked.questions] == ["How loud?"]


class Marked(IssueWorld):
    @property
    def environment(self) -> dict[str, str]:
        return {**super().environment, "FA_HANDOFF": "1"}


def test_hand_off_is_honoured_only_with_its_marker(tmp_path: Path) -> None:
    world = make_issue_world(tmp_path / "world", honest_calls())
    waits = world.issue("24", "--hand-off")
    assert waits.status == 3
    assert "--hand-off is ignored: FA_HANDOFF=1 is not set" in waits.err
    assert world.status["issue"]["gates"]
    marked = Marked(world.folder)
    done = marked.issue("24", "--hand-off")
    assert done.status == 0, done.err
    assert world.subjects == ["the beginning"]


def test_after_the_merge_the_same_anchor_goes_back_to_design_and_another_is_a_new_issue(tmp_path: Path) -> None:
    world = Marked(make_issue_world(tmp_path / "world", honest_calls()).folder)
    assert world.issue("24", "--hand-off").status == 0
    world.git("merge", "-q", "--no-ff", "--no-edit", BRANCH)
    assert "was handed off" in world.issue().err
    louder = [stories(STORIES.replace("Every letter", "Really every letter")), plan(TESTS + "\nLouder.\n")]
    world.script.write_text(json.dumps({"calls": louder, "default": "honest"}), encoding="utf-8")
    feedback = world.issue("24", "--finding", "louder, please")
    assert feedback.status == 3, feedback.err
    assert "autopilot reject design-24-2 quieter" in world.issue("24", "--finding", "quieter").err
    world.write(f"{FOLDER}/prd.md", "# Whispering\n\nStatus: approved\n")
    other = world.issue()
    assert other.status == 1
    assert "a changed anchor is a new issue" in other.out


def test_whoever_does_not_merge_sends_it_back_and_the_same_work_goes_on(tmp_path: Path) -> None:
    better = {"words.py": RIGHT.replace("text.upper()", "text.strip().upper()")}
    calls = [implements(HONEST, attempt=1), implements(better, attempt=2), *honest_calls()]
    world = Marked(make_issue_world(tmp_path / "world", calls).folder)
    assert world.issue("24", "--hand-off").status == 0
    before = world.git("rev-parse", BRANCH)
    again = world.issue("24", "--impl", "--finding", "blanks around it are shouted too")
    assert again.status == 0, again.err
    assert "blanks around it are shouted too" in again.err
    world.git("merge-base", "--is-ancestor", before, BRANCH)
    assert "strip()" in world.on_branch("words.py")
    assert world.subjects == ["the beginning"]


def test_what_is_implemented_already_may_be_all_that_a_new_design_wants(tmp_path: Path) -> None:
    """Whoever has nothing to add commits nothing; the same tree is judged again, by the tests red on the baseline."""
    nothing = implements(attempt=2)
    reworded = stories(STORIES.replace("Every letter", "Really every letter"), attempt=2)
    calls = [nothing, reworded, plan(TESTS.replace("hi\n", "hello\n", 1), attempt=2), *honest_calls()]
    world = Marked(make_issue_world(tmp_path / "world", calls).folder)
    assert world.issue("24", "--hand-off").status == 0
    again = world.issue("24", "--hand-off", "--finding", "say really")
    assert again.status == 0, again.err
    assert [row["verdict"] for row in world.rows()].count("PASS") == 6


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("24x",), "24x"),
        (("-3",), "-3"),
        (("0",), "by the path of a file, or by a title\n"),
        (("25",), "there is no issue 25"),
        (("Whisper", "it"), "`autopilot issue 'Whisper it' --define"),
        (("docs/issues/",), "is not the folder of an issue"),
        (("docs/issues/002-x",), "the folder docs/issues/002-x does not exist"),
        (("/nope/file",), "the file /nope/file does not exist in this repository"),
        (("docs/nope.txt",), "the file docs/nope.txt does not exist in this repository"),
        (("24", "--route", "short"), "not one of full, express, bugfix, flaky"),
        (("24", "--impl"), "no approved design"),
        (("Whisper it", "--impl"), "`autopilot issue 'Whisper it' --define "),
        (("24", "--steps", "build=a"), "is not a phase of an issue"),
        (("24", "--steps", "impl=polishing"), "running-atdd-cycle"),
        (("24", "--steps", "design=running-atdd-cycle"), "running-atdd-cycle"),
        (("24", "--max-iterations", "none"), "--max-iterations: `none`"),
        (("24", "--max-iterations", "0"), "--max-iterations: `0`"),
        (("24", "--finding", " "), "--finding has no text"),
        (("24", "--findings", "empty.json"), "empty"),
        (("24", "--findings", "vague.json"), "evidence_ref"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_anything_is_recorded(
    words: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    world = make_issue_world(tmp_path / "world", honest_calls())
    world.write("empty.json", "[]")
    world.write("vague.json", '[{"detail": "something"}]')
    refused = world.issue(*words)
    assert refused.status == 2, refused.err
    assert said in refused.err and "hint:" in refused.err
    assert world.branches == ["main"]


def test_an_issue_without_a_test_command_is_told_so_at_its_start(tmp_path: Path) -> None:
    world = make_issue_world(
        tmp_path / "world", honest_calls(), {".planning/config.json": "{}", "tests/test_title.py": ""}
    )
    told = world.issue("24")
    assert "no test command is known, and without one the implementation cannot be checked" in told.err + told.out
    assert "only the criteria will be run" not in told.err + told.out


def test_a_clause_of_a_criterion_that_no_acceptance_test_speaks_of_is_named_in_the_hand_off(tmp_path: Path) -> None:
    """A test covers its criterion by its name, and may ask for half of it."""
    half = STORIES.replace("### AC-1: capitals", "### AC-1: letters become capitals, and accents are kept")
    world = make_issue_world(tmp_path, [stories(half), plan(), implements(HONEST)])
    assert world.issue("24", "--route", "full").status == 3
    assert world.autopilot("approve", "design-24-1").status == 0
    assert world.issue("24", "--route", "full").status == 0
    handed = world.read(".autopilot/issues/024/hand-off.md")
    assert "AC-1: no acceptance test speaks of" in handed and '"accents are kept"' in handed
    assert "AC-2: no acceptance test" not in handed
