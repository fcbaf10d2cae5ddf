"""The decision tree: every row, every boundary, and the laws no row may break (GATE, DBG, CENF-01, CENF-03, T2)."""

from __future__ import annotations

import math
from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.gates.account import left_open
from autopilot.gates.decision import Case, rule, rule_on_parts
from autopilot.model.assessment import CriterionReading, Failure, Recommendation
from autopilot.model.evidence.account import Account, Accounted
from autopilot.model.evidence.verdict import Outcome, Verdict
from autopilot.model.failure import Category
from autopilot.model.planning.promise import Source
from autopilot.model.policy import Breaker, Policy
from autopilot.model.ruling import Action, Attempts, Finding
from autopilot.model.run import Step
from tests.unit.making import make_judgement, make_verdict, make_verification, policy_of

# covers: GATE, DBG, CENF-01, CENF-03, CENF-04, T2
OK, BAD, OPEN = Outcome.PASS, Outcome.FAIL, Outcome.UNPROVEN
GREEN, RED, UNSEEN = make_verdict(OK), make_verdict(BAD, "01-02.c1"), make_verdict(OPEN, "01-03.c1")
OURS = make_verdict(OPEN, "test", "no sandbox", ours=True)
NEVER = make_verdict(OPEN, "test", "not run", of_config=True)
GOOD = Case((GREEN,), make_verification(), make_judgement(), 9.6)
NORMAL, LENIENT, QUALITY = policy_of(), policy_of(pass_threshold=7.0), policy_of(pass_threshold=9.5, remediations=3)

PROCEED, DEBUG, BACK, HALT = Recommendation
FAILED_READING = CriterionReading("it works", "failed", "a.py:3 a stub")
STUB = Failure("search is a stub", "executor_incomplete")
UNHEARD: dict[str, Any] = dict.fromkeys(("verification", "judgement", "score"))
PERSON = "confidence 4 is below 6: the card network answers only in production"
ASKED = {"needs_person": PERSON}
REFUSED = Finding(8, True, Step.VERIFY, "no file and line shows: it works")
NEEDLESS = Finding(14, True, Step.VERIFY, "every automatic task passed, and the checkpoint names no workflow")
LOOK = {**ASKED, "integrity": (NEEDLESS,), "only_visual": True}
REMARK = Finding(3, False, None, "the phase completed in 20 s")


def case(**fields: Any) -> Case:
    return replace(GOOD, **fields)


def says(word: Recommendation, **more: Any) -> dict[str, Any]:
    return {"judgement": make_judgement(word, **more)}


def verifies(passed: bool = True, **more: Any) -> dict[str, Any]:
    return {"verification": make_verification(passed, **more)}


def tried(**counts: Any) -> dict[str, Any]:
    return {"attempts": Attempts(**counts)}


