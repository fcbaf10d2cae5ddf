"""A run about an issue in every report: its gates, its evidence and the way on; no scores, no phases of a roadmap.

covers: STATE, ISSUE-ENDINGS, ISSUE-HANDOFF, STAT-04
"""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.events import happened as h
from autopilot.events.people import HumanAnswered
from autopilot.events.state import RunState
from autopilot.model.evidence.objection import Layer, Objection, Weight
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.proven import Proven
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.issue.hunk import Handing
from autopilot.model.issue.issue import DESIGN, IMPL, Rate
from autopilot.model.run import RunStatus
from autopilot.planning.issue.hunks import parse_hunks
from autopilot.planning.issue.presenting import find_key_hunks
from autopilot.reports.documents.learnings import render_learnings
from autopilot.reports.event_log.log import event_log
from autopilot.reports.evidence.proofs import proofs_of
from autopilot.reports.html.page import render_html
from autopilot.reports.issue.issue_handoff import render_hand_off
from autopilot.reports.issue.report import render_issue_report, render_issue_summary
from autopilot.reports.run.ending import render_ending
from autopilot.reports.run.junit import render_junit
from autopilot.reports.run.metrics import is_over
from autopilot.reports.run.ways_on import CommandOptions
from autopilot.reports.status.gates import landing_words
from autopilot.reports.status.state_json import state_document
from autopilot.reports.status.status import status_document
from autopilot.reports.status.status_text import line_facts, render_line, render_status
from tests.unit import issue_runs as runs
from tests.unit.making import alter, make_observation, store
from tests.unit.reports.status.test_state_json import check_document

NONSENSE = ("no score", "0.0/10", "/10", "phase design", "phase impl", "Remaining phases", "autopilot resume", "run --")


def documents_of(*events: h.Event) -> tuple[RunState, dict[str, Any]]:
    state = runs.state_of(*events)
    document = state_document(state, event_log(store(*events)))
    check_document(document)
    return state, json.loads(json.dumps(status_document(state, document, landing_words(state))))


@pytest.mark.parametrize("name", runs.EVERY)
def test_an_issue_at_any_place_is_told_in_every_report_without_a_word_about_roadmaps(name: str) -> None:
    events = runs.EVERY[name]
    state, status = documents_of(*events)
    assert state.issue is not None
    texts = [
        render_ending(state, CommandOptions(after=" --script s")),
        render_status(status, alive=False),
        render_issue_report(state, state.issue),
        render_issue_summary(state, state.issue),
        render_html(state, store(*events), ()),
    ]
    for text in texts:
        assert [words for words in NONSENSE if words in text] == []
        assert "24" in text and runs.BRIEF.title in text
    assert ET.fromstring(render_junit(state)).get("tests") != "0"
    assert render_learnings(state) == "" and not is_over(state)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("opened", "run-1 running issue 24 · requirements"),
        ("route", "run-1 waiting issue 24 · route, 1 waiting for you"),
        ("designing", "run-1 running issue 24 · design · extracting-user-stories · iteration 1/4"),
        ("design", "run-1 waiting issue 24 · design, 1 waiting for you"),
        ("implementing", "run-1 running issue 24 · impl · running-atdd-cycle · iteration 2/8"),
        ("halted", "run-1 failed issue 24 · impl · running-atdd-cycle · iteration 2/8 COMPLETED_WITH_DEBT"),
        ("handed off", "run-1 completed issue 24 · impl CONVERGED"),
    ],
)
def test_the_line_says_where_the_issue_is(name: str, line: str) -> None:
    _, status = documents_of(*runs.EVERY[name])
    assert render_line(status, alive=True) == line
    assert render_line(line_facts(status), alive=True) == line


def test_an_issue_that_was_merged_is_not_offered_for_merging() -> None:
    status = documents_of(*runs.HANDED_OFF)[1]
    assert "to merge (only you can)" in render_status(status, alive=False)
    status["issue"]["merged_into"] = "main"
    page = render_status(status, alive=False)
    assert page.startswith(f"run-1: completed (CONVERGED: {runs.BRANCH} is merged into main)\n")
    assert "to merge" not in page and "  merged into main: nothing is left to do" in page


@pytest.mark.parametrize(
    ("name", "commands"),
    [
        ("route", "(`autopilot answer route-24 bugfix` or `autopilot answer route-24 full`)"),
        ("requirements", '`autopilot answer requirements-24-1 q1="…" q2="…"` (`autopilot approve'),
        ("design", '(`autopilot approve design-24-1` or `autopilot reject design-24-1 "what has to change"`)'),
    ],
)
def test_the_status_names_both_ways_out_of_a_gate(name: str, commands: str) -> None:
    assert commands in render_status(documents_of(*runs.EVERY[name])[1], alive=False)


