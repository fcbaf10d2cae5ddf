"""A plan of ours answers for everything that the roadmap asks for, by checks that fail before the work. PCHK, T8.P"""

from __future__ import annotations

from autopilot.gates.account import left_to_people, wait_for
from autopilot.gates.promise import Mapped, crowded, left_out, refuse_answers, refuse_green
from autopilot.model.evidence.account import Account, Accounted
from autopilot.model.planning.criterion import Form, Kind
from autopilot.model.planning.promise import BY_EYE, Answer, Source, promises
from tests.unit.making import make_criterion

# covers: T8.accounts
RED, GREEN = make_criterion("01-01.c1", "It greets"), make_criterion("01-01.c2", "It still compiles", Kind.KEEP)
BASE = {"01-01.c1"}  # what failed before the work
WHY = "friendliness of words cannot be measured"


def mapped(*answers: Answer, must_haves: tuple[str, ...] = ()) -> Mapped:
    prose = [
        make_criterion(f"phase.c{n}", text, form=Form.PROSE, command="")
        for n, text in ((1, "It is kind"), (2, "It greets"))
    ]
    runs = make_criterion("phase.c3", "It runs")
    return Mapped(promises((*prose, runs), must_haves), answers, (RED, GREEN))


def test_a_criterion_without_a_row_is_left_out_unless_it_has_a_command_or_the_words_of_a_check() -> None:
    assert [promise.name for promise in left_out(mapped())] == ["SC-1"]
    assert list(left_out(mapped(Answer("SC-1", ("01-01.c1",))))) == []
    assert list(left_out(mapped(Answer("SC-1", reviewer=WHY)))) == []
    assert list(left_out(mapped(Answer("SC-1", person=WHY)))) == []


def test_a_plan_is_sent_back_with_the_whole_list() -> None:
    three = Mapped(
        promises([make_criterion(f"phase.c{n}", f"wish {n}", form=Form.PROSE, command="") for n in (1, 2, 3)]), (), ()
    )
    (refusal,) = refuse_answers(three)
    assert refusal.startswith(
        "the traceability table leaves out SC-1 (wish 1); SC-2 (wish 2); SC-3 (wish 3). Give each"
    )


def test_must_haves_of_a_plan_need_no_row_of_it() -> None:
    assert list(refuse_answers(mapped(Answer("SC-1", reviewer=WHY), must_haves=("It is fast",)))) == []


def test_a_reason_that_says_nothing_is_refused() -> None:
    for vague in ("needs review", "-", "cannot be verified by a test"):
        (refusal,) = refuse_answers(mapped(Answer("SC-1", reviewer=vague)))
        assert (
            refusal
            == f"SC-1 (It is kind) is left to a reviewer, and {vague!r} does not say why no command can check it"
        )
    assert list(refuse_answers(mapped(Answer("SC-1", person=WHY)))) == []


def test_a_row_that_names_nothing_of_the_plan_is_refused_as_that() -> None:
    refusals = list(refuse_answers(mapped(Answer("SC-1", unknown=("09-09",)))))
    assert refusals[0] == "SC-1 (It is kind) is mapped to 09-09, which the plan does not have"


def test_a_check_that_held_before_the_work_answers_for_nothing() -> None:
    only_green = mapped(Answer("SC-1", ("01-01.c2",)))
    ((_, refusal),) = refuse_green(only_green, BASE, ())
    assert (
        refusal == "SC-1 (It is kind) is mapped to 01-01.c2, which held before any work: map it to a check that did not"
    )
    assert list(refuse_green(mapped(Answer("SC-1", ("01-01.c2", "01-01.c1"))), BASE, ())) == []
    assert list(refuse_green(only_green, BASE, ("SC-1",))) == [], "what is to be kept holds before the work"
    assert list(refuse_green(mapped(Answer("SC-1", reviewer=WHY)), BASE, ())) == []


def test_a_check_of_which_nothing_was_seen_before_the_work_answers_for_nothing_either() -> None:
    assert len(list(refuse_green(mapped(Answer("SC-1", ("01-01.c1",))), set(), ()))) == 2


def test_a_phase_waits_for_a_person_for_what_only_a_person_can_tell() -> None:
    asked = [Account(f"SC-{n}", "it looks right", Source.ROADMAP, Accounted.PERSON, because="by eye") for n in (1, 2)]
    proven = Account("SC-3", "it runs", Source.ROADMAP, Accounted.PROVEN)
    assert wait_for((proven,)) == ""
    assert wait_for((proven, asked[0])) == "SC-1 (it looks right): by eye"
    assert wait_for((*asked, proven)) == "SC-1 (it looks right): by eye; and 1 more"
    assert left_to_people((*asked, proven)) == tuple(asked)


def test_a_check_that_alone_is_to_prove_three_things_is_noticed() -> None:
    asked = promises([make_criterion(f"phase.c{n}", f"wish {n}", form=Form.PROSE, command="") for n in (1, 2, 3)])
    rows = [Answer(f"SC-{n}", ("01-01.c1",)) for n in (1, 2, 3)]
    assert list(crowded(Mapped(asked, tuple(rows), (RED, GREEN)))) == [
        "01-01.c1 alone is to prove 3 success criteria of the roadmap: is it about all of them?"
    ]
    assert list(crowded(Mapped(asked, tuple(rows[:2]), (RED, GREEN)))) == []
    beside = (*rows[:2], Answer("SC-3", ("01-01.c1", "01-01.c2")))
    assert list(crowded(Mapped(asked, beside, (RED, GREEN)))) == []


def test_a_criterion_that_asks_to_trace_code_names_its_reader_itself() -> None:
    traced = make_criterion(
        "phase.c1", "A click opens it", form=Form.TRACE, command="read a.ts:click and trace to open"
    )
    assert list(refuse_answers(Mapped(promises((traced,)), (), ()))) == []


def test_what_plainly_asks_how_something_looks_needs_no_row_and_is_a_persons_unless_a_check_can_see() -> None:
    asked = promises((make_criterion("phase.c1", "It looks right", form=Form.PROSE, command="", visual=True),))
    browser = make_criterion("01-01.c1", "It is drawn", command="npx playwright test greeting")
    row = Answer("SC-1", by=("01-01.c1",))
    blind = Mapped(asked, (row,), (make_criterion("01-01.c1", "It is there"),))
    assert list(refuse_answers(Mapped(asked, (), ()))) == []
    assert blind.person(asked[0]) == BY_EYE
    assert Mapped(asked, (row,), (browser,)).person(asked[0]) == ""
    assert Mapped(asked, (Answer("SC-1", reviewer="the style sheet tells"),), ()).person(asked[0]) == BY_EYE
    assert Mapped(asked, (Answer("SC-1", person="on a telephone"),), (browser,)).person(asked[0]) == "on a telephone"
