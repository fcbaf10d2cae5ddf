"""Plans and roadmaps are untrusted text: long, odd input is read in time that grows with its length. covers: T1

No clock is asked: a reader that backtracks over these would not come back within the life of the test run.
"""

from __future__ import annotations

import os

import pytest

from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Commands
from autopilot.planning.examples.commands import find_commands
from autopilot.planning.plan.criterion import parse_criterion
from autopilot.planning.plan.plan import parse_plan
from autopilot.planning.roadmap.roadmap import parse_roadmap
from autopilot.planning.roadmap.standing.position import parse_position
from autopilot.planning.roadmap.standing.standing import Surroundings
from autopilot.planning.spec.spec import spec_hash
from autopilot.text.shell import cannot_fail

MANY = 30_000 if os.environ.get("AUTOPILOT_CHAOS") else 10_000


@pytest.mark.parametrize(
    "text",
    [
        "# a" + " " * MANY + "b",
        "`" * MANY,
        "**" * MANY,
        "### Phase 1: " + "✅ " * MANY + "x",
        "### Phase 1" + ".1" * MANY,
        "**Requirements**: " + "A-B-" * MANY,
        "**Depends on**: " + "Phase 1 and " * MANY,
        "<task>\n" + "<name>" * MANY,
        "(" * MANY,
        "a; " * MANY,
        "\n" * MANY,
        "- a\n" * MANY,
        "**Success Criteria**: a\n" * MANY,
        "**Requirements**: A-1\n" * MANY,
        "#### Requirements\n" * MANY,
    ],
)
def test_long_odd_text_is_read_to_the_end(text: str) -> None:
    position = parse_position(f"Phase: 1 of 2\n{text}\nStatus: {text}")
    roadmap = parse_roadmap(f"### Phase 1: x\n{text}", "R", around=Surroundings(position))
    assert roadmap.phases[0].id == "1" == position.phase
    assert parse_plan(f"<task>\n<verify>{text}</verify>\n</task>", "P", PhaseId("1"), Commands()).tasks
    assert parse_criterion(f"x -- verified by: `{text}`", "c", 1, Commands())[0].id == "c"
    assert isinstance(cannot_fail(text), str) and len(spec_hash(text)) == 64


@pytest.mark.parametrize("line", ["### Step 1: a\n", "- [ ] a\n", "- Task 1: a\n", "## Wave 1: a\n", "| Task ID |\n"])
def test_a_long_free_form_plan_is_read_to_the_end(line: str) -> None:
    assert parse_plan(line * MANY, "P", PhaseId("1"), Commands()).path == "P"


@pytest.mark.parametrize(
    "line",
    ["`a b` x\n", "`python a.py x` y\n", "`python a.py x.txt` y\n", "`a b` prints `c`, prints `d`\n", "`` a ` b ``\n"],
)
def test_a_paragraph_of_many_spans_of_code_is_read_to_the_end(line: str) -> None:
    assert find_commands(line * MANY, lambda path: path == "a.py") == ()
