"""The user's checkout is looked at without a trace. covers: T1, T4.6, T4.7, INV-5"""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from autopilot.adapters.git.checkout.checkout import GitCheckout
from autopilot.adapters.git.checkout.documents import remove_document
from autopilot.adapters.git.repository import locate
from autopilot.api.people.open_requests import checkout_of
from autopilot.model.errors import UsageError
from autopilot.ports.git import Checkout
from tests.contract.git.world import AWKWARD, Repo, World, make_repo, make_world


@pytest.fixture
def dirty(world: World) -> World:
    """Staged, unstaged, both at once, deleted, untracked, ignored, with awkward names."""
    user = world.user
    user.write(".gitignore", "*.log\n.autopilot/\n")
    user.write("both.txt", "committed\n")
    user.commit()
    user.write("both.txt", "staged\n")
    user.write("staged new.txt", "staged\n")
    user.git("add", "both.txt", "staged new.txt")
    user.write("both.txt", "and changed again\n")
    user.write("src/app.py", "print('changed')\n")
    (user.path / "src/lib.py").unlink()
    for name in AWKWARD:
        user.write(f"untracked/{name}", name)
    user.write("debug.log", "ignored")
    return world


LOOKS: dict[str, Callable[[World], object]] = {
    "facts": lambda world: world.checkout.facts(),
    "snapshot": lambda world: world.checkout.snapshot(),
    "blockers": lambda world: world.checkout.blockers(world.user.head, world.change({"new.txt": b"n"})),
    "a refused landing": lambda world: world.checkout.land(world.user.head, world.change({"new.txt": b"n"})),
    "adopting": lambda world: world.vault.adopt(world.user.head),
    "reading": lambda world: (world.checkout.list(""), world.checkout.read("both.txt")),
    "locating": lambda world: locate(world.user.path),
    "documents for people": lambda world: world.checkout.write_documents({".autopilot/state.json": b"{}"}),
}


@pytest.mark.parametrize("name", LOOKS)
def test_nothing_of_the_users_is_touched(dirty: World, name: str) -> None:
    before = dirty.user.standing()
    LOOKS[name](dirty)
    assert dirty.user.standing() == before


def test_an_offer_touches_only_its_own_branch(dirty: World) -> None:
    before = dirty.user.standing()
    dirty.checkout.offer("run-1", dirty.change({"new.txt": b"n"}))
    after = dirty.user.standing()
    assert b"refs/heads/autopilot/run-1" in dirty.user.git("for-each-ref")
    before.pop("branches")
    after.pop("branches")
    assert after == before


def test_a_touched_but_unchanged_file_is_not_dirty_and_the_index_is_not_refreshed(world: World) -> None:
    os.utime(world.user.path / "README.md", (1, 1))
    index = (world.user.path / ".git/index").read_bytes()
    assert world.checkout.facts().dirty == ()
    assert (world.user.path / ".git/index").read_bytes() == index


def test_facts_say_how_the_checkout_stands(dirty: World) -> None:
    checkout: Checkout = dirty.checkout
    facts = checkout.facts()
    assert (facts.head, facts.branch) == (dirty.user.head, "main")
    assert set(facts.dirty) == {"both.txt", "staged new.txt", "src/app.py", "src/lib.py"}
    assert facts.refusals == () and not facts.planning_ignored
    assert checkout.path == dirty.user.path


def test_facts_of_a_detached_checkout_have_no_branch(world: World) -> None:
    world.user.git("checkout", "-q", "--detach")
    assert world.checkout.facts().branch == ""


def test_an_unresolved_merge_is_dirty(world: World) -> None:
    user = world.user
    user.git("checkout", "-q", "-b", "other")
    user.write("README.md", "theirs\n")
    user.commit()
    user.git("checkout", "-q", "main")
    user.write("README.md", "ours\n")
    user.commit()
    user.git("merge", "other", ok=False)
    assert world.checkout.facts().dirty == ("README.md",)
    before = user.standing()
    ref = world.checkout.snapshot()
    assert user.standing() == before
    assert b"<<<<<<<" in user.git("show", f"{ref}:README.md")