ROWS: list[tuple[str, dict[str, Any], Policy, Action, Outcome]] = [
    # all checks pass, score at or above the threshold, proceed
    ("passes", {}, NORMAL, Action.PASS, OK),
    ("exactly at the threshold", {"score": 9.0}, NORMAL, Action.PASS, OK),
    ("lenient, exactly", {"score": 7.0}, LENIENT, Action.PASS, OK),
    ("lenient, above", {"score": 8.9}, LENIENT, Action.PASS, OK),
    ("quality, exactly", {"score": 9.5}, QUALITY, Action.PASS, OK),
    # between the floor and the threshold: remediate, twice, then it counts as incomplete
    ("just below", {"score": 8.9}, NORMAL, Action.REMEDIATE, BAD),
    ("at the floor", {"score": 7.0}, NORMAL, Action.REMEDIATE, BAD),
    ("quality, below", {"score": 9.4}, QUALITY, Action.REMEDIATE, BAD),
    ("once remediated", {"score": 8.9, **tried(remediations=1)}, NORMAL, Action.REMEDIATE, BAD),
    ("remediation exhausted", {"score": 8.9, **tried(remediations=2)}, NORMAL, Action.PASS_INCOMPLETE, OK),
    ("exhausted at the floor", {"score": 7.0, **tried(remediations=2)}, NORMAL, Action.PASS_INCOMPLETE, OK),
    ("quality has three", {"score": 9.4, **tried(remediations=2)}, QUALITY, Action.REMEDIATE, BAD),
    ("quality exhausted", {"score": 9.4, **tried(remediations=3)}, QUALITY, Action.PASS_INCOMPLETE, OK),
    ("remediated into the goal", {"score": 9.0, **tried(remediations=2)}, NORMAL, Action.PASS, OK),
    # a failing check, or the judge's word: debug, three times, then back
    ("red", {"verdicts": (GREEN, RED)}, NORMAL, Action.DEBUG, BAD),
    ("red with two tries behind it", {"verdicts": (RED,), **tried(debugs=2)}, NORMAL, Action.DEBUG, BAD),
    ("red with all tries used up", {"verdicts": (RED,), **tried(debugs=3)}, NORMAL, Action.ROLLBACK, BAD),
    ("unproven is no pass", {"verdicts": (GREEN, UNSEEN)}, NORMAL, Action.DEBUG, OPEN),
    ("unproven, tries used up", {"verdicts": (UNSEEN,), **tried(debugs=3)}, NORMAL, Action.ROLLBACK, OPEN),
    ("never ran: only the config helps", {"verdicts": (GREEN, NEVER)}, NORMAL, Action.ROLLBACK, OPEN),
    ("never ran, and red besides", {"verdicts": (NEVER, RED)}, NORMAL, Action.DEBUG, BAD),
    ("red before unproven", {"verdicts": (UNSEEN, RED)}, NORMAL, Action.DEBUG, BAD),
    ("nothing was checked", {"verdicts": ()}, NORMAL, Action.DEBUG, OPEN),
    ("red whatever the score", {"verdicts": (RED,), "score": 10.0}, NORMAL, Action.DEBUG, BAD),
    ("red and scored low is no re-plan", {"verdicts": (RED,), "score": 2.0}, NORMAL, Action.DEBUG, BAD),
    ("red and nobody was heard", {**UNHEARD, "verdicts": (RED,)}, NORMAL, Action.DEBUG, BAD),
    ("the judge says debug", says(DEBUG), NORMAL, Action.DEBUG, BAD),
    ("debug, tries used up", {**says(DEBUG), **tried(debugs=3)}, NORMAL, Action.ROLLBACK, BAD),
    ("debug before the score", {**says(DEBUG), "score": 6.0}, NORMAL, Action.DEBUG, BAD),
    ("the verifier refuses", verifies(False), NORMAL, Action.DEBUG, BAD),
    ("the verifier passes with a failure", verifies(failures=(STUB,)), NORMAL, Action.DEBUG, BAD),
    ("a criterion read as failed", verifies(criteria_results=(FAILED_READING,)), NORMAL, Action.DEBUG, BAD),
    ("a requirement is missing", says(PROCEED, missing_requirements=("REQ-2",)), NORMAL, Action.DEBUG, BAD),
    ("another review refuses", {"refusals": ("licence_check: a.py is GPL",)}, NORMAL, Action.DEBUG, BAD),
    ("no verification", {"verification": None}, NORMAL, Action.DEBUG, BAD),
    ("no judgement", {"judgement": None}, NORMAL, Action.DEBUG, BAD),
    ("no debugs at all", {"verdicts": (RED,)}, Policy(breaker=Breaker(debugs_per_phase=0)), Action.ROLLBACK, BAD),
    # score below the floor with every check green: re-plan, once
    ("below the floor", {"score": 6.9}, NORMAL, Action.REPLAN, BAD),
    ("below the floor, lenient", {"score": 6.9}, LENIENT, Action.REPLAN, BAD),
    ("not a number", {"score": math.nan}, NORMAL, Action.REPLAN, BAD),
    ("minus infinity", {"score": -math.inf}, NORMAL, Action.REPLAN, BAD),
    ("no score", {"score": None}, NORMAL, Action.REPLAN, BAD),
    ("a second re-plan", {"score": 6.9, **tried(replans=1)}, NORMAL, Action.ROLLBACK, BAD),
    ("a user's plan is not rewritten", {"score": 6.9, "can_replan": False}, NORMAL, Action.ROLLBACK, BAD),
    ("below the floor after debugs", {"score": 6.9, **tried(debugs=3)}, NORMAL, Action.REPLAN, BAD),
    ("below the floor after remediation", {"score": 6.9, **tried(remediations=2)}, NORMAL, Action.REPLAN, BAD),
    # after a re-plan one debug
    ("red after a re-plan", {"verdicts": (RED,), **tried(replans=1)}, NORMAL, Action.DEBUG, BAD),
    ("red after debugs and a re-plan", {"verdicts": (RED,), **tried(replans=1, debugs=3)}, NORMAL, Action.DEBUG, BAD),
    (
        "red after re-plan and debug",
        {"verdicts": (RED,), **tried(replans=1, debugs_after_replan=1)},
        NORMAL,
        Action.ROLLBACK,
        BAD,
    ),
    # rollback and halt
    ("the judge says rollback", says(BACK), NORMAL, Action.ROLLBACK, BAD),
    ("the judge says halt", says(HALT), NORMAL, Action.ROLLBACK, BAD),
    ("halt before a red check", {**says(HALT), "verdicts": (RED,)}, NORMAL, Action.ROLLBACK, BAD),
    ("halt before a low score", {**says(HALT), "score": 6.0}, NORMAL, Action.ROLLBACK, BAD),
    ("halt before a person", {**says(HALT), "needs_person": PERSON}, NORMAL, Action.ROLLBACK, BAD),
    # unproven for our own reasons
    ("no sandbox", {"verdicts": (GREEN, OURS)}, NORMAL, Action.PAUSE, OPEN),
    ("no sandbox, whatever was tried", {"verdicts": (OURS,), **tried(debugs=3, replans=1)}, NORMAL, Action.PAUSE, OPEN),
    ("no sandbox beside a red check", {"verdicts": (OURS, RED)}, NORMAL, Action.DEBUG, BAD),
    ("no sandbox beside what is the work's", {"verdicts": (OURS, UNSEEN)}, NORMAL, Action.DEBUG, OPEN),
    # integrity
    ("a refused report", {"integrity": (REMARK, REFUSED)}, NORMAL, Action.ENFORCE, OPEN),
    ("refused twice", {"integrity": (REFUSED,), **tried(enforced=True)}, NORMAL, Action.ROLLBACK, OPEN),
    ("no step to run again", {"integrity": (replace(REFUSED, step=None),)}, NORMAL, Action.ROLLBACK, OPEN),
    (
        "work is not made again for it",
        {"integrity": (replace(REFUSED, step=Step.EXECUTE),)},
        NORMAL,
        Action.ROLLBACK,
        OPEN,
    ),
    ("a remark refuses nothing", {"integrity": (REMARK,)}, NORMAL, Action.PASS, OK),
    ("red before integrity", {"integrity": (REFUSED,), "verdicts": (RED,)}, NORMAL, Action.DEBUG, BAD),
    # a person has to look
    ("deferred", {"needs_person": PERSON}, NORMAL, Action.DEFER, OPEN),
    ("landed before the person looks", {**ASKED, "lands_before": True}, NORMAL, Action.PASS, OK),
    ("nor does that hide a failure", {**ASKED, "lands_before": True, "verdicts": (RED,)}, NORMAL, Action.DEBUG, BAD),
    ("deferred without a score", {**ASKED, "score": None}, NORMAL, Action.DEFER, OPEN),
    ("a verifier cannot say a person's part holds", {**ASKED, **verifies(False)}, NORMAL, Action.DEFER, OPEN),
    ("nothing to run but a person's part", {**ASKED, "verdicts": ()}, NORMAL, Action.DEFER, OPEN),
    ("red is not left to a person", {**ASKED, "verdicts": (RED,)}, NORMAL, Action.DEBUG, BAD),
    ("nor is a found failure", {**ASKED, **verifies(failures=(STUB,))}, NORMAL, Action.DEBUG, BAD),
    ("a refused deferral is asked for again", {**ASKED, "integrity": (REFUSED,)}, NORMAL, Action.ENFORCE, OPEN),
    ("a visual check is asked for once more", {**LOOK}, NORMAL, Action.ENFORCE, OPEN),
    ("a visual check refused twice undoes no work", {**LOOK, **tried(enforced=True)}, NORMAL, Action.PASS, OK),
    ("nor does it hide a failure", {**LOOK, **tried(enforced=True), "verdicts": (RED,)}, NORMAL, Action.DEBUG, BAD),
    ("nor raise a score", {**LOOK, **tried(enforced=True), "score": 6.9}, NORMAL, Action.REPLAN, BAD),
    (
        "more than that is left to the person, however it was asked for",
        {**LOOK, **tried(enforced=True), "only_visual": False},
        NORMAL,
        Action.DEFER,
        OPEN,
    ),
    (
        "another fault of the report is no visual check",
        {**LOOK, **tried(enforced=True), "integrity": (REFUSED, NEEDLESS)},
        NORMAL,
        Action.ROLLBACK,
        OPEN,
    ),
]


