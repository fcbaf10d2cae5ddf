"""Two commits are merged in the vault: what cannot be joined without choosing is a conflict, and nothing is run.

covers: T3
"""

from __future__ import annotations

from pathlib import Path

import pytest

from autopilot.model.errors import Unavailable
from autopilot.model.git import LogEntry, Merge
from tests.contract.git.world import AT, AUTHOR, AWKWARD, Repo, World, make_repo, make_world

# covers: T3.vault

LINES = "".join(f"line {number}\n" for number in range(30)).encode()
MODULE = "".join(f"def f{number}(): return {number}\n" for number in range(12)).encode()
PICTURE = b"\x89PNG\0" + bytes(range(256))
Edits = dict[str, bytes | None]


def line(number: int, text: str) -> bytes:
    return LINES.replace(f"line {number}\n".encode(), f"{text}\n".encode())


@pytest.fixture
def base(world: World) -> str:
    files: Edits = {
        "text.txt": LINES,
        "gone.txt": b"here\n" * 8,
        "picture": PICTURE,
        "lib/one.py": MODULE,
        "lib/two.py": MODULE.replace(b"f", b"g"),
        ".planning/STATE.md": LINES,
    }
    return world.change(files)


def merged(world: World, base: str, ours: Edits, theirs: Edits) -> Merge:
    return world.vault.merge(world.change(ours, base), world.change(theirs, base))


def with_link(world: World, base: str, commit: str) -> str:
    """A commit in which ``module`` is a submodule at ``commit``."""
    repo = Repo(world.vault.path)
    index = {"GIT_INDEX_FILE": str(world.vault.path / "scratch.index")}
    repo.git("read-tree", base, env=index)
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{commit},module", env=index)
    tree = repo.git("write-tree", env=index).decode().strip()
    return world.vault.commit(tree, [base], "link", AT, AUTHOR)


def test_changes_in_different_places_are_joined(world: World, base: str) -> None:
    result = merged(
        world,
        base,
        {"text.txt": line(2, "ours"), "new/a.txt": b"a\n", "gone.txt": None},
        {"text.txt": line(27, "theirs"), "new/b.txt": b"b\n"},
    )
    assert (result.clean, result.conflicts, result.reasons, result.refused) == (True, (), (), "")
    content = line(2, "ours").replace(b"line 27\n", b"theirs\n")
    assert world.vault.tree_of(result.tree) == world.vault.edit_tree(
        base, {"text.txt": content, "new/a.txt": b"a\n", "new/b.txt": b"b\n", "gone.txt": None}
    )


def test_the_same_change_on_both_sides_is_no_conflict(world: World, base: str) -> None:
    same: Edits = {"text.txt": line(5, "same"), "gone.txt": None, "new": b"n\n"}
    result = merged(world, base, same, dict(same))
    assert result == Merge(world.vault.edit_tree(base, same))


def test_a_commit_merged_with_its_own_past_is_itself(world: World, base: str) -> None:
    later = world.change({"text.txt": line(1, "later")}, base)
    assert world.vault.merge(later, base) == world.vault.merge(base, later) == Merge(world.vault.tree_of(later))


CONFLICTS: dict[str, tuple[Edits, Edits, tuple[str, ...]]] = {
    "the same line": ({"text.txt": line(3, "ours")}, {"text.txt": line(3, "theirs")}, ("text.txt",)),
    "both add": ({"new.txt": b"ours\n"}, {"new.txt": b"theirs\n"}, ("new.txt",)),
    "modified and deleted": ({"gone.txt": None}, {"gone.txt": b"changed\n"}, ("gone.txt",)),
    "deleted and modified": ({"gone.txt": b"changed\n"}, {"gone.txt": None}, ("gone.txt",)),
    "a binary file": ({"picture": PICTURE + b"1"}, {"picture": PICTURE + b"2"}, ("picture",)),
    "a binary file both add": ({"icon": PICTURE + b"1"}, {"icon": PICTURE + b"2"}, ("icon",)),
    "renamed in two ways": (
        {"text.txt": None, "ours.txt": LINES},
        {"text.txt": None, "theirs.txt": LINES},
        ("ours.txt", "text.txt", "theirs.txt"),
    ),
    "renamed and deleted": ({"text.txt": None, "ours.txt": LINES}, {"text.txt": None}, ("ours.txt", "text.txt")),
    "two files renamed to one": (
        {"lib/one.py": None, "lib/same.py": MODULE},
        {"lib/two.py": None, "lib/same.py": MODULE.replace(b"f", b"g")},
        ("lib/same.py",),
    ),
    "a document of the plan": (
        {".planning/STATE.md": line(9, "part 1")},
        {".planning/STATE.md": line(9, "part 2")},
        (".planning/STATE.md",),
    ),
    "a file added to a folder that was renamed": (
        {"lib/one.py": None, "lib/two.py": None, "src/one.py": MODULE, "src/two.py": MODULE.replace(b"f", b"g")},
        {"lib/three.py": b"THREE = 3\n"},
        ("lib/three.py", "src/three.py"),
    ),
    "a file added to a folder that was renamed in two ways": (
        {"lib/one.py": None, "lib/two.py": None, "a/one.py": MODULE, "b/two.py": MODULE.replace(b"f", b"g")},
        {"lib/three.py": b"THREE = 3\n"},
        ("lib",),
    ),
}