@pytest.mark.parametrize(
    ("rule", "ignored"),
    [(".planning/\n", True), (".planning\n", True), ("/.planning/*\n", True), ("", False), (".planning-x/\n", False)],
)
def test_whether_planning_is_ignored_is_asked_of_git(world: World, rule: str, ignored: bool) -> None:
    world.user.write(".gitignore", rule)
    assert world.checkout.facts().planning_ignored is ignored


def test_tracked_files_are_found_by_patterns_that_stay_within_a_folder(world: World) -> None:
    for path in ("web/package.json", "apps/web/package.json", "a/b/c/package.json", "package.json"):
        world.user.write(path, "{}")
    world.user.commit()
    world.user.write("new/package.json", "{}")
    assert world.checkout.tracked("*/package.json", "*/*/package.json") == ("apps/web/package.json", "web/package.json")


@pytest.mark.parametrize("tracked", ["ROADMAP.md", "STATE.md", "phases/01-a/01-01-PLAN.md"])
def test_a_planning_folder_of_which_anything_is_tracked_is_not_ignored(world: World, tracked: str) -> None:
    world.user.write(f".planning/{tracked}", "x")
    world.user.commit()
    assert not world.checkout.facts().new_planning_ignored
    world.user.write(".gitignore", ".planning/\n")
    facts = world.checkout.facts()
    assert (facts.planning_ignored, facts.new_planning_ignored) == (False, True)


@pytest.mark.parametrize("style", ["excludesFile", "usual place", "config folder"])
def test_personal_ignore_rules_count_when_the_home_is_known(world: World, tmp_path: Path, style: str) -> None:
    home = tmp_path / "home"
    (home / ".config/git").mkdir(parents=True)
    if style == "usual place":
        (home / ".config/git/ignore").write_text(".planning/\n")
    else:
        config = home / (".gitconfig" if style == "excludesFile" else ".config/git/config")
        config.write_text("[core]\n\texcludesFile = ~/my-ignore\n")
        (home / "my-ignore").write_text(".planning/\n")
    assert GitCheckout(world.user.path, world.vault, home).facts().planning_ignored
    assert not world.checkout.facts().planning_ignored


def test_submodules_are_refused_with_the_reason(world: World, tmp_path: Path) -> None:
    make_repo(tmp_path / "sub", {"x": "x"})
    world.user.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(tmp_path / "sub"), "inner")
    world.user.commit()
    assert [found.reason for found in world.checkout.facts().refusals] == ["submodules are not supported yet (inner)"]


def test_a_submodule_that_is_only_staged_is_refused_too(world: World) -> None:
    inner = make_repo(world.user.path / "inner", {"x": "x"})
    world.user.git("update-index", "--add", "--cacheinfo", f"160000,{inner.head},inner")
    assert [found.reason for found in world.checkout.facts().refusals] == ["submodules are not supported yet (inner)"]


def test_a_partial_clone_is_refused(world: World) -> None:
    world.user.git("config", "remote.origin.promisor", "true")
    assert any("partial clones" in refusal.reason for refusal in world.checkout.facts().refusals)
    world.user.git("config", "remote.origin.promisor", "false")
    assert world.checkout.facts().refusals == ()


@pytest.mark.parametrize(
    ("key", "value"), [("core.fileMode", "false"), ("core.filemode", "no"), ("CORE.FILEMODE", "0")]
)
def test_what_the_repository_says_of_its_file_system_counts(world: World, key: str, value: str) -> None:
    (world.user.path / "run.sh").chmod(0o755)
    assert world.checkout.dirty() == ("run.sh",)
    world.user.git("config", key, value)
    assert world.checkout.dirty() == ()


def test_a_configuration_that_git_cannot_read_is_refused(world: World) -> None:
    world.user.write(".git/config", "[core]\n\tfilemode = false\n[[[\n")
    with pytest.raises(UsageError, match=r"git cannot read .*bad config line"):
        world.checkout.facts()


def test_lfs_is_refused_wherever_it_is_named(world: World) -> None:
    world.user.write("assets/.gitattributes", "# none\n*.bin filter=lfs diff=lfs merge=lfs -text\n")
    world.user.commit()
    assert [found.reason for found in world.checkout.facts().refusals] == ["Git LFS is not supported yet"]


