"""Performs a piece while one of its calls fails, and lets the product judge what is left."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from autopilot.model.errors import AutopilotError
from tests.chaos.power_loss.perform import GAVE_UP
from tests.chaos.power_loss.pieces.piece import Piece
from tests.chaos.power_loss.promising import list_promises

_TIMEOUT_S = 120.0


class Failure(Struct, frozen=True):
    """Which call fails (0 for none), with which error, and whether all later calls fail too."""

    call: int
    error: int = 0
    lasting: bool = False


class Outcome(Struct, frozen=True):
    calls: int  # that change the disk, until the piece ended
    gave_up: bool
    faults: tuple[str, ...]


class Laboratory:
    """A library that lets calls fail, a git that is loaded with it, and the piece's folder as it is before."""

    def __init__(self, name: str, piece: Piece, place: Path) -> None:
        self._name, self._piece, self._place = name, piece, place
        self._folder = place / "disk"
        self._count, self._promises = place / "count", place / "promises"
        self._library = place / "failing_calls.so"
        source = Path(__file__).with_name("failing_calls.c")
        subprocess.run(("cc", "-shared", "-fPIC", "-O1", "-o", self._library, source, "-ldl"), check=True)
        self._folder.mkdir()
        piece.prepare(self._folder)
        shutil.copytree(self._folder, place / "before", symlinks=True)

    def try_out(self, failure: Failure) -> Outcome:
        shutil.rmtree(self._folder)
        shutil.copytree(self._place / "before", self._folder, symlinks=True)
        self._count.write_bytes(bytes(8))
        self._promises.write_text("")
        done = subprocess.run(
            (sys.executable, "-m", "tests.chaos.power_loss.perform", self._name, str(self._folder)),
            env=self._environment(failure), capture_output=True, check=False, timeout=_TIMEOUT_S,
        )  # fmt: skip
        calls = int.from_bytes(self._count.read_bytes(), sys.byteorder)
        return Outcome(calls, done.returncode == GAVE_UP, tuple(self._faults(done)))

    def _faults(self, done: subprocess.CompletedProcess[bytes]) -> Iterator[str]:
        if done.returncode not in (0, GAVE_UP):
            yield f"ended with {done.returncode}: {done.stderr.decode(errors='replace')[-2000:]}"
        self._let_time_pass()
        try:
            self._piece.judge(self._folder, self._promises.read_text().splitlines())
        except (AssertionError, AutopilotError, OSError) as error:
            yield f"{type(error).__name__}: {error}"

    def _let_time_pass(self) -> None:
        """Somebody has to mend the disk first: a lock that git could not remove is old by then."""
        for lock in self._folder.rglob("*.lock"):
            os.utime(lock, (0, 0))

    def _environment(self, failure: Failure) -> Mapping[str, str]:
        failing = {
            "LD_PRELOAD": str(self._library),
            "FAIL_BELOW": str(self._folder),
            "FAIL_COUNT": str(self._count),
            "FAIL_AT": str(failure.call),
            "FAIL_WITH": str(failure.error),
            "FAIL_ON": str(int(failure.lasting)),
        }
        path = f"{self._git(failing)}{os.pathsep}{os.environ['PATH']}"
        return {**os.environ, **failing, **list_promises(self._promises), "PATH": path, "PYTHONDONTWRITEBYTECODE": "1"}

    def _git(self, failing: Mapping[str, str]) -> Path:
        """The product builds git's environment from nothing: only a git that sets it itself is loaded with ours."""
        folder = self._place / "bin"
        folder.mkdir(exist_ok=True)
        lines = [f"export {name}='{value}'" for name, value in failing.items()]
        program = folder / "git"
        program.write_text("\n".join(["#!/bin/sh", *lines, f'exec {shutil.which("git")} "$@"', ""]))
        program.chmod(0o755)
        return folder
