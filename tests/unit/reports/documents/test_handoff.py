"""HANDOFF.md: what an agent that ran out of context leaves to the next."""

from __future__ import annotations

from autopilot.events.pieces import OpenStep, TaskState
from autopilot.model.run import Step
from autopilot.reports.documents.documents import phase_documents
from autopilot.reports.documents.handoff import render_handoff
from tests.unit.making import make_phase, make_state, make_task

# covers: CTXE-01
DONE = TaskState(make_task("01-01", title="keep books"), "verified", "a" * 40, files=("shelf/a.py",))
HALF = TaskState(
    make_task("01-02", title="find | books", complexity="complex"),
    "handed_over",
    "b" * 40,
    files=("shelf/b.py",),
    handovers=("context_exhausted: 200k",),
)
TODO = TaskState(make_task("01-03", title="print books"))


def test_a_handoff_is_the_sources_document_word_for_word() -> None:
    phase = make_phase(tasks={"01-01": DONE, "01-02": HALF, "01-03": TODO}, open=OpenStep(Step.EXECUTE, 2, 1, "01-02"))
    assert render_handoff(make_state(phase, tip="t" * 40), phase) == (
        "# Phase 1 Partial Progress Handoff\n"
        "\n"
        "**Phase ID:** 1\n"
        "**Reason:** Context exhaustion detected during execute\n"
        "**Timestamp:** 2025-01-01T12:00:00Z\n"
        f"**Last Checkpoint SHA:** {'t' * 40}\n"
        "\n"
        "## Tasks Completed\n"
        "\n"
        "| Task ID | Status | Commit SHA | Files Modified |\n"
        "| --- | --- | --- | --- |\n"
        "| 01-01 | COMPLETED | aaaaaaaaaaaa | shelf/a.py |\n"
        "\n"
        "## Tasks Remaining\n"
        "\n"
        "| Task ID | Description | Estimated Complexity |\n"
        "| --- | --- | --- |\n"
        "| 01-02 | find \\| books | complex |\n"
        "| 01-03 | print books | medium |\n"
        "\n"
        "## Files Modified (partial list)\n"
        "\n"
        "- shelf/a.py: task 01-01, keep books\n"
        "- shelf/b.py: task 01-02, find | books, unfinished\n"
        "\n"
        "## Partial Progress State\n"
        "\n"
        "- Current step: execute of task 01-02\n"
        "- Last successful operation: commit bbbbbbbbbbbb of task 01-02\n"
        "- Issues encountered: task 01-02: context_exhausted: 200k\n"
    )


def test_a_task_that_was_there_already_counts_as_done() -> None:
    phase = make_phase(tasks={"01-01": TaskState(make_task("01-01"), "already"), "01-02": HALF})
    text = render_handoff(make_state(phase), phase)
    assert "| 01-01 | COMPLETED | already there |  |" in text


def test_a_part_is_handed_over_from_its_own_line() -> None:
    part = make_phase(parent="1", line="l" * 40, tasks={"01-02": HALF})
    assert f"**Last Checkpoint SHA:** {'l' * 40}" in render_handoff(make_state(tip="t" * 40), part)


def test_a_handoff_is_among_the_documents_only_when_something_was_handed_over() -> None:
    with_one, without = (make_phase(tasks={t.task.id: t}) for t in (HALF, DONE))
    assert "HANDOFF.md" in phase_documents(make_state(with_one), with_one)
    assert "HANDOFF.md" not in phase_documents(make_state(without), without)


def test_nothing_an_agent_says_reaches_the_terminal_as_control() -> None:
    evil = TaskState(
        make_task("01-01", title="\x1b[2J# Fake\n## Tasks Completed"), "handed_over", handovers=("\x9b2J",)
    )
    phase = make_phase(tasks={"01-01": evil})
    text = render_handoff(make_state(phase), phase)
    assert "\x1b" not in text and "\x9b" not in text
    assert text.count("\n## Tasks Completed\n") == 1
