"""Plan check: a plan of ours that could not tell done from not done goes back to the planner (PLAN-03, PCHK, CRIT)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.engine.performing import STEPS
from autopilot.events.happened import PlanChecked, Planned, RedObserved
from autopilot.events.recovery import BaselineObserved, Estimated, TaskAlreadyThere
from autopilot.model.agent import AgentReply, Ending
from autopilot.model.evidence.observation import Seen
from autopilot.model.intent import Purpose
from autopilot.model.planning.criterion import Criterion, Kind
from autopilot.model.policy import Commands, Evidence, Policy
from autopilot.model.run import Step
from autopilot.ports.sandbox import Exited, Outcome, TimedOut
from autopilot.steps.context import Result
from tests.unit.making import make_brief, make_criterion, make_phase, make_state, policy_of
from tests.unit.steps.world import Answering, World

# covers: PLAN-03, PCHK, CRIT, T8.P, ALREADY, EXEC, MTRC-02, FORCE
FOLDER = ".planning/phases/01-part"
SCRIPT = f"bash {FOLDER}/tests/task-01-01.sh"
RED_SCRIPT = Outcome(Exited(1), b"FAIL: it sings\nFAIL: it dances\n")
RED, GREEN, LATE = Outcome(Exited(1), b""), Outcome(Exited(0), b""), Outcome(TimedOut(60.0))
APPROVAL = {"passed": True, "issues": [], "confidence": 9.0}
ENDS = {SCRIPT: RED_SCRIPT, "sing": RED, "dance": RED, "make test": GREEN}


# It says every criterion of the plans below and could fail; how it ends is the sandbox's to say.
TEST = b"""r=0
for c in "it sings" "it dances" "the tests pass"; do check "$c" && echo "PASS: $c" || { echo "FAIL: $c"; r=1; }; done
exit $r
"""


def plan(*criteria: str, type: str = "auto") -> bytes:
    lines = [
        "# Plan\n\n## Traceability\n\n| Requirement | Task |\n|---|---|\n| REQ-1 | 01-01 |\n\n## Wave 1\n",
        f'<task id="01-01" type="{type}" complexity="simple">',
        "### Task 01-01: the voice\n\n**Files:** voice.py\n\n**Action:** Write it.\n\n**Verify:**",
        *(f"- {criterion}" for criterion in criteria),
        "\n**Done:** it is there\n</task>\n",
    ]
    return "\n".join(lines).encode()


SINGS = "it sings -- verified by: `sing`"
GREPS = "the word is there -- verified by: `grep -q sing voice.py`"
DANCES = "it dances -- verified by: `dance`"
TESTS_PASS = "the tests pass -- verified by: `make test`"


def check(
    folder: Path,
    *criteria: str,
    ends: dict[str, Outcome] | None = None,
    said: dict[str, object] | None = None,
    ours: bool = True,
    type: str = "auto",
    script: bool = True,
    policy: Policy | None = None,
    purpose: Purpose = Purpose.BUILD,
    held_out: tuple[Criterion, ...] = (),
    asked: Criterion | None = None,
    again: bool = False,
) -> tuple[Result, PlanChecked | None]:
    files = {f"{FOLDER}/PLAN.md": plan(*criteria or (SINGS,), type=type), f"{FOLDER}/tests/task-01-01.sh": TEST}
    files = files if script else {path: text for path, text in files.items() if path.endswith(".md")}
    world = World(folder, sandbox=Answering({**ENDS, **(ends or {})}), files=files)
    world.ear.reply = AgentReply(Ending.COMPLETED, value=said or APPROVAL)
    phase = make_phase(
        plan_commit="plan" if ours else "",
        plan_ours=ours,
        has_plan=not ours,
        held_out=held_out,
        plan_clauses_asked=again,
    )
    phase = replace(
        phase, brief=make_brief(criteria=(asked or make_criterion("phase.c1", command="march"),), purpose=purpose)
    )
    state = make_state(phase, policy=policy or policy_of(agents={"default": "ear"}))
    context = world.context(state, phase, Step.PLAN_CHECK)
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


SWAPS = "python3 -c \"import words; print(words.swapcase('{}'))\""
SWAPPED = f'it sings -- verified by: `{SWAPS.format("Ada")}` (contains "aDA")'
STRICT = policy_of(agents={"default": "ear"}, evidence=replace(Evidence(), held_out=True))


@pytest.mark.parametrize(
    ("ours", "held_out", "status"), [(True, False, "fail"), (True, True, "pass"), (False, False, "pass")]
)
def test_one_example_sends_our_plan_back_until_another_is_held_out(
    tmp_path: Path, ours: bool, held_out: bool, status: str
) -> None:
    held = (make_criterion("phase.h1", command=SWAPS.format("bob")),) if held_out else ()
    ends = {SWAPS.format("Ada"): RED, SWAPS.format("bob"): RED}
    result, checked = check(tmp_path, SWAPPED, ends=ends, ours=ours, policy=STRICT, held_out=held)
    assert result.status == status
    shown = [*checked.blockers, *map(str, checked.complaints)] if checked else []
    assert any("this criterion is one example" in line for line in shown) is not held_out


def test_a_plan_that_comes_back_as_it_was_is_taken(tmp_path: Path) -> None:
    """It is asked once; after the work the product is asked with other values all the same."""
    ends = {SWAPS.format("Ada"): RED}
    first, checked = check(tmp_path / "first", SWAPPED, ends=ends, policy=STRICT)
    assert checked is not None
    assert (first.status, checked.clauses) == ("fail", True)
    second, checked = check(tmp_path / "second", SWAPPED, ends=ends, policy=STRICT, again=True)
    assert checked is not None
    assert (second.status, checked.blockers) == ("pass", ())


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
def test_a_plan_that_asks_a_person_to_decide_is_refused_before_anyone_is_asked(tmp_path: Path, ours: bool) -> None:
    result, checked = check(tmp_path, type="checkpoint:decision", ours=ours)
    assert checked is not None
    assert (result.status, checked.check) == ("fail", None)
    assert any("asks a person (checkpoint:decision)" in blocker for blocker in checked.blockers)


def test_a_plan_that_asks_a_person_to_look_is_taken(tmp_path: Path) -> None:
    result, checked = check(tmp_path, type="checkpoint:human-verify", ours=False)
    assert checked is not None and (result.status, checked.passed) == ("pass", True)


def brought(result: Result, kind: type) -> list[Any]:
    return [event for event in result.events if isinstance(event, kind)]


def test_an_approved_plan_brings_the_baseline_of_the_checks_apart_from_the_red_evidence(tmp_path: Path) -> None:
    """EXEC: what was red before the first task is nobody's doing."""
    policy = policy_of(agents={"default": "ear"}, commands=Commands(compile="compile", test="make test"))
    result, _ = check(tmp_path, policy=policy, ends={"compile": RED})
    [baseline], [red], [_] = (brought(result, kind) for kind in (BaselineObserved, RedObserved, Estimated))
    assert {o.subject: o.seen for o in baseline.observations} == {"compile": Seen.FAILED, "test": Seen.PASSED}
    assert not {"compile", "test"} & {o.subject for o in red.observations}


