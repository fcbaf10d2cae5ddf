"""What the change of a test file, of a helper or of a ``conftest.py`` means to the tests that were there."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from autopilot.inspection.control.behind import ReadText
from autopilot.inspection.control.kinds import control_kind
from autopilot.inspection.control.meaning.meaning import compare_tests
from autopilot.inspection.control.meaning.python import compare_python
from autopilot.inspection.control.meaning.python_units import renamed_definitions
from autopilot.inspection.control.meaning.regrouping import find_kept
from autopilot.inspection.control.names import split_names
from autopilot.model.evidence.control import ControlChange, ControlKind, Meaning
from autopilot.model.git import Change
from autopilot.text.python_imports import imported
from autopilot.text.python_tree import python_tree

_SHELL = (".bats", ".bash", ".sh")
_CODE = (*_SHELL, ".py", ".js", ".cjs", ".mjs", ".jsx", ".ts", ".cts", ".mts", ".tsx", ".go", ".rs")
_LOADED = ("conftest.py", "__init__.py")  # Python loads them without being asked for, for every test below
_SOURCED = (ControlKind.FIXTURE, ControlKind.HELPER, ControlKind.SCRIPT)  # what shell tests load
_READS = (ControlKind.TEST, ControlKind.SUPPORT, ControlKind.FIXTURE)
# Fixtures that pytest and its common plugins bring: other fixtures ask for them where no test does.
_BROUGHT = split_names(
    """
    cache capfd capfdbinary caplog capsys capsysbinary doctest_namespace monkeypatch pytestconfig pytester
    record_property record_testsuite_property record_xml_attribute recwarn request subtests testdir tmp_path
    tmp_path_factory tmpdir tmpdir_factory anyio_backend app benchmark celery_app client db django_db_blocker
    django_db_setup event_loop event_loop_policy faker live_server loop mocker session_mocker settings
    transactional_db worker_id
    """
)


class Diff(Struct, frozen=True):
    """All that changed, with both texts at hand."""

    changes: Sequence[Change]
    control: Sequence[ControlChange]
    old: ReadText
    new: ReadText
    paths: Collection[str] = ()  # every file of the pin
    used: frozenset[str] = frozenset()  # words of shell files: what tests may call of a file that they load

    def texts(self, paths: Collection[str], read: ReadText) -> dict[str, str]:
        return {path: text for path in paths if (text := read(path)) is not None}

    def renamed(self) -> Mapping[str, str]:
        """Names of the product that this work changed and nothing else of what they stand for."""
        known = {change.path for change in self.control}
        product = [c.path for c in self.changes if c.path.endswith(".py") and c.path not in known]
        return renamed_definitions(self.texts(product, self.old), self.texts(product, self.new))


def with_meaning(change: ControlChange, diff: Diff) -> ControlChange:
    if change.inline or not change.path.endswith(_CODE):
        return change
    if change.kind in _SOURCED and change.path.endswith((".bash", ".sh")) and change.status == "M":
        return replace(change, meaning=_compared(change.path, diff))
    if change.kind is ControlKind.HELPER and change.path.endswith((".go", ".py")) and change.status == "M":
        return replace(change, meaning=_compared(change.path, diff))
    if change.kind is ControlKind.SUPPORT:
        return replace(change, meaning=_of_loaded(change, diff))
    if change.kind is ControlKind.FIXTURE and change.status == "M":
        return replace(change, meaning=_compared(change.path, diff))
    if change.kind is not ControlKind.TEST or change.status not in ("M", "D"):
        return change
    seen = _in_place(change, diff)
    return _regrouped(change, diff) if seen.meaning is Meaning.OTHER else seen


def _in_place(change: ControlChange, diff: Diff) -> ControlChange:
    """Of a test file that was changed, or that stands somewhere else now under a name of the same kind."""
    if change.status == "M":
        return replace(change, meaning=_compared(change.path, diff))
    for place in (c.path for c in diff.control if c.status == "A" and c.kind is ControlKind.TEST):
        meaning = _compared(change.path, diff, place) if _ending(place) == _ending(change.path) else Meaning.OTHER
        if meaning is not Meaning.OTHER:
            return replace(change, meaning=meaning, moved_to=place)
    return change


def _compared(path: str, diff: Diff, moved_to: str = "") -> Meaning:
    before, after = diff.old(path), diff.new(moved_to or path)
    if before is None or after is None:
        return Meaning.OTHER
    used = diff.used if path.endswith((".bash", ".sh")) else frozenset[str]()
    return compare_tests(before, after, path, moved_to, used)


def _regrouped(change: ControlChange, diff: Diff) -> ControlChange:
    """Its tests in another order or table, in several files, or under new names of the product."""
    before = diff.old(change.path)
    if before is None or not change.path.endswith(".py"):
        return change
    places = [
        c.path for c in diff.control if c.kind is ControlKind.TEST and c.status in "AM" and c.path.endswith(".py")
    ]
    texts = diff.texts(places, diff.new)
    for renamed in ({}, diff.renamed()):
        kept = find_kept(before, change.path, texts, renamed)
        if kept is not None:
            return replace(change, meaning=Meaning.ADDS, kept=kept, renamed=tuple(sorted(renamed.items())))
    return change


def _of_loaded(change: ControlChange, diff: Diff) -> Meaning:
    """Fixtures and helpers that no test uses which was there. A hook, an ``autouse`` and a name in use are more."""
    folder, _, name = change.path.rpartition("/")
    after = diff.new(change.path)
    if name not in _LOADED or change.status not in ("A", "M") or after is None:
        return Meaning.OTHER
    before = (diff.old(change.path) if change.status == "M" else "") or ""
    meaning = compare_python(before, after, change.path)
    if meaning is Meaning.SAME or _imports_anew(before, after, diff.control):
        return meaning if meaning is Meaning.SAME else Meaning.OTHER
    return compare_python(before, after, change.path, taken=_BROUGHT | _names_used(folder, diff))


def _imports_anew(before: str, after: str, control: Sequence[ControlChange]) -> bool:
    """Whether it begins to import from a helper that this work changed: a fixture there may apply by itself."""
    changed = {c.path.removesuffix(".py").removesuffix("/__init__").rpartition("/")[2] for c in control}
    begun = set(imported(after)) - set(imported(before))
    return any(changed.intersection(parts) for _, parts in begun)


def _names_used(folder: str, diff: Diff) -> frozenset[str]:
    """Parameters and quoted names of every test and fixture below a folder: what these ask for by name."""
    inside = f"{folder}/" if folder else ""
    paths = [p for p in diff.paths if p.endswith(".py") and p.startswith(inside) and control_kind(p) in _READS]
    trees = (tree for path in paths if (tree := python_tree(diff.old(path) or "")) is not None)
    return frozenset(name for tree in trees for node in ast.walk(tree) for name in _asked_for(node))


def _asked_for(node: ast.AST) -> Sequence[str]:
    match node:
        case ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return (name,)
        case ast.Constant(value=str(text)):
            return tuple(word.strip() for word in text.split(",") if word.strip().isidentifier())
        case _:
            return ()


def _ending(path: str) -> str:
    return path.rpartition(".")[2]
