"""A run that a cap stopped goes on from the page, with the cap that its user names. covers: INV-8, CMD-WEB"""

from __future__ import annotations

import re
from pathlib import Path

from tests.scenario.kit.browsing import served
from tests.scenario.kit.looking import wait_until
from tests.scenario.kit.resting import write_events
from tests.scenario.kit.world import World, make_world
from tests.unit import issue_runs


def test_the_cap_that_stopped_a_run_is_raised_and_the_run_goes_on(world: World) -> None:
    assert world.run("--budget-tokens", "1").status != 0
    with served(world) as page:
        shown = page.read("/").text
        assert "Raise the cap and resume" in shown
        [proposed] = re.findall(r'name="--budget-tokens" value="(\d+)"', shown)
        run = re.findall(rf'href="({page.repository}/runs/[^"/]+)"', shown)[0]
        refused = page.post(f"{run}/resume", **{"--budget-tokens": "many; --now"})
        assert refused.startswith("bad: --budget-tokens needs a number")
        assert page.post(f"{run}/resume", **{"--budget-tokens": proposed}).startswith("good: ")
        wait_until(lambda: "every phase passed" in page.read(run).text, "the run ends")


def test_a_halted_issue_says_why_traces_its_criteria_and_takes_a_finding(tmp_path: Path) -> None:
    world = make_world(tmp_path)
    write_events(world, issue_runs.HALTED)
    with served(world) as page:
        first = page.read("/").text
        assert "two iterations failed in exactly the same way" in first
        assert 'name="finding"' in first
        run = page.read(f"{page.repository}/runs/run-1").text
        for text in ("From each criterion to its proof", "AT-001", "it was not run", "From each file back"):
            assert text in run
