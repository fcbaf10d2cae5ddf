"""The tree of a phase in the sandbox in which it was checked, for a person who wants to look for themselves.

Everything lies in a scratch folder: the records, the layers of a run in progress and the user's checkout stay as they
are, and no lock is needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from autopilot.api.assembly import Repository
from autopilot.api.evidence.phase_evidence import find_phase, find_run, last_run_with, read_runs
from autopilot.api.evidence.scratch_world import scratch_world
from autopilot.events.state import PhaseState, RunState
from autopilot.model.conditions import describe_usurped
from autopilot.model.errors import RecordBroken, UsageError
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import PhaseStatus, Step
from autopilot.planning.roadmap.graph import open_dependencies
from autopilot.ports.bundle import Ports
from autopilot.ports.layers import Layer
from autopilot.ports.sandbox import CommandSpec, Outcome, Running
from autopilot.reports.evidence.explanation import shown_commit
from autopilot.settings.reading import Settings
from autopilot.steps.context import StepContext
from autopilot.steps.observing.observing import spell_check
from autopilot.steps.observing.setups import describe_failed_setup, find_dependencies

LONGEST_S = 24 * 3600.0
SHORTEST_NAME = 7  # of a commit
# Both streams as they come: who reads them wants to see them as a terminal would show them.
MERGED = ("bash", "-c", 'exec "$@" 2>&1', "bash")
# A shell that owns its terminal, or Ctrl-C would not reach what runs there: it opens it itself, as the first process of
# a session. Without walls it owns it already.
OWNER = "exec bash --noprofile --norc -i </proc/self/fd/0 >/proc/self/fd/0 2>&1"
INTERACTIVE = ("bash", "-c", f"{{ : </dev/tty; }} 2>/dev/null && {OWNER}; exec setsid --wait bash -c '{OWNER}'")


class Shell(Struct, frozen=True):
    where: str
    spec: CommandSpec
    ports: Ports
    given: tuple[str, ...] = ()  # names of variables of the user's that are set inside

    def start(self, command: str) -> Running:
        """A command, as a check is run."""
        *shell, _ = self.spec.argv
        return self.ports.sandbox.start(replace(self.spec, argv=(*MERGED, *shell, command)))

    def start_at(self, terminal: str, env: dict[str, str]) -> Running:
        """A shell that talks to this terminal."""
        spec = replace(self.spec, argv=INTERACTIVE, stdin=PurePosixPath(terminal), env=env)
        return self.ports.sandbox.start(spec)


def find_shown(repository: Repository, phase: str, run: str = "") -> tuple[RunState, PhaseState]:
    """In the named run, or in the last one that started the phase; UsageError where there is none."""
    runs = read_runs(repository)
    state = find_run(runs, run) if run else last_run_with(runs, phase) or next(reversed(runs.values()))
    return state, find_phase(state, phase)


@contextmanager
def open_shell(
    repository: Repository, settings: Settings, phase: str, run: str = "", *, commit: str = "", before: bool = False
) -> Iterator[Shell]:
    """``commit`` is one of the run, ``before`` the tree before the work; otherwise what was judged last."""
    state, known = find_shown(repository, phase, run)
    with scratch_world(repository, settings) as ports:
        wanted = known.line.base if before else commit or shown_commit(known)
        commit = _find_commit(ports, state, known, wanted, is_named=bool(commit))
        ctx = StepContext(state, known, Step.VERIFY, 1, "", ports)
        backing = PurePosixPath(ports.workspaces.export(commit))
        layer = find_dependencies(ctx, backing)
        where = f"phase {known.id} of {state.run} at {commit[:12]}, a throw-away copy at {ctx.project}, {_given(state)}"
        if isinstance(layer, Outcome):
            where += f"; without its dependencies: {describe_failed_setup(ctx, layer)}"
        spec = spell_check(ctx, backing, layer if isinstance(layer, Layer) else None, "")
        where += f", {spec.search.environment} activated" if spec.search.environment else ""
        where += f"; {usurped}" if (usurped := describe_usurped(spec.search)) else ""
        given = tuple(name for name in spec.grants if name in settings.granted and name in settings.conditions.env)
        yield Shell(where, replace(spec, timeout_s=LONGEST_S), ports, given)


def _given(state: RunState) -> str:
    conditions = state.policy.conditions
    reached = conditions.describe_reach()
    names = ", ".join(daemon.name for daemon in conditions.services)
    return (f"network: {reached}" if reached else "no network") + (f", beside it {names}" if names else "")


def _find_commit(ports: Ports, state: RunState, phase: PhaseState, commit: str, *, is_named: bool) -> str:
    """``is_named``: by the user, who may have misspelt it."""
    if not commit:
        raise UsageError(
            f"phase {phase.id} has not been started in {state.run}: there is no tree to show",
            f"`{' '.join(('autopilot run', *_before(state, phase), phase.id))}` starts it",
        )
    # A short name is one of the commits that the record speaks of; nothing else in the vault is the run's.
    named = {str(getattr(stored.event, "commit", "")) for stored in ports.journal.read(state.run)}
    for found in (commit, *sorted(name for name in named if len(commit) >= SHORTEST_NAME and name.startswith(commit))):
        if ports.vault.has(found):
            return found
    if not is_named:
        lost = f"the commits of {state.run} are gone: {ports.vault.path} is missing or incomplete"
        raise RecordBroken(lost, "put it back from a backup")
    kept = f"; the attempt is on branch {phase.line.diagnostic_branch}" if phase.line.diagnostic_branch else ""
    raise UsageError(
        f"{commit} is not a commit in the records of this repository",
        f"`autopilot evidence {phase.id}` names the commits of the phase{kept}",
    )


def _before(state: RunState, phase: PhaseState) -> list[PhaseId]:
    """What has to be built before it, or with it."""
    completed = (other.id for other in state.phases.values() if other.status is PhaseStatus.COMPLETED)
    waits = {brief.id: brief.depends_on for brief in state.inputs.outline}
    return open_dependencies(phase.id, waits, {*completed, *state.inputs.proven, *state.inputs.ticked})
