"""What a user asks for: a small function, right and wrong in each language, with calls that show the difference."""

from __future__ import annotations

import json
from dataclasses import dataclass

Value = str | int


@dataclass(frozen=True)
class Aim:
    name: str
    examples: tuple[tuple[Value, Value], ...]  # an argument and its result; the first two are the user's tests
    python: tuple[str, str]  # the right expression, and a wrong one
    javascript: tuple[str, str]

    @property
    def asked(self) -> tuple[tuple[Value, Value], ...]:
        return self.examples[:2]

    @property
    def more(self) -> tuple[tuple[Value, Value], ...]:
        return self.examples[2:]


def spelled(value: Value) -> str:
    """Alike in both languages."""
    return json.dumps(value)


AIMS = (
    Aim(
        "slug",
        (("Hello big World", "hello-big-world"), ("Word", "word"), ("One  more", "one-more")),
        ('"-".join(value.lower().split())', "value"),
        ('value.toLowerCase().split(/\\s+/).join("-")', "value"),
    ),
    Aim(
        "initials",
        (("Ada Lovelace", "AL"), ("Grace Brewster Hopper", "GBH"), ("Alan Turing", "AT")),
        ('"".join(part[0].upper() for part in value.split())', "value"),
        ('value.split(" ").map((part) => part[0].toUpperCase()).join("")', "value"),
    ),
    Aim(
        "cents",
        (("1.25", 125), ("0.5", 50), ("12", 1200)),
        ("round(float(value) * 100)", "0"),
        ("Math.round(parseFloat(value) * 100)", "0"),
    ),
    Aim(
        "vowels",
        (("education", 5), ("sky", 0), ("Aurora", 4)),
        ('sum(letter in "aeiou" for letter in value.lower())', "len(value)"),
        ('[...value.toLowerCase()].filter((letter) => "aeiou".includes(letter)).length', "value.length"),
    ),
    Aim(
        "mirror",
        (("Stressed", "desserts"), ("Abc", "cba"), ("No on", "no on")),
        ("value[::-1].lower()", "value"),
        ('[...value].reverse().join("").toLowerCase()', "value"),
    ),
    Aim(
        "percent",
        ((140, 100), (-3, 0), (55, 55)),
        ("min(max(value, 0), 100)", "value"),
        ("Math.min(Math.max(value, 0), 100)", "value"),
    ),
)
