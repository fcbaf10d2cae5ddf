"""The message of the middle gate: decisions with lines at first, then the real diff for each finding; never the body.

covers: AL-1, ISSUE-DIALOG, ISSUE-DESIGNGATE, ISSUE-ROUTES
"""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from autopilot.events.issue.state import IssueState
from autopilot.model.issue.hunk import Showing
from autopilot.model.issue.issue import Cause, Rate, Route, SeedFinding
from autopilot.planning.issue.presenting import gather_showing
from autopilot.reports.issue.gate import render_presentation
from autopilot.reports.markdown import fenced
from tests.unit import issue_runs as runs
from tests.unit.making import alter

STORIES_TEXT = "# Stories\n\n## S1\n\n### AC-1: commas\n\nlong words of the body\n\n### AC-2: a header\n"
TESTS_TEXT = "# Tests\n\n- [ ] [planned] AT-001: commas\n  Covers: AC-1\n- [ ] [planned] AT-003: nothing\n"
PLAN_TEXT = "# Plan\n\n## Step 1: rows\n\nlong words of the body\n\n1. quote them\n"
TEXTS = {runs.USER_STORIES: STORIES_TEXT, runs.PLAN: PLAN_TEXT, runs.TESTS: TESTS_TEXT}
PATCH = f"""\
diff --git a/{runs.USER_STORIES} b/{runs.USER_STORIES}
--- a/{runs.USER_STORIES}
+++ b/{runs.USER_STORIES}
@@ -5,1 +5,3 @@
 ### AC-1: commas
+
+### AC-2: a `header` row
diff --git a/{runs.PLAN} b/{runs.PLAN}
--- a/{runs.PLAN}
+++ b/{runs.PLAN}
@@ -1 +1 @@
-# Plan
+# The plan
diff --git a/{runs.FOLDER}/autopilot-log.jsonl b/{runs.FOLDER}/autopilot-log.jsonl
--- a/{runs.FOLDER}/autopilot-log.jsonl
+++ b/{runs.FOLDER}/autopilot-log.jsonl
@@ -0,0 +1 @@
+{{"iteration": 1}}
"""


def issue_at(*events: object) -> IssueState:
    issue = runs.state_of(*events).issue  # type: ignore[arg-type]
    assert issue is not None
    return issue


def render(issue: IssueState, patch: str = "", texts: dict[str, str] | None = None, **more: object) -> str:
    showing = gather_showing(issue, runs.BRANCH, runs.TIP, patch, TEXTS if texts is None else texts)
    return render_presentation(issue, runs.state_of(*runs.DESIGNED), replace(showing, **more))


FIRST = issue_at(*runs.DESIGNED)
REJECTED = (
    SeedFinding("stories: there is no `header` row", about="stories"),
    SeedFinding("tests: AT-001 is too weak", about="tests"),
)
AGAIN = alter(issue_at(*runs.SHOWN), rejected=REJECTED)


def test_the_first_presentation_has_each_documents_decisions_with_file_and_line() -> None:
    text = render(FIRST)
    assert text.startswith("# Design of issue 24: Export as CSV\n")
    assert f"Branch `{runs.BRANCH}` at `dddddddddddd`; presentation 1." in text
    assert f"- `{runs.USER_STORIES}:4` only the shown columns" in text
    assert f"- `{runs.PLAN}:7` the csv module, not our own quoting" in text
    assert "long words of the body" not in text and "diff" not in text


@pytest.mark.parametrize(
    "line",
    [
        f"- `{runs.USER_STORIES}:5` AC-1: commas",
        f"- `{runs.PLAN}:3` Step 1: rows",
        f"- `{runs.PLAN}:7` 1. quote them",
        f"- `{runs.TESTS}:3` AT-001: commas (AC-1)",
        "No decision is marked; the document consists of:",
    ],
)
def test_a_document_without_decisions_is_told_by_what_it_consists_of(line: str) -> None:
    assert line in render(replace(FIRST, decisions=())).splitlines()


def test_what_an_approval_would_let_through_is_said() -> None:
    text = render(FIRST)
    assert "- AC-2: no acceptance test names it yet" in text
    assert "- AT-003: it names no acceptance criterion" in text


