"""The phases of a repository with all that is known of each. It only reads, and makes no records."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec.structs import replace

from autopilot.api.assembly import Assembly, Repository, assemble
from autopilot.api.phases.reading import Source, read_source
from autopilot.model.errors import UsageError
from autopilot.model.planning.roadmap import Phase, PhaseId
from autopilot.planning.editing.dependents import dependents_of
from autopilot.planning.editing.obstacles import Deed, refuse_dependents, refuse_followers, refuse_loss
from autopilot.planning.editing.operations import must_know
from autopilot.planning.editing.phase_folders import own_folder
from autopilot.reports.phases.phase_card import PhaseCard
from autopilot.settings.reading import Settings


def read_cards(repository: Repository, settings: Settings, only: PhaseId | None = None) -> tuple[PhaseCard, ...]:
    with open_to_read(repository, settings) as assembly:
        source = read_source(assembly, commits=False)
        phases = source.project.roadmap.phases if only is None else (must_know(source.project, only),)
        return tuple(_card(phase, source) for phase in phases)


@contextmanager
def open_to_read(repository: Repository, settings: Settings) -> Iterator[Assembly]:
    """Where nothing was ever run, in a home that goes again."""
    if repository.home.journal.exists():
        yield assemble(repository, settings)
        return
    with tempfile.TemporaryDirectory(prefix="autopilot-phases-") as name:
        yield assemble(repository, replace(settings, state=Path(name)))


def _card(phase: Phase, source: Source) -> PhaseCard:
    project, work = source.project, source.work
    folder = own_folder(phase, project.paths)
    return PhaseCard(
        phase,
        project.text.path,
        tuple(dependents_of(phase.id, project.text.layout)),
        folder,
        tuple(path for path in project.paths if folder and path.startswith(f"{folder}/")),
        work.proven.get(phase.id, ""),
        work.running.get(phase.id, ""),
        tuple(_obstacles(phase, source)),
    )


def _obstacles(phase: Phase, source: Source) -> Iterator[str]:
    project, work, id = source.project, source.work, phase.id
    checks: tuple[Callable[[], None], ...] = (
        lambda: refuse_loss(project, work, id, Deed.REMOVED),
        lambda: refuse_followers(project, id),
        lambda: refuse_dependents(project, id),
    )
    for check in checks:
        try:
            check()
        except UsageError as error:
            yield str(error).partition(" cannot be removed: ")[2]
