"""What of the checkout a dependency layer was made from: copies of the product in it, and files that its setup read.

After ``pip install .`` tests may run the copies and not the checkout. And a file that setup read may have decided what
it installed: a layer made on one commit must not serve another that has other files there.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from posixpath import dirname

import msgspec
from msgspec import Struct

from autopilot.adapters.beneath import open_beneath, read_beneath, walk_beneath

RECORD = "product.json"
SMALLEST, LARGEST = 32, 1 << 20  # bytes of a file that is compared: two empty __init__.py are no copies
_CODE = (".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".php", ".pl", ".pm", ".lua", ".ex", ".sh")
MOST_READ = 2_000  # files; what reads more, reads the project as a whole
_SKIPPED = frozenset({".git", "node_modules", ".venv", "venv", "__pycache__", ".planning"})


class Origin(Struct, frozen=True):
    """Which part of the checkout a layer holds or was made from, and as what."""

    places: tuple[str, ...] = ()  # folders of the checkout, and files at its top, that stand in it as copies
    digest: str = ""  # of all that
    read: tuple[str, ...] | None = ()  # files; None for every file, where not all that was read could be seen

    def is_of(self, backing: Path) -> bool:
        return self.digest == digest_of(backing, self.places, self.read)


def find_origin(backing: Path, layer: Path, opened: tuple[str, ...] | None) -> Origin:
    """``opened``: what setup opened of the checkout, None where not all was seen."""
    places = find_copies(backing, layer)
    tracked = frozenset(_files(backing))
    known = [path for path in opened or () if path in tracked]  # what is not there, setup made itself
    read = None if opened is None or len(known) > MOST_READ else tuple(known)
    return Origin(places, digest_of(backing, places, read), read)


def find_copies(backing: Path, layer: Path) -> tuple[str, ...]:
    """Source files of the checkout that stand in the layer once more, under the same name with the same content."""
    product = _by_name(backing)
    found: set[str] = set()
    for part in ("project", "home"):
        for name in walk_beneath(layer / part, skipped={".git"}):
            paths = product.get(name.rpartition("/")[2], ())
            content = read_beneath(layer / part, name, LARGEST) if paths else None
            # What setup wrote over a file of the checkout is hidden below that file.
            found |= {path for path in paths if path != name and content == read_beneath(backing, path, LARGEST)}
    return tuple(sorted(_outermost(found)))


def digest_of(backing: Path, places: tuple[str, ...], read: tuple[str, ...] | None) -> str:
    digest = sha256()
    copied = {path for path in _sources(backing) if _stands_in(path, places)} if places else set()
    for path in sorted(copied.union(_files(backing) if read is None else read)):
        digest.update(f"{path} {digest_of_file(backing, path)}\n".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def digest_of_file(backing: Path, path: str) -> str:
    """Of all of it, however long: its end may be what decides. "" for what is no plain file."""
    file = open_beneath(backing, path)
    if file is None:
        return ""
    digest = sha256()
    with file:
        while part := file.read(LARGEST):
            digest.update(part)
    return digest.hexdigest()


def write_record(layer: Path, origin: Origin) -> None:
    (layer / RECORD).write_bytes(msgspec.json.encode(origin))


def read_record(layer: Path) -> Origin:
    """A layer of which nothing is known was made from every file, and of none that is there."""
    try:
        return msgspec.json.decode((layer / RECORD).read_bytes(), type=Origin)
    except (FileNotFoundError, msgspec.DecodeError, UnicodeError, RecursionError):
        return Origin(read=None)


def _files(backing: Path) -> Iterator[str]:
    """Without the documents of a run, which are no part of what is built and differ at every commit."""
    return walk_beneath(backing, skipped={".git", ".planning"})


def _by_name(backing: Path) -> dict[str, list[str]]:
    named: dict[str, list[str]] = {}
    for path in _sources(backing):
        if len(read_beneath(backing, path, LARGEST) or b"") >= SMALLEST:
            named.setdefault(path.rpartition("/")[2], []).append(path)
    return named


def _sources(backing: Path) -> Iterator[str]:
    return (path for path in walk_beneath(backing, skipped=_SKIPPED) if path.endswith(_CODE))


def _outermost(paths: set[str]) -> Iterator[str]:
    """A file at the top stands for itself: its folder is the whole checkout."""
    folders = {dirname(path) for path in paths if dirname(path)}
    yield from (path for path in paths if not dirname(path))
    yield from (f for f in folders if not any(f.startswith(f"{other}/") for other in folders))


def _stands_in(path: str, places: tuple[str, ...]) -> bool:
    return any(path == place or path.startswith(f"{place}/") for place in places)
