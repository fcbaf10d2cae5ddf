"""A note of the edit that is being written, so that one that was cut off is finished by the next command."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct

from autopilot.adapters.files import sync_folder, translated, write_atomically
from autopilot.model.errors import RecordBroken


class Pending(Struct, frozen=True):
    arguments: tuple[str, ...]  # of the command
    summary: str
    old: str = ""  # commits; "" where files are written without one
    new: str = ""
    files: Mapping[str, bytes | None] = {}  # without a commit: what each is to hold
    before: Mapping[str, str] = {}  # and a digest of what it held; "" where it was not there
    paths: tuple[str, ...] = ()


class PendingFile:
    def __init__(self, folder: Path) -> None:
        self._path = folder / "phase-edit.json"

    def read(self) -> Pending | None:
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=Pending)
        except FileNotFoundError:
            return None
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            hint = "look at `git status`, then remove the file"
            raise RecordBroken(f"{self._path} is not a note of an edit: {error}", hint) from error

    def write(self, pending: Pending) -> None:
        write_atomically(self._path, msgspec.json.encode(pending))

    def erase(self) -> None:
        with translated(self._path):
            self._path.unlink(missing_ok=True)
            sync_folder(self._path.parent)


def digest(content: bytes | None) -> str:
    return "" if content is None else sha256(content).hexdigest()
