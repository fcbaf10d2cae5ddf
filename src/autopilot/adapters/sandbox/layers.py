"""Dependency layers on disk: ``<state>/layers/<key>/{project,home}``, published by one rename."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from itertools import islice
from pathlib import Path, PurePosixPath

from msgspec.structs import replace

from autopilot.adapters.beneath import find_made, is_beneath, read_beneath, walk_beneath
from autopilot.adapters.environments import read_environment, write_environment
from autopilot.adapters.files import translated
from autopilot.adapters.git.removal import remove_tree
from autopilot.adapters.once import Once
from autopilot.adapters.sandbox.product_copies import digest_of, find_origin, read_record, write_record
from autopilot.adapters.sandbox.toolchains import find_toolchains, render_path
from autopilot.adapters.sandbox.user import kernel_uid
from autopilot.model.errors import AutopilotError, Unavailable
from autopilot.ports.layers import Layer, SetupRun
from autopilot.ports.sandbox import CommandSpec, Exited, Outcome, Profile, Sandbox, run

# By name, anywhere in the checkout: what installers read.
# fmt: off
MANIFESTS = frozenset({
    "package.json", "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "pnpm-workspace.yaml",
    ".npmrc", ".yarnrc.yml", "bun.lock", "bun.lockb", "deno.json", "deno.jsonc", "deno.lock", ".nvmrc",
    ".node-version", "pyproject.toml", "setup.py", "setup.cfg", "poetry.lock", "uv.lock", "pdm.lock", "Pipfile",
    "Pipfile.lock", "tox.ini", "environment.yml", ".python-version", "Cargo.toml", "Cargo.lock", "rust-toolchain",
    "rust-toolchain.toml", "go.mod", "go.sum", "go.work", "Gemfile", "Gemfile.lock", "composer.json", "composer.lock",
    "mix.exs", "mix.lock", "pubspec.yaml", "pubspec.lock", "Package.swift", "Package.resolved", "pom.xml",
    "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "gradle.lockfile",
    "libs.versions.toml", "CMakeLists.txt", "conanfile.txt", "vcpkg.json", ".tool-versions", "mise.toml",
})
# fmt: on
TOOLS = ("python3", "pip3", "uv", "node", "npm", "yarn", "pnpm", "cargo", "go", "ruby", "bundle", "java", "gcc", "make")
LARGEST_MANIFEST = 64 << 20
MOST_MADE = 1000
MOST_VARIANTS = 8  # of one key that are looked through; then all files of the checkout decide
_SKIPPED = frozenset({".git", "node_modules", ".venv", "venv", "__pycache__", ".planning"})


class DependencyLayers:
    def __init__(self, folder: Path, sandbox: Sandbox, toolchains: tuple[Path, ...] | None = None) -> None:
        self._folder = folder
        self._sandbox = sandbox
        self._path = render_path(find_toolchains() if toolchains is None else toolchains)
        self._making: Once[Outcome] = Once()
        self._tidying = threading.Lock()
        self._is_tidy = False

    def ensure(self, setup: SetupRun, backing: PurePosixPath) -> Layer | Outcome:
        spec = _spell(setup, backing)
        layer = self._find(self._key(self._parts(setup.command, spec)), spec)
        if isinstance(layer, Outcome):
            return layer
        made = tuple(sorted(islice(find_made(Path(layer.project), Path(backing)), MOST_MADE)))
        environment = read_environment(self._folder / layer.key, Path(backing), self._path)
        return replace(layer, made=made, environment=environment)

    def repeat(self, setup: SetupRun, backing: PurePosixPath) -> Outcome:
        spec = _spell(setup, backing)
        with translated(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._remove_unfinished()
            making = Path(tempfile.mkdtemp(prefix="making-", dir=self._folder))
            try:
                return self._run(spec, making)
            finally:
                _remove(making)

    def forget(self, layer: Layer) -> None:
        _remove(self._folder / layer.key)

    def prune(self, unused_since: datetime) -> None:
        with translated(self._folder):
            places = [place for place in self._folder.iterdir() if place.is_dir()] if self._folder.is_dir() else []
            unused = [place for place in places if place.stat().st_mtime < unused_since.timestamp()]
        for place in unused:
            _remove(place)

    def _find(self, key: str, spec: CommandSpec) -> Layer | Outcome:
        """The layer that was made from these very files, among those with the same manifests.

        Tests may run a copy of the product: one of another commit would hide what is broken here, and what is fixed.
        And a layer that rejected work had made by a script of its own must not be found by the work that follows it.
        """
        backing = Path(spec.backing)
        for _ in range(MOST_VARIANTS):
            layer = self._ensure(key, spec)
            if isinstance(layer, Outcome) or (origin := read_record(self._folder / key)).is_of(backing):
                return layer
            digest = digest_of(backing, origin.places, origin.read)
            key = self._key([key.encode(), digest.encode()])
        return self._ensure(self._key([key.encode(), digest_of(backing, (), None).encode()]), spec)

    def _ensure(self, key: str, spec: CommandSpec) -> Layer | Outcome:
        place = self._folder / key
        if not place.is_dir():
            outcome = self._making.do(key, lambda: self._make(spec, key))
            if outcome.ended != Exited(0):
                return outcome
        with translated(place):
            os.utime(place)  # when it was used last: what nothing asks for is pruned
        copies = bool(read_record(place).places)
        return Layer(key, PurePosixPath(place / "project"), PurePosixPath(place / "home"), copies)

    def _make(self, spec: CommandSpec, key: str) -> Outcome:
        with translated(self._folder):
            if (self._folder / key).is_dir():
                return Outcome(Exited(0))  # made between the question and our turn
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._remove_unfinished()
            making = Path(tempfile.mkdtemp(prefix="making-", dir=self._folder))
            try:
                return self._set_up(spec, making, self._folder / key)
            finally:
                _remove(making)  # nothing is left of it when it was published

    def _set_up(self, spec: CommandSpec, making: Path, place: Path) -> Outcome:
        outcome = self._run(spec, making)
        if outcome.ended == Exited(0):
            for leftover in ("project.work", "home.work"):
                _remove(making / leftover)
            write_record(making, find_origin(Path(spec.backing), making, outcome.opened))
            write_environment(making, spec.project)
            _flush(making)
            making.rename(place)
        return outcome

    def _run(self, spec: CommandSpec, making: Path) -> Outcome:
        project, home = making / "project", making / "home"
        project.mkdir()
        home.mkdir()
        for folder in (project, home):
            self._sandbox.give_away(folder)
        return run(self._sandbox, replace(spec, keep_upper=PurePosixPath(project), keep_home=PurePosixPath(home)))

    def _remove_unfinished(self) -> None:
        """What a killed setup left. Once, before we make any: later there may be some that other threads are making."""
        with self._tidying:
            if not self._is_tidy:
                for leftover in self._folder.glob("making-*"):
                    _remove(leftover)
                self._is_tidy = True

    def _key(self, parts: Iterable[bytes]) -> str:
        digest = sha256()
        for part in parts:
            digest.update(len(part).to_bytes(8, "big") + part)  # lengths, so that no two lists read the same
        return digest.hexdigest()[:32]

    def _parts(self, setup: str, spec: CommandSpec) -> Iterator[bytes]:
        yield b"3"  # layers of earlier versions do not know what they were made from, and what they have to be called
        yield os.fsencode(setup)
        yield str(spec.project).encode()  # installed files carry it: interpreters' paths, editable installs
        yield f"{kernel_uid() or ''}".encode()  # what it made belongs to that user
        yield " ".join(sorted({*spec.env, *spec.grants})).encode()  # names only: a renewed token installs nothing else
        backing = Path(spec.backing)
        for name in sorted(_manifests(backing, setup)):
            content = read_beneath(backing, name, LARGEST_MANIFEST)
            if content is not None:  # a link, or no file at all
                yield os.fsencode(name)
                yield content
        for tool in TOOLS:
            yield _tool_identity(tool, self._path)


def _spell(setup: SetupRun, backing: PurePosixPath) -> CommandSpec:
    return CommandSpec(
        argv=("bash", "-c", setup.command),
        profile=Profile.SETUP,
        project=setup.project,
        backing=backing,
        env=setup.env,
        grants=setup.grants,
        network=setup.network,
        timeout_s=setup.timeout_s,
        watched=True,
        label=setup.label,
        shown=f"setup: {setup.command}",
    )


def _manifests(backing: Path, setup: str) -> set[str]:
    """Files an installer reads, and any file of the project that the setup command itself names."""
    names = walk_beneath(backing, skipped=_SKIPPED)
    found = {
        name for name in names if (last := name.rpartition("/")[2]) in MANIFESTS or last.startswith("requirements")
    }
    with suppress(ValueError):  # an unbalanced quote: then bash will say so
        found |= {os.path.normpath(word) for word in shlex.split(setup) if is_beneath(word)}
    return found


def _tool_identity(tool: str, search_path: str) -> bytes:
    """A program's real place, size and time stand for its version: asking each program takes seconds."""
    found = shutil.which(tool, path=search_path)
    if found is None:
        return b""
    real = Path(found).resolve()
    facts = real.stat()
    return f"{real} {facts.st_size} {facts.st_mtime_ns}".encode()


def _remove(folder: Path) -> None:
    """As far as it goes: what is left of a draft is removed by the next setup."""
    with suppress(AutopilotError):
        if os.path.lexists(folder):
            remove_tree(folder)


def _flush(folder: Path) -> None:
    """A published layer must be whole after a loss of power; one call is cheaper than one per file."""
    env = {"PATH": "/usr/bin:/bin"}  # never a program of the folder we stand in
    done = subprocess.run(["sync", "-f", str(folder)], env=env, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise Unavailable(
            f"the dependency layer could not be written out: {done.stderr.strip()}",
            "Check that the disk has room and can be written to.",
        )
