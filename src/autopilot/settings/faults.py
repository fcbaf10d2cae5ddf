"""Finds unknown keys and values of the wrong type in a settings file, with their position."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from enum import Enum
from types import UnionType
from typing import Any, Literal, get_args, get_origin

import msgspec

from autopilot.model.agent_config import AgentConfig, Price
from autopilot.text.toml_span import find_line

FORMS = {
    "float": "a number",
    "int": "a whole number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
}
AGENT_SECTIONS = "[agents] (which agent has which role) or [agent.NAME] (an agent of your own)"
SIMILAR = 0.7  # a lower share of equal letters takes "mine" for "gemini"
# The error messages of msgspec.
MISFIT = re.compile(r"Expected `(?P<wanted>[^`]+)`, got `(?P<got>[^`]+)`(?: - at `\$(?P<where>[^`]*)`)?")
CHOICE = re.compile(r"Invalid enum value '(?P<got>[^']*)'(?: - at `\$(?P<where>[^`]*)`)?")
STEP = re.compile(r"\.(?P<name>\w+)|\[[^\]]*\]")
PRICE = ": write price = { input = 3, output = 15 } (USD for a million tokens)"
LACKING = re.compile(r"Object missing required field `(?P<field>[^`]+)`(?: - at `\$(?P<where>[^`]*)`)?")


def find_misfit(data: Mapping[str, Any], file_type: type[msgspec.Struct]) -> str:
    """The first value of the wrong type: "[agent.codex] wall_s: expected a number, got text". "" if there is none.

    Checked table by table: for the whole file, msgspec would not report keys that the user chose.
    """
    for position, value, kind in _parts(data, msgspec.structs.fields(file_type)):
        try:
            msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            return _misplaced_agent(position, value) or describe_misfit(position, str(error), kind)
    return ""


def _misplaced_agent(position: str, value: Any) -> str:
    """``[agents.mine]`` with an agent's own settings: one letter too many."""
    table, _, name = position.partition("] ")
    if table != "[agents" or not isinstance(value, dict):
        return ""
    return f"[agents.{name}]: [agents] says which agent has a role; describe an agent of your own below [agent.{name}]"


def find_unknown(data: Mapping[str, Any], known: Mapping[str, tuple[str, ...]], text: str) -> Iterator[str]:
    """Unknown keys are reported and not refused: a misspelt cap has no effect, but a later version may know the key."""
    for section, names in known.items():
        outer, _, inner = section.partition(".")
        table = data.get(outer, {}) if section else data
        for key in table.get(inner, {}) if inner else table:
            if key not in names and (section or not _is_like_agent(key, table[key])):
                line = find_line(text, (outer, inner, key) if inner else (outer, key) if outer else (key,))
                yield _describe_unknown(section, key, names, f" in line {line}" if line else "")


def _describe_unknown(section: str, key: str, names: tuple[str, ...], where: str) -> str:
    if not section and key in AgentConfig.__struct_fields__:
        return f"{key}{where} (it belongs below [agent.NAME])"
    guess = did_you_mean(key, names)
    known = f"{guess} known keys" if guess else "known keys"
    name = f"{section}.{key}" if section else key
    return f"{name}{where} ({known}: {', '.join(names)})"


def find_misspelt(data: Mapping[str, Any], sections: Collection[str]) -> Iterator[str]:
    """Misspelt keys of agents are refused: an ignored one could send code and a key to a wrong address."""
    for key, value in data.items():
        if _is_like_agent(key, value):
            nearest = get_close_matches(key, ("agent", *sections), n=1)[0]
            meant = AGENT_SECTIONS if nearest in ("agent", "agents") else f"[{nearest}]"
            yield f"unknown section [{key}]; did you mean {meant}?"
    for name, table in data.get("agent", {}).items():
        yield from _strange(f"[agent.{name}]", table, AgentConfig.__struct_fields__)
        yield from _strange(f"[agent.{name}] price:", table.get("price", {}), Price.__struct_fields__)


def did_you_mean(name: str, known: tuple[str, ...]) -> str:
    """A question with the most similar name, or ""."""
    matches = get_close_matches(name, known, n=1, cutoff=SIMILAR)
    return f"did you mean {matches[0]}?" if matches else ""


def _strange(position: str, table: Mapping[str, Any], known: tuple[str, ...]) -> Iterator[str]:
    for key in table:
        if key not in known:
            guess = did_you_mean(key, known)
            yield f"{position} unknown key {key}{f'; {guess}' if guess else ''}"


def _is_like_agent(key: str, value: Any) -> bool:
    is_known = key in ("agent", "agents")
    return not is_known and isinstance(value, dict) and bool(get_close_matches(key, ("agent", "agents"), n=1))


def _parts(data: Mapping[str, Any], fields: tuple[Any, ...]) -> Iterator[tuple[str, Any, Any]]:
    """Position, value and expected type of every entry."""
    for field in fields:
        if field.name not in data:
            continue
        value, kind = data[field.name], field.type
        if not isinstance(value, dict):
            yield field.name, value, kind
        elif isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            yield f"[{field.name}]", value, kind
        else:
            yield from _entries(field.name, value, kind)


def _entries(name: str, table: Mapping[str, Any], kind: Any) -> Iterator[tuple[str, Any, Any]]:
    """The entries of a table whose keys the user chooses."""
    inner = kind.__args__[1]
    for key, value in table.items():
        if isinstance(value, dict) and isinstance(inner, type) and issubclass(inner, msgspec.Struct):
            yield f"[{name}.{key}]", value, inner
        elif isinstance(value, dict) and get_origin(inner) is Mapping:
            yield from _entries(f"{name}.{key}", value, inner)
        else:
            yield f"[{name}] {key}", value, inner


def describe_misfit(position: str, message: str, kind: Any) -> str:
    """What msgspec says of a value below ``position`` that does not fit ``kind``, for people."""
    if match := CHOICE.match(message):
        known = ", ".join(map(str, _choices(kind, match["where"] or "")))
        return f'{_within(position, match["where"])} is "{match["got"]}", not one of {known}'
    if match := MISFIT.match(message):
        wanted = " or ".join(FORMS.get(form, form) for form in match["wanted"].split(" | ") if form != "null")
        return f"{_within(position, match['where'])}: expected {wanted}, got {FORMS.get(match['got'], match['got'])}"
    if match := LACKING.match(message):
        where = _within(position, match["where"])
        return f"{where} has no {match['field']}{PRICE if where.endswith('price') else ''}"
    rest, _, path = message.partition(" - at `$")
    where, rest = _within(position, path.rstrip("`")), rest.replace("Object contains unknown", "unknown")
    return f"{where}: {rest}" if where else rest


def _choices(kind: Any, path: str) -> tuple[Any, ...]:
    """The values that a type allows at a path such as ``.calls[0].role``; () where it is no choice."""
    if isinstance(kind, type) and issubclass(kind, Enum):
        return tuple(choice.value for choice in kind)
    if get_origin(kind) is Literal:
        return get_args(kind)
    step = STEP.match(path)
    if step and isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        inner = [field.type for field in msgspec.structs.fields(kind) if field.encode_name == step["name"]]
        return _choices(inner[0], path[step.end() :]) if inner else ()
    rest = path[step.end() :] if step and not isinstance(kind, UnionType) else path
    return next((found for part in get_args(kind) if (found := _choices(part, rest))), ())


def _within(position: str, path: str | None) -> str:
    if not position:  # a file that numbers its entries
        return (path or "").lstrip(".")
    keys = re.sub(r"\[[^\[\]]*+\]", "", path or "").lstrip(".")
    return f"{position} {keys}" if keys else position
