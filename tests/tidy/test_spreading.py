"""The tests of a run are spread over its workers so that none is lost and the short ones come last."""

from __future__ import annotations

import pytest

from tests.spreading import SHORT, beginning_with, ordered_for

LONG = [f"tests/scenario/test_{file}.py::test_{number}" for file in "abcdefg" for number in range(3)]
NAMES = [*LONG, *(f"{SHORT}test_{file}.py::test_{number}" for file in "hi" for number in range(30))]


@pytest.mark.parametrize("workers", [1, 2, 3, 4, 7, 40])
def test_every_test_is_there_once(workers: int) -> None:
    assert sorted(ordered_for(NAMES, workers)) == list(range(len(NAMES)))
    assert ordered_for([], workers) == []


def test_each_worker_begins_with_whole_long_files_and_ends_with_short_tests() -> None:
    ordered = [NAMES[place] for place in ordered_for(NAMES, 3)]
    for worker in range(3):
        part = ordered[worker * 27 : (worker + 1) * 27]
        long = [name for name in part if not name.startswith(SHORT)]
        assert long and part[: len(long)] == long
        files = {name.partition("::")[0] for name in long}
        assert sorted(long) == [name for name in LONG if name.partition("::")[0] in files]


def test_each_worker_reads_all_files_and_begins_with_others() -> None:
    files = list("abcdefghij")
    read = [beginning_with(files, worker, 4) for worker in range(4)]
    assert [sorted(one) for one in read] == [files] * 4
    assert [one[0] for one in read] == ["a", "c", "f", "h"]
