"""Honest replies in a discussion: asks about what the facts name, and repeats the answers."""

from __future__ import annotations

import re

from autopilot.simulation.honest.plain import Any

MOST_AREAS = 5
SHOWN_CHARS = 80
# Subjects that the facts of a phase never settle.
DEFAULT_SUBJECTS = (
    "what is new in it and where that belongs",
    "what of it its user notices",
    "what has to stay as it is",
)
DELEGATED = re.compile(r"^\W*(you decide|your choice|your call|up to you|no preference)\b", re.IGNORECASE)

Reply = dict[str, Any]


def find_areas(facts: Reply) -> Reply:
    phase = facts.get("phase", {})
    name = str(phase.get("name") or "the phase")
    criteria = [str(criterion["text"]) for criterion in facts.get("criteria", [])]
    subjects = list(dict.fromkeys([*criteria[: MOST_AREAS - len(DEFAULT_SUBJECTS)], *DEFAULT_SUBJECTS]))
    return {
        "domain": "ORGANIZE",
        "domain_description": str(phase.get("goal") or name),
        "gray_areas": [_area(name, subject[:SHOWN_CHARS]) for subject in subjects],
    }


def follow_up(discussion: Reply) -> Reply:
    return {
        "areas": [
            {"area": area, "questions": _further_questions(area, discussion)} for area in discussion.get("more", [])
        ]
    }


def digest(discussion: Reply) -> Reply:
    """The answers word by word: recognizing a new capability would need judgement."""
    answered = [question for question in discussion.get("questions", []) if str(question.get("answer", "")).strip()]
    decided = [question for question in answered if not DELEGATED.match(question["answer"])]
    return {
        "decisions": [
            {
                "area": area,
                "decisions": [_render_decision(question) for question in decided if question["area"] == area],
            }
            for area in dict.fromkeys(question["area"] for question in decided)
        ],
        "discretion": [
            f"{question['area']}: {question['question']}" for question in answered if question not in decided
        ],
        "ideas": [],
        "deferred": [],
    }


def _area(name: str, subject: str) -> Reply:
    return {
        "area": f"{name}: {subject}",
        "description": "the facts say that it is wanted and not how",
        "questions": [
            f"{name}, {subject}: what would you look at to see that it is right?",
            f"{name}, {subject}: which way of doing it do you have in mind?",
            f"{name}, {subject}: what would be wrong although it works?",
        ],
    }


def _further_questions(area: str, discussion: Reply) -> list[str]:
    asked = [question for question in discussion.get("questions", []) if question["area"] == area]
    answered = [question for question in asked if str(question.get("answer", "")).strip()]
    last = f" After your answer to {answered[-1]['id']}:" if answered else ""
    return [
        f"{area}:{last} where does this not hold? (asked after {len(asked)} questions)",
        f"{area}:{last} what else has to be known? (asked after {len(asked)} questions)",
    ]


def _render_decision(question: Reply) -> str:
    return f"{question['question']} -- {question['answer']}"
