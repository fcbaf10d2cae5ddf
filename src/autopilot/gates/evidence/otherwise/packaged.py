"""Do users get what the product needs? A file that the package leaves out is there in the repository alone."""

from __future__ import annotations

from collections.abc import Mapping

from autopilot.model.evidence.objection import Layer, Objection, Weight

MOST_NAMED = 3


def judge_packaged(subject: str, manifest: str, missing: Mapping[str, str], *, certain: bool) -> tuple[Objection, ...]:
    """``missing``: new files that the package leaves out, with the code in it that needs them.

    ``certain``: it left out nothing before that its code needed.
    """
    satisfy = f"let {manifest} take it in, or put it where the package has the rest"
    weight = Weight.REFUSE if certain else Weight.FLAG
    return tuple(
        Objection(
            Layer.HELD_OUT,
            subject,
            f"{by} needs {path}, and the package that {manifest} describes leaves it out",
            path,
            satisfy,
            weight,
        )
        for path, by in sorted(missing.items())[:MOST_NAMED]
    )