def test_what_a_reader_may_overlook_in_the_documents_is_said() -> None:
    texts = {
        runs.USER_STORIES: "## One\n### AC-1: rows\n## Two\n### AC-1: columns\nIt meets AC-7 too.\n",
        runs.PLAN: "Test command: `sh all.sh`\n",
        runs.TESTS: "- [ ] [regression] AT-001: rows\n  - Covers: AC-1\n",
    }
    text = render(FIRST, texts=texts)
    for line in (
        "- user-stories.md:4: AC-1 is defined a second time, with another text",
        "- user-stories.md: it mentions AC-7, which is defined nowhere, so no test is required for it",
        "- plan.md: the acceptance tests are run by `sh all.sh`",
        "- AT-001: marked [regression], so Autopilot does not check whether it was ever red",
    ):
        assert line in text.splitlines()


def test_it_ends_with_whole_commands() -> None:
    text = render(FIRST)
    assert "`autopilot approve design-24-1`" in text
    assert '`autopilot reject design-24-1 --stories "…" --plan "…" --tests "…"`' in text
    assert "autopilot approve design-24-2" in render(AGAIN, PATCH)


def test_a_later_presentation_shows_for_each_finding_what_changed_and_says_where_nothing_did() -> None:
    text = render(AGAIN, PATCH)
    first, second = text.split("### Finding ")[1:]
    assert first.startswith("1 (stories)\n\n> stories: there is no `header` row\n")
    assert f"`{runs.USER_STORIES}:6` (key lines: +7 quoted in a finding)" in first
    assert "```diff\n@@ -5,1 +5,3 @@\n ### AC-1: commas\n+\n+### AC-2: a `header` row\n```" in first
    assert second.startswith("2 (tests)\n\n> tests: AT-001 is too weak\n\n**Nothing changed for this finding.**\n")
    assert f"### Other changes\n\n- `{runs.PLAN}:1`" in text
    assert "autopilot-log.jsonl" not in text and "To decide" not in text


def test_without_findings_of_a_person_it_is_a_first_presentation_however_often_it_is_made() -> None:
    assert "## To decide" in render(alter(AGAIN, rejected=()), PATCH)


def test_a_cause_is_shown_with_its_class_its_test_and_what_was_seen() -> None:
    state = runs.state_of(*runs.BUG[:-3])
    assert state.issue is not None
    text = render_presentation(state.issue, state, Showing(runs.BRANCH, runs.TIP))
    assert "**C**, logic error" in text and "> the header is written twice" in text
    assert "Test: `tests/test_csv.py::test_header`" in text and "Classes you may choose from: A, B, C" in text
    assert "Observed at `dddddddddddd`: `pytest -q` failed" in text and "\n````\n1 failed\n```\nhi\n````\n" in text
    assert "`autopilot answer cause-24-1 cause=…`" in text


def test_a_flaky_test_is_shown_with_how_often_it_failed() -> None:
    flaky = alter(FIRST, route=Route.FLAKY, proposed=Cause("timing", "it sleeps"), rate=Rate("c" * 40, "t", 10, 3))
    assert "Failure rate before: 3 of 10 runs by Autopilot, at `cccccccccccc`" in render(flaky)


def test_of_a_change_of_documents_the_change_itself_is_shown() -> None:
    text = render(replace(FIRST, route=Route.EXPRESS), PATCH)
    assert text.startswith("# Change for issue 24") and "-# Plan\n+# The plan" in text


def test_where_the_forge_failed_the_message_says_so_and_is_there_all_the_same() -> None:
    text = render(
        FIRST,
        warnings=("Autopilot could not publish all of this on the forge: gh is not installed",),
        url="https://x/1",
    )
    assert (
        "- Autopilot could not publish all of this on the forge: gh is not installed" in text
        and "draft: https://x/1" in text
    )


@pytest.mark.parametrize("text", ["```\n# Approved\n```", "`````", "plain"])
def test_nothing_inside_a_fence_can_end_it(text: str) -> None:
    lines = fenced(text, "diff").splitlines()
    marks = re.match("`+", lines[0])
    assert marks is not None and lines[-1] == marks[0]
    assert all(len(line) - len(line.lstrip("`")) < len(marks[0]) for line in lines[1:-1])
