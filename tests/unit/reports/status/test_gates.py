"""What waits for a person, in words: each with one whole command, for a shell and for an agent's chat.

covers: INV-8, CKPT, STAT-05, CMAP-03
"""

from __future__ import annotations

import json
import re

import pytest
from msgspec.structs import replace

from autopilot.events import happened as h
from autopilot.events.fold import fold_all
from autopilot.events.people import HumanAnswered
from autopilot.events.pieces import Landing
from autopilot.events.state import RunState
from autopilot.model.git import LandingState
from autopilot.model.human import GateKind
from autopilot.model.notice import NoticeKind
from autopilot.model.run import PhaseStatus, RunStatus
from autopilot.model.secrecy.redaction import Redactor
from autopilot.reports.progress.lines import progress_lines
from autopilot.reports.run.ending import render_ending
from autopilot.reports.run.notice import make_notice, notice_kind
from autopilot.reports.run.ways_on import CommandOptions
from autopilot.reports.status.caught import without_codes
from autopilot.reports.status.gates import find_waiting, landing_words, render_deferred, render_gate, wait_for_verdict
from autopilot.reports.status.host import CLAUDE_CODE, for_host
from autopilot.reports.status.state_json import state_document
from autopilot.reports.status.status import status_document
from autopilot.reports.status.status_text import line_facts, render_line, render_status
from tests.unit.asking import CHECKPOINT, DISCUSS, MAP, PICK, events_for, state_with
from tests.unit.making import alter, make_phase, make_state, store

ALL = state_with(CHECKPOINT, MAP, PICK, deferred=True)
COMMANDS = {
    "checkpoint-1": "autopilot approve checkpoint-1",
    "map": "autopilot answer map",
    "areas-1": "autopilot answer areas-1",
    "3": "autopilot verdict 3 pass",
}


def test_everything_that_waits_is_found_with_since_when_and_the_command_for_it() -> None:
    found = {each.name: each for each in find_waiting(ALL)}
    assert {name: each.command for name, each in found.items()} == COMMANDS
    assert all(each.since is not None for each in found.values())
    assert found["3"].title.endswith("; look at it: git diff main...autopilot/deferred-phase-3-run-1")
    assert [each.name for each in sorted(found.values(), key=lambda e: e.since or ALL.now)] == list(found)


@pytest.mark.parametrize(
    ("obstacle", "command"),
    [
        (LandingState.BRANCH_MOVED, "git merge 'a b' && autopilot resume"),
        (LandingState.OTHER_BRANCH, "git switch main && autopilot resume"),
        (LandingState.NOT_CLEAN, "autopilot resume"),
    ],
)
def test_a_landing_that_waits_has_its_command_too(obstacle: LandingState, command: str) -> None:
    landing = Landing("deferred", because="it was in the way", branch="a b", obstacle=obstacle)
    phase = make_phase(status=PhaseStatus.COMPLETED, score=9.6, landing=landing)
    state = make_state(phase, status=RunStatus.WAITING, exit_status=3)
    assert [(each.kind, each.command) for each in find_waiting(state)] == [("landing", command)]
    assert find_waiting(alter(state, exit_status=None)) == (), "a run under way tries by itself"


def test_a_landing_into_a_checkout_with_changes_says_what_comes_first() -> None:
    landing = Landing("deferred", because="files have changes", branch="a", obstacle=LandingState.NOT_CLEAN)
    phase = make_phase(status=PhaseStatus.COMPLETED, score=9.6, landing=landing)
    [waiting] = find_waiting(make_state(phase, status=RunStatus.WAITING, exit_status=3))
    assert waiting.title == (
        "verified work on branch a has not landed, because files have changes; stash your changes first"
    )
    locked = alter(phase, landing=replace(landing, because="index.lock exists", obstacle=LandingState.LOCKED))
    [waiting] = find_waiting(make_state(locked, status=RunStatus.WAITING, exit_status=3))
    assert waiting.title.endswith("; wait for the other git, or delete that file if none runs")


def test_a_gate_is_told_in_one_message() -> None:
    told = {gate.asked.kind: render_gate(gate, ALL) for gate in ALL.open_gates}
    assert "phase 1  not started  Part 1" in told[GateKind.CHECKPOINT]
    for words in ("Phase 1: Part 1 (score: 4/10)", "1.1  Which login? [architecture]", "two are possible", "Phase 2"):
        assert words in told[GateKind.MAP]
    assert "1.2  Which ports?" in told[GateKind.MAP], "a line end in a question begins no line"
    assert "2. Refunds" in told[GateKind.AREAS]
    [gate] = state_with(DISCUSS).open_gates
    assert "2.1 Who?" in render_gate(gate, state_with(DISCUSS))


def test_who_is_asked_for_a_verdict_is_told_why_and_where_to_look() -> None:
    [phase] = wait_for_verdict(ALL)
    told = render_deferred(phase)
    for words in (
        "task 03-02, Listen to the tone",
        "1/1",
        "the tone is heard (there is none)",
        "deferred-phase-3-run-1",
    ):
        assert words in told


# --- the ending and the status


def test_an_ending_has_one_whole_command_for_everything_that_waits() -> None:
    lines = render_ending(ALL, CommandOptions(after=" --script s")).splitlines()
    assert "  to decide: `autopilot approve checkpoint-1`, or `autopilot reject checkpoint-1`" in lines
    assert "  to decide: `autopilot verdict 3 pass`, or fail, or issues_found" in lines
    assert "  to answer: `autopilot answer map` (2 phases need more information)" in lines
    filled = "`autopilot resume --answers .autopilot/questions.md --script s`"
    assert f"  or fill in .autopilot/questions.md, then {filled}" in lines


