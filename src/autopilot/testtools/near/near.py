"""A near mutant: changed functions return a value of the same type and shape as before, and not the same.

Tests that still pass compare no value: they ask for a type, for truth, for a length. Functions that return nothing do
nothing instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from autopilot.testtools.mutants.edit import Near
from autopilot.testtools.mutants.mutant import (
    MAX_BYTES,
    MAX_FILES,
    Contents,
    Mutant,
    can_mutate,
    list_names,
    mutate_file,
)
from autopilot.testtools.near.near_go import near_go
from autopilot.testtools.near.near_python import near_python
from autopilot.testtools.near.near_rust import near_rust
from autopilot.testtools.near.near_script import near_script
from autopilot.testtools.near.near_shell import near_program, near_shell
from autopilot.text.file_kind import suffix_of

_LANGUAGES: dict[str, Callable[[bytes | None, bytes], Near | None]] = {".py": near_python}
_LANGUAGES |= dict.fromkeys((".js", ".mjs", ".cjs", ".jsx"), near_script)
_LANGUAGES |= dict.fromkeys((".ts", ".mts", ".cts"), lambda old, new: near_script(old, new, typed=True, jsx=False))
_LANGUAGES[".tsx"] = lambda old, new: near_script(old, new, typed=True)
_LANGUAGES |= {".go": near_go, ".rs": near_rust, ".sh": near_shell, ".bash": near_shell, "": near_program}


def near_mutant(changed: Mapping[str, Contents]) -> Mutant | None:
    """All changed functions at once. It is certain where they return values and do no more.

    None where none of them returns a value, or no language here is known.
    """
    first = sorted(changed.items())[:MAX_FILES]
    done = {path: near for path, contents in first if (near := _one(path, contents))}
    if not done:
        return None
    names = [name for near in done.values() for name in near.functions]
    description = f"{list_names(names)} returning other values of the same type"
    edits = {path: near.text for path, near in done.items()}
    # Functions that cannot be changed so may be what the tests ask for.
    all_known = not any(_has_functions(path, contents) for path, contents in first if path not in done)
    # Nor does it follow from answers that go to other code alone: a bound, a hint or a key has many right values.
    is_inner = all(name.rpartition(".")[2].startswith("_") for name in names)
    certain = all_known and not is_inner and all(near.is_pure for near in done.values())
    return Mutant(description, edits, is_near=True, is_certain=certain)


def _has_functions(path: str, contents: Contents) -> bool:
    """Whether the work wrote or changed one there; imports and settings ask for nothing."""
    made = mutate_file(path, contents)
    return made is not None and (bool(made.functions) or made.is_partial)


def _one(path: str, contents: Contents) -> Near | None:
    old, new = contents
    near = _LANGUAGES.get(suffix_of(path))
    if near is None or not can_mutate(path) or len(new) > MAX_BYTES or (old is not None and len(old) > MAX_BYTES):
        return None
    try:
        return near(old, new)
    except RecursionError:  # code nested deeper than anyone wrote it by hand
        return None
