"""The kept map: a text is parsed once, an update comes to the same map as a new one, no file breaks it."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from autopilot.adapters.beneath import read_beneath
from autopilot.adapters.git.isolation import isolated_git
from autopilot.adapters.repomap.maps import SqliteMaps
from autopilot.model.errors import UsageError
from autopilot.model.repomap.facts import Problem
from tests.contract.git.world import Repo, make_repo
from tests.seed import chance

FILES = {
    "app/main.py": "from app.store import save\n\ndef main():\n    save(1)\n",
    "app/store.py": "def save(x): ...\n",
    "web/index.ts": "export const a = () => 1\n",
    "README.md": "# Sample\n",
    "node_modules/x/index.js": "function hidden() {}\n",
}
IS_LONG = bool(os.environ.get("AUTOPILOT_CHAOS"))


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return make_repo(tmp_path / "project", FILES)


@pytest.fixture
def maps(tmp_path: Path, repo: Repo) -> Iterator[SqliteMaps]:
    made = open_maps(tmp_path / "map.db", repo)
    yield made
    made.close()


def open_maps(path: Path, repo: Repo, processes: int = 1) -> SqliteMaps:
    return SqliteMaps(path, isolated_git(repo.path, path.parent / "scratch"), repo.path, processes)


def names(maps: SqliteMaps, tree: str = "") -> dict[str, list[str]]:
    return {path: [item.name for item in facts.functions] for path, facts in maps.load(tree).files.items()}


def test_a_repository_is_mapped(maps: SqliteMaps) -> None:
    """covers: REPOMAP, CMD-REPOMAP"""
    expected = {"README.md": [], "app/main.py": ["main"], "app/store.py": ["save"], "web/index.ts": ["a"]}
    assert names(maps) == expected
    assert maps.refresh().parsed == 0


def test_a_text_is_parsed_once_whatever_its_path_and_branch(maps: SqliteMaps, repo: Repo) -> None:
    assert maps.refresh().parsed == 3
    repo.git("mv", "app/store.py", "app/other.py")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit()
    moved = maps.refresh()
    assert (moved.parsed, moved.removed, moved.changed) == (0, 1, 1)
    assert "app/store.py" in names(maps, "side~1") and maps.refresh(repo.head).parsed == 0


def test_the_working_tree_counts_with_what_is_not_committed(maps: SqliteMaps, repo: Repo) -> None:
    maps.refresh()
    repo.write("app/new.py", "def fresh(): ...\n")
    repo.write("app/store.py", "def stored(x): ...\n")
    (repo.path / "app/main.py").unlink()
    repo.write(".gitignore", "ignored.py\n")
    repo.write("ignored.py", "def ignored(): ...\n")
    seen = names(maps)
    assert seen["app/new.py"] == ["fresh"] and seen["app/store.py"] == ["stored"]
    assert "app/main.py" not in seen and "ignored.py" not in seen
    assert names(maps, repo.head)["app/store.py"] == ["save"]


def test_no_file_breaks_the_map(maps: SqliteMaps, repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "outside.py").write_text("def secret(): ...\n", encoding="utf-8")
    (repo.path / "link.py").symlink_to(tmp_path / "outside.py")
    (repo.path / "folder").symlink_to(tmp_path)
    os.mkfifo(repo.path / "pipe.py")
    repo.write("binary.py", b"\0\1\2")
    repo.write("huge.py", b"x = 1\n" * 200_000)
    repo.write("wrong.py", b"def caf\xe9(): ...\n")
    repo.write("broken.ts", "class { {{{ (((\n")
    repo.write("jquery.min.js", "x()\n")
    files = maps.load().files
    assert not [path for path in files if path in ("link.py", "pipe.py") or path.startswith("folder")]
    problems = {path: facts.problems for path, facts in files.items() if facts.problems}
    assert problems.pop("wrong.py")[0] is Problem.NOT_UTF8
    assert problems == {
        "binary.py": (Problem.BINARY,),
        "huge.py": (Problem.TOO_LARGE,),
        "broken.ts": (Problem.SYNTAX,),
        "jquery.min.js": (Problem.MINIFIED,),
    }
    repo.git("add", "-A", "--", ":!pipe.py")
    committed = maps.load(repo.word("write-tree")).files
    assert committed["huge.py"].problems == (Problem.TOO_LARGE,) and "link.py" not in committed


def test_a_text_that_crashes_the_parser_costs_itself_alone(
    maps: SqliteMaps, repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A grammar that aborts stands in for a text that does: no process but its own may end. covers: REPOMAP"""
    modules = tmp_path / "modules"
    modules.mkdir()
    (modules / "tree_sitter_lua.py").write_text("import os\nos.abort()\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(modules))
    for name in ("a.lua", "z.lua"):
        repo.write(name, f"function {name[0]}() end\n")
    files = maps.load().files
    assert {path for path, facts in files.items() if facts.problems == (Problem.CRASHED,)} == {"a.lua", "z.lua"}
    assert [item.name for item in files["app/store.py"].functions] == ["save"]
    repo.write("app/store.py", "def kept(): ...\n")
    assert maps.refresh().parsed == 1


NESTED = {
    "a.js": ("function a(){\n", "}"),
    "b.ts": ("namespace a{\n", "}"),
    "c.java": ("class a{\n", "}"),
    "d.rb": ("class A\n", "end\n"),
    "e.rs": ("mod a{\n", "}"),
}


def test_definitions_inside_of_each_other_a_hundred_thousand_deep_are_mapped_as_far_as_they_are_told_apart(
    maps: SqliteMaps, repo: Repo
) -> None:
    """They filled the memory with their names, and kept the native library busy for ever. covers: REPOMAP, T5"""
    for name, (begin, end) in NESTED.items():
        levels = 900_000 // len(begin + end)
        repo.write(name, begin * levels + end * levels)
    files = maps.load().files
    assert {name: files[name].problems for name in NESTED} == dict.fromkeys(NESTED, ())
    owners = [item.owner for name in NESTED for item in (*files[name].functions, *files[name].classes)]
    assert len(owners) > 400 and max(map(len, owners)) < 1_000


def test_a_name_in_the_index_that_leads_out_of_the_repository_is_not_mapped(maps: SqliteMaps, repo: Repo) -> None:
    """Git refuses to make such an index, and reads one that somebody else made. covers: REPOMAP, T1"""
    outside = repo.path.parent / "outside.py"
    outside.write_text('def outside(token="decoy"): ...\n', encoding="utf-8")
    repo.write("00/outside.py", "def tracked(): ...\n")
    repo.commit()
    index = repo.path / ".git/index"
    content = index.read_bytes()[:-20].replace(b"00/outside.py", b"../outside.py")
    index.write_bytes(content + hashlib.sha1(content).digest())
    assert b"../outside.py" in repo.git("ls-files", "-m"), "the control: git takes the file outside for an edited one"
    assert "../outside.py" not in names(maps)
    assert read_beneath(repo.path, "../outside.py", 100) is None
    assert names(maps)["app/store.py"] == ["save"]


def test_a_repository_of_longer_ids_is_mapped(tmp_path: Path) -> None:
    """SHA-256, committed, edited and not tracked yet. covers: REPOMAP"""
    repo = Repo(tmp_path / "long")
    repo.path.mkdir()
    repo.git("init", "-q", "--object-format=sha256")
    repo.write("a.py", "def a(): ...\n")
    repo.write("b.py", "def b(): ...\n")
    repo.commit()
    maps = open_maps(tmp_path / "long.db", repo)
    assert names(maps) == names(maps, repo.head) == {"a.py": ["a"], "b.py": ["b"]}
    repo.write("b.py", "def other(): ...\n")
    repo.write("c.py", "def c(): ...\n")
    assert names(maps) == {"a.py": ["a"], "b.py": ["other"], "c.py": ["c"]}
    repo.commit()
    assert maps.refresh(repo.head).parsed == 0
    maps.close()


def test_a_map_that_is_too_large_to_be_linked_holds_what_files_define(maps: SqliteMaps) -> None:
    whole, outline = maps.load().files, maps.load(most_linked=3).files
    assert maps.load(most_linked=4).files == whole and whole["app/main.py"].calls
    for path, facts in outline.items():
        defined = (whole[path].language, whole[path].exports, whole[path].functions, whole[path].classes)
        assert (facts.language, facts.exports, facts.functions, facts.classes) == defined
        assert facts.imports == facts.calls == ()


def test_a_damaged_map_is_made_again(tmp_path: Path, repo: Repo) -> None:
    place = tmp_path / "map.db"
    place.write_bytes(b"no database at all, but long enough to be looked at" * 100)
    maps = open_maps(place, repo)
    assert maps.refresh().parsed == 3
    maps.close()


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE kept SET value = x'ff00'",
        "UPDATE kept SET value = x'c1' WHERE name = 'last'",
        "UPDATE kept SET value = 5",
        "UPDATE facts SET facts = x'c1'",
        "UPDATE facts SET facts = 'text'",
    ],
)
def test_rows_that_were_altered_are_made_again(tmp_path: Path, repo: Repo, damage: str) -> None:
    """They ended every command of the map and every run as a bug of Autopilot. covers: REPOMAP"""
    path = tmp_path / "map.db"
    with closing(open_maps(path, repo)) as maps:
        whole = names(maps)
    with closing(sqlite3.connect(path)) as database, database:
        assert database.execute(damage).rowcount > 0
    with closing(open_maps(path, repo)) as maps:
        maps.last()
        assert names(maps) == whole
        assert maps.refresh().files == len(whole)


