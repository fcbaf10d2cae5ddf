"""What was red before is not the work's fault; what is newly red is, and what never ran is neither. GATE, T8.R, T2"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.scenario.kit.calls import Call, claim, commit_all, work
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import World, base_config, few_tries, make_world

TASK = "01-01"
# A linter of the project's own that prints what linters print: one finding for each tab.
LINTER = """import pathlib
import sys

found = [
    f"{path}:{number}:1: W191 a tab before {line.strip()}"
    for path in sorted(pathlib.Path(".").glob("*.sh"))
    for number, line in enumerate(path.read_text().splitlines(), 1)
    if line.startswith("\\t")
]
print(*found, f"Found {len(found)} errors.", sep="\\n")
sys.exit(bool(found))
"""
PART = {"write": "part-01-01.sh", "text": "echo part 01-01\n"}
TABBED = {"write": "part-01-01.sh", "text": "if true; then\n\techo part 01-01\nfi\n"}
TIDIED = {"write": "old.sh", "text": "if true; then\n  echo old\nfi\n"}
# Two lines more above the old finding: it stands elsewhere, and is the same.
MOVED = {"write": "old.sh", "text": "# more\n# and more\nif true; then\n\techo old\nfi\n"}


def make_linted(folder: Path, commands: Mapping[str, str], config: Mapping[str, Any] | None = None) -> World:
    project = {"project": {"commands": {"test": "sh check.sh", **commands}}}
    plot = Plot(planned=True, files=("old.sh", "linting/__main__.py"))
    world = make_world(folder, plot, config={**(config or base_config()), **project})
    world.write("linting/__main__.py", LINTER)
    world.write("old.sh", "if true; then\n\techo old\nfi\n")
    world.commit("a linter, and something it finds")
    return world


def lines_of(err: str, start: str) -> list[str]:
    return [line for line in err.splitlines() if line.startswith(start)]


def test_a_check_that_is_red_by_the_findings_of_before_does_not_fail_the_phase(tmp_path: Path) -> None:
    world = make_linted(tmp_path, {"lint": "python3 -m linting"})
    world.play(claim(TASK, PART, MOVED, *commit_all(TASK)))
    ran = world.run()
    assert ran.status == 0, ran.err
    assert "[Phase 1] baseline lint FAIL" in ran.err
    excused = "RED BEFORE -- its 1 finding was there before the work began; nothing else is red"
    assert lines_of(ran.err, "[Phase 1] lint") == [f"[Phase 1] lint {excused}"]
    assert "its 1 finding was there before the work began" in world.read(f"{world.plot.folder(1)}/VERIFICATION.md")
    assert world.read("part-01-01.sh") == "echo part 01-01\n"


LIES: dict[str, tuple[tuple[Call, ...], str]] = {
    "an old finding removed and a new one added": (
        (TABBED, TIDIED),
        "lint: new since the work began: part-01-01.sh: W191 a tab before echo part 01-01",
    ),
    "a linter that does not run any more": (
        (TABBED, {"git": ["rm", "-q", "-r", "linting"]}),
        "lint: the Python module linting is not installed",
    ),
    "a linter that crashes": (
        (TABBED, {"write": "linting/__main__.py", "text": "raise RuntimeError('no rules')\n"}),
        "lint: the command failed, and cannot be compared with before",
    ),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_new_finding_or_a_linter_put_out_of_action_is_refused(tmp_path: Path, lie: str) -> None:
    actions, evidence = LIES[lie]
    world = make_linted(tmp_path, {"lint": "python3 -m linting"}, few_tries())
    undo = {"git": ["checkout", "-q", "HEAD~1", "--", "linting", "old.sh"]}
    world.play(claim(TASK, *actions, *commit_all(TASK)), claim(TASK, undo, PART, *commit_all(TASK), role="debugger"))
    ran = world.run()
    failed = lines_of(ran.err, "[Phase 1] Task 01-01: FAILED -- ")
    assert [line for line in failed if evidence in line], (failed, ran.err)
    assert ran.status == 0, ran.err
    assert world.read("part-01-01.sh") == "echo part 01-01\n", "the debugger's work landed, not the lie"


def test_a_check_whose_tool_is_missing_is_shown_as_not_run_and_counts_for_nothing(tmp_path: Path) -> None:
    world = make_linted(tmp_path, {"lint": "nosuchlinter .", "build": "npm run build"})
    world.play(work(TASK))
    ran = world.run()
    assert ran.status == 0, ran.err
    missing = "nosuchlinter is not installed; let `project.commands.setup` install it"
    assert f"[Phase 1] baseline lint NOT RUN -- {missing}" in ran.err
    (said,) = lines_of(ran.err, "[Phase 1] lint")
    assert said == f"[Phase 1] lint NOT RUN -- not run, neither before the work nor after it: {missing}"
    assert [line for line in lines_of(ran.err, "[Phase 1] build NOT RUN") if "no package.json" in line], ran.err
    assert f"not run, neither before the work nor after it: {missing}" in world.read(
        f"{world.plot.folder(1)}/VERIFICATION.md"
    )


def test_a_phase_whose_tests_never_ran_does_not_pass(tmp_path: Path) -> None:
    world = make_linted(tmp_path, {"test": "nosuchtool ."}, few_tries())
    world.play(work(TASK))
    ran = world.run()
    assert ran.status == 1, ran.err
    assert "test: not run, neither before the work nor after it: nosuchtool is not installed" in ran.out + ran.err
    assert not (world.project / "part-01-01.sh").exists()
