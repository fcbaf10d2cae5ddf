"""A plan file to tasks, whichever dialect: GSD child tags, ``**Label:**`` blocks, or plain ``## Task N``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from autopilot.model.planning.complaint import Complaint, Severity
from autopilot.model.planning.plan import Dialect, Plan, Task
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Commands
from autopilot.planning.plan.answers import parse_answers
from autopilot.planning.plan.feature import feature_blocks, feature_fields
from autopilot.planning.plan.files import built_task_id, find_plans
from autopilot.planning.plan.listed_tasks import listed_blocks
from autopilot.planning.plan.must_haves import parse_must_haves
from autopilot.planning.plan.task_block import Block, task_blocks
from autopilot.planning.plan.task_criteria import task_criteria
from autopilot.planning.plan.task_fields import Fields, child_tags, join_text, labels
from autopilot.planning.plan.traceability import parse_traceability
from autopilot.text.frontmatter import parse_frontmatter
from autopilot.text.lines import Line, heading, items, scan_lines

__all__ = ["find_plans", "parse_plan"]

# An id becomes a file name (tests/task-ID.sh), and a plan is untrusted text. The roadmap's own criteria are numbered
# "phase.c1": a task of that name would have its observations taken for theirs.
_SAFE_ID = re.compile(r"(?!.*\.\.)(?!phase(?:\.|\Z))[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z")


NO_TASK = "no task was found: neither <task> or <feature> blocks, `## Task N` headings, nor a list of tasks"


def parse_plan(text: str, path: str, phase: PhaseId, commands: Commands) -> Plan:
    front = parse_frontmatter(text)
    lines = scan_lines(text)[front.lines :]
    tagged = tuple(task_blocks(lines))
    features = () if tagged else tuple(feature_blocks(lines))
    form, listed = ("", ()) if tagged or features else listed_blocks(lines)
    blocks = tagged or features or listed
    wave = int(front.text_of("wave")) if re.fullmatch(r"[0-9]{1,4}", front.text_of("wave")) else 1
    fields = [feature_fields(block, lines) if features else _fields(block, form) for block in blocks]
    tasks: list[Task] = []
    complaints: list[Complaint] = []
    if listed and form != "headings":
        message = f"there are no <task> blocks: {len(listed)} tasks are read from its {form}"
        complaints.append(Complaint(path, listed[0].line, message, Severity.INFO))
    for ordinal, (block, found) in enumerate(zip(blocks, fields, strict=True), start=1):
        task, task_complaints = _read_task(block, found, built_task_id(path, phase, ordinal), path, wave, commands)
        tasks.append(task)
        complaints.extend(task_complaints)
    if not tasks:
        complaints.append(Complaint(path, 0, NO_TASK))
    rows, table_line = parse_traceability(lines, [task.id for task in tasks])
    return Plan(
        path,
        _dialect(bool(tagged or features), fields),
        tuple(tasks),
        requirements=(*front.list_of("requirements"), *front.list_of("requirements_addressed")),
        traceability=rows,
        traceability_line=table_line,
        answers=parse_answers(lines, [task.id for task in tasks], path),
        must_haves=parse_must_haves(text),
        depends_on=front.list_of("depends_on"),
        depends_line=front.line_numbers.get("depends_on", 0),
        complaints=tuple(complaints),
    )


def _read_task(
    block: Block, fields: Fields, built: str, path: str, wave: int, commands: Commands
) -> tuple[Task, list[Complaint]]:
    id, complaints = _task_id(block, fields, built, path)
    if not block.closed:
        complaints.append(Complaint(path, block.line, f"task {id} is never closed by </task>"))
    found = task_criteria(id, fields, path, commands)
    given_wave = block.attributes.get("wave", "")
    task = Task(
        id,
        _title(block, fields) or id,
        type=block.attributes.get("type") or join_text(fields.get("type", ())) or "auto",
        complexity=(block.attributes.get("complexity") or join_text(fields.get("complexity", ()))).strip().lower(),
        files=_files(fields.get("files", ())),
        action=_action(block, fields),
        criteria=tuple(found.criteria),
        done=join_text(_first(fields, "done", "done when", "how-to-verify")),
        wave=int(given_wave) if re.fullmatch(r"[0-9]{1,4}", given_wave) else block.wave or wave,
        line=block.line,
        path=path,
    )
    return task, complaints + found.complaints


def _action(block: Block, fields: Fields) -> str:
    action = join_text(_first(fields, "action", "description", "what-built", "implementation"))
    expected = join_text(fields.get("behavior", ()))
    if expected:
        return f"{action}\n\nExpected behavior:\n{expected}".strip()
    return action or ("" if fields else block.text.strip())


def _task_id(block: Block, fields: Fields, built: str, path: str) -> tuple[str, list[Complaint]]:
    given = block.attributes.get("id") or join_text(fields.get("id", ()))
    if not given and "-" in (number := block.attributes.get("number", "")):
        given = number
    if not given or _SAFE_ID.match(given):
        return given or built, []
    return built, [Complaint(path, block.line, f"task id `{given[:40]}` is not valid; {built} is used instead")]


def _fields(block: Block, form: str) -> Fields:
    """Child tags win; labels inside a tag's text are that text. What comes before the labels of a list item is work."""
    if not form or form == "headings":
        return child_tags(block.body) or labels(block.body)
    found = labels(block.body, unbold=True)
    first = min((lines[0].number for lines in found.values() if lines), default=0)
    before = tuple(line for line in block.body if line.number < first)
    return {"action": before, **found} if found and before else found


def _title(block: Block, fields: Fields) -> str:
    named = join_text(_first(fields, "name", "n", "title")) or block.attributes.get("name", "")
    if not named:
        named = next((found.text for line in block.body if (found := heading(line))), "")
    return re.sub(r"^\s*Task\s+[0-9][\w.-]*\s*[:–—-]\s*", "", named, flags=re.IGNORECASE).strip(" *")


def _files(lines: Sequence[Line]) -> tuple[str, ...]:
    """Paths from a comma list, a block list, or backticks; remarks in brackets or after a dash are left out."""
    found: list[str] = []
    listed = [text for _, text in items(lines)] or [line.text for line in lines]
    for text in listed:
        spans = re.findall(r"`([^`\s]+)`", text)
        parts = spans or re.sub(r"\([^()]*\)", "", text).split(",")
        found += [re.split(r"(?<!\s)\s+(?:--?|[–—])\s+", part.strip())[0].strip(" `*") for part in parts]
    return tuple(dict.fromkeys(name.removeprefix("./") for name in found if name and not re.search(r"\s", name)))


def _dialect(tagged: bool, fields: Sequence[Fields]) -> Dialect:
    if not tagged:
        return Dialect.MARKDOWN
    has_labels = any(
        set(found) & {"acceptance criteria", "verification", "complexity", "done when"} for found in fields
    )
    has_tags = any(set(found) & {"name", "n", "title", "what-built", "acceptance_criteria"} for found in fields)
    return Dialect.GSD if has_tags or not (has_labels or any(fields)) else Dialect.LABELS


def _first(fields: Fields, *names: str) -> tuple[Line, ...]:
    return next((fields[name] for name in names if name in fields), ())