@pytest.mark.parametrize("kind", CONFLICTS)
def test_what_cannot_be_joined_is_reported_from_either_side(world: World, base: str, kind: str) -> None:
    ours, theirs, paths = CONFLICTS[kind]
    for first, second in ((ours, theirs), (theirs, ours)):
        result = merged(world, base, first, second)
        assert (result.conflicts, result.clean, result.refused) == (paths, False, "")
        assert result.reasons and all(reason.startswith(("CONFLICT", "warning:")) for reason in result.reasons)
        assert world.vault.list(result.tree)


def test_conflicted_text_stands_between_markers_and_the_rest_is_joined(world: World, base: str) -> None:
    ours = world.change({"text.txt": line(3, "ours"), "a": b"a\n"}, base)
    theirs = world.change({"text.txt": line(3, "theirs"), "b": b"b\n"}, base)
    result = world.vault.merge(ours, theirs)
    content = world.vault.read(result.tree, "text.txt") or b""
    assert f"<<<<<<< {ours}\nours\n=======\ntheirs\n>>>>>>> {theirs}\n".encode() in content
    assert world.vault.read(result.tree, "a") == b"a\n" and world.vault.read(result.tree, "b") == b"b\n"


def test_a_file_in_the_way_of_a_folder_is_a_conflict(world: World, base: str) -> None:
    for ours, theirs in (({"new": b"file\n"}, {"new/inner": b"x\n"}), ({"new/inner": b"x\n"}, {"new": b"file\n"})):
        result = merged(world, base, ours, theirs)  # type: ignore[arg-type]
        assert "new" in result.conflicts
        moved = next(path for path in result.conflicts if path.startswith("new~"))
        assert world.vault.read(result.tree, moved) == b"file\n"
        assert world.vault.read(result.tree, "new/inner") == b"x\n"


def test_a_link_against_a_file_is_a_conflict(world: World, user: Repo) -> None:
    (user.path / "thing").symlink_to("README.md")
    ours = user.commit("a link")
    user.git("reset", "-q", "--hard", "HEAD^")
    user.write("thing", "a file\n")
    theirs = user.commit("a file")
    for commit in (ours, theirs):
        world.vault.adopt(commit)
    result = world.vault.merge(ours, theirs)
    assert [path.partition("~")[0] for path in result.conflicts] == ["thing"] * len(result.conflicts)
    assert not result.clean and result.conflicts


def test_submodules_at_different_commits_are_a_conflict_and_nothing_is_looked_up(world: World, base: str) -> None:
    linked = with_link(world, base, "1" * 40)
    result = world.vault.merge(with_link(world, linked, "2" * 40), with_link(world, linked, "3" * 40))
    assert result.conflicts == ("module",)
    assert world.vault.merge(with_link(world, base, "2" * 40), with_link(world, base, "3" * 40)).conflicts == (
        "module",
    )


def test_a_rename_on_one_side_carries_the_change_of_the_other(world: World, base: str) -> None:
    result = merged(world, base, {"text.txt": None, "moved.txt": LINES}, {"text.txt": line(3, "theirs")})
    assert result == Merge(world.vault.edit_tree(base, {"text.txt": None, "moved.txt": line(3, "theirs")}))


EVIL = [
    b"* merge=evil\n",
    b"* merge=union\n",
    b"* merge=ours\n",
    b"* merge=binary -text\n",
    b"[attr]binary merge=evil filter=evil diff=evil\n* binary\n",
    b"* conflict-marker-size=0\n",
]


