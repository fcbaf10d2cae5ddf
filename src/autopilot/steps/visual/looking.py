"""Looks at one commit: every route twice, and what differs between the two pictures of it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from autopilot.inspection.visual.difference import count_exact
from autopilot.inspection.visual.png import NotAPicture, check_png, decode_png
from autopilot.model.visual.check import VisualCheck
from autopilot.model.visual.facts import Facts, Seen
from autopilot.model.visual.subject import Region, VisualTesting
from autopilot.ports.eyes import Eyes, Look, Taken
from autopilot.ports.sandbox import CommandSpec
from autopilot.steps.observing.ends import stop_if_killed
from autopilot.text.last_lines import last_lines


def look_at(eyes: Eyes, spec: CommandSpec, subject: VisualTesting, commit: str) -> VisualCheck:
    """Nothing is compared yet. A problem is one of this machine, of the app's start, or of what came back."""
    probe = eyes.probe()
    if not probe.usable:
        return VisualCheck(commit, problem=f"{probe.detail}; to get it: {probe.remedy}")
    look = eyes.look(spec, subject)
    stop_if_killed(look.outcome)
    if look.problem:
        return VisualCheck(commit, problem=_explain(look))
    seen = []
    for shot in subject.shots():
        taken = look.taken.get(shot.key)
        if taken is None:
            return VisualCheck(commit, problem=f"the browser's program brought nothing of {shot.key}")
        try:
            seen.append(_keep(eyes, shot.key, taken, regions_of(subject, shot.route)))
        except NotAPicture as error:
            return VisualCheck(commit, problem=f"the picture of {shot.key} cannot be read: {error}")
    return VisualCheck(commit, look.browser, tuple(seen))


def regions_of(subject: VisualTesting, name: str) -> tuple[Region, ...]:
    return next((route.regions for route in subject.routes if route.name == name), ())


def encode_facts(facts: Facts) -> bytes:
    return msgspec.json.encode(facts)


def _keep(eyes: Eyes, key: str, taken: Taken, regions: Sequence[Region]) -> Seen:
    moving = 0
    if taken.first != taken.second:
        ignored = (*regions, *taken.facts.ignored)
        moving = count_exact(decode_png(taken.first), decode_png(taken.second), ignored)
    elif taken.first:
        check_png(taken.first)  # whoever compares it later counts on it
    return Seen(key, eyes.pictures.keep(taken.first) if taken.first else "", taken.facts, moving)


def _explain(look: Look) -> str:
    printed = " / ".join(last_lines(look.outcome.output.decode("utf-8", "replace")))
    return f"{look.problem}: {printed}" if printed else look.problem
