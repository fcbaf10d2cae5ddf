"""What runs behind a program that npm installed."""

from __future__ import annotations

import json
import platform
from pathlib import Path, PurePosixPath

import pytest

from autopilot.adapters.agents.acp.dialect import AcpDialect
from autopilot.adapters.agents.npm import ARCHITECTURES, find_program

ELF = b"\x7fELF and so on"
HERE = ARCHITECTURES.get(platform.machine(), platform.machine())


def install(modules: Path, name: str, program: str, content: bytes, **facts: object) -> Path:
    """A package with one program, and the link npm makes to it."""
    package = modules / name
    (package / program).parent.mkdir(parents=True)
    (package / program).write_bytes(content)
    (package / "package.json").write_text(json.dumps({"name": name, **facts}))
    link = modules / ".bin" / Path(program).stem
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(package / program)
    return link


def test_a_script_is_shown_with_all_modules(tmp_path: Path) -> None:
    modules = tmp_path / "lib" / "node_modules"
    found = install(modules, "@some/agent", "dist/agent.js", b"#!/usr/bin/env node\n", version="4.5.6")
    program = find_program(found)
    assert program.path == PurePosixPath(modules / "@some/agent/dist/agent.js")
    assert program.shown == (PurePosixPath(modules),)
    assert program.version == "4.5.6"
    known, other = AcpDialect.gemini().locate(found), AcpDialect().locate(found)
    assert (known.version, other.version) == ("4.5.6", ""), "behind the program of another may be any package"


@pytest.mark.parametrize("place", ["node_modules", "node_modules/@some/agent/node_modules"])
def test_a_program_for_this_platform_is_found_behind_its_wrapper(tmp_path: Path, place: str) -> None:
    other = {f"@some/agent-linux-{HERE}": "1.0.0", "@some/agent-linux-other": "1.0.0", "@lib/pty-linux-x64": "1.0.0"}
    wrapper = b"#!/usr/bin/env node\n"
    facts = {"bin": {"agent": "bin/agent.js"}, "optionalDependencies": other}
    found = install(tmp_path / "node_modules", "@some/agent", "bin/agent.js", wrapper, **facts)
    native = tmp_path / place / f"@some/agent-linux-{HERE}" / "bin" / "agent"
    native.parent.mkdir(parents=True)
    native.write_bytes(ELF)
    program = find_program(found)
    assert (program.path, program.shown) == (PurePosixPath(native), (PurePosixPath(native),))


def test_a_wrapper_whose_platform_package_is_missing_is_started_itself(tmp_path: Path) -> None:
    facts = {"optionalDependencies": {f"agent-linux-{HERE}": "1.0.0"}}
    found = install(tmp_path / "node_modules", "agent", "bin/agent.js", b"#!/usr/bin/env node\n", **facts)
    assert find_program(found).path.name == "agent.js"


def test_a_native_program_is_shown_alone(tmp_path: Path) -> None:
    found = install(tmp_path / "node_modules", "agent", "bin/agent", ELF)
    program = find_program(found)
    assert program.shown == (program.path,) == (PurePosixPath(tmp_path / "node_modules/agent/bin/agent"),)


def test_of_a_home_only_the_program_itself_is_shown(tmp_path: Path) -> None:
    # The project of a user may have a package.json above what is no package of npm's.
    (tmp_path / "package.json").write_text("{}")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "agent").write_text("#!/bin/sh\n")
    program = find_program(tmp_path / "bin" / "agent")
    assert program.shown == (program.path,)
