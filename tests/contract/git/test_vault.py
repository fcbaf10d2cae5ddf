"""The vault keeps the promises of its port. covers: T3, T4"""

from __future__ import annotations

import os
import stat
import subprocess
import threading
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.adapters.git.command import Git
from autopilot.adapters.git.objects import Objects
from autopilot.adapters.git.trees import Entry, parse_tree, render_tree
from autopilot.adapters.git.vault import GitVault
from autopilot.model.errors import Unavailable
from autopilot.model.git import Change
from autopilot.ports.git import Author, Vault
from tests.contract.git.world import AT, AUTHOR, AWKWARD, Repo, World, make_repo, make_world

# covers: T3.vault


def test_it_is_a_vault(world: World) -> None:
    vault: Vault = world.vault
    assert vault.has("0" * 40) is False


def test_it_is_made_bare_for_us_alone_and_found_again(world: World, user: Repo) -> None:
    path = world.vault.path
    assert stat.S_IMODE(path.stat().st_mode) == 0o700
    assert Repo(path).word("rev-parse", "--is-bare-repository") == "true"
    world.vault.anchor("head", "12 abc")
    assert GitVault(path, user.path).anchored("head") == "12 abc"
    assert not list(path.rglob("*.sample"))


def test_adopting_brings_a_commit_with_its_history(world: World, user: Repo) -> None:
    first = user.head
    user.write("new.txt", "x")
    second = user.commit("second")
    world.vault.adopt(second)
    assert world.vault.is_ancestor(first, second)
    assert not world.vault.is_ancestor(second, first)
    Repo(world.vault.path).git("fsck", "--strict")


def test_a_tree_that_was_read_before_is_as_it_was_whatever_its_reader_did_with_it(world: World, user: Repo) -> None:
    world.vault.adopt(user.head)
    objects = Objects(Git(world.vault.path))
    tree = user.word("rev-parse", "HEAD^{tree}")
    first = objects.tree(tree)
    kept = dict(first)
    first.clear()
    objects.close()
    assert kept and objects.tree(tree) == kept == objects.tree(f"{user.head}^{{tree}}")
    with pytest.raises(Unavailable, match="there is no tree"):
        objects.tree("0" * 40)
    objects.close()


def test_the_tree_of_a_commit_is_asked_once_and_that_of_a_ref_each_time(world: World, user: Repo) -> None:
    first = user.head
    user.write("new.txt", "x")
    second = user.commit("second")
    world.vault.adopt(second)
    objects = Objects(Git(world.vault.path))
    trees = [user.word("rev-parse", f"{commit}^{{tree}}") for commit in (first, second)]
    for commit, tree in zip((first, second), trees, strict=True):
        world.vault.set_ref("refs/autopilot/tip", commit)
        assert objects.root_id("refs/autopilot/tip") == objects.root_id(commit) == objects.root_id(tree) == tree
    assert objects.root_id("0" * 40) is None
    objects.close()
    world.vault.close()
    world.vault.path.rename(world.vault.path.with_name("gone"))
    assert [objects.root_id(commit) for commit in (first, second)] == trees


def test_adopting_twice_and_adopting_more_carries_only_what_is_new(world: World, user: Repo) -> None:
    world.vault.adopt(user.head)
    objects = len(list(world.vault.path.glob("objects/??/*")))
    world.vault.adopt(user.head)
    assert len(list(world.vault.path.glob("objects/??/*"))) == objects
    user.write("new.txt", "x")
    world.vault.adopt(user.commit())
    assert len(list(world.vault.path.glob("objects/??/*"))) == objects + 3  # commit, tree, blob


def test_a_commit_nobody_has_cannot_be_adopted(world: World) -> None:
    with pytest.raises(Unavailable, match="pack-objects"):
        world.vault.adopt("1" * 40)


def test_a_shallow_repository_is_adopted_with_its_edge_and_its_clones_work(tmp_path: Path, user: Repo) -> None:
    user.commit("second")
    subprocess.run(
        ["git", "clone", "-q", "--depth", "1", f"file://{user.path}", str(tmp_path / "shallow")], check=True, timeout=60
    )
    world = make_world(tmp_path / "s", Repo(tmp_path / "shallow"))
    new = world.change({"README.md": b"changed\n"})
    clone = Repo(world.workspaces.clone("one", new))
    assert clone.word("rev-list", "--count", "HEAD") == "2"
    clone.git("fsck")
    assert world.checkout.land(world.user.head, new).because == ""
    assert world.user.head == new
    world.user.git("fsck")


