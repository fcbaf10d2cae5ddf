"""Other builds: which ones code speaks of, and how a command is run in one. covers: T8.H"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from autopilot.testtools.builds import Build, BuildKind, other_builds, spell_in_build


@pytest.mark.parametrize(
    ("path", "text", "named"),
    [
        ("a.go", "//go:build release\n\npackage a\n", ["release"]),
        ("a.go", "// Package a.\n\n//go:build !release && (linux || pro)\n\npackage a\n", ["release", "pro"]),
        ("a.go", "//go:build linux && amd64 && go1.19 && !cgo\n\npackage a\n", []),
        ("a.go", "package a\n\nconst text = `\n//go:build release\n`\n", []),
        ("src/lib.rs", '#[cfg(all(test, feature = "money"))]\nmod tests {}\n', ["money"]),
        ("src/lib.rs", "#[cfg(test)]\nmod tests {}\n", []),
        ("a.js", 'if (process.env.NODE_ENV === "test") {}\n', ["production"]),
        ("a.js", "const name = process.env.NAME;\n", []),
        ("a.py", "# //go:build release\n", []),
    ],
)
def test_code_names_the_builds_that_a_plain_run_leaves_out(path: str, text: str, named: list[str]) -> None:
    assert [build.name for build in other_builds({path: text}, {path: text.splitlines()})] == named


def test_a_feature_that_was_there_and_is_not_touched_is_no_other_build_of_this_work() -> None:
    text = '#[cfg(feature = "old")]\nfn a() {}\nfn b() {}\n'
    assert other_builds({"src/lib.rs": text}, {"src/lib.rs": ["fn b() {}"]}) == ()


@pytest.mark.parametrize(
    ("build", "is_same"),
    [
        (Build(BuildKind.TAG, "release"), True),
        (Build(BuildKind.FEATURE, "money"), True),
        (Build(BuildKind.TAG, "integration"), False),
        (Build(BuildKind.FEATURE, "e2e"), False),
        (Build(BuildKind.MODE, "production"), False),
    ],
)
def test_builds_for_services_and_modes_are_not_held_to_the_same_tests(build: Build, *, is_same: bool) -> None:
    assert build.is_same_product is is_same


@pytest.mark.parametrize(
    ("build", "command", "printed"),
    [
        (Build(BuildKind.TAG, "release"), 'echo "$GOFLAGS"', "-tags=release"),
        (Build(BuildKind.MODE, "production"), 'echo "$NODE_ENV"', "production"),
        (Build(BuildKind.FEATURE, "money"), "cargo test -q adds", "test --features money -q adds"),
        (Build(BuildKind.FEATURE, "money"), "cargo +nightly t test", "+nightly t --features money test"),
        (Build(BuildKind.FEATURE, "money"), "cargo build", "build"),
    ],
)
def test_a_command_is_run_in_a_build(tmp_path: Path, build: Build, command: str, printed: str) -> None:
    cargo = tmp_path / "cargo"
    cargo.write_text('#!/bin/sh\necho "$*"\n')
    cargo.chmod(0o755)
    spelled = f'export PATH="{tmp_path}:$PATH" GOFLAGS=\n{spell_in_build(command, build)}'
    ran = subprocess.run(["bash", "-c", spelled], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == printed
