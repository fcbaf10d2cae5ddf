"""A clone an agent controls cannot make us run, read or believe anything. covers: T1, T3, R-GIT

Each attack is shown to work on plain git first (the control), against decoys made here.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from autopilot.adapters.git.transport import Load, carry_checked
from tests.contract.git.world import Repo, World, make_repo

pytestmark = pytest.mark.one_in(4)

# covers: T3.vault

KEEP = "refs/autopilot/taken"


@dataclass(frozen=True)
class Scene:
    world: World
    clone: Repo
    fired: Path  # made by the planted program
    program: Path
    secret: Repo  # a repository the agent must not read through us


@pytest.fixture
def scene(world: World, tmp_path: Path) -> Scene:
    world.vault.adopt(world.user.head)
    clone = Repo(world.workspaces.clone("agent", world.user.head))
    clone.write("work.txt", "work")
    clone.write("src/app.py", "print('two')\n")
    clone.commit("agent's work")
    fired = tmp_path / "fired"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\n: >{fired}\n")
    program.chmod(0o755)
    secret = make_repo(tmp_path / "secret", {"secret.txt": "the secret\n"})
    return Scene(world, clone, fired, program, secret)


Act = Callable[[Scene], object]


def configure(*pairs: str) -> Act:
    """Write settings; PROGRAM stands for the planted program."""

    def act(scene: Scene) -> None:
        for pair in pairs:
            key, _, value = pair.partition("=")
            scene.clone.git("config", key, value.replace("PROGRAM", str(scene.program)))

    return act


def git(*arguments: str) -> Act:
    return lambda scene: scene.clone.git(*(word.replace("PROGRAM", str(scene.program)) for word in arguments), ok=False)


def both(*acts: Act) -> Act:
    return lambda scene: [act(scene) for act in acts]


def hook(name: str, folder: str = ".git/hooks") -> Act:
    def act(scene: Scene) -> None:
        path = scene.clone.path / folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(scene.program)

    return act


def attributes(line: str) -> Act:
    return lambda scene: scene.clone.write(".git/info/attributes", line)


def touch(scene: Scene) -> None:
    scene.clone.write("src/app.py", "print('three')\n")


def include(scene: Scene) -> None:
    scene.clone.write(".git/more", f"[core]\n\tfsmonitor = {scene.program}\n")
    scene.clone.git("config", "include.path", "more")


def worktree_config(scene: Scene) -> None:
    scene.clone.git("config", "extensions.worktreeConfig", "true")
    scene.clone.write(".git/config.worktree", f"[core]\n\tfsmonitor = {scene.program}\n")


def promisor(scene: Scene) -> None:
    """A partial clone that lacks an object fetches it by whatever its remote names."""
    blob = scene.clone.word("rev-parse", "HEAD:work.txt")
    (scene.clone.path / f".git/objects/{blob[:2]}/{blob[2:]}").unlink()
    configure(
        "core.repositoryformatversion=1", "extensions.partialClone=evil", "remote.evil.promisor=true",
        "remote.evil.url=ext::PROGRAM x",
    )(scene)  # fmt: skip


def borrow_refs(scene: Scene) -> None:
    scene.clone.write(".git/objects/info/alternates", f"{scene.secret.path}/.git/objects\n")
    configure("core.alternateRefsCommand=PROGRAM")(scene)


def fetch_from_it(scene: Scene) -> None:
    """Git obeys this setting only in personal configuration; so does this control."""
    settings = scene.program.with_name("gitconfig")
    settings.write_text(f"[uploadpack]\n\tpackObjectsHook = {scene.program}\n")
    where = f"file://{scene.clone.path}"
    scene.secret.git("fetch", "-q", where, "HEAD", ok=False, env={"GIT_CONFIG_GLOBAL": str(settings)})


PROGRAMS: dict[str, tuple[Act, Act]] = {
    "fsmonitor": (configure("core.fsmonitor=PROGRAM"), git("status")),
    "fsmonitor by include": (include, git("status")),
    "fsmonitor by worktree config": (worktree_config, git("status")),
    "hook on commit": (hook("pre-commit"), git("commit", "--allow-empty", "-m", "x")),
    "hook on every ref": (hook("reference-transaction"), git("update-ref", "refs/heads/x", "HEAD")),
    "hook on the index": (hook("post-index-change"), both(touch, git("add", "."))),
    "hook after checkout": (hook("post-checkout"), git("checkout", "-q", "-b", "other")),
    "hooks from elsewhere": (
        both(hook("pre-commit", "evil"), configure("core.hooksPath=evil")),
        git("commit", "--allow-empty", "-m", "x"),
    ),
    "clean filter": (both(attributes("* filter=x"), configure("filter.x.clean=PROGRAM")), both(touch, git("add", "."))),
    "smudge filter": (
        both(attributes("* filter=x"), configure("filter.x.smudge=PROGRAM")),
        git("archive", "--format=tar", "HEAD"),
    ),
    "filter process": (
        both(attributes("* filter=x"), configure("filter.x.process=PROGRAM")),
        both(touch, git("add", ".")),
    ),
    "external diff": (configure("diff.external=PROGRAM"), both(touch, git("diff"))),
    "text conversion": (
        both(attributes("* diff=x"), configure("diff.x.textconv=PROGRAM")),
        both(touch, git("diff")),
    ),
    "signing program": (configure("gpg.program=PROGRAM"), git("commit", "-S", "--allow-empty", "-m", "x")),
    "editor": (configure("core.editor=PROGRAM"), git("commit", "--allow-empty")),
    "lazy fetch": (promisor, git("-c", "protocol.ext.allow=always", "cat-file", "-p", "HEAD:work.txt")),
    "refs of alternates": (borrow_refs, lambda s: s.clone.git("fetch", "-q", str(s.world.user.path), ok=False)),
    "packing hook": (configure("uploadpack.packObjectsHook=PROGRAM"), fetch_from_it),
    "upload program": (
        configure("remote.origin.url=/nowhere", "remote.origin.uploadpack=PROGRAM"),
        git("fetch", "-q", "origin"),
    ),
    "ssh command": (
        configure("core.sshCommand=PROGRAM", "url.ssh://nowhere.invalid/.insteadOf=file://"),
        git("fetch", "-q", "file:///anything"),
    ),
    "credential helper": (configure("credential.helper=!PROGRAM"), lambda s: s.clone.git(
        "credential", "fill", stdin=b"protocol=https\nhost=nowhere.invalid\nusername=u\n\n", ok=False)),
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_no_program_the_clone_names_is_run(scene: Scene, name: str) -> None:
    plant, control = PROGRAMS[name]
    plant(scene)
    taken = scene.world.vault.take(scene.clone.path, KEEP)
    assert not scene.fired.exists()
    assert taken in (scene.clone.word("rev-parse", "HEAD"), None)
    if name not in ("lazy fetch", "refs of alternates"):  # those clones lack or borrow objects
        assert taken is not None
    control(scene)
    assert scene.fired.exists(), "the control did not fire: this attack proves nothing"


# What is not a plain clone of ours is not taken. Each control: plain git believes it.


def git_file(scene: Scene) -> None:
    (scene.clone.path / ".git").rename(scene.clone.path.parent / "moved.git")
    scene.clone.write(".git", f"gitdir: {scene.clone.path.parent}/moved.git\n")


def git_link(scene: Scene) -> None:
    (scene.clone.path / ".git").rename(scene.clone.path.parent / "moved.git")
    (scene.clone.path / ".git").symlink_to(scene.clone.path.parent / "moved.git")


def head_link(scene: Scene) -> None:
    (scene.clone.path / ".git/HEAD").unlink()
    (scene.clone.path / ".git/HEAD").symlink_to("refs/heads/autopilot")


def ref_folder_link(scene: Scene) -> None:
    heads = scene.clone.path / ".git/refs/heads"
    heads.rename(scene.clone.path.parent / "heads")
    heads.symlink_to(scene.clone.path.parent / "heads")


def no_parent(scene: Scene) -> None:
    """The history is cut and a shallow file hides it."""
    scene.clone.git("commit", "-q", "--allow-empty", "-m", "middle")
    middle = scene.clone.word("rev-parse", "HEAD")
    scene.clone.git("commit", "-q", "--allow-empty", "-m", "last")
    (scene.clone.path / f".git/objects/{middle[:2]}/{middle[2:]}").unlink()
    scene.clone.write(".git/shallow", scene.clone.word("rev-parse", "HEAD") + "\n")


def borrowed_tree(scene: Scene) -> None:
    """A commit whose tree only the secret repository has."""
    scene.clone.write(".git/objects/info/alternates", f"{scene.secret.path}/.git/objects\n")
    _commit_of(scene, scene.secret.word("rev-parse", "HEAD^{tree}"))


def linked_objects(scene: Scene) -> None:
    tree = scene.secret.word("rev-parse", "HEAD^{tree}")
    blob = scene.secret.word("rev-parse", "HEAD:secret.txt")
    for one in (tree, blob):
        folder = scene.clone.path / ".git/objects" / one[:2]
        folder.mkdir(exist_ok=True)
        (folder / one[2:]).symlink_to(scene.secret.path / ".git/objects" / one[:2] / one[2:])
    _commit_of(scene, tree)


def linked_pack(scene: Scene) -> None:
    scene.secret.git("repack", "-adq")
    packs = scene.clone.path / ".git/objects/pack"
    for file in (scene.secret.path / ".git/objects/pack").iterdir():
        (packs / file.name).symlink_to(file)
    _commit_of(scene, scene.secret.word("rev-parse", "HEAD^{tree}"))


def _commit_of(scene: Scene, tree: str) -> None:
    commit = scene.clone.word("commit-tree", tree, "-p", "HEAD", "-m", "stolen")
    scene.clone.git("update-ref", "HEAD", commit)


def raw_tree(entries: bytes) -> Act:
    def act(scene: Scene) -> None:
        tree = scene.clone.git("hash-object", "-t", "tree", "--literally", "-w", "--stdin", stdin=entries).decode()
        _commit_of(scene, tree.strip())

    return act


def dot_git_folder(scene: Scene) -> None:
    inner = scene.clone.word("rev-parse", "HEAD^{tree}")
    raw_tree(b"40000 .git\0" + bytes.fromhex(inner))(scene)


def dot_dot_folder(scene: Scene) -> None:
    raw_tree(b"40000 ..\0" + bytes.fromhex(scene.clone.word("rev-parse", "HEAD^{tree}")))(scene)


def slash_in_name(scene: Scene) -> None:
    raw_tree(b"100644 ../../x\0" + bytes.fromhex(scene.clone.word("rev-parse", "HEAD:work.txt")))(scene)


def bad_submodule(scene: Scene) -> None:
    scene.clone.write(".gitmodules", '[submodule "x"]\n\tpath = x\n\turl = -u./payload\n')
    scene.clone.commit("submodule")


def linked_modules(scene: Scene) -> None:
    blob = scene.clone.word("rev-parse", "HEAD:work.txt")
    raw_tree(b"120000 .gitmodules\0" + bytes.fromhex(blob))(scene)


def bad_commit(scene: Scene) -> None:
    text = f"tree {scene.clone.word('rev-parse', 'HEAD^{tree}')}\n\nnobody\n".encode()
    made = scene.clone.git("hash-object", "-t", "commit", "--literally", "-w", "--stdin", stdin=text).decode().strip()
    scene.clone.write(".git/refs/heads/autopilot", made + "\n")


UNTRUE: dict[str, tuple[Act, Act]] = {
    ".git is a file": (git_file, git("rev-parse", "HEAD")),
    ".git is a link": (git_link, git("rev-parse", "HEAD")),
    "HEAD is a link": (head_link, git("rev-parse", "HEAD")),
    "the refs are a link": (ref_folder_link, git("rev-parse", "HEAD")),
    "missing parent behind a shallow file": (no_parent, git("log", "--oneline")),
    "tree from an alternate": (borrowed_tree, git("cat-file", "-p", "HEAD:secret.txt")),
    "objects by links": (linked_objects, git("cat-file", "-p", "HEAD:secret.txt")),
    "pack by links": (linked_pack, git("cat-file", "-p", "HEAD:secret.txt")),
    "a .git folder in the tree": (dot_git_folder, git("cat-file", "-p", "HEAD:.git/work.txt")),
    "a .. folder in the tree": (dot_dot_folder, git("ls-tree", "HEAD")),
    "a slash in a name": (slash_in_name, git("ls-tree", "HEAD")),
    "an option as submodule address": (bad_submodule, git("ls-tree", "HEAD")),
    ".gitmodules as a link": (linked_modules, git("ls-tree", "HEAD")),
    "a commit without author": (bad_commit, git("cat-file", "-p", "HEAD")),
}


@pytest.mark.parametrize("name", UNTRUE)
def test_what_is_not_whole_and_its_own_is_not_taken(scene: Scene, name: str) -> None:
    plant, control = UNTRUE[name]
    plant(scene)
    assert scene.world.vault.take(scene.clone.path, KEEP) is None
    assert scene.world.vault.ref(KEEP) is None
    assert control(scene), "plain git does not believe it either: this attack proves nothing"
    blob = scene.secret.word("rev-parse", "HEAD:secret.txt")
    assert scene.world.vault._objects.read(blob) is None
    Repo(scene.world.vault.path).git("fsck", "--strict", "--no-dangling")


def head_text(text: bytes) -> Act:
    return lambda scene: scene.clone.write(".git/HEAD", text)


def pipe(path: str) -> Act:
    def act(scene: Scene) -> None:
        place = scene.clone.path / path
        place.unlink(missing_ok=True)
        place.parent.mkdir(exist_ok=True)
        os.mkfifo(place)

    return act


def circle(scene: Scene) -> None:
    scene.clone.write(".git/refs/heads/autopilot", "ref: refs/heads/other\n")
    scene.clone.write(".git/refs/heads/other", "ref: refs/heads/autopilot\n")


def other_content(scene: Scene) -> None:
    """An object file that holds something else than its name says."""
    blob, other = (scene.clone.word("rev-parse", f"HEAD:{path}") for path in ("work.txt", "src/app.py"))
    place = scene.clone.path / f".git/objects/{blob[:2]}/{blob[2:]}"
    place.chmod(0o644)
    place.write_bytes((scene.clone.path / f".git/objects/{other[:2]}/{other[2:]}").read_bytes())


def cut_pack(scene: Scene) -> None:
    scene.clone.git("repack", "-adq")
    (pack,) = (scene.clone.path / ".git/objects/pack").glob("*.pack")
    pack.chmod(0o644)
    pack.write_bytes(pack.read_bytes()[:-40])


def removed(scene: Scene) -> None:
    scene.world.workspaces.remove("agent")


def head_is_blob(scene: Scene) -> None:
    head_text(scene.clone.word("rev-parse", "HEAD:work.txt").encode())(scene)


def head_is_old_blob(scene: Scene) -> None:
    head_text(scene.world.user.word("rev-parse", "HEAD:README.md").encode())(scene)


def leave_out_of_git(scene: Scene) -> None:
    secret = scene.clone.path.parent / "outside"
    secret.write_text(scene.clone.word("rev-parse", "HEAD"))
    head_text(b"ref: refs/heads/../../../../outside\n")(scene)


BROKEN: dict[str, Act] = {
    "no clone": removed,
    "empty HEAD": head_text(b""),
    "binary HEAD": head_text(b"\xff" * 100),
    "endless HEAD": head_text(b"a" * 10_000_000),
    "HEAD out of the folder": leave_out_of_git,
    "HEAD on no branch": head_text(b"ref: refs/heads/unborn\n"),
    "HEAD on a hidden branch": head_text(b"ref: refs/heads/.invalid\n"),
    "HEAD at an absolute path": head_text(b"ref: /etc/passwd\n"),
    "HEAD at nothing": head_text(b"1" * 40),
    "HEAD at a blob": head_is_blob,
    "HEAD at a blob of ours": head_is_old_blob,
    "refs in a circle": circle,
    "a pipe as HEAD": pipe(".git/HEAD"),
    "a pipe as branch": pipe(".git/refs/heads/autopilot"),
    "a pipe among the objects": pipe(".git/objects/00/" + "0" * 38),
    "a pipe as pack": pipe(".git/objects/pack/pack-" + "0" * 40 + ".pack"),
    "an object under a wrong name": other_content,
    "a pack cut short": cut_pack,
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_clone_is_no_commit_and_no_crash(scene: Scene, name: str) -> None:
    BROKEN[name](scene)
    assert scene.world.vault.take(scene.clone.path, KEEP) is None
    assert scene.world.vault.ref(KEEP) is None
    Repo(scene.world.vault.path).git("fsck", "--strict", "--no-dangling")


# What plain git would show differently is taken as it is.


def test_a_replaced_commit_is_taken_as_it_is(scene: Scene) -> None:
    honest = scene.clone.word("commit-tree", "HEAD~1^{tree}", "-p", "HEAD~1", "-m", "harmless")
    scene.clone.git("replace", scene.clone.head, honest)
    assert scene.clone.word("log", "-1", "--format=%s") == "harmless"  # the control
    taken = scene.world.vault.take(scene.clone.path, KEEP)
    assert taken == scene.clone.head
    assert scene.world.vault.read(taken, "work.txt") == b"work"


def test_a_forged_ancestry_is_not_believed(scene: Scene) -> None:
    base = scene.world.user.head
    orphan = scene.clone.word("commit-tree", "HEAD^{tree}", "-m", "orphan")
    scene.clone.git("update-ref", "HEAD", orphan)
    scene.clone.write(".git/info/grafts", f"{orphan} {base}\n")
    assert scene.clone.word("merge-base", base, "HEAD") == base  # the control
    taken = scene.world.vault.take(scene.clone.path, KEEP)
    assert taken == orphan
    assert not scene.world.vault.is_ancestor(base, taken)


def test_addresses_rewritten_by_the_clone_lead_nowhere(scene: Scene) -> None:
    configure(f"url.{scene.secret.path}/.insteadOf=file://")(scene)
    assert scene.world.vault.take(scene.clone.path, KEEP) == scene.clone.head


def test_a_forged_commit_graph_is_not_read(scene: Scene) -> None:
    """The graph names another tree for the commit; git trusts it unless told not to."""
    scene.clone.git("commit-graph", "write", "--reachable")
    graph = scene.clone.path / ".git/objects/info/commit-graph"
    graph.chmod(0o644)
    true, other = (scene.clone.word("rev-parse", f"{name}^{{tree}}") for name in ("HEAD", "HEAD~1"))
    graph.write_bytes(graph.read_bytes().replace(bytes.fromhex(true), bytes.fromhex(other)))
    assert scene.clone.git("log", "-1", "--name-only", "--format=").strip() == b""  # the control: nothing changed
    taken = scene.world.vault.take(scene.clone.path, KEEP)
    assert taken is not None and scene.world.vault.read(taken, "work.txt") == b"work"


def test_honest_clones_are_taken_however_the_agent_keeps_them(scene: Scene) -> None:
    for command in (
        ["gc", "-q"], ["pack-refs", "--all"], ["checkout", "-q", "--detach"], ["checkout", "-q", "-b", "feature/x"],
    ):  # fmt: skip
        scene.clone.git(*command)
        scene.clone.write("more.txt", " ".join(command))
        made = scene.clone.commit(" ".join(command))
        assert scene.world.vault.take(scene.clone.path, KEEP) == made == scene.world.vault.ref(KEEP)


def test_uncommitted_work_does_not_count(scene: Scene) -> None:
    scene.clone.write("late.txt", "late")
    scene.clone.git("add", "late.txt")
    taken = scene.world.vault.take(scene.clone.path, KEEP)
    assert taken == scene.clone.head
    assert scene.world.vault.read(taken, "late.txt") is None


def test_a_clone_that_did_nothing_is_taken_at_its_base(world: World) -> None:
    world.vault.adopt(world.user.head)
    assert world.vault.take(world.workspaces.clone("idle", world.user.head), KEEP) == world.user.head


def test_taking_works_from_a_path_full_of_signs(world: World, tmp_path: Path) -> None:
    world.vault.adopt(world.user.head)
    clone = Repo(world.workspaces.clone("agent", world.user.head))
    clone.write("x", "x")
    made = clone.commit()
    odd = tmp_path / 'a:b "c"\\d\ne;f'
    clone.path.rename(odd)
    assert world.vault.take(odd, KEEP) == made


def test_a_flood_of_bytes_is_refused(scene: Scene) -> None:
    """Tried on a limit lowered for the test: the real one is a gigabyte."""
    scene.clone.write("big", os.urandom(2_000_000))
    load = Load(scene.clone.commit())
    objects = scene.clone.path / ".git/objects"
    assert not carry_checked(load, objects, scene.world.vault.git, limit=1_000_000)
    assert carry_checked(load, objects, scene.world.vault.git, limit=3_000_000)


def test_what_was_refused_once_is_refused_again(scene: Scene) -> None:
    """Nothing of a refused clone stays behind to be taken for known the second time."""
    bad_submodule(scene)
    before = sorted(scene.world.vault.path.rglob("*"))
    assert scene.world.vault.take(scene.clone.path, KEEP) is None
    assert sorted(scene.world.vault.path.rglob("*")) == before
    assert scene.world.vault.take(scene.clone.path, KEEP) is None


@pytest.mark.parametrize("variable", ["GIT_DIR", "GIT_OBJECT_DIRECTORY", "GIT_INDEX_FILE", "GIT_CONFIG_GLOBAL"])
def test_our_own_environment_does_not_lead_git_astray(
    scene: Scene, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "/nonexistent/x")
    assert scene.world.vault.take(scene.clone.path, KEEP) is not None


def test_plain_git_is_fooled_by_the_same_environment(scene: Scene) -> None:
    env = {"PATH": os.environ["PATH"], "GIT_DIR": "/nonexistent/x"}
    done = subprocess.run(["git", "status"], cwd=scene.clone.path, env=env, capture_output=True, timeout=60)
    assert done.returncode != 0


def test_branches_of_a_clone_are_named_by_plain_files_alone(scene: Scene, tmp_path: Path) -> None:
    """Nothing is followed, nothing waited for, and of very many only the first are read."""
    heads, other, head = scene.clone.path / ".git" / "refs" / "heads", "1" * 40, scene.clone.head
    (heads / "feature").mkdir()
    (heads / "feature" / "sums").write_text(f"{other}\n")
    (heads / "same").write_text(f"{head}\n")
    (heads / "no-commit").write_text("ref: refs/heads/feature/sums\n")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "theirs").write_text(f"{other}\n")
    (heads / "linked").symlink_to(outside)
    os.mkfifo(heads / "pipe")
    assert scene.world.vault.branches_of(scene.clone.path, head) == ("feature/sums",)
    for number in range(300):
        (heads / f"n{number}").write_text(f"{other}\n")
    assert len(scene.world.vault.branches_of(scene.clone.path, head)) <= 100
    heads.rename(heads.with_name("away"))
    heads.symlink_to(outside)
    assert scene.world.vault.branches_of(scene.clone.path, head) == ()