def test_replaced_and_grafted_history_is_adopted_as_it_is(world: World, user: Repo) -> None:
    first = user.head
    user.write("README.md", "true\n")
    second = user.commit()
    other = user.word("commit-tree", f"{first}^{{tree}}", "-m", "other")
    user.git("replace", second, other)
    user.write(".git/info/grafts", f"{second}\n")
    assert user.git("show", f"{second}:README.md") == b"hello\n"  # the control
    world.vault.adopt(second)
    assert world.vault.read(second, "README.md") == b"true\n"
    assert world.vault.is_ancestor(first, second)


def test_the_same_commit_made_twice_is_one_commit(world: World, user: Repo) -> None:
    world.vault.adopt(user.head)
    tree = world.vault.tree_of(user.head)
    one = world.vault.commit(tree, [user.head], "subject\n\nbody", AT, AUTHOR)
    same_instant = AT.astimezone(timezone(timedelta(hours=9)))
    assert world.vault.commit(tree, [user.head], "subject\n\nbody\n", same_instant, AUTHOR) == one
    assert world.vault.commit(tree, [user.head], "subject\n\nbody", AT + timedelta(seconds=1), AUTHOR) != one
    shown = Repo(world.vault.path).word("show", "-s", "--format=%an|%ae|%cn|%ce|%at|%ct|%P|%B", one)
    seconds = int(AT.timestamp())
    expected = f"Ada|ada@example.org|Autopilot|autopilot@localhost|{seconds}|{seconds}|{user.head}|subject\n\nbody"
    assert shown == expected


@pytest.mark.parametrize("name", ["", "<evil> \n committer x <y>", "Zoë", "\0", "...", "a" * 5000])
def test_any_author_makes_a_valid_commit(world: World, user: Repo, name: str) -> None:
    world.vault.adopt(user.head)
    made = world.vault.commit(world.vault.tree_of(user.head), [], "m", AT, Author(name, name))
    Repo(world.vault.path).git("fsck", "--strict", made)
    assert Repo(world.vault.path).word("show", "-s", "--format=%cn", made) == "Autopilot"


def test_a_naive_time_is_taken_as_utc(world: World, user: Repo) -> None:
    world.vault.adopt(user.head)
    tree = world.vault.tree_of(user.head)
    naive = world.vault.commit(tree, [], "m", datetime(2024, 1, 1), AUTHOR)  # noqa: DTZ001
    assert naive == world.vault.commit(tree, [], "m", datetime(2024, 1, 1, tzinfo=UTC), AUTHOR)


def test_a_commit_without_its_tree_or_parent_is_refused(world: World, user: Repo) -> None:
    world.vault.adopt(user.head)
    with pytest.raises(Unavailable):
        world.vault.commit("1" * 40, [], "m", AT, AUTHOR)
    with pytest.raises(Unavailable):
        world.vault.commit(world.vault.tree_of(user.head), ["1" * 40], "m", AT, AUTHOR)


def test_editing_a_tree_writes_removes_and_keeps_modes(world: World, user: Repo) -> None:
    (user.path / "tool").write_text("#!/bin/sh\n")
    (user.path / "tool").chmod(0o755)
    (user.path / "link").symlink_to("README.md")
    base = user.commit()
    world.vault.adopt(base)
    edits = {
        "tool": b"changed", "new.sh": b"echo", "deep/er/new.txt": b"n", "run.sh": b"kept 644", "link": b"now a file",
        "src/app.py": None, "src/lib.py": None, "not/there": None,
    }  # fmt: skip
    tree = world.vault.edit_tree(base, edits)
    listed = Repo(world.vault.path).word("ls-tree", "-r", "--format=%(objectmode) %(path)", tree).splitlines()
    assert listed == [
        "100644 README.md", "100644 deep/er/new.txt", "100644 link", "100755 new.sh", "100644 run.sh", "100755 tool",
    ]  # fmt: skip
    assert world.vault.read(tree, "tool") == b"changed"


