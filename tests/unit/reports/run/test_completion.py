"""Reports of a run that is over: the completion report, the batch report, the announcement, the summary for CI."""

from __future__ import annotations

import json
from html import unescape
from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.events.state import RunState
from autopilot.events.talk import IdeaDeferred
from autopilot.model.intent import Intent
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import PhaseStatus, RunStatus
from autopilot.reports.documents.summary import render_summary
from autopilot.reports.evidence.unchecked import NOT_CHECKED
from autopilot.reports.run.audit import audit_section
from autopilot.reports.run.batch import build_batch, render_batch, render_batch_json
from autopilot.reports.run.ci_summary import render_ci_summary
from autopilot.reports.run.completion import render_completion
from autopilot.reports.run.ending import render_ending
from autopilot.reports.run.junit import render_junit
from autopilot.reports.run.metrics import run_metrics
from autopilot.reports.run.trend import find_trend
from autopilot.reports.run.ways_on import CommandOptions
from autopilot.reports.status.files import completion_path
from tests.unit.making import (
    ONE,
    START,
    TWO,
    alter,
    make_brief,
    make_criterion,
    make_phase,
    make_policy,
    make_state,
    make_task,
)
from tests.unit.reports.ending_states import broken_state, closed_state, done_phase, failed_phase

# covers: CMPL-04, DONE-1, STAT-04, MTRC-02, MTRC-03, CENF-03, QUAL, GAPS, T8.unseen
SECTIONS = (
    *("Phases", "What does not hold", "Evidence", "Integration", "Self-Audit Results", "Version", "Left to You"),
    *("Metrics", "Trend Analysis", "Cost", "Agents", "Caught", "Not checked", "Next"),
)
FELL = find_trend([run_metrics(closed_state(run="run-0")), run_metrics(broken_state())])


def part(text: str, title: str) -> str:
    return text.partition(f"## {title}\n\n")[2].partition("\n## ")[0].strip()


def test_the_report_has_every_section_in_order() -> None:
    text = render_completion(broken_state(), None)
    assert [line.removeprefix("## ") for line in text.splitlines() if line.startswith("## ")] == list(SECTIONS)


def test_the_report_lists_ideas_that_were_deferred() -> None:
    """covers: DISC"""
    ideas = (IdeaDeferred("French", "French", ONE), IdeaDeferred("a shop", "a shop"))
    state = broken_state()
    text = render_completion(replace(state, people=replace(state.people, ideas=ideas)), None)
    said = part(text, "Deferred Ideas").splitlines()[-2:]
    assert said == ["- French (said about phase 1)", "- a shop (said at a checkpoint)"]


def test_the_report_names_agents_that_may_reach_any_host() -> None:
    state = broken_state()
    policy = alter(state.policy, agents={"default": "claude"}, open_egress=("claude",))
    text = render_completion(replace(state, policy=policy), None)
    assert "Agents that may reach any host, by your settings: claude" in text
    assert "what claude sent elsewhere" in part(text, "Not checked")
    assert "may reach any host" not in render_completion(state, None)


EVERY = {
    "completion": lambda state: render_completion(state, None),
    "batch": render_batch,
    "ci": lambda state: render_ci_summary(state, None),
    "junit": render_junit,
    "summary": lambda state: render_summary(state, state.phases[ONE]),
}


@pytest.mark.parametrize("report", EVERY)
def test_every_report_says_what_no_check_saw(report: str) -> None:
    text = unescape(EVERY[report](closed_state()))
    assert [words for words in NOT_CHECKED if words not in text] == []


def test_the_audit_is_told_with_everything_that_was_asked_of_it() -> None:
    assert part(render_completion(closed_state(), None), "Self-Audit Results").splitlines() == [
        "- Total requirements checked: 3",
        "- Requirements passed on first check: 1",
        "- Gaps found: 2",
        "- Gaps fixed: 1 (commits: f1f1f1f1f1f1)",
        "- Gaps remaining: 1",
        "- Audit cycles: 2",
        "",
        "| Requirement | Phase | Gap | Fixed |",
        "| --- | --- | --- | --- |",
        "| REQ-3 | 1 | no limit is kept | no |",
        "| REQ-2 | 1 | no test for zero | f1f1f1f1f1f1 (claim only) |",
    ]


