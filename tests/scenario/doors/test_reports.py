"""Reports as their user meets them: `autopilot report`, and the files a run leaves for CI (DONE-1, MTRC-03, INV-8)."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET

from msgspec.structs import replace

from autopilot.events import happened as h
from autopilot.events.entry import Entry
from autopilot.model.run import RunStatus, Step
from tests.scenario.kit.world import World
from tests.unit.making import ONE, TWO, make_brief, make_started

# covers: DONE-1, MTRC-01, MTRC-03, CMPL-04, CMD-REPORT
PASSED = (h.PhaseStarted(ONE, 1, "base"), h.PhaseCompleted(ONE, 9.4, "c1"))
GOOD = (*PASSED, h.RunStopped(RunStatus.COMPLETED, "every phase passed", 0))
BAD = (
    *PASSED,
    h.PhaseStarted(TWO, 1, "c1"),
    h.PhaseFailed(TWO, "it adds: exit 1", "acceptance_criteria_unmet", Step.GATE),
    h.RunStopped(RunStatus.FAILED, "phase 2 did not pass", 1),
)


def record(world: World, run: str, *events: h.Event) -> None:
    """A run that somebody made earlier."""
    journal = world.assemble().ports.journal
    started = replace(make_started(make_brief(ONE), make_brief(TWO)), run=run)
    journal.append([Entry(run, f"{run}/{number}", event) for number, event in enumerate((started, *events))])


def test_a_report_is_had_of_any_run_in_any_form_and_only_reads(world: World) -> None:
    none = world.autopilot("report")
    assert (none.status, none.err.splitlines()[0]) == (2, "error: no run has been started in this repository")
    record(world, "run-1", *GOOD)
    record(world, "run-2", *BAD)
    last = world.autopilot("report")
    assert (last.status, last.err) == (0, "")
    assert last.out.startswith("# Completion Report: run-2\n")
    assert "**Warning: the success rate fell from 100% to 50% since" in last.out
    assert world.autopilot("report", "run-1").out.startswith("# Completion Report: run-1\n")
    found = json.loads(world.autopilot("report", "--json").out)
    assert (found["_meta"]["run_id"], found["trend_summary"]["success_rate_delta"]) == ("run-2", -0.5)
    assert found["event_log"][-1]["event"] == "run_halted"
    world.autopilot("report", "--html", "../page.html")
    world.autopilot("report", "run-1", "--junit", "../out.xml")
    world.autopilot("report", "--summary", "../summary.md")
    page = (world.folder / "page.html").read_text(encoding="utf-8")
    assert "project/.autopilot/diagnostics/phase-2-postmortem.json" in page
    assert ET.parse(world.folder / "out.xml").getroot().attrib["failures"] == "0"
    assert (world.folder / "summary.md").read_text(encoding="utf-8").startswith("## Autopilot: failed")
    assert world.autopilot("report", "run-9").status == 2
    assert not (world.project / ".autopilot").exists()


def test_a_run_leaves_what_its_ci_system_reads_and_refuses_a_place_that_is_not_there(world: World) -> None:
    refused = world.run("--junit", "../out.xml", "--summary", "../no/such/place.md")
    reason = f"the folder {world.folder}/no/such does not exist"
    assert f"error: the report cannot be written to ../no/such/place.md: {reason}\n" in refused.err
    assert (refused.status, refused.out, world.autopilot("status").status) == (2, "", 2), "no run was begun"
    ran = world.run("--junit", "../out.xml")
    assert ran.status == 0
    root = ET.parse(world.folder / "out.xml").getroot()
    assert (root.attrib["failures"], int(root.attrib["tests"]) > 2) == ("0", True)
    assert "  Phases: 1 of 1 succeeded" in ran.out.splitlines()
    assert ran.out.splitlines()[-1] == "  All phases complete. Project is done."
    (row,) = json.loads(world.read(".autopilot/archive/metrics.json"))
    assert (row["phases_succeeded"], row["success_rate"]) == (1, 1.0)
    assert world.read(".autopilot/report.html").startswith("<!doctype html>")
