"""A snapshot: what was worked out from the record up to one entry, sealed, so that it need not be worked out again.

The record stays the truth. A snapshot counts only when its seal holds, when the entry it was taken at is still the one
in the chain, and when the same program made it: the sources that give events their meaning are part of the seal.
"""

from __future__ import annotations

import hashlib
import hmac
from functools import cache
from pathlib import Path

import msgspec

from autopilot import events, model
from autopilot.adapters.journal.chain import seal
from autopilot.events.entry import Head


class Snapshot(msgspec.Struct, frozen=True):
    made_by: str  # fingerprint of the program
    seq: int
    digest: str
    payload: bytes
    mac: str


def render_snapshot(secret: bytes, name: str, head: Head, payload: bytes) -> bytes:
    mac = _seal(secret, name, fingerprint(), head, payload)
    return msgspec.msgpack.encode(Snapshot(fingerprint(), head.seq, head.digest, payload, mac))


def parse_snapshot(secret: bytes, name: str, content: bytes) -> tuple[Head, bytes] | None:
    """None for one that is damaged, forged, kept under another name, or made by another program."""
    try:
        kept = msgspec.msgpack.decode(content, type=Snapshot)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    head = Head(kept.seq, kept.digest)
    mac = _seal(secret, name, kept.made_by, head, kept.payload)
    if not hmac.compare_digest(mac.encode(), kept.mac.encode()) or kept.made_by != fingerprint():
        return None
    return head, kept.payload


@cache
def fingerprint() -> str:
    """Of every source that says what a state is or what an event does to it: with any change, snapshots are void."""
    digest = hashlib.sha256()
    for package in (model, events):
        root = Path(package.__path__[0])
        for file in sorted(root.rglob("*.py")):
            content = file.read_bytes()
            digest.update(f"{package.__name__} {file.relative_to(root)} {len(content)}\n".encode())
            digest.update(content)
    return digest.hexdigest()


def _seal(secret: bytes, name: str, made_by: str, head: Head, payload: bytes) -> str:
    return seal(secret, b"snapshot", name.encode(), made_by.encode(), b"%d" % head.seq, head.digest.encode(), payload)
