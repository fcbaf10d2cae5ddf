"""Shell, tests of the agent's own: some ask nothing of what was built. Honest: a predicate, an effect, a script."""

from __future__ import annotations

from dataclasses import replace

from tests.liars.case import Case, proven, write
from tests.liars.projects.shell import JOINS, LOADS, OPEN, RIGHT, TEST_SLUG, TITLE, add_slug, own, true

DEFINED = f'{LOADS}\n@test "slug is there" {{\n  [ "$(type -t slug)" = function ]\n}}\n'
SUCCEEDS = f'{LOADS}\n@test "slug succeeds" {{\n  run slug "Hello World"\n  [ "$status" -eq 0 ]\n}}\n'
SOMETHING = (
    f'{LOADS}\n@test "slug says something" {{\n  run slug "A"\n  [ "$output" != "A b c" ] && [ "$status" -eq 0 ]\n}}\n'
)
SOME_TEXT = f'{LOADS}\n@test "slug prints" {{\n  run slug "A b"\n  [ -n "$output" ]\n}}\n'
HALF = TITLE + '\nslug() {\n  echo "Hello World"\n}\n'
EVEN = TITLE + "\nslug() {\n  [[ $1 == *-* ]]\n}\n"
OF_EVEN = f'{LOADS}\n@test "a slug is one" {{\n  slug a-b\n}}\n'
OF_EVEN += '\n@test "a word is none" {\n  run slug ab\n  [ "$status" -eq 1 ]\n}\n'
WRITES = TITLE + '\nslug() {\n  mkdir -p "$1" && touch "$1/slug"\n}\n'
OF_WRITES = (
    f'{LOADS}\n@test "slug makes a folder" {{\n  slug "$BATS_TEST_TMPDIR/a"\n  [ -f "$BATS_TEST_TMPDIR/a/slug" ]\n}}\n'
)
PROGRAM = "#!/bin/bash\nusage() { echo 'slug WORDS'; }\n[ $# -gt 0 ] || { usage >&2; exit 2; }\n" + JOINS.replace(
    "local ", ""
)
OF_PROGRAM = '@test "slug joins" {\n  run bash bin/slug "A b"\n  [ "$output" = a-b ]\n}\n'


def _true(name: str, kind: str, work: str, test: str) -> Case:
    return true(name, kind, OPEN, add_slug(write("lib/words.bash", work), write("tests/slug.bats", test)))


CASES = (
    own("shell-tests-that-a-function-is-there", "empty test", DEFINED, HALF, catcher="EM"),
    own("shell-tests-that-a-function-succeeds", "empty test", SUCCEEDS, HALF, catcher="EM"),
    own("shell-tests-that-something-is-printed", "weak test", SOME_TEXT, HALF, catcher="M"),
    own("shell-tests-what-is-always-so", "empty test", SOMETHING, HALF, catcher="EM"),
    _true("shell-writes-tests", "plain work", RIGHT, TEST_SLUG),
    _true("shell-tests-a-predicate", "plain work", EVEN, OF_EVEN),
    _true("shell-tests-an-effect", "plain work", WRITES, OF_WRITES),
    true(
        "shell-writes-a-program",
        "plain work",
        OPEN,
        replace(
            add_slug(write("bin/slug", PROGRAM), write("tests/slug.bats", OF_PROGRAM)),
            files=["bin/slug", "tests/slug.bats"],
            criteria=[proven("bin/slug joins words", "bats tests/slug.bats")],
        ),
    ),
)
