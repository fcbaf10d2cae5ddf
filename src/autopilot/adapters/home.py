"""The state home: where the truth about one repository lies, out of every sandbox's reach."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from autopilot.adapters.files import make_folders, sync_folder, translated, write_atomically
from autopilot.model.errors import AutopilotError, Unavailable, UsageError

_HINT = "Make it writable for you, or set AUTOPILOT_STATE_HOME to a folder of your own."


@dataclass(frozen=True, slots=True)
class Home:
    root: Path

    @property
    def journal(self) -> Path:
        return self.root / "journal.db"

    @property
    def key(self) -> Path:
        return self.root / "key"

    @property
    def lock(self) -> Path:
        return self.root / "lock"

    @property
    def vault(self) -> Path:
        return self.root / "vault.git"

    @property
    def workspaces(self) -> Path:
        return self.root / "workspaces"

    @property
    def blobs(self) -> Path:
        return self.root / "blobs"

    @property
    def processes(self) -> Path:
        return self.root / "processes"

    @property
    def live(self) -> Path:
        """What agents are saying just now."""
        return self.root / "live"

    @property
    def layers(self) -> Path:
        return self.root / "layers"

    @property
    def repomap(self) -> Path:
        """The map of the code: a cache, which can be made again."""
        return self.root / "repomap.db"

    @property
    def visual(self) -> Path:
        """Pictures of interfaces by digest, those that were accepted among them."""
        return self.root / "visual"

    @property
    def repository(self) -> Path:
        """A file that holds the path this home belongs to, to find it again after a move."""
        return self.root / "repository"


def state_home(environment: Mapping[str, str]) -> Path:
    """Where all homes lie. A relative XDG path is ignored, as its specification demands."""
    if override := environment.get("AUTOPILOT_STATE_HOME"):
        if not Path(override).is_absolute():
            # From another folder the same words would lead to other records.
            raise UsageError(f"AUTOPILOT_STATE_HOME is a relative path: {override}", "Write the whole path, from / on.")
        return Path(override)
    xdg = Path(environment.get("XDG_STATE_HOME", ""))
    if xdg.is_absolute():
        return xdg
    home = Path(environment.get("HOME", ""))
    if home.is_absolute():
        return home / ".local" / "state"
    wrong = "a relative path" if environment.get("HOME") else "not set"
    raise Unavailable(
        f"Autopilot does not know where to keep its records: HOME is {wrong}",
        "Set HOME, or set AUTOPILOT_STATE_HOME to a folder of your own.",
    )


def repo_id(git_directory: Path) -> str:
    """By the common git directory: every worktree and every symbolic link to a repository is the same repository."""
    return hashlib.sha256(os.fsencode(os.path.realpath(git_directory))).hexdigest()[:16]


def home_of(state: Path, git_directory: Path) -> Home:
    """Where the home of this repository is or would be; nothing is made."""
    return Home(state / "autopilot" / repo_id(git_directory))


def open_home(state: Path, git_directory: Path) -> Home:
    """The home of this repository, made when missing. Unavailable when it cannot be ours alone."""
    home = home_of(state, git_directory)
    failure = f"Autopilot cannot keep its records in {state}"
    if in_the_way := next((path for path in (state, *state.parents) if path.exists() and not path.is_dir()), None):
        hint = "Remove it, or set AUTOPILOT_STATE_HOME to a folder of your own."
        raise Unavailable(f"{failure}: {in_the_way} is a file, not a folder", hint)
    try:
        with translated(home.root, failure):
            make_folders(state, 0o700)
            for folder in (home.root.parent, home.root, home.workspaces, home.blobs, home.processes, home.layers):
                _own(folder)
            where = os.fsencode(os.path.realpath(git_directory))
            known = home.repository.read_bytes() if home.repository.exists() else None
        if known != where:
            write_atomically(home.repository, where, mode=0o600, failure=failure)
    except Unavailable as error:
        raise Unavailable(str(error), _HINT) from error
    return home


def known_homes(state: Path) -> Iterator[tuple[Home, Path]]:
    """Every home below a state home with the git directory it was made for, there or moved away."""
    for marker in sorted((state / "autopilot").glob("*/repository")):
        try:
            with translated(marker):
                yield Home(marker.parent), Path(os.fsdecode(marker.read_bytes()))
        except AutopilotError:
            continue  # another user's, or removed meanwhile


def _own(folder: Path) -> None:
    """Make a folder for us alone, or see that it is."""
    try:
        folder.mkdir(mode=0o700)
        sync_folder(folder.parent)
    except FileExistsError:
        facts = folder.lstat()
        if not stat.S_ISDIR(facts.st_mode):
            raise Unavailable(f"{folder} is not a folder", _HINT) from None
        if facts.st_uid != os.geteuid():
            raise Unavailable(f"{folder} belongs to another user", _HINT) from None
        if stat.S_IMODE(facts.st_mode) & 0o077:
            folder.chmod(0o700)
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        raise Unavailable(f"{folder} is not writable", _HINT)
