"""The honest planner's plan passes our own parser and lint, and its test scripts decide as we do (CRIT, PLAN)."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from autopilot.gates.held_out import refuse_lone_examples
from autopilot.model.planning.complaint import Severity
from autopilot.model.planning.criterion import Form
from autopilot.model.planning.plan import Dialect
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Commands
from autopilot.planning.lint.plan_rules import lint_plan
from autopilot.planning.plan.expectation import judge_output, parse_expectation
from autopilot.planning.plan.held_out import parse_held_out
from autopilot.planning.plan.plan import parse_plan
from autopilot.simulation.honest.plan import find_faults, make_plan

# covers: CRIT, PLAN, PLAN-03

FOLDER = ".planning/phases/03-greet"


def criterion(text: str, command: str, expectation: str = "") -> dict[str, Any]:
    return {"id": text, "text": text, "command": command, "expectation": expectation, "task": ""}


def wanted(*criteria: dict[str, Any], requirements: tuple[str, ...] = ("GRT-01",)) -> dict[str, Any]:
    phase = {"id": "3", "name": "Greet", "goal": "Say hello.", "folder": FOLDER, "requirements": list(requirements)}
    return {"phase": phase, "task": None, "criteria": list(criteria)}


RUNS = criterion("The greeting's tests pass", "python3 -m unittest tests/test_greeting.py")
COUNTS = criterion("It is greeted twice", "grep -c hello greeting.txt", "returns 2")


def test_its_plan_is_read_back_as_it_was_meant() -> None:
    written = make_plan(wanted(RUNS, COUNTS))
    plan = parse_plan(written.files[f"{FOLDER}/PLAN.md"], "PLAN.md", PhaseId("3"), Commands())
    assert plan.dialect is Dialect.LABELS
    assert [task.id for task in plan.tasks] == ["03-01", "03-02"]
    assert plan.traceability == (("GRT-01", ("03-01", "03-02")),)
    first, second = (task.criteria[0] for task in plan.tasks)
    assert (first.text, first.command, first.form) == (RUNS["text"], RUNS["command"], Form.COMMAND)
    assert (second.command, str(second.expectation)) == (COUNTS["command"], "returns 2")
    assert plan.tasks[0].files == ("tests/test_greeting.py",)
    assert (written.tasks, written.concerns) == (2, [])


def test_the_lint_finds_nothing_that_blocks_it() -> None:
    written = make_plan(wanted(RUNS, COUNTS))
    tasks = parse_plan(written.files[f"{FOLDER}/PLAN.md"], "PLAN.md", PhaseId("3"), Commands()).tasks
    scripts = {task.id: written.files[f"{FOLDER}/tests/task-{task.id}.sh"] for task in tasks}
    complaints = lint_plan(tasks, scripts, ours=True)
    assert [str(each) for each in complaints if each.severity is Severity.BLOCKER] == []


def test_it_holds_out_another_input_for_a_criterion_that_is_one_example() -> None:
    swaps = "python3 -c \"import words; print(words.swapcase('{}'))\""
    one = criterion("It swaps", swaps.format("Ada"), 'contains "aDA"')
    example = {"id": "phase.c1", "text": one["text"], "command": one["command"], "other": swaps.format("Beb")}
    files = make_plan(wanted(one), [example]).files
    held = parse_held_out(files[f"{FOLDER}/HELD-OUT.md"], "HELD-OUT.md", Commands())
    tasks = parse_plan(files[f"{FOLDER}/PLAN.md"], "PLAN.md", PhaseId("3"), Commands()).tasks
    criteria = [found for task in tasks for found in task.criteria]
    assert len(list(refuse_lone_examples(criteria, []))) == 1
    assert list(refuse_lone_examples(criteria, held)) == []
    assert f"{FOLDER}/HELD-OUT.md" not in make_plan(wanted(RUNS)).files


def test_many_criteria_share_at_most_five_tasks() -> None:
    written = make_plan(wanted(*(criterion(f"c{n}", f"test -s f{n}") for n in range(12))))
    assert written.tasks == 4
    assert sum(text.count("report $?") for path, text in written.files.items() if path.endswith(".sh")) == 12


def test_what_cannot_be_checked_is_left_out_and_named() -> None:
    prose, unknown = criterion("It feels friendly", ""), criterion("It is fast", "time ./greet", "expect under 1 s")
    written = make_plan(wanted(prose, RUNS, unknown))
    assert written.tasks == 1
    assert [concern.rpartition(": ")[2] for concern in written.concerns] == ["It feels friendly", "It is fast"]


@pytest.mark.parametrize("criteria", [(), (criterion("It feels friendly", ""),)], ids=["none", "prose"])
def test_without_a_command_it_makes_no_plan_and_says_so(criteria: tuple[dict[str, Any], ...]) -> None:
    written = make_plan(wanted(*criteria))
    assert (written.files, written.tasks) == ({}, 0)
    assert written.concerns


@pytest.mark.parametrize(
    ("command", "expectation", "holds"),
    [
        ("true", "", True),
        ("false", "", False),
        ("false | true", "", False),
        ("exit 3", "expect EXIT:3", True),
        ("true", "expect EXIT:1", False),
        ("grep -c hello greeting.txt", "returns 2", True),
        ("grep -c hello greeting.txt", "returns 3", False),
        ("grep -c absent greeting.txt", "returns 0", True),
        ("grep -c hello missing.txt; echo 2; exit 2", "returns 2", False),
        ("echo counting; echo 5; echo done", "returns at least 5", True),
        ("echo 4", "returns at least 5", False),
        ("echo 4", "returns at most 5", True),
        ("echo -4", "returns -4", True),
        ("echo many", "returns at most 5", False),
        ("cat greeting.txt; false", 'contains "hello"', True),
        ("echo hello >&2", 'contains "hello"', True),
        ("cat greeting.txt", 'contains "h*o"', False),
        ("no-such-hello-program", 'contains "hello"', False),
        ("echo 'it''s' \"quoted\"", 'contains "its quoted"', True),
    ],
)
def test_a_test_script_decides_as_we_do(tmp_path: Path, command: str, expectation: str, holds: bool) -> None:
    (tmp_path / "greeting.txt").write_text("hello\nhello\n")
    written = make_plan(wanted(criterion("It's so", command, expectation)))
    script = tmp_path / "task.sh"
    script.write_text(written.files[f"{FOLDER}/tests/task-03-01.sh"])
    done = subprocess.run(["bash", str(script)], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == (("PASS: It's so\n", 0) if holds else ("FAIL: It's so\n", 1))

    plain = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    known = parse_expectation(expectation)
    assert known is not None
    assert judge_output(known, plain.returncode, plain.stdout.decode()) is holds


def test_a_sound_plan_has_no_faults() -> None:
    written = make_plan(wanted(RUNS, COUNTS))
    assert find_faults(written.files[f"{FOLDER}/PLAN.md"], {"03-01": "x", "03-02": "x"}, ["GRT-01"]) == []


@pytest.mark.parametrize(
    ("plan", "scripts", "fault"),
    [
        ("# Nothing", {}, "the plan holds no task"),
        ("<task>words</task>", {}, "task number 1 has no criterion with a command"),
        ('<task id="a">verified by: `x`</task>', {}, "task a has no test script"),
        ('<task id="a">words</task>', {"a": "x"}, "task a has no criterion with a command"),
        ('<task id="a">verified by: `x`</task>', {"a": "x"}, "GRT-01 has no task"),
    ],
)
def test_an_unsound_plan_has_its_fault_named(plan: str, scripts: dict[str, str], fault: str) -> None:
    assert fault in [what for _, what, _ in find_faults(plan, scripts, ["GRT-01"])]


def test_a_task_of_gsd_needs_neither_an_id_nor_a_script() -> None:
    assert find_faults('<task type="auto"><verify>npm test</verify></task>', {}, []) == []


def test_a_checkpoint_needs_neither_command_nor_script() -> None:
    written = make_plan(wanted(RUNS, COUNTS))
    asks = '<task id="03-09" type="checkpoint:human-verify">\n### Task 03-09: Listen to it\n</task>\n'
    plan = written.files[f"{FOLDER}/PLAN.md"] + asks
    assert find_faults(plan, {"03-01": "x", "03-02": "x"}, ["GRT-01"]) == []
