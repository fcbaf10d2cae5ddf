"""No symbolic link of an agent's commit leads out of the repository, alone or by way of others (T5.links)."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.gates.commit import leads_outside, refuse_commit
from autopilot.model.git import Change

# covers: T5


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("node_modules", "/home/you/project/.git"),
        ("node_modules", ".git"),
        ("node_modules", ".git/hooks"),
        ("deep/link", "../.GIT/hooks"),
        ("link", ".."),
        ("link", "../other"),
        ("a/b/link", "../../../x"),
        ("link", "a/../../x"),
        ("link", "a/.."),  # "a" may be a link
        ("link", "./../x"),
        ("link", "//etc"),
        ("link", "GIT~1/config"),
        ("link", ""),
    ],
)
def test_a_link_that_may_lead_outside_refuses_the_commit_by_name(path: str, target: str) -> None:
    reason = refuse_commit([Change(path, "A", "000000", "120000")], descends=True, links={path: target})
    assert reason.startswith(f"{path} is a symbolic link to {target}")


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("CLAUDE.md", "AGENTS.md"),
        ("bin/run", "../scripts/run.sh"),
        ("a/b/link", "../../src"),
        ("link", "./src//x"),
        ("link", "..."),
        ("link", ".github/workflows"),
    ],
)
def test_a_link_inside_the_repository_is_taken_in(path: str, target: str) -> None:
    assert not leads_outside(path, target)


PLACES = ("a", "b", "d/a", "d/b", "d/e/a", "d/e/b")
PARTS = st.lists(st.sampled_from(["..", "a", "b", "d", "e", ".", "x"]), min_size=1, max_size=5).map("/".join)


@given(st.dictionaries(st.sampled_from(PLACES), PARTS, min_size=1))
def test_however_links_are_chained_none_that_was_taken_in_resolves_outside(links: dict[str, str]) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder).resolve() / "outer" / "repository"
        (root / "d" / "e").mkdir(parents=True)
        taken = {path: target for path, target in links.items() if not leads_outside(path, target)}
        for path, target in taken.items():
            (root / path).symlink_to(target)
        for path in taken:
            assert Path(os.path.realpath(root / path)).is_relative_to(root)
