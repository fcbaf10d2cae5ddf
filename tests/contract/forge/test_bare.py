"""Branches pushed to a real bare repository: forward only, below autopilot/ only, by no program but git.

covers: T1, T4.7, AL-1
"""

from __future__ import annotations

from pathlib import Path

import pytest

from autopilot.adapters.forge.bare import BareForge
from autopilot.model.errors import Unavailable
from autopilot.simulation.forges.gh import Gh
from tests.contract.git.world import Repo, World

BRANCH = "autopilot/issue-24-a-title"


def tip(remote: Repo, branch: str = BRANCH) -> str:
    return remote.git("rev-parse", "-q", "--verify", f"refs/heads/{branch}", ok=False).decode().strip()


def test_a_branch_is_made_and_moves_forward_with_the_work(bare: BareForge, world: World, remote: Repo) -> None:
    first = world.change({"a.txt": b"a"})
    assert bare.push(first, BRANCH) == BRANCH
    second = world.change({"a.txt": b"b"}, first)
    assert bare.push(second, BRANCH) == BRANCH
    assert tip(remote) == second
    assert remote.git("cat-file", "blob", f"{second}:a.txt") == b"b"
    assert remote.word("for-each-ref", "--format=%(refname)") == f"refs/heads/{BRANCH}"


def test_nothing_of_the_checkout_changes_and_none_of_its_hooks_runs(
    bare: BareForge, world: World, remote: Repo, tmp_path: Path
) -> None:
    hook = world.user.write(".git/hooks/pre-push", f"#!/bin/sh\ntouch {tmp_path}/ran\nexit 1\n")
    hook.chmod(0o755)
    before = world.user.standing()
    bare.push(world.change({"a.txt": b"a"}), BRANCH)
    assert world.user.standing() == before
    assert not (tmp_path / "ran").exists()
    world.user.git("push", "-q", "origin", "main", ok=False)
    assert (tmp_path / "ran").exists(), "the hook would have run"


def test_commits_of_somebody_else_are_left_alone(bare: BareForge, world: World, remote: Repo, tmp_path: Path) -> None:
    first = world.change({"a.txt": b"a"})
    bare.push(first, BRANCH)
    world.user.git("clone", "-q", "-b", BRANCH, str(remote.path), str(tmp_path / "theirs"))
    theirs = Repo(tmp_path / "theirs")
    theirs.write("a.txt", "a person's correction")
    corrected = theirs.commit()
    theirs.git("push", "-q", "origin", BRANCH)
    for ours in (first, world.change({"a.txt": b"b"}, first)):
        with pytest.raises(Unavailable, match="holds commits that are not ours") as caught:
            bare.push(ours, BRANCH)
        assert caught.value.hint
        assert tip(remote) == corrected


def test_work_that_goes_back_is_not_pushed_over_what_is_there(bare: BareForge, world: World, remote: Repo) -> None:
    ahead = world.change({"a.txt": b"a"})
    bare.push(ahead, BRANCH)
    with pytest.raises(Unavailable, match="left as it is"):
        bare.push(world.change({"b.txt": b"b"}), BRANCH)
    assert tip(remote) == ahead


@pytest.mark.parametrize("branch", ["main", "", "autopilo/x", "refs/heads/autopilot/x"])
def test_no_branch_but_ours_is_pushed(bare: BareForge, world: World, remote: Repo, branch: str) -> None:
    with pytest.raises(Unavailable, match="not a branch of ours"):
        bare.push(world.change({"a.txt": b"a"}), branch)
    assert remote.git("for-each-ref") == b""


@pytest.mark.parametrize("branch", ["autopilot/../main", "autopilot/a:refs/heads/main", "autopilot/a b", "autopilot/"])
def test_a_name_that_is_none_is_refused(bare: BareForge, world: World, remote: Repo, branch: str) -> None:
    with pytest.raises(Unavailable, match="could not be pushed"):
        bare.push(world.change({"a.txt": b"a"}), branch)
    assert remote.git("for-each-ref") == b""


@pytest.mark.parametrize("prefix", ["", "+"])
def test_a_revision_cannot_force_or_delete(bare: BareForge, world: World, remote: Repo, prefix: str) -> None:
    ahead = world.change({"a.txt": b"a"})
    bare.push(ahead, BRANCH)
    with pytest.raises(Unavailable, match="there is no commit"):
        bare.push(f"{prefix}{world.user.head}" if prefix else "", BRANCH)
    with pytest.raises(Unavailable, match="there is no commit"):
        bare.push("0" * 40, BRANCH)
    assert tip(remote) == ahead


