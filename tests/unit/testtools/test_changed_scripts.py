"""Shell scripts that are tests as a whole, each with one expectation changed that every run reaches. covers: T8"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from autopilot.testtools.expectations.expectation import change_script

SAYS = 'out=$(printf "a b")\n'
COUNTS = """failed=0
check() {
  local name=$1 want="$3"
  if [ "$2" = "$want" ]; then
    echo "ok $name"
  else
    failed=$((failed + 1))
  fi
}
"""


def _changed(text: str) -> list[str]:
    made = (change_script("tests/run.sh", text.encode(), number, "seed") for number in range(4))
    return [changed.text.decode() for changed in made if changed]


def _passes(text: str, folder: Path) -> bool:
    return subprocess.run(["bash", "-c", text], cwd=folder, capture_output=True, timeout=20).returncode == 0


@pytest.mark.parametrize(
    "text",
    [
        SAYS + '[ "$out" = "a b" ] || exit 1\n',
        SAYS + "[[ $out == 'a b' ]] || { echo no; exit 1; }\n",
        SAYS + 'test "$out" = "a b" || exit 2\n',
        SAYS + 'set -eu\n[ "$out" = "a b" ]\necho done\n',
        SAYS + 'set -o errexit\necho "$out" | grep -q "a b"\necho done\n',
        SAYS + 'if [ "$out" != "a b" ]; then\n  echo no\n  exit 1\nfi\n',
        SAYS + 'if ! echo "$out" | grep -qF "a b"; then exit 1; fi\n',
        SAYS + 'count() { exit 0; }\n[ "${#out}" -eq 3 ] || exit 1\n',
        "echo a > f\ngrep -q a f > /dev/null || exit 1\n",
    ],
)
def test_a_script_with_another_expectation_fails(text: str, tmp_path: Path) -> None:
    assert _passes(text, tmp_path)
    assert _changed(text)
    assert not any(_passes(changed, tmp_path) for changed in _changed(text))


@pytest.mark.parametrize(
    "text",
    [
        SAYS + '[ "$out" = "a b" ]\necho done\n',  # its failure ends nothing
        SAYS + 'set -e\nset +e\n[ "$out" = "a b" ]\n',
        SAYS + '[ "$out" = "a b" ] && echo fine\n',
        "#!/bin/bash -e\n" + SAYS + '[ "$out" = "a b" ]\necho done\n',  # another shell may be told to run it
        SAYS + '[ "$out" = "a b" ] || exit 0\n',
        SAYS + "command -v jq > /dev/null || exit 0\n" + '[ "$out" = "a b" ] || exit 1\n',
        SAYS + 'trap "exit 0" EXIT\n[ "$out" = "a b" ] || exit 1\n',
        SAYS + 'if [ "$out" ]; then\n  [ "$out" = "a b" ] || exit 1\nfi\n',
        SAYS + COUNTS + 'check says "$out" "a b"\necho done\n',
        SAYS + COUNTS + 'check "a b" "$out" "$out"\nexit $failed\n',  # a name, not a value
        SAYS + 'other() { [ "$1" != "$2" ] || exit 1; }\nother "$out" "c"\n',
        SAYS + 'other() {\n  if [ "$1" = "$2" ]; then exit 1; fi\n}\nother "$out" "c"\n',
        SAYS + 'same() { shift; [ "$1" = "$2" ] || exit 1; }\nsame x "$out" "a b"\n',
        SAYS + 'for one in a; do\n  [ "$one" = "a" ] || exit 1\ndone\n',
        SAYS + '[ "$out" != "a b c" ] || exit 1\n',
        SAYS + '! echo "$out" | grep -q "c d" || exit 1\n',
        SAYS + 'echo "$out" | grep -qv "c" || exit 1\n',
        SAYS + 'set -e\n[ "$out" = "$(printf "a b")" ]\n',
        SAYS + 'if [ "$out" != "a b" ]; then exit 1; else echo fine; fi\n',
    ],
)
def test_what_need_not_be_noticed_is_left_alone(text: str) -> None:
    assert _changed(text) == []


def test_a_file_that_is_no_shell_script_is_left_alone() -> None:
    assert change_script("tests/run", b'#!/usr/bin/perl\n[ "$a" = "b" ] || exit 1\n', 0, "seed") is None
    assert change_script("tests/run", b'#!/bin/sh\n[ "$a" = "b" ] || exit 1\n', 0, "seed") is not None
