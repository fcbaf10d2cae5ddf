"""Waiting for a person: only below the threshold, for a task that asks, with what was tried and why in vain (HV)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.gates.deferral import Settled, is_generic, is_vague, judge_deferral
from autopilot.model.assessment import CannotVerify
from tests.unit.making import make_task

# covers: HV, STAT-02, STAT-03, CHK-14
HUMAN = make_task("01-02", type="checkpoint:human-verify")
WHY = "the bank's page is served by a third party and no test account exists"


def cannot(
    criterion: str = "a card is charged", tried: tuple[str, ...] = ("make test",), why: str = WHY
) -> CannotVerify:
    return CannotVerify(criterion, tried, why)


@pytest.mark.parametrize(
    ("confidence", "evidence", "settled", "because"),
    [
        (6.0, (), Settled.RESOLVED, "confidence 6 reaches 6"),
        (9.5, (cannot(),), Settled.RESOLVED, "confidence 9.5 reaches 6"),  # its doubts do not matter then
        (
            5.9,
            (cannot(),),
            Settled.DEFERRED,
            "the verifier's confidence of 5.9 is below 6, so it is left to you: the bank's page",
        ),
        (5.9, (), Settled.REFUSED, "does not say which criterion"),
        (5.9, (cannot(criterion=" "),), Settled.REFUSED, "does not name its criterion"),
        (5.9, (cannot(tried=()),), Settled.REFUSED, "a card is charged: no method was tried"),
        (5.9, (cannot(tried=("", " ")),), Settled.REFUSED, "no method was tried"),
        (5.9, (cannot(why="I'm not sure"),), Settled.REFUSED, '"I\'m not sure" is not a specific reason'),
        (5.9, (cannot(), cannot(why="visual confirmation needed")), Settled.REFUSED, "is not a specific reason"),
        (float("nan"), (), Settled.REFUSED, "does not say which criterion"),
    ],
)
def test_a_deferral_needs_doubt_and_grounds(
    confidence: float, evidence: tuple[CannotVerify, ...], settled: Settled, because: str
) -> None:
    verdict = judge_deferral(confidence, 6.0, evidence, (HUMAN,))
    assert (verdict.settled, verdict.task) == (settled, "01-02")
    assert because in verdict.because


def test_the_threshold_is_the_one_given() -> None:
    assert judge_deferral(5.0, 4.5, (cannot(),), (HUMAN,)).settled is Settled.RESOLVED
    assert judge_deferral(7.0, 7.5, (cannot(),), (HUMAN,)).settled is Settled.DEFERRED


def test_where_no_task_asks_for_a_person_nobody_is_waited_for() -> None:
    assert judge_deferral(2.0, 6.0, (), ()).settled is Settled.RESOLVED
    assert judge_deferral(9.0, 6.0, (cannot(),), ()).settled is Settled.RESOLVED
    assert judge_deferral(2.0, 6.0, (cannot(),), ()).settled is Settled.REFUSED


@pytest.mark.parametrize(
    ("reason", "vague"),
    [
        ("", True),
        ("I'm not sure", True),
        ("I am not sure whether it works correctly", True),
        ("visual confirmation needed", True),
        ("Visual confirmation is needed by a human reviewer.", True),
        ("needs manual testing", True),
        ("cannot be verified automatically", True),
        ("can't tell from the code alone", True),
        ("it's a UI phase", True),
        ("code analysis is not sufficient to confirm the layout", True),
        ("a person should look at the page", True),
        ("the webhook needs Stripe", True),
        ("the webhook needs live Stripe", False),  # three words of its own are the least
        (WHY, False),
        ("drag inertia depends on the touch hardware of a phone", False),
        ("the handler hands over to window.external.print, defined in a native shell outside this repository", False),
        ("the SMS gateway only accepts production keys", False),
        ("colour contrast under a projector cannot be measured in a headless browser", False),
    ],
)
def test_a_reason_says_something_of_this_very_case(reason: str, vague: bool) -> None:
    assert is_vague(reason) is vague


@pytest.mark.parametrize(
    ("description", "generic"),
    [
        # a look and nothing more
        ("", True),
        ("Visual confirmation", True),
        ("Visually verify the dashboard", True),
        ("Take a screenshot and check it", True),
        ("Check that the page looks right", True),
        ("Look and feel of the new screens", True),
        ("Confirm the appearance of all components", True),
        ("UI review", True),
        ("Review the UI", True),
        ("Manual check", True),
        ("Manually check that everything works", True),
        ("Have a look and click around", True),
        ("Look at the page and click buttons", True),
        ("Visual check of the save button", True),
        ("It's a UI phase", True),
        ("Visual check of the whole user flow", True),
        # a look with a workflow
        ("Visually verify that clicking Save stores the draft", False),
        ("Look at the receipt after paying with a real card", False),
        ("Manual check: log in with Google and see your name", False),
        ("Screenshot of the invoice after you submit the order form", False),
        ("Manually test the checkout flow", False),
        ("UI review: drag a book from one shelf to another", False),
        ("Visual check of the password-reset flow", False),
        ("Upload a photo and look at its thumbnail", False),
        # not about looks at all
        ("Verify payment flow processes a real transaction", False),
        ("Approve the release notes", False),
        ("The lookup table returns a row", False),
        ("Plug in the scanner and scan a label", False),
    ],
)
def test_a_checkpoint_that_names_no_workflow_is_generic(description: str, generic: bool) -> None:
    assert is_generic(description) is generic


@given(st.floats(0, 10), st.floats(3, 8), st.lists(st.builds(cannot, why=st.text(max_size=80)), max_size=3))
def test_nobody_is_waited_for_from_the_threshold_on(
    confidence: float, threshold: float, evidence: list[CannotVerify]
) -> None:
    settled = judge_deferral(confidence, threshold, evidence, (HUMAN,)).settled
    assert (settled is Settled.RESOLVED) is (confidence >= threshold)
    assert settled is not Settled.DEFERRED or evidence


@pytest.mark.parametrize("part", ["a", "a ", "a-", "click a ", "no flow-", "check of the "])
def test_words_without_end_are_still_read(part: str) -> None:
    long = "look " + part * (250_000 // len(part))  # reading it by its square would take minutes
    assert is_generic(long) in (True, False)
    assert is_vague(long)
