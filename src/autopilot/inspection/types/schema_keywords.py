"""The simple keywords of JSON schema: types, limits, sizes; each needs only the value and the number in the schema."""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import isfinite
from typing import Any

Keys = tuple[str | int, ...]
Problem = tuple[Keys, str]

_TYPES: dict[str, Callable[[Any], bool]] = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "integer": lambda value: (
        (isinstance(value, int) and not isinstance(value, bool)) or (isinstance(value, float) and value.is_integer())
    ),
}


def check_type(value: Any, schema: Mapping[str, Any], keys: Keys) -> Iterator[Problem]:
    wanted = schema.get("type")
    names = [wanted] if isinstance(wanted, str) else strings_of(wanted)
    known = [_TYPES[name] for name in names if name in _TYPES]
    if known and len(known) == len(names) and not any(fits(value) for fits in known):
        yield keys, f"is not of type {' or '.join(names)}"


def check_number(value: float, schema: Mapping[str, Any], keys: Keys) -> Iterator[Problem]:
    least, most = schema.get("minimum"), schema.get("maximum")
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    # In draft 4 the exclusive keywords are booleans that qualify the others.
    above, least = (least, None) if above is True else (above, least)
    below, most = (most, None) if below is True else (below, most)
    limits: tuple[tuple[Any, Callable[[Any, Any], bool], str], ...] = (
        (least, operator.ge, "below"),
        (most, operator.le, "above"),
        (above, operator.gt, "not above"),
        (below, operator.lt, "not below"),
    )
    for limit, holds, relation in limits:
        if is_number(limit) and not holds(value, limit):
            yield keys, f"is {relation} {limit}"
    step: Any = schema.get("multipleOf")
    exact = is_number(step) and step > 0 and _is_finite(value) and _is_finite(step)
    if exact and Fraction(str(value)) % Fraction(str(step)):
        yield keys, f"is not a multiple of {step}"


def check_size(size: int, schema: Mapping[str, Any], of: str, unit: str, keys: Keys) -> Iterator[Problem]:
    if size < count(schema.get(f"min{of}"), 0):
        yield keys, f"has fewer than {schema[f'min{of}']} {unit}"
    if size > count(schema.get(f"max{of}"), size):
        yield keys, f"has more than {schema[f'max{of}']} {unit}"


def canonical(value: Any) -> str:
    """Equal for values that JSON calls equal: 1 is 1.0, true is not 1, members have no order."""
    return json.dumps(_plain(value), sort_keys=True)


def _plain(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return {key: _plain(item) for key, item in value.items()} if isinstance(value, dict) else value


def count(limit: Any, otherwise: int) -> int:
    return int(limit) if is_number(limit) and _is_finite(limit) else otherwise


def is_number(value: Any) -> bool:
    return _TYPES["number"](value)


def _is_finite(value: float) -> bool:
    return isinstance(value, int) or isfinite(value)  # a long int does not fit the question


def table_of(schema: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = schema.get(key)
    return value if isinstance(value, dict) else {}


def list_of(schema: Mapping[str, Any], key: str) -> list[Any]:
    value = schema.get(key)
    return value if isinstance(value, list) else []


def strings_of(value: Any) -> list[str]:
    return [word for word in value if isinstance(word, str)] if isinstance(value, list) else []


def short(value: Any) -> str:
    rendered = json.dumps(value, ensure_ascii=False)
    return rendered if len(rendered) <= 60 else f"{rendered[:59]}…"
