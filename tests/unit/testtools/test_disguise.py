"""A canary under the name of an ordinary test. covers: T8.R"""

from __future__ import annotations

import pytest

from autopilot.testtools.disguise import disguise
from autopilot.testtools.pack import Canary
from autopilot.testtools.registry import PACKS

PATHS = ["tests/test_a.py", "test/a.test.js", "src/a.test.ts", "Cargo.toml", "src/lib.rs", "go.mod", "t/a.t", "a.bats"]
CANARIES = [canary for pack in PACKS if (canary := pack.canary(PATHS, [pack.name.split()[0], "t/a.t"]))]


@pytest.mark.parametrize("canary", CANARIES, ids=lambda canary: canary.path)
def test_nothing_tells_it_from_an_ordinary_test(canary: Canary) -> None:
    shown = disguise(canary, "a commit")
    for text in (shown.path, shown.text, shown.name):
        assert "autopilot" not in text.lower()
        assert "canary" not in text.lower()
        assert "must fail" not in text.lower()


@pytest.mark.parametrize("canary", CANARIES, ids=lambda canary: canary.path)
def test_a_report_still_shows_it_by_its_name(canary: Canary) -> None:
    shown = disguise(canary, "a commit")
    assert all(word in shown.text for word in shown.name.split())


def test_every_commit_has_another_name_and_one_commit_always_the_same() -> None:
    names = {disguise(CANARIES[0], f"commit {number}").name for number in range(50)}
    assert len(names) == 50
    assert disguise(CANARIES[0], "a commit") == disguise(CANARIES[0], "a commit")


def test_the_users_own_file_around_it_stays_as_it_is() -> None:
    users = "# the autopilot of this plane must fail safe; see canary.py\n"
    assert disguise(Canary("tests/a.py", users, "autopilot canary"), "x").text == users