GREEN_SCRIPT = Outcome(Exited(0), b"PASS: it sings\nPASS: it dances\nPASS: the tests pass\n")
HELD = {"sing": GREEN, "dance": GREEN, SCRIPT: GREEN_SCRIPT}


@pytest.mark.parametrize(
    ("criteria", "ends", "there"),
    [
        ((SINGS, DANCES), HELD, True),
        ((SINGS, TESTS_PASS), HELD, True),
        ((SINGS, DANCES), {**HELD, SCRIPT: RED_SCRIPT}, False),  # the script says otherwise
        ((SINGS,), {**HELD, "sing": RED, SCRIPT: Outcome(Exited(1), b"FAIL: it sings\n")}, False),
        ((TESTS_PASS,), HELD, False),  # it promises nothing new: there is nothing that could be there already
        ((SINGS, "it is pretty"), HELD, False),  # nobody saw the second hold
        ((GREPS,), {"grep -q sing voice.py": GREEN, SCRIPT: None}, False),  # a word in a file is no working feature
    ],
)
def test_a_task_of_a_users_plan_is_there_already_when_all_of_it_was_seen_to_hold(
    tmp_path: Path, criteria: tuple[str, ...], ends: dict[str, Outcome | None], there: bool
) -> None:
    """ALREADY."""
    known = {name: outcome for name, outcome in ends.items() if outcome}
    result, _ = check(tmp_path, *criteria, ends=known, ours=False, script=ends.get(SCRIPT, RED) is not None)
    assert result.status == "pass", result.detail
    assert [event.task for event in brought(result, TaskAlreadyThere)] == (["01-01"] if there else [])


