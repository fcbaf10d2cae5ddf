"""No walls: what runs when the user has switched the sandbox off in writing. Only supervision is left.

What cannot be kept here, and is said in every report: the project does not stand at its own path (a verification works
on a private copy elsewhere), nothing is hidden, the network is on, and a process that means to get away can. What a
mount would show inside the project is laid there as a copy while an agent works.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath

from msgspec.structs import replace

from autopilot.adapters.beneath import copy_missing_beneath
from autopilot.adapters.files import is_input
from autopilot.adapters.git.removal import remove_tree
from autopilot.adapters.openings import Project
from autopilot.adapters.sandbox.bell import Bell, ShouldStop, never_stop
from autopilot.adapters.sandbox.child import Launch, Spelled
from autopilot.adapters.sandbox.never import NeverStarted
from autopilot.adapters.sandbox.registry import Registry
from autopilot.adapters.sandbox.report import open_report, take_report
from autopilot.adapters.sandbox.services.attending import attend, grant
from autopilot.adapters.sandbox.supervisor import Supervised
from autopilot.adapters.sandbox.toolchains import find_toolchains, render_path, render_search
from autopilot.adapters.sandbox.usage import allow, default_memory_mb
from autopilot.model.conditions import Conditions
from autopilot.model.errors import AutopilotError
from autopilot.ports.sandbox import CommandSpec, Probe, Profile, Running

# Waits for leave, then becomes the command: 127 and 126 are the shell's own.
WAITING = 'read -r go || exit 125; input=$1; shift; exec "$@" <"$input"'


class Unconfined:
    def __init__(
        self,
        state: Path,
        *,
        toolchains: tuple[Path, ...] | None = None,
        should_stop: ShouldStop = never_stop,
        granted: Mapping[str, str] = {},
        allowed: Conditions | None = None,
    ) -> None:
        self._copies = state / "copies"
        self._in_use: set[Path] = set()
        self._guard = threading.Lock()
        self._registry = Registry(state)
        self._search_path = render_path(find_toolchains() if toolchains is None else toolchains)
        self._memory_mb = default_memory_mb()
        self._bell = Bell(should_stop)
        self._granted, self._allowed = granted, allowed

    def start(self, spec: CommandSpec) -> Running:
        if not spec.argv:
            return NeverStarted("a command needs at least one word")
        if spec.stdin and not is_input(Path(spec.stdin)):
            return NeverStarted(f"the input file {spec.stdin} is not there")
        try:
            spec = grant(spec, self._granted, self._allowed)
            report, spec = open_report(spec)
            services, spec = attend(replace(spec, network=True))
        except OSError as error:
            return NeverStarted(f"no descriptor for its report: {error}")
        place = self._make_place()
        papers: list[Path] = []
        try:
            project = self._lay_out(spec, place)
            for source, target in _papers(spec):
                papers.append(_show(source, target))
        except (OSError, subprocess.CalledProcessError, AutopilotError) as error:
            for target in papers:
                _take_away(target)
            self._give_up(place)
            take_report(report)
            take_report(services)
            return NeverStarted(f"the checkout could not be copied: {error}")

        def cleanup() -> str:
            problem = _keep_layers(spec, project, _home(spec, place))
            for target in papers:
                _take_away(target)
            self._give_up(place)
            return problem

        def spell(_: int) -> Spelled:
            return Spelled(["/bin/sh", "-c", WAITING, "sh", str(spec.stdin or "/dev/null"), *spec.argv])

        environment = self._environment(spec, place)
        allowance = allow(self._memory_mb, str(spec.backing) if spec.profile is Profile.AGENT else "")
        launch = Launch(
            spell,
            environment,
            walled=False,
            cwd=str(project),
            report=report,
            services=services,
            watched=Project(str(spec.backing), str(project)) if spec.watched else None,
            allowance=allowance,
            cleanup=cleanup,
        )
        return Supervised(spec, launch, self._registry, self._bell)

    def probe(self) -> Probe:
        return Probe(usable=True, detail="not confined: the sandbox is switched off in your settings")

    def give_away(self, folder: Path) -> None:
        """Commands run as we do."""

    def end_orphans(self) -> tuple[str, ...]:
        ended = self._registry.end_orphans()
        with self._guard:
            for place in set(self._copies.glob("*")) - self._in_use:
                shutil.rmtree(place, ignore_errors=True)
        return ended

    def _make_place(self) -> Path:
        self._copies.mkdir(parents=True, exist_ok=True, mode=0o700)
        with self._guard:
            place = Path(tempfile.mkdtemp(dir=self._copies))
            self._in_use.add(place)
        return place

    def _give_up(self, place: Path) -> None:
        _remove(place)
        self._in_use.discard(place)

    def _lay_out(self, spec: CommandSpec, place: Path) -> Path:
        """HOME, and for anything but an agent a private copy of the checkout over its layers."""
        home = _home(spec, place)
        home.mkdir(exist_ok=True)
        for layer in reversed(spec.home_layers):
            _copy(layer, home)
        if spec.profile is Profile.AGENT:
            for layer in spec.layers:
                copy_missing_beneath(Path(layer), Path(spec.backing))
            return Path(spec.backing)
        project = _project(spec, place)
        project.mkdir()
        for folder in reversed((spec.backing, *spec.layers)):
            _copy(folder, project)
        return project

    def _environment(self, spec: CommandSpec, place: Path) -> dict[str, str]:
        own = {"HOME": str(_home(spec, place)), "LANG": "C.UTF-8"}
        return {**render_search(self._search_path, spec.search, _project(spec, place)), **own, **spec.env}


def _home(spec: CommandSpec, place: Path) -> Path:
    """An agent works in its own clone: nothing but its HOME lies in the place."""
    return place if spec.profile is Profile.AGENT else place / "home"


def _project(spec: CommandSpec, place: Path) -> Path:
    return Path(spec.backing) if spec.profile is Profile.AGENT else place / "project"


def _papers(spec: CommandSpec) -> list[tuple[Path, Path]]:
    """What is to be seen inside an agent's project, and where in the folder that backs it."""
    if spec.profile is not Profile.AGENT:
        return []
    inside = [mount for mount in spec.mounts if mount.target.is_relative_to(spec.project)]
    return [(Path(m.source), Path(spec.backing) / m.target.relative_to(spec.project)) for m in inside]


