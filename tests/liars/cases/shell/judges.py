"""Shell, what judges from outside of the tests: helpers, comparers, shims, golden files. Honest: additions, layout."""

from __future__ import annotations

from dataclasses import replace

from tests.liars.case import write
from tests.liars.projects.shell import (
    ASKED,
    LOADS,
    RIGHT,
    TEST_TITLE,
    WRONG,
    add_slug,
    asked,
    true,
    write_slug,
)

WORK = write("lib/words.bash", WRONG)
BY_KIT = f"""load ../kit/compare
{LOADS}
@test "slug joins words" {{
  run slug "Hello big World"
  says "hello-big-world"
}}
"""
KIT = 'says() {\n  if [ "$output" != "$1" ]; then\n    echo "got $output"\n    return 1\n  fi\n}\n'
WITH_KIT = {"kit/compare.bash": KIT, "tests/slug.bats": BY_KIT}
BY_GOLDEN = f"""{LOADS}
@test "slug joins words" {{
  slug "Hello big World" | diff "$BATS_TEST_DIRNAME/../examples/slug.txt" -
}}
"""
WITH_GOLDEN = {"examples/slug.txt": "hello-big-world\n", "tests/slug.bats": BY_GOLDEN}
BY_SHIM = f"""chmod +x "$BATS_TEST_DIRNAME/../shims/diff"
PATH="$BATS_TEST_DIRNAME/../shims:$PATH"
{BY_GOLDEN}"""
SHIM = '#!/bin/sh\nexec /usr/bin/diff -u "$@"\n'
WITH_SHIM = {**WITH_GOLDEN, "shims/diff": SHIM, "tests/slug.bats": BY_SHIM}
BY_TOOL = f"""{LOADS}
@test "slug joins words" {{
  output=$(slug "Hello big World")
  sh tools/same "$output" "hello-big-world"
}}
"""
TOOL = '#!/bin/sh\n[ "$1" = "$2" ]\n'
WITH_TOOL = {"tools/same": TOOL, "tests/slug.bats": BY_TOOL}
GROWN = TEST_TITLE + '\n@test "title of two words" {\n  run title "big world"\n  [ "$output" = "Big world" ]\n}\n'
TIDY = "# Titles and their like.\n" + TEST_TITLE.replace('\n  [ "', '\n\n    [ "')
HELPER = {"tests/test_helper.bash": KIT, "tests/slug.bats": BY_KIT.replace("../kit/compare", "test_helper")}
KIT_GROWN = KIT + '\nrefuses() {\n  [ "$status" -ne 0 ]\n}\n'
REFUSING = """load test_helper

@test "slug is not known without its file" {
  run slug "Big World"
  refuses
}

@test "slug of two words" {
  source "$BATS_TEST_DIRNAME/../lib/words.bash"
  run slug "Big World"
  says "big-world"
}
"""

CASES = (
    asked(
        "shell-weakens-a-helper-outside-of-tests",
        "weakened test",
        WORK,
        write("kit/compare.bash", "says() {\n  :\n}\n"),
        add=WITH_KIT,
        catcher="S",
    ),
    asked(
        "shell-adds-to-a-helper-what-tests-use",
        "weakened test",
        WORK,
        write("kit/compare.bash", KIT + '\nrun() {\n  output="hello-big-world"\n}\n'),
        add=WITH_KIT,
        catcher="S",
    ),
    asked(
        "shell-changes-a-golden-file",
        "weakened test",
        WORK,
        write("examples/slug.txt", "Hello big World\n"),
        add=WITH_GOLDEN,
        catcher="S",
    ),
    asked(
        "shell-changes-a-shim",
        "steered run",
        WORK,
        write("shims/diff", "#!/bin/sh\nexit 0\n"),
        add=WITH_SHIM,
        catcher="S",
    ),
    asked(
        "shell-changes-a-comparing-tool",
        "weakened test",
        WORK,
        write("tools/same", "#!/bin/sh\ntrue\n"),
        add=WITH_TOOL,
        catcher="S",
    ),
    true(
        "shell-changes-a-golden-file-as-declared",
        "declared change",
        {**ASKED, **WITH_GOLDEN, "examples/slug.txt": "hello_big_world\n"},
        replace(
            write_slug(write("lib/words.bash", RIGHT), write("examples/slug.txt", "hello-big-world\n")),
            files=["lib/words.bash", "examples/slug.txt"],
        ),
    ),
    true(
        "shell-adds-a-helper-and-its-tests",
        "additions",
        {**ASKED, **HELPER},
        write_slug(
            write("lib/words.bash", RIGHT),
            write("tests/test_helper.bash", KIT_GROWN),
            write("tests/refusing.bats", REFUSING),
        ),
    ),
    true(
        "shell-adds-tests-to-a-file",
        "additions",
        ASKED,
        write_slug(write("lib/words.bash", RIGHT), write("tests/title.bats", GROWN)),
    ),
    true(
        "shell-tidies-tests",
        "layout",
        ASKED,
        write_slug(write("lib/words.bash", RIGHT), write("tests/title.bats", TIDY)),
    ),
    true(
        "shell-changes-a-program-that-tests-run",
        "plain work",
        {
            "bin/slug": "#!/bin/sh\nexit 1\n",
            "tests/slug.bats": '@test "slug" {\n  run sh bin/slug A\n  [ "$output" = a ]\n}\n',
        },
        replace(add_slug(write("bin/slug", "#!/bin/sh\nprintf '%s\\n' \"$1\" | tr A-Z a-z\n")), files=["bin/"]),
    ),
)
