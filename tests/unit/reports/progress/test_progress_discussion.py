"""Progress of a talk: what can be chosen, what else is asked, what came of it, what belongs elsewhere (DISC, PROG)."""

from __future__ import annotations

import pytest

from autopilot.events import happened as h
from autopilot.events.fold import fold_all
from autopilot.events.people import AreasFound, Discussed, FollowedUp, HumanAnswered
from autopilot.model.human import HumanQuestion
from autopilot.model.proposal import AreaDecisions, DeferredIdea, GrayArea
from autopilot.model.run import Step
from autopilot.reports.progress.lines import progress_lines
from tests.unit.making import ONE, make_brief, make_started, store

# covers: DISC, PROG
STARTED = make_started(make_brief(ONE))
FOUND = AreasFound(ONE, "RUN", "it lists", (GrayArea("Order", "open", ("a?",)), GrayArea("Covers", "open", ("b?",))))
MORE = (HumanQuestion("1.4", "d?", ONE, area="Order"), HumanQuestion("2.4", "e?", ONE, area="Covers"))
DONE = Discussed(ONE, (AreaDecisions("Order", ("newest first", "ten rows")),), (), (), (), "digest")
SHARING = DeferredIdea("Sharing lists\nwith friends", "share lists")
PUT_OFF = "sounds like a new capability: it belongs in a phase of its own and is recorded under Deferred Ideas"


@pytest.mark.parametrize(
    ("history", "lines"),
    [
        ((STARTED, h.StepStarted(ONE, Step.DISCUSS, 1, 1, "areas")), ["[Phase 1] Step: DISCUSS areas"]),
        (
            (STARTED, FOUND),
            [
                "[Phase 1] Discussion (RUN): 2 areas to choose from",
                "[Phase 1]   1. Order",
                "[Phase 1]   2. Covers",
            ],
        ),
        ((STARTED, AreasFound(ONE, "", "", ())), ["[Phase 1] Discussion: none"]),
        (
            (STARTED, FOUND, FollowedUp(ONE, 1, MORE)),
            ["[Phase 1] Discussion: 2 more questions about Order, Covers (round 1)"],
        ),
        (
            (STARTED, FOUND, FollowedUp(ONE, 1, MORE, (SHARING,))),
            [
                f"[Phase 1] Sharing lists with friends {PUT_OFF}",
                "[Phase 1] Discussion: 2 more questions about Order, Covers (round 1)",
            ],
        ),
        (
            (STARTED, FOUND, HumanAnswered("discuss-1-0", {"1.1": ""}, "you", deferred={"1.1": ("French",)})),
            ["[Gate discuss-1-0] 0/1 answered, by you", f"[Gate discuss-1-0] French {PUT_OFF}"],
        ),
        ((STARTED, FOUND, DONE), ["[Phase 1] Discussion: 2 decisions from 0 answers, kept in CONTEXT.md"]),
        (
            (STARTED, FOUND, Discussed(ONE, (), (), (), (SHARING,), "digest")),
            [
                "[Phase 1] Sharing lists with friends sounds like a new capability: "
                "it belongs in a phase of its own and is recorded under Deferred Ideas",
                "[Phase 1] Discussion: 0 decisions from 0 answers, kept in CONTEXT.md",
            ],
        ),
    ],
)
def test_a_talk_is_told_in_plain_lines(history: tuple[h.Event, ...], lines: list[str]) -> None:
    entries = store(*history)
    assert list(progress_lines(entries[-1], fold_all(entries))) == lines
