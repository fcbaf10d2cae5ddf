"""What an answers file says to a gate of an issue."""

from __future__ import annotations

from autopilot.events.people import HumanAsked
from autopilot.model.errors import UsageError
from autopilot.model.human import SECTIONS
from autopilot.planning.issue.gate_answers import OK, decide
from autopilot.planning.people.answers import LEFT_OUT, Answers, Reply, WrittenAnswer, compose_rejection, parse_decision


def read_issue_reply(asked: HumanAsked, answers: Answers) -> Reply:
    """An ok alone approves; whatever else is written sends it back, each document's part under its name."""
    by_place = answers_by_place(asked, answers)
    if not by_place:
        return Reply(lacking=(asked.gate,))
    lines = tuple(answer.line for answer in by_place.values())
    texts = {
        q.id: "" if (text := by_place[q.id].text) in LEFT_OUT else text for q in asked.questions if q.id in by_place
    }
    sections = {name: by_place[name].text for name in SECTIONS if name in by_place}
    word = by_place["answer"].text if "answer" in by_place else ""
    decision = parse_decision(word)
    word = OK if decision == (True, "") else decision[1] if decision and not decision[0] else word
    try:
        given = decide(asked, texts, compose_rejection(word, sections))
    except UsageError as error:
        return Reply(lines=lines, problems=(f"{answers.place(lines[0])}: {error}; {error.hint}",))
    lacking = [q.id for q in asked.questions if q.id not in given.answers] if given.approved is None else []
    return Reply(given.answers, given.approved, given.comment, lines=lines, lacking=tuple(lacking))


def answers_by_place(asked: HumanAsked, answers: Answers) -> dict[str, WrittenAnswer]:
    """By place in the file: the answer, a document, or a question by its id or number."""
    found: dict[str, WrittenAnswer] = {}
    known = [question.id for question in asked.questions]
    for answer in answers.written:
        if answer.gate == asked.gate and answer.text:
            place = f"q{answer.about}" if f"q{answer.about}" in known else answer.about
            found.setdefault(place, answer)
    return found
