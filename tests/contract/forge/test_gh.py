"""The user's own `gh`: what it is asked, word for word, and what comes of its answers. covers: AL-1, AL-6"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autopilot.adapters.forge.bare import BareForge
from autopilot.adapters.forge.gh import LONGEST_BODY, MOST_ISSUES, GhForge
from autopilot.model.errors import Unavailable
from autopilot.model.forge import PlannedIssue
from autopilot.model.secrecy.redaction import Redactor
from autopilot.ports.forge import ForgeIssue, StatusState
from autopilot.simulation.forges.gh import SECRET, Gh
from tests.contract.git.world import Repo, World

BRANCH = "autopilot/issue-24-a-title"
URL = "https://forge.example.org/o/r/pull/7"


def test_an_issue_is_read_with_its_labels_outside_the_checkout(hub: GhForge, gh: Gh, world: World) -> None:
    assert hub.issue(24) == ForgeIssue("A title", "A body", ("bug", "p 1"))
    assert gh.asked == [["issue", "view", "24", "--json", "title,body,labels"]]
    assert gh.folder(0) == world.vault.path
    assert hub.issue(25) == ForgeIssue("No body", "")


def test_git_started_by_gh_knows_the_remotes_of_the_checkout_and_obeys_none_of_its_settings(
    world: World, bare: BareForge, gh: Gh, tmp_path: Path
) -> None:
    """The real one asks for the status before it makes a pull request, and reads which remote was chosen."""
    asks = "git status >/dev/null 2>&1; git remote -v; git config --get-regexp 'gh-resolved'"
    gh.program.write_text(f"#!/bin/sh\ncat >/dev/null\n( {asks} ) >>{tmp_path}/said\necho https://x/pull/1\n")
    evil = world.user.write("evil.sh", f"#!/bin/sh\ntouch {tmp_path}/fired\n")
    evil.chmod(0o755)
    for key, value in {
        "remote.origin.url": "https://forge.example.org/me/r.git",
        "remote.upstream.url": "https://forge.example.org/o/r.git",
        "remote.upstream.gh-resolved": "base",
        "remote.upstream.uploadpack": str(evil),
        "core.fsmonitor": str(evil),
    }.items():
        world.user.git("config", key, value)
    leftovers = {"GIT_DIR": str(world.user.path / ".git"), "GIT_WORK_TREE": str(world.user.path)}
    hub = GhForge(bare, world.user.path, world.vault.path, {**gh.environment, **leftovers}, Redactor({}))
    hub.comment(URL, "ready")
    said = (tmp_path / "said").read_text()
    assert "upstream\thttps://forge.example.org/o/r.git (push)" in said
    assert "origin\thttps://forge.example.org/me/r.git (fetch)" in said
    assert "remote.upstream.gh-resolved base" in said
    assert not (tmp_path / "fired").exists()
    world.user.git("status")
    assert (tmp_path / "fired").exists(), "in the checkout it would have run"


@pytest.mark.parametrize(
    ("number", "wrong", "hint"),
    [
        (26, "printed an answer that Autopilot cannot read", "Update gh"),
        (27, "gh issue view failed: To get started", "gh auth login"),
        (28, "gh issue view failed: HTTP 502", "gh auth status"),
    ],
)
def test_an_answer_that_is_none_is_unavailable(hub: GhForge, number: int, wrong: str, hint: str) -> None:
    with pytest.raises(Unavailable, match=wrong) as caught:
        hub.issue(number)
    assert hint in caught.value.hint


def test_a_gh_that_does_not_end_is_ended(world: World, bare: BareForge, gh: Gh) -> None:
    hub = GhForge(bare, world.user.path, world.vault.path, gh.environment, Redactor({}), timeout_s=0.5)
    with pytest.raises(Unavailable, match=r"gh did not end within 0\.5 s"):
        hub.issue(29)


def test_a_gh_that_prints_without_end_is_ended(hub: GhForge, gh: Gh) -> None:
    """A forge says what it prints: it must not fill the memory."""
    gh.program.write_text("#!/bin/sh\nexec cat /dev/zero\n")
    with pytest.raises(Unavailable, match="gh printed more than"):
        hub.issue(24)


def test_without_gh_on_the_path_it_is_unavailable(world: World, bare: BareForge, gh: Gh) -> None:
    """Neither is a `gh` of the repository taken for the user's, where the path names a folder relatively."""
    world.user.write("bin/gh", "#!/bin/sh\necho '{}'\n").chmod(0o755)
    for path in ("", ".", "bin", "/nonexistent:bin"):
        hub = GhForge(bare, world.user.path, world.vault.path, {**gh.environment, "PATH": path}, Redactor({}))
        with pytest.raises(Unavailable, match="gh is not installed") as caught:
            hub.issue(24)
        assert 'kind = "git"' in caught.value.hint


def test_a_branch_is_pushed_without_gh(hub: GhForge, gh: Gh, world: World, remote: Repo) -> None:
    commit = world.change({"a.txt": b"a"})
    assert hub.push(commit, BRANCH) == BRANCH
    assert remote.word("rev-parse", BRANCH) == commit
    assert gh.asked == []


