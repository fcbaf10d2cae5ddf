"""A redactor that knows this machine's secrets: from an environment and from credential files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from autopilot.model.redaction import Redactor
from autopilot.model.secrets import is_secret_name, secret_values

_MAX_BYTES = 1_000_000
_ASSIGNED = re.compile(
    r"^\s{0,20}(?:export\s{1,4})?[\"']?([\w.:/-]{1,200})[\"']?\s{0,4}[=:]\s{0,4}(.{1,4000})$", re.MULTILINE
)
_NETRC = re.compile(r"\bpassword\s{1,8}(\S{1,400})")


def make_redactor(environment: Mapping[str, str], files: Iterable[Path] = ()) -> Redactor:
    """Files that are not there or cannot be read hold no secret we could leak."""
    values = secret_values(environment)
    for file in files:
        for number, value in enumerate(_values_of(file), 1):
            values.setdefault(f"{file.name}-{number}", value)
    return Redactor(values)


def _values_of(file: Path) -> Iterator[str]:
    try:
        with file.open("rb") as source:
            text = source.read(_MAX_BYTES).decode("utf-8", "replace").strip()
    except OSError:
        return
    try:
        yield from _leaves(json.loads(text), secret=False)
        return
    except (ValueError, RecursionError):
        pass
    if len(text.split()) == 1 and "=" not in text.rstrip("="):
        yield text  # a file that holds nothing but a token
    yield from (match[1] for match in _NETRC.finditer(text))
    for match in _ASSIGNED.finditer(text):
        if is_secret_name(match[1]):
            yield match[2].strip().strip("\"'")


def _leaves(value: object, secret: bool) -> Iterator[str]:
    match value:
        case str() if secret:
            yield value
        case dict():
            for key, one in value.items():
                yield from _leaves(one, secret or is_secret_name(str(key)))
        case list():
            for one in value:
                yield from _leaves(one, secret)