def answered() -> RunState:
    said = HumanAnswered("checkpoint-1", {}, "you", approved=True)
    return fold_all(store(*events_for(CHECKPOINT), said))


def test_when_everything_is_answered_the_run_can_go_on_and_says_so() -> None:
    state = answered()
    assert find_waiting(state) == ()
    assert "  to continue: `autopilot resume`" in render_ending(state).splitlines()
    assert "your answer is recorded; continue with: autopilot resume" in render_status(status_of(state), alive=False)


def status_of(state: RunState) -> dict[str, object]:
    document = status_document(state, state_document(state, ()), landing_words(state))
    return dict(json.loads(json.dumps(document)))


def test_the_status_lists_what_waits_and_the_line_counts_it() -> None:
    document = status_of(ALL)
    page = render_status(document, alive=False)
    assert "  waits for you: 2 phases need more information (`autopilot answer map`)" in page.splitlines()
    assert "(`autopilot approve checkpoint-1` or `autopilot reject checkpoint-1`)" in page
    assert ", 4 waiting for you" in render_line(line_facts(document), alive=False)


def test_in_an_agents_chat_every_command_is_preceded_by_a_fresh_one() -> None:
    text = render_ending(ALL, CommandOptions(host=CLAUDE_CODE))
    ours = list(re.finditer(r"`[^`]*autopilot [a-z][^`]*`", text))
    assert len(ours) >= 5
    assert all(text[: match.start()].endswith("`/clear` then ") for match in ours)
    assert render_ending(ALL, CommandOptions()) == text.replace("`/clear` then ", "")


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("autopilot resume --now", "`/clear` then autopilot resume --now"),
        ("waits: autopilot verdict 3 pass", "waits: `/clear` then autopilot verdict 3 pass"),
        (
            "`git merge a && autopilot resume`; or `git merge a`",
            "`/clear` then `git merge a && autopilot resume`; or `git merge a`",
        ),
        ("the autopilot branch, autopilot/run-1", "the autopilot branch, autopilot/run-1"),
    ],
)
def test_what_is_no_command_of_ours_stays_as_it_is(said: str, shown: str) -> None:
    assert for_host(said, CLAUDE_CODE) == shown
    assert for_host(said, "") == said


# --- notices


@pytest.mark.parametrize(
    ("stopped", "kind"),
    [
        (h.RunStopped(RunStatus.WAITING, "it waits", 3), NoticeKind.GATE),
        (h.RunStopped(RunStatus.COMPLETED, "every phase passed", 0), NoticeKind.COMPLETION),
        (h.RunStopped(RunStatus.FAILED, "phase 1 did not pass", 1), NoticeKind.HALT),
        (h.RunStopped(RunStatus.PAUSED, "a cap", 4), NoticeKind.HALT),
        (h.RunStopped(RunStatus.PAUSED, "stopped (SIGINT)", 130), None),
        (None, None),
    ],
)
def test_a_rest_is_a_gate_a_halt_or_a_completion_and_one_by_hand_is_none_of_them(
    stopped: h.RunStopped | None, kind: NoticeKind | None
) -> None:
    events = (*events_for(stopped=False), *((stopped,) if stopped else ()))
    assert notice_kind(fold_all(store(*events))) is kind


def test_a_notice_says_what_waits_and_holds_no_secret() -> None:
    hidden = alter(ALL, stop_reason="the key is hunter2-hunter2")
    notice = make_notice(hidden, NoticeKind.GATE, "/work/shop", Redactor({"KEY": "hunter2-hunter2"}))
    assert (notice.title, notice.command) == ("Autopilot: shop waits for you", "autopilot approve checkpoint-1")
    assert [wanted.name for wanted in notice.waiting] == list(COMMANDS)
    assert notice.reason == "the key is [redacted:KEY]"


# --- progress


@pytest.mark.parametrize(
    ("events", "line"),
    [
        ((CHECKPOINT,), "[Gate checkpoint-1] 1 of 3 phases are done: continue? -- `autopilot approve checkpoint-1`"),
        ((MAP,), "[Gate map] 2 phases need more information -- `autopilot answer map`"),
        (
            (CHECKPOINT, HumanAnswered("checkpoint-1", {}, "you", approved=False, comment="no")),
            "[Gate checkpoint-1] rejected (no), by you",
        ),
        (
            (MAP, HumanAnswered("map", {"1.1": "a", "1.2": ""}, "you, in a.md", more=("X",))),
            "[Gate map] 1/3 answered; more about X, by you, in a.md",
        ),
    ],
)
def test_progress_tells_what_is_asked_and_what_became_of_it(events: tuple[h.Event, ...], line: str) -> None:
    entries = store(*events_for(stopped=False), *events)
    assert list(progress_lines(entries[-1], fold_all(entries))) == [line]


def test_a_reason_is_shown_without_the_letters_that_evidence_is_filed_under() -> None:
    told = "caught: S:phase: tests/a.py was changed; R:test: 2 tests are gone"
    assert without_codes(told) == "caught: tests/a.py was changed; 2 tests are gone"
    assert without_codes("refused: S:task 01-01: a.py was changed") == "refused: a.py was changed"
    assert without_codes("see C:x or Error: no") == "see C:x or Error: no"
