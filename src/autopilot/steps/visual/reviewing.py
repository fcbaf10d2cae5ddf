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
    named = {finding.shot for finding in check.findings}
    shown = [pair for pair in check.compared if pair.shot in named or pair.state is not State.SAME][:MOST_SHOTS]
    for pair in shown:
        for name, digest in _pictures(pair):
            if digest and eyes.pictures.has(digest):
                files[f"{FOLDER}/{pair.shot}.{name}.png"] = eyes.pictures.get(digest)
    return files


def _pictures(pair: Compared) -> tuple[tuple[str, str], ...]:
    return ("before", pair.before), ("after", pair.picture), ("diff", pair.difference)
