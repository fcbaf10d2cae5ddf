"""A redactor that knows this machine's secrets: from an environment and from credential files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from autopilot.adapters.credentials.values import read_values
from autopilot.model.secrecy.redaction import Redactor
from autopilot.model.secrecy.secrets import secret_values


def make_redactor(
    environment: Mapping[str, str], files: Iterable[Path] = (), known: Mapping[str, str] | None = None
) -> Redactor:
    """``known`` are secrets whatever their names. Files that cannot be read hold none that we could leak."""
    values = {**secret_values(environment), **(known or {})}
    counted: Counter[str] = Counter()  # over all files: those of two agents may have the same name
    for file in files:
        for value in read_values(file):
            counted[file.name] += 1
            values.setdefault(f"{file.name}-{counted[file.name]}", value)
    return Redactor(values)