def test_a_draft_is_made_once_and_then_kept_up_to_date(hub: GhForge, gh: Gh) -> None:
    assert hub.draft(BRANCH, "main", "A title; $(rm x)", "`A` body\n$HOME 'x'") == URL
    assert hub.draft(BRANCH, "main", "Another\ntitle", "Another body") == URL
    view = ["pr", "view", BRANCH, "--json", "url,state"]
    create = ["pr", "create", "--draft", "--head", BRANCH, "--base", "main"]
    assert gh.asked == [
        view,
        [*create, "--title", "A title; $(rm x)", "--body-file", "-"],
        view,
        ["pr", "edit", URL, "--title", "Another title", "--body-file", "-"],
    ]
    assert (gh.body(1), gh.body(3)) == ("`A` body\n$HOME 'x'", "Another body")


@pytest.mark.parametrize("state", ["CLOSED", "MERGED"])
def test_a_pull_request_that_is_history_is_followed_by_a_new_draft(hub: GhForge, gh: Gh, state: str) -> None:
    gh.pull.write_text(state)
    hub.draft(BRANCH, "", "A title", "A body")
    assert gh.asked[1][:3] == ["pr", "create", "--draft"]


@pytest.mark.parametrize(
    ("said", "configured", "base"),
    [("", "", []), ("", "develop", ["--base", "develop"]), ("main", "develop", ["--base", "main"])],
)
def test_a_draft_is_merged_into_what_the_caller_the_settings_or_the_forge_say(
    world: World, bare: BareForge, gh: Gh, said: str, configured: str, base: list[str]
) -> None:
    GhForge(bare, world.user.path, world.vault.path, gh.environment, Redactor({}), configured).draft(
        BRANCH, said, "t", "b"
    )
    assert gh.asked[1] == ["pr", "create", "--draft", "--head", BRANCH, *base, "--title", "t", "--body-file", "-"]


def test_a_comment_and_a_label_are_made(hub: GhForge, gh: Gh) -> None:
    hub.comment(URL, "ready\n")
    hub.label(24, "merge-ready")
    hub.comment("", "to nobody")
    assert gh.asked == [
        ["pr", "comment", URL, "--body-file", "-"],
        ["issue", "edit", "24", "--add-label", "merge-ready"],
    ]
    assert gh.body(0) == "ready\n"


def test_a_label_that_is_not_there_is_told_of_with_the_way_out(hub: GhForge) -> None:
    with pytest.raises(Unavailable, match="'merge-ready' not found") as caught:
        hub.label(3, "merge-ready")
    assert caught.value.hint.endswith("gh label create merge-ready")


def test_no_secret_leaves_and_no_body_is_longer_than_the_forge_takes(hub: GhForge, gh: Gh) -> None:
    hub.draft(BRANCH, "main", f"about {SECRET}", f"{SECRET}\n" + "x" * 70_000)
    hub.comment(URL, SECRET)
    assert SECRET not in " ".join(gh.asked[1]) + gh.body(1) + gh.body(2)
    assert len(gh.body(1)) == LONGEST_BODY
    assert gh.body(1).endswith("the whole text is in the branch.")


def test_a_status_of_a_commit_is_sent_as_json_without_secrets(hub: GhForge, gh: Gh) -> None:
    """covers: FORGE-REST"""
    hub.status("a" * 40, StatusState.SUCCESS, "autopilot/acceptance", f"3 tests\n{SECRET}", "https://x.example.org/7")
    [asked] = gh.asked
    place = f"repos/{{owner}}/{{repo}}/statuses/{'a' * 40}"
    assert asked == ["api", "--method", "POST", place, "--input", "-"]
    sent = json.loads(gh.body(0))
    assert sent == {
        "state": "success",
        "context": "autopilot/acceptance",
        "description": "3 tests [redacted:TOKEN]",
        "target_url": "https://x.example.org/7",
    }


def test_the_issues_of_a_milestone_are_listed_with_their_states_by_number(hub: GhForge, gh: Gh) -> None:
    """covers: IMPORT-FORGE"""
    known = [
        {"number": 9, "title": "B", "body": None, "state": "CLOSED", "stateReason": "NOT_PLANNED"},
        {"number": 7, "title": "A", "body": "text", "state": "OPEN", "stateReason": ""},
        {"number": 8, "title": "C", "body": "", "state": "CLOSED", "stateReason": "COMPLETED"},
    ]
    gh.issues.write_text(json.dumps(known))
    first, second, third = hub.planned("v1.2")
    assert first == PlannedIssue(7, "A", "text")
    assert second == PlannedIssue(8, "C", closed=True)
    assert third == PlannedIssue(9, "B", closed=True, given_up=True)
    assert gh.asked[0][:6] == ["issue", "list", "--milestone", "v1.2", "--state", "all"]
    hub.planned("")
    assert gh.asked[1][:4] == ["issue", "list", "--state", "open"]


def test_a_list_that_is_cut_is_no_plan(hub: GhForge, gh: Gh) -> None:
    gh.issues.write_text(json.dumps([{"number": n, "title": "x"} for n in range(1, MOST_ISSUES + 2)]))
    with pytest.raises(Unavailable, match="more than 500 issues"):
        hub.planned("")
