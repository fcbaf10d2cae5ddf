"""The seal of one row of the journal. Imports next to nothing: `status` checks it before anything else is loaded."""

from __future__ import annotations

import hmac

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def seal_row(secret: bytes, row: tuple[Any, ...]) -> str:
    """Of everything in the row before its ``mac``."""
    # Written out for speed: reading a long record is mostly this line.
    number, run_, key_, time_, kind_, schema, payload, prev_ = row[:8]
    prev, run, key, time, kind = prev_.encode(), run_.encode(), key_.encode(), time_.encode(), kind_.encode()
    framed = b"event,%d:%b,%d,%d:%b,%d:%b,%d:%b,%d:%b,%d,%d:%b" % (
        *(len(prev), prev, number, len(run), run, len(key), key),
        *(len(time), time, len(kind), kind, schema, len(payload), payload),
    )
    return hmac.digest(secret, framed, "sha256").hex()
