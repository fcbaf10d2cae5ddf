"""Is what is new used? A source file to which nothing refers leaves its task incomplete (layer S)."""

from __future__ import annotations

from collections.abc import Sequence

from autopilot.model.evidence.objection import Layer, Objection

MOST_NAMED = 5
SATISFY = "refer to it from the code that needs it, or say in a comment of it why it stands alone (`standalone: why`)"


def judge_unwired(subject: str, loose: Sequence[str]) -> tuple[Objection, ...]:
    """``loose``: new files that nothing refers to, no check names, and that do not say why."""
    if not loose:
        return ()
    named = ", ".join(loose[:MOST_NAMED]) + (f" and {len(loose) - MOST_NAMED} more" if len(loose) > MOST_NAMED else "")
    return (Objection(Layer.CHANGE, subject, f"nothing refers to {named}, which is new", satisfy=SATISFY),)