def test_a_content_filter_is_refused_only_where_it_is_configured(world: World) -> None:
    world.user.write(".gitattributes", "secret* filter=crypt\n")
    world.user.commit()
    assert world.checkout.facts().refusals == ()
    world.user.git("config", "filter.crypt.clean", "cat")
    fresh = GitCheckout(world.user.path, world.vault)
    assert [found.reason for found in fresh.facts().refusals] == ["the content filter 'crypt' is not supported yet"]


def test_the_users_hooks_filters_and_watchers_do_not_run(world: World, tmp_path: Path) -> None:
    user, fired = world.user, tmp_path / "fired"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\necho $0 >> {fired}\ncat\n")
    program.chmod(0o755)
    old = user.head
    user.write(".gitattributes", "*.md filter=x\n")
    user.commit()
    for hook in ("reference-transaction", "post-index-change", "post-checkout", "pre-commit", "post-merge"):
        (user.path / ".git/hooks").mkdir(exist_ok=True)
        (user.path / ".git/hooks" / hook).symlink_to(program)
    user.git("config", "core.fsmonitor", str(program))
    user.git("config", "filter.x.clean", str(program))
    user.git("config", "filter.x.smudge", str(program))
    user.git("config", "filter.x.required", "true")
    fired.unlink(missing_ok=True)
    checkout = GitCheckout(user.path, world.vault)
    new = world.change({"README.md": b"landed\n", "more.md": b"m\n"}, user.word("rev-parse", "HEAD"))
    fired.unlink(missing_ok=True)  # asking plain git for HEAD may have fired it
    base = world.vault.ref("refs/autopilot/adopted/" + (user.path / ".git/refs/heads/main").read_text().strip())
    assert base and base != old
    os.utime(user.path / "README.md", (1, 1))
    checkout.facts()
    user.write("untracked.md", "u")
    assert checkout.snapshot()
    checkout.offer("run", new)
    assert checkout.blockers(base, new).because == ""
    assert checkout.land(base, new).because == ""
    assert (user.path / "README.md").read_text() == "landed\n"
    assert not fired.exists()
    user.write("README.md", "x\n")
    user.git("commit", "-aqm", "x", ok=False)  # the control
    assert len(set(fired.read_text().split())) >= 4


@pytest.mark.parametrize("where", ["an included file", "the worktree's own configuration", "the worktree's other case"])
def test_a_filter_does_not_run_wherever_the_repository_configures_it(world: World, tmp_path: Path, where: str) -> None:
    user, fired = world.user, tmp_path / "fired"
    user.write(".gitattributes", "*.md filter=x\n")
    user.commit()
    section = f'[filter "x"]\n\tclean = : >{fired}\n'
    if where == "an included file":
        (tmp_path / "more").write_text(section)
        user.git("config", "include.path", str(tmp_path / "more"))
    else:
        name = "extensions.worktreeConfig" if where.endswith("configuration") else "Extensions.WORKTREECONFIG"
        user.git("config", name, "true")
        user.write(".git/config.worktree", section)
    user.write("README.md", "HELLO\n")  # as long as before: it has to be read
    assert [found.reason for found in world.checkout.facts().refusals] == [
        "the content filter 'x' is not supported yet"
    ]
    assert world.checkout.dirty() == ("README.md",)
    assert world.checkout.snapshot()
    assert not fired.exists()
    user.git("add", "README.md")  # the control
    assert fired.exists()


def test_a_sparse_checkout_is_refused(world: World) -> None:
    world.user.git("sparse-checkout", "set", "--no-cone", "/README.md")
    assert [found.reason for found in world.checkout.facts().refusals] == ["sparse checkouts are not supported yet"]


def test_what_changes_in_the_repository_is_seen_by_the_next_look(world: World) -> None:
    """Nothing is kept from one look to the next but what one commit says: that cannot change."""
    user, checkout = world.user, world.checkout
    before = checkout.facts()
    assert (before.head, before.branch, before.dirty, before.refusals) == (user.head, "main", (), ())
    user.write(".gitattributes", "*.md filter=crypt\n")
    user.commit()
    user.git("config", "filter.crypt.clean", "cat")
    user.git("switch", "-q", "-c", "side")
    user.write("src/app.py", "changed\n")
    after = checkout.facts()
    assert (after.head, after.branch, after.dirty) == (user.head, "side", ("src/app.py",))
    assert [found.reason for found in after.refusals] == ["the content filter 'crypt' is not supported yet"]
    user.git("config", "--unset", "filter.crypt.clean")
    assert checkout.facts().refusals == ()