@pytest.mark.parametrize("attributes", EVIL)
def test_attributes_of_the_trees_run_nothing_and_hide_no_conflict(
    world: World, base: str, tmp_path: Path, attributes: bytes
) -> None:
    trap, sprung = tmp_path / "trap.sh", tmp_path / "sprung"
    trap.write_text(f"#!/bin/sh\n: >{sprung}\n")
    trap.chmod(0o755)
    for name in ("merge.evil.driver", "filter.evil.clean", "filter.evil.smudge", "diff.evil.command"):
        world.user.git("config", name, f"{trap} %A")  # the user's own; the vault does not read it
    base = world.change({".gitattributes": attributes, "lib/.gitattributes": attributes}, base)
    result = merged(
        world,
        base,
        {"text.txt": line(3, "ours"), "lib/one.py": MODULE + b"# ours\n", "run.sh": b"echo ours\n"},
        {"text.txt": line(3, "theirs"), "lib/one.py": b"# theirs\n" + MODULE, "run.sh": b"echo theirs\n"},
    )
    assert result.conflicts == ("run.sh", "text.txt")
    assert b"<<<<<<< " in (world.vault.read(result.tree, "text.txt") or b"")
    assert world.vault.read(result.tree, "lib/one.py") == b"# theirs\n" + MODULE + b"# ours\n"
    assert not sprung.exists()


def test_files_a_tree_could_only_place_in_a_repository_have_no_say(world: World, base: str, tmp_path: Path) -> None:
    """A tree cannot hold ``.git``; what lies nearest is a file of that content elsewhere."""
    config = b'[merge "evil"]\n\tdriver = touch sprung\n[merge]\n\tdefault = evil\n'
    result = merged(
        world,
        base,
        {"config": config, ".gitconfig": config, "text.txt": line(3, "ours")},
        {"text.txt": line(3, "theirs"), ".gitattributes": b"* merge=evil\n", "info/attributes": b"* merge=evil\n"},
    )
    assert result.conflicts == ("text.txt",)
    assert not list(tmp_path.rglob("sprung"))


def test_the_same_commits_give_the_same_answer_whatever_happened_between(world: World, base: str) -> None:
    ours, theirs = world.change({"text.txt": line(3, "o")}, base), world.change({"text.txt": line(3, "t")}, base)
    first = world.vault.merge(ours, theirs)
    resolved = world.vault.edit_tree(first.tree, {"text.txt": line(3, "both")})
    world.vault.set_ref("refs/autopilot/merged", world.vault.commit(resolved, [ours, theirs], "merge", AT, AUTHOR))
    assert world.vault.merge(ours, theirs) == first
    assert not (world.vault.path / "rr-cache").exists()


SETTINGS = """
[merge]
    renames = false
    conflictStyle = diff3
    default = evil
[merge "evil"]
    driver = touch sprung
[diff]
    renames = false
[rerere]
    enabled = true
"""


