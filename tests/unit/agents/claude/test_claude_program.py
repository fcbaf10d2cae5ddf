"""Which file is Claude Code itself, for every way it is installed."""

from __future__ import annotations

import platform
from pathlib import Path, PurePosixPath

import pytest

from autopilot.adapters.agents.claude.program import find_native
from autopilot.adapters.agents.dialect import Program
from autopilot.adapters.agents.npm import ARCHITECTURES

NATIVE = b"\x7fELF and more"
STUB = b"echo the install script was not run\n"
PLATFORM = f"claude-code-linux-{ARCHITECTURES[platform.machine()]}"


def lay(path: Path, content: bytes = NATIVE) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def link(path: Path, target: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)
    return path


def alone(path: Path) -> Program:
    return Program(PurePosixPath(path), (PurePosixPath(path),))


def test_a_native_install_in_a_home_is_followed_to_its_version(tmp_path: Path) -> None:
    program = lay(tmp_path / ".local/share/claude/versions/2.1.325")
    lay(program.with_name("2.1.300"))
    assert find_native(link(tmp_path / ".local/bin/claude", program)) == alone(program)


def test_an_npm_install_whose_script_was_run_holds_the_program_itself(tmp_path: Path) -> None:
    program = lay(tmp_path / "node_modules/@anthropic-ai/claude-code/bin/claude.exe")
    assert find_native(link(tmp_path / "node_modules/.bin/claude", program)) == alone(program)


@pytest.mark.parametrize("libc", ["", "-musl"])
@pytest.mark.parametrize("beside", ["..", "node_modules/@anthropic-ai"])
def test_behind_the_stub_of_npm_the_program_is_found_in_its_package(tmp_path: Path, beside: str, libc: str) -> None:
    package = tmp_path / "node_modules/@anthropic-ai/claude-code"
    stub = lay(package / "bin/claude.exe", STUB)
    program = lay((package / beside / (PLATFORM + libc) / "claude").resolve())
    assert find_native(link(tmp_path / "node_modules/.bin/claude", stub)) == alone(program)


def test_a_package_of_another_machine_is_not_taken(tmp_path: Path) -> None:
    stub = lay(tmp_path / "@anthropic-ai/claude-code/bin/claude.exe", STUB)
    lay(tmp_path / "@anthropic-ai/claude-code-linux-riscv/claude")
    assert find_native(stub).path == PurePosixPath(stub)


def test_where_packages_are_links_the_program_they_lead_to_is_shown(tmp_path: Path) -> None:
    store = tmp_path / "store"
    stub = lay(store / "a/node_modules/@anthropic-ai/claude-code/bin/claude.exe", STUB)
    program = lay(store / f"b/node_modules/@anthropic-ai/{PLATFORM}/claude")
    link(store / f"a/node_modules/@anthropic-ai/{PLATFORM}", program.parent)
    assert find_native(stub) == alone(program)


def test_some_other_script_is_started_as_it_is_and_nothing_beside_it_is_shown(tmp_path: Path) -> None:
    script = lay(tmp_path / "claude.sh", b"#!/bin/sh\n")
    assert find_native(script) == alone(script), "the folder may be a home"


def test_a_script_of_npms_is_shown_with_its_package(tmp_path: Path) -> None:
    package = tmp_path / "node_modules/@anthropic-ai/claude-code"
    script = lay(package / "cli.js", b"#!/usr/bin/env node\n")
    assert find_native(script) == Program(PurePosixPath(script), (PurePosixPath(package),))
