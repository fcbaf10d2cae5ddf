"""Where work is shown to other people: every way keeps the same promises, and none reaches the network. covers: T1"""

from __future__ import annotations

import pytest

from autopilot.adapters.forge.bare import BareForge
from autopilot.adapters.forge.gh import GhForge
from autopilot.adapters.forge.memory import RememberedForge
from autopilot.adapters.forge.none import NoForge
from autopilot.model.errors import Unavailable
from autopilot.model.forge import PlannedIssue
from autopilot.ports.forge import Forge, ForgeIssue, StatusState
from tests.contract.git.world import Repo, World

BRANCH = "autopilot/issue-24-a-title"


@pytest.fixture(params=["none", "bare", "gh", "memory"])
def forge(request: pytest.FixtureRequest, bare: BareForge, hub: GhForge) -> Forge:
    kinds: dict[str, Forge] = {"none": NoForge(), "bare": bare, "gh": hub, "memory": RememberedForge()}
    return kinds[request.param]


def test_an_issue_that_is_not_there_is_none(forge: Forge) -> None:
    assert forge.issue(404) is None


def test_pushing_and_drafting_again_does_no_harm(forge: Forge, world: World, remote: Repo) -> None:
    commit = world.change({"a.txt": b"a"})
    branch = forge.push(commit, BRANCH)
    assert branch == forge.push(commit, BRANCH)
    assert branch in ("", BRANCH)
    url = forge.draft(BRANCH, "main", "A title", "A body")
    assert url == forge.draft(BRANCH, "main", "A title", "Another body")
    forge.comment(url, "ready")
    forge.comment("", "to nobody")
    forge.label(24, "merge-ready")
    for state in StatusState:
        forge.status(commit, state, "autopilot/acceptance", "3 tests", url)


def test_what_has_no_issues_says_where_they_are_listed(bare: BareForge) -> None:
    for forge in (NoForge(), bare):
        with pytest.raises(Unavailable) as refused:
            forge.planned("v1")
        assert 'kind = "gh"' in refused.value.hint


def test_the_fake_lists_what_is_open_or_all_of_a_milestone() -> None:
    fake = RememberedForge()
    fake.plans = {"": (PlannedIssue(1, "a"), PlannedIssue(2, "b", closed=True)), "v1": (PlannedIssue(2, "b"),)}
    assert [issue.number for issue in fake.planned("")] == [1]
    assert [issue.number for issue in fake.planned("v1")] == [2] and fake.planned("v2") == ()


def test_the_fake_keeps_what_it_is_told_and_can_be_out_of_order() -> None:
    fake = RememberedForge({24: ForgeIssue("A title", "A body", ("bug",))})
    url = fake.draft(fake.push("c" * 40, BRANCH), "main", "t", "b")
    fake.comment(url, "ready")
    fake.label(24, "merge-ready")
    assert (fake.issue(24), fake.branches) == (ForgeIssue("A title", "A body", ("bug",)), {BRANCH: "c" * 40})
    assert (fake.drafts, fake.comments) == ({url: ("main", "t", "b")}, [(url, "ready")])
    assert fake.labels == [(24, "merge-ready")]
    fake.problem = "out of order"
    with pytest.raises(Unavailable, match="out of order"):
        fake.issue(24)
