"""What a questioner proposes to ask, checked before the user is asked (CMAP-02)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from autopilot.model.human import HumanQuestion
from autopilot.model.human import same_words as same_words  # for callers that compare questions
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.proposal import CATEGORIES, ProposedQuestions

FEWEST, MOST = 2, 5
LONGEST = 600  # characters: longer is no question but an essay


def check_questions(proposed: ProposedQuestions, answered: Collection[str]) -> tuple[str, ...]:
    """Why these questions are not asked; () when they are. ``answered`` are questions the user has answered before."""
    return tuple(_problems(proposed, {same_words(text) for text in answered}))


def as_human_questions(phase: PhaseId, proposed: ProposedQuestions) -> tuple[HumanQuestion, ...]:
    return tuple(
        HumanQuestion(f"{phase}.{n}", _one_line(q.question), phase, q.category, _one_line(q.why_needed))
        for n, q in enumerate(proposed.questions, 1)
    )


def _problems(proposed: ProposedQuestions, answered: Collection[str]) -> Iterator[str]:
    count = len(proposed.questions)
    if not FEWEST <= count <= MOST:
        yield f"{count} questions, where {FEWEST} to {MOST} are wanted"
    seen: set[str] = set()
    for number, question in enumerate(proposed.questions, 1):
        key = same_words(question.question)
        if not key or not question.why_needed.strip():
            yield f"question {number} is empty, or does not say why it is asked"
        elif len(question.question) > LONGEST or len(question.why_needed) > LONGEST:
            yield f"question {number} is longer than {LONGEST} characters"
        if question.category not in CATEGORIES:
            yield f"question {number} has the category {question.category[:40]!r}, not one of {', '.join(CATEGORIES)}"
        if key and key in seen:
            yield f"question {number} is asked twice"
        if key and key in answered:
            yield f"question {number} was answered by the user before"
        seen.add(key)


def _one_line(text: str) -> str:
    return " ".join(text.split())
