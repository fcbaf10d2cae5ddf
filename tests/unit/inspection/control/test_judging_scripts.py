"""What shell tests load, call and compare with judges as they do, wherever it stands. covers: T8.S"""

from __future__ import annotations

import pytest

from autopilot.inspection.control.changes import control_changes
from autopilot.inspection.control.judging_scripts import names_in_scripts, scripts_of_tests
from autopilot.model.evidence.control import Meaning
from autopilot.model.git import Change

PRODUCT = {
    "lib/words.bash": 'slug() {\n  local output=${1,,}\n  [ "$1" = "$2" ] && return 1\n  echo "$output"\n}\n',
    "bin/slug": '#!/usr/bin/env bash\nsource lib/words.bash\nslug "$@" || exit 1\n',
}
BEGIN = 'source "$BATS_TEST_DIRNAME/../lib/words.bash"\n'
ASSERTS = 'assert_same() {\n  [ "$1" = "$2" ] || return 1\n}\n'


def _test(*lines: str) -> str:
    return BEGIN + '@test "slug" {\n  run slug A\n' + "".join(f"  {line}\n" for line in lines) + "}\n"


@pytest.mark.parametrize(
    ("path", "text", "tests"),
    [
        ("kit/compare.bash", ASSERTS, 'load ../kit/compare\n@test "a" {\n  assert_same a a\n}\n'),
        ("kit/see.bash", 'says() {\n  [ "$output" = "$1" ]\n}\n', 'load "$BATS_TEST_DIRNAME/../kit/see.bash"\n'),
        ("kit/eq.sh", 'eq() {\n  test "$1" = "$2"\n}\n', _test('source "$ROOT/kit/eq.sh"', 'eq "$output" a')),
        ("tools/same", '#!/bin/sh\ncmp "$1" "$2"\n', _test('tools/same "$out" expected')),
        ("tools/same", '#!/bin/sh\n[ "$1" = "$2" ]\n', _test('sh tools/same "$output" a')),
        ("shims/diff", '#!/bin/sh\nexec /usr/bin/diff "$@"\n', 'PATH="$BATS_TEST_DIRNAME/../shims:$PATH"\n'),
        ("examples/list.txt", "a\n", _test('diff "$BATS_TEST_DIRNAME/../examples/list.txt" <(slug A)')),
        ("examples/list.out", "a\n", _test('[ "$output" = "$(cat examples/list.out)" ]')),
    ],
)
def test_what_tests_judge_by_is_found(path: str, text: str, tests: str) -> None:
    files = {**PRODUCT, path: text, "tests/words.bats": tests}
    assert scripts_of_tests([path, *PRODUCT], files, files.get) == (path,)


def test_a_helper_of_a_helper_is_found() -> None:
    more = {
        "kit/all.bash": f"source ./kit/compare.bash\n{ASSERTS}",
        "kit/compare.bash": ASSERTS.replace("same", "like"),
    }
    files = {**PRODUCT, **more, "tests/words.bats": "load ../kit/all\n"}
    assert set(scripts_of_tests(list(more), files, files.get)) == set(more)


@pytest.mark.parametrize(
    ("path", "text", "tests"),
    [
        # The product, sourced, run, found by PATH.
        ("lib/words.bash", PRODUCT["lib/words.bash"], _test('[ "$output" = a ]')),
        ("bin/slug", PRODUCT["bin/slug"], _test('PATH="$BATS_TEST_DIRNAME/../bin:$PATH"', "run slug A")),
        ("bin/same", '#!/bin/sh\ncmp "$1" "$2"\n', _test("run bin/same a b")),
        ("lib/assert.bash", ASSERTS, 'load ../lib/assert\n@test "a" {\n  run assert_same a b\n}\n'),
        # The product checks itself as well.
        ("lib/must.bash", ASSERTS, 'source "$BATS_TEST_DIRNAME/../lib/must.bash"\n'),
        # Read by the product; written for people.
        ("data/stop.txt", "a\n", _test("diff data/stop.txt <(slug A)")),
        ("README.md", "slug\n", _test("diff README.md <(slug --help)")),
    ],
)
def test_the_product_is_none(path: str, text: str, tests: str) -> None:
    users = {"bin/main": "#!/bin/bash\nsource lib/must.bash\ngrep -v x data/stop.txt\n"}
    files = {**PRODUCT, **users, path: text, "tests/words.bats": tests}
    assert scripts_of_tests([path], files, files.get) == ()


@pytest.mark.parametrize(
    ("added", "meaning"),
    [
        ("# for people\n", Meaning.SAME),
        ("fresh_folder() {\n  mktemp -d\n}\n", Meaning.ADDS),
        ("slug() {\n  echo a\n}\n", Meaning.OTHER),  # what tests ask
        ("diff() {\n  :\n}\n", Meaning.OTHER),
        ("exit 0\n", Meaning.OTHER),
        ("teardown() {\n  :\n}\n", Meaning.OTHER),
    ],
)
@pytest.mark.parametrize("path", ["kit/compare.bash", "tests/test_helper.bash"])
def test_an_addition_that_no_test_uses_is_known_as_one(path: str, added: str, meaning: Meaning) -> None:
    files = {**PRODUCT, path: ASSERTS, "tests/words.bats": _test("assert_same a a")}
    change = Change(path, "M", "100644", "100644")
    helpers = [path] if path.startswith("kit") else []
    read = {**files, path: ASSERTS + added}.get
    (found,) = control_changes([change], files.get, read, (), helpers, used=names_in_scripts(files, files.get))
    assert found.meaning is meaning
