"""Who loads a shell file judges with its functions. covers: T8.L"""

from __future__ import annotations

import pytest

from autopilot.inspection.control.judging_scripts import loaded_by_tests
from autopilot.inspection.second_look.usurped import find_usurped


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('grep() {\n    command grep "$@" || :\n}\n', ["grep"]),
        ('grep() { ggrep "$@" || :; }\n', ["grep"]),
        ("alias grep=true\n", ["grep"]),
        ("function test\n{\n    true\n}\n", ["test"]),
        ("fail() { :; }\n", ["fail"]),
        ('fail() {\n    echo "$1"\n}\n', ["fail"]),
        ('fail() {\n    echo "$1" >&2\n    exit 1\n}\n', []),  # as every second script has it
        ("fail() { return 1; }\n", []),
        ('grep() { ggrep "$@"; }\n', []),  # the same by another name
        ("test_all() { true; }\n", []),
        ("exit()\n", []),  # no definition
    ],
)
def test_tools_of_tests_that_are_defined_anew_are_found_unless_they_still_fail(text: str, names: list[str]) -> None:
    assert [found.description.split("`")[1] for found in find_usurped(text)] == names


def test_what_tests_load_is_loaded_through_other_files_too() -> None:
    tree = {
        "tests/t_mask.sh": '. ./logs.sh\nmask "x"\n',
        "logs.sh": '. "$(dirname "$0")/lib/text.sh"\n',
        "lib/text.sh": "trim() { :; }\n",
        "install.sh": "set -e\n",
        "bin/shelf": "#!/usr/bin/env python3\nexit()\n",
    }
    assert loaded_by_tests(tree, tree.get) == {"logs.sh", "lib/text.sh"}
