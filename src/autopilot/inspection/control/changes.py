"""Which changes touch what the work is judged by (layer S): a diff read file by file against the pin."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Collection, Sequence

from msgspec.structs import replace

from autopilot.inspection.control.behind import ReadText, scripts_behind
from autopilot.inspection.control.change_meaning import Diff, with_meaning
from autopilot.inspection.control.collected import Collected, is_code_of_tests
from autopilot.inspection.control.judging_scripts import TOOLS
from autopilot.inspection.control.kinds import control_kind, in_test_folder
from autopilot.inspection.control.mixed import is_mixed, steering_part
from autopilot.inspection.control.names import PYTHON_TOOLS
from autopilot.inspection.control.recipes import FOR_PEOPLE, recipes
from autopilot.inspection.control.rust_tests import lost_inline_tests
from autopilot.model.evidence.control import ControlChange, ControlKind
from autopilot.model.git import Change

__all__ = ["ControlChange", "ControlKind", "control_changes", "control_kind", "scripts_behind", "steering_part"]

SYMLINK = "120000"
_RUBY_TOOL = re.compile(r"(?:lib|test|spec)/(?:minitest|rspec|simplecov|test/unit)(?:/.+)?\.rb")


def control_changes(
    changes: Sequence[Change],
    old: ReadText,
    new: ReadText,
    behind: Collection[str] = (),
    helpers: Collection[str] = (),
    paths: Collection[str] = (),
    used: frozenset[str] = frozenset(),
    collected: Collected | None = None,
) -> tuple[ControlChange, ...]:
    """``old`` reads the pin, ``new`` the work; ``behind`` are the scripts that the pinned commands go through,
    ``helpers`` files outside of the tests that judge all the same, ``paths`` all files of the pin, ``used`` what shell
    tests may call, and ``collected`` what the project's own test tools take for tests."""
    judging = [change for change in changes if change.path in helpers and control_kind(change.path) is None]
    helping = [ControlChange(change.path, _kind_of_helper(change), change.status) for change in judging]
    seen = [_control_change(change, old, new, behind) for change in changes if change not in judging]
    found = [*helping, *(_as_collected(change, collected) for change in seen if change is not None)]
    diff = Diff(changes, found, old, new, paths, used)
    return tuple(with_meaning(change, diff) for change in found)


def _as_collected(change: ControlChange, collected: Collected | None) -> ControlChange:
    """What the path alone takes for data of tests is a test where the project's own tool runs it as one."""
    if collected is None or change.kind is not ControlKind.FIXTURE or not is_code_of_tests(change.path):
        return change
    return replace(change, kind=ControlKind.TEST) if collected.has(change.path) else change


def _kind_of_helper(change: Change) -> ControlKind:
    """What was vendored follows from the manifest, as a lockfile does."""
    return ControlKind.LOCK if "/vendor/" in f"/{change.path}" else ControlKind.HELPER


def _control_change(change: Change, old: ReadText, new: ReadText, behind: Collection[str]) -> ControlChange | None:
    path, status = change.path, change.status
    before = old(path) if status != "A" else None
    after = new(path) if status != "D" else None
    if status == "M" and before is not None and before == after:
        return None  # only its mode: the same text is read
    inline = False
    kind = control_kind(path) or (ControlKind.SCRIPT if path in behind and not is_mixed(path) else None)
    if kind is None and is_mixed(path):
        unread = (before is None and status != "A") or (after is None and status != "D")
        steers = unread or _steers_otherwise(path, before, after, path in behind)
        kind = ControlKind.RUNNER if steers else None
    elif kind is None and path.endswith(".rs"):
        inline = before is not None and bool(lost_inline_tests(before, after or ""))
        kind = ControlKind.TEST if inline else None
    kind = _seen_closer(change, kind, after, new)
    if kind is None:
        return None
    endings = before is not None and after is not None and _plain(before) == _plain(after) and status == "M"
    return ControlChange(path, kind, status, endings_only=endings, inline=inline)


def _seen_closer(change: Change, kind: ControlKind | None, after: str | None, new: ReadText) -> ControlKind | None:
    """What its text, its mode or its neighbours add to what the path says of a file that comes new."""
    path = change.path
    if kind is not None and change.new_mode == SYMLINK and change.old_mode != SYMLINK:
        return ControlKind.SUPPORT  # what it leads to is what would be read
    if change.status != "A":
        return kind
    if path.endswith("__init__.py") and kind is ControlKind.SUPPORT and _does_nothing(after):
        return None
    if path.endswith("_test.go") and re.search(r"^func TestMain\(", after or "", re.MULTILINE):
        return ControlKind.SUPPORT  # it decides over every other test of its package
    if kind is ControlKind.FIXTURE and path.endswith("/package.json") and '"imports"' in (after or ""):
        return ControlKind.SUPPORT  # what the tests below it import by a name is what this says
    if (kind is None or kind is ControlKind.FIXTURE) and (_shadows(path, new) or _RUBY_TOOL.fullmatch(path)):
        return ControlKind.SUPPORT
    if kind is None and TOOLS.fullmatch(path.rsplit("/", 1)[-1]):
        return ControlKind.SUPPORT  # a search path that begins with its folder finds it in place of the system's
    return kind


def _shadows(path: str, new: ReadText) -> bool:
    """Whether Python would import this new module in place of the test tool, the standard library or the product.

    The root comes first on the path with ``python -m``, and every test's own folder does with pytest.
    """
    folder, _, name = path.removesuffix(".py").removesuffix("/__init__").rpartition("/")
    if not path.endswith(".py") or name in {"__init__", "__main__", "test", "tests"}:
        return False
    if folder and not in_test_folder(path):
        return folder == "src" and name in PYTHON_TOOLS
    if name in PYTHON_TOOLS or name in sys.stdlib_module_names:
        return True
    twins = (f"{base}{name}{end}" for base in ("", "src/", "lib/") for end in (".py", "/__init__.py"))
    return (
        bool(folder)
        and not path.endswith("__init__.py")
        and any(twin != path and new(twin) is not None for twin in twins)
    )


def _steers_otherwise(path: str, before: str | None, after: str | None, is_behind: bool) -> bool:
    steered, steers = steering_part(path, before or ""), steering_part(path, after or "")
    if (steered if before else "") != (steers if after else ""):
        return True
    if not is_behind or not before:
        return False
    name = path.rsplit("/", 1)[-1]
    had, has = recipes(name, before) or {}, recipes(name, after or "") or {}
    return any(has.get(recipe) != body for recipe, body in had.items() if not FOR_PEOPLE.fullmatch(recipe))


def _does_nothing(text: str | None) -> bool:
    """An ``__init__.py`` that only says that there is a package."""
    try:
        body = ast.parse(text or "").body
    except (SyntaxError, ValueError, RecursionError):
        return False
    return all(isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant) for statement in body)


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n")
