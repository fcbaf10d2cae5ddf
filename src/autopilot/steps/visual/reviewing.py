"""What reviewers see of an interface: before, after and what differs, of each shot with something to say of."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from autopilot.model.visual.finding import Compared, State
from autopilot.steps.context import StepContext

MOST_SHOTS = 12  # an agent reads a picture at a price
FOLDER = "visual"


def pictures_for_review(ctx: StepContext) -> Mapping[str, bytes]:
    """By their path below .autopilot/. They can lower a verdict; what was measured stays measured."""
    check, eyes = ctx.phase.observed.visual, ctx.ports.eyes
    if check is None:
        return {}
    files = {"visual.json": msgspec.json.format(msgspec.json.encode(check), indent=2)}
    if eyes is None:
        return files
    told = {finding.shot for finding in check.findings}
    shown = [one for one in check.compared if one.shot in told or one.state is not State.SAME][:MOST_SHOTS]
    for one in shown:
        for name, digest in _pictures(one):
            if digest and eyes.pictures.has(digest):
                files[f"{FOLDER}/{one.shot}.{name}.png"] = eyes.pictures.get(digest)
    return files


def _pictures(one: Compared) -> tuple[tuple[str, str], ...]:
    return ("before", one.before), ("after", one.picture), ("diff", one.difference)
