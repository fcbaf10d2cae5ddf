"""Which files of the checkout a command opens is known, in whatever language it is written (T8)."""

from __future__ import annotations

import pytest

from autopilot.adapters import openings
from autopilot.ports.sandbox import Exited, run

# covers: T8
pytestmark = pytest.mark.usefixtures("no_leaks")


def test_files_that_are_opened_are_told_and_no_others(sandbox, place) -> None:
    outcome = run(sandbox, place.sh("cat folder/deep.txt; test -e kept.txt", watched=True))
    assert (outcome.ended, outcome.opened) == (Exited(0), ("folder/deep.txt",))


def test_a_script_that_is_started_counts_as_opened(sandbox, place) -> None:
    (place.backing / "folder" / "run.sh").write_text("#!/bin/sh\n. ./kept.txt\n")
    (place.backing / "folder" / "run.sh").chmod(0o755)
    outcome = run(sandbox, place.sh("folder/run.sh; true", watched=True))
    assert outcome.opened == ("folder/run.sh", "kept.txt")


def test_what_a_child_in_the_background_opens_is_told_too(sandbox, place) -> None:
    outcome = run(sandbox, place.sh("(cat kept.txt >/dev/null &) ; sleep 0.2", watched=True))
    assert outcome.opened == ("kept.txt",)


def test_what_is_made_on_the_way_is_told_by_its_name_as_well(sandbox, place) -> None:
    outcome = run(sandbox, place.sh("echo new >folder/new.txt", watched=True))
    assert outcome.opened == outcome.changed == ("folder/new.txt",)


@pytest.mark.parametrize("change", ["echo x >kept.txt", "rm kept.txt", "cp kept.txt a && mv a kept.txt"])
def test_a_file_that_is_changed_on_the_way_is_told(sandbox, place, change: str) -> None:
    assert "kept.txt" in run(sandbox, place.sh(change, watched=True)).changed
    assert run(sandbox, place.sh("cat kept.txt", watched=True)).changed == ()


def test_without_being_asked_nothing_is_watched(sandbox, place) -> None:
    assert run(sandbox, place.sh("cat kept.txt")).opened is None


def test_where_not_all_can_be_watched_nothing_is_said(place, tmp_path) -> None:
    missing = openings.Project(str(place.backing), str(tmp_path / "not there"))
    watched = openings.Openings(missing, "")
    watched.take()
    assert watched.opened is None
    watched.close()
