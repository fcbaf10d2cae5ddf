"""Stories that go on after their last phase: an audit, fixes, a version."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.scenario.kit.calls import Call, commit_all, executor_claim, usage
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import World, base_config, make_world
from tests.scenario.stories.story import Story

PACKAGE = '{\n  "name": "parts",\n  "version": "1.2.0"\n}\n'
CHANGES = "# Changelog\n\n## [Unreleased]\n\n### Added\n- parts\n\n## [1.2.0] - 2024-01-01\n\n- a beginning\n"
MISSING = "the readme does not say hello"
CHECK = "grep -q hello README.md"


def clean(folder: Path, plot: Plot | None = None, **config: Any) -> World:
    """One phase, a version and a changelog; nothing is missing."""
    world = make_world(folder, plot or Plot(planned=True), config={**base_config(), "autopilot": {}, **config})
    world.write("package.json", PACKAGE)
    world.write("CHANGELOG.md", CHANGES)
    world.commit("a version")
    return world


def mended(folder: Path) -> World:
    """A gap with a check that fails, closed by the first round of fixes."""
    world = clean(folder)
    world.play(audited("gap", attempt=1), fix(1, "hello"))
    return world


def open_gap(folder: Path) -> World:
    """A gap that is there whatever is done about it, and nothing that could show it."""
    world = clean(folder)
    world.play(audited("gap", check=""), fix(1, "one"), fix(2, "two"))
    return world


def strict(folder: Path) -> World:
    """Its test wants the version it knows."""
    return clean(folder, project={"commands": {"test": "grep -q 1.2.0 package.json"}})


def audited(status: str, *, attempt: int = 0, check: str = CHECK) -> Call:
    """What the auditor says of the one requirement there is; every time, or when it is asked for the nth time."""
    result = {
        "requirement_id": "PART-01",
        "phase_id": "1",
        "expected": "there is a part 1",
        "actual_found": "the readme does not name it",
        "file_line_evidence": "README.md:1 -- its title",
        "status": status,
        "gap_description": MISSING,
        "fix_complexity": "small",
        "suggested_fix": "say hello in README.md",
        "check": check,
    }
    call: Call = {"role": "auditor", "phase": "audit", "task": "requirements", "reply": {"results": [result]}}
    return {**call, "usage": usage(), **({"attempt": attempt} if attempt else {})}


def fix(number: int, words: str) -> Call:
    name = f"fix-{number}"
    actions = [{"write": "README.md", "text": f"# parts\n\n{words}\n"}, *commit_all("fixed")]
    said = {"reply": executor_claim(f"{name}-1"), "usage": usage()}
    return {"role": "executor", "phase": name, "task": f"{name}-1", "do": actions, **said}


STORIES = (Story("a_gap_mended_and_a_version", mended, 0),)