def test_editing_gives_the_tree_git_itself_would_write(world: World, user: Repo) -> None:
    names = {name: name.encode() for name in (*AWKWARD, "a", "a.b", "a-b/x", "a0/x", "b/x", "b.x")}
    world.vault.adopt(user.head)
    edited = world.vault.edit_tree(user.head, names)
    for name, content in names.items():
        user.write(name, content)
    assert edited == user.word("rev-parse", f"{user.commit()}^{{tree}}")
    assert world.vault.edit_tree(edited, dict.fromkeys(names)) == world.vault.tree_of(
        world.vault.ref(f"refs/autopilot/adopted/{user.word('rev-parse', 'HEAD^')}") or ""
    )


def test_a_folder_can_become_a_file_and_a_file_a_folder(world: World, user: Repo) -> None:
    world.vault.adopt(user.head)
    tree = world.vault.edit_tree(user.head, {"src": b"a file now", "README.md/part": b"a folder now"})
    assert world.vault.list(tree) == ("README.md/part", "run.sh", "src")


def test_removing_everything_leaves_the_empty_tree(world: World, user: Repo) -> None:
    world.vault.adopt(user.head)
    everything = dict.fromkeys(world.vault.list(user.head))
    assert world.vault.edit_tree(user.head, everything) == "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


@pytest.mark.parametrize("path", ["../out", "a/../b", "/abs", ".git/config", "a/.GIT/x", "", "a//b", "./a"])
def test_no_edit_reaches_outside_the_tree(world: World, user: Repo, path: str) -> None:
    world.vault.adopt(user.head)
    with pytest.raises(AssertionError):
        world.vault.edit_tree(user.head, {path: b"x"})


def test_leaving_out_a_prefix_leaves_the_rest_identical(world: World, user: Repo) -> None:
    user.write(".planning/ROADMAP.md", "one")
    user.write(".planning-not/x", "stays")
    first = user.commit()
    user.write(".planning/ROADMAP.md", "two")
    user.write(".planning/phases/01/PLAN.md", "plan")
    second = user.commit()
    world.vault.adopt(second)
    assert world.vault.tree_of(first) != world.vault.tree_of(second)
    without = world.vault.tree_without(first, ".planning/")
    assert without == world.vault.tree_without(second, ".planning")
    assert ".planning-not/x" in world.vault.list(without)
    assert not world.vault.list(without, ".planning/")


def test_reading_gives_files_only(world: World, user: Repo) -> None:
    (user.path / "link").symlink_to("/etc/passwd")
    for name in AWKWARD:
        user.write(name, name)
    commit = user.commit()
    world.vault.adopt(commit)
    assert world.vault.read(commit, "src/app.py") == b"print('one')\n"
    assert [world.vault.read(commit, name) for name in AWKWARD] == [name.encode() for name in AWKWARD]
    for absent in ("src", "link", "nope", "src/app.py/x", "", "../x", "src/../README.md", "."):
        assert world.vault.read(commit, absent) is None


def test_listing_names_every_file_below_a_prefix(world: World, user: Repo) -> None:
    for name in AWKWARD:
        user.write(name, "x")
    commit = user.commit()
    world.vault.adopt(commit)
    assert set(world.vault.list(commit)) == {*AWKWARD, "README.md", "run.sh", "src/app.py", "src/lib.py"}
    assert world.vault.list(commit, "src") == ("src/app.py", "src/lib.py") == world.vault.list(commit, "src/")
    assert world.vault.list(commit, "ünï") == ("ünï/cödé.txt",)
    assert world.vault.list(commit, "nope") == ()


def test_changes_show_a_rename_as_delete_and_add(world: World, user: Repo) -> None:
    old = user.head
    user.git("mv", "README.md", 'new "name".md')
    (user.path / "src/app.py").unlink()
    (user.path / "src/app.py").symlink_to("lib.py")
    (user.path / "run.sh").chmod(0o755)
    new = user.commit()
    world.vault.adopt(new)
    assert set(world.vault.changes(old, new)) == {
        Change("README.md", "D", "100644", "000000"),
        Change('new "name".md', "A", "000000", "100644"),
        Change("src/app.py", "T", "100644", "120000"),
        Change("run.sh", "M", "100644", "100755"),
    }
    assert world.vault.changes(new, new) == ()


