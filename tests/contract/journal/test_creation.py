"""A fault while a journal is made leaves none, and the next attempt makes a whole one. covers: T7 R-IO"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("creating.py")


@pytest.fixture(scope="module")
def attempts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[list[object]]]:
    folder = tmp_path_factory.mktemp("creation")
    done = subprocess.run(
        ["unshare", "-Ur", "-m", "--propagation", "private", sys.executable, str(PROGRAM), str(folder)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, list[list[object]]] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(("fault", "error"), [("small disks", "CapReached"), ("limited files", "Unavailable")])
def test_a_write_that_fails_at_any_page_leaves_no_journal_and_the_next_attempt_makes_one(
    attempts: dict[str, list[list[object]]], fault: str, error: str
) -> None:
    came = [attempt[0] for attempt in attempts[fault]]
    assert set(came) == {error, "created"}
    assert came == sorted(came, key=lambda name: name == "created")  # control: with room enough it is made at once
    for outcome, left, usable in attempts[fault]:
        assert left == (["journal.db"] if outcome == "created" else [])
        assert usable
