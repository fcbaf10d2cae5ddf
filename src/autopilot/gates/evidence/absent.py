"""Is what the user wants gone really gone? A name that was in the code before, and still is, is not (layer L)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from autopilot.model.evidence.objection import Layer, Objection

MOST_SHOWN = 3


class Lookup(Struct, frozen=True):
    """One name, and where the product has it before and after the work: ``path:line``, or the path of a file."""

    name: str
    before: tuple[str, ...]
    after: tuple[str, ...]


def judge_absent(subject: str, lookups: Sequence[Lookup]) -> tuple[Objection, ...]:
    return tuple(_object(subject, lookup) for lookup in lookups if lookup.before and lookup.after)


def _object(subject: str, lookup: Lookup) -> Objection:
    shown = ", ".join(lookup.after[:MOST_SHOWN])
    more = f" and {len(lookup.after) - MOST_SHOWN} more places" if len(lookup.after) > MOST_SHOWN else ""
    description = f"`{lookup.name}` is to be gone, and is still there: {shown}{more}"
    satisfy = "take it out everywhere, or say in the roadmap that it stays"
    return Objection(Layer.LOOK, subject, description, lookup.after[0], satisfy)