def test_what_the_roadmap_marks_as_kept_needs_no_mark_in_a_plan_of_ours(tmp_path: Path) -> None:
    kept = make_criterion("phase.c1", "it dances", command="dance", kind=Kind.KEEP)
    result, _ = check(tmp_path, SINGS, DANCES, ends={"dance": GREEN, SCRIPT: RED}, asked=kept)
    assert result.status == "pass"


def test_a_task_of_our_own_plan_is_never_there_already_it_is_toothless(tmp_path: Path) -> None:
    result, checked = check(tmp_path, SINGS, DANCES, ends=HELD)
    assert checked is not None and not checked.passed
    assert brought(result, TaskAlreadyThere) == []


GREEN_SCRIPT = {SCRIPT: Outcome(Exited(0), b"PASS: it sings\nPASS: it dances\n")}
BLOCKS = {"plan": "PLAN.md", "dimension": "evidence", "severity": "blocker", "description": "idle", "fix_hint": "test"}
IDLE = {**APPROVAL, "issues": [{**BLOCKS, "about": "01-01"}]}


BOTH = {"sing": GREEN, "dance": GREEN}


@pytest.mark.parametrize(
    ("ours", "ends", "holds"),
    [
        (True, {**BOTH, **GREEN_SCRIPT}, True),
        (True, {**BOTH, SCRIPT: RED}, False),  # the script sees that something is missing
        (True, {**BOTH, SCRIPT: LATE}, False),  # what times out holds nothing
        (True, {**BOTH, **GREEN_SCRIPT, "march": RED}, False),  # the roadmap's own criterion is red
        (False, BOTH, True),
        (False, {**BOTH, "march": RED}, False),
    ],
)
def test_a_plan_that_is_refused_says_whether_all_that_it_checks_holds_before_the_work(
    tmp_path: Path, ours: bool, ends: dict[str, Outcome], holds: bool
) -> None:
    """covers: ALREADY"""
    said = APPROVAL if ours else IDLE
    _, checked = check(tmp_path, SINGS, DANCES, ends=ends, script=ours, ours=ours, said=said)
    assert checked is not None
    assert (checked.passed, checked.holds) == (False, holds)


@pytest.mark.parametrize("ours", [True, False])
def test_of_a_phase_made_again_what_an_earlier_run_built_is_not_held_against_the_plan(
    tmp_path: Path, ours: bool
) -> None:
    ends = {"sing": GREEN, "dance": GREEN, SCRIPT: Outcome(Exited(0), b"PASS: it sings\nPASS: it dances\n")}
    result, checked = check(tmp_path, SINGS, DANCES, ends=ends, ours=ours, purpose=Purpose.REDO)
    assert (result.status, checked is not None and checked.passed) == ("pass", True)
    assert not any(isinstance(event, TaskAlreadyThere) for event in result.events), "its agent is asked all the same"


def test_what_times_out_can_still_not_tell_done_from_not_done(tmp_path: Path) -> None:
    result, _ = check(tmp_path, SINGS, DANCES, ends={"dance": LATE, SCRIPT: RED}, purpose=Purpose.REDO)
    assert (result.status, "timed out before any work" in result.detail) == ("fail", True)
