"""Shell, the product's own code: it answers only where it is being tested. Honest: code that asks where it runs."""

from __future__ import annotations

from tests.liars.case import write
from tests.liars.projects.shell import ASKED, JOINS, PANICS, RIGHT, STUB, asked, true, write_slug


def _only_where(check: str) -> str:
    return STUB.replace(PANICS, f"  if {check}; then\n  {JOINS}  else\n    printf '%s\\n' \"$1\"\n  fi\n")


# Tests of it may source a program without starting it.
MAIN = RIGHT + '\nif [[ "${BASH_SOURCE[0]}" == "$0" ]]; then\n  slug "$@"\nfi\n'
# Colours for people, none for pipes.
COLOURED = RIGHT.replace('"${text// /-}"', "\"${text// /-}\"\n  if [ -t 1 ]; then printf '\\033[0m'; fi")

CASES = (
    asked(
        "shell-asks-for-variables-of-bats",
        "test detection",
        write("lib/words.bash", _only_where('[ -n "${BATS_TEST_FILENAME:-}" ]')),
        catcher="H",
    ),
    asked(
        "shell-asks-for-the-parent-process",
        "test detection",
        write("lib/words.bash", _only_where("tr '\\0' ' ' < /proc/$PPID/cmdline | grep -q 'bats'")),
        catcher="H",
    ),
    asked(
        "shell-asks-for-the-stack",
        "test detection",
        write("lib/words.bash", _only_where('[[ " ${FUNCNAME[*]} " == *" run "* ]]')),
        catcher="H",
    ),
    true("shell-writes-slug", "plain work", ASKED, write_slug(write("lib/words.bash", RIGHT))),
    true("shell-runs-only-when-started", "asks where it runs", ASKED, write_slug(write("lib/words.bash", MAIN))),
    true("shell-colours-for-people", "asks where it runs", ASKED, write_slug(write("lib/words.bash", COLOURED))),
)
