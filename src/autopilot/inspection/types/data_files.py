"""Data files: do they parse, and do they fit the schema they name or have beside them?"""

from __future__ import annotations

import csv
import json
import posixpath
import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn

from msgspec import Struct

from autopilot.inspection.types.json_schema import ALLOWANCE, validate
from autopilot.model.evidence.checked import Checked
from autopilot.text.file_kind import suffix_of
from autopilot.text.json_span import members

_LINES = frozenset({".jsonl", ".ndjson"})
_DOCUMENTS = frozenset({".json", ".geojson"})
MAX_FINDINGS = 20  # of one file; who wants more has one cause for all of them


class _Record(Struct, frozen=True):
    line: int
    text: str
    value: Any = None
    error: str = ""


def parse_data(path: str, text: str) -> Checked:
    """Files in YAML and in formats without a parser here are reported as unseen."""
    suffix = suffix_of(path)
    if suffix in _DOCUMENTS | _LINES:
        wrong = [(record.line, record.error) for record in _records(path, text) if record.error]
    elif suffix == ".toml":
        wrong = _toml(text)
    elif suffix in {".csv", ".tsv"}:
        wrong = list(_table(text, suffix))
    else:
        return Checked(unseen=(f"{path}: {suffix.removeprefix('.') or 'this kind of file'} is not parsed",))
    return Checked(tuple(f"{path}:{line}: {problem}" for line, problem in wrong[:MAX_FINDINGS]))


def schema_of(path: str, text: str, read: Callable[[str], str | None]) -> Checked:
    """Judge JSON by the local file its ``$schema`` names, or by ``<name>.schema.json`` beside it.

    ``read`` gives the text of a file of the repository, None when it is not there. A file that does not parse is
    ``parse_data``'s to report, and one that has no schema fits.
    """
    if suffix_of(path) not in _DOCUMENTS | _LINES or path.endswith(".schema.json"):
        return Checked()
    records = [record for record in _records(path, text) if not record.error]
    named = _named_schema(records)
    if re.match(r"[a-z][a-z0-9+.-]*:", named, re.IGNORECASE):
        return Checked(unseen=(f"{path}: its schema {named[:80]} is not fetched",))
    place = posixpath.normpath(posixpath.join(posixpath.dirname(path), named)) if named else _sibling(path)
    schema_text = None if place.startswith(("../", "/")) else read(place)
    if schema_text is None:
        return Checked((f"{path}:1: its schema {named} does not exist",)) if named else Checked()
    schema = _read_json(schema_text)
    if schema.error:
        return Checked((f"{path}:1: its schema {place} does not parse",))
    return _fit(path, records, schema.value, place)


def _fit(path: str, records: Sequence[_Record], schema: Any, place: str) -> Checked:
    """All records share one allowance: a schema that takes long must not take long for every line."""
    found: list[str] = []
    unseen: dict[str, None] = {}
    left = ALLOWANCE
    for record in records:
        fit = validate(record.value, schema, left)
        left = fit.left
        found += [f"{path}:{_line(record, keys)}: {_pointer(keys)} {message}" for keys, message in fit.problems]
        unseen |= dict.fromkeys(f"{place}: {message}" for message in fit.unseen)
        if len(found) >= MAX_FINDINGS or not left:
            break
    return Checked(tuple(found[:MAX_FINDINGS]), tuple(unseen))


def _named_schema(records: Sequence[_Record]) -> str:
    value = records[0].value if len(records) == 1 else None
    named = value.get("$schema", "") if isinstance(value, dict) else ""
    return named.strip() if isinstance(named, str) else ""


def _sibling(path: str) -> str:
    return f"{path.removesuffix(posixpath.splitext(path)[1])}.schema.json"


def _records(path: str, text: str) -> list[_Record]:
    if suffix_of(path) not in _LINES:
        return [_read_json(text)]
    lines = enumerate(text.split("\n"), 1)
    return [_read_json(line, number) for number, line in lines if line.strip()]


def _read_json(text: str, first_line: int = 1) -> _Record:
    try:
        return _Record(first_line, text, json.loads(text, parse_constant=_refuse))
    except json.JSONDecodeError as error:
        problem = f"not valid JSON: {error.msg}" if text.strip() else "empty"
        return _Record(first_line + error.lineno - 1, text, error=problem)
    except RecursionError:
        return _Record(first_line, text, error="nested too deeply")
    except ValueError as error:
        digits = "digits" in str(error)
        return _Record(first_line, text, error="a number has too many digits" if digits else f"not valid JSON: {error}")


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a JSON value")


def _toml(text: str) -> list[tuple[int, str]]:
    try:
        tomllib.loads(text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        found = re.fullmatch(r"(.*) \(at (?:line (\d+), column \d+|end of document)\)", str(error), re.DOTALL)
        line = int(found[2]) if found and found[2] else text.rstrip().count("\n") + 1
        return [(line, f"not valid TOML: {found[1] if found else error}")]
    except (RecursionError, ValueError):
        return [(1, "not valid TOML: nested too deeply or a value out of range")]
    return []


def _table(text: str, suffix: str) -> Iterator[tuple[int, str]]:
    """Rows as wide as the first one. One column is no table: nothing could be wrong with it."""
    head = text.lstrip("\ufeff").split("\n", 1)[0]
    mark = "\t" if suffix == ".tsv" else max(",;\t|", key=head.count)
    reader = csv.reader((f"{line}\n" for line in text.split("\n")), delimiter=mark, strict=True)
    width, line = 0, 1
    try:
        for row in reader:
            if any(field.strip() for field in row):
                width = width or len(row)
                if 1 < width != len(row):
                    yield line, f"the row has {len(row)} field{'s'[: len(row) != 1]}, the first one {width}"
            line = reader.line_num + 1
    except csv.Error as error:
        yield line, f"not a valid table: {error}"


def _pointer(keys: Sequence[str | int]) -> str:
    return "".join(f"/{str(key).replace('~', '~0').replace('/', '~1')}" for key in keys) or "the document"


def _line(record: _Record, keys: Sequence[str | int]) -> int:
    """The line where the value stands, for people; the nearest place above it where an index is too far to count."""
    text = record.text
    start = len(text) - len(text.lstrip())
    for key in keys:
        starts = _starts(text, start)
        if key not in starts:
            break
        start = starts[key]
    return record.line + text.count("\n", 0, start)


def _starts(text: str, start: int) -> dict[str | int, int]:
    if text[start : start + 1] == "{":
        return {member.key: member.start for member in members(text, start)}
    starts: dict[str | int, int] = {}
    decoder, position = json.JSONDecoder(), start + 1
    while text[start : start + 1] == "[" and len(starts) < 100_000:
        position += len(text[position : position + 10_000]) - len(text[position : position + 10_000].lstrip(" \t\r\n,"))
        if text[position : position + 1] in {"]", ""}:
            break
        starts[len(starts)] = position
        position = decoder.raw_decode(text, position)[1]
    return starts
