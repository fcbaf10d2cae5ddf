"""One account for each promise: proven by evidence, judged by a reading, or a person's. T8"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from autopilot.model.assessment import CriterionReading
from autopilot.model.evidence.account import (
    LEFT_OUT,
    NO_PLACE,
    NOT_YET,
    Account,
    Accounted,
    Known,
    account_for,
    doubt_unspoken,
    headline,
    tally,
)
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.planning.criterion import Form
from autopilot.model.planning.promise import Answer, Promise, Source, checks_of, left_to_person, promises
from tests.unit.making import make_criterion, make_verdict

# covers: T8.accounts
PROSE = make_criterion("phase.c2", "The page is friendly", form=Form.PROSE, command="")
OWN = make_criterion("phase.c1", "It runs")
FIRST, SECOND = promises((OWN, PROSE))
CHECK = ("01-01.c1",)


def reading(
    status: str = "verified", criterion: str = "SC-2", evidence: str = "page.py:3 -- greets"
) -> CriterionReading:
    return CriterionReading(criterion, status, evidence)


def status_of(account: Account) -> tuple[Accounted, str]:
    return account.status, account.because


PASS, FAIL, OPEN = (make_verdict(outcome) for outcome in (Outcome.PASS, Outcome.FAIL, Outcome.UNPROVEN))
CASES = [
    ("every check passed", CHECK, "", Known((PASS,)), Accounted.PROVEN, ""),
    ("a check failed", CHECK, "", Known((FAIL,)), Accounted.FAILED, "01-01.c1: so it was seen"),
    ("a check is unproven", CHECK, "", Known((OPEN,)), Accounted.UNCHECKED, "01-01.c1: so it was seen"),
    ("a failed check outranks a good reading", CHECK, "", Known((FAIL,), (reading(),)), Accounted.FAILED, None),
    ("its check never ran", CHECK, "", Known((), (reading(),)), Accounted.JUDGED, "page.py:3 -- greets"),
    ("nobody has reported yet", (), "", Known(), Accounted.UNCHECKED, NOT_YET),
    ("read and shown", (), "", Known((), (reading(),)), Accounted.JUDGED, "page.py:3 -- greets"),
    ("left out", (), "", Known((), (reading(criterion="SC-1"),)), Accounted.UNCHECKED, LEFT_OUT),
    ("read without a place", (), "", Known((), (reading(evidence="I read it"),)), Accounted.UNCHECKED, NO_PLACE),
    ("read as failed", (), "", Known((), (reading("failed"),)), Accounted.FAILED, "page.py:3 -- greets"),
    ("one of two readings fails", (), "", Known((), (reading(), reading("failed"))), Accounted.FAILED, None),
    ("nobody can tell", (), "", Known((), (reading("unverifiable"),)), Accounted.PERSON, None),
    ("a person is to look", (), "by eye", Known((), (reading(),)), Accounted.PERSON, "by eye"),
    ("a person is to look whatever passes", CHECK, "by eye", Known((PASS,)), Accounted.PERSON, "by eye"),
    (
        "a person passed it",
        (),
        "by eye",
        Known(passed_by_person=True),
        Accounted.ACCEPTED,
        "a person passed it (by eye)",
    ),
    ("a person found fault", (), "by eye", Known(found_by_person="too dark"), Accounted.FAILED, None),
    ("a person's issues are fixed", (), "by eye", Known(fixed_for_person=True), Accounted.JUDGED, None),
]


@pytest.mark.parametrize(
    ("checks", "person", "known", "status", "because"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_what_is_known_decides_the_account(
    checks: tuple[str, ...], person: str, known: Known, status: Accounted, because: str | None
) -> None:
    account = account_for(SECOND, checks, person, known)
    assert account.status is status
    assert because in (None, account.because)


def test_only_a_reading_that_is_missing_or_shows_no_place_has_to_be_made_again() -> None:
    unread = {name for name, checks, person, known, *_ in CASES if account_for(SECOND, checks, person, known).unread}
    assert unread == {"left out", "read without a place"}


def test_no_reading_ever_proves_anything() -> None:
    for status in ("verified", "failed", "unverifiable", "BEHAVIORAL_UNVERIFIABLE"):
        assert account_for(SECOND, (), "", Known((), (reading(status),))).status is not Accounted.PROVEN


def test_an_objection_to_a_check_counts_against_what_it_is_to_prove() -> None:
    objection = make_verdict(Outcome.FAIL, "M:01-01.c1")
    assert account_for(SECOND, CHECK, "", Known((PASS, objection))).status is Accounted.FAILED


@pytest.mark.parametrize(
    ("mention", "named"),
    [
        ("SC-2", True),
        ("sc-2", True),
        ("SC-2: The page is friendly", True),
        ("**SC-2** friendly", True),
        ("the  PAGE is friendly", True),
        ("phase.c2", True),
        ("SC2", True),
        ("SC-02: friendly", True),
        ("SC 2", True),
        ("Criterion SC-2", True),
        ("Success criterion SC-2: friendly", True),
        ("[SC-2] friendly", True),
        ("SC-1, SC-2", True),
        ("**SC-1**, **SC-2**", True),
        ("SC-1/SC-2", True),
        ("SC-1 and SC2 hold", True),
        ("SC-21", False),
        ("SC-2.1", False),
        ("MH-2", False),
        ("SC-1: unlike SC-2", False),
        ("nothing of SC-2", False),
        ("SC-1", False),
        ("The page", False),
    ],
)
def test_a_reviewer_names_a_promise_by_its_name_or_its_words(mention: str, named: bool) -> None:
    assert SECOND.is_named_by(mention) is named


def test_a_criterion_of_many_words_is_named_by_them() -> None:
    words = "The page greets everybody who comes along " * 20
    (promise,) = promises([make_criterion("phase.c1", words, form=Form.PROSE, command="")])
    assert promise.is_named_by(words.upper())
    assert not promise.is_named_by(words[:400])


def test_promises_are_numbered_in_the_order_of_the_roadmap_and_each_is_asked_once() -> None:
    found = promises((OWN, PROSE), ("the page is  friendly", "It is fast", "it is FAST"), ("REQ-1", "REQ-1"))
    assert [(promise.name, promise.source) for promise in found] == [
        ("SC-1", Source.ROADMAP),
        ("SC-2", Source.ROADMAP),
        ("MH-1", Source.MUST_HAVE),
        ("REQ-1", Source.REQUIREMENT),
    ]


@pytest.mark.parametrize(
    ("texts", "names"),
    [
        (["It loads", "It saves"], ["SC-1", "SC-2"]),
        (["SC-2: It loads", "SC-1: It saves"], ["SC-2", "SC-1"]),
        (["SC-4: It loads", "**SC-02**: It saves", "SC-1 - It ends", "SC-3 It is"], ["SC-4", "SC-2", "SC-1", "SC-3"]),
        (["SC-5: It loads", "SC-6: It saves"], ["SC-5", "SC-6"]),
        (["SC-2: It loads", "It saves", "It ends"], ["SC-2", "SC-1", "SC-3"]),
        (["SC-1: It loads", "SC-1: It saves"], ["SC-1", "SC-2"]),
        (["SC-2: It loads", "SC-2: It saves", "It ends"], ["SC-2", "SC-1", "SC-3"]),
        (["SC-100 is a lens that it knows", "SC-2x is another"], ["SC-100", "SC-2"]),
    ],
)
def test_the_owners_own_labels_are_the_names_and_no_other_promise_gets_one(texts: list[str], names: list[str]) -> None:
    asked = [make_criterion(f"phase.c{n}", text, form=Form.PROSE, command="") for n, text in enumerate(texts, start=1)]
    assert [promise.name for promise in promises(asked)] == names


def test_what_proves_a_promise_is_its_own_command_what_the_plan_names_and_the_same_words() -> None:
    same = make_criterion("01-02.c1", "the page is FRIENDLY")
    answers = (Answer("SC-2", ("01-01.c1",)), Answer("SC-1", ("01-01.c9",)), Answer("SC-2", person="by eye"))
    assert checks_of(SECOND, answers, (same,)) == ("01-01.c1", "01-02.c1")
    assert checks_of(FIRST, (), ()) == ("phase.c1",)
    assert (left_to_person(SECOND, answers, ()), left_to_person(FIRST, answers, ())) == ("by eye", "")


def test_a_requirement_is_proven_by_the_checks_it_is_traced_to_and_never_by_a_reading() -> None:
    requirement = Promise("REQ-1", "REQ-1", Source.REQUIREMENT)
    assert account_for(requirement, CHECK, "", Known((PASS,))).status is Accounted.PROVEN
    alone = account_for(requirement, (), "", Known((), (reading(criterion="REQ-1"),)))
    assert (alone.status, alone.unread) == (Accounted.UNCHECKED, False)


def account(status: Accounted, source: Source = Source.ROADMAP) -> Account:
    return Account("SC-1", "it works", source, status)


@pytest.mark.parametrize(
    ("statuses", "line"),
    [
        ([Accounted.PROVEN], "1 of 1 criterion of the roadmap proven"),
        ([Accounted.PROVEN] * 3, "3 of 3 criteria of the roadmap proven"),
        (
            [Accounted.PROVEN] * 2 + [Accounted.JUDGED] * 2 + [Accounted.PERSON],
            "2 of 5 criteria of the roadmap proven, 2 judged by a reviewer (opinion), 1 waits for you",
        ),
        ([Accounted.PERSON] * 2, "0 of 2 criteria of the roadmap proven, 2 wait for you"),
        (
            [Accounted.ACCEPTED, Accounted.FAILED, Accounted.UNCHECKED],
            "0 of 3 criteria of the roadmap proven, 1 accepted by a person, 1 failed, 1 not checked",
        ),
    ],
)
def test_the_first_line_counts_what_the_roadmap_asks_for(statuses: list[Accounted], line: str) -> None:
    accounts = [account(status) for status in statuses]
    assert headline([*accounts, account(Accounted.PROVEN, Source.REQUIREMENT)]) == line
    assert sum(tally(accounts).counts.values()) == tally(accounts).total


def test_the_first_line_says_how_many_rest_on_tests_that_came_with_the_work() -> None:
    accounts = [replace(account(Accounted.PROVEN), brought=True), account(Accounted.PROVEN), account(Accounted.JUDGED)]
    assert headline(accounts) == (
        "2 of 3 criteria of the roadmap proven (1 by tests that came with the work), 1 judged by a reviewer (opinion)"
    )


@pytest.mark.parametrize(
    ("status", "by", "brought", "rests"),
    [
        (Accounted.PROVEN, ("c1",), {"c1", "c2"}, True),
        (Accounted.PROVEN, ("c1", "c2"), {"c1"}, False),
        (Accounted.PROVEN, (), {"c1"}, False),
        (Accounted.JUDGED, ("c1",), {"c1"}, False),
    ],
)
def test_one_check_of_yours_is_enough(status: Accounted, by: tuple[str, ...], brought: set[str], rests: bool) -> None:
    assert replace(account(status), by=by).is_proven_by(brought) is rests


def test_must_haves_of_the_plan_are_counted_beside_the_roadmap_and_never_with_it() -> None:
    accounts = (account(Accounted.PROVEN), account(Accounted.JUDGED, Source.MUST_HAVE))
    assert headline(accounts) == (
        "1 of 1 criterion of the roadmap proven; 0 of 1 must-have of the plan proven, 1 judged by a reviewer (opinion)"
    )
    assert headline(()) == ""


@pytest.mark.parametrize(
    ("clauses", "status"),
    [
        ((), Accounted.PROVEN),
        (("The page is friendly",), Accounted.UNSPOKEN),
        (("the page is  Friendly",), Accounted.UNSPOKEN),
        (("is friendly",), Accounted.PROVEN),
        (("Another page",), Accounted.PROVEN),
    ],
)
def test_what_no_check_speaks_of_at_all_is_not_called_proven(clauses: tuple[str, ...], status: Accounted) -> None:
    proven = account_for(SECOND, CHECK, "", Known((PASS,)))
    (doubted,) = doubt_unspoken((proven,), {"SC-2"}, clauses)
    assert doubted.status is status


def test_two_clauses_are_all_of_a_promise_whatever_joins_them() -> None:
    text = "An empty list has one page, and page 0 is an error"
    proven = replace(account_for(SECOND, CHECK, "", Known((PASS,))), text=text)
    both = ("An empty list has one page", "page 0 is an error")
    assert [doubt_unspoken((proven,), {"SC-2"}, given)[0].status for given in (both, both[:1])] == [
        Accounted.UNSPOKEN,
        Accounted.PROVEN,
    ]


def test_a_promise_with_a_command_of_its_own_and_one_that_failed_stay_as_they_are() -> None:
    proven, failed = account_for(SECOND, CHECK, "", Known((PASS,))), account_for(SECOND, CHECK, "", Known((FAIL,)))
    assert doubt_unspoken((proven,), set(), (proven.text,)) == (proven,)
    assert doubt_unspoken((failed,), {"SC-2"}, (failed.text,)) == (failed,)


def test_the_first_line_counts_it_apart() -> None:
    (doubted,) = doubt_unspoken((account_for(SECOND, CHECK, "", Known((PASS,))),), {"SC-2"}, (SECOND.text,))
    assert headline((doubted,)) == "0 of 1 criterion of the roadmap proven, 1 green by checks that do not speak of it"
