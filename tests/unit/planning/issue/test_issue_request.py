"""What may not be asked of an issue run, each refused with the way out. covers: AL-1, AL-3"""

from __future__ import annotations

import re
from typing import Any

import pytest

from autopilot.model.errors import UsageError
from autopilot.model.issue.issue import (
    ATDD,
    DESIGN,
    FIXING,
    IMPL,
    PLAN_AND_TESTS,
    REPRODUCING,
    REWORDING,
    STEADYING,
    STORIES,
    IssueOptions,
    Route,
    SeedFinding,
)
from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.issue.request import at_step_of, check_findings, check_options, steps_of

OTHER = PhaseId("other")


def test_findings_are_kept_with_their_evidence() -> None:
    raw = [
        {"evidence_ref": "AC-2", "detail": "no test", "priority": 2, "about": "tests", "more": 1},
        {"evidence_ref": "x"},
    ]
    assert check_findings(raw) == (SeedFinding("AC-2", "no test", 2, "tests"), SeedFinding("x"))


@pytest.mark.parametrize(
    ("said", "priority"),
    [
        *((0, 0), (3, 3), (2.0, 2), ("P1", 1), ("p2", 2), ("1", 1), (" 4 ", 4)),
        *((each, 0) for each in (None, True, 1.5, -1, 10**30, float("nan"), float("inf"))),
        *((each, 0) for each in ("", "high", "P", "1 or 2", "٣", [1], {"a": 1})),
    ],
)
def test_a_priority_that_cannot_be_read_blocks(said: object, priority: int) -> None:
    assert check_findings([{"evidence_ref": "x", "priority": said}])[0].priority == priority


@pytest.mark.parametrize(
    ("raw", "wrong"),
    [
        (None, "findings are not a list"),
        ({"evidence_ref": "x"}, "findings are not a list"),
        ("[]", "findings are not a list"),
        ([], "the list of findings is empty"),
        ([{"evidence_ref": "x"}, "y"], "finding 2 is not an object"),
        ([{}], "finding 1 has no evidence"),
        ([{"evidence_ref": ""}], "finding 1 has no evidence"),
        ([{"evidence_ref": " \n"}], "finding 1 has no evidence"),
        ([{"evidence_ref": 5}], "finding 1 has no evidence"),
    ],
)
def test_findings_that_would_seed_nothing_are_refused(raw: object, wrong: str) -> None:
    with pytest.raises(UsageError, match=re.escape(wrong)) as caught:
        check_findings(raw)
    assert caught.value.hint


@pytest.mark.parametrize(
    ("route", "phase", "steps"),
    [
        (Route.FULL, DESIGN, (STORIES, PLAN_AND_TESTS)),
        (Route.FULL, IMPL, (ATDD,)),
        (Route.EXPRESS, DESIGN, (REWORDING,)),
        (Route.EXPRESS, IMPL, ()),
        (Route.BUGFIX, DESIGN, (REPRODUCING,)),
        (Route.BUGFIX, IMPL, (FIXING,)),
    ],
)
def test_every_route_has_its_own_steps_and_may_be_asked_for(
    route: Route, phase: PhaseId, steps: tuple[str, ...]
) -> None:
    check_options(IssueOptions(), route, phase)
    assert steps_of(IssueOptions(), route, phase) == steps


def test_steps_and_the_step_whose_tests_decide_can_be_others() -> None:
    options = IssueOptions(
        steps={IMPL: ("warm-up", "my-cycle")}, at_step="my-cycle", max_iterations={"": 3, "warm-up": 1}
    )
    check_options(options, Route.FULL, IMPL)
    assert steps_of(options, Route.FULL, IMPL) == ("warm-up", "my-cycle")
    assert steps_of(options, Route.FULL, DESIGN) == (STORIES, PLAN_AND_TESTS)
    assert at_step_of(options, Route.FULL) == "my-cycle"
    assert [at_step_of(IssueOptions(), route) for route in (Route.FULL, Route.FLAKY, Route.EXPRESS)] == [
        ATDD,
        STEADYING,
        "",
    ]


@pytest.mark.parametrize(
    ("asked", "phase", "wrong"),
    [
        ({}, OTHER, "there is no phase 'other'"),
        ({}, PhaseId(""), "there is no phase ''"),
        ({"only": OTHER}, IMPL, "there is no phase 'other'"),
        ({"steps": {OTHER: ("a",)}}, IMPL, "there is no phase 'other'"),
        (
            {"steps": {IMPL: ("warm-up",)}},
            IMPL,
            f"the impl phase has no step {ATDD} to run the deciding tests; its steps are warm-up",
        ),
        ({"at_step": "my-cycle"}, IMPL, "the impl phase has no step my-cycle to run"),
        ({"steps": {IMPL: (ATDD, "polish")}}, IMPL, f"the step polish comes after {ATDD}"),
        ({"steps": {DESIGN: (STORIES, ATDD)}}, DESIGN, f"the design phase must not have the step {ATDD}"),
        ({"at_step": STORIES}, DESIGN, f"the design phase must not have the step {STORIES}"),
        ({"steps": {DESIGN: (STORIES, FIXING)}}, DESIGN, f"the design phase must not have the step {FIXING}"),
        ({"steps": {DESIGN: (ATDD,)}, "at_step": "x"}, DESIGN, f"the design phase must not have the step {ATDD}"),
        ({"steps": {IMPL: ()}}, IMPL, "the list of steps of the impl phase is empty"),
        ({"steps": {DESIGN: ()}}, IMPL, "the list of steps of the design phase is empty"),
        ({"steps": {IMPL: (ATDD, "")}}, IMPL, "'' is not a valid name of a step"),
        ({"steps": {IMPL: (ATDD, "a\nb")}}, IMPL, "is not a valid name of a step"),
        ({"steps": {IMPL: (ATDD, ATDD)}}, IMPL, "a step of the impl phase is named twice"),
        ({"max_iterations": {"": 0}}, IMPL, "the iteration limit 0 of every step is too low"),
        ({"max_iterations": {ATDD: -1}}, IMPL, f"the iteration limit -1 of {ATDD} is too low"),
        ({"max_iterations": {"runing": 3}}, IMPL, "a limit is set for 'runing'"),
        ({"at_command": "  "}, IMPL, "the command of the acceptance tests is blank"),
        ({"flaky_runs": 1}, IMPL, "1 runs are too few to observe a flaky test"),
    ],
)
def test_what_would_leave_a_gate_out_is_refused(asked: dict[str, Any], phase: PhaseId, wrong: str) -> None:
    with pytest.raises(UsageError, match=re.escape(wrong)) as caught:
        check_options(IssueOptions(**asked), Route.FULL, phase)
    assert caught.value.hint


@pytest.mark.parametrize("asked", [{"only": IMPL}, {"steps": {IMPL: (ATDD,)}}, {"at_step": ATDD}])
def test_the_express_route_implements_nothing(asked: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="express route has no implementation phase"):
        check_options(IssueOptions(**asked), Route.EXPRESS, DESIGN)


def test_steps_of_an_unknown_phase_are_refused_too() -> None:
    with pytest.raises(UsageError, match="there is no phase"):
        steps_of(IssueOptions(), Route.FULL, OTHER)