SIDES: dict[str, list[tuple[str, str]]] = {
    "nothing": [],
    "a file": [("100644", "x")],
    "a file where a folder is": [("100644", "a")],
    "files in folders": [("100644", "a/b/c"), ("100755", "a/b-c"), ("100644", "a/b.c"), ("100644", "a0")],
    "a program, a link and a submodule": [("100755", "x"), ("120000", "a/b/c"), ("160000", "a/b.c")],
    "a folder where a file is": [("100644", "x/y/z")],
    "a link where a submodule is": [("120000", "a/b.c"), ("100644", "a/b/c")],
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("old", SIDES)
@pytest.mark.parametrize("new", SIDES)
def test_changes_and_lists_are_what_git_itself_would_say(world: World, user: Repo, old: str, new: str) -> None:
    vault = Repo(world.vault.path)
    world.vault.adopt(user.head)
    before, after = (_tree(vault, side, user.head) for side in (SIDES[old], SIDES[new]))
    printed = vault.git("diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", before, after)
    fields = [field.decode() for field in printed.split(b"\0") if field]
    heads = [head.lstrip(":").split(" ") for head in fields[::2]]
    changes = [Change(path, head[4], head[0], head[1]) for head, path in zip(heads, fields[1::2], strict=True)]
    assert list(world.vault.changes(before, after)) == changes
    files = [line.split("\t")[1] for line in vault.word("ls-tree", "-r", after).splitlines() if " blob " in line]
    assert list(world.vault.list(after)) == files
    for prefix in ("a", "a/b", "x"):
        below = [path for path in files if path == prefix or path.startswith(f"{prefix}/")]
        assert list(world.vault.list(after, prefix)) == below


def _tree(repo: Repo, files: list[tuple[str, str]], commit: str) -> str:
    blob = repo.word("hash-object", "-w", "--stdin")
    index = {"GIT_INDEX_FILE": str(repo.path / "made.index")}
    (repo.path / "made.index").unlink(missing_ok=True)
    lines = "".join(f"{mode} {commit if mode == '160000' else blob}\t{path}\n" for mode, path in files)
    repo.git("update-index", "--index-info", stdin=lines.encode(), env=index)
    return repo.git("write-tree", env=index).decode().strip()


def test_many_changes_and_deep_folders_are_told_like_few(world: World, user: Repo) -> None:
    world.vault.adopt(user.head)
    many = world.change({f"folder-{number % 7}/{number}.txt": b"x" for number in range(2100)})
    tree = world.vault.tree_of(user.head)
    for _ in range(1500):  # deeper than Python's own stack
        tree = world.vault._objects.store_plain("tree", b"40000 d\0" + bytes.fromhex(tree))
    assert len(world.vault.changes(user.head, many)) == 2100
    assert len(world.vault.list(many)) == 2104
    assert len(world.vault.list(many, "folder-3/")) == 300
    assert sorted(change.status for change in world.vault.changes(user.head, tree)) == ["A"] * 4 + ["D"] * 4
    assert world.vault.list(tree)[-1].startswith("d/d/d/")


def test_what_is_left_out_of_a_count_is_not_counted(world: World, user: Repo) -> None:
    world.vault.adopt(user.head)
    new = world.change({".planning/PLAN.md": b"plan\n", ".planning-x": b"x\n", "[a]/f": b"1\n2\n", "a/f": b"1\n"})
    assert world.vault.diff_stat(user.head, new, ".planning") == "3 files changed, 4 insertions(+)"
    assert world.vault.diff_stat(user.head, new, "[a]") == "3 files changed, 3 insertions(+)"
    only = world.change({".planning/PLAN.md": b"plan\n"})
    assert world.vault.diff_stat(user.head, only, ".planning") == ""


def test_a_name_that_is_not_text_is_shown_escaped(world: World, user: Repo) -> None:
    user.write(os.fsdecode(b"bad\xff.txt"), "x")
    old, new = user.head, user.commit()
    world.vault.adopt(new)
    assert "bad\\xff.txt" in [change.path for change in world.vault.changes(old, new)]


def test_a_patch_is_cut_at_its_limit_and_says_so(world: World, user: Repo) -> None:
    old = user.head
    user.write("big.txt", "line\n" * 100_000)
    new = user.commit()
    world.vault.adopt(new)
    text = world.vault.patch(old, new, limit=1000)
    assert text.startswith("diff --git a/big.txt b/big.txt") and text.endswith("… cut after 1000 bytes …\n")
    assert len(world.vault.patch(old, new, limit=10_000_000)) > 500_000


def test_a_patch_hides_nothing_behind_attributes(world: World, user: Repo) -> None:
    old = user.head
    user.write(".gitattributes", "* -diff\n")
    user.write("src/app.py", "print('two')\n")
    new = user.commit()
    world.vault.adopt(new)
    assert b"+print('two')" not in user.git("diff", old, new)  # plain git is told to hide it
    assert "+print('two')" in world.vault.patch(old, new)


def test_comparing_what_is_not_there_is_unavailable(world: World) -> None:
    for ask in (world.vault.changes, world.vault.patch, world.vault.is_ancestor):
        with pytest.raises(Unavailable):
            ask("1" * 40, "2" * 40)
    with pytest.raises(Unavailable):
        world.vault.tree_of("1" * 40)


def test_a_ref_moves_only_from_where_it_was_left(world: World, user: Repo) -> None:
    world.vault.adopt(user.head)
    other = world.change({"x": b"x"})
    world.vault.set_ref("refs/autopilot/run/1", user.head, "0" * 40)
    with pytest.raises(Unavailable):
        world.vault.set_ref("refs/autopilot/run/1", other, "0" * 40)
    with pytest.raises(Unavailable):
        world.vault.set_ref("refs/autopilot/run/1", other, other)
    assert world.vault.ref("refs/autopilot/run/1") == user.head
    world.vault.set_ref("refs/autopilot/run/1", other, user.head)
    world.vault.set_ref("refs/autopilot/run/10", other)
    assert world.vault.ref("refs/autopilot/run/1") == other
    assert world.vault.refs("refs/autopilot/run/") == {"refs/autopilot/run/1": other, "refs/autopilot/run/10": other}
    assert world.vault.ref("refs/autopilot/run/2") is None


def test_an_anchor_holds_its_last_text(world: World) -> None:
    assert world.vault.anchored("head") is None
    world.vault.anchor("head", "1 aaa")
    world.vault.anchor("head", "2 bbb ü")
    assert world.vault.anchored("head") == "2 bbb ü"


def test_threads_may_read_and_write_together(world: World, user: Repo) -> None:
    world.vault.adopt(user.head)
    made: dict[int, str] = {}

    def work(number: int) -> None:
        for round_ in range(5):
            content = f"{number} {round_}".encode() * 1000
            made[number] = world.vault.edit_tree(user.head, {"f": content})
            assert world.vault.read(made[number], "f") == content

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(made.values())) == 4


