"""Programs that npm installed: what runs behind the name on a PATH, and what of the disk it needs to see."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from autopilot.adapters.agents.dialect import Program

ELF = b"\x7fELF"
ARCHITECTURES = {"x86_64": "x64", "aarch64": "arm64"}
MODULES = "node_modules"


def find_program(found: Path) -> Program:
    """A native program by itself; behind a wrapper of Node's the native one; else the script with all its modules."""
    real = found.resolve()
    package = next((folder for folder in real.parents if (folder / "package.json").is_file()), None)
    if package is None or MODULES not in package.parts:
        return _alone(real)
    facts = _facts(package)
    version = str(facts.get("version", ""))
    if is_native(real):
        return _alone(real, version)
    if native := next(_native_programs(package, facts, found.name), None):
        return _alone(native, version)
    outermost = Path(*real.parts[: real.parts.index(MODULES) + 1])
    return Program(PurePosixPath(real), (PurePosixPath(outermost),), version)


def _alone(program: Path, version: str = "") -> Program:
    """Only the file: the folder it lies in may be a home's."""
    return Program(PurePosixPath(program), (PurePosixPath(program),), version)


def _facts(package: Path) -> dict[str, Any]:
    try:
        return msgspec.json.decode((package / "package.json").read_bytes(), type=dict[str, Any])
    except (OSError, msgspec.MsgspecError, UnicodeError, RecursionError):
        return {}


def _native_programs(package: Path, facts: Mapping[str, Any], name: str) -> Iterator[Path]:
    """A package may bring its program as another one for each platform, installed beside it or below it."""
    names = [name, *(facts["bin"] if isinstance(facts.get("bin"), dict) else ())]
    ending = f"-linux-{ARCHITECTURES.get(platform.machine(), platform.machine())}"
    for other in facts.get("optionalDependencies", {}):
        if not other.endswith(ending):
            continue
        for place in (package / MODULES, *(folder for folder in package.parents if folder.name == MODULES)):
            programs = (place / other / "bin" / executable for executable in names)
            yield from (program for program in programs if program.is_file() and is_native(program))


def is_native(program: Path) -> bool:
    try:
        with program.open("rb") as file:
            return file.read(len(ELF)) == ELF
    except OSError:
        return False
