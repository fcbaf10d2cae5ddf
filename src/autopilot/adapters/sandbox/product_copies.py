"""Copies of the product inside a dependency layer: after ``pip install .`` tests may run these and not the checkout."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from posixpath import dirname

import msgspec
from msgspec import Struct

from autopilot.adapters.beneath import read_beneath, walk_beneath

RECORD = "product.json"
SMALLEST, LARGEST = 32, 1 << 20  # bytes of a file that is compared: two empty __init__.py are no copies
_CODE = (".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".php", ".pl", ".pm", ".lua", ".ex", ".sh")
_SKIPPED = frozenset({".git", "node_modules", ".venv", "venv", "__pycache__", ".planning"})


class Copied(Struct, frozen=True):
    """Which part of the checkout a layer holds, and as what."""

    places: tuple[str, ...] = ()  # folders of the checkout, and files at its top
    digest: str = ""


def find_copies(backing: Path, layer: Path) -> Copied:
    """Source files of the checkout that stand in the layer once more, under the same name with the same content."""
    product = _by_name(backing)
    found: set[str] = set()
    for part in ("project", "home"):
        for name in walk_beneath(layer / part, skipped={".git"}):
            paths = product.get(name.rpartition("/")[2], ())
            content = read_beneath(layer / part, name, LARGEST) if paths else None
            # What setup wrote over a file of the checkout is hidden below that file.
            found |= {path for path in paths if path != name and content == read_beneath(backing, path, LARGEST)}
    places = tuple(sorted(_outermost(found)))
    return Copied(places, digest_of(backing, places)) if places else Copied()


def digest_of(backing: Path, places: tuple[str, ...]) -> str:
    digest = sha256()
    for path in sorted(path for path in _sources(backing) if _stands_in(path, places)):
        content = read_beneath(backing, path, LARGEST) or b""
        digest.update(f"{path} {len(content)}\n".encode("utf-8", "surrogateescape") + content)
    return digest.hexdigest()


def write_record(layer: Path, copied: Copied) -> None:
    (layer / RECORD).write_bytes(msgspec.json.encode(copied))


def read_record(layer: Path) -> Copied:
    """A layer of an earlier version has none."""
    try:
        return msgspec.json.decode((layer / RECORD).read_bytes(), type=Copied)
    except (FileNotFoundError, msgspec.DecodeError, RecursionError):
        return Copied()


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