@pytest.mark.parametrize(
    ("audits", "words"),
    [(True, "The run stopped before the audit."), (False, "It was disabled for this run.")],
)
def test_a_run_without_an_audit_says_why(audits: bool, words: str) -> None:
    state = broken_state(policy=make_policy(self_audit=audits))
    assert audit_section(state) == f"No requirement was audited. {words}\n"


def test_how_often_a_person_was_needed_is_told() -> None:
    assert part(render_completion(broken_state(), None), "Left to You").splitlines() == [
        "- Phases that passed, failed or were left to you: 3",
        "- Phases left to you: 1 (33%, target below 5%)",
        "- Phases decided without you: 2 (67%)",
        "- Confidence of a verifier below which a phase is left to you: 6/10",
    ]


def test_what_was_expected_stands_beside_what_was_used() -> None:
    rows = part(render_completion(broken_state(), None), "Cost").splitlines()
    assert rows[2] == "| 1 | 100,000 | 60,000 | -40% | 0.50 USD |"
    assert rows[-1] == "| all | 100,000 | 120,000 | +20% | ~1.25 USD (estimate) |"


def test_what_nobody_checked_is_printed_in_every_report() -> None:
    prose = make_task("01-01", make_criterion("01-01.c1"), make_criterion("01-01.c2", "it feels right", form="prose"))
    tasks = {"01-01": replace(done_phase().tasks["01-01"], task=prose)}
    for state in (broken_state(), closed_state(), make_state(done_phase(tasks=tasks))):
        text = part(render_completion(state, None), "Not checked")
        assert all(f"- {words}" in text for words in NOT_CHECKED)
    assert "- phase 1: it feels right: no command checks it" in text
    assert "- whether the phases fit together: no integration check was run" in text


def test_a_path_of_one_day_has_one_report() -> None:
    assert completion_path(START) == ".autopilot/completion-2025-01-01.md"


def test_the_batch_says_what_was_skipped_and_what_blocked_what() -> None:
    found = json.loads(render_batch_json(broken_state()))
    head = ("total_phases_in_roadmap", "completed_phases_total", "completion_percentage", "mode")
    assert [found[name] for name in head] == [6, 3, 50.0, "--complete"]
    assert [found[f"phases_{name}"] for name in ("attempted", "succeeded", "failed", "deferred")] == [3, 1, 1, 1]
    assert found["phases_skipped"] == [
        {
            "phase_id": "5",
            "phase_name": "Part 5",
            "reason": "already_completed",
            "original_run_timestamp": "2024-12-31T12:00:00Z",
            "original_run_id": "run-0",
        },
        {"phase_id": "6", "phase_name": "Part 6", "reason": "done_unproven"},
        {"phase_id": "3", "phase_name": "Part 3", "reason": "blocked_by_phase_2", "blocking_phase": "2"},
    ]
    assert found["dependency_gaps"] == [
        {
            "failed_phase_id": "2",
            "failed_phase_name": "Part 2",
            "failure_reason": "acceptance_criteria_unmet: it adds: exit 1",
            "blocked_phases": [{"phase_id": "3", "phase_name": "Part 3"}],
        }
    ]


def test_a_chain_names_all_that_one_failure_blocks() -> None:
    blocked = [
        make_phase(
            PhaseId(name), status=PhaseStatus.SKIPPED, failure="blocked_by_phase_2", blocked_by=TWO, started_at=None
        )
        for name in ("3", "7", "12")
    ]
    state = make_state(done_phase(), failed_phase(), *blocked)
    (gap,) = build_batch(state).dependency_gaps
    assert [phase.phase_id for phase in gap.blocked_phases] == ["3", "7", "12"]
    assert "- **Phase 2 failed** -> Blocked: Phase 3 (Part 3), Phase 7 (Part 7), Phase 12 (Part 12)." in render_batch(
        state
    )


def test_the_batch_report_has_the_tables_and_the_way_on() -> None:
    text = render_batch(broken_state())
    assert "**Project completion:** 50% (3/6 phases)" in text
    assert "| 5 Part 5 | already_completed (run-0, 2024-12-31T12:00:00Z) |" in text
    assert part(text, "Summary").splitlines() == [
        "- Attempted: 3",
        "- Succeeded: 1",
        "- Failed: 1",
        "- Skipped (already done): 2",
        "- Skipped (blocked): 1",
        "- Deferred to human: 1",
    ]
    assert "`autopilot resume`" in part(text, "Next Steps")