@pytest.mark.parametrize("kept", ["loose", "packed", "detached"])
def test_head_is_known_however_git_keeps_it(world: World, kept: str) -> None:
    user = world.user
    if kept == "packed":
        user.git("pack-refs", "--all")
        assert not (user.path / ".git/refs/heads/main").exists()
    if kept == "detached":
        user.git("checkout", "-q", "--detach")
    assert world.checkout.head() == user.head == world.checkout.facts().head
    assert world.checkout.branch() == ("" if kept == "detached" else "main")
    assert locate(user.path)


# Snapshots


def test_only_a_change_of_mode_or_an_empty_file_is_saved_too(world: World) -> None:
    (world.user.path / "run.sh").chmod(0o755)
    first = world.checkout.snapshot()
    assert b"100755" in world.user.git("ls-tree", first, "run.sh")
    world.user.git("checkout", "-q", "--", "run.sh")
    world.user.write("new/empty", "")
    assert world.user.git("ls-tree", "-r", "--name-only", world.checkout.snapshot()).count(b"new/empty") == 1


def test_a_clean_checkout_has_no_snapshot(world: World) -> None:
    world.user.write(".autopilot/state.json", "{}")
    assert world.checkout.snapshot() == ""
    assert world.user.git("for-each-ref", "refs/autopilot") == b""


def test_a_snapshot_holds_index_files_and_untracked(dirty: World) -> None:
    dirty.user.write(".autopilot/state.json", "{}")
    ref = dirty.checkout.snapshot()
    assert ref == "refs/autopilot/wip/1"
    show = dirty.user.git
    assert show("show", f"{ref}:both.txt") == b"and changed again\n"
    assert show("show", f"{ref}^2:both.txt") == b"staged\n"
    assert show("show", f"{ref}:src/app.py") == b"print('changed')\n"
    listed = show("ls-tree", "-r", "-z", "--name-only", ref).decode().split("\0")
    assert {f"untracked/{name}" for name in AWKWARD} <= set(listed)
    assert not {"src/lib.py", "debug.log", ".autopilot/state.json"} & set(listed)
    assert show("rev-parse", f"{ref}^1").decode().strip() == dirty.user.head


def test_a_snapshot_can_be_applied_like_a_stash(dirty: World, tmp_path: Path) -> None:
    ref = dirty.checkout.snapshot()
    dirty.user.git("clone", "-q", ".", str(tmp_path / "elsewhere"))
    other = Repo(tmp_path / "elsewhere")
    other.git("fetch", "-q", "origin", f"{ref}:{ref}")
    other.git("stash", "apply", "-q", ref)
    assert (other.path / "both.txt").read_text() == "and changed again\n"
    assert (other.path / "untracked/with space.txt").exists()


def test_the_same_work_is_one_snapshot_and_more_work_another(dirty: World) -> None:
    assert dirty.checkout.snapshot() == dirty.checkout.snapshot() == "refs/autopilot/wip/1"
    dirty.user.write("more.txt", "more")
    assert dirty.checkout.snapshot() == "refs/autopilot/wip/2"


def test_only_staged_work_is_saved_too(world: World) -> None:
    world.user.write("README.md", "staged\n")
    world.user.git("add", "README.md")
    world.user.write("README.md", "hello\n")  # as committed
    ref = world.checkout.snapshot()
    assert world.user.git("show", f"{ref}^2:README.md") == b"staged\n"


def test_what_cannot_be_saved_does_not_stop_the_rest(world: World) -> None:
    make_repo(world.user.path / "nested", {"x": "x"})
    (world.user.path / "empty/.git").mkdir(parents=True)
    Repo(world.user.path / "empty").git("init", "-q", ".")
    world.user.write("empty/file", "in a repository without commits")
    os.mkfifo(world.user.path / "pipe")
    world.user.write("good.txt", "good")
    ref = world.checkout.snapshot()
    assert world.user.git("show", f"{ref}:good.txt") == b"good"