def _show(source: Path, target: Path) -> Path:
    """A copy that is not to be written to. What is the project's own is never replaced by it."""
    if os.path.lexists(target):
        raise FileExistsError(f"{target} is there already")
    shutil.copytree(source, target)
    for path in (target, *target.rglob("*")):
        path.chmod(path.stat().st_mode & ~0o222)
    return target


def _take_away(target: Path) -> None:
    """Whatever the agent made of it. What cannot be removed goes with the clone."""
    with suppress(AutopilotError):
        if os.path.lexists(target):
            remove_tree(target)


def _copy(source: PurePosixPath, target: Path) -> None:
    arguments = ["cp", "-a", "--reflink=auto", f"{source}/.", str(target)]
    env = {"PATH": "/usr/bin:/bin"}  # never a program of the folder we stand in
    subprocess.run(arguments, env=env, check=True, capture_output=True)


def _remove(place: Path) -> None:
    try:  # nothing was written in most cases, and one call is quicker than a walk
        place.rmdir()
    except OSError:
        shutil.rmtree(place, ignore_errors=True)


def _keep_layers(spec: CommandSpec, project: Path, home: Path) -> str:
    """Without an overlay the whole copy is the layer, less its repository. What went wrong, or ""."""
    if spec.profile is not Profile.SETUP:
        return ""
    try:
        for kept, made in ((spec.keep_upper, project), (spec.keep_home, home)):
            if kept is not None:
                shutil.rmtree(made / ".git", ignore_errors=True)
                _copy(PurePosixPath(made), Path(kept))
    except (OSError, subprocess.CalledProcessError) as error:
        return f"the layer could not be kept: {error}"
    return ""
