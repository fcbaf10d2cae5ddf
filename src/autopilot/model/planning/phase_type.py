"""What kind of thing a phase changes; each kind asks for evidence of its own."""

from __future__ import annotations

from enum import StrEnum


class PhaseType(StrEnum):
    UI = "ui"  # compile, build, autonomous verification
    PROTOCOL = "protocol"  # references exist, blocks parse, contracts agree
    DATA = "data"  # parses, fits its schema
    MIXED = "mixed"  # whatever of these its files ask for
