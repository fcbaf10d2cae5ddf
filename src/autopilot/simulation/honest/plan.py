"""A plan made from criteria that carry a command, in the sources' dialect, and simple faults of any such plan."""

from __future__ import annotations

import re
import shlex
from typing import Any, NamedTuple

MOST_TASKS = 5
EXPECTATION = re.compile(
    r"(?:expect EXIT:(?P<exit>\d+)|returns (?P<how>at least |at most )?(?P<number>-?\d+)|contains \"(?P<text>[^\"]*)\")"
)
NAMED_FILE = re.compile(r"(?<![\w./-])\w[\w./-]*\.[A-Za-z][A-Za-z0-9]{0,4}(?![\w/])")
TASK = re.compile(r"<task\b([^>]*)>(.*?)</task>", re.DOTALL)
CHECKPOINT = re.compile(r"\btype=\"checkpoint")
TASK_ID = re.compile(r"\bid=\"([^\"]+)\"")

Criterion = dict[str, Any]


class Written(NamedTuple):
    files: dict[str, str]  # path -> text; nothing when no honest plan can be made
    tasks: int
    concerns: list[str]


def make_plan(facts: dict[str, Any]) -> Written:
    """One task a criterion, at most five. What has no command cannot be planned here and is said to be left out."""
    phase, criteria = facts.get("phase", {}), facts.get("criteria", [])
    usable = [each for each in criteria if is_usable(each)]
    concerns = [f"not planned, no command that can be run: {each['text']}" for each in criteria if each not in usable]
    if not usable or not phase.get("folder"):
        return Written({}, 0, concerns or ["there is no criterion to plan for"])
    tasks = {f"{padded(phase['id'])}-{n:02}": part for n, part in enumerate(parts(usable), start=1)}
    files = {f"{phase['folder']}/tests/task-{task}.sh": render_test(task, part) for task, part in tasks.items()}
    return Written({f"{phase['folder']}/PLAN.md": render_plan(phase, tasks), **files}, len(tasks), concerns)


def is_usable(criterion: Criterion) -> bool:
    """A back-quote would end the command early in the plan; an unknown expectation is never guessed."""
    command, expectation = criterion.get("command", ""), criterion.get("expectation", "")
    return bool(command) and "`" not in command and (not expectation or bool(EXPECTATION.fullmatch(expectation)))


def parts(criteria: list[Criterion]) -> list[list[Criterion]]:
    size = -(-len(criteria) // MOST_TASKS)
    return [criteria[start : start + size] for start in range(0, len(criteria), size)]


def render_plan(phase: dict[str, Any], tasks: dict[str, list[Criterion]]) -> str:
    ids, name = ", ".join(tasks), phase["name"]
    rows = [f"| {requirement} | {ids} | {name} |" for requirement in phase.get("requirements", [])]
    table = ["## Traceability", "", "| Requirement | Task(s) | Description |", "|---|---|---|", *rows, ""]
    head = [f"# Plan: Phase {phase['id']} -- {name}", "", phase.get("goal", ""), "", *(table if rows else [])]
    return "\n".join([*head, "## Wave 1", "", *(render_task(task, part) for task, part in tasks.items())])


def render_task(task: str, criteria: list[Criterion]) -> str:
    texts = [one_line(each["text"]) for each in criteria]
    commands = [f"`{each['command']}`{suffix(each)}" for each in criteria]
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
        f"out=$(bash -o pipefail -c {shlex.quote(each['command'])} 2>&1); code=$?\n"
        f"{condition(each)}; report $? {shlex.quote(one_line(each['text']))}"
        for each in criteria
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


def condition(criterion: Criterion) -> str:
    """The test of ``$out`` and ``$code`` that decides as Autopilot itself does; see planning/plan/expectation.py."""
    found = EXPECTATION.fullmatch(criterion.get("expectation", ""))
    if found is None or found["exit"] is not None:
        return f'[ "$code" -eq {found["exit"] if found else 0} ]'
    if found["number"] is not None:
        sign = {"at least ": "-ge", "at most ": "-le", None: "-eq"}[found["how"]]
        return f'[ "$code" -le 1 ] && [ "$(last_number)" {sign} {found["number"]} ] 2>/dev/null'
    return f'[ "$code" -lt 126 ] && [[ "$out" == *{shlex.quote(found["text"])}* ]]'


def find_faults(plan: str, scripts: dict[str, str], requirements: list[str]) -> list[tuple[str, str, str]]:
    """What is wrong at first sight: (dimension, description, what to do)."""
    blocks = TASK.findall(plan)
    if not blocks:
        return [("tasks", "the plan holds no task", "write at least one <task id=…>")]
    faults = []
    # A checkpoint is for a person: it needs neither command nor script.
    tasks = [(TASK_ID.search(head), body) for head, body in blocks if not CHECKPOINT.search(head)]
    # A supplement beside a user's plan says more about a task of the same id.
    bodies = [
        "\n".join(more for other, more in tasks if found and other and other[1] == found[1]) for found, _ in tasks
    ]
    for number, ((found, own), joined) in enumerate(zip(tasks, bodies, strict=True), start=1):
        body = joined or own
        name = found[1] if found else f"number {number}"
        if not found:
            faults.append(("tasks", f"task {name} has no id", 'add id="NN-MM"'))
        elif name not in scripts:
            faults.append(("tests", f"task {name} has no test script", f"write tests/task-{name}.sh"))
        if "verified by:" not in body and "<verify" not in body:
            faults.append(("criteria", f"task {name} has no criterion with a command", "add `-- verified by:`"))
    missing = [each for each in requirements if each not in plan]
    return faults + [("traceability", f"{each} has no task", "add it to the table") for each in missing]


def suffix(criterion: Criterion) -> str:
    return f" ({criterion['expectation']})" if criterion.get("expectation") else ""


def named_files(criteria: list[Criterion]) -> list[str]:
    found = (path for each in criteria for path in NAMED_FILE.findall(each["command"]))
    return list(dict.fromkeys(found))


def padded(phase: str) -> str:
    whole = re.match(r"\d*", phase)
    digits = whole[0] if whole else ""
    return digits.zfill(2) + phase[len(digits) :] if digits else phase


def one_line(text: str) -> str:
    return " ".join(text.split())
