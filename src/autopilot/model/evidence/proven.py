"""How strong the evidence for one criterion is, in the words of every report."""

from __future__ import annotations

from enum import StrEnum


class Proven(StrEnum):
    REPLAYED = "replayed red→green"  # seen red without the work and green with it
    GREEN = "green only"  # seen green; nobody saw that it could be red
    STRUCTURAL = "structural"  # words or files are there; nothing was run
    CLAIM = "claim only"  # nobody saw it but the one who says so