def test_a_reader_that_was_killed_is_started_again(world: World, user: Repo) -> None:
    world.vault.adopt(user.head)
    for process in (world.vault._objects._process, world.vault._refs._process):
        assert process._child is not None
        process._child.kill()
        process._child.wait()
    assert world.vault.read(user.head, "README.md") == b"hello\n"
    world.vault.set_ref("refs/autopilot/run/1", user.head)
    assert world.vault.ref("refs/autopilot/run/1") == user.head


def test_a_ref_that_is_refused_says_why_and_the_next_one_moves(world: World, user: Repo) -> None:
    world.vault.adopt(user.head)
    for name, new, because in (
        ("refs/autopilot/run/..", user.head, "invalid ref format"),
        ("refs/autopilot/run/1", "1" * 40, "nonexistent object"),
    ):
        with pytest.raises(Unavailable, match=because):
            world.vault.set_ref(name, new)
    world.vault.set_ref("refs/autopilot/run/1", user.head)
    assert world.vault.refs("refs/autopilot/run/") == {"refs/autopilot/run/1": user.head}


def test_refs_are_read_however_they_are_kept(world: World, user: Repo) -> None:
    world.vault.adopt(user.head)
    other = world.change({"x": b"x"})
    for name, commit in (("a/1", user.head), ("a/2", user.head), ("b", other)):
        world.vault.set_ref(f"refs/autopilot/run/{name}", commit)
    Repo(world.vault.path).git("pack-refs", "--all")
    world.vault.set_ref("refs/autopilot/run/a/2", other)
    (world.vault.path / "refs/autopilot/run/b.lock").write_text("")
    listed = (
        Repo(world.vault.path).git("for-each-ref", "--format=%(refname) %(objectname)", "refs/autopilot/run").decode()
    )
    assert world.vault.refs("refs/autopilot/run/") == dict(line.split(" ") for line in listed.splitlines())
    assert world.vault.refs("refs/autopilot/run/a/") == {
        "refs/autopilot/run/a/1": user.head,
        "refs/autopilot/run/a/2": other,
    }