def test_the_announcement_sums_up_and_warns() -> None:
    lines = render_ending(broken_state(), trend=FELL).splitlines()
    assert [line for line in lines if line.startswith("  Phases: ")] == [
        "  Phases: 1 of 4 succeeded | 1 failed | 1 left to you | 2 skipped"
    ]
    assert "  Average score: 9.6/10; working time: 30 min" in lines
    assert "  Report: .autopilot/completion-2025-01-01.md, .autopilot/report.html" in lines
    assert any(line.startswith("  Warning: the success rate fell from 100% to 33% since") for line in lines)


def left(*more: str) -> RunState:
    state = closed_state()
    return alter(state, outline=(*state.inputs.outline, *(make_brief(PhaseId(name)) for name in more)))


def test_after_a_whole_run_the_announcement_names_what_is_left_with_its_command() -> None:
    text = render_ending(left("4", "6.1"), CommandOptions(after=" --agent codex"))
    assert text.endswith("  Remaining phases: 4, 6.1\n  To continue: `autopilot run 4 6.1 --agent codex`\n")
    assert render_ending(left()).endswith("  All phases complete. Project is done.\n")
    edited = render_ending(alter(left(), spec_changed_to="5" * 64))
    assert "Project is done" not in edited, "phases that the user added meanwhile are open"
    assert edited.endswith("The plan was edited since: `autopilot run --dry-run` lists the rest\n")


@pytest.mark.parametrize("changes", [{"status": RunStatus.PAUSED, "exit_status": 4}, {"exit_status": None}])
def test_a_run_that_is_not_over_announces_nothing(changes: dict[str, Any]) -> None:
    assert "Phases:" not in render_ending(alter(closed_state(), **changes))


def test_what_refinement_did_not_reach_is_announced() -> None:
    phase = done_phase(exhausted=("quality", "gaps"), withdrawn="it scored lower")
    lines = render_ending(make_state(phase, status=RunStatus.COMPLETED, exit_status=0)).splitlines()
    assert "  phase 1: quality_exhausted at 9.6/10" in lines
    assert "  phase 1: gaps_exhausted at 9.6/10" in lines
    assert "  phase 1: a refinement was withdrawn: it scored lower" in lines
    text = render_completion(make_state(phase), None)
    assert "quality_exhausted; gaps_exhausted; refinement withdrawn: it scored lower" in text


def test_the_summary_for_ci_is_short_and_whole() -> None:
    text = render_ci_summary(broken_state(), FELL)
    assert text.startswith("## Autopilot: failed\n\nphases 2, 3 did not pass\n")
    assert "- 1/3 phases succeeded, 1 failed, 2 skipped; mean score 9.6/10" in text
    assert "| 1 Part 1 | ✅ completed | 2/2 | 9.6/10 |  |" in text
    assert "**the success rate fell" in text
    assert "### Not checked\n\n- " in text
    assert len(text.splitlines()) < 35


HOSTILE = "pass |\n# all is well\x1b[2K\r| <script>alert(1)</script>"


@pytest.mark.parametrize(
    "render", [lambda s: render_completion(s, None), render_batch, lambda s: render_ci_summary(s, None)]
)
def test_words_of_others_write_no_line_and_no_cell_of_their_own(render: Any) -> None:
    hostile = replace(failed_phase(failure=HOSTILE), brief=replace(make_brief(TWO), name=HOSTILE))
    state = alter(broken_state(), phases={ONE: done_phase(), TWO: hostile}, stop_reason=HOSTILE, command=HOSTILE)
    text = render(alter(state, intent=Intent(complete=True)))
    assert not [line for line in text.splitlines() if line.startswith("# all is well")]
    assert "\x1b" not in text and "\r" not in text
    tables = [block.splitlines() for block in text.split("\n\n") if block.startswith("| ")]
    assert tables
    for rows in tables:
        assert len({row.replace("\\|", "").count("|") for row in rows}) == 1
