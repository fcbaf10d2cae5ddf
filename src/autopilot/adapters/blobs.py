"""Bulk text in files named by the digest of what they hold, redacted before it is kept."""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Collection
from pathlib import Path

from autopilot.adapters.files import make_folders, translated, write_atomically
from autopilot.model.errors import RecordBroken
from autopilot.model.secrecy.redaction import Redactor

_DIGEST = re.compile(r"[0-9a-f]{64}")
_BEGINNING = re.compile(r"[0-9a-f]{6,64}")


class FileBlobs:
    """``<root>/ab/cdef…`` plain, or ``….z`` where zlib made it at least a quarter smaller."""

    def __init__(self, root: Path, redactor: Redactor) -> None:
        self._root = root
        self._redactor = redactor

    def put(self, content: bytes) -> str:
        return self.keep(self._redactor.clean_bytes(content))

    def clean(self, text: str) -> str:
        return self._redactor.clean(text)

    def knows(self, content: bytes) -> bool:
        return self._redactor.knows(content.decode("utf-8", "surrogateescape"))

    def keep(self, content: bytes) -> str:
        digest = hashlib.sha256(content).hexdigest()
        plain, packed = self._places(digest)
        with translated(plain):
            if plain.exists() or packed.exists():
                return digest
            make_folders(plain.parent, 0o700)
        smaller = zlib.compress(content, level=1)
        if len(smaller) < len(content) * 3 // 4:
            write_atomically(packed, smaller, mode=0o600)
        else:
            write_atomically(plain, content, mode=0o600)
        return digest

    def has(self, digest: str) -> bool:
        """Whether it is there; whether it is whole is seen when it is read."""
        return bool(_DIGEST.fullmatch(digest)) and any(place.exists() for place in self._places(digest))

    def get(self, digest: str) -> bytes:
        if not _DIGEST.fullmatch(digest):
            raise RecordBroken(f"{digest[:80]!r} is not the name of a stored text", "Look at what refers to it.")
        plain, packed = self._places(digest)
        with translated(plain):
            try:
                content = plain.read_bytes() if plain.exists() else _unpack(packed.read_bytes())
            except FileNotFoundError:
                raise _broken(digest, "is missing") from None
            except zlib.error as error:
                raise _broken(digest, "was altered") from error
        if hashlib.sha256(content).hexdigest() != digest:
            raise _broken(digest, "was altered")
        return content

    def find(self, beginning: str) -> tuple[str, ...]:
        """Every stored text whose name begins like that; a report shows the first twelve characters of it."""
        if not _BEGINNING.fullmatch(beginning):
            return ()
        found = (self._root / beginning[:2]).glob(f"{beginning[2:]}*")
        return tuple(sorted({f"{beginning[:2]}{path.name.removesuffix('.z')}" for path in found}))

    def drop_all_but(self, kept: Collection[str]) -> None:
        for path in self._root.glob("??/*"):
            digest = f"{path.parent.name}{path.name.removesuffix('.z')}"
            if _DIGEST.fullmatch(digest) and digest not in kept:
                with translated(path):
                    path.unlink(missing_ok=True)

    def _places(self, digest: str) -> tuple[Path, Path]:
        plain = self._root / digest[:2] / digest[2:]
        return plain, plain.with_name(f"{plain.name}.z")


def _unpack(content: bytes) -> bytes:
    stream = zlib.decompressobj()
    plain = stream.decompress(content)
    if not stream.eof or stream.unused_data:
        raise zlib.error("cut off or added to")
    return plain


def _broken(digest: str, problem: str) -> RecordBroken:
    return RecordBroken(
        f"the stored text {digest[:12]} {problem}",
        "Run `autopilot log verify`, and put the records back from a backup.",
    )
