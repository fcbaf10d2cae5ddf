"""Does a plan of ours ask for more than one example? Asked before any work is done; a user's plan is only shown it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from autopilot.model.evidence.observation import Seen
from autopilot.model.planning.criterion import Criterion
from autopilot.testtools.questions.example import ONE_EXAMPLE, lone_examples, measures_time


def refuse_lone_examples(criteria: Sequence[Criterion], held_out: Sequence[Criterion]) -> Iterator[str]:
    """``criteria``: of the roadmap and of the plan. Tests that are still to be written do not count: who writes them
    knows the example. How long the product takes is no answer that could be known."""
    lone = {criterion.command: criterion for criterion in lone_examples(criteria, held_out, strict=True)}
    for criterion in (c for c in lone.values() if not measures_time(c.command)):
        yield (
            f"{criterion.id} ({criterion.text}): {ONE_EXAMPLE}, `{criterion.command}`, and code that knows this one "
            "answer would pass. Hold out a check of the same form with another value: write it into HELD-OUT.md"
        )


def refuse_held_out(held_out: Sequence[Criterion], base: Mapping[str, Seen]) -> Iterator[str]:
    for criterion in held_out:
        seen = base.get(criterion.id)
        if seen is not None and seen is not Seen.FAILED:
            held = f"{criterion.id} ({criterion.text}), which is held out,"
            yield f"{held} {seen.text} before any work: ask for what is new"