# Offers


def test_an_offer_is_a_branch_with_the_commit(world: World) -> None:
    new = world.change({"new.txt": b"n"})
    assert world.checkout.offer("run-1", new) == "autopilot/run-1"
    assert world.user.word("rev-parse", "autopilot/run-1") == new
    assert world.user.git("show", "autopilot/run-1:new.txt") == b"n"
    newer = world.change({"newer.txt": b"n"}, new)
    assert world.checkout.offer("run-1", newer) == "autopilot/run-1"
    assert world.user.word("rev-parse", "autopilot/run-1") == newer
    world.user.git("fsck", "--strict")


def test_an_offer_never_moves_a_branch_the_user_built_upon(world: World) -> None:
    new = world.change({"new.txt": b"n"})
    world.checkout.offer("run-1", new)
    world.user.git("checkout", "-q", "autopilot/run-1")
    world.user.write("mine.txt", "mine")
    mine = world.user.commit()
    world.user.git("checkout", "-q", "main")
    assert world.checkout.offer("run-1", world.change({"newer.txt": b"n"}, new)) == "autopilot/run-1-2"
    assert world.user.word("rev-parse", "autopilot/run-1") == mine


def test_an_offer_never_moves_the_branch_the_user_stands_on(world: World) -> None:
    new = world.change({"new.txt": b"n"})
    world.checkout.offer("run-1", new)
    world.user.git("checkout", "-q", "autopilot/run-1")
    assert world.checkout.offer("run-1", new) == "autopilot/run-1"
    assert world.checkout.offer("run-1", world.change({"newer.txt": b"n"}, new)) == "autopilot/run-1-2"
    assert world.user.git("status", "--porcelain") == b""


def test_an_offer_works_when_the_user_went_elsewhere(world: World) -> None:
    new = world.change({"new.txt": b"n"})
    world.user.git("checkout", "-q", "--orphan", "fresh")
    world.user.commit("unrelated")
    world.checkout.offer("odd name: ~^?*[", new)
    assert world.user.word("rev-parse", "autopilot/odd-name") == new
    world.user.git("fsck", "--strict")


# Documents


def test_documents_for_people_carry_their_own_ignore_rule(world: World) -> None:
    world.checkout.write_documents({".autopilot/state.json": b"{}", ".autopilot/archive/run-1.json": b"1"})
    assert (world.user.path / ".autopilot/.gitignore").read_text() == "*\n"
    assert (world.user.path / ".autopilot/archive/run-1.json").read_bytes() == b"1"
    assert world.user.git("status", "--porcelain") == b""
    (world.user.path / ".autopilot/.gitignore").write_text("# mine\n*\n")
    world.checkout.write_documents({".autopilot/state.json": b"{2}"})
    assert (world.user.path / ".autopilot/.gitignore").read_text() == "# mine\n*\n"
    assert not [path for path in (world.user.path / ".autopilot").iterdir() if path.name.startswith(".state")]


def test_planning_documents_are_written_only_where_git_ignores_them(world: World) -> None:
    with pytest.raises(UsageError, match="landing"):
        world.checkout.write_documents({".planning/ROADMAP.md": b"x"})
    world.user.write(".gitignore", ".planning/\n")
    world.checkout.write_documents({".planning/phases/01/PLAN.md": b"x"})
    assert (world.user.path / ".planning/phases/01/PLAN.md").read_bytes() == b"x"


def test_a_document_that_somebody_else_wrote_is_kept_before_it_is_replaced(world: World) -> None:
    """Git does not have it: the folder is ignored. covers: SWITCH-KEEP"""
    world.user.write(".gitignore", ".planning/\n")
    path, project = ".planning/phases/01/VERIFICATION.md", world.user.path
    world.user.write(path, "theirs\n")
    for content in (b"ours\n", b"ours\n", b"ours again\n"):
        world.checkout.write_documents({path: content, ".planning/ROADMAP.md": b"edited in place"})
    kept = project / ".autopilot/archive/replaced"
    assert (project / path).read_bytes() == b"ours again\n"
    assert {file.read_text() for file in kept.rglob("*.md")} == {"theirs\n", "ours\n"}
    assert not [file for file in kept.rglob("*") if "ROADMAP" in file.name]


