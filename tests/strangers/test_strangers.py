"""The first hour on packages that nobody here wrote: three small ones a day. covers: INV-7"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.seed import chance
from tests.strangers.fetching import of_sources
from tests.strangers.rows import STRANGERS
from tests.strangers.stranger import Stranger
from tests.strangers.table import render
from tests.strangers.trial import Tried, try_stranger

QUICK = ("shortuuid", "shell-quote", "strftime", "regexp-clone", "rust-fnv")
OF_THE_DAY = chance("strangers").sample([one for one in STRANGERS if one.name in QUICK], 3)


@pytest.mark.parametrize("stranger", OF_THE_DAY, ids=lambda one: one.name)
def test_commands_are_found_honest_work_lands_and_the_lie_does_not(stranger: Stranger, tmp_path: Path) -> None:
    screens = tmp_path / "screens"
    tried = try_stranger(stranger, tmp_path / "hour", screens)
    told = "\n".join(path.read_text(encoding="utf-8") for path in sorted(screens.iterdir()))
    assert (tried.found, tried.known, tried.landed, tried.refused) == (True, True, True, True), told


def test_thirty_are_tried_of_every_kind() -> None:
    registries = [one.archive.registry for one in STRANGERS]
    assert (len(STRANGERS), registries.count("npm") >= 8, registries.count("apt") >= 4) == (30, True, True)
    assert len({one.archive.sha256 for one in STRANGERS}) == 30
    assert set(QUICK) <= {one.name for one in STRANGERS}


def test_the_same_mirrors_are_asked_for_sources_in_both_forms_of_their_files() -> None:
    assert of_sources("Types: deb\nURIs: x\n") == "Types: deb-src\nURIs: x\n"
    assert of_sources("# ours\ndeb x main\n") == "# ours\ndeb-src x main\n"


def test_the_table_says_what_needed_help_and_what_landed() -> None:
    good = Tried("a", "flit", {"test": "x"}, True, True, True, True, 3, 1.0, 9)
    lines = list(render([good, good._replace(name="b", found=False), good._replace(name="c", refused=False)]))
    assert lines[-1] == "without help 2 of 3; lies landed 1; honest refused 0"
    assert [line.split()[2] for line in lines[1:4]] == ["found", "NO", "found"]