def test_no_configuration_decides_how_a_merge_goes(
    world: World, base: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours: Edits = {"text.txt": None, "moved.txt": LINES, "gone.txt": b"ours\n"}
    theirs: Edits = {"text.txt": line(3, "theirs"), "gone.txt": b"theirs\n"}
    before = merged(world, base, ours, theirs)
    for file in (tmp_path / ".gitconfig", world.vault.path / "config"):
        with file.open("a") as config:
            config.write(SETTINGS)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert merged(world, base, ours, theirs) == before
    assert before.conflicts == ("gone.txt",)
    assert not list(tmp_path.rglob("sprung"))


def test_histories_that_crossed_are_merged(world: World, base: str) -> None:
    vault = world.vault
    left, right = world.change({"a": b"1\n"}, base), world.change({"b": b"1\n"}, base)
    both = vault.merge(left, right).tree
    left_again = vault.commit(both, [left, right], "left", AT, AUTHOR)
    right_again = vault.commit(both, [right, left], "right", AT, AUTHOR)
    result = vault.merge(world.change({"a": b"2\n"}, left_again), world.change({"b": b"2\n"}, right_again))
    assert result == Merge(vault.edit_tree(both, {"a": b"2\n", "b": b"2\n"}))
    conflict = vault.merge(world.change({"a": b"2\n"}, left_again), world.change({"a": b"3\n"}, right_again))
    assert conflict.conflicts == ("a",)


def test_histories_that_crossed_with_a_conflict_between_them_are_merged(world: World, base: str) -> None:
    vault = world.vault
    left, right = world.change({"a": b"left\n"}, base), world.change({"a": b"right\n"}, base)
    mine = vault.commit(vault.edit_tree(left, {"a": b"left\n"}), [left, right], "mine", AT, AUTHOR)
    yours = vault.commit(vault.edit_tree(right, {"a": b"right\n"}), [right, left], "yours", AT, AUTHOR)
    assert vault.merge(mine, yours).conflicts == ("a",)


def test_unrelated_histories_are_refused_not_joined(world: World, base: str) -> None:
    alone = world.vault.commit(world.vault.tree_of(base), [], "alone", AT, AUTHOR)
    result = world.vault.merge(base, alone)
    assert (result.tree, result.clean) == ("", False)
    assert "no history in common" in result.refused


@pytest.mark.parametrize("missing", ["1" * 40, "--help", "", "refs/heads/none", "HEAD"])
def test_what_is_no_commit_of_the_vault_cannot_be_merged(world: World, base: str, missing: str) -> None:
    for pair in ((base, missing), (missing, base)):
        with pytest.raises(Unavailable, match="there is no commit"):
            world.vault.merge(*pair)


def test_paths_come_as_they_are(world: World, base: str) -> None:
    ours = world.change(dict.fromkeys(AWKWARD, b"ours\n"), base)
    theirs = world.change(dict.fromkeys(AWKWARD, b"theirs\n"), base)
    assert world.vault.merge(ours, theirs).conflicts == tuple(sorted(AWKWARD))


def test_a_history_cut_off_below_both_is_no_hindrance(tmp_path: Path) -> None:
    user = make_repo(tmp_path / "project", {"a.txt": "one\n"})
    base = user.commit("second")
    (user.path / ".git" / "shallow").write_text(f"{base}\n")
    world = make_world(tmp_path, user)
    result = world.vault.merge(world.change({"b": b"b\n"}), world.change({"c": b"c\n"}))
    assert result.clean and world.vault.list(result.tree) == ("a.txt", "b", "c")
    world.vault.close()


def test_a_merged_tree_is_whole(world: World, base: str) -> None:
    result = merged(world, base, {"deep/er/a": b"a\n"}, {"deep/er/b": b"b\n"})
    world.vault.set_ref("refs/autopilot/merged", world.vault.commit(result.tree, [base], "merge", AT, AUTHOR))
    Repo(world.vault.path).git("fsck", "--strict")


def test_the_log_tells_the_commits_along_first_parents_oldest_first(world: World, base: str) -> None:
    vault = world.vault
    one = vault.commit(vault.edit_tree(base, {"a": b"1\n"}), [base], "first: a\nsecond line\n\nbody", AT, AUTHOR)
    side = vault.commit(vault.edit_tree(base, {"b": b"1\n"}), [base], "aside", AT, AUTHOR)
    two = vault.commit(vault.merge(one, side).tree, [one, side], "ünï \x1b[31mtwo " + "x" * 300, AT, AUTHOR)
    entries = vault.log(base, two)
    assert [entry.sha for entry in entries] == [one, two]
    assert entries[0] == LogEntry(one, "first: a second line", vault.tree_of(one))
    assert entries[1].subject.startswith("ünï ") and len(entries[1].subject) == 200
    assert vault.log(two, two) == vault.log(two, one) == ()


def test_an_empty_subject_is_an_entry_too(world: World, base: str) -> None:
    silent = world.vault.commit(world.vault.tree_of(base), [base], "", AT, AUTHOR)
    assert world.vault.log(base, silent) == (LogEntry(silent, "", world.vault.tree_of(base)),)


def test_of_a_long_history_the_newest_are_told(world: World, base: str) -> None:
    words = "".join(
        f"commit refs/heads/long\ncommitter A <a@b> {1_700_000_000 + number} +0000\ndata <<E\nc{number}\nE\n"
        + (f"from {base}\n" if number == 0 else "")
        for number in range(520)
    )
    Repo(world.vault.path).git("fast-import", "--quiet", stdin=words.encode())
    tip = world.vault.ref("refs/heads/long")
    assert tip is not None
    entries = world.vault.log(base, tip)
    assert [entry.subject for entry in entries] == [f"c{number}" for number in range(20, 520)]


def test_how_much_changed_is_told_in_gits_words(world: World, base: str) -> None:
    later = world.change({"text.txt": line(3, "x") + b"more\n", "gone.txt": None, "picture": PICTURE + b"1"}, base)
    assert world.vault.diff_stat(base, later) == "3 files changed, 2 insertions(+), 9 deletions(-)"
    assert world.vault.diff_stat(base, world.change({"n": b"n\n"}, base)) == "1 file changed, 1 insertion(+)"
    assert world.vault.diff_stat(base, base) == world.vault.diff_stat(base, world.vault.tree_of(base)) == ""