def test_a_document_that_cannot_be_kept_is_not_replaced(world: World, tmp_path: Path) -> None:
    world.user.write(".gitignore", ".planning/\n")
    world.user.write(".planning/phases/01/PLAN.md", "theirs\n")
    (world.user.path / ".autopilot").mkdir()
    outside = tmp_path / "outside"
    outside.mkdir()
    (world.user.path / ".autopilot/archive").symlink_to(outside)
    world.checkout.write_documents({".planning/phases/01/PLAN.md": b"ours", ".planning/phases/01/SUMMARY.md": b"ours"})
    assert (world.user.path / ".planning/phases/01/PLAN.md").read_text() == "theirs\n"
    assert (world.user.path / ".planning/phases/01/SUMMARY.md").read_text() == "ours"
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize("path", ["README.md", "src/app.py", "../x", "/etc/x", ".git/config", ".autopilot/../x", "."])
def test_no_other_file_is_written(world: World, path: str) -> None:
    before = world.user.standing()
    with pytest.raises(UsageError):
        world.checkout.write_documents({path: b"x"})
    assert world.user.standing() == before


@pytest.mark.parametrize("where", [".autopilot", ".autopilot/deep"])
def test_a_link_out_of_the_checkout_is_not_written_through(world: World, tmp_path: Path, where: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    place = world.user.path / where
    place.parent.mkdir(exist_ok=True)
    place.symlink_to(outside)
    with pytest.raises(UsageError):
        world.checkout.write_documents({".autopilot/deep/state.json": b"x"})
    assert not list(outside.rglob("*.json"))


def test_a_file_that_is_a_link_is_replaced_not_followed(world: World, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("keep me")
    (world.user.path / ".autopilot").mkdir()
    (world.user.path / ".autopilot/state.json").symlink_to(outside)
    world.checkout.write_documents({".autopilot/state.json": b"new"})
    assert outside.read_text() == "keep me"
    assert (world.user.path / ".autopilot/state.json").read_bytes() == b"new"


def test_reading_follows_no_link_out_of_the_repository(world: World, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/file").write_text("outside")
    (world.user.path / "out").symlink_to(tmp_path / "outside")
    (world.user.path / "file").symlink_to(tmp_path / "outside/file")
    (world.user.path / "inside").symlink_to("README.md")
    os.mkfifo(world.user.path / "pipe")
    assert world.checkout.read("inside") == b"hello\n"
    assert world.checkout.read("nope") is None
    assert world.checkout.read("README.md/nope") is None
    assert world.checkout.read("src") is None
    assert world.checkout.read("pipe") is None
    for path in ("file", "out/file", "../outside/file", "/etc/passwd", ".git/config"):
        with pytest.raises(UsageError):
            world.checkout.read(path)


def test_listing_names_files_below_a_folder_and_follows_no_link_out(world: World, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/file").write_text("outside")
    user = world.user
    (user.path / "src/out").symlink_to(tmp_path / "outside")
    (user.path / "src/file").symlink_to(tmp_path / "outside/file")
    user.write("src/deep/ünï code.txt", "x")
    assert world.checkout.list("src") == ("src/app.py", "src/deep/ünï code.txt", "src/lib.py")
    assert world.checkout.list("nope") == ()
    assert not any(path.startswith(".git/") for path in world.checkout.list(""))


# Where is the repository?


def test_a_repository_is_found_from_a_folder_below(user: Repo, tmp_path: Path) -> None:
    below = user.path / "src/deep"
    below.mkdir()
    assert locate(below) == (user.path, user.path / ".git") == locate(user.path)
    (tmp_path / "link").symlink_to(below)
    assert locate(tmp_path / "link") == (user.path, user.path / ".git")


def test_a_linked_worktree_shares_the_common_folder_and_works(user: Repo, tmp_path: Path) -> None:
    user.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    assert locate(tmp_path / "side") == (tmp_path / "side", user.path / ".git")
    side = Repo(tmp_path / "side")
    world = make_world(tmp_path / "w", side)
    side.write("untracked", "u")
    assert world.checkout.facts().branch == "side"
    assert world.checkout.snapshot() == "refs/autopilot/wip/1"
    new = world.change({"README.md": b"landed\n"})
    assert world.checkout.land(side.head, new).because == ""
    assert side.head == new and side.git("status", "--porcelain") == b"?? untracked\n"
    assert user.word("rev-parse", "main") != new


def test_a_repository_with_its_git_folder_elsewhere_is_found_when_that_names_it_in_turn(tmp_path: Path) -> None:
    place = tmp_path / "p"
    place.mkdir()
    Repo(place).git("init", "-q", "--separate-git-dir", str(tmp_path / "kept.git"), ".")
    Repo(place).commit()
    with pytest.raises(UsageError, match="does not name this folder in turn") as refusal:
        locate(place)
    subprocess.run(shlex.split(refusal.value.hint.partition(": ")[2]), check=True)
    assert locate(place) == (place, tmp_path / "kept.git")


def test_places_where_no_run_can_start_are_refused_with_a_hint(user: Repo, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    (tmp_path / "bare").mkdir()
    Repo(tmp_path / "bare").git("init", "-q", "--bare", ".")
    (tmp_path / "empty").mkdir()
    Repo(tmp_path / "empty").git("init", "-q", ".")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken/.git").write_text("nonsense")
    (tmp_path / "headless").mkdir()
    Repo(tmp_path / "headless").git("init", "-q", ".")
    (tmp_path / "headless/.git/HEAD").write_text("nonsense")
    expected = {
        tmp_path / "headless": "HEAD names neither a branch nor a commit",
        tmp_path / "plain": "not in a git repository",
        tmp_path / "bare": "bare",
        tmp_path / "empty": "no commits",
        tmp_path / "broken": "names no git directory",
        user.path / ".git/refs": "git's own folder",
        tmp_path / "nowhere": "does not exist",
    }
    for place, words in expected.items():
        with pytest.raises(UsageError, match=words) as refusal:
            locate(place)
        assert refusal.value.hint


def test_a_document_of_gigabytes_is_refused_by_its_size_and_not_read(world: World) -> None:
    """It takes no room on the disk, and would take all of the memory (T1)."""
    (world.user.path / "STATE.md").write_text("here\n")
    assert world.checkout.read("STATE.md") == b"here\n", "the control"
    os.truncate(world.user.path / "STATE.md", 1 << 33)
    with pytest.raises(UsageError, match=r"STATE\.md is larger than 64 MB"):
        world.checkout.read("STATE.md")


def test_links_that_lead_out_are_no_documents(world: World, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").write_text("not yours\n")
    notes = world.user.path / "notes"
    notes.mkdir()
    (notes / "own").write_text("own\n")
    for name, target in (("in", "own"), ("out", outside / "file"), ("folder", outside), ("loop", "loop")):
        (notes / name).symlink_to(target)
    os.mkfifo(notes / "pipe")
    assert world.checkout.list("notes") == ("notes/in", "notes/own")


def test_a_document_is_removed_through_no_link(tmp_path: Path) -> None:
    """covers: T1"""
    root, elsewhere = tmp_path / "root", tmp_path / "elsewhere"
    (root / ".planning").mkdir(parents=True)
    elsewhere.mkdir()
    (elsewhere / "bug.md").write_text("precious", encoding="utf-8")
    (root / ".planning/debug").symlink_to(elsewhere)
    assert (root / ".planning/debug/bug.md").exists(), "the control: by its path it is there to be removed"
    with pytest.raises(UsageError, match="is a link"):
        remove_document(root, ".planning/debug/bug.md")
    assert (elsewhere / "bug.md").exists()
    (root / "notes.md").write_text("done", encoding="utf-8")
    remove_document(root, "notes.md")
    remove_document(root, "notes.md")
    assert not (root / "notes.md").exists()


def test_a_pipe_in_place_of_a_configuration_holds_nobody_up(tmp_path: Path) -> None:
    """`autopilot gates` and the page ask every repository for its folder. covers: T1"""
    os.mkfifo(tmp_path / "config")
    assert checkout_of(tmp_path) == tmp_path
    (tmp_path / "config").unlink()
    (tmp_path / "config").write_text("[core]\n\tworktree = ..\n", encoding="utf-8")
    assert checkout_of(tmp_path) == tmp_path.parent
