"""Typed reads of ``.planning/config.json``: a value that is not valid is reported with its line and ignored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct

from autopilot.model.agent import Role
from autopilot.model.planning.complaint import Complaint
from autopilot.model.policy import Choice
from autopilot.text.json_span import line_of

SIMILAR = 0.75  # the share of equal letters from which on a key is taken for a misspelt one
MOST_COMPLAINTS = 50  # finding the line of one reads the whole file; a file can hold a hundred thousand


class Reader(Struct):
    """A value of the wrong type is reported and treated as absent."""

    source: str
    path: str
    data: dict[str, Any]
    complaints: list[Complaint]

    def text(self, *keys: str) -> str:
        value = self._get(str, "a string", *keys)
        return value if isinstance(value, str) else ""

    def texts(self, *keys: str) -> tuple[str, ...]:
        value = self._get(list, "a list of strings", *keys)
        return tuple(item for item in value or () if isinstance(item, str))

    def choice(self, choices: tuple[str, ...], *keys: str) -> str:
        value = self.text(*keys)
        if value and value not in choices:
            self.complain(f"is `{value}`, not one of {', '.join(choices)}: ignored", *keys)
        return value if value in choices else ""

    def flag(self, default: bool, *keys: str) -> bool:
        value = self._get(bool, "true or false", *keys)
        return value if isinstance(value, bool) else default

    def flags(self, names: tuple[str, ...], *keys: str) -> dict[str, bool]:
        """Those of the names that are set."""
        values = {name: self._get(bool, "true or false", *keys, name) for name in names}
        return {name: value for name, value in values.items() if isinstance(value, bool)}

    def number(self, *keys: str, above_zero: bool = False) -> float:
        """0.0 where there is none; ``above_zero``: a zero that is written is none."""
        value = self._get(int | float, "a number", *keys)
        if value is not None and not _is_amount(value) and (above_zero or value != 0):
            self.complain(f"is not a number {'above zero' if above_zero else 'of zero or more'}: ignored", *keys)
        return float(value) if _is_amount(value) else 0.0

    def numbers(self, *keys: str) -> dict[str, float]:
        found = {}
        for key, value in self.mapping(*keys).items():
            if _is_amount(value):
                found[key] = float(value)
            else:
                self.complain("is not a number above zero: ignored", *keys, key)
        return found

    def agents(self, *keys: str) -> dict[str, Choice]:
        """An agent or a chain of them by role."""
        found: dict[str, Choice] = {}
        for role, value in self.mapping(*keys).items():
            chain = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, list) else ()
            if role not in ("default", *Role):
                self.complain(f"is not one of default, {', '.join(Role)}: ignored", *keys, role)
            elif not chain or not all(isinstance(word, str) for word in chain):
                self.complain("is neither an agent's name nor a list of them: ignored", *keys, role)
            else:
                found[role] = value if isinstance(value, str) else chain
        return found

    def mapping(self, *keys: str) -> dict[str, Any]:
        value = self._get(dict, "an object", *keys)
        return value if isinstance(value, dict) else {}

    def inside(self, name: str) -> bool:
        """Whether a path stays inside the repository; text from a repository never reaches out of it."""
        pure = PurePosixPath(name)
        if pure.is_absolute() or ".." in pure.parts:
            self.complain(f"`{name}` leaves the repository: ignored", "project", "spec_paths")
            return False
        return True

    def name_misspelt(self, known: Mapping[tuple[str, ...], tuple[str, ...]]) -> None:
        """Report keys that resemble a known one which is missing, and those that belong into another table."""
        for keys, names in known.items():
            table = self._table(keys)
            missing = [name for name in names if name not in table]
            for key in table:
                if key not in names and (meant := _meant(key, missing) or self._in_project(key, known)):
                    self.complain(f"is unknown: ignored; did you mean {meant}?", *keys, key)

    def name_unknown(self, known: Mapping[tuple[str, ...], tuple[str, ...]]) -> None:
        """Report every key of these tables that is unknown, with the nearest known one or all of them."""
        for keys, names in known.items():
            for key in self._table(keys):
                message = ".".join((*keys, key)) + " is unknown"
                if key not in names and not any(complaint.text.startswith(message) for complaint in self.complaints):
                    meant = _meant(key, names)
                    guess = f"did you mean {meant}?" if meant else f"known keys: {', '.join(names)}"
                    self.complain(f"is unknown: ignored; {guess}", *keys, key)

    def _in_project(self, key: str, known: Mapping[tuple[str, ...], tuple[str, ...]]) -> str:
        """``project.commands`` for a key that would count there, and stands elsewhere instead."""
        is_missing = key in known[("project",)] and key not in self._table(("project",))
        return f"project.{key}" if is_missing else ""

    def _table(self, keys: tuple[str, ...]) -> dict[str, Any]:
        table: Any = self.data
        for key in keys:
            table = table.get(key) if isinstance(table, dict) else None
        return table if isinstance(table, dict) else {}

    def _get(self, kind: Any, description: str, *keys: str) -> Any:
        value: Any = self.data
        for depth, key in enumerate(keys):
            if not isinstance(value, dict):
                self.complain("is not an object: ignored", *keys[:depth])
                return None
            value = value.get(key)
            if value is None:
                return None
        if isinstance(value, kind):
            return value
        self.complain(f"is not {description}: ignored", *keys)
        return None

    def complain(self, message: str, *keys: str) -> None:
        text = " ".join(f"{'.'.join(keys)} {message}".split())  # a name may hold line ends, and begin a line of its own
        is_known = any(complaint.text == text for complaint in self.complaints)  # several keys lie below it
        if len(self.complaints) < MOST_COMPLAINTS and not is_known:
            self.complaints.append(Complaint(self.path, line_of(self.source, keys), text))


def _meant(key: str, missing: Sequence[str]) -> str:
    return next(iter(get_close_matches(key, missing, n=1, cutoff=SIMILAR)), "")


def _is_amount(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e12
