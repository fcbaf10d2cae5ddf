"""What is in an artefact, and its seal. The key of the record stays where it is: the file has one of its own."""

from __future__ import annotations

import hashlib
import hmac
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

from autopilot.adapters.files import translated, write_atomically
from autopilot.adapters.journal.chain import Row
from autopilot.model.errors import RecordBroken, UsageError

FORMAT = 1
KEY = "AUTOPILOT_ARTEFACT_KEY"
SHORTEST_KEY = 32  # characters
MOST = 512 << 20  # bytes of the file, and four times as many of what is in it
_MAGIC = b"autopilot-artefact "
_HEAD = len(_MAGIC) + 64 + 1
_DOMAIN = b"autopilot artefact 1"


class CarriedMessage(NamedTuple):
    """Of the inbox: what a person said and no run has read yet."""

    key: str
    run: str
    kind: str
    payload: bytes


class Carried(Struct, frozen=True):
    version: str  # of the program that wrote it
    rows: tuple[Row, ...]  # the chain as it is there, from its first entry on
    messages: tuple[CarriedMessage, ...]
    texts: Mapping[str, bytes]  # by digest
    known: str  # the commit of the user's history that everything packed builds on
    refs: Mapping[str, str]  # of the vault
    offers: Mapping[str, str]  # branches of the checkout that a person is to look at or merge
    pack: bytes
    format: int = FORMAT


def artefact_key(environment: Mapping[str, str]) -> bytes:
    secret = environment.get(KEY, "")
    if len(secret) < SHORTEST_KEY:
        wrong = f"{KEY} has fewer than {SHORTEST_KEY} characters" if secret else f"{KEY} is not set"
        hint = f"make a secret of your CI of that name (openssl rand -hex {SHORTEST_KEY}), and export it here too"
        raise UsageError(f"{wrong}: an artefact is sealed with it, or anybody could change what was proven", hint)
    return hmac.digest(secret.encode("utf-8", "surrogateescape"), _DOMAIN, "sha256")


def write_artefact(carried: Carried, key: bytes, file: Path) -> None:
    body = zlib.compress(msgspec.msgpack.encode(carried), level=6)
    if len(body) > MOST:
        size = f"{len(body) >> 20:,} MB, more than the {MOST >> 20:,} MB of an artefact"
        raise UsageError(f"the record has {size}", "keep the state home from job to job instead (a cache of your CI)")
    seal = hmac.digest(key, body, "sha256").hex().encode()
    failure = f"the artefact cannot be written to {file}"
    write_atomically(file, b"%b%b\n%b" % (_MAGIC, seal, body), mode=0o600, failure=failure)


def read_artefact(file: Path, key: bytes) -> tuple[Carried, str]:
    """What is in it, and its digest. Nothing is read of a file whose seal is not whole."""
    if file.is_dir() or not file.exists():
        wrong = "is a folder" if file.is_dir() else "does not exist"
        raise UsageError(f"the artefact {file} {wrong}", "name the file that `autopilot log export FILE` wrote")
    with translated(file, f"the artefact {file} cannot be read"), file.open("rb") as stream:
        content = stream.read(MOST + _HEAD + 1)
    head, body = content[:_HEAD], content[_HEAD:]
    if not head.startswith(_MAGIC) or len(head) < _HEAD or len(content) > MOST + _HEAD:
        raise UsageError(f"{file} is no artefact of Autopilot", "`autopilot log export FILE` writes one")
    seal = hmac.digest(key, body, "sha256").hex().encode()
    if not hmac.compare_digest(head, _MAGIC + seal + b"\n"):
        raise RecordBroken(
            f"the seal of {file} does not fit: it was sealed with another {KEY}, or was changed since",
            f"Use the {KEY} of the job that wrote it; if it is the same one, download the file again.",
        )
    return _decoded(file, body), hashlib.sha256(content).hexdigest()


def _decoded(file: Path, body: bytes) -> Carried:
    hint = "Update Autopilot, or use the version that wrote it."
    try:
        stream = zlib.decompressobj()
        plain = stream.decompress(body, 4 * MOST)
        carried = msgspec.msgpack.decode(plain, type=Carried)
    except (zlib.error, msgspec.MsgspecError) as error:
        raise UsageError(f"{file} was written by another version of Autopilot: {error}", hint) from error
    if carried.format != FORMAT:
        raise UsageError(f"{file} has format {carried.format}, and this version reads {FORMAT}", hint)
    return carried
