"""A phase that failed although it was debugged leaves a session: a person finds what was tried, and takes it up.

covers: DEBUG, DBG
"""

from __future__ import annotations

import json
from pathlib import Path

from autopilot.engine.history import read_history
from autopilot.model.debugging.session import Status
from tests.chaos.record import read_record
from tests.scenario.kit.calls import work
from tests.scenario.kit.debugging.world import gathers, thinks
from tests.scenario.stories.recovery import no_progress, stub

LEFT = ".autopilot/diagnostics/phase-1/DEBUG.md"
FILE = ".planning/debug/phase-1.md"


def test_what_was_tried_is_listed_and_the_session_that_takes_it_up_knows_it(tmp_path: Path) -> None:
    world = no_progress(tmp_path)
    assert world.run("1").status == 1
    (left,) = json.loads(world.autopilot("debug", "list", "--json").out)["sessions"]
    assert (left["session"], left["status"]) == ("phase-1", "left_by_phase") and left["origin"]["tried"]
    assert "status: left_by_phase" in world.read(LEFT) and "## Eliminated" in world.read(LEFT)
    assert world.git("status", "--porcelain") == "", "nothing of a failure stands among your files"
    missing = thinks("part-01-01.sh was never written", "ls part-01-01.sh", "fails")
    world.play(gathers("test -f part-01-01.sh"), missing, work("01-01", text="echo to be done\n"), stub(1))
    ran = world.autopilot("debug", "continue", "phase-1", "--find-only", "--script", str(world.script))
    assert ran.status == 0, ran
    session = next(reversed(read_history(read_record(world)).runs.values())).debugging
    assert session is not None and session.status is Status.DIAGNOSED
    assert session.brief.origin is not None and session.brief.origin.tried
    shown = world.read(FILE)
    assert "status: diagnosed" in shown and "task 01-01 was debugged" in shown
    listed = json.loads(world.autopilot("debug", "list", "--json").out)["sessions"]
    assert [(one["session"], one["status"]) for one in listed] == [("phase-1", "diagnosed")]
