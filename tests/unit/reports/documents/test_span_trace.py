"""TRACE.jsonl: one span a step, a call, a command and a decision; it never breaks on what was recorded."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from autopilot.events import happened as h
from autopilot.events import recovery as r
from autopilot.events.entry import Stored
from autopilot.model.agent import Ending, Role, Usage
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.ruling import Action
from autopilot.model.run import Step
from autopilot.reports.documents.documents import TRACE
from autopilot.reports.documents.span_trace import SUMMARY_CHARS, render_traces
from tests.unit.events.golden.reading import FOLDER, read_golden
from tests.unit.making import ONE, START, TWO, make_brief, make_observation, make_task, make_verdict, store

# covers: OBSV-01, OBSV-02
FIELDS = ["timestamp", "phase_id", "step", "action", "input_summary", "output_summary", "duration_ms", "status"]


def spans(*events: h.Event, phase: Any = ONE) -> list[dict[str, Any]]:
    return [json.loads(line) for line in render_traces(store(*events), phase)[TRACE].splitlines()]


def reply(**more: Any) -> h.AgentReplied:
    fields: dict[str, Any] = {
        "step": Step.EXECUTE,
        "role": Role.EXECUTOR,
        "agent": "scripted 0.1.0",
        "ending": Ending.COMPLETED,
        "usage": Usage(100, 20),
        "duration_ms": 1500,
        "task": "01-01",
    }
    return h.AgentReplied(ONE, **{**fields, **more})


def test_a_step_is_one_span_from_its_first_try_to_its_end() -> None:
    found = spans(
        h.StepStarted(ONE, Step.EXECUTE, 1, task="01-01"),
        h.StepStarted(ONE, Step.EXECUTE, 1, 2, "01-01"),
        h.StepEnded(ONE, Step.EXECUTE, 1, "completed", "01-01", "2 files"),
    )
    assert found == [
        {
            "timestamp": "2025-01-01T12:00:01Z",
            "phase_id": "1",
            "step": "execute",
            "action": "tool_call",
            "input_summary": "execute, attempt 1, task 01-01",
            "output_summary": "completed: 2 files",
            "duration_ms": 2000,
            "status": "success",
        }
    ]
    assert list(found[0]) == FIELDS


@pytest.mark.parametrize(
    ("status", "word"), [("pass", "success"), ("completed", "success"), ("fail", "failure"), ("error", "failure")]
)
def test_a_step_succeeded_or_failed(status: str, word: str) -> None:
    [span] = spans(h.StepStarted(ONE, Step.RATE, 1), h.StepEnded(ONE, Step.RATE, 1, status))
    assert span["status"] == word


def test_a_step_under_way_has_no_span_yet_and_a_skipped_one_says_so() -> None:
    [span] = spans(h.StepSkipped(ONE, Step.RESEARCH, "a plan exists"), h.StepStarted(ONE, Step.PLAN, 1))
    assert (span["step"], span["status"], span["output_summary"]) == ("research", "skipped", "a plan exists")


def test_a_call_of_an_agent_begins_when_it_began() -> None:
    found = spans(reply(), reply(ending=Ending.TIMED_OUT, detail="no end", role=Role.JUDGE, step=Step.JUDGE, task=""))
    assert found[0] == {
        "timestamp": "2025-01-01T11:59:59Z",
        "phase_id": "1",
        "step": "execute",
        "action": "agent_spawn",
        "input_summary": "Asking scripted 0.1.0 as executor for task 01-01",
        "output_summary": "completed, 120 tokens",
        "duration_ms": 1500,
        "status": "success",
    }
    assert (found[1]["status"], found[1]["output_summary"]) == ("failure", "timed_out, 120 tokens: no end")


def test_commands_are_spans_one_after_the_other() -> None:
    seen = (
        make_observation("compile", command="make", exit_code=0, duration_ms=2000, excerpt="ok"),
        make_observation(
            "test",
            Seen.TIMED_OUT,
            command="make test",
            duration_ms=3000,
            reason="the command did not finish within 3 s",
        ),
        make_observation("01-01.c1", Seen.NOTHING, reason="no sandbox"),
    )
    found = spans(h.PhaseObserved(ONE, "c1", seen))
    assert [(s["timestamp"][-3:-1], s["input_summary"], s["output_summary"], s["status"]) for s in found] == [
        ("56", "make", "exit 0: ok", "success"),
        ("58", "make test", "timed out: the command did not finish within 3 s", "failure"),
        ("01", "check 01-01.c1", "could not be run: no sandbox", "skipped"),
    ]
    assert {(s["step"], s["action"]) for s in found} == {("verify", "command_run")}


@pytest.mark.parametrize(
    ("event", "step"),
    [
        (h.RedObserved(ONE, (make_observation("x"),)), "execute"),
        (r.BaselineObserved(ONE, "c", (make_observation("x"),)), "execute"),
        (h.TaskVerified(ONE, "01-01", "c", (make_observation("x"),), (), Outcome.PASS), "mini_verify"),
        (r.Integrated(ONE, ONE, "c", (make_observation("x"),), ()), "integrate"),
    ],
)
def test_a_command_belongs_to_the_step_that_ran_it(event: h.Event, step: str) -> None:
    [span] = spans(event)
    assert (span["step"], span["action"]) == (step, "command_run")


def test_the_gates_decision_is_a_span() -> None:
    verdicts = (make_verdict(Outcome.FAIL), make_verdict(Outcome.PASS, "compile"))
    [span] = spans(h.GateJudged(ONE, "c", Outcome.FAIL, "it failed", verdicts, Action.DEBUG))
    assert (span["step"], span["action"], span["status"]) == ("gate", "decision", "failure")
    assert (span["input_summary"], span["output_summary"]) == ("2 verdicts", "FAIL, debug: it failed")


PIPELINE: list[tuple[h.Event, str, str]] = [
    (h.PhaseStarted(ONE, 2, "b" * 40), "attempt 2 at bbbbbbbbbbbb", "success"),
    (h.PhaseCompleted(ONE, 9.6, "c" * 40), "completed with 9.6/10 at cccccccccccc", "success"),
    (h.PhaseCompleted(ONE, None, "c" * 40), "completed with no score at cccccccccccc", "success"),
    (h.PhaseCompleted(ONE, 0.0, "c" * 40), "completed with no score at cccccccccccc", "success"),
    (h.PhaseFailed(ONE, "no", "tool_failure", Step.GATE), "failed, tool_failure: no", "failure"),
    (h.PhaseSkipped(ONE, "phase 0 failed"), "skipped: phase 0 failed", "skipped"),
    (h.Rerouted(ONE, "it is not done"), "the full pipeline: it is not done", "success"),
    (h.Rerouted(ONE, "it holds", verify_only=True), "verification: it holds", "success"),
    (r.Replanned(ONE, 6.0, ()), "the score was 6.0", "success"),
    (r.RemediationStarted(ONE, 1, 8.1, 9.0, (make_task(),)), "cycle 1, score 8.1, 1 tasks", "success"),
    (r.VerdictGiven(ONE, "issues_found", (), "you"), "issues_found", "failure"),
]


@pytest.mark.parametrize(("event", "told", "status"), PIPELINE)
def test_what_concerns_the_phase_as_a_whole_is_the_runners(event: h.Event, told: str, status: str) -> None:
    [span] = spans(event)
    assert (span["step"], span["action"]) == ("phase_runner", "decision")
    assert (span["output_summary"], span["status"]) == (told, status)


def test_summaries_are_cut_and_kept_on_one_clean_line() -> None:
    [span] = spans(reply(detail="\x1b[2J" + "long\n" * 200))
    assert len(span["output_summary"]) <= SUMMARY_CHARS and "\x1b" not in span["output_summary"]
    assert "\n" not in span["output_summary"]


def test_other_phases_are_left_out_and_parts_taken_in() -> None:
    part = "1a"
    split = r.SplitAgreed(ONE, "too big", (make_brief(part),), ((),))  # type: ignore[arg-type]
    found = spans(h.PhaseStarted(TWO, 1, "b"), split, h.PhaseCompleted(part, 9.0, "c"))  # type: ignore[arg-type]
    assert [span["phase_id"] for span in found] == ["1", "1a"]


def test_odd_entries_do_not_break_the_trace() -> None:
    early = datetime(1, 1, 1, tzinfo=UTC)
    odd = [
        Stored(1, START, "r", "k", h.StepEnded(ONE, Step.GATE, 7, "", detail="")),
        Stored(2, START, "r", "k", h.StepStarted(ONE, Step.RATE, 1)),
        Stored(3, START - timedelta(days=9), "r", "k", h.StepEnded(ONE, Step.RATE, 1, "pass")),
        Stored(4, early, "r", "k", reply(duration_ms=10**30)),
        Stored(5, START, "r", "k", reply(duration_ms=-5)),
        Stored(6, early, "r", "k", h.PhaseObserved(ONE, "", (make_observation("", duration_ms=10**18),))),
        Stored(7, START, "r", "k", h.GateJudged(ONE, "", Outcome.UNPROVEN, "", ())),
        Stored(8, START, "r", "k", h.CancelRequested("you")),
    ]
    found = [json.loads(line) for line in render_traces(odd, ONE)[TRACE].splitlines()]
    assert len(found) == 6
    assert all(span["duration_ms"] >= 0 for span in found)
    assert render_traces([], ONE)[TRACE] == ""


def test_a_whole_recorded_run_can_be_traced() -> None:
    entries = list(read_golden(FOLDER / "journal-1.jsonl"))
    for phase in (ONE, TWO):
        lines = [json.loads(line) for line in render_traces(entries, phase)[TRACE].splitlines()]
        assert {"tool_call", "agent_spawn", "command_run", "decision"} == {line["action"] for line in lines}
        assert [line["timestamp"] for line in lines] == sorted(line["timestamp"] for line in lines)
        assert all(list(line) == FIELDS for line in lines)