def test_what_is_stored_without_a_process_is_whole_and_stored_once(world: World, user: Repo) -> None:
    world.vault.adopt(user.head)
    for _ in range(2):
        world.vault.anchor("head", "12 abc")
        made = world.vault.commit(world.vault.tree_of(user.head), [user.head], "made", AT, AUTHOR)
    vault = Repo(world.vault.path)
    assert vault.git("fsck", "--strict", "--no-dangling") == b""
    assert vault.word("cat-file", "-p", made).splitlines()[1] == f"parent {user.head}"
    kept = world.vault.path / "objects" / made[:2]
    names = [file.name for file in kept.iterdir()]  # another object's id may begin with the same two digits
    assert made[2:] in names and {len(name) for name in names} == {38}, "no half-written file is left"
    assert stat.S_IMODE((kept / made[2:]).stat().st_mode) == 0o444


def test_a_full_history_survives_more_objects_than_are_kept_loose(tmp_path: Path) -> None:
    user = make_repo(tmp_path / "many", {f"f{number}": str(number) for number in range(300)})
    world = make_world(tmp_path / "w", user)
    world.vault.adopt(user.head)
    assert len(list(world.vault.path.glob("objects/pack/*.pack"))) == 1
    assert len(world.vault.list(user.head)) == 300


names = st.binary(min_size=1, max_size=8).filter(lambda name: b"/" not in name and b"\0" not in name)
entries = st.builds(Entry, st.sampled_from([0o100644, 0o100755, 0o120000, 0o40000]), st.just("ab" * 20))


@given(st.dictionaries(names, entries, max_size=8))
def test_a_tree_read_back_is_the_tree_written(tree: dict[bytes, Entry]) -> None:
    assert parse_tree(render_tree(tree)) == tree


# covers: T3.vault
MODES = {"120777": 0o120000, "120001": 0o120000, "40755": 0o40000, "160001": 0o160000, "10000": 0o160000, "0": 0o160000}


@pytest.mark.parametrize(("written", "read"), MODES.items())
def test_a_mode_is_read_as_git_reads_it(world: World, written: str, read: int) -> None:
    """An agent writes trees by hand. What is a link to git must be one to the gate."""
    blob = world.vault.git.run("hash-object", "-w", "--stdin", stdin=b"x").decode().strip()
    content = f"{written} name\0".encode() + bytes.fromhex(blob)
    assert parse_tree(content) == {b"name": Entry(read, blob)}
    tree = world.vault.git.run("hash-object", "-w", "-t", "tree", "--literally", "--stdin", stdin=content).decode()
    assert world.vault.git.run("ls-tree", tree.strip()).startswith(b"%06o" % read)


def test_the_mode_of_a_file_is_kept_as_it_is() -> None:
    content = b"100664 name\0" + bytes(20)
    assert render_tree(parse_tree(content)) == content


def test_a_name_that_is_not_utf8_is_known_to_be_shown_escaped(world: World) -> None:
    blob = world.vault.git.run("hash-object", "-w", "--stdin", stdin=b"x").decode().strip()
    listing = b"".join(b"100644 blob %b\t%b\0" % (blob.encode(), name) for name in (b"a\xff", b"a\\xff"))
    tree = world.vault.git.run("mktree", "-z", stdin=listing).decode().strip()
    empty = world.vault.git.run("mktree", stdin=b"").decode().strip()
    assert sorted((change.path, change.is_exact) for change in world.vault.changes(empty, tree)) == [
        ("a\\xff", False),
        ("a\\xff", True),
    ]


def test_of_a_few_folders_that_hold_each_other_only_so_many_changes_are_listed(world: World) -> None:
    run = world.vault.git.run
    item, kind = run("hash-object", "-w", "--stdin", stdin=b"x").decode().strip(), "100644 blob"
    for _ in range(7):
        item = run("mktree", stdin="".join(f"{kind} {item}\t{n}\n" for n in range(10)).encode()).decode().strip()
        kind = "040000 tree"
    empty = run("mktree", stdin=b"").decode().strip()
    assert len(world.vault.changes(empty, item, most=3_000)) == 3_000
