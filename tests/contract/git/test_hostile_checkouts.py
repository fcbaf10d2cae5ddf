"""A checkout that an attacker prepared cannot make us run a program on the host. covers: T1, T3, R-GIT

Each attack is shown to work on plain git afterwards (the control), against decoys made here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.contract.git.hostile import Act, Scene, both, git, make_scene, make_template, terminal, touch, use
from tests.contract.git.world import Repo, make_repo

pytestmark = pytest.mark.one_in(4)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_template(tmp_path_factory.mktemp("hostile"))


@pytest.fixture
def scene(template: Path, tmp_path: Path) -> Scene:
    return make_scene(template, tmp_path)


ADD = both(touch, git("add", "notes.md"))
WATCHER = "[core]\n\tfsmonitor = PROGRAM\n"
CLEAN = '[filter "x"]\n\tclean = PROGRAM\n'
# What runs a program, and what makes plain git run it.
PAYLOADS: dict[str, tuple[str | bytes, Act]] = {
    "watcher": (WATCHER, git("status")),
    "clean filter": (CLEAN, ADD),
    "smudge filter": ('[filter "x"]\n\tsmudge = PROGRAM\n', git("checkout", "HEAD~1", "--", "notes.md")),
    "filter process": ('[filter "x"]\n\tprocess = PROGRAM\n\trequired = true\n', ADD),
    "folder of hooks": ("[core]\n\thooksPath = HOOKS\n", git("update-ref", "refs/heads/x", "HEAD")),
    "external diff": ("[diff]\n\texternal = PROGRAM\n", both(touch, git("diff"))),
}

Place = Callable[[Scene, bytes], None]


def _plain(scene: Scene, section: bytes) -> None:
    scene.configure(section)


def _included(how: str, where: str = "more") -> Place:
    """``how``: the section that names the file."""

    def place(scene: Scene, section: bytes) -> None:
        (scene.user.path / ".git" / where).write_bytes(section)
        scene.configure(how)

    return place


def _included_twice(scene: Scene, section: bytes) -> None:
    (scene.folder / "deepest").write_bytes(section)
    _included("[include]\n\tpath = more\n")(scene, scene.text("[include]\n\tpath = FOLDER/deepest\n"))


def _worktree(name: str) -> Place:
    def place(scene: Scene, section: bytes) -> None:
        scene.configure(f"[{name}]\n\tworktreeConfig\n")
        (scene.user.path / ".git/config.worktree").write_bytes(section)

    return place


def _worktree_included(scene: Scene, section: bytes) -> None:
    (scene.folder / "deepest").write_bytes(section)
    _worktree("extensions")(scene, scene.text("[include]\n\tpath = FOLDER/deepest\n"))


def _linked(scene: Scene, section: bytes) -> None:
    config = scene.user.path / ".git/config"
    config.rename(scene.folder / "config")
    config.symlink_to(scene.folder / "config")
    scene.configure(section)


def _spelled_oddly(scene: Scene, section: bytes) -> None:
    """Upper case, no line breaks where none are needed, a value over two lines, a mark at the beginning."""
    config = scene.user.path / ".git/config"
    head, _, rest = section.partition(b"]\n\t")
    name, space, subsection = head.removeprefix(b"[").partition(b" ")
    rest = rest.replace(b" = ", b"\t=\\\n ").replace(b"\n\t", b"\n")
    odd = b"[" + name.upper() + space + subsection + b"]" + rest
    config.write_bytes(b"\xef\xbb\xbf" + config.read_bytes() + odd)


PLACES: dict[str, Place] = {
    "the configuration": _plain,
    "an odd spelling": _spelled_oddly,
    "a configuration that is a link": _linked,
    "an included file": _included("[include]\n\tpath = more\n"),
    "an included file elsewhere": _included("[include]\n\tpath = FOLDER/project/.git/more\n"),
    "an included file of the work tree": _included("[include]\n\tpath = ../more\n", "../more"),
    "a file included twice over": _included_twice,
    "a file included for a folder": _included('[includeIf "gitdir:**/project/.git"]\n\tpath = more\n'),
    "a file included for a folder in any case": _included('[includeIf "gitdir/i:**/PROJECT/**"]\n\tpath = more\n'),
    "a file included for a branch": _included('[includeIf "onbranch:ma*"]\n\tpath = more\n'),
    "a file included for a remote": _included(
        '[remote "o"]\n\turl = https://h.invalid/\n[includeIf "hasconfig:remote.*.url:https://**"]\n\tpath = more\n'
    ),
    "the worktree's configuration": _worktree("extensions"),
    "the worktree's configuration in another case": _worktree("EXTENSIONS"),
    "a file the worktree's configuration includes": _worktree_included,
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("payload", PAYLOADS)
def test_no_program_runs_wherever_the_checkout_configures_it(scene: Scene, place: str, payload: str) -> None:
    section, control = PAYLOADS[payload]
    PLACES[place](scene, scene.text(section))
    assert use(scene) == []
    assert not scene.fired.exists()
    control(scene)
    assert scene.fired.exists(), "the control did not fire: this attack proves nothing"


def attributes(line: str | bytes, where: str = ".git/info/attributes") -> Act:
    return lambda scene: scene.user.write(where, scene.text(line))


def configure(section: str | bytes) -> Act:
    return lambda scene: scene.configure(section)


def hook(name: str) -> Act:
    return lambda scene: (scene.user.path / ".git/hooks" / name).symlink_to(scene.program)


def nested(section: str) -> Act:
    """A repository below the checkout, staged as a submodule, with a configuration of its own."""

    def plant(scene: Scene) -> None:
        inner = make_repo(scene.user.path / "inner", {".gitattributes": "* filter=x\n", "x.md": "x\n"})
        scene.user.git("update-index", "--add", "--cacheinfo", f"160000,{inner.head},inner")
        with (inner.path / ".git/config").open("ab") as file:
            file.write(scene.text(section))
        inner.write("x.md", "y\n")

    return plant


def nested_untracked(scene: Scene) -> None:
    nested(CLEAN)(scene)
    scene.user.git("rm", "-q", "-f", "--cached", "inner")


def missing_object(section: str) -> Act:
    """A partial clone that lacks an object fetches it by whatever its remote names."""

    def plant(scene: Scene) -> None:
        blob = scene.user.word("rev-parse", "HEAD~1:notes.md")
        (scene.user.path / f".git/objects/{blob[:2]}/{blob[2:]}").unlink()
        scene.configure('[extensions]\n\tpartialClone = evil\n[remote "evil"]\n\tpromisor = true\n')
        scene.configure("[core]\n\trepositoryformatversion = 1\n" + section)

    return plant


def signed(scene: Scene) -> None:
    """A commit with a signature, which plain git verifies by the program the configuration names."""
    tree, parent = scene.user.word("rev-parse", "HEAD^{tree}", "HEAD").split()
    person = "A <a@example.org> 1700000000 +0000"
    signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----"
    text = f"tree {tree}\nparent {parent}\nauthor {person}\ncommitter {person}\n{signature}\n\nsigned\n"
    commit = scene.user.git("hash-object", "-t", "commit", "-w", "--stdin", stdin=text.encode()).decode().strip()
    scene.user.git("update-ref", "refs/heads/main", commit)


def borrow(scene: Scene) -> None:
    scene.user.write(".git/objects/info/alternates", f"{scene.victim.path}/.git/objects\n")


def helper(scene: Scene) -> None:
    (scene.folder / "git-remote-evil").symlink_to(scene.program)


FETCH = git("fetch", "-q", "evil")
SHOW = git("cat-file", "-p", "HEAD~1:notes.md")
CREDENTIAL = git("credential", "fill", stdin=b"protocol=https\nhost=h.invalid\n\n")
SINGLE: dict[str, tuple[Act, Act]] = {
    "filter whose name is not UTF-8": (
        both(attributes(b"*.md filter=\xff\xfe\n"), configure(b'[filter "\xff\xfe"]\n\tclean = PROGRAM\n')), ADD),
    "filter with a dot and a quote in its name": (
        both(attributes('*.md filter=a.b"c\n'), configure('[filter "a.b\\"c"]\n\tclean = PROGRAM\n')), ADD),
    "filter beside one whose name ends with a space": (
        configure('[filter "x "]\n\tclean = cat\n[filter "x"]\n\tclean = PROGRAM\n'),
        ADD),
    "filter named by attributes of the work tree": (
        both(attributes("*.py filter=y\n", "src/.gitattributes"), configure('[filter "y"]\n\tclean = PROGRAM\n')),
        both(lambda s: s.user.write("src/lib.py", "LIB = 2\n"), git("add", "src/lib.py"))),
    "filter named by attributes of the configuration": (
        both(attributes("*.py filter=y\n", ".git/attr"),
             configure('[core]\n\tattributesFile = FOLDER/project/.git/attr\n[filter "y"]\n\tclean = PROGRAM\n')),
        both(lambda s: s.user.write("src/lib.py", "LIB = 2\n"), git("add", "src/lib.py"))),
    "watcher of version 1": (configure(WATCHER + "\tfsmonitorHookVersion = 1\n"), git("status")),
    "watcher by a relative path": (
        both(lambda s: s.user.write("watch", s.program.read_bytes()).chmod(0o755),
             configure("[core]\n\tfsmonitor = ./watch\n")),
        git("status")),
    "hook on every ref": (hook("reference-transaction"), git("update-ref", "refs/heads/x", "HEAD")),
    "hook on the index": (hook("post-index-change"), ADD),
    "hook after checkout": (hook("post-checkout"), git("checkout", "-q", "-b", "new")),
    "hook on commit": (hook("pre-commit"), git("commit", "--allow-empty", "-m", "x")),
    "text conversion": (configure('[diff "x"]\n\ttextconv = PROGRAM\n'), both(touch, git("diff"))),
    "diff command": (configure('[diff "x"]\n\tcommand = PROGRAM\n'), both(touch, git("diff"))),
    "merge driver": (configure('[merge "x"]\n\tdriver = PROGRAM\n'), git("merge", "other")),
    "default merge driver": (
        both(attributes("*.md !merge\n"), configure('[merge]\n\tdefault = y\n[merge "y"]\n\tdriver = PROGRAM\n')),
        git("merge", "other")),
    "pager": (configure("[core]\n\tpager = PROGRAM\n"), terminal("log")),
    "pager of a command": (configure("[pager]\n\tstatus = PROGRAM\n"), terminal("status")),
    "editor": (configure("[core]\n\teditor = PROGRAM\n"), git("commit", "--allow-empty")),
    "editor of sequences": (configure("[sequence]\n\teditor = PROGRAM\n"), git("rebase", "-i", "HEAD~1")),
    "alias": (configure("[alias]\n\tst = !PROGRAM\n"), git("st")),
    "signing program": (
        configure("[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = PROGRAM\n"),
        git("commit", "--allow-empty", "-m", "x")),
    "program that verifies signatures": (
        both(signed, configure("[log]\n\tshowSignature = true\n[gpg]\n\tprogram = PROGRAM\n")), git("log")),
    "program of ssh signatures": (
        configure('[commit]\n\tgpgSign = true\n[gpg]\n\tformat = ssh\n[gpg "ssh"]\n\tdefaultKeyCommand = PROGRAM\n'),
        git("commit", "--allow-empty", "-m", "x")),
    "credential helper": (configure("[credential]\n\thelper = !PROGRAM\n"), CREDENTIAL),
    "program that asks for passwords": (configure("[core]\n\taskPass = PROGRAM\n"), CREDENTIAL),
    "ssh command": (
        configure('[core]\n\tsshCommand = PROGRAM\n[remote "evil"]\n\turl = ssh://h.invalid/x\n'), FETCH),
    "proxy command": (
        configure('[core]\n\tgitProxy = PROGRAM\n[remote "evil"]\n\turl = git://h.invalid/x\n'), FETCH),
    "upload program": (configure('[remote "evil"]\n\turl = /nowhere\n\tuploadpack = PROGRAM\n'), FETCH),
    "receive program": (
        configure('[remote "evil"]\n\turl = /nowhere\n\treceivepack = PROGRAM\n'), git("push", "-q", "evil", "main")),
    "remote helper": (
        both(helper, configure('[remote "evil"]\n\turl = x\n\tvcs = evil\n')),
        git("fetch", "-q", "evil", env={"PATH": "FOLDER:/usr/bin:/bin"})),
    "address that names a program": (
        configure('[protocol "ext"]\n\tallow = always\n[remote "evil"]\n\turl = ext::PROGRAM\n'), FETCH),
    "address replaced by a program": (
        configure('[protocol "ext"]\n\tallow = always\n[url "ext::PROGRAM "]\n\tinsteadOf = file://\n'),
        git("fetch", "-q", "file:///anything")),
    "refs of alternates": (
        both(borrow, configure('[core]\n\talternateRefsCommand = PROGRAM\n[remote "evil"]\n\turl = VICTIM\n')), FETCH),
    "object fetched by a program": (
        missing_object('\turl = x\n[protocol "ext"]\n\tallow = always\n[remote "evil"]\n\turl = ext::PROGRAM\n'), SHOW),
    "object fetched by ssh": (
        missing_object('\tsshCommand = PROGRAM\n[remote "evil"]\n\turl = ssh://h.invalid/x\n'), SHOW),
    "object fetched by an upload program": (
        missing_object('[remote "evil"]\n\turl = /nowhere\n\tuploadpack = PROGRAM\n'), SHOW),
    "trailer": (
        configure('[trailer "x"]\n\tkey = x\n\tcommand = PROGRAM\n'), git("interpret-trailers", stdin=b"subject\n")),
    "filter of interactive diffs": (
        configure("[interactive]\n\tdiffFilter = PROGRAM\n[color]\n\tinteractive = always\n\tui = always\n"),
        both(touch, terminal("add", "-p"))),
    "tool for diffs": (
        configure('[diff]\n\ttool = x\n[difftool "x"]\n\tcmd = PROGRAM\n'), both(touch, git("difftool", "-y"))),
    "submodule with a filter": (nested(CLEAN), git("status")),
    "submodule with a watcher": (nested(WATCHER), git("status")),
    "submodule with a folder of hooks": (
        nested("[core]\n\thooksPath = HOOKS\n"), git("-C", "inner", "update-ref", "refs/heads/x", "HEAD")),
    "command that updates a submodule": (
        both(nested(""), attributes('[submodule "inner"]\n\tpath = inner\n\turl = ./inner\n', ".gitmodules"),
             configure('[submodule "inner"]\n\turl = FOLDER/project/inner\n\tactive = true\n\tupdate = !PROGRAM\n'),
             lambda s: Repo(s.user.path / "inner").commit("ahead")),
        git("submodule", "update", "inner")),
    "untracked repository with a filter": (
        nested_untracked, both(git("add", "inner"), git("-C", "inner", "add", "x.md"))),
}  # fmt: skip
# These lack objects or hold submodules: what cannot be carried through a landing is refused, or fails in plain words.
FAILING = {name for name in SINGLE if name.startswith(("object", "submodule", "command that updates"))}


@pytest.mark.parametrize("name", SINGLE)
def test_no_program_the_checkout_names_is_run(scene: Scene, name: str) -> None:
    plant, control = SINGLE[name]
    plant(scene)
    scene.fired.unlink(missing_ok=True)  # planting may have fired it
    failures = use(scene)
    assert not scene.fired.exists()
    assert bool(failures) == (name in FAILING), failures
    control(scene)
    assert scene.fired.exists(), "the control did not fire: this attack proves nothing"


ENVIRONMENT: dict[str, tuple[dict[str, str], Act]] = {
    "settings": (
        {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.fsmonitor", "GIT_CONFIG_VALUE_0": "PROGRAM"},
        git("status")),
    "parameters": ({"GIT_CONFIG_PARAMETERS": "'core.fsmonitor'='PROGRAM'"}, git("status")),
    "personal settings": ({"GIT_CONFIG_GLOBAL": "FOLDER/evil"}, git("status")),
    "settings of the system": ({"GIT_CONFIG_SYSTEM": "FOLDER/evil", "GIT_CONFIG_NOSYSTEM": "0"}, git("status")),
    "external diff": ({"GIT_EXTERNAL_DIFF": "PROGRAM"}, both(touch, git("diff"))),
    "editor": ({"GIT_EDITOR": "PROGRAM"}, git("commit", "--allow-empty")),
    "ssh command": ({"GIT_SSH_COMMAND": "PROGRAM"}, git("fetch", "-q", "ssh://h.invalid/x")),
    "another repository": (
        {"GIT_DIR": "VICTIM/.git", "GIT_WORK_TREE": "VICTIM"}, git("status")),
    "another common directory": ({"GIT_COMMON_DIR": "VICTIM/.git"}, git("--git-dir=.git", "status")),
    "programs of git": ({"GIT_EXEC_PATH": "FOLDER/bin"}, git("sh-i18n")),
}  # fmt: skip


@pytest.mark.parametrize("name", ENVIRONMENT)
def test_nothing_left_in_the_environment_reaches_git(scene: Scene, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (scene.folder / "evil").write_bytes(scene.text(WATCHER))
    (scene.folder / "bin").mkdir()
    for program in ("git", "git-sh-i18n", "git-status"):
        (scene.folder / "bin" / program).symlink_to(scene.program)
    scene.victim.git("config", "core.fsmonitor", str(scene.program))
    variables, control = ENVIRONMENT[name]
    settled = {key: scene.text(value).decode() for key, value in variables.items()}
    for key, value in settled.items():
        monkeypatch.setenv(key, value)
    assert use(scene) == []
    assert not scene.fired.exists()
    plain = Scene(scene.folder, RepoWithLeftovers(scene.user.path, settled), scene.victim)
    control(plain)
    assert scene.fired.exists(), "the control did not fire: this attack proves nothing"


@dataclass(frozen=True)
class RepoWithLeftovers(Repo):
    """Plain git with leftovers in its environment."""

    leftovers: dict[str, str]

    def git(
        self, *arguments: str, ok: bool = True, stdin: bytes | None = None, env: dict[str, str] | None = None
    ) -> bytes:
        return super().git(*arguments, ok=ok, stdin=stdin, env={**self.leftovers, **(env or {})})