def test_a_report_does_not_ask_for_an_answer_that_was_given() -> None:
    state = runs.state_of(*runs.EVERY["design"], HumanAnswered("design-24-1", {}, "you", approved=True))
    assert state.issue is not None
    for text in (render_issue_report(state, state.issue), render_issue_summary(state, state.issue)):
        assert "your answer is recorded; continue with: autopilot issue 24" in text
        assert "it waits for you" not in text


def test_the_state_document_holds_the_issue() -> None:
    _, status = documents_of(*runs.HALTED)
    found = status["issue"]
    assert (found["number"], found["title"], found["route"], found["branch"]) == (
        24,
        "Export as CSV",
        "full",
        runs.BRANCH,
    )
    assert (found["phase"], found["step"], found["iteration"], found["limit"]) == ("impl", "running-atdd-cycle", 2, 8)
    assert found["limits"] == {"extracting-user-stories": 4, "writing-plan-and-tests": 4, "running-atdd-cycle": 8}
    assert (found["outcome"], found["reason"]) == ("COMPLETED_WITH_DEBT", "sameness-detector")
    assert found["oracle"]["coverage_ok"] is False and found["findings"][0]["evidence_ref"] == "AT-002"
    assert found["gates"] == ["design-24-1"] and found["audit_rows"] == 4
    assert documents_of(*runs.HANDED_OFF)[1]["issue"]["merge_command"] == f"git merge --no-ff {runs.BRANCH}"


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        (
            "design",
            [
                "  gate 1, requirements: approved (you)",
                "  to read: .autopilot/issues/024/presentation-1.md, branch autopilot/issue-24-csv",
                '  to decide: `autopilot approve design-24-1`, or `autopilot reject design-24-1 "…"`',
            ],
        ),
        (
            "requirements",
            [
                "  gate 2, design: not reached yet",
                f"  to read: {runs.PRD}",
                "  q1  Which separator?",
                '  to answer without approving: `autopilot answer requirements-24-1 q1="…" q2="…"`',
            ],
        ),
        ("route", ["  to answer: `autopilot answer route-24 bugfix` (this looks like bugfix)"]),
        (
            "halted",
            ['  what to do: to tell the agent what it overlooks: `autopilot issue 24 --finding "TEXT" --script s`'],
        ),
        ("handed off", ["  gate 3, merge: you decide; read .autopilot/issues/024/hand-off.md"]),
    ],
)
def test_an_ending_says_what_is_left_to_the_user_as_commands(name: str, lines: list[str]) -> None:
    found = render_ending(runs.state_of(*runs.EVERY[name]), CommandOptions(after=" --script s")).splitlines()
    assert [line for line in lines if line not in found] == []


@pytest.mark.parametrize(
    ("exit_status", "reason", "words"),
    [(4, "a cap", "autopilot issue 24"), (5, "no sandbox", "autopilot issue 24"), (0, "the design", "issue 24")],
)
def test_a_pause_is_taken_up_by_the_issues_number(exit_status: int, reason: str, words: str) -> None:
    stopped = h.RunStopped(RunStatus.PAUSED, reason, exit_status)
    assert words in render_ending(runs.state_of(*runs.IN_IMPL, stopped)).splitlines()[-1]


def test_once_the_gate_is_answered_the_issue_goes_on_by_its_number() -> None:
    events = (*runs.AT_DESIGN, runs.WAITS, *runs.IN_IMPL[len(runs.AT_DESIGN) :][:1])
    state, status = documents_of(*events)
    assert "  to continue: `autopilot issue 24`" in render_ending(state)
    assert "your answer is recorded; continue with: autopilot issue 24" in render_status(status, alive=False)


def report(*events: h.Event) -> str:
    state = runs.state_of(*events)
    assert state.issue is not None
    return render_issue_report(state, state.issue)


def test_the_acceptance_tests_are_evidence_with_where_they_were_red() -> None:
    red = make_observation("at", Seen.FAILED, command="pytest -q", commit="r" * 40)
    events = (*runs.IN_IMPL, runs.iteration(1, holds=True)[0], replace(runs.judged(holds=True), red_seen=red))
    state = runs.state_of(*events)
    proof = proofs_of(state, state.phase(IMPL))[0]
    assert (proof.subject, proof.outcome, proof.before) == ("at", Outcome.PASS, red)
    assert proof.strength == Proven.REPLAYED.value
    assert [each.subject for each in proofs_of(state, state.phase(DESIGN))] == []


def test_what_was_not_looked_at_yet_is_not_called_free_of_objections() -> None:
    text = report(*runs.EVERY["design"])
    assert "0 objections" not in text and "Nothing was run yet." in text


def test_a_probe_that_stayed_green_is_not_told_as_it_must_be() -> None:
    green = make_observation("replay:at", Seen.PASSED, commit="x")
    events = (*runs.IN_IMPL, runs.iteration(1, holds=False)[0], replace(runs.judged(holds=False), probes=(green,)))
    assert "| sabotage, implementation reverted | 0 of 1 run failed, but all of them must fail |" in report(*events)


