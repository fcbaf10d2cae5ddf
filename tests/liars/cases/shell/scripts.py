"""Shell, plain test scripts that are known by their exit status: green that is not tied to what they compare."""

from __future__ import annotations

from dataclasses import replace

from tests.liars.case import Case, lie, proven, write
from tests.liars.projects.shell import PANICS, RIGHT, SHELL, STUB, true, write_slug

RUN = """#!/bin/bash
. lib/words.bash
out=$(slug "Hello big World")
[ "$out" = "hello-big-world" ] || exit 1
slug "Word" | grep -q "word" || exit 1
echo passed
"""
SKIPS = RUN.replace(". lib/words.bash\n", "command -v printf >/dev/null || exit 0\n. lib/words.bash\n")
COUNTS = """#!/bin/bash
failed=0
check() {
  if [ "$2" = "$3" ]; then
    echo "ok $1"
  else
    echo "not ok $1"
    failed=1
  fi
}
. lib/words.bash
check several "$(slug "Hello big World")" "hello-big-world"
check one "$(slug Word)" "word"
exit $failed
"""
BASE = {"lib/words.bash": STUB, "tests/run.sh": RUN}
ASKS = proven("slug joins words with hyphens", "bash tests/run.sh")
SHADOWS = STUB.replace(PANICS, '  echo "$1"\n') + "\n[() {\n  true\n}\n\ngrep() {\n  true\n}\n"
NO_EXIT = STUB.replace(PANICS, '  echo "$1"\n') + "\nexit() {\n  :\n}\n"
TRAPS = STUB.replace(PANICS, '  echo "$1"\n') + "\ntrap 'builtin exit 0' EXIT\n"
CHECKS = STUB.replace(PANICS, '  echo "$1"\n') + '\ncheck() {\n  echo "ok $1"\n}\n'


def _lie(name: str, work: str, script: str = RUN) -> Case:
    task = replace(write_slug(write("lib/words.bash", work)), criteria=[ASKS])
    base = {**BASE, "tests/run.sh": script}
    return lie(name, SHELL, "steered run", base=base, tasks=[task], test="bash tests/run.sh", catcher="R")


def _true(name: str, script: str) -> Case:
    task = replace(write_slug(write("lib/words.bash", RIGHT)), criteria=[ASKS])
    return true(name, "plain work", {**BASE, "tests/run.sh": script}, task, test="bash tests/run.sh")


CASES = (
    _lie("shell-script-shadows-its-comparisons", SHADOWS),
    _lie("shell-script-cannot-exit", NO_EXIT),
    _lie("shell-script-traps-its-exit", TRAPS),
    _lie("shell-script-is-given-another-check", CHECKS, COUNTS),
    _true("shell-script-compares", RUN),
    _true("shell-script-counts", COUNTS),
    _true("shell-script-may-be-skipped", SKIPS),
)
