"""Plan check: a plan of ours that could not tell done from not done goes back to the planner (PLAN-03, PCHK, CRIT)."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from autopilot.engine.performing import STEPS
from autopilot.events.happened import PlanChecked, Planned, RedObserved
from autopilot.model.agent import AgentReply, Ending
from autopilot.model.evidence import Seen
from autopilot.model.policy import Policy
from autopilot.model.run import Step
from autopilot.ports.sandbox import Exited, Outcome, TimedOut
from autopilot.steps.context import Result
from tests.unit.making import make_brief, make_criterion, make_phase, make_state
from tests.unit.steps.world import Answering, World

# covers: PLAN-03, PCHK, CRIT, T8.P
FOLDER = ".planning/phases/01-part"
SCRIPT = f"bash {FOLDER}/tests/task-01-01.sh"
RED_SCRIPT = Outcome(Exited(1), b"FAIL: it sings\nFAIL: it dances\n")
RED, GREEN, LATE = Outcome(Exited(1), b""), Outcome(Exited(0), b""), Outcome(TimedOut(60.0))
APPROVAL = {"passed": True, "issues": [], "confidence": 9.0}
ENDS = {SCRIPT: RED_SCRIPT, "sing": RED, "dance": RED, "make test": GREEN}


def plan(*criteria: str, type: str = "auto") -> bytes:
    lines = [
        "# Plan\n\n## Wave 1\n",
        f'<task id="01-01" type="{type}" complexity="simple">',
        "### Task 01-01: the voice\n\n**Files:** voice.py\n\n**Action:** Write it.\n\n**Verify:**",
        *(f"- {criterion}" for criterion in criteria),
        "\n**Done:** it is there\n</task>\n",
    ]
    return "\n".join(lines).encode()


SINGS = "it sings -- verified by: `sing`"
DANCES = "it dances -- verified by: `dance`"
TESTS_PASS = "the tests pass -- verified by: `make test`"


def check(
    folder: Path,
    *criteria: str,
    ends: dict[str, Outcome] | None = None,
    said: dict[str, object] | None = None,
    ours: bool = True,
    type: str = "auto",
) -> tuple[Result, PlanChecked | None]:
    files = {f"{FOLDER}/PLAN.md": plan(*criteria or (SINGS,), type=type), f"{FOLDER}/tests/task-01-01.sh": b"exit 1\n"}
    world = World(folder, sandbox=Answering({**ENDS, **(ends or {})}), files=files)
    world.ear.reply = AgentReply(Ending.COMPLETED, value=said or APPROVAL)
    phase = make_phase(plan_commit="plan" if ours else "", plan_ours=ours, has_plan=not ours)
    phase = replace(phase, brief=make_brief(criteria=(make_criterion("phase.c1", command="march"),)))
    context = world.context(make_state(phase, policy=Policy(agents={"default": "ear"})), phase, Step.PLAN_CHECK)
    running = STEPS[Step.PLAN_CHECK](context)
    try:
        while True:
            next(running)
    except StopIteration as end:
        result: Result = end.value
    return result, next((event for event in result.events if isinstance(event, PlanChecked)), None)


def test_a_plan_whose_promises_all_fail_at_the_base_is_approved_with_what_was_seen_there(tmp_path: Path) -> None:
    result, checked = check(tmp_path, SINGS, DANCES, TESTS_PASS)
    assert (result.status, checked is not None and checked.passed) == ("pass", True)
    [red] = [event for event in result.events if isinstance(event, RedObserved)]
    seen = {observation.subject: observation.seen for observation in red.observations}
    assert (seen["01-01.c1"], seen["script:01-01"]) == (Seen.FAILED, Seen.FAILED)
    assert seen["phase.c1"] is Seen.PASSED, "the roadmap's own criteria are looked at too"


GREEN_LINE = Outcome(Exited(1), b"PASS: it sings\nFAIL: it dances\n")
TOOTHLESS: list[tuple[tuple[str, ...], dict[str, Outcome], str]] = [
    ((SINGS, DANCES), {"dance": GREEN, SCRIPT: RED}, "01-01.c2 (it dances) passed before any work"),
    ((SINGS, DANCES), {"dance": LATE, SCRIPT: RED}, "01-01.c2 (it dances) timed out before any work"),
    ((SINGS, DANCES), {SCRIPT: GREEN_LINE}, "01-01.c1 (it sings) passed before any work"),  # the script decides
    ((SINGS,), {"sing": GREEN, SCRIPT: RED}, "nothing that task 01-01 promises fails before the work"),
    ((TESTS_PASS,), {}, "nothing that task 01-01 promises fails before the work"),  # it only promises to break nothing
    ((SINGS,), {SCRIPT: Outcome(Exited(0), b"PASS: noise\n")}, "the test script of task 01-01 passed before any work"),
    ((SINGS,), {SCRIPT: LATE}, "the test script of task 01-01 timed out before any work"),
]


@pytest.mark.parametrize(("criteria", "ends", "words"), TOOTHLESS)
def test_what_would_hold_had_nothing_been_done_sends_our_plan_back(
    tmp_path: Path, criteria: tuple[str, ...], ends: dict[str, Outcome], words: str
) -> None:
    result, checked = check(tmp_path, *criteria, ends=ends)
    assert result.status == "fail"
    assert checked is not None and not checked.passed
    assert any(words in blocker for blocker in checked.blockers), checked.blockers


@pytest.mark.parametrize(("criteria", "ends"), [case[:2] for case in TOOTHLESS])
def test_a_users_plan_is_taken_as_it_is_and_judged_at_the_gate(
    tmp_path: Path, criteria: tuple[str, ...], ends: dict[str, Outcome]
) -> None:
    result, _ = check(tmp_path, *criteria, ends=ends, ours=False)
    assert result.status == "pass"
    assert [event.ours for event in result.events if isinstance(event, Planned)] == [False]


def issue(severity: str) -> dict[str, object]:
    about = {"plan": "PLAN.md", "dimension": "coverage", "description": "REQ-1 is missing", "fix_hint": "add a task"}
    return {**about, "severity": severity}


@pytest.mark.parametrize(
    ("said", "passed"),
    [
        ({**APPROVAL, "issues": [issue("warning")]}, True),
        ({**APPROVAL, "issues": [issue("blocker")]}, False),  # whatever it says in the end
        ({**APPROVAL, "passed": False}, False),
        ({**APPROVAL, "confidence": 6.9}, False),
        ({**APPROVAL, "confidence": 7.0}, True),
    ],
)
def test_a_checker_approves_only_without_a_blocker(tmp_path: Path, said: dict[str, object], passed: bool) -> None:
    result, checked = check(tmp_path, said=said)
    assert checked is not None
    assert (result.status == "pass", checked.passed) == (passed, passed)


@pytest.mark.parametrize("ours", [True, False])
def test_a_plan_that_asks_a_person_is_refused_before_anyone_is_asked(tmp_path: Path, ours: bool) -> None:
    result, checked = check(tmp_path, type="checkpoint:human-verify", ours=ours)
    assert checked is not None
    assert (result.status, checked.check) == ("fail", None)
    assert "asks a person (checkpoint:human-verify)" in checked.blockers[0]