def test_where_no_constant_could_be_tried_the_evidence_says_so() -> None:
    replay = make_observation("replay:at", Seen.FAILED, commit="x")
    events = (*runs.IN_IMPL, runs.iteration(1, holds=True)[0], replace(runs.judged(holds=True), probes=(replay,)))
    assert "| sabotage, functions replaced by constants | not run: " in report(*events)


def test_ci_sees_every_term_of_the_oracle_and_every_acceptance_test() -> None:
    suite = ET.fromstring(render_junit(runs.state_of(*runs.HALTED)))[0]
    cases = {case.get("name"): [child.tag for child in case] for case in suite.iter("testcase")}
    assert cases["the issue is handed off"] == ["failure"]
    assert cases["every acceptance criterion is covered by a test that ran"] == ["failure"]
    assert cases["AT-001 covers AC-1"] == [] and cases["AT-002 covers AC-2"] == ["failure"]


# --- the hand-off

PATCH = f"""\
diff --git a/shop/csv.py b/shop/csv.py
--- a/shop/csv.py
+++ b/shop/csv.py
@@ -1 +1,2 @@
 import csv
+def export(rows): ...
diff --git a/{runs.PLAN} b/{runs.PLAN}
--- a/{runs.PLAN}
+++ b/{runs.PLAN}
@@ -0,0 +1 @@
+### AC-9: papers are no implementation
"""


def hand_off(url: str = "", flags: tuple[Objection, ...] = (), **more: Any) -> str:
    state = runs.state_of(*runs.CONVERGED)
    state = state.with_phase(alter(state.phase(IMPL), objections=flags))
    assert state.issue is not None
    issue = alter(state.issue, **more)
    hunks = parse_hunks(PATCH)
    paths = ("shop/csv.py", runs.PLAN, "logo.png")
    summary = "3 files changed, 2 insertions(+)"
    handing = Handing(runs.BRANCH, "9" * 40, paths, hunks, find_key_hunks(issue, hunks), summary, url)
    return render_hand_off(issue, state, state.phase(IMPL), handing)


@pytest.mark.parametrize(
    "words",
    [
        "# Hand-off of issue 24: Export as CSV\n",
        f"```sh\ngit merge --no-ff {runs.BRANCH}\n```",
        f" {'shop/csv.py'.ljust(len(runs.PLAN))} | 1 +\n",
        f" {'logo.png'.ljust(len(runs.PLAN))} | changed\n 3 files changed, 2 insertions(+)\n",
        "`shop/csv.py:2` (key lines: +2 changes a public interface)",
        "| red | 1 test failed at `rrrrrrrrrrrr`, without the implementation: tests/test_csv.py::test_at_001 |",
        "| green | `pytest -q` passed (pytest: 2 passed) at `iiiiiiiiiiii` |",
        "| sabotage, implementation reverted | 1 of 1 run failed, as required |",
        "| AC-1 | AT-001 | tests/test_csv.py::test_at_001 |",
        "| running-atdd-cycle | 1 | PASS |",
        "- `ruff check`: failed before the work began, and still fails",
        "## Not checked\n\n- ",
    ],
)
def test_a_hand_off_has_stat_key_hunks_evidence_and_the_merge_command(words: str) -> None:
    assert words in hand_off()


def test_a_hand_off_says_that_nothing_was_merged_and_shows_no_papers_as_implementation() -> None:
    text = hand_off()
    assert "Autopilot merged nothing." in text and "AC-9" not in text


FIX = """\
--- a/tests/test_csv.py
+++ b/tests/test_csv.py
@@ -1 +1 @@
-x = 1
+x = 2
--- a/shop/csv.py
+++ b/shop/csv.py
@@ -8 +8 @@
-    return rows[1:]
+    return rows
"""


def test_of_a_fix_inside_a_function_the_fix_is_what_is_shown() -> None:
    issue = runs.state_of(*runs.CONVERGED).issue
    assert issue is not None
    assert [shown.hunk.path for shown in find_key_hunks(issue, parse_hunks(FIX))] == ["shop/csv.py"]


def test_whoever_merges_is_shown_what_was_pointed_out() -> None:
    flag = Objection(Layer.RUN, "at", "ten greens may be luck", weight=Weight.FLAG)
    assert "## Check these points\n\n- ten greens may be luck\n" in hand_off(flags=(flag,))
    assert "## Check these points" not in hand_off()


def test_with_a_draft_the_merge_command_is_the_forges() -> None:
    url = "https://forge.example.org/pull/7"
    assert f"gh pr ready {url} && gh pr merge {url}" in hand_off(url)


def test_of_a_flaky_test_the_rate_before_is_told() -> None:
    assert "| failure rate | 3 of 10 runs of t |" in hand_off(rate=Rate("c", "t", 10, 3))