@pytest.mark.parametrize(("fields", "policy", "action", "outcome"), [row[1:] for row in ROWS], ids=[r[0] for r in ROWS])
def test_a_phase_is_ruled_on_by_the_first_row_that_fits(
    fields: dict[str, Any], policy: Policy, action: Action, outcome: Outcome
) -> None:
    ruling = rule(case(**fields), policy)
    assert (ruling.action, ruling.outcome) == (action, outcome)
    assert ruling.because


@pytest.mark.parametrize(
    ("fields", "because"),
    [
        ({"verdicts": (GREEN, GREEN)}, "2 of 2 checks passed, score 9.6"),
        ({"verdicts": (RED,)}, "01-02.c1: so it was seen"),
        ({"verdicts": ()}, "nothing was checked"),
        ({"judgement": None}, "a review is missing"),
        ({"verification": make_verification(False, failures=(STUB,))}, "the verifier refused it: search is a stub"),
        (verifies(False), "the verifier refused it: no reason given"),
        (says(PROCEED, missing_requirements=("REQ-2",)), "the judge reports as missing: REQ-2"),
        (says(DEBUG, concerns=()), "the judge says debug: no reason given"),
        (says(HALT, concerns=("mad",)), "the judge says halt: mad"),
        ({"score": 8.9}, "the score 8.9 is below 9.0"),
        ({"score": 8.9, **tried(remediations=2)}, "the score 8.9 is below 9.0 after 2 remediations"),
        ({"score": 6.9}, "the score 6.9 is below 7.0"),
        ({"score": math.nan}, "the score nan is below 7.0"),
        ({"integrity": (REFUSED,)}, "integrity check 8: no file and line shows: it works"),
        ({"needs_person": PERSON}, PERSON),
    ],
)
def test_a_ruling_says_why(fields: dict[str, Any], because: str) -> None:
    assert rule(case(**fields), NORMAL).because == because


