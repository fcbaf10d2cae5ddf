"""What of the record counts as evidence, and what cannot pass for it."""

from __future__ import annotations

from autopilot.events.pieces import Cycle, TaskState
from autopilot.flows.remediation import plan_remediation
from autopilot.model.agent import Usage
from autopilot.model.evidence.deciding import deciding
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.planning.criterion import Strength
from autopilot.model.planning.plan import REMEDIATION
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Commands
from autopilot.planning.plan.plan import parse_plan
from autopilot.steps.asking.allowance import share
from autopilot.steps.evidence.collecting import phase_verdicts
from autopilot.steps.pipeline.batch import _named
from tests.unit.making import make_criterion, make_observation, make_phase, make_task

# covers: CRIT, PLAN, PVRF-01, HV, R-BUDGET


def test_no_task_takes_the_name_of_the_roadmaps_own_criteria() -> None:
    plan = parse_plan('<task id="phase" type="auto">\n### Task 1: x\n</task>\n', "PLAN.md", PhaseId("1"), Commands())
    assert plan.tasks[0].id != "phase"


def test_a_remediation_never_replaces_a_task_of_the_plan() -> None:
    phase = make_phase(tasks={"01-r1": TaskState(make_task("01-r1"), "verified")})
    assert plan_remediation(phase, 1)[0].id not in phase.tasks


def test_an_agents_script_beside_a_users_plan_does_not_outrank_the_users_command() -> None:
    criterion = make_criterion()
    own = make_observation(criterion.id, Seen.FAILED)
    beside = make_observation("script:01-01", strength=Strength.COMMAND, lines=((criterion.text, True),))
    theirs = make_observation("script:01-01", strength=Strength.SCRIPT, lines=((criterion.text, True),))
    assert deciding(criterion, (own,), beside).seen is Seen.FAILED
    assert deciding(criterion, (own,), theirs).seen is Seen.PASSED


def test_a_task_whose_agents_all_ran_out_of_context_is_not_done() -> None:
    task = make_task("01-01", make_criterion(form="prose"))
    phase = make_phase(tasks={"01-01": TaskState(task, "handed_over", handovers=("out of context",))})
    assert [v.outcome for v in phase_verdicts(phase) if v.subject == "task 01-01"] == [Outcome.FAIL]


def test_a_persons_issue_that_nobody_came_to_mend_is_not_mended() -> None:
    extra = make_task("01-r1", type=REMEDIATION)
    tasks = {"01-01": TaskState(make_task(), "verified", "c1"), "01-r1": TaskState(extra, "handed_over")}
    phase = make_phase(tasks=tasks, cycles=(Cycle(1, 9.6, ("01-r1",), by_person=True),))
    assert Outcome.FAIL in [v.outcome for v in phase_verdicts(phase) if v.subject == "task 01-r1"]


def test_a_subject_names_a_task_only_as_a_word_of_its_own() -> None:
    tasks = [make_task(name) for name in ("1", "10", "01-01")]
    said = [_named(subject, tasks) for subject in ("10: it speaks", "feat: 1 done", "do 01-01.", "0x1 and 01-011")]
    assert said == ["10", "1", "01-01", ""]


def test_parts_side_by_side_never_use_more_than_there_is() -> None:
    """One calls again and again while the others are at work with the share they were given."""
    cap, shares = 900.0, [Usage(), Usage(), Usage()]
    given = share(cap, [0, 0, 0], 0)
    used = 0.0
    for _ in range(20):
        used += share(cap - used, [used, 0, 0], used)
    assert used + given * (len(shares) - 1) <= cap
