"""JSON in documents: blocks that do not parse, and documents that give one contract two shapes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

from msgspec import Struct

from autopilot.inspection.types.loose_json import parse_loose
from autopilot.text.fences import Block, blocks

_LANGUAGES = frozenset({"json", "jsonc", "json5", "jsonl", "ndjson"})
_LENIENT = frozenset({"jsonc", "json5"})
_SAYS_CONTRACT = re.compile(r"\b(?:schema|contract|format|record|payload|message|envelope|event|manifest|file)s?\b")
MIN_FIELDS = 3  # below that, agreement and disagreement are both chance
MIN_SHARED = 0.5


class Shape(Struct, frozen=True):
    path: str
    line: int
    fields: frozenset[str]


def json_blocks(path: str, text: str) -> tuple[str, ...]:
    found = []
    for block in _json(text):
        read = parse_loose(block.text, block.language in _LENIENT)
        if read.error:
            found.append(
                f"{path}:{block.line + read.line - 1}: the {block.language} block does not parse: {read.error}"
            )
    return tuple(found)


def contracts(documents: Mapping[str, str]) -> tuple[str, ...]:
    """Where two documents show the same contract with different fields.

    Two blocks are the same contract when they carry the same ``$id``, or stand in two documents under the same heading
    and that heading names something: it holds a back-quoted name, or a word such as schema, format or record besides
    others. Only top-level fields are compared. To stay quiet about things that merely share a title, blocks that say
    they leave something out, that have fewer than three fields, or that share less than half of them are left alone;
    so is a name that one document uses twice, for then the documents mean a family and not one shape.
    """
    by_name: dict[str, list[Shape]] = {}
    for path, text in documents.items():
        for name, shape in _shapes(path, text).items():
            by_name.setdefault(name, []).append(shape)
    return tuple(
        f"{first.path}:{first.line}: {name} {_difference(first, other)}"
        for name, shapes in by_name.items()
        for first, other in combinations(sorted(shapes, key=lambda shape: shape.path), 2)
        if first.fields != other.fields and _is_alike(first.fields, other.fields)
    )


def _json(text: str) -> Iterator[Block]:
    return (block for block in blocks(text) if block.language in _LANGUAGES and block.text.strip())


def _shapes(path: str, text: str) -> dict[str, Shape]:
    found: dict[str, Shape | None] = {}
    for block in _json(text):
        read = parse_loose(block.text, block.language in _LENIENT)
        if read.error or read.elided or len(read.values) != 1 or not isinstance(read.values[0], dict):
            continue
        name, fields = _name(block, read.values[0]), _fields(read.values[0])
        if name and len(fields) >= MIN_FIELDS:
            found[name] = None if name in found else Shape(path, block.line, fields)
    return {name: shape for name, shape in found.items() if shape is not None}


def _name(block: Block, value: Mapping[str, Any]) -> str:
    if isinstance(id := value.get("$id"), str):
        return f'"{id}"'
    heading = re.sub(r"^[\d.§)(\s]+", "", block.heading.lower())
    plain = " ".join(re.findall(r"[\w/.-]+", heading))
    names_something = re.search(r"`[^`]+`", heading) or (_SAYS_CONTRACT.search(plain) and len(plain.split()) > 1)
    return f'"{plain}"' if names_something else ""


def _fields(value: Mapping[str, Any]) -> frozenset[str]:
    """Of a JSON schema the properties are compared, of an example its members."""
    properties = value.get("properties")
    return frozenset(properties if isinstance(properties, dict) and "type" in value else value)


def _is_alike(first: frozenset[str], other: frozenset[str]) -> bool:
    return len(first & other) >= MIN_SHARED * len(first | other)


def _difference(first: Shape, other: Shape) -> str:
    more, fewer = sorted(first.fields - other.fields), sorted(other.fields - first.fields)
    parts = [f"has {', '.join(more)}, which {other.path} lacks"] if more else []
    parts += [f"lacks {', '.join(fewer)}, which {other.path} has"] if fewer else []
    return " and ".join(parts)