@pytest.mark.parametrize(
    ("fields", "category"),
    [
        ({}, ""),
        ({"verdicts": (make_verdict(BAD, "compile"),)}, Category.COMPILATION_FAILURE),
        ({"verification": make_verification(False, failures=(STUB,))}, Category.EXECUTOR_INCOMPLETE),
        (says(BACK), Category.EXECUTOR_WRONG_APPROACH),
        ({"score": 6.0}, Category.ACCEPTANCE_CRITERIA_UNMET),
        ({"integrity": (REFUSED,)}, Category.COORDINATION_FAILURE),
        ({"needs_person": PERSON}, ""),
    ],
)
def test_a_failure_has_its_category(fields: dict[str, Any], category: str) -> None:
    assert rule(case(**fields), NORMAL).category == category


def test_a_long_list_of_failures_is_cut_and_the_rest_counted() -> None:
    because = rule(case(verdicts=tuple(make_verdict(BAD, f"c{n}") for n in range(5))), NORMAL).because
    assert because.startswith("c0: so it was seen; c1:")
    assert because.endswith("; and 2 more")


@pytest.mark.parametrize(
    ("verdicts", "scores", "attempts", "incomplete", "action", "score"),
    [
        ((GREEN,), (9.1, 9.4), {}, False, Action.PASS, 9.2),  # 9.25, rounded down
        ((GREEN,), (9.0, 9.2), {}, False, Action.PASS, 9.1),  # not 9.0 for want of binary tenths
        ((GREEN,), (9.6, 7.4), {}, True, Action.PASS_INCOMPLETE, 8.5),
        ((GREEN, RED), (9.6, 9.6), {}, False, Action.DEBUG, None),
        ((RED,), (9.6, 9.6), {"debugs": 3}, False, Action.ROLLBACK, None),
        ((UNSEEN,), (9.6, 9.6), {}, False, Action.DEBUG, None),
        ((), (9.6, 9.6), {}, False, Action.DEBUG, None),
        ((GREEN, OURS), (9.6, 9.6), {}, False, Action.PAUSE, None),
    ],
)
def test_parts_are_ruled_on_by_the_merged_tree_and_scored_by_their_mean_rounded_down(
    verdicts: tuple[Verdict, ...],
    scores: tuple[float, ...],
    attempts: dict[str, Any],
    incomplete: bool,
    action: Action,
    score: float | None,
) -> None:
    ruling = rule_on_parts(Case(verdicts, attempts=Attempts(**attempts)), scores, NORMAL, incomplete=incomplete)
    assert (ruling.action, ruling.score) == (action, score)
    assert (ruling.outcome is OK) is (action in (Action.PASS, Action.PASS_INCOMPLETE))


