"""Stories in which agents cannot be asked for a while, or not at all."""

from __future__ import annotations

import json
from pathlib import Path

from tests.scenario.kit.calls import commit_all, work
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import World, make_world
from tests.scenario.stories.story import Story

ONE = Plot(planned=True)
SOON = {"ending": "rate_limited", "retry_after_s": 0.2}


def waited_out(folder: Path) -> World:
    """Two roles are limited once each; the executor in mid-work, with half of it committed."""
    world = make_world(folder, ONE)
    half = {"write": "part-01-01.sh", "text": "#!/bin/sh\n"}
    begun = {"role": "executor", "phase": "1", "task": "01-01", "attempt": 1, "do": [half, *commit_all("01-01")]}
    rest = {**work("01-01"), "attempt": 2}
    world.play({"role": "verifier", "phase": "1", "attempt": 1, **SOON}, {**begun, **SOON}, rest)
    return world


def stepped_in(folder: Path) -> World:
    """The judge is limited for longer than anybody waits; another agent of its chain steps in."""
    world = make_world(folder, ONE)
    world.play({"role": "judge", "phase": "1", "ending": "rate_limited", "retry_after_s": 900})
    script = world.folder / "second.json"
    script.write_text(json.dumps({"calls": [], "default": "honest"}))
    chain = '["scripted", "second"]'
    world.set_settings(
        f'[agents]\njudge = {chain}\nrater = {chain}\n[agent.second]\nkind = "scripted"\nprogram = "{script}"\n'
    )
    return world


def signed_out(folder: Path) -> World:
    """Nobody else is there for a researcher that is not signed in; after a rest it is."""
    world = make_world(folder, Plot())
    world.play({"role": "researcher", "phase": "1", "attempt": 1, "ending": "auth"})
    return world


def too_long(folder: Path) -> World:
    world = make_world(folder, ONE)
    world.play({"role": "verifier", "phase": "1", "attempt": 1, "ending": "rate_limited", "retry_after_s": 90_000})
    return world


STORIES = (
    Story("waited_out", waited_out, 0, quick=True),
    Story("stepped_in", stepped_in, 0),
    Story("signed_out", signed_out, 5, after=((("resume",), 0),)),
    Story("too_long", too_long, 4, after=((("resume", "--now"), 0),)),
)
