"""Replays a test command: it must fail at the commit of the test and pass at the commit of the implementation."""

from __future__ import annotations

import tempfile
from pathlib import Path, PurePosixPath

from autopilot.adapters.git.checkout.checkout import GitCheckout
from autopilot.adapters.git.isolation import isolated_git
from autopilot.adapters.git.removal import remove_tree
from autopilot.adapters.git.repository import locate
from autopilot.adapters.git.vault import GitVault
from autopilot.adapters.git.workspaces import GitWorkspaces
from autopilot.adapters.sandbox.layers import DependencyLayers
from autopilot.adapters.sandbox.toolchains import find_toolchains
from autopilot.api.issue.red_evidence import find_commit
from autopilot.engine.inputs import settle_policy
from autopilot.engine.planning_files import read_config
from autopilot.model.conditions import Environment, SearchPath, activate
from autopilot.model.errors import Unavailable
from autopilot.model.issue.issue import RedRow
from autopilot.model.policy import Policy
from autopilot.ports.layers import Layer, SetupRun
from autopilot.ports.sandbox import (
    CommandSpec,
    Exited,
    NeverRan,
    Outcome,
    Profile,
    describe_ended,
    run,
)
from autopilot.settings.reading import Settings
from autopilot.settings.sandboxes import make_sandbox
from autopilot.steps.observing.surroundings import under

LABEL = "replay"
NOT_RUN_STATUSES = (126, 127)  # exit statuses of the shell: the command did not run


def replay_red_and_green(row: RedRow, command: str, folder: Path, settings: Settings) -> str:
    """Why the command did not fail and then pass, or "". Runs in the sandbox and leaves no trace.

    Only exit statuses are compared; the reason of a failure and single tests are checked during the issue itself.
    """
    scratch = Path(tempfile.mkdtemp(prefix="autopilot-replay-"))
    try:
        return _Replay(locate(folder)[0], settings, scratch).replay(row, command)
    finally:
        remove_tree(scratch)


class _Replay:
    """A temporary vault, exports and sandbox for one replay."""

    def __init__(self, project: Path, settings: Settings, scratch: Path) -> None:
        self._project = project
        self._vault = GitVault(scratch / "vault.git", project)
        toolchains = find_toolchains(settings.environment.get("PATH", ""))
        self._sandbox = make_sandbox(scratch, settings, toolchains)
        self._workspaces = GitWorkspaces(scratch / "workspaces", self._vault, self._sandbox.give_away)
        self._layers = DependencyLayers(scratch / "layers", self._sandbox, toolchains)
        checkout = GitCheckout(project, self._vault)
        policy = Policy(confined=settings.confined, conditions=settings.conditions, timeouts=settings.timeouts)
        self._policy, _ = settle_policy(policy, read_config(checkout), checkout.facts(), checkout)

    def replay(self, row: RedRow, command: str) -> str:
        """The acceptance tests must be equal at both commits, or two different tests would be compared."""
        git = isolated_git(self._project, self._vault.path)
        before, after = find_commit(git, row.commit), find_commit(git, row.impl_sha)
        self._vault.adopt(before)
        self._vault.adopt(after)
        folder = row.at_file.rstrip("/") + "/"
        changed = [change.path for change in self._vault.changes(before, after)]
        if differing := [path for path in changed if f"{path}/".startswith(folder)]:
            return f"{differing[0]} differs between {row.commit} and {row.impl_sha}"
        layer = self._dependencies(self._export(before))
        at_base = layer.environment if layer else Environment()
        return self._check_outcome(command, before, at_base, passes=False) or self._check_outcome(
            command, after, at_base, passes=True
        )

    def _check_outcome(self, command: str, commit: str, at_base: Environment, *, passes: bool) -> str:
        outcome = self._run(command, commit, at_base)
        ended = outcome.ended
        if isinstance(ended, NeverRan):
            hint = "`autopilot doctor` checks git and the sandbox"
            raise Unavailable(f"the command could not be run: {ended.reason}", hint)
        short = commit[:12]
        if not isinstance(ended, Exited) or ended.code in NOT_RUN_STATUSES:
            return f"the test did not finish at {short}: {describe_ended(ended)}"
        if passes and ended.code != 0:
            return f"the command must pass at {short}, but it exited with status {ended.code}"
        return "" if passes or ended.code != 0 else f"the command must fail at {short}, but it passed"

    def _export(self, commit: str) -> PurePosixPath:
        return PurePosixPath(self._workspaces.export(commit))

    def _run(self, command: str, commit: str, at_base: Environment) -> Outcome:
        backing = self._export(commit)
        layer = self._dependencies(backing)
        spec = CommandSpec(
            argv=("bash", "-o", "pipefail", "-c", command),
            profile=Profile.VERIFY,
            project=PurePosixPath(self._project),
            backing=backing,
            layers=(layer.project,) if layer else (),
            home_layers=(layer.home,) if layer else (),
            search=activate(at_base, layer.environment) if layer else SearchPath(),
            timeout_s=self._policy.timeouts.test,
            label=LABEL,
        )
        return run(self._sandbox, under(self._policy.conditions, spec))

    def _dependencies(self, backing: PurePosixPath) -> Layer | None:
        setup = self._policy.commands.setup
        if not setup:
            return None
        timeout_s, grants = self._policy.timeouts.setup, self._policy.conditions.setup_env
        asked = SetupRun(setup, PurePosixPath(self._project), timeout_s, LABEL, grants=grants)
        layer = self._layers.ensure(asked, backing)
        if isinstance(layer, Outcome):
            raise Unavailable(
                f"the setup command failed: {setup}", "correct project.commands.setup in .planning/config.json"
            )
        return layer