def test_a_pass_says_first_how_what_the_roadmap_asks_for_stands() -> None:
    line = "0 of 2 criteria of the roadmap proven, 2 judged by a reviewer (opinion)"
    exhausted = {"score": 8.9, **tried(remediations=2)}
    for fields in ({}, exhausted):
        ruling = rule(case(accounted=line, **fields), NORMAL)
        assert ruling.outcome is OK
        assert ruling.because.startswith(f"{line}; ")
    parts = rule_on_parts(Case((GREEN,), accounted=line), (9.0, 9.2), NORMAL, incomplete=False)
    assert parts.because.startswith(f"{line}; 2 parts passed")


def test_nothing_passes_with_something_that_nobody_accounted_for() -> None:
    for fields in ({}, {"score": 8.9, **tried(remediations=2)}):
        ruling = rule(case(open="SC-2 (It is kind) was not checked", **fields), NORMAL)
        assert (ruling.outcome, ruling.action) == (Outcome.UNPROVEN, Action.ROLLBACK)
        assert ruling.because == "SC-2 (It is kind) was not checked"
    parts = rule_on_parts(Case((GREEN,), open="SC-2 failed"), (9.0, 9.2), NORMAL, incomplete=False)
    assert (parts.outcome, parts.action, parts.because) == (Outcome.UNPROVEN, Action.ROLLBACK, "SC-2 failed")


def test_what_is_open_is_what_failed_or_was_not_checked_of_what_the_owner_asks_for() -> None:
    made = [
        Account(f"SC-{number}", "it works", Source.ROADMAP, status, because="so")
        for number, status in enumerate(Accounted, start=1)
    ]
    required = Account("REQ-1", "REQ-1", Source.REQUIREMENT, Accounted.UNCHECKED)
    missing = Account("MH-1", "it is fast", Source.MUST_HAVE, Accounted.UNCHECKED)
    assert left_open([*made, required, missing]) == (
        "SC-7 (it works) failed: so; SC-8 (it works) was not checked: so; MH-1 (it is fast) was not checked"
    )
