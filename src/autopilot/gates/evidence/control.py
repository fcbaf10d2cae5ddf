"""May the work change what it is judged by? Only where its task says so (layer S)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autopilot.gates.evidence.declared import covers, covers_compiled, declared_by
from autopilot.model.evidence.control import ControlChange, ControlKind, Meaning
from autopilot.model.evidence.objection import Layer, Objection, Weight
from autopilot.text.file_kind import is_test

__all__ = ["declared_by", "judge_control", "to_restore", "undeclared"]

MOST_NAMED = 8  # beyond that they are counted: a hundred objections of one kind are not readable
_DATA = (ControlKind.FIXTURE, ControlKind.SNAPSHOT)
_DONE = {"A": "added", "M": "changed", "D": "deleted", "T": "made into another kind of file"}
# By the name of the lock, the manifests it follows from.
_MANIFESTS = {
    "package-lock.json": ("package.json",),
    "npm-shrinkwrap.json": ("package.json",),
    "yarn.lock": ("package.json",),
    "pnpm-lock.yaml": ("package.json", "pnpm-workspace.yaml"),
    "bun.lock": ("package.json",),
    "bun.lockb": ("package.json",),
    "deno.lock": ("deno.json", "deno.jsonc", "package.json"),
    "uv.lock": ("pyproject.toml",),
    "poetry.lock": ("pyproject.toml",),
    "pdm.lock": ("pyproject.toml",),
    "Pipfile.lock": ("Pipfile",),
    "Cargo.lock": ("Cargo.toml",),
    "go.sum": ("go.mod",),
    "go.work.sum": ("go.mod", "go.work"),
    "modules.txt": ("go.mod",),
    "composer.lock": ("composer.json",),
    "symfony.lock": ("composer.json",),
    "Gemfile.lock": ("Gemfile",),
    "gradle.lockfile": ("build.gradle", "build.gradle.kts"),
    "mix.lock": ("mix.exs",),
    "pubspec.lock": ("pubspec.yaml",),
    "Package.resolved": ("Package.swift",),
    "Podfile.lock": ("Podfile",),
    "flake.lock": ("flake.nix",),
}


def judge_control(subject: str, changes: Sequence[ControlChange], declared: Sequence[str]) -> tuple[Objection, ...]:
    """What no task declares is refused; what one does declare is shown, so that a reviewer checks it."""
    refused = undeclared(changes, declared)
    objections = [*_refusals(subject, refused), *_flags(subject, changes, refused, declared)]
    return tuple(objections)


def undeclared(changes: Sequence[ControlChange], declared: Sequence[str]) -> tuple[ControlChange, ...]:
    """New tests, with the data they bring, need not be named in the plan: they take nothing from what was pinned.

    Nor do other layout and another place of the tests that were there.
    """
    tests = (change for change in changes if change.kind is ControlKind.TEST)
    brings_tests = any(c.status == "A" or c.meaning is Meaning.ADDS or _covered(c.path, declared) for c in tests)
    return tuple(change for change in changes if not _is_allowed(change, declared, brings_tests))


def to_restore(changes: Sequence[ControlChange], declared: Sequence[str]) -> tuple[str, ...]:
    """What is put back as the pin has it before evidence is taken; what the pin does not have is taken away.

    Tests inside a file of the product stay as they are: the product would go back with them.
    """
    made = {c.path for c in changes if c.kind is ControlKind.BYTECODE and not _is_declared_bytecode(c, declared)}
    back = {change.path for change in undeclared(changes, declared) if not change.inline}
    return tuple(change.path for change in changes if change.path in made | back)


def _is_allowed(change: ControlChange, declared: Sequence[str], brings_tests: bool) -> bool:
    if change.kind is ControlKind.BYTECODE or _is_declared(change, declared):
        return True
    if change.endings_only and change.kind not in _DATA:
        return True
    if change.status == "A" and (change.kind is ControlKind.TEST or (change.kind in _DATA and brings_tests)):
        return True
    if change.meaning is not Meaning.OTHER:
        return True  # every test that was there is there, unchanged in meaning, and nothing that was added reaches it
    return change.kind is ControlKind.LOCK and _follows(change.path, declared)


def _is_declared(change: ControlChange, declared: Sequence[str]) -> bool:
    """A folder of the product that a task lists is no leave to change what judges from within it."""
    if change.held:
        return False
    # Nor is a folder with a place for new tests one to change what tests compare with.
    is_compared = change.kind in _DATA and change.status != "A"
    if (
        is_compared
        or change.kind is ControlKind.HELPER
        or (change.kind is ControlKind.SUPPORT and not is_test(change.path))
    ):
        named = [pattern for pattern in declared if not change.path.startswith(f"{pattern.rstrip('/')}/")]
        return _covered(change.path, named)
    return _covered(change.path, declared)


def _is_declared_bytecode(change: ControlChange, declared: Sequence[str]) -> bool:
    return change.status == "M" and any(covers_compiled(pattern, change.path) for pattern in declared)


def _covered(path: str, declared: Sequence[str]) -> bool:
    return any(covers(pattern, path) for pattern in declared)


def _follows(lock: str, declared: Sequence[str]) -> bool:
    """A lock is written by a tool from the manifest beside it, or from those of the packages below it."""
    folder, _, name = lock.rpartition("/")
    if "/node_modules/" in f"/{lock}":
        folder, name = f"/{lock}".split("/node_modules/")[0].strip("/"), "package-lock.json"
    if "/vendor/" in f"/{lock}" and lock.endswith(".go"):
        folder, name = f"/{lock}".split("/vendor/")[0].strip("/"), "modules.txt"
    elif name == "modules.txt":
        folder = folder.removesuffix("vendor").rstrip("/")
    manifests = _MANIFESTS.get(name, ())
    beside = (f"{folder}/{manifest}".lstrip("/") for manifest in manifests)
    below = (
        pattern.rsplit("/", 1)[-1] in manifests and f"{pattern}/".startswith(f"{folder}/" if folder else "")
        for pattern in declared
    )
    return any(below) or any(_covered(path, declared) for path in beside)


def _refusals(subject: str, refused: Sequence[ControlChange]) -> Iterator[Objection]:
    for change in refused[:MOST_NAMED]:
        done = "tests inside it were changed or deleted" if change.inline else f"it was {_DONE.get(change.status, '?')}"
        back = "take it out" if change.status == "A" else "restore it"
        description = f"{change.path} ({change.kind.value}) is not among the task's files, and {done}"
        if change.endings_only:
            description += " (only its line endings)"
        satisfy = f"{back}, or list it in the task of the plan"
        if change.held:
            description = f"{change.path} ({change.kind.value}) was there when the run began, and {done}"
            satisfy = (
                f"{back}: the plan is an agent's, and only the user's words (roadmap, requirements, answers) release it"
            )
        yield Objection(Layer.CHANGE, subject, description, change.path, satisfy)
    if more := refused[MOST_NAMED:]:
        description = f"{len(more)} more control files were changed that the task does not list"
        where = ", ".join(change.path for change in more[:MOST_NAMED])
        yield Objection(Layer.CHANGE, subject, description, where, "restore them, or list them in the task of the plan")


def _flags(
    subject: str, changes: Sequence[ControlChange], refused: Sequence[ControlChange], declared: Sequence[str]
) -> Iterator[Objection]:
    shown = [
        (change, message)
        for change in changes
        if change not in refused and (message := _worth_a_look(change, declared))
    ]
    for change, message in shown[:MOST_NAMED]:
        yield Objection(Layer.CHANGE, subject, message, change.path, weight=Weight.FLAG)
    if more := shown[MOST_NAMED:]:
        description, where = (
            f"{len(more)} more control files were changed as declared",
            ", ".join(c.path for c, _ in more),
        )
        yield Objection(Layer.CHANGE, subject, description, where[:400], weight=Weight.FLAG)


def _worth_a_look(change: ControlChange, declared: Sequence[str]) -> str:
    done = _DONE.get(change.status, "changed")
    if change.kind is ControlKind.BYTECODE and not _is_declared_bytecode(change, declared):
        return (
            ""
            if change.status == "D"
            else f"{change.path} is bytecode and left out of every check: add it to .gitignore"
        )
    if _covered(change.path, declared):
        if change.status == "A" and change.kind in (ControlKind.TEST, *_DATA):
            return ""  # what most tasks are asked for
        return f"the task declares {change.path} ({change.kind.value}), and it was {done}"
    if change.endings_only:
        return f"only the line endings of {change.path} ({change.kind.value}) were changed"
    if change.moved_to:
        return f"{change.path} was moved to {change.moved_to} with its tests"
    if change.kept:
        return f"the tests of {change.path} were put in another order, table or file, or follow a new name"
    if change.kind is ControlKind.SUPPORT and change.meaning is Meaning.ADDS:
        return f"{change.path} ({change.kind.value}) was added to, by what no test uses that was there"
    if change.meaning is Meaning.SAME:
        return f"only the layout of {change.path} ({change.kind.value}) was changed"
    if change.kind is ControlKind.LOCK:
        return f"{change.path} was {done} with the manifest that the task declares"
    return ""
