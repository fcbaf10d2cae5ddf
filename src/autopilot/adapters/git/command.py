"""The one place that runs git: an environment built from nothing, our settings over the repository's, no input."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO

from msgspec import Struct

from autopilot.model.errors import AutopilotError, CapReached, Interrupted, Unavailable

TIMEOUT_S = 300.0
LOOK_S = 0.5  # how often a long git asks whether it is still wanted

# Settings of the command line beat every file, so nothing a repository says can name a program to run. Objects travel
# by pipe between two git processes of ours, so no protocol is needed at all, not even the local one.
_SETTINGS = {
    "core.hooksPath": "/dev/null",
    "core.fsmonitor": "false",
    "core.attributesFile": "/dev/null",
    "core.excludesFile": "/dev/null",
    "core.splitIndex": "false",
    "core.safecrlf": "false",
    "core.quotePath": "false",
    "core.bigFileThreshold": "16m",
    "protocol.allow": "never",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "submodule.recurse": "false",
    "checkout.workers": "1",
    "pack.useBitmaps": "false",
    "advice.addEmbeddedRepo": "false",
}
# What a ref names must be on the disk before the ref is: a commit we have recorded must survive a power cut.
# Each file by itself: git's "batch" moves objects to their places after one sync of all, and does not notice that one
# of them could not be moved. A commit was acknowledged then whose blob was not there.
DURABLE = {"core.fsync": "committed,loose-object,reference", "core.fsyncMethod": "fsync"}
THROW_AWAY = {"core.fsync": "none"}

# No git of ours needs another program. One that wants to start git in a nested repository finds none.
_NOWHERE = "/nonexistent"
_ENVIRONMENT = {
    "PATH": _NOWHERE,
    "GIT_EXEC_PATH": _NOWHERE,
    "LC_ALL": "C.UTF-8",
    "HOME": _NOWHERE,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": "/dev/null",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_PROTOCOL_FROM_USER": "0",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_AUTHOR_NAME": "Autopilot",
    "GIT_AUTHOR_EMAIL": "autopilot@localhost",
    "GIT_COMMITTER_NAME": "Autopilot",
    "GIT_COMMITTER_EMAIL": "autopilot@localhost",
}


def never_stop() -> str:
    return ""


class Answer(Struct, frozen=True):
    code: int
    output: bytes
    complaint: str  # the first line git wrote to standard error


class GitPlace(Struct, frozen=True):
    """All that another process needs to run the same git."""

    git_dir: str
    work_tree: str
    settings: dict[str, str]
    env: dict[str, str]


class Git:
    """Git on one repository. The repository is named, never searched for, so no other can slip in."""

    def __init__(
        self,
        git_dir: Path,
        work_tree: Path | None = None,
        settings: Mapping[str, str] = DURABLE,
        env: Mapping[str, str] | None = None,
        umask: int = -1,
        should_stop: Callable[[], str] = never_stop,
    ) -> None:
        """``should_stop``: why git is no longer wanted, asked while it takes long; then it is ended: Interrupted."""
        self.git_dir = git_dir
        self.work_tree = work_tree
        self._settings = settings
        self._env = env or {}
        self._umask = umask
        self._should_stop = should_stop

    def run(self, *arguments: str, stdin: bytes | IO[bytes] | None = None) -> bytes:
        """What git printed; a git that failed is Unavailable."""
        answer = self.ask(*arguments, stdin=stdin)
        if answer.code != 0:
            raise failure(arguments, answer.complaint)
        return answer.output

    def ask(
        self,
        *arguments: str,
        stdin: bytes | IO[bytes] | None = None,
        keep_open: Sequence[int] = (),
        timeout_s: float = TIMEOUT_S,
    ) -> Answer:
        """How git ended, where a failure is an answer too. ``keep_open``: descriptors the child shall hold."""
        text = stdin if isinstance(stdin, bytes) else None
        source = subprocess.PIPE if isinstance(stdin, bytes) else stdin or subprocess.DEVNULL
        child = self.start(*arguments, stdin=source, stderr=subprocess.PIPE, keep_open=keep_open)
        with child:
            try:
                output, errors = self._communicate(child, text, timeout_s, arguments)
            finally:
                if child.poll() is None:
                    child.kill()
        if child.returncode != 0 and is_full_disk(errors):
            raise failure(arguments, "No space left on device")
        return Answer(child.returncode, output, first_line(errors))

    def _communicate(
        self, child: subprocess.Popen[bytes], text: bytes | None, timeout_s: float, arguments: Sequence[str]
    ) -> tuple[bytes, bytes]:
        deadline = time.monotonic() + timeout_s
        while True:
            try:
                return child.communicate(text, timeout=min(LOOK_S, timeout_s))
            except subprocess.TimeoutExpired:
                text = None  # it was handed over; what came back meanwhile is kept
                if reason := self._should_stop():
                    raise Interrupted(f"stopped during git {arguments[0]}", reason) from None
                if time.monotonic() >= deadline:
                    raise failure(arguments, f"timed out after {timeout_s:.0f} s") from None

    def start(
        self,
        *arguments: str,
        stdin: int | IO[bytes] = subprocess.DEVNULL,
        stderr: int | IO[bytes] = subprocess.DEVNULL,
        keep_open: Sequence[int] = (),
    ) -> subprocess.Popen[bytes]:
        """Start git with its output on a pipe. In its own session: Ctrl-C is for us, we end what we started."""
        try:
            return subprocess.Popen(
                [git_program(), *arguments],
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=stderr,
                cwd=self.work_tree or self.git_dir,
                env=self._environment(),
                start_new_session=True,
                umask=self._umask,
                pass_fds=keep_open,
            )
        except OSError as error:
            raise Unavailable(f"git cannot be started: {error}", "Check the folder and its permissions.") from error

    def with_env(self, env: Mapping[str, str], settings: Mapping[str, str] | None = None) -> Git:
        """The same repository with another index or other objects."""
        both = {**self._settings, **(settings or {})}
        return Git(self.git_dir, self.work_tree, both, {**self._env, **env}, self._umask, self._should_stop)

    def place(self) -> GitPlace:
        return GitPlace(str(self.git_dir), str(self.work_tree or ""), dict(self._settings), dict(self._env))

    def _environment(self) -> dict[str, str]:
        environment = {
            **_ENVIRONMENT,
            "GIT_DIR": str(self.git_dir),
        }
        if self.work_tree:
            environment["GIT_WORK_TREE"] = str(self.work_tree)
        settings = {**_SETTINGS, **self._settings}
        environment["GIT_CONFIG_COUNT"] = str(len(settings))
        for number, (key, value) in enumerate(settings.items()):
            environment[f"GIT_CONFIG_KEY_{number}"] = key
            environment[f"GIT_CONFIG_VALUE_{number}"] = value
        return {**environment, **self._env}


def git_at(place: GitPlace) -> Git:
    return Git(Path(place.git_dir), Path(place.work_tree) if place.work_tree else None, place.settings, place.env)


@cache
def git_program() -> str:
    # A folder that is not named whole would be looked for inside the repository.
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    found = shutil.which("git", path=os.pathsep.join(folder for folder in folders if Path(folder).is_absolute()))
    if not found:
        raise Unavailable("git is not installed", "Install git 2.38 or newer, for example: `apt-get install git`.")
    return found


def failure(arguments: Sequence[str], complaint: str) -> AutopilotError:
    if is_full_disk(complaint.encode()):
        return CapReached("the disk is full", "Free some space, then run again.")
    return Unavailable(f"git {arguments[0]} failed: {complaint}", "Run `autopilot doctor` to check git and the disk.")


def is_full_disk(errors: bytes) -> bool:
    return b"No space left on device" in errors or b"Disk quota exceeded" in errors


def first_line(errors: bytes) -> str:
    lines = [line for line in shown(errors).splitlines() if line.strip()]
    # Warnings come first and rarely say why it failed.
    fatal = [line for line in lines if line.startswith(("fatal:", "error:"))]
    return (fatal or lines or ["it said nothing"])[0]


def shown(path: bytes) -> str:
    """A path as text. Names that are not UTF-8 are escaped: a hostile name must not break the record."""
    return path.decode("utf-8", "backslashreplace")


def quoted(path: Path) -> str:
    """As git reads a list of folders: a colon or a quote in the name must not end it."""
    escaped = os.fspath(path).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
