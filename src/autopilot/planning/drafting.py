"""What is wrong with a drafted roadmap, found by rule before anybody is shown it."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.model.errors import UsageError
from autopilot.model.planning.complaint import Severity
from autopilot.model.planning.criterion import Criterion
from autopilot.model.planning.roadmap import PLACEHOLDER, Phase, PhaseId, Roadmap
from autopilot.model.planning.standing import Stand
from autopilot.model.policy import Commands
from autopilot.model.secrecy.terminal import strip_controls, strip_unseen
from autopilot.planning.plan.criterion import cannot_fail
from autopilot.planning.roadmap.graph import topological_order
from autopilot.planning.roadmap.roadmap import parse_roadmap, read_roadmap

MOST_PHASES = 40  # that a draft adds
MOST_COMPLAINTS = 20
_FROM_THERE = "leave every line of the roadmap that is there as it is, and add yours"


def find_faults(before: str, after: str, path: str, commands: Commands) -> tuple[str, ...]:
    """``before``: the roadmap that is there, "" for none."""
    if strip_controls(after) != after.replace("\r\n", "\n"):
        return ("it has control characters, which a diff does not show: write plain text",)
    if _count_unseen(after) > _count_unseen(before):
        return ("it has invisible characters, which a diff does not show: write plain text",)
    try:
        drafted = read_roadmap(after, path, commands)
    except UsageError as error:
        return (f"{error}; {error.hint}",)
    return tuple(_faults(before, after, drafted, commands))[:MOST_COMPLAINTS]


def new_phases(before: str, drafted: Roadmap, commands: Commands) -> tuple[Phase, ...]:
    known = {phase.id for phase in parse_roadmap(before, drafted.path, commands).phases} if before else set()
    return tuple(phase for phase in drafted.phases if phase.id not in known)


def _faults(before: str, after: str, drafted: Roadmap, commands: Commands) -> Iterator[str]:
    if before:
        yield from _changes(before, after, drafted, commands)
    added = new_phases(before, drafted, commands)
    if not added:
        yield "it has no new phase"
    if len(added) > MOST_PHASES:
        yield f"{len(added)} new phases: {MOST_PHASES} at most, and larger ones"
    ids = {phase.id for phase in added}
    for phase in added:
        yield from _of_phase(phase)
    about = (drafted.subjects.get(complaint.line) for complaint in drafted.complaints)
    for complaint, subject in zip(drafted.complaints, about, strict=True):
        if complaint.severity is not Severity.INFO and (subject is None or subject in ids):
            yield str(complaint)
    try:
        topological_order(drafted.phases)
    except UsageError as error:
        yield f"{error}; {error.hint}"


def _changes(before: str, after: str, drafted: Roadmap, commands: Commands) -> Iterator[str]:
    """A draft adds; what the user wrote stays as it is, and is read as it was."""
    left = iter(after.split("\n"))
    lost = next((line for line in before.rstrip("\n").split("\n") if line not in left), None)
    if lost is not None:
        yield f"the line `{lost.strip()[:80]}` was changed, moved or taken out: {_FROM_THERE}"
    found = {phase.id: _read_of(phase) for phase in drafted.phases}
    for phase in parse_roadmap(before, drafted.path, commands).phases:
        if found.get(phase.id) != _read_of(phase):
            yield f"phase {phase.id} would be read otherwise than before: {_FROM_THERE}"


def _read_of(phase: Phase) -> tuple[str, str, tuple[PhaseId, ...], tuple[str, ...], str]:
    stand = phase.standing.stand.value
    return phase.name, phase.goal, phase.depends_on, tuple(str(criterion) for criterion in phase.criteria), stand


def _count_unseen(text: str) -> int:
    return len(text) - len(strip_unseen(text))


def _of_phase(phase: Phase) -> Iterator[str]:
    name = f"phase {phase.id} ({phase.name})"
    if phase.standing.stand is not Stand.OPEN:
        yield f"{name} is {phase.standing}: a drafted phase is open"
    if not phase.goal or PLACEHOLDER in phase.goal:
        yield f"{name} has no goal"
    if not any(criterion.is_new and criterion.is_runnable for criterion in phase.criteria):
        yield f"{name} has no criterion that a command decides: `text -- verified by: `command` (expect EXIT:0)`"
    for criterion in phase.criteria:
        if why := _cannot_fail(criterion):
            yield f"{name}: `{criterion.command[:80]}` cannot fail: {why}"


def _cannot_fail(criterion: Criterion) -> str:
    return cannot_fail(criterion.command) if criterion.is_runnable else ""
