"""Pieces with a bug that loses what was acknowledged: the checker must find each of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from autopilot.adapters.files import sync_folder
from autopilot.adapters.git.command import THROW_AWAY
from autopilot.adapters.git.objects import Objects
from autopilot.adapters.git.refs import RefWriter
from autopilot.adapters.git.vault import GitVault
from autopilot.adapters.journal.sqlite import SqliteJournal
from autopilot.events.entry import Entry
from tests.chaos.power_loss.pieces.files import FilesPiece
from tests.chaos.power_loss.pieces.journal import JournalPiece
from tests.chaos.power_loss.pieces.piece import Piece
from tests.chaos.power_loss.pieces.vault import VaultPiece
from tests.chaos.power_loss.promising import promise


def write_without_syncing_the_file(path: Path, content: bytes) -> None:
    draft = path.with_name(".draft")
    draft.write_bytes(content)
    draft.replace(path)
    sync_folder(path.parent)


def write_without_syncing_the_folder(path: Path, content: bytes) -> None:
    draft = path.with_name(".draft")
    _write_and_sync(draft, content)
    draft.replace(path)


def rename_before_the_sync(path: Path, content: bytes) -> None:
    draft = path.with_name(".draft")
    draft.write_bytes(content)
    draft.replace(path)
    with path.open("rb") as file:
        os.fsync(file.fileno())
    sync_folder(path.parent)


class UnsyncedJournal(JournalPiece):
    def append(self, journal: SqliteJournal, entries: Sequence[Entry]) -> None:
        journal._database.rows("PRAGMA synchronous=OFF")
        super().append(journal, entries)


class HastyJournal(JournalPiece):
    """Acknowledges before the commit."""

    def append(self, journal: SqliteJournal, entries: Sequence[Entry]) -> None:
        for entry in entries:
            promise(f"entry {entry.key} -")
        journal.append(entries)


class UnsyncedVault(VaultPiece):
    def open(self, folder: Path) -> GitVault:
        vault = super().open(folder)
        vault.git = vault.git.with_env({}, THROW_AWAY)
        vault._objects, vault._refs = Objects(vault.git), RefWriter(vault.git)
        return vault


PLANTED: dict[str, Piece] = {
    "no sync of the file": FilesPiece(write_without_syncing_the_file),
    "no sync of the folder": FilesPiece(write_without_syncing_the_folder),
    "rename before the sync": FilesPiece(rename_before_the_sync),
    "SQLite with synchronous=OFF": UnsyncedJournal(),
    "acknowledged before the commit": HastyJournal(),
    "git with core.fsync=none": UnsyncedVault(),
}


def _write_and_sync(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
