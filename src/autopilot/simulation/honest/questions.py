"""Questions an honest agent has about a phase it knows only by its facts: one for each thing that is missing there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

FEWEST, MOST = 2, 5
ENOUGH = 8

Question = tuple[str, str, str]  # category, question, why it is needed


def propose(facts: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    """Those about the weakest marks first; nothing the user has answered, and no more than are needed."""
    answered = set(known.get("answered", []))
    open_ones = [one for one in _questions(facts) if one[1] not in answered]
    ranked = sorted(open_ones, key=lambda one: _mark(known, one[0]))
    weak = [one for one in ranked if _mark(known, one[0]) < ENOUGH]
    chosen = (weak if len(weak) >= FEWEST else ranked[:FEWEST])[:MOST]
    rows = [{"question": text, "category": category, "why_needed": why} for category, text, why in chosen]
    return {"questions": rows, "estimated_score_after": float(min(10, int(known.get("score", 1)) + len(rows)))}


def _questions(facts: dict[str, Any]) -> Iterator[Question]:
    phase = facts.get("phase", {})
    named = f"phase {phase.get('id', '?')} ({phase.get('name', 'no name')})"
    proseful = [each["text"] for each in facts.get("criteria", []) if not each.get("command")]
    what = f'"{proseful[0]}" holds' if proseful else f"{named} is done"
    yield "criteria", f"Which command shows that {what}?", "no criterion can be run without a command"
    wanted = ", ".join(phase.get("requirements", [])[:3]) or named
    yield "requirements", f"What exactly must be possible when {wanted} is met?", "the spec leaves it open"
    yield "architecture", f"Which files or parts should {named} change or add?", "no document says where it belongs"
    yield "dependencies", f"Which library or service may {named} build on?", "none is named"
    yield "build_config", f"Which command builds and tests {named}?", "its work has to be checked the usual way"
    yield "domain", f"Which input and which result are typical of {named}?", "an example settles what words leave open"


def _mark(known: dict[str, Any], category: str) -> float:
    mark = {"build_config": "criteria", "domain": "requirements", "architecture": "docs"}.get(category, category)
    return float(known.get(mark, 1))
