"""Makes a plan from criteria with a command, and finds simple faults of plans."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from autopilot.simulation.honest.plain import Any, Record

MOST_TASKS = 5
EXPECTATION = re.compile(
    r"(?:expect EXIT:(?P<exit>\d+)|returns (?P<how>at least |at most )?(?P<number>-?\d+)|contains \"(?P<text>[^\"]*)\")"
)
NAMED_FILE = re.compile(r"(?<![\w./-])\w[\w./-]*\.[A-Za-z][A-Za-z0-9]{0,4}(?![\w/])")
TASK = re.compile(r"<task\b([^>]*)>(.*?)</task>", re.DOTALL)
CHECKPOINT = re.compile(r"\btype=\"checkpoint")
NO_COMMAND = "the roadmap gives no command for it, and a scripted planner invents none"
TASK_ID = re.compile(r"\bid=\"([^\"]+)\"")

Criterion = dict[str, Any]


class PlanFiles(Record):
    files: dict[str, str]  # path -> text; empty when no honest plan can be made
    tasks: int
    concerns: list[str]


def make_plan(facts: dict[str, Any], examples: Sequence[dict[str, str]] = ()) -> PlanFiles:
    """One task per criterion, at most five. Criteria without a command are listed as concerns."""
    phase, criteria = facts.get("phase", {}), facts.get("criteria", [])
    usable = [criterion for criterion in criteria if can_be_planned(criterion)]
    concerns = [
        f"not planned, no command that can be run: {criterion['text']}"
        for criterion in criteria
        if criterion not in usable
    ]
    if not usable or not phase.get("folder"):
        return PlanFiles({}, 0, concerns or ["there is no criterion to plan for"])
    tasks = {f"{pad_phase(phase['id'])}-{n:02}": part for n, part in enumerate(group_criteria(usable), start=1)}
    files = {f"{phase['folder']}/tests/task-{task}.sh": render_test(task, part) for task, part in tasks.items()}
    if held := [render_held_out(example) for example in examples if "`" not in example["other"]]:
        files[f"{phase['folder']}/HELD-OUT.md"] = "\n".join(["# Held out", "", *held, ""])
    return PlanFiles(
        {f"{phase['folder']}/PLAN.md": render_plan(phase, tasks, facts.get("promises", [])), **files},
        len(tasks),
        concerns,
    )


def render_held_out(example: dict[str, str]) -> str:
    """What another input must be answered is not known here; that its answer is another one is."""
    command = f'test "$({example["other"]})" != "$({example["command"]})"'
    return f"- Another input gets another answer ({one_line(example['text'])}) -- verified by: `{command}`"


def can_be_planned(criterion: Criterion) -> bool:
    """A backquote would end the command in the plan early; an unknown expectation is never guessed."""
    command, expectation = criterion.get("command", ""), criterion.get("expectation", "")
    return bool(command) and "`" not in command and (not expectation or bool(EXPECTATION.fullmatch(expectation)))


def group_criteria(criteria: list[Criterion]) -> list[list[Criterion]]:
    size = -(-len(criteria) // MOST_TASKS)
    return [criteria[start : start + size] for start in range(0, len(criteria), size)]


def render_plan(phase: dict[str, Any], tasks: dict[str, list[Criterion]], promises: list[dict[str, Any]]) -> str:
    """Every success criterion has a row, or a command of its own."""
    ids, name = ", ".join(tasks), phase["name"]
    rows = [f"| {requirement} | {ids} | {name} |" for requirement in phase.get("requirements", [])]
    rows += [f"| {promise['name']} | reviewer: {NO_COMMAND} | |" for promise in promises if not promise["checks"]]
    table = ["## Traceability", "", "| Requirement | Task(s) | Description |", "|---|---|---|", *rows, ""]
    head = [f"# Plan: Phase {phase['id']} -- {name}", "", phase.get("goal", ""), "", *(table if rows else [])]
    return "\n".join([*head, "## Wave 1", "", *(render_task(task, part) for task, part in tasks.items())])


def render_task(task: str, criteria: list[Criterion]) -> str:
    texts = [one_line(criterion["text"]) for criterion in criteria]
    commands = [f"`{criterion['command']}`{render_expectation(criterion)}" for criterion in criteria]
    files = named_files(criteria)
    lines = [
        f'<task id="{task}" type="auto" complexity="simple">',
        f"### Task {task}: {texts[0]}",
        *([f"**Files:** {', '.join(files)}"] if files else []),
        f"**Action:** Make this hold: {'; '.join(texts)}",
        "**Verify:**",
        *(f"- {text} -- verified by: {command}" for text, command in zip(texts, commands, strict=True)),
        f"**Done:** `tests/task-{task}.sh` ends with 0.",
        "</task>",
        "",
    ]
    return "\n".join(lines)


def render_test(task: str, criteria: list[Criterion]) -> str:
    checks = [
        f"out=$(bash -o pipefail -c {shlex.quote(criterion['command'])} 2>&1); code=$?\n"
        f"{render_condition(criterion)}; report $? {shlex.quote(one_line(criterion['text']))}"
        for criterion in criteria
    ]
    return "\n".join(
        [
            "#!/bin/bash",
            f"# Task {task}: run from the project's root; ends with 0 only if every criterion holds.",
            "failed=0",
            'report() { if [ "$1" -eq 0 ]; then echo "PASS: $2"; else echo "FAIL: $2"; failed=1; fi; }',
            "last_number() { grep -xE '[[:blank:]]*-?[0-9]+[[:blank:]]*' <<<\"$out\" | tail -n1 | tr -d '[:blank:]'; }",
            *checks,
            'exit "$failed"',
            "",
        ]
    )


def render_condition(criterion: Criterion) -> str:
    """The test of ``$out`` and ``$code`` that decides as Autopilot itself does; see planning/plan/expectation.py."""
    found = EXPECTATION.fullmatch(criterion.get("expectation", ""))
    if found is None or found["exit"] is not None:
        return f'[ "$code" -eq {found["exit"] if found else 0} ]'
    if found["number"] is not None:
        sign = {"at least ": "-ge", "at most ": "-le", None: "-eq"}[found["how"]]
        return f'[ "$code" -le 1 ] && [ "$(last_number)" {sign} {found["number"]} ] 2>/dev/null'
    return f'[ "$code" -lt 126 ] && [[ "$out" == *{shlex.quote(found["text"])}* ]]'


def find_faults(plan: str, scripts: dict[str, str], requirements: list[str]) -> list[tuple[str, str, str]]:
    """Obvious faults: (dimension, description, remedy)."""
    blocks = TASK.findall(plan)
    if not blocks:
        return [("tasks", "the plan holds no task", "write at least one <task id=…>")]
    faults = []
    # A checkpoint is for the user: it needs neither a command nor a script.
    tasks = [(TASK_ID.search(head), body) for head, body in blocks if not CHECKPOINT.search(head)]
    # A supplement to the user's plan may describe a task of the same id further.
    bodies = [
        "\n".join(text for other, text in tasks if match and other and other[1] == match[1]) for match, _ in tasks
    ]
    for number, ((match, own_body), joined) in enumerate(zip(tasks, bodies, strict=True), start=1):
        body = joined or own_body
        name = match[1] if match else f"number {number}"
        # Plans of GSD give their tasks neither ids nor scripts: Autopilot numbers them, and <verify> is what is run.
        if match and name not in scripts:
            faults.append(("tests", f"task {name} has no test script", f"write tests/task-{name}.sh"))
        if "verified by:" not in body and "<verify" not in body:
            faults.append(("criteria", f"task {name} has no criterion with a command", "add `-- verified by:`"))
    missing = [requirement for requirement in requirements if requirement not in plan]
    return faults + [("traceability", f"{requirement} has no task", "add it to the table") for requirement in missing]


def render_expectation(criterion: Criterion) -> str:
    return f" ({criterion['expectation']})" if criterion.get("expectation") else ""


def named_files(criteria: list[Criterion]) -> list[str]:
    found = (path for criterion in criteria for path in NAMED_FILE.findall(criterion["command"]))
    return list(dict.fromkeys(found))


def pad_phase(phase: str) -> str:
    match = re.match(r"\d*", phase)
    digits = match[0] if match else ""
    return digits.zfill(2) + phase[len(digits) :] if digits else phase


def one_line(text: str) -> str:
    return " ".join(text.split())
