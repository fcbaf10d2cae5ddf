"""A phase of which the roadmap asks five things without a command, and plans that answer for them or do not."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.scenario.kit.calls import Call, plan_call
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.reviews import verifier
from tests.scenario.kit.world import World, base_config, make_world

CRITERIA = (
    "Part 1 says its name",
    "Part 1 ends without an error",
    "The words of part 1 are friendly",
    "Part 1 is explained to whoever reads it",
    "The greeting fits on a small screen",
)
FOLDER = ".planning/phases/01-part-1"
OPINION = "reviewer: friendliness and explanation are a matter of reading, no command measures them"
EYES = "person: how the greeting looks on a telephone can only be seen there"
# What an honest planner would write; a test says where its own differs.
ROWS = {"SC-1": "01-01.c1", "SC-2": "01-01.c2", "SC-3": OPINION, "SC-4": OPINION, "SC-5": "01-01"}
PROVABLE = {f"SC-{number}": "01-01" for number in range(1, 6)}
SAYS, ENDS, KEPT = "Part 01-01 says its name", "It ends without an error", "The scripts still parse"
SCRIPT = f"""#!/bin/bash
failed=0
report() {{ if [ "$1" -eq 0 ]; then echo "PASS: $2"; else echo "FAIL: $2"; failed=1; fi; }}
[ "$(sh part-01-01.sh 2>&1)" = "part 01-01" ]; report $? "{SAYS}"
sh part-01-01.sh >/dev/null 2>&1; report $? "{ENDS}"
sh check.sh; report $? "{KEPT}"
exit "$failed"
"""


def five_world(folder: Path, **config: Any) -> World:
    world = make_world(folder, config={**base_config(), "workflow": {"research": False}, **config})
    roadmap = world.read(".planning/ROADMAP.md")
    listed = "\n".join(f"  {number}. {text}" for number, text in enumerate(CRITERIA, start=1))
    world.write(".planning/ROADMAP.md", roadmap.replace("  1. Part 1 says its name", listed))
    world.commit("five things are asked for")
    return world


def plan_text(rows: Mapping[str, str]) -> str:
    table = "\n".join(f"| {name} | {answer} | |" for name, answer in {"PART-01": "01-01", **rows}.items())
    return f"""# Phase 1 Plan: Part 1

## Traceability

| Requirement | Task(s) | Description |
|---|---|---|
{table}

## Wave 1

<task id="01-01" type="auto" complexity="simple">
### Task 01-01: Part 1 speaks
**Files:** part-01-01.sh
**Action:** Add part-01-01.sh, which prints its name.
**Verify:**
- {SAYS} -- verified by: `sh part-01-01.sh` (contains "part 01-01")
- {ENDS} -- verified by: `sh part-01-01.sh`
- [keep] {KEPT} -- verified by: `sh check.sh`

**Done:** It speaks.
</task>
"""


def planner(rows: Mapping[str, str], attempt: int | None = None) -> Call:
    call = plan_call(Plot(), 1)
    texts = {"PLAN.md": plan_text(rows), "task-01-01.sh": SCRIPT}
    actions = [
        {**action, "text": texts[action["write"].rpartition("/")[2]]} if "write" in action else action
        for action in call["do"]
    ]
    return {**call, "do": actions} if attempt is None else {**call, "do": actions, "attempt": attempt}


def reader(*names: str, status: str = "verified", attempt: int | None = None) -> Call:
    """A verifier that reads these and says nothing of any other."""
    call = verifier(1, "01-01", 9.0, attempt=attempt)
    readings = [{"criterion": name, "status": status, "evidence": "part-01-01.sh:1 -- read"} for name in names]
    call["reply"]["criteria_results"] += readings
    return call


def first_lines(world: World) -> dict[str, str]:
    """What each report on the phase says first of it."""
    verification = world.read(f"{FOLDER}/VERIFICATION.md").split("# Phase 1 Verification", 1)[1]
    summary = world.read(f"{FOLDER}/SUMMARY.md").split("# Phase 1 Summary", 1)[1]
    evidence = world.autopilot("evidence", "1").out
    phase = world.status["phases"]["1"]
    return {
        "verification": verification,
        "summary": summary,
        "evidence": " ".join(evidence.split()),
        "status": world.autopilot("status").out,
        "page": world.read(".autopilot/report.html"),
        "json": phase["promised"]["line"],
        "result": phase["result"]["summary"],
    }
