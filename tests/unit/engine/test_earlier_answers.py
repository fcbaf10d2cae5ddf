"""What the user answered once is known to every later run. covers: CMAP-03, CMAP-04"""

from __future__ import annotations

from typing import Any, cast

from autopilot.engine.earlier_answers import gather_context, recall_answers
from autopilot.events.state import RunState
from autopilot.events.talk import Answered, Mapped
from autopilot.model.human import HumanQuestion
from autopilot.model.intent import ContextAnswer
from autopilot.model.planning.sufficiency import Sufficiency
from autopilot.model.run import PhaseBrief
from tests.unit.making import ONE, START, TWO, alter, make_brief

LOW = Sufficiency(3, 3, 3, 3, 3)


def answered(brief: PhaseBrief, **said: str) -> RunState:
    questions = {text: HumanQuestion(f"1.{n}", text, brief.id, "domain") for n, text in enumerate(said)}
    answers = {question.id: Answered(question, said[text], START) for text, question in questions.items()}
    mapped = Mapped(LOW, START, tuple(questions.values()), answers)
    return alter(RunState(), outline=(brief,), mapping={brief.id: mapped})


def test_answers_of_all_runs_are_known_and_the_later_one_counts() -> None:
    one = make_brief(ONE)
    runs = [answered(one, who="all", what="a list"), answered(one, who="admins", when="daily")]
    told = recall_answers(runs, [one, make_brief(TWO)])
    assert {answer.question: answer.answer for answer in told[ONE]} == {
        "who": "admins",
        "what": "a list",
        "when": "daily",
    }
    assert told[ONE][0] == ContextAnswer("who", "admins", "domain") and TWO not in told


def test_a_number_that_another_phase_has_now_has_no_answers() -> None:
    before = PhaseBrief(ONE, "Something else", "", (), (), "")
    assert recall_answers([answered(before, who="all")], [make_brief(ONE)]) == {}


class Written:
    """A checkout whose context map says this."""

    def __init__(self, text: bytes) -> None:
        self._text = text

    def read(self, path: str) -> bytes | None:
        return self._text if path.endswith("context-map.json") else None


def gather(text: str) -> tuple[dict[str, str], str]:
    told, complaints = gather_context([], [make_brief(ONE)], cast(Any, Written(text.encode())), clean)
    return {each.question: each.answer for each in told.get(ONE, ())}, "; ".join(complaints)


def clean(text: str) -> str:
    return text.replace("hunter2", "[redacted]")


def test_what_is_written_by_hand_is_recorded_without_secrets_and_within_bounds() -> None:
    """A file of the user's own may hold anything; the record is for years, and is shown to agents."""
    entry = '{{"phases": {{"1": {{"questions": [{{"question": "who? hunter2", "answer": "{}"}}]}}}}}}'
    assert gather(entry.format("the password is hunter2"))[0] == {"who? [redacted]": "the password is [redacted]"}
    answers, said = gather(entry.format("x" * 2_000_000))
    assert answers == {} and "too large" in said
