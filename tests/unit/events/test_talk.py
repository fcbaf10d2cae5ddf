"""A talk about a phase, folded: areas, the choice, answers, more of them, and what came of it (DISC)."""

from __future__ import annotations

import pytest

from autopilot.events.fold import fold_all
from autopilot.events.fold_people import pick_areas
from autopilot.events.happened import Event
from autopilot.events.people import AreasFound, Discussed, FollowedUp, HumanAnswered, HumanAsked
from autopilot.events.recovery import VerdictGiven
from autopilot.events.talk import Discussion, IdeaDeferred
from autopilot.model.human import GateKind, HumanQuestion
from autopilot.model.proposal import AreaDecisions, DeferredIdea, GrayArea
from autopilot.model.run import PersonVerdict
from tests.unit.asking import CHECKPOINT, MAP, events_for
from tests.unit.making import ONE, THREE, TWO, make_brief, make_started, store

# covers: DISC
AREAS = tuple(GrayArea(name, "open", ("a?", "b?", "c?")) for name in ("Order", "Covers", "Words"))
ASKED = tuple(HumanQuestion(f"1.{n}", f"{n}?", ONE, area="Order") for n in (1, 2))
MORE = (HumanQuestion("1.3", "3?", ONE, area="Order"),)
FOUND: tuple[Event, ...] = (
    make_started(make_brief(ONE)),
    AreasFound(ONE, "RUN", "it lists", AREAS),
    HumanAsked("areas-1", GateKind.AREAS, "which?", (HumanQuestion("areas", "areas", ONE),), ONE),
)
PICKED = (*FOUND, HumanAnswered("areas-1", {"areas": "1"}, "you"))
QUESTIONED = (*PICKED, HumanAsked("discuss-1-0", GateKind.DISCUSS, "talk", ASKED, ONE))
ANSWERED = (*QUESTIONED, HumanAnswered("discuss-1-0", {"1.1": " by date ", "1.2": ""}, "you", more=("Order",)))
FOLLOWED = (*ANSWERED, FollowedUp(ONE, 1, MORE))
AGAIN = (*FOLLOWED, HumanAsked("discuss-1-1", GateKind.DISCUSS, "talk", MORE, ONE))
TOLD = (*AGAIN, HumanAnswered("discuss-1-1", {"1.3": "newest first"}, "you"))


def talk(*events: Event) -> Discussion:
    return fold_all(store(*events)).people.discussions[ONE]


def test_a_phase_with_nothing_to_talk_about_is_done_with_its_talk() -> None:
    assert talk(FOUND[0], AreasFound(ONE, "", "", ())).done


@pytest.mark.parametrize(
    ("answer", "picked"),
    [
        ("1", ("Order",)),
        ("3, 1", ("Order", "Words")),
        ("all", ("Order", "Covers", "Words")),
        ("2-3", ("Covers", "Words")),
        ("none", ()),
        ("", ()),
    ],
)
def test_the_user_chooses_areas_by_number(answer: str, picked: tuple[str, ...]) -> None:
    chosen = talk(*FOUND, HumanAnswered("areas-1", {"areas": answer}, "you"))
    assert (chosen.picked, chosen.done) == (picked, not picked)


@pytest.mark.parametrize("text", ["4", "0", "one", "1-4", "2-", "all of them", "9" * 5_000])
def test_what_is_no_choice_is_none(text: str) -> None:
    assert pick_areas(text, 3) is None


def test_what_was_said_is_kept_and_what_was_left_out_stays_open() -> None:
    told = talk(*ANSWERED)
    assert [(each.question.id, each.answer) for each in told.answers] == [("1.1", "by date")]
    assert (told.more, told.done) == (("Order",), False)


def test_further_questions_wait_until_they_are_asked() -> None:
    assert (talk(*FOLLOWED).pending, talk(*FOLLOWED).rounds, talk(*FOLLOWED).more) == (MORE, 1, ())
    assert talk(*AGAIN).pending == ()
    assert [each.answer for each in talk(*TOLD).answers] == ["by date", "newest first"]


def test_only_the_first_answer_to_a_gate_counts() -> None:
    late = HumanAnswered("discuss-1-1", {"1.3": "oldest first"}, "another")
    assert talk(*TOLD, late) == talk(*TOLD)


def test_what_came_of_it_ends_the_talk() -> None:
    decided = (AreaDecisions("Order", ("newest first",)),)
    done = talk(*TOLD, Discussed(ONE, decided, ("Covers",), (), (), "digest"))
    assert (done.decisions, done.discretion, done.document, done.done) == (decided, ("Covers",), "digest", True)


def test_what_goes_beyond_the_phase_is_deferred_at_once_and_known_once() -> None:
    """With the answer, with the next questions, and not again when all of it is summed up."""
    french, latin = DeferredIdea("French", "French"), DeferredIdea("Speaking Latin", "and Latin")
    said = HumanAnswered("discuss-1-0", {"1.1": "by date"}, "you", more=("Order",), deferred={"1.1": ("French",)})
    asked = talk(*QUESTIONED, said)
    assert (asked.deferred, [each.answer for each in asked.answers]) == ((french,), ["by date"])
    followed = (*QUESTIONED, said, FollowedUp(ONE, 1, MORE, (latin,)))
    assert talk(*followed).deferred == (french, latin)
    ended = fold_all(store(*followed, Discussed(ONE, (), (), (), (french, latin), "digest")))
    assert ended.people.ideas == (
        IdeaDeferred("French", "French", ONE),
        IdeaDeferred("Speaking Latin", "and Latin", ONE),
    )
    assert ended.people.discussions[ONE].deferred == (french, latin)


def test_ideas_of_the_context_map_a_checkpoint_and_a_verdict_are_kept_with_their_phase() -> None:
    events = (
        *events_for(MAP, CHECKPOINT, deferred=True),
        HumanAnswered("map", {"1.1": "OAuth"}, "you", deferred={"2.1": ("an app",)}),
        HumanAnswered("checkpoint-1", {}, "you", approved=True, deferred={"": ("a shop",)}),
        VerdictGiven(THREE, PersonVerdict.PASS, (), "you", ("a louder tone",)),
    )
    state = fold_all(store(*events))
    assert [(each.phase, each.idea) for each in state.people.ideas] == [
        (TWO, "an app"),
        (None, "a shop"),
        (THREE, "a louder tone"),
    ]
    late = VerdictGiven(THREE, PersonVerdict.PASS, (), "you", ("a second verdict does not count",))
    assert fold_all(store(*events, late)).people.ideas == state.people.ideas
