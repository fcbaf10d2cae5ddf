"""Bulk storage: transcripts, command output, prompts, replies."""

from __future__ import annotations

from typing import Protocol


class Blobs(Protocol):
    def put(self, content: bytes) -> str:
        """Store after redaction; return the digest of what was stored. Storing twice is one blob."""

    def keep(self, content: bytes) -> str:
        """Store as it is: for what was built from cleaned parts and must stay readable as a whole."""

    def clean(self, text: str) -> str:
        """The text without secrets and terminal control sequences."""

    def knows(self, content: bytes) -> bool:
        """Whether a secret of this machine stands in it, in any spelling."""

    def get(self, digest: str) -> bytes:
        """The stored bytes. A missing or altered blob is RecordBroken."""
