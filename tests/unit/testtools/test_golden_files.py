"""Files that hold what tests expect are found, and hold something else in a trial. covers: T8"""

from __future__ import annotations

import json

import pytest

from autopilot.testtools.expectations.golden import change_golden

FILES = {
    "tests/golden/invoice.txt": b"total 3\n",
    "tests/golden/plain.json": b'{"db": {"host": "local", "port": 5432}}\n',
    "tests/cases/add.out": b"3\n",
    "tests/test_a.py": b"",
    "docs/golden/notes.txt": b"of the product\n",
    "src/expected.py": b"",
}


def changed(*tests: str) -> dict[str, bytes]:
    return change_golden(list(FILES), tests, FILES.get, "a commit")


@pytest.mark.parametrize(
    ("test", "paths"),
    [
        ("(HERE / 'golden' / 'invoice.txt').read_text()", {"tests/golden/invoice.txt", "tests/golden/plain.json"}),
        ("for case in glob('tests/cases/*.out'):", {"tests/cases/add.out"}),
        ("assert total() == 3", set()),
        ("import invoice\nassert invoice.total() == 3", set()),  # the product's name, and not the file's
    ],
)
def test_only_what_a_test_seems_to_read_is_changed(test: str, paths: set[str]) -> None:
    assert changed(test).keys() == paths


def test_json_stays_json() -> None:
    text = changed("golden")["tests/golden/plain.json"]
    assert json.loads(text) != json.loads(FILES["tests/golden/plain.json"])
