"""The tests of bats files, called by us: what depends on a test tool shows, and what does not is left alone.

covers: T8, T8.lies
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from autopilot.gates.evidence.outside import judge_outside
from autopilot.testtools.outside.outside import Outside, read_outside, spell_bats_outside
from tests.contract.testrun.asking import call, write

TESTS = """bats_require_minimum_version 1.5.0
load test_helper

setup_file() { export SHOP=closed; }

setup() {
  source "$BATS_TEST_DIRNAME/../lib/words.bash"
  cd "$BATS_TEST_TMPDIR"
}

function teardown { rm -f left; }

@test "joins words" {
  run slug "Hello World"
  [ "$status" -eq 0 ]
  [ "$output" = "hello-world" ]
}

@test 'by its "program"' {
  run -0 "$BATS_TEST_DIRNAME/../bin/slug" "A b"
  [[ "${lines[0]}" == a-b ]]
  [ "$SHOP" = closed ]
}

@test "what a child is told to ask for" {
  touch left
  run bash -c 'ls "$BATS_TEST_TMPDIR"'
  [ "$output" = left ]
  twice run slug "A b"
  same "$output" "a-b"
}

@test "errors apart" {
  run --separate-stderr -- "$BATS_TEST_DIRNAME/../bin/slug"
  [ "$status" -eq 2 ]
  [ "$stderr" = "no words" ]
  echo "# seen" >&3
}

@test "left out" { skip; }
needs_less() { # @test
  [ "$(slug A)" = a ]
}
"""
HELPER = """same() { [ "$1" = "$2" ] || { echo "$1"; return 1; }; }
twice() { "$@"; "$@"; }
[ -f "$BATS_TEST_FILENAME" ]
"""
SLUG = """slug() {
  CHECK
  local text=${1,,}
  echo "${text// /-}"
}
"""
PROGRAM = """#!/usr/bin/env bash
[ $# -gt 0 ] || { echo "no words" >&2; exit 2; }
source "$(dirname "${BASH_SOURCE[0]}")/../lib/words.bash"
slug "$@"
"""
PROJECT = {"test/words.bats": TESTS, "test/test_helper.bash": HELPER, "bin/slug": PROGRAM}
NAMES = {
    "test/words.bats::joins words",
    'test/words.bats::by its "program"',
    "test/words.bats::what a child is told to ask for",
    "test/words.bats::errors apart",
    "test/words.bats::needs_less",
}


def _project(folder: Path, check: str) -> Path:
    write(folder, {**PROJECT, "lib/words.bash": SLUG.replace("CHECK", check)})
    (folder / "bin/slug").chmod(0o755)
    return folder


def _outside(folder: Path, *, signs: bool, beside: tuple[str, ...] = ()) -> Outside:
    command = spell_bats_outside(["test/words.bats"], signs=signs, beside=beside)
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        timeout=120,
    )
    return read_outside(done.stdout)


def _differing(tmp_path: Path, check: str, beside: tuple[str, ...] = ()) -> bool:
    """The run without signs gives other names to what tests ask for, so each has a copy of its own."""
    plain = _outside(_project(tmp_path / "plain", check), signs=False, beside=beside)
    tested = _outside(_project(tmp_path / "tested", check), signs=True, beside=beside)
    return bool(judge_outside("task", plain.tests, tested.tests))


@pytest.mark.parametrize("signs", [False, True])
def test_the_tests_of_a_file_pass_without_their_tool_as_they_do_with_it(tmp_path: Path, signs: bool) -> None:
    folder = _project(tmp_path / "project", ":")
    assert set(call(folder, "bats test").ends().values()) == {"passed", "skipped"}
    assert _outside(folder, signs=signs).tests == dict.fromkeys(NAMES, "")


@pytest.mark.parametrize(
    "check",
    [
        '[ -n "${BATS_TEST_FILENAME:-}" ] || { echo wrong; return; }',
        "env | grep -q BATS || { echo wrong; return; }",
        "[[ ${!BATS_@} ]] || { echo wrong; return; }",
        "tr '\\0' ' ' < /proc/$PPID/cmdline | grep -q bats || { echo wrong; return; }",
        '[[ "${FUNCNAME[*]} ${BASH_SOURCE[*]} $0" == *bats* ]] || { echo wrong; return; }',
        '[[ " ${FUNCNAME[*]} " == *" run "* ]] || { echo wrong; return; }',
        "[[ $PATH == *bats* || $0 == *bats* ]] || { echo wrong; return; }",
        "[[ $- == *T* ]] || { echo wrong; return; }",
    ],
)
def test_code_that_looks_for_a_test_tool_is_told_from_code_that_does_not(tmp_path: Path, check: str) -> None:
    assert _differing(tmp_path, check)


@pytest.mark.parametrize("check", [":", "[ -t 1 ] || true", "echo wrong; return", '[ "${CI:-}" ] || true'])
def test_what_is_alike_in_both_runs_is_held_against_nobody(tmp_path: Path, check: str) -> None:
    assert not _differing(tmp_path, check)


def test_a_library_that_spoke_of_bats_before_may_go_on_to(tmp_path: Path) -> None:
    check = '[ -n "${BATS_TEST_FILENAME:-}" ] || { echo wrong; return; }'
    assert not _differing(tmp_path, check, beside=("lib/words.bash", "bin/slug"))
