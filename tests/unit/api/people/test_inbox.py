"""Whoever speaks to a run finds the one that waits for it: an issue beside a roadmap, several issues, or none.

covers: AL-1, INV-8
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from autopilot.api.people.gate_answers import answer_hint, check_answer, find_gate
from autopilot.api.people.inbox import choose_run, choose_run_by_word
from autopilot.api.people.verdicts import not_waiting, split_issues
from autopilot.cli.issue.issue_conversation import ask_issue_gate
from autopilot.events.people import HumanAnswered
from autopilot.events.state import RunState
from autopilot.model.errors import UsageError
from autopilot.model.secrecy.redaction import Redactor
from tests.unit import issue_runs as runs
from tests.unit.asking import CHECKPOINT, MAP, state_with

ROADMAP = replace(state_with(CHECKPOINT), run="run-0")
DESIGN = runs.state_of(*runs.AT_DESIGN, runs.WAITS)
CAUSE = replace(runs.state_of(*runs.BUG), run="run-2")
ANSWERED = runs.state_of(*runs.IN_IMPL)


@pytest.mark.parametrize(
    ("runs_open", "name", "chosen"),
    [
        ((ROADMAP, DESIGN), "design-24-1", "run-1"),
        ((ROADMAP, DESIGN), "design", "run-1"),
        ((ROADMAP, DESIGN), "design-24", "run-1"),
        ((ROADMAP, DESIGN), "checkpoint-1", "run-0"),
        ((DESIGN, ROADMAP), "design-24-1", "run-1"),
        ((ROADMAP, ANSWERED), "", "run-0"),
        ((ANSWERED, CAUSE), "design-24-1", "run-1"),
        ((ROADMAP, DESIGN), "nowhere", "run-1"),
    ],
)
def test_the_run_that_waits_for_it_is_found(runs_open: tuple[RunState, ...], name: str, chosen: str) -> None:
    assert choose_run(runs_open, name).run == chosen


def test_where_several_wait_they_are_listed() -> None:
    with pytest.raises(UsageError, match="several") as refused:
        choose_run((ROADMAP, DESIGN, CAUSE))
    assert refused.value.hint == "open: checkpoint-1 (run-0), design-24-1 (run-1), cause-24-1 (run-2)"


def test_a_name_that_no_gate_has_is_not_taken_for_an_answer() -> None:
    with pytest.raises(UsageError, match="there is no open gate named route-9") as refused:
        choose_run_by_word((ROADMAP, DESIGN), "route-9")
    assert refused.value.hint == "open: checkpoint-1 (run-0), design-24-1 (run-1)"
    assert choose_run_by_word((ROADMAP, ANSWERED), "utf-8").run == "run-0", "it may be an answer to the only gate"
    assert choose_run_by_word((ROADMAP, DESIGN), "design").run == "run-1"


@pytest.mark.parametrize("name", ["design-24-1", "design", "design-24", ""])
def test_a_gate_may_be_named_by_its_beginning_where_only_one_is_open(name: str) -> None:
    assert find_gate(DESIGN, name).asked.gate == "design-24-1"


@pytest.mark.parametrize("name", ["desig", "design-2", "cause", "requirements-24"])
def test_half_a_word_names_no_gate(name: str) -> None:
    with pytest.raises(UsageError, match=f"no (open )?gate named {name}"):
        find_gate(DESIGN, name)


def test_a_phase_that_waits_for_a_verdict_is_no_gate_and_the_hint_says_what_it_takes() -> None:
    with pytest.raises(UsageError, match="there is no gate named 3") as refused:
        find_gate(state_with(deferred=True), "3")
    assert refused.value.hint == "phase 3 waits for a verdict: `autopilot verdict 3 pass`"


def test_a_name_that_no_gate_has_is_refused_with_the_open_gates_of_all_runs() -> None:
    with pytest.raises(UsageError, match="there is no open gate named no") as refused:
        find_gate(DESIGN, "no", (ROADMAP, DESIGN))
    assert refused.value.hint == "open: checkpoint-1, design-24-1"


def test_a_phase_that_waits_for_no_verdict_is_refused_without_gates_that_take_none() -> None:
    assert not_waiting((ROADMAP, DESIGN), "2").hint == "`autopilot gates` lists what waits for you"


def test_the_beginning_of_one_that_was_answered_leads_to_its_answer() -> None:
    assert find_gate(runs.state_of(*runs.IN_IMPL), "design").answered is not None


def test_beginnings_that_several_gates_have_are_refused() -> None:
    state = state_with(CHECKPOINT, MAP)
    with pytest.raises(UsageError, match="several gates are open"):
        find_gate(state, "")


def say(state: RunState, **more: object) -> HumanAnswered:
    [gate] = state.open_gates
    said = replace(HumanAnswered(gate.asked.gate, {}, "you"), **more)
    return check_answer(state, gate.asked, said, Redactor({"TOKEN": "hunter2-hunter2"}))


def test_an_answer_is_recorded_without_secrets_and_in_the_one_spelling() -> None:
    assert say(DESIGN, approved=False, comment=" the key hunter2-hunter2 is wrong ").comment != ""
    assert "hunter2" not in say(DESIGN, approved=False, comment="the key hunter2-hunter2 is wrong").comment
    assert say(CAUSE, approved=True, answers={"cause": "b"}).answers == {"cause": "B"}


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (DESIGN, {"approved": False, "comment": " "}),
        (DESIGN, {"approved": None, "comment": "hm"}),
        (DESIGN, {"approved": True, "answers": {"cause": "A"}}),
        (CAUSE, {"approved": True, "answers": {"cause": "D"}}),
    ],
)
def test_what_answers_nothing_is_refused(state: RunState, said: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        say(state, **said)


def test_what_defers_an_idea_is_recorded_apart_from_the_answer() -> None:
    """covers: DISC"""
    asked = state_with(MAP)
    given = say(asked, answers={"1.1": "OAuth\ndefer: an app with hunter2-hunter2", "1.2": "defer: IPv6", "2.1": ""})
    assert given.answers == {"1.1": "OAuth", "1.2": "", "2.1": ""}
    assert given.deferred["1.2"] == ("IPv6",)
    assert "an app" in given.deferred["1.1"][0]
    assert "hunter2" not in given.deferred["1.1"][0]
    rejected = say(ROADMAP, approved=False, comment="too slow\ndefer: a cache")
    assert (rejected.comment, rejected.deferred) == ("too slow", {"": ("a cache",)})
    assert say(DESIGN, approved=False, comment="defer: it all").deferred == {}
    assert split_issues(("it is slow\ndefer: a cache", "defer: blue")) == (("it is slow",), ("a cache", "blue"))


def test_every_open_gate_has_one_command_that_lets_it_go_on() -> None:
    gates = [*DESIGN.open_gates, *CAUSE.open_gates, *runs.state_of(*runs.EVERY["route"]).open_gates]
    assert answer_hint(gates) == (
        'autopilot approve design-24-1, or autopilot reject design-24-1 "…"; '
        'autopilot approve cause-24-1, or autopilot reject cause-24-1 "…"; autopilot answer route-24 ok'
    )


# --- the same at a terminal


def talk(state: RunState, *typed: str | None) -> tuple[HumanAnswered | None, list[str]]:
    [gate] = state.open_gates
    lines, prompts = iter(typed), list[str]()

    def hear(prompt: str) -> str | None:
        prompts.append(prompt)
        return next(lines)

    return ask_issue_gate(gate, state, "", "you", hear), prompts


REQUIREMENTS = runs.state_of(*runs.EVERY["requirements"])
ROUTE = runs.state_of(*runs.EVERY["route"])


@pytest.mark.parametrize(
    ("state", "typed", "approved", "answers", "comment"),
    [
        (DESIGN, ("ok",), True, {}, ""),
        (DESIGN, ("AC-2 is missing",), False, {}, "AC-2 is missing"),
        (DESIGN, ("no", "y"), False, {}, "no"),
        (DESIGN, ("okay", "n", "ok"), True, {}, ""),
        (DESIGN, ("", "ok"), True, {}, ""),
        (
            DESIGN,
            ("plan", "step 3", "Tests", "too weak", "and slower"),
            False,
            {},
            "Tests\nplan: step 3",
        ),
        (DESIGN, ("plan", "step 3", "tests", "too weak", ""), False, {}, "plan: step 3\ntests: too weak"),
        (CAUSE, ("cause=D", "cause=B"), True, {"cause": "B"}, ""),
        (CAUSE, ("ok",), True, {}, ""),
        (REQUIREMENTS, ("questions", "comma", "yes"), None, {"q1": "comma", "q2": "yes"}, ""),
        (ROUTE, ("quick", "bugfix"), None, {"route": "bugfix"}, ""),
    ],
)
def test_a_menu_asks_until_it_has_an_answer_that_counts(
    state: RunState,
    typed: tuple[str, ...],
    approved: bool | None,
    answers: dict[str, str],
    comment: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    said, _ = talk(state, *typed)
    assert said is not None and (said.approved, dict(said.answers), said.comment) == (approved, answers, comment)
    assert "24" in capsys.readouterr().err


@pytest.mark.parametrize("typed", [(None,), ("plan", None), ("plan", "step 3", None), ("no", None, None)])
def test_whoever_says_later_has_said_nothing(typed: tuple[str | None, ...]) -> None:
    assert talk(DESIGN, *typed)[0] is None
