"""What agents are told: builders the task, reviewers criteria and observations, no one's claims (VRFY-01, T2)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from autopilot.engine.performing import STEPS
from autopilot.events.happened import AgentReplied
from autopilot.events.recovery import JudgeFound
from autopilot.model.agent import AgentReply, Ending
from autopilot.model.evidence.objection import Layer, Objection, Weight, verdicts_of
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.testing import Grade, Tally
from autopilot.model.planning.criterion import Criterion
from autopilot.model.step import REVIEWS, Step, that_ask
from autopilot.reports.documents.documents import REPORTS
from autopilot.steps.asking.context_files import (
    facts,
    facts_for_review,
    facts_for_task_review,
    facts_for_work,
)
from autopilot.steps.context import Batch
from autopilot.steps.pipeline.debug import phase_findings
from tests.unit.making import alter, make_observation
from tests.unit.steps.sample import HEARSAY, OPINION, sample_context, sample_phase, sample_world
from tests.unit.steps.snapshots import ASKING, FINDINGS, VERIFIED, come_to_question
from tests.unit.steps.world import World

# covers: VRFY-01, VRFY-02, PVRF-01, RATE, T2, T3.reviewers

BLIND = ("mini_verify", *(review.value for review in that_ask(REVIEWS)))
# Beside our own reports: those of a part, what the user decided, and what another tool numbered.
OTHER_PAPERS = ("01a-VERIFICATION.md", "01a-SCORECARD.md", "CONTEXT.md", "01-01-SUMMARY.md")
CLAIMS = (HEARSAY, "4.25", "HANDOFF", "EXECUTION-LOG")


def listen(folder: Path, name: str) -> World:
    """The sample phase comes to a question: every task has failed once, been handed over, and claims a lot."""
    fields = (
        {} if name != "mini_verify" else {"tasks": {k: replace(v, handovers=(HEARSAY,)) for k, v in VERIFIED.items()}}
    )
    asked = ASKING[name]
    return come_to_question(
        sample_world(folder), replace(asked, fields={}) if name != "mini_verify" else asked, **fields
    )


def test_the_sample_would_show_a_leak(tmp_path: Path) -> None:
    """The control: the record is full of what was said, and those who build are told some of it."""
    record = msgspec.json.encode(sample_phase(Step.VERIFY)).decode()
    assert record.count(HEARSAY) > 8 and record.count(OPINION) > 12 and "4.25" in record
    told = listen(tmp_path, "plan").told()
    assert HEARSAY in told and "HANDOFF" in told


@pytest.mark.parametrize("name", BLIND)
def test_a_reviewer_is_told_nothing_that_anyone_said_of_the_work(tmp_path: Path, name: str) -> None:
    told = listen(tmp_path, name).told()
    assert [word for word in (*CLAIMS, OPINION) if word in told] == []
    assert "part 2 works" in told and "make check-2" in told


@pytest.mark.parametrize("name", BLIND)
def test_a_reviewer_sees_a_change_and_none_of_its_history(tmp_path: Path, name: str) -> None:
    """Two commits of ours, without logs, summaries and other reviews: no message of any agent is among them."""
    world = listen(tmp_path, name)
    assert str(world.ear.calls[0].workspace).startswith("/reviews/")
    expected = ("c0", "c1") if name == "mini_verify" else ("base", "tip")
    assert world.places.compared == [expected]


@pytest.mark.parametrize("name", (*BLIND, "audit_integration", "audit_requirements", "audit_version"))
def test_no_report_of_ours_is_in_a_reviewers_clone_of_a_split_part_neither(tmp_path: Path, name: str) -> None:
    world = come_to_question(sample_world(tmp_path, (*REPORTS, *OTHER_PAPERS)), ASKING[name])
    folder = ".planning/phases/01-part"
    hidden = {path.removeprefix(f"{folder}/") for path in world.places.left_out}
    assert hidden == {*REPORTS, *OTHER_PAPERS} - {"01-01-SUMMARY.md"}, "what another tool numbered is the user's"


@pytest.mark.parametrize("name", BLIND)
def test_a_reviewer_is_given_what_we_saw_ourselves(tmp_path: Path, name: str) -> None:
    seen = json.loads(listen(tmp_path, name).places.files["observations.json"])
    assert {(row["subject"], row["text"], row["seen"]) for row in seen} >= {("01-02.c1", "part 2 works", "passed")}
    assert set(seen[0]) == {"subject", "text", "command", "seen", "exit_code", "excerpt"}


@pytest.mark.parametrize("name", BLIND)
def test_a_reviewer_finds_two_files_and_no_third(tmp_path: Path, name: str) -> None:
    assert set(listen(tmp_path, name).places.files) == {"facts.json", "observations.json"}


# --- the judge, in two calls ------------------------------------------------------------------------------------


def judging(world: World) -> Iterator[Batch]:
    world.ear.replies = [AgentReply(Ending.COMPLETED, value=msgspec.to_builtins(FINDINGS))]
    return STEPS[Step.JUDGE](sample_context(world, Step.JUDGE))


def test_the_verifiers_conclusions_reach_the_judge_only_after_its_own_findings_are_on_record(tmp_path: Path) -> None:
    world = sample_world(tmp_path)
    running = judging(world)
    assert isinstance(next(running)[0], AgentReplied)
    assert len(world.ear.calls) == 1 and OPINION not in world.told()
    [found] = next(running)
    assert isinstance(found, JudgeFound) and found.findings == FINDINGS
    assert len(world.ear.calls) == 1, "what it found is handed over to be recorded before it is asked again"
    assert isinstance(next(running)[0], AgentReplied)
    assert len(world.ear.calls) == 2
    assert set(world.places.files) == {"facts.json", "observations.json", "findings.json", "VERIFICATION.md"}
    assert OPINION in world.places.files["VERIFICATION.md"].decode()
    assert msgspec.json.decode(world.places.files["findings.json"], type=type(FINDINGS)) == FINDINGS


def test_beside_the_verifiers_report_the_judge_is_told_no_claim_and_no_score(tmp_path: Path) -> None:
    world = sample_world(tmp_path)
    running = judging(world)
    for _ in range(3):
        next(running)
    told = world.told(1)
    assert [word for word in CLAIMS if word in told] == []
    assert "8.2" not in told, "the rating comes after"


def test_a_judge_that_gives_no_findings_is_shown_nothing(tmp_path: Path) -> None:
    world = sample_world(tmp_path)
    running = STEPS[Step.JUDGE](sample_context(world, Step.JUDGE))
    next(running)  # its reply: an empty object, which is no finding
    with pytest.raises(StopIteration) as end:
        next(running)
    assert (end.value.value.status, len(world.ear.calls)) == ("error", 1)


def test_what_the_rater_is_told_does_not_depend_on_what_other_reviewers_said(tmp_path: Path) -> None:
    told = []
    for number, fields in enumerate(
        ({}, {"verification": None, "findings": None, "judgement": None, "gate_reason": ""})
    ):
        world = sample_world(tmp_path / str(number))
        next(STEPS[Step.RATE](sample_context(world, Step.RATE, **fields)))
        told.append(world.told())
    assert told[0] == told[1]


@pytest.mark.parametrize("name", [*BLIND, "judge_divergence"])
def test_what_a_reviewer_is_told_does_not_depend_on_what_the_executors_said(tmp_path: Path, name: str) -> None:
    asked, told = ASKING[name], []
    quiet = {"handovers": (), "caught": (), "confidence": None, "claimed": False, "refusal": ""}
    loud = {"handovers": (HEARSAY,), "caught": (HEARSAY,), "confidence": 9.75, "claimed": True, "refusal": HEARSAY}
    for number, said in enumerate((quiet, loud)):
        tasks = {key: replace(task, **said) for key, task in VERIFIED.items()}
        fields = {"tasks": tasks, "debug_rounds": (), "warnings": (), "approach": HEARSAY if number else ""}
        world = come_to_question(sample_world(tmp_path / str(number)), asked, **fields)
        told.append(world.told(asked.nth))
    assert told[0] == told[1]


# --- what files hold --------------------------------------------------------------------------------------------


def test_facts_for_review_hold_the_phase_its_tasks_and_criteria_and_nothing_else() -> None:
    phase = sample_phase(Step.JUDGE)
    seen = (make_observation("01-01.c1"),)
    whole = facts_for_review(phase, seen)
    one = facts_for_task_review(phase, phase.tasks["01-02"].task, seen)
    for files in (whole, one):
        assert set(files) == {"facts.json", "observations.json"}
        found = json.loads(files["facts.json"])
        assert set(found) == {"phase", "task", "criteria", "tasks", "promises"}
        assert set(found["phase"]) == {"id", "name", "goal", "folder", "requirements"}
        assert {key for row in found["criteria"] for key in row} <= {*Criterion.__struct_fields__, "task"}
        assert {key for row in found["tasks"] for key in row} == {"id", "title", "files", "complexity", "type"}
    assert json.loads(whole["facts.json"])["task"] is None
    assert json.loads(one["facts.json"])["task"]["id"] == "01-02"


def test_reviewers_are_shown_what_was_noticed_but_no_red_that_was_made_on_purpose() -> None:
    flag = Objection(Layer.LOOK, "phase", "it asks who calls it", "a.py:3", weight=Weight.FLAG)
    probe = make_observation("replay:01-01.c1", Seen.FAILED, tests=Tally("pytest", Grade.REPORT, failed=1))
    phase = alter(sample_phase(Step.JUDGE), objections=(flag,), probes=(probe,))
    seen = (make_observation("01-01.c1"),)
    task = phase.tasks["01-02"].task
    for files in (facts_for_review(phase, seen), facts_for_task_review(phase, task, seen, (flag,))):
        assert [row["subject"] for row in json.loads(files["observations.json"])] == ["01-01.c1"]
        (noticed,) = json.loads(files["noticed.json"])
        assert (noticed["saw"], noticed["where"], noticed["weight"]) == ("it asks who calls it", "a.py:3", "flag")


def test_a_debugger_is_told_what_would_satisfy_an_objection() -> None:
    against = Objection(Layer.CHANGE, "01-01.c1", "tests/test_a.py was changed", satisfy="put it back, or list it")
    odd = Objection(Layer.RUN, "01-01.c1", "it is flaky", weight=Weight.FLAG)
    phase = alter(sample_phase(Step.DEBUG), verdicts=verdicts_of((against,)), objections=(against, odd))
    found = phase_findings(phase)
    text = phase.tasks["01-01"].task.criteria[0].text
    assert found[0].startswith(f"{text}: tests/test_a.py was changed; put it back, or list it")
    assert "noticed, 01-01.c1: it is flaky" in found


def test_an_executor_is_told_its_own_task(tmp_path: Path) -> None:
    world = sample_world(tmp_path)
    next(STEPS[Step.EXECUTE](sample_context(world, Step.EXECUTE, "01-02")))
    found = json.loads(world.places.files["facts.json"])
    assert found["task"]["id"] == "01-02"
    assert "part_2.py" in world.ear.calls[0].prompt and "Write part 1" not in world.ear.calls[0].prompt


def test_a_debugger_is_also_told_what_was_seen_to_be_wrong(tmp_path: Path) -> None:
    world = listen(tmp_path, "debug")
    findings = world.places.files["findings.md"].decode()
    assert "part 1 works: the check failed after the change" in findings
    assert "AssertionError: part is missing" in findings and "AssertionError: part is missing" in world.told()


def test_a_fresh_agent_is_told_what_is_left_when_the_one_before_ran_out_of_context(tmp_path: Path) -> None:
    """CTXE-01: rendered by code from the record, and for those who work alone."""
    handoff = listen(tmp_path, "execute").places.files["HANDOFF.md"].decode()
    assert "01-03" in handoff and "Tasks Remaining" in handoff


def test_findings_come_beside_the_facts_they_are_about(tmp_path: Path) -> None:
    context = sample_context(sample_world(tmp_path), Step.DEBUG, "01-01")
    task = context.phase.tasks["01-01"].task
    files = facts_for_work(context, task, ["one", "two"])
    assert files["facts.json"] == facts(context.phase, task)["facts.json"]
    assert files["findings.md"].decode().endswith("- one\n- two\n")
