"""What `doctor` reports of the planning files: everything that a reader passed over, once, with its line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec.structs import replace

from autopilot.api.findings.finding import Finding
from autopilot.engine.baseline import Progress, with_environment
from autopilot.engine.held_before import describe_held_before, observe_criteria
from autopilot.engine.inputs import Survey
from autopilot.engine.planning_files import CONFIG, Planned
from autopilot.engine.written_plans import make_brief, plan_doubts, read_plans
from autopilot.model.planning.complaint import Complaint, Severity
from autopilot.model.planning.criterion import Criterion
from autopilot.model.planning.outline import Outline
from autopilot.model.policy import Policy
from autopilot.ports.bundle import Ports
from autopilot.ports.git import Checkout
from autopilot.testtools.questions.example import ONE_EXAMPLE, lone_examples
from autopilot.text.naming import plural

CHOOSE = f'"planning" below "autopilot" in {CONFIG} names the one that is to count'
SETTLE = "answer it in that file: the phase is not run before that, and neither is what depends on it"
NOT_READ = "correct it, or leave it: a run goes on without what it could not read"
SECOND_EXAMPLE = "add a second criterion with another value, or a test; as it is, it counts as one example"


def find_other_tools(planned: Planned) -> Iterator[Finding]:
    """Which tool's planning files are read, and what in them only the user can settle."""
    if planned.files.format:
        yield Finding("planning", "ok", f"{planned.files.format}: {plural(len(planned.files.paths), 'file')} read")
    if planned.choice:
        yield Finding("planning", "note", planned.choice, CHOOSE)
    yield from (Finding("planning", "warning", str(found), SETTLE) for found in planned.outline.questions[:20])


def find_unread(outline: Outline, policy: Policy, checkout: Checkout) -> Iterator[Finding]:
    """Of the roadmap, and of the plans of its open phases."""
    roadmap = outline.roadmap
    yield from (_finding("roadmap", complaint) for complaint in roadmap.complaints)
    for phase in (phase for phase in roadmap.phases if not phase.ticked):
        doubts = plan_doubts(roadmap, [phase.id], checkout, lambda _: ())
        brief = make_brief(phase, checkout)
        listed = outline.listed.get(phase.id)
        plans = (replace(listed.plan, tasks=listed.to_do),) if listed else read_plans(brief, policy, checkout)
        tasks = [task for plan in plans for task in plan.tasks]
        planned = [criterion for task in tasks for criterion in task.criteria]
        yield from _examples("roadmap", roadmap.path, lone_examples(brief.criteria, planned))
        for task in tasks:
            yield from _examples("plans", task.path, lone_examples(task.criteria, (*planned, *brief.criteria)))
        for complaint in (*doubts, *(complaint for plan in plans for complaint in plan.complaints)):
            yield _finding("plans", complaint)


def find_held(seen: Survey, commit: str, ports: Ports, progress: Progress) -> Iterator[Finding]:
    """Criteria of the roadmap that hold before any work, as a run tells of them."""
    policy = with_environment("doctor", commit, seen.policy, ports)
    held = observe_criteria("doctor", commit, policy, seen.phases, ports, progress)
    for complaint, remedy in describe_held_before(seen.roadmap.path, seen.policy, seen.phases, held):
        yield _finding("roadmap", complaint, remedy)


def _examples(subject: str, path: str, criteria: Sequence[Criterion]) -> Iterator[Finding]:
    for criterion in criteria:
        message = f"{ONE_EXAMPLE} (`{criterion.command[:80]}`): code that knows this one answer would pass"
        complaint = Complaint(criterion.path or path, criterion.line, message, Severity.INFO)
        yield _finding(subject, complaint, SECOND_EXAMPLE)


def _finding(subject: str, complaint: Complaint, remedy: str = NOT_READ) -> Finding:
    state: Literal["note", "warning"] = "note" if complaint.severity is Severity.INFO else "warning"
    return Finding(subject, state, str(complaint), remedy)
