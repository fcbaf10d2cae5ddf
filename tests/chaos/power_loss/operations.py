"""What was done to a folder: changes of files, changes of names, syncs, and what the product promised meanwhile.

A node is a file, a folder or a symbolic link, known by a number: names come and go, the node stays.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

ROOT = 0


class Write(Struct, frozen=True):
    node: int
    offset: int
    data: bytes


class Resize(Struct, frozen=True):
    node: int
    size: int
    only_grow: bool = False  # as fallocate does


class Name(Struct, frozen=True):
    """A node gets a name in a folder: created, or linked."""

    folder: int
    name: str
    node: int


class Unname(Struct, frozen=True):
    folder: int
    name: str


class Move(Struct, frozen=True):
    """A rename: both names change at once or not at all."""

    folder: int
    name: str
    new_folder: int
    new_name: str
    node: int


class Sync(Struct, frozen=True):
    """``fsync`` of a file or a folder; ``fdatasync`` syncs the content of a file and need not sync anything else."""

    node: int
    only_content: bool = False


class WriteOut(Struct, frozen=True):
    """``sync_file_range``: the data is on its way to the disk, but nothing is promised until the next sync."""

    node: int


class SyncAll(Struct, frozen=True):
    """``sync`` or ``syncfs``."""


class Promise(Struct, frozen=True):
    """The product has acknowledged something: from here on it must survive."""

    text: str


Naming: TypeAlias = Name | Unname | Move
Content: TypeAlias = Write | Resize
Operation: TypeAlias = Naming | Content | Sync | WriteOut | SyncAll | Promise


def names_of(operation: Naming) -> tuple[tuple[int, str], ...]:
    if isinstance(operation, Move):
        return (operation.folder, operation.name), (operation.new_folder, operation.new_name)
    return ((operation.folder, operation.name),)
