"""Does a value fit a JSON schema? Small on purpose, because schemas come from agents.

The known libraries build and execute Python from the schema or fetch what it refers to, and they run its regular
expressions whatever those cost. Here nothing is executed, nothing is fetched, and every step counts against a fixed
limit. What is not supported (references to other files, unevaluated parts, dynamic anchors, unbounded patterns) is
reported as unseen; it neither passes nor fails. ``format`` only describes, as the standard has it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from msgspec import Struct

from autopilot.inspection.types.safe_pattern import Pattern, bounded
from autopilot.inspection.types.schema_keywords import (
    Keys,
    Problem,
    canonical,
    check_number,
    check_size,
    check_type,
    count,
    is_number,
    list_of,
    short,
    strings_of,
    table_of,
)

ALLOWANCE = 500_000
MAX_DEPTH = 80
MAX_PROBLEMS = 20
_PATTERN_STEPS = 50  # steps of a pattern that cost as much as one of ours
_NOT_UNDERSTOOD = frozenset({"$dynamicRef", "$recursiveRef", "unevaluatedProperties", "unevaluatedItems"})


class Fit(Struct, frozen=True):
    problems: tuple[Problem, ...] = ()  # where, and what is wrong there
    unseen: tuple[str, ...] = ()
    left: int = 0  # of the allowance


class _Spent(Exception):
    pass


def validate(value: Any, schema: Any, allowance: int = ALLOWANCE) -> Fit:
    validation = _Validation(schema, allowance)
    found: list[Problem] = []
    try:
        for problem in validation.check(value, schema, (), 0):
            found.append(problem)
            if len(found) == MAX_PROBLEMS:
                break
    except (_Spent, RecursionError):
        validation.pass_over("validation against the schema takes too long")
    return Fit(tuple(dict.fromkeys(found)), tuple(validation.unseen), max(0, validation.left))


class _Validation:
    def __init__(self, root: Any, allowance: int) -> None:
        self.root = root
        self.left = allowance
        self.unseen: dict[str, None] = {}
        self.passed_over = 0
        self.patterns: dict[str, Pattern | None] = {}

    def check(self, value: Any, schema: Any, keys: Keys, depth: int) -> Iterator[Problem]:
        self.spend(1)
        if schema is False:
            yield keys, "is not allowed here"
        if not isinstance(schema, dict):
            return
        if depth > MAX_DEPTH:
            raise _Spent
        for word in _NOT_UNDERSTOOD & schema.keys():
            self.pass_over(f"{word} is not supported")
        if isinstance(reference := schema.get("$ref"), str):
            yield from self.referred(value, reference, keys, depth)
        yield from check_type(value, schema, keys)
        yield from self.choices(value, schema, keys)
        if isinstance(value, dict):
            yield from self.members(value, schema, keys, depth)
        elif isinstance(value, list):
            yield from self.items(value, schema, keys, depth)
        elif isinstance(value, str):
            yield from self.text(value, schema, keys)
        elif is_number(value):
            yield from check_number(value, schema, keys)
        yield from self.combined(value, schema, keys, depth)

    def referred(self, value: Any, reference: str, keys: Keys, depth: int) -> Iterator[Problem]:
        target = self.root
        if reference != "#" and not reference.startswith("#/"):
            self.pass_over(f"the reference {reference[:80]} is not followed")
            return
        for part in reference.split("/")[1:]:
            key = unquote(part).replace("~1", "/").replace("~0", "~")
            if isinstance(target, list) and key.isdecimal() and len(key) < 7 and int(key) < len(target):
                target = target[int(key)]
            elif isinstance(target, dict) and key in target:
                target = target[key]
            else:
                self.pass_over(f"the reference {reference[:80]} has no target")
                return
        yield from self.check(value, target, keys, depth + 1)

    def choices(self, value: Any, schema: Mapping[str, Any], keys: Keys) -> Iterator[Problem]:
        if "const" in schema and self.form(value) != self.form(schema["const"]):
            yield keys, f"is not {short(schema['const'])}"
        choices = schema.get("enum")
        if isinstance(choices, list) and self.form(value) not in {self.form(choice) for choice in choices}:
            yield keys, f"is {short(value)}, not one of {short(choices)}"

    def members(self, value: dict[str, Any], schema: Mapping[str, Any], keys: Keys, depth: int) -> Iterator[Problem]:
        for name in strings_of(schema.get("required")):
            if name not in value:
                yield keys, f"lacks {json.dumps(name)}"
        yield from check_size(len(value), schema, "Properties", "members", keys)
        for name, member in value.items():
            for rule in self.rules_for(name, schema):
                yield from self.check(member, rule, (*keys, name), depth + 1)
            if "propertyNames" in schema and self.refuses(name, schema["propertyNames"], depth):
                yield (*keys, name), "is not an allowed name"
        yield from self.dependent(value, schema, keys, depth)

    def rules_for(self, name: str, schema: Mapping[str, Any]) -> list[Any]:
        properties = table_of(schema, "properties")
        rules = [properties[name]] if name in properties else []
        unsure = False
        for source, rule in table_of(schema, "patternProperties").items():
            matched = self.matches(source, name)
            unsure |= matched is None
            rules += [rule] if matched else []
        if not rules and not unsure and "additionalProperties" in schema:
            return [schema["additionalProperties"]]
        return rules

    def dependent(self, value: dict[str, Any], schema: Mapping[str, Any], keys: Keys, depth: int) -> Iterator[Problem]:
        for keyword in ("dependentRequired", "dependentSchemas", "dependencies"):
            for name, rule in table_of(schema, keyword).items():
                if name not in value:
                    continue
                if not isinstance(rule, list):
                    yield from self.check(value, rule, keys, depth + 1)
                for other in strings_of(rule):
                    if other not in value:
                        yield keys, f"lacks {json.dumps(other)}, which {json.dumps(name)} requires"

    def items(self, value: list[Any], schema: Mapping[str, Any], keys: Keys, depth: int) -> Iterator[Problem]:
        yield from check_size(len(value), schema, "Items", "items", keys)
        if schema.get("uniqueItems") is True and len({self.form(item) for item in value}) < len(value):
            yield keys, "has a duplicate item"
        # Before 2020 a list of items meant what prefixItems means now, and additionalItems the rest.
        items = schema.get("items", True)
        first = items if isinstance(items, list) else list_of(schema, "prefixItems")
        rest = schema.get("additionalItems", True) if isinstance(items, list) else items
        for index, item in enumerate(value):
            yield from self.check(item, first[index] if index < len(first) else rest, (*keys, index), depth + 1)
        if "contains" in schema:
            before = self.passed_over
            fitting = sum(not self.refuses(item, schema["contains"], depth) for item in value)
            least, most = count(schema.get("minContains"), 1), count(schema.get("maxContains"), len(value))
            if not least <= fitting <= most and self.passed_over == before:
                yield keys, f"has {fitting} items that match `contains`"

    def text(self, value: str, schema: Mapping[str, Any], keys: Keys) -> Iterator[Problem]:
        yield from check_size(len(value), schema, "Length", "characters", keys)
        if isinstance(source := schema.get("pattern"), str) and self.matches(source, value) is False:
            yield keys, f"does not match {source}"

    def combined(self, value: Any, schema: Mapping[str, Any], keys: Keys, depth: int) -> Iterator[Problem]:
        """What was passed over inside a choice leaves the choice open."""
        for rule in list_of(schema, "allOf"):
            yield from self.check(value, rule, keys, depth + 1)
        before = self.passed_over
        for keyword, most in (("anyOf", None), ("oneOf", 1)):
            rules = list_of(schema, keyword)
            fitting = sum(not self.refuses(value, rule, depth) for rule in rules)
            fits = fitting >= 1 and (most is None or fitting <= most)
            if rules and not fits and self.passed_over == before:
                yield keys, f"matches {fitting or 'none'} of the {len(rules)} schemas of {keyword}"
        if "not" in schema and not self.refuses(value, schema["not"], depth) and self.passed_over == before:
            yield keys, "matches the schema that `not` excludes"
        if "if" in schema:
            branch = "else" if self.refuses(value, schema["if"], depth) else "then"
            if branch in schema and self.passed_over == before:
                yield from self.check(value, schema[branch], keys, depth + 1)

    def refuses(self, value: Any, rule: Any, depth: int) -> bool:
        return next(self.check(value, rule, (), depth + 1), None) is not None

    def matches(self, source: str, text: str) -> bool | None:
        if source not in self.patterns:
            self.patterns[source] = bounded(source)
        pattern = self.patterns[source]
        cost = pattern.cost(text) // _PATTERN_STEPS if pattern else 0
        if pattern is None or cost > self.left:
            self.pass_over(f"the pattern {source[:80]} is not evaluated")
            return None
        self.spend(cost)
        return pattern.regex.search(text) is not None

    def form(self, value: Any) -> str:
        form = canonical(value)
        self.spend(len(form) // _PATTERN_STEPS)
        return form

    def pass_over(self, reason: str) -> None:
        self.passed_over += 1
        self.unseen[reason] = None

    def spend(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            raise _Spent
