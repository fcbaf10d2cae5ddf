"""The planning files of a checkout, and what the journal knows of their phases, for an edit."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from autopilot.api.assembly import Assembly
from autopilot.engine.history import History, read_history
from autopilot.engine.inputs import refuse_repository
from autopilot.engine.opening import read_past
from autopilot.engine.past import Past, named
from autopilot.engine.planning_files import find_planned, wanted_format
from autopilot.events.state import PhaseState, RunState
from autopilot.model.errors import UsageError
from autopilot.model.planning.outline import Listed
from autopilot.model.planning.roadmap import PhaseId, Roadmap
from autopilot.model.policy import Policy
from autopilot.model.run import LandingStage, PhaseStatus
from autopilot.planning.editing.obstacles import Work
from autopilot.planning.editing.project import Project
from autopilot.planning.editing.roadmap_text import RoadmapText
from autopilot.planning.roadmap.standing.position import STATE, parse_position
from autopilot.ports.bundle import Ports
from autopilot.ports.git import Checkout

PLANNING = ".planning"
_AT_WORK = {
    PhaseStatus.IN_PROGRESS: "{} is at it",
    PhaseStatus.SPLIT: "{} is at its parts",
    PhaseStatus.NEEDS_HUMAN_VERIFICATION: "its work of {} waits for your verdict",
}


def must_be_gsd(checkout: Checkout) -> None:
    """UsageError where the phases stand in the files of another tool, which has its own way to change them."""
    format = find_planned(checkout, Policy(), wanted=wanted_format(checkout)).files.format
    if format:
        message = f"this repository is planned with {format}, and this command is for a roadmap as GSD writes it"
        raise UsageError(message, f"change the plan with {format}; `autopilot doctor` shows what is read of it")


class Source(Struct, frozen=True):
    project: Project
    work: Work
    head: str  # the commit that the files were read from; "" where they are read as they lie in the checkout
    listed: Mapping[PhaseId, Listed] = {}  # the tasks that another tool's files list


def read_source(assembly: Assembly, *, commits: bool) -> Source:
    """Committed files are read from the commit that the edit is to follow; others as they lie there."""
    ports = assembly.ports
    history = read_history(ports.journal.read())
    past = read_past(history, ports) if ports.checkout.head() else Past()
    planned = find_planned(ports.checkout, Policy(), past, wanted_format(ports.checkout)).outline
    roadmap = planned.roadmap
    facts = ports.checkout.facts() if commits else None
    if facts is None:
        project = _project(roadmap, ports.checkout.list(PLANNING), ports)
        return Source(project, find_work(roadmap, history, past), "", planned.listed)
    refuse_repository(facts)
    ports.vault.adopt(facts.head)
    must_be_committed(roadmap.path, facts.dirty, facts.head, ports)
    project = _project(roadmap, ports.vault.list(facts.head, PLANNING), ports, facts.head)
    return Source(project, find_work(roadmap, history, past), facts.head)


def _project(roadmap: Roadmap, paths: tuple[str, ...], ports: Ports, head: str = "") -> Project:
    def read(path: str) -> bytes | None:
        return ports.vault.read(head, path) if head else ports.checkout.read(path)

    text = (read(roadmap.path) or b"").decode("utf-8", "surrogateescape")
    state = (read(STATE) or b"").decode("utf-8", "replace")
    position = parse_position(state)
    current = None if position.over else position.phase
    return Project(roadmap, RoadmapText(text, roadmap.path, current), paths, read)


def must_be_committed(path: str, dirty: tuple[str, ...], head: str, ports: Ports) -> None:
    """An edit of a roadmap that was edited by hand meanwhile would commit that too."""
    if ports.vault.read(head, path) is None:
        hint = f"commit it: `git add {path} && git commit -m Plan -- {path}`; or write without a commit: --no-commit"
        raise UsageError(f"{path} is not committed yet", hint)
    if path in dirty:
        hint = f"commit it: `git commit -m Plan -- {path}`; or write without a commit: --no-commit"
        raise UsageError(f"{path} has changes that are not committed", hint)


def find_work(roadmap: Roadmap, history: History, past: Past) -> Work:
    """By number and name: a new milestone may use a number again."""
    own = {named(phase): phase.id for phase in roadmap.phases}
    proven = {own[name]: past.earlier[name].run for name in past.proven if name in own and name in past.earlier}
    running: dict[PhaseId, str] = {}
    waiting: list[PhaseId] = []
    unfinished = history.unfinished
    for phase in unfinished.phases.values() if unfinished else ():
        id = own.get(named(phase.brief))
        if unfinished and id and id not in proven and (why := _at_work(unfinished, phase)):
            running[id] = why
            if phase.status is PhaseStatus.NEEDS_HUMAN_VERIFICATION and not phase.is_answered:
                waiting.append(id)
    return Work(proven, running, tuple(waiting))


def _at_work(run: RunState, phase: PhaseState) -> str:
    if form := _AT_WORK.get(phase.status):
        return form.format(run.run)
    is_landed = phase.landing.state == LandingStage.LANDED
    return (
        f"it passed in {run.run} and has not landed" if phase.status is PhaseStatus.COMPLETED and not is_landed else ""
    )
