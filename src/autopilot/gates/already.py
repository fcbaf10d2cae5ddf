"""Does a criterion that holds before the work show that the work is there already?"""

from __future__ import annotations

import re
from collections.abc import Collection

from autopilot.model.evidence.observation import Observation, Seen

# One test by its name: `pytest a.py::test_b`, `-k total`, `go test -run TestTotal`, `jest -t total`, `a_spec.rb:12`.
_ONE_TEST = re.compile(
    r"::|#\w|_spec\.rb:\d|"
    r"\s(?:-[ktenfg]|--?run|--filter|--grep|--name|--tests|--example|--test-name-pattern|--testNamePattern)[\s=]"
)


def shows_that_it_is_there(base: Observation, checks: Collection[str]) -> bool:
    """Not where it says only that tests pass which may have stood there before the work was thought of.

    A whole file of tests, or the whole suite, is green before most work on it begins: `pytest tests/test_totals.py`
    promises the tests that the work is yet to add. ``checks`` are the project's own commands.
    """
    return base.seen is Seen.PASSED and not is_general(base, checks)


def is_general(base: Observation, checks: Collection[str]) -> bool:
    return base.command in checks or (base.tests is not None and not _ONE_TEST.search(base.command))
