"""A mutant of a task: its changed functions answer with a constant. Tests that still pass do not check the work."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from autopilot.testtools.mutants.edit import Constant, Mutated
from autopilot.testtools.mutants.go import mutate_go
from autopilot.testtools.mutants.python import mutate_python
from autopilot.testtools.mutants.rust import mutate_rust
from autopilot.testtools.mutants.script import mutate_script, mutate_typescript
from autopilot.testtools.mutants.shell import mutate_program, mutate_shell
from autopilot.text.file_kind import suffix_of

MAX_BYTES = 400_000  # of one file; what is longer was made by a program
MAX_FILES = 100

Contents = tuple[bytes | None, bytes]  # before the task (None: no such file) and after
_Mutate = Callable[[bytes | None, bytes], Mutated | None]

_LANGUAGES: dict[str, _Mutate] = {".py": mutate_python}
_LANGUAGES |= dict.fromkeys((".js", ".mjs", ".cjs", ".jsx"), mutate_script)
_LANGUAGES |= {
    ".tsx": lambda old, new: mutate_typescript(old, new, jsx=True),
    ".ts": mutate_typescript,
    ".mts": mutate_typescript,
    ".cts": mutate_typescript,
    ".go": mutate_go,
    ".rs": mutate_rust,
    ".sh": mutate_shell,
    ".bash": mutate_shell,
    "": mutate_program,
}
_NEVER = (".d.ts", ".d.mts", ".d.cts", "_test.go")  # declarations without code; tests
# What a function returns with each constant, for people; of several languages the first that is among the files.
_RETURNED = {
    ".py": ("None", "true"),
    ".go": ("zero values", "other constants"),
    ".rs": ("default values", "other constants"),
    ".sh": ("nothing", "another constant"),
    ".bash": ("nothing", "another constant"),
    "": ("nothing", "another constant"),
}


class Mutant(Struct, frozen=True):
    description: str  # follows "with": "`add`, `Cart.total` returning None"
    edits: Mapping[str, bytes]
    is_near: bool = False  # its values are of the type and shape of the real ones
    is_certain: bool = True  # tests that ask for the work must notice it


def mutants(changed: Mapping[str, Contents]) -> tuple[Mutant, ...]:
    """All changed functions at once: first they return nothing, then true. Two runs at most, however large the task.

    Empty where no language here is known, nothing that runs was changed, or no mutant of it would still be valid code.
    """
    first = sorted(changed.items())[:MAX_FILES]
    done = {path: mutated for path, contents in first if (mutated := mutate_file(path, contents))}
    partial = {suffix_of(path) for path, mutated in done.items() if mutated.is_partial}
    done = {path: mutated for path, mutated in done.items() if suffix_of(path) not in partial}
    if any(mutated.functions for mutated in done.values()):
        done = {path: mutated for path, mutated in done.items() if mutated.functions}
    nothing = {path: mutated.nothing for path, mutated in done.items()}
    true = {path: mutated.true for path, mutated in done.items()}
    made = [Mutant(_describe(done, Constant.NOTHING), nothing)] if done else []
    if true != nothing:
        made.append(Mutant(_describe(done, Constant.TRUE), true))
    return tuple(made)


def can_mutate(path: str) -> bool:
    return suffix_of(path) in _LANGUAGES and not path.endswith(_NEVER)


def mutate_file(path: str, contents: Contents) -> Mutated | None:
    old, new = contents
    if not can_mutate(path) or len(new) > MAX_BYTES or (old is not None and len(old) > MAX_BYTES):
        return None
    try:
        return _LANGUAGES[suffix_of(path)](old, new)
    except RecursionError:  # code nested deeper than anyone wrote it by hand
        return None


def _describe(done: Mapping[str, Mutated], constant: Constant) -> str:
    functions = [name for mutated in done.values() for name in mutated.functions]
    values = [name for mutated in done.values() for name in mutated.values]
    suffixes = {suffix_of(path) for path in done}
    nothing, true = next((_RETURNED[suffix] for suffix in _RETURNED if suffix in suffixes), ("undefined", "true"))
    returned = true if constant is Constant.TRUE else nothing
    parts = [f"{list_names(functions)} returning {returned}"] if functions else []
    parts += [f"{list_names(values)} given {'another value' if len(values) == 1 else 'other values'}"] if values else []
    return " and ".join(parts)


def list_names(names: list[str]) -> str:
    shown = ", ".join(f"`{name}`" for name in names[:5])
    return f"{shown} and {len(names) - 5} more" if len(names) > 5 else shown
