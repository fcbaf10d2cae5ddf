"""Questions about a phase that is known only by its facts: one for each missing fact."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.simulation.honest.plain import Any

FEWEST, MOST = 2, 5
ENOUGH = 8

Question = tuple[str, str, str]  # category, question, why it is needed


def propose(facts: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    """Questions about the lowest scores first, without those the user has answered, and no more than needed."""
    answered = set(known.get("answered", []))
    unanswered = [question for question in _questions(facts) if question[1] not in answered]
    ranked = sorted(unanswered, key=lambda question: _score(known, question[0]))
    weak = [question for question in ranked if _score(known, question[0]) < ENOUGH]
    chosen = (weak if len(weak) >= FEWEST else ranked[:FEWEST])[:MOST]
    rows = [{"question": text, "category": category, "why_needed": why} for category, text, why in chosen]
    return {"questions": rows, "estimated_score_after": float(min(10, int(known.get("score", 1)) + len(rows)))}


def _questions(facts: dict[str, Any]) -> Iterator[Question]:
    phase = facts.get("phase", {})
    name = f"phase {phase.get('id', '?')} ({phase.get('name', 'no name')})"
    without_command = [criterion["text"] for criterion in facts.get("criteria", []) if not criterion.get("command")]
    goal = f'"{without_command[0]}" holds' if without_command else f"{name} is done"
    yield "criteria", f"Which command shows that {goal}?", "no criterion can be run without a command"
    wanted = ", ".join(phase.get("requirements", [])[:3]) or name
    yield "requirements", f"What exactly must be possible when {wanted} is met?", "the spec leaves it open"
    yield "architecture", f"Which files or parts should {name} change or add?", "no document says where it belongs"
    yield "dependencies", f"Which library or service may {name} build on?", "none is named"
    yield "build_config", f"Which command builds and tests {name}?", "its work has to be checked the usual way"
    yield "domain", f"Which input and which result are typical of {name}?", "an example settles what words leave open"


def _score(known: dict[str, Any], category: str) -> float:
    mark = {"build_config": "criteria", "domain": "requirements", "architecture": "docs"}.get(category, category)
    return float(known.get(mark, 1))
