"""A folder in memory: nodes and names, changed by operations, read from a real folder and laid out as one."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from tests.chaos.power_loss.operations import ROOT, Content, Move, Name, Naming, Unname, Write

_LONG_AGO = 1_700_000_000  # it takes a while until a machine runs again


class File:
    def __init__(self, content: bytes = b"", mode: int = 0o644) -> None:
        self.content = bytearray(content)
        self.mode = mode

    def copy(self) -> File:
        return File(bytes(self.content), self.mode)


class Folder:
    def __init__(self, mode: int = 0o755) -> None:
        self.entries: dict[str, int] = {}
        self.mode = mode

    def copy(self) -> Folder:
        other = Folder(self.mode)
        other.entries = dict(self.entries)
        return other


class Link:
    def __init__(self, target: str) -> None:
        self.target = target

    def copy(self) -> Link:
        return self


Node = File | Folder | Link


class Disk:
    def __init__(self) -> None:
        self.nodes: dict[int, Node] = {ROOT: Folder()}

    def copy(self) -> Disk:
        other = Disk()
        other.nodes = {number: node.copy() for number, node in self.nodes.items()}
        return other

    def add(self, node: Node) -> int:
        number = len(self.nodes)
        self.nodes[number] = node
        return number

    def folder(self, number: int) -> Folder:
        node = self.nodes[number]
        assert isinstance(node, Folder), number
        return node

    def file(self, number: int) -> File:
        node = self.nodes[number]
        assert isinstance(node, File), number
        return node

    def find(self, path: str) -> int | None:
        """The node at a path below the root; a link at its end is not followed."""
        number: int | None = ROOT
        for part in path.split("/") if path else []:
            node = self.nodes[number] if number is not None else None
            number = node.entries.get(part) if isinstance(node, Folder) else None
        return number

    def name(self, operation: Naming) -> None:
        if isinstance(operation, Name):
            self.folder(operation.folder).entries[operation.name] = operation.node
        elif isinstance(operation, Unname):
            self.folder(operation.folder).entries.pop(operation.name, None)
        elif isinstance(operation, Move):
            self.folder(operation.folder).entries.pop(operation.name, None)
            self.folder(operation.new_folder).entries[operation.new_name] = operation.node

    def fill(self, operation: Content) -> None:
        content = self.file(operation.node).content
        if isinstance(operation, Write):
            _resize(content, operation.offset, only_grow=True)
            content[operation.offset : operation.offset + len(operation.data)] = operation.data
        else:
            _resize(content, operation.size, operation.only_grow)

    def walk(self, number: int = ROOT, path: str = "") -> Iterator[tuple[str, Node]]:
        """Every path with its node, folders before what is in them."""
        node = self.nodes[number]
        if path:
            yield path, node
        if isinstance(node, Folder):
            for name in sorted(node.entries):
                yield from self.walk(node.entries[name], f"{path}/{name}" if path else name)

    def digest(self) -> bytes:
        """Equal for disks that look the same."""
        seen = hashlib.sha256()
        for path, node in self.walk():
            content = bytes(node.content) if isinstance(node, File) else getattr(node, "target", "").encode()
            seen.update(f"{type(node).__name__} {len(path)} {path} {len(content)} ".encode("utf-8", "surrogateescape"))
            seen.update(content)
        return seen.digest()


def read_disk(folder: Path) -> Disk:
    """A real folder as it is."""
    disk = Disk()
    _read_into(disk, ROOT, folder, {})
    return disk


def lay_out(disk: Disk, folder: Path) -> None:
    """Make the folder. Two names of one file are one file."""
    folder.mkdir()
    made: dict[int, Path] = {}
    for path, node in disk.walk():
        place = folder / path
        if isinstance(node, Folder):
            place.mkdir(mode=0o700)
            place.chmod(node.mode)
        elif isinstance(node, Link):
            place.symlink_to(node.target)
        elif id(node) in made:
            os.link(made[id(node)], place)
        else:
            place.write_bytes(node.content)
            place.chmod(node.mode)
            os.utime(place, (_LONG_AGO, _LONG_AGO))
            made[id(node)] = place


def _read_into(disk: Disk, number: int, folder: Path, known: dict[tuple[int, int], int]) -> None:
    for path in sorted(folder.iterdir()):
        facts = path.lstat()
        identity, mode = (facts.st_dev, facts.st_ino), stat.S_IMODE(facts.st_mode)
        if identity not in known:
            if path.is_symlink():
                known[identity] = disk.add(Link(str(path.readlink())))
            elif path.is_dir():
                known[identity] = disk.add(Folder(mode))
                _read_into(disk, known[identity], path, known)
            else:
                known[identity] = disk.add(File(path.read_bytes(), mode))
        disk.folder(number).entries[path.name] = known[identity]


def _resize(content: bytearray, size: int, only_grow: bool) -> None:
    if len(content) < size:
        content.extend(bytes(size - len(content)))
    elif not only_grow:
        del content[size:]
