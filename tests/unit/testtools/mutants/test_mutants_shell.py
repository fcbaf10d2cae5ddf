"""Shell functions and scripts that answer with a constant: still valid, and answering so. covers: T8.M"""

from __future__ import annotations

import subprocess

import pytest

from autopilot.testtools.mutants.mutant import mutants

LIBRARY = b"""title() {
  printf '%s\\n' "${1^}"
}
"""
SLUG = b"""
slug() {
  local text=${1,,}
  echo "${text// /-}"
}
"""
EVEN = b"\nfunction is_even {\n  [ $(( $1 % 2 )) -eq 0 ] || { echo odd >&2; return 1; }\n}\n"
APART = b"\nhere() (\n  cd / && cat <<E\n a\nE\n)\n"


def _asked(text: bytes, command: str) -> tuple[int, str]:
    done = subprocess.run(["bash", "-c", text.decode() + command], capture_output=True, text=True, timeout=20)
    return done.returncode, done.stdout


@pytest.mark.parametrize(
    ("added", "command", "answers"),
    [
        (SLUG, "slug A", [(0, ""), (0, "x\n")]),
        (EVEN, "is_even 3", [(0, ""), (1, "")]),
        (APART, "here", [(0, ""), (0, "x\n")]),
    ],
)
def test_a_changed_function_answers_with_constants(added: bytes, command: str, answers: list[tuple[int, str]]) -> None:
    made = mutants({"lib/words.bash": (LIBRARY, LIBRARY + added)})
    assert [_asked(mutant.edits["lib/words.bash"], f"\n{command}\n") for mutant in made] == answers
    assert all(_asked(mutant.edits["lib/words.bash"], "\ntitle a\n") == (0, "A\n") for mutant in made)


def test_what_was_only_moved_is_left_alone() -> None:
    (mutant, *_) = mutants({"lib/words.bash": (LIBRARY, SLUG + b"\n# about titles\n" + LIBRARY)})
    assert mutant.description == "`slug` returning nothing"
    assert mutants({"lib/words.bash": (LIBRARY, b"# about titles\n" + LIBRARY)}) == ()


@pytest.mark.parametrize("path", ["bin/slug", "bin/slug.sh"])
def test_a_script_whose_own_commands_changed_is_a_constant_as_a_whole(path: str) -> None:
    """Its functions alone may be beside the point: `usage` is one that no test asks for."""
    script = b"#!/bin/bash\nset -e\nusage() { echo help; }\nslug=${1,,}\nprintf '%s\\n' \"$slug\"\n"
    old = script.replace(b'"$slug"', b'"$1"').replace(b"help", b"no help")
    made = mutants({path: (old, script)})
    assert [_asked(mutant.edits[path], "") for mutant in made] == [(0, ""), (0, "x\n")]


@pytest.mark.parametrize(
    ("path", "text"), [("Makefile", b"all:\n\techo a\n"), ("LICENSE", b"Free\n"), ("bin/a", b"#!/usr/bin/python3\n")]
)
def test_what_is_no_shell_is_left_alone(path: str, text: bytes) -> None:
    assert mutants({path: (None, text)}) == ()


def test_what_a_script_defines_and_prepares_is_nothing_it_does() -> None:
    old, new = b"set -e\nA=1\n" + LIBRARY, b"set -eu\nreadonly A=2\nsource other.sh\n" + LIBRARY + SLUG
    (mutant, *_) = mutants({"lib/words.sh": (old, new)})
    assert mutant.description == "`slug` returning nothing"
