"""Pure rooms stay pure where import contracts cannot look: built-ins and names inside allowed modules."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.tidy.house import PURE_ROOMS, SOURCE, modules, named, nodes, parsed

IMPURE_CALLS = {"open", "print", "input", "exec", "eval", "__import__", "breakpoint"}
# The pure half of pathlib does no I/O; the other half does.
IMPURE_NAMES = {"Path", "PosixPath"}


def impurities(tree: ast.AST) -> list[str]:
    found = []
    for node in nodes(tree):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in IMPURE_CALLS:
                found.append(f"{node.lineno}: {name}(")
            case ast.ImportFrom(module="pathlib", names=names):
                found += [f"{node.lineno}: {alias.name}" for alias in names if alias.name in IMPURE_NAMES]
            case ast.Import(names=names):
                found += [f"{node.lineno}: import pathlib" for alias in names if alias.name == "pathlib"]
    return found


@pytest.mark.parametrize("room", PURE_ROOMS)
def test_a_pure_room_opens_no_file_and_prints_nothing(room: str) -> None:
    found = [f"{named(path)}:{what}" for path in modules(SOURCE / room) for what in impurities(parsed(path))]
    assert found == []


def test_every_pure_room_is_there() -> None:
    assert [room for room in PURE_ROOMS if not (SOURCE / room / "__init__.py").is_file()] == []


def test_an_impurity_is_found(tmp_path: Path) -> None:
    code = "import pathlib\nfrom pathlib import Path, PurePosixPath\nwith open(name) as file: print(file)\n"
    assert impurities(ast.parse(code)) == ["1: import pathlib", "2: Path", "3: open(", "3: print("]


WALL_CLOCK = {"time.time", "time.time_ns", "datetime.now", "datetime.utcnow", "datetime.today", "date.today"}
# The clock of the port, and a stand-in for a provider, whose times are its own.
WALL_CLOCK_READERS = {"adapters/clock.py", "simulation/model_server/faults.py"}


def wall_clock_reads(tree: ast.AST) -> list[str]:
    last = {name.rpartition(".")[2] for name in WALL_CLOCK}
    names = (ast.unparse(node) for node in nodes(tree) if isinstance(node, ast.Attribute) and node.attr in last)
    return [name for name in names if name in WALL_CLOCK]


def test_only_the_clock_reads_the_wall_clock() -> None:
    """A wall clock may be set at any moment: whoever reads it twice has a duration of a day, or a negative one."""
    readers = {str(path.relative_to(SOURCE)) for path in modules(SOURCE) if wall_clock_reads(parsed(path))}
    assert readers == WALL_CLOCK_READERS


def test_a_reader_of_the_wall_clock_is_found() -> None:
    code = "import time\nbegan = time.time()\nnow = datetime.now(UTC)\ncounted = time.monotonic()\n"
    assert wall_clock_reads(ast.parse(code)) == ["time.time", "datetime.now"]
