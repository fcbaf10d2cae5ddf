"""What came of a talk rests on what its user said: quotes are checked, and no answer is lost (DISC)."""

from __future__ import annotations

from typing import Any

import pytest

from autopilot.events.talk import Answered, Discussion
from autopilot.model.human import HumanQuestion
from autopilot.model.proposal import AreaDecisions, DeferredIdea, Digest, GrayArea
from autopilot.planning.people.digest import is_quoted, settle_digest, take_verbatim
from tests.unit.making import START

# covers: DISC
ORDER, COVERS = "Order of the list", "Covers in the list"
AREAS = tuple(GrayArea(name, "open", ("how?",)) for name in (ORDER, COVERS))


def said(id: str, area: str, answer: str) -> Answered:
    return Answered(HumanQuestion(id, f"how, {id}?", area=area), answer, START)


def talk(*answers: Answered, **more: Any) -> Discussion:
    return Discussion("RUN", "it lists books", AREAS, START, (ORDER, COVERS), answers, **more)


NEWEST = said("1.1", ORDER, "Newest first, like Zotero. Later I want to share\nlists with friends.")
LEFT = said("2.1", COVERS, "you decide")


def test_an_answer_is_a_decision_and_you_decide_is_ours_to_decide() -> None:
    settled = take_verbatim(talk(NEWEST, LEFT))
    assert settled.decisions == (AreaDecisions(ORDER, (f"how, 1.1? -- {NEWEST.answer}",)),)
    assert settled.discretion == (f"{COVERS}: how, 2.1? -- you decide",)


def test_an_area_nobody_said_anything_about_is_ours_to_decide() -> None:
    assert take_verbatim(talk(NEWEST)).discretion == (f"{COVERS}: no question was answered",)


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        ("You decide.", True),
        ("up to you", True),
        ("No preference", True),
        ("I don't care", True),
        ("whatever you like", True),
        ("let the user decide", False),
        ("whatever the config says", False),
        ("mine, not your choice", False),
    ],
)
def test_what_leaves_it_to_us_is_known_by_its_first_words(answer: str, left: bool) -> None:
    assert bool(take_verbatim(talk(said("1.1", ORDER, answer))).decisions) is not left


def test_a_digest_is_taken_with_its_areas_named_as_they_were_asked() -> None:
    digest = Digest((AreaDecisions("order of the LIST", ("Newest first.", " ")),), ("Covers",), ("Zotero",))
    settled = settle_digest(digest, talk(NEWEST, LEFT))
    assert settled.decisions == (AreaDecisions(ORDER, ("Newest first.",)),)
    assert settled.discretion == (f"{COVERS}: how, 2.1? -- you decide", "Covers")
    assert (settled.ideas, settled.notices) == (("Zotero",), ())


def test_what_the_digest_passes_over_stays_in_the_users_words() -> None:
    assert settle_digest(Digest(()), talk(NEWEST)).decisions == take_verbatim(talk(NEWEST)).decisions


@pytest.mark.parametrize("area", [COVERS, "Colours"])
def test_a_decision_about_what_nobody_answered_is_left_out_with_a_notice(area: str) -> None:
    settled = settle_digest(Digest((AreaDecisions(area, ("blue",)),)), talk(NEWEST))
    assert [each.area for each in settled.decisions] == [ORDER]
    assert f"{area!r} were left out" in settled.notices[0]


def test_a_deferred_idea_needs_the_users_own_words() -> None:
    share = DeferredIdea("sharing lists", "share lists with friends")
    invented = DeferredIdea("telemetry", "I want telemetry")
    settled = settle_digest(Digest((), deferred=(share, invented)), talk(NEWEST))
    assert settled.deferred == (share,)
    assert settled.notices == (
        "'telemetry' was not recorded as a deferred idea: no answer contains 'I want telemetry'",
    )


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("share lists with friends", True),
        ("Share lists, with friends!", True),
        ("later I want", True),
        ("share with friends", False),
        ("hare lists", False),
        ("I", False),
        ("", False),
        ("friends you decide", False),
    ],
)
def test_a_quote_stands_word_by_word_in_one_answer(quote: str, found: bool) -> None:
    assert is_quoted(quote, (NEWEST, LEFT)) is found


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        (("Newest first.", "share lists with friends"), ("Newest first.",)),
        (("Sharing lists.",), ()),
        (
            ("Newest first; share lists with friends.",),
            ('Newest first; share lists with friends. (deferred, not part of this phase: "share lists with friends")',),
        ),
    ],
)
def test_a_deferred_idea_is_no_decision(written: tuple[str, ...], kept: tuple[str, ...]) -> None:
    share = DeferredIdea("sharing lists", "share lists with friends")
    settled = settle_digest(Digest((AreaDecisions(ORDER, written),), deferred=(share,)), talk(NEWEST))
    assert settled.decisions == ((AreaDecisions(ORDER, kept),) if kept else ())


def test_what_was_deferred_while_it_was_discussed_stays_deferred() -> None:
    french = DeferredIdea("French", "French")
    again = DeferredIdea("speaking french", "french")
    settled = settle_digest(Digest((), deferred=(again,)), talk(said("1.1", ORDER, "french"), deferred=(french,)))
    assert settled.deferred == (french,)
    assert take_verbatim(talk(NEWEST, deferred=(french,))).deferred == (french,)
