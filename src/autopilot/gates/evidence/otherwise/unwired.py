"""Does the program that the roadmap names load what was written for it? Tests may call it by themselves."""

from __future__ import annotations

from collections.abc import Mapping

from autopilot.inspection.wiring.called import find_called, knows
from autopilot.model.evidence.objection import Layer, Objection, Weight


def judge_unwired(
    subject: str, command: str, word: str, loaded: Mapping[str, str], work: Mapping[str, str], *, crashed: bool = False
) -> tuple[Objection, ...]:
    """``loaded``: files that the program opened, with their texts; ``work``: product code that came or was changed.

    A word that the program has nowhere may be data; not where code of the work that it does not load bears its name.
    """
    place = find_called(word, {path: text for path, text in work.items() if path not in loaded})
    if not loaded or not place or knows(word, loaded):
        return ()
    observed = f"the roadmap names `{command}`, and this program loads nothing that has `{word}`: {place} is not loaded"
    satisfy = f"let the program do it when it is called so; that tests call {place} themselves gives users nothing"
    return (Objection(Layer.HELD_OUT, subject, observed, place, satisfy, Weight.FLAG if crashed else Weight.REFUSE),)
