"""What a user has to know in the morning stands on the page itself: what landed, what to decide, what was caught.

covers: STAT-05, CMD-WEB, ISSUE-GATE1
"""

from __future__ import annotations

from pathlib import Path

from autopilot.events import happened as h
from autopilot.model.failure import Category
from autopilot.model.run import Step
from tests.scenario.kit.browsing import served
from tests.scenario.kit.issue_world import FOLDER, make_issue_world
from tests.scenario.kit.resting import at_rest, write_events
from tests.scenario.kit.world import make_world
from tests.unit.making import ONE, make_brief, make_started, make_task


def test_a_failed_night_says_what_landed_tells_lies_from_work_not_done_and_leads_home(tmp_path: Path) -> None:
    world = make_world(tmp_path)
    tasks = tuple(make_task(name) for name in ("01-01", "01-02"))
    failed = h.PhaseFailed(ONE, "no progress", Category.EXECUTOR_INCOMPLETE, Step.DEBUG)
    refused = (
        h.TaskRefused(ONE, "01-01", "the agent committed nothing", claimed=False),
        h.TaskRefused(ONE, "01-02", "it is not there", claimed=True),
    )
    began = (make_started(make_brief(ONE)), h.PhaseStarted(ONE, 1, "base"), h.Planned(ONE, "base", tasks, ()))
    write_events(world, (make_started(make_brief(ONE)),), "run-0")
    write_events(world, (*began, *refused, failed))
    with served(world) as page:
        run = f"{page.repository}/runs/run-1"
        first, shown = page.read("/").text, page.read(run).text
        post_mortem = page.read(f"{run}/phases/1/documents/POST-MORTEM.json").text
        lost = page.read("/nothing")
    assert "1 false claim caught" in first and "0 of 1 phase landed on" in shown
    assert ">1 more in the day before</a>" in first
    assert "<pre" in post_mortem and "&#34;status&#34;: &#34;failed&#34;" in post_mortem
    assert lost.status == 404 and '<a href="/">What waits for you</a>' in lost.text


def test_what_waits_for_a_verdict_is_named_once_and_described_below(tmp_path: Path) -> None:
    with served(at_rest(tmp_path, deferred=True)) as page:
        shown = page.read("/").text
    assert "waits for your verdict.</h3>" in shown
    assert shown.count("Listen to the tone") == 1


def test_a_draft_is_read_where_it_is_approved(tmp_path: Path) -> None:
    issue = "# Shouting\n\nText that has to be heard is shouted.\n\n## Outcome\n\n- It is loud.\n"
    world = make_issue_world(tmp_path, [], {f"{FOLDER}/prd.md": "", f"{FOLDER}/issue.md": issue})
    assert world.issue("24", "--define").status == 3
    with served(world) as page:
        shown = page.read("/").text
    assert "Text that has to be heard is shouted." in shown and 'value="approve"' in shown
