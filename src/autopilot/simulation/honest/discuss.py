"""Talks about a phase by an agent without ideas: it asks about what the facts name, and repeats what was answered."""

from __future__ import annotations

import re
from typing import Any

MOST_AREAS = 5
SHOWN_CHARS = 80
# Left open by any facts, whatever the phase.
ALWAYS = ("what is new in it and where that belongs", "what of it its user notices", "what has to stay as it is")
LEFT = re.compile(r"^\W*(you decide|your choice|your call|up to you|no preference)\b", re.IGNORECASE)

Reply = dict[str, Any]


def find_areas(facts: Reply) -> Reply:
    phase = facts.get("phase", {})
    name = str(phase.get("name") or "the phase")
    named = [str(each["text"]) for each in facts.get("criteria", [])]
    subjects = list(dict.fromkeys([*named[: MOST_AREAS - len(ALWAYS)], *ALWAYS]))
    return {
        "domain": "ORGANIZE",
        "domain_description": str(phase.get("goal") or name),
        "gray_areas": [_area(name, subject[:SHOWN_CHARS]) for subject in subjects],
    }


def follow_up(talk: Reply) -> Reply:
    return {"areas": [{"area": area, "questions": _further(area, talk)} for area in talk.get("more", [])]}


def digest(talk: Reply) -> Reply:
    """Word by word: what is a new capability only somebody who understands it can say."""
    answered = [each for each in talk.get("questions", []) if str(each.get("answer", "")).strip()]
    firm = [each for each in answered if not LEFT.match(each["answer"])]
    return {
        "decisions": [
            {"area": area, "decisions": [_as_said(each) for each in firm if each["area"] == area]}
            for area in dict.fromkeys(each["area"] for each in firm)
        ],
        "discretion": [f"{each['area']}: {each['question']}" for each in answered if each not in firm],
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


def _further(area: str, talk: Reply) -> list[str]:
    asked = [each for each in talk.get("questions", []) if each["area"] == area]
    answered = [each for each in asked if str(each.get("answer", "")).strip()]
    last = f" After your answer to {answered[-1]['id']}:" if answered else ""
    return [
        f"{area}:{last} where does this not hold? (asked after {len(asked)} questions)",
        f"{area}:{last} what else has to be known? (asked after {len(asked)} questions)",
    ]


def _as_said(each: Reply) -> str:
    return f"{each['question']} -- {each['answer']}"
