"""Tests that were put in another order, file or table, or that follow a new name of the product."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from autopilot.inspection.control.meaning.python_plain import dump, plain_tree, without_annotations
from autopilot.inspection.control.meaning.python_units import TestFile, Unit, read_tests
from autopilot.model.evidence.control import Kept

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
Renaming = Mapping[str, str]


def find_kept(old: str, path: str, new: Mapping[str, str], renamed: Renaming) -> tuple[Kept, ...] | None:
    """Where each test of a changed file stands now, ``new`` being all changed test files; None where one is not there.

    A file in which more happens by itself than in the old one is no place for its tests.
    """
    before = read_tests(old, path, renamed)
    places = [file for place, text in new.items() if (file := read_tests(text, place)) is not None]
    if before is None or not before.units or not _keeps_definitions(old, new.get(path, ""), renamed):
        return None
    places = [file for file in places if file.effects <= before.effects]
    found = [_place(unit, path, places) for unit in before.units]
    kept = [
        Kept(unit.name, now.path, now.name) for unit, now in zip(before.units, found, strict=True) if now is not None
    ]
    return tuple(dict.fromkeys(kept)) if None not in found else None


def unchanged_tests(old: str, new: str, path: str) -> frozenset[str]:
    """Names of the tests that mean in one version of a file what they mean in the other."""
    before, after = read_tests(old, path), read_tests(new, path)
    if before is None or after is None or not after.effects <= before.effects:
        return frozenset()
    had, has = _meanings(before), _meanings(after)
    return frozenset(name for name, meanings in had.items() if has.get(name) == meanings)


def _meanings(file: TestFile) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for unit in file.units:
        found[unit.name] = found.get(unit.name, frozenset()) | {unit.meaning}
    return found


def _place(unit: Unit, path: str, places: Sequence[TestFile]) -> Unit | None:
    """In its own file and under its own name, if it is there."""
    twins = [other for file in places for other in file.units if other.meaning == unit.meaning]
    return min(twins, key=lambda other: (other.path != path, other.name != unit.name), default=None)


def _keeps_definitions(old: str, new: str, renamed: Renaming) -> bool:
    """What other files may import from this one is gone, or is what it was."""
    had, has = _helpers(old), _helpers(new)
    return bool(renamed) or all(has.get(name, text) == text for name, text in had.items())


def _helpers(text: str) -> dict[str, str]:
    tree = plain_tree(text)
    if tree is None:
        return {}
    without_annotations(tree)
    definitions = [node for node in tree.body if isinstance(node, _DEFINITIONS)]
    return {node.name: dump(node) for node in definitions if not node.name.lower().startswith("test")}