def test_an_unknown_commit_is_the_users_mistake(maps: SqliteMaps) -> None:
    with pytest.raises(UsageError, match="no commit of this repository"):
        maps.refresh("nowhere")


def test_several_processes_come_to_the_same_map(tmp_path: Path, repo: Repo) -> None:
    for number in range(150):
        repo.write(f"many/m{number}.py", f"def f{number}():\n    f{number - 1}()\n")
    alone, together = open_maps(tmp_path / "one.db", repo), open_maps(tmp_path / "two.db", repo, 2)
    assert together.refresh().parsed == alone.refresh().parsed == 153
    assert together.load().files == alone.load().files
    alone.close()
    together.close()


def test_an_update_comes_to_the_map_that_is_made_anew(tmp_path: Path, repo: Repo) -> None:
    """Random edits, additions, deletions and renames; 1,000 with AUTOPILOT_CHAOS. covers: REPOMAP"""
    random = chance("edits of a repository")
    kept = open_maps(tmp_path / "kept.db", repo)
    for number in range(1_000 if IS_LONG else 25):
        for _ in range(random.randint(1, 4)):
            _edit(repo.path, random)
        if random.random() < 0.3:
            repo.commit()
        anew = open_maps(tmp_path / f"anew{number}.db", repo)
        assert kept.load().files == anew.load().files
        anew.close()
        for left in tmp_path.glob(f"anew{number}.db*"):
            left.unlink()
    kept.close()


def _edit(root: Path, random: Random) -> None:
    files = sorted(path for folder in ("app", "web") for path in (root / folder).rglob("*") if path.is_file())
    new = root / random.choice(("app", "web")) / f"n{random.randrange(12)}{random.choice(('.py', '.ts', '.txt'))}"
    text = (
        f"def f{random.randrange(20)}(): g()\n"
        if new.suffix == ".py"
        else f"export function f{random.randrange(20)}() {{}}\n"
    )
    action = random.choice(("add", "edit", "delete", "rename"))
    new.parent.mkdir(exist_ok=True)
    if action == "add" or not files:
        new.write_text(text, encoding="utf-8")
    elif action == "edit":
        with random.choice(files).open("a", encoding="utf-8") as file:
            file.write(text)
    elif action == "delete":
        random.choice(files).unlink()
    else:
        random.choice(files).rename(new)
