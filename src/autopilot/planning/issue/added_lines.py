"""Whether a text was only added to."""

from __future__ import annotations


def only_adds(before: str, now: str) -> bool:
    """Every line that was there is there, in its order; what stands between them is new."""
    rest = iter(now.splitlines())
    return all(line in rest for line in before.splitlines())