def test_the_address_a_remote_is_pushed_to_goes_before_the_other(world: World, gh: Gh) -> None:
    forge = BareForge(world.vault, world.user.path, "origin", gh.environment)
    world.user.git("config", "remote.origin.url", "https://127.0.0.1:9/read.git")
    assert forge.address() == "https://127.0.0.1:9/read.git"
    world.user.git("config", "remote.origin.pushurl", "ssh://127.0.0.1:9/push.git")
    assert forge.address() == "ssh://127.0.0.1:9/push.git"


@pytest.mark.parametrize("named", ["remote.git", "./remote.git", "../remote.git", "{whole}", "file://{whole}"])
def test_a_checkout_cannot_name_a_folder_whose_hooks_a_push_would_run(
    world: World, gh: Gh, tmp_path: Path, named: str
) -> None:
    folder = world.user.path / "remote.git" if "../" not in named else tmp_path / "remote.git"
    folder.mkdir()
    Repo(folder).git("init", "-q", "--bare", ".")
    hook = folder / "hooks/pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    hook.chmod(0o755)
    address = named.format(whole=folder)
    world.user.git("remote", "add", "origin", address)
    commit = world.change({"a.txt": b"a"})
    for remote in ("origin", *([address] if "/" in address and "../" not in address else [])):
        forge = BareForge(world.vault, world.user.path, remote, gh.environment)
        with pytest.raises(Unavailable, match=r"folder of this machine|inside the checkout") as caught:
            forge.push(commit, BRANCH)
        assert "settings.toml" in caught.value.hint
    assert not (tmp_path / "ran").exists()
    world.user.git("push", "-q", "origin", "main", ok=False)
    assert (tmp_path / "ran").exists(), "the hook would have run"


def test_a_remote_of_the_checkout_cannot_take_the_name_of_an_address(world: World, remote: Repo, gh: Gh) -> None:
    world.user.git("config", f"remote.{remote.path}.url", "https://127.0.0.1:9/elsewhere.git")
    forge = BareForge(world.vault, world.user.path, str(remote.path), gh.environment)
    forge.push(commit := world.change({"a.txt": b"a"}), BRANCH)
    assert tip(remote) == commit


def test_an_address_stands_for_itself(world: World, remote: Repo, gh: Gh) -> None:
    for address in (str(remote.path), "../remote.git", f"file://{remote.path}"):
        forge = BareForge(world.vault, world.user.path, address, gh.environment)
        commit = world.change({"a.txt": address.encode()}, tip(remote) or world.user.head)
        forge.push(commit, BRANCH)
        assert tip(remote) == commit


def test_a_remote_that_nobody_added_is_told_of_with_the_way_out(world: World, gh: Gh) -> None:
    bare = BareForge(world.vault, world.user.path, "origin", gh.environment)
    with pytest.raises(Unavailable, match="no remote named origin") as caught:
        bare.push(world.change({"a.txt": b"a"}), BRANCH)
    assert "git remote add origin" in caught.value.hint


def test_a_remote_that_is_gone_is_told_of(world: World, gh: Gh) -> None:
    bare = BareForge(world.vault, world.user.path, "../gone.git", gh.environment)
    with pytest.raises(Unavailable, match=r"could not be pushed: fatal: .*gone\.git"):
        bare.push(world.change({"a.txt": b"a"}), BRANCH)


def test_an_address_that_names_a_program_starts_none(world: World, gh: Gh, tmp_path: Path) -> None:
    address = f"ext::touch {tmp_path}/ran"
    forge = BareForge(world.vault, world.user.path, address, gh.environment)
    with pytest.raises(Unavailable, match="transport 'ext' not allowed"):
        forge.push(world.change({"a.txt": b"a"}), BRANCH)
    assert not (tmp_path / "ran").exists()
    world.user.git("-c", "protocol.ext.allow=always", "push", address, "main", ok=False)
    assert (tmp_path / "ran").exists(), "the program would have been started"


def test_what_the_environment_says_of_another_repository_has_no_effect(world: World, remote: Repo, gh: Gh) -> None:
    strange = {"GIT_DIR": "/nonexistent", "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "push.default"}
    forge = BareForge(world.vault, world.user.path, str(remote.path), {**gh.environment, **strange})
    forge.push(commit := world.change({"a.txt": b"a"}), BRANCH)
    assert tip(remote) == commit


def test_a_key_in_an_address_is_not_repeated(world: World, gh: Gh) -> None:
    # Port 9 of this machine: nobody listens there.
    forge = BareForge(world.vault, world.user.path, "http://me:s3cret@127.0.0.1:9/x.git", gh.environment)
    with pytest.raises(Unavailable, match="could not be pushed") as caught:
        forge.push(world.change({"a.txt": b"a"}), BRANCH)
    assert "s3cret" not in str(caught.value) + caught.value.hint
