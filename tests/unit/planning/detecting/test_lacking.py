"""What a tried command lacks here is said with what helps. covers: INV-7"""

from __future__ import annotations

import pytest

from autopilot.planning.detecting.lacking import MOST_NAMED, find_lacks


@pytest.mark.parametrize(
    ("printed", "said"),
    [
        ("bash: line 1: yarn: command not found", "yarn is not installed: install it (`npm install --global yarn`)"),
        ("sh: 1: tox: not found", "tox is not installed: install it (`pipx install tox`)"),
        ("bash: mvn: command not found", "mvn is not installed: install it (from your system's packages"),
        ("/usr/bin/python3: No module named pytest", "the Python module pytest is not installed"),
        ("ModuleNotFoundError: No module named 'yaml.nodes'", "the Python module yaml is not installed"),
        ("Error: Cannot find module 'tape'", "the package tape is not installed"),
        ("Error: Cannot find package '@scope/x' imported from /a", "the package @scope/x is not installed"),
        ("curl: (6) Could not resolve host: example.org", "the network was not reached"),
        ("ERROR: Package requires a different Python: 3.11 not in '>=3.13'", "another version of a tool is asked for"),
        ("npm warn EBADENGINE Unsupported engine {", "another version of a tool is asked for"),
    ],
)
def test_a_lack_is_told_by_the_line_that_shows_it(printed: str, said: str) -> None:
    (lack,) = find_lacks([f"some\n{printed}\nmore"])
    assert lack.startswith(said)


@pytest.mark.parametrize(
    "printed", ["3 failed", "Error: Cannot find module './lib/x'", "key: not found in table", "AssertionError"]
)
def test_a_failure_of_another_kind_lacks_nothing(printed: str) -> None:
    assert find_lacks([printed]) == ()


def test_each_lack_is_told_once_and_not_all_of_many() -> None:
    assert len(find_lacks(["a: command not found"] * 3)) == 1
    assert len(find_lacks(f"t{number}: command not found" for number in range(20))) == MOST_NAMED
