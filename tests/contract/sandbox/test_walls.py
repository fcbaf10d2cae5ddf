"""Attacks from inside, each with its positive control: it succeeds when exactly that one defence is taken away.

All against decoys made here (T5, R-SBX). A control runs in an otherwise identical sandbox, never outside of one.
"""

from __future__ import annotations

import ctypes
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from autopilot.adapters.beneath import walk_beneath
from autopilot.adapters.git.removal import remove_tree
from autopilot.adapters.sandbox import landlock
from autopilot.adapters.sandbox.bubblewrap import Bubblewrap
from autopilot.adapters.sandbox.confinement import Find
from autopilot.adapters.sandbox.user import kernel_uid
from autopilot.adapters.sandbox.view import find_secrets, make_scratch
from autopilot.model.errors import Unavailable
from autopilot.ports.sandbox import CommandSpec, Exited, Profile, run

# covers: T3.verify, T5.overlay, T5.environment, T5.kernel, T5.hidden, T5.privileges, T5.network

# covers: T5, R-SBX
PYTHON = f"{sys.base_prefix}/bin/python3"
SUCCEEDED = Exited(0)
IS_ROOT = os.getuid() == 0


class Weakened(Bubblewrap):
    """The sandbox with its arguments edited."""

    def __init__(self, state: Path, edit: Callable[[list[str]], list[str]], *, as_root: bool = False) -> None:
        super().__init__(state)
        self._edit = edit
        self._as_root = as_root

    def _uid(self) -> int | None:
        return None if self._as_root else super()._uid()

    def _arguments(self, spec: CommandSpec, find: Find) -> list[str]:
        return self._edit(super()._arguments(spec, find))


def without_flag(*flags: str) -> Callable[[list[str]], list[str]]:
    return lambda words: [word for word in words if word not in flags]


def without_mount(*targets: str) -> Callable[[list[str]], list[str]]:
    def edit(words: list[str]) -> list[str]:
        kept = list(words)
        for target in targets:
            at = next(i for i, word in enumerate(kept) if word.endswith("bind") and kept[i + 2] == target)
            del kept[at : at + 3]
        return kept

    return edit


def test_what_a_command_writes_does_not_reach_the_checkout(place, confined) -> None:
    attack = place.sh(
        "echo changed >kept.txt && rm -rf folder && mkdir folder && cat kept.txt && [ ! -e folder/deep.txt ]"
    )
    assert run(confined, attack).ended == SUCCEEDED
    assert (place.backing / "kept.txt").read_text() == "original\n"
    assert (place.backing / "folder/deep.txt").exists()

    def bind_directly(words: list[str]) -> list[str]:
        return [str(place.backing) if word == f"{place.state}/sandbox/project" else word for word in words]

    subprocess.run(["chown", "-R", f"{os.getuid()}:{os.getgid()}", place.backing], check=True)
    assert run(Weakened(place.state, bind_directly, as_root=True), attack).ended == SUCCEEDED
    assert (place.backing / "kept.txt").read_text() == "changed\n"


def test_every_command_starts_from_the_same_checkout(place, confined) -> None:
    assert run(confined, place.sh("echo x >new.txt")).ended == SUCCEEDED
    assert run(confined, place.sh("[ ! -e new.txt ]")).ended == SUCCEEDED


def test_the_repository_can_be_read_but_not_written(place, confined) -> None:
    assert run(confined, place.sh("git status --porcelain && git log --oneline | grep first")).ended == SUCCEEDED
    attack = place.sh("echo '#!/bin/sh' >.git/hooks/post-checkout")
    assert run(confined, attack).ended != SUCCEEDED
    assert run(Weakened(place.state, without_mount(f"{place.project}/.git")), attack).ended == SUCCEEDED


@pytest.fixture
def listener() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_the_network_is_off_unless_it_is_asked_for(place, confined, listener) -> None:
    script = f"exec 3<>/dev/tcp/127.0.0.1/{listener}"
    assert run(confined, place.spec("bash", "-c", script)).ended != SUCCEEDED
    assert run(confined, place.spec("bash", "-c", script, network=True)).ended == SUCCEEDED


def test_an_abstract_socket_outside_cannot_be_reached(place, confined) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(f"\0autopilot-decoy-{os.getpid()}")
        server.listen()
        script = f"import socket; socket.socket(socket.AF_UNIX).connect('\\0autopilot-decoy-{os.getpid()}')"
        assert run(confined, place.spec(PYTHON, "-c", script)).ended != SUCCEEDED
        with_network = place.spec(PYTHON, "-c", script, network=True)
        assert (run(confined, with_network).ended != SUCCEEDED) is landlock.is_available()

        class Unrestricted(Bubblewrap):
            def _command(self, spec: CommandSpec) -> tuple[str, ...]:
                return spec.argv

        assert run(Unrestricted(place.state), with_network).ended == SUCCEEDED


def test_shared_memory_outside_cannot_be_attached(place, confined) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    key = 0x0A0B0000 + os.getpid() % 0xFFFF
    segment = libc.shmget(key, 4096, 0o1600)
    assert segment >= 0
    try:
        attack = place.spec(PYTHON, "-c", f"import ctypes, sys; sys.exit(ctypes.CDLL(None).shmget({key}, 0, 0) < 0)")
        assert run(confined, attack).ended != SUCCEEDED
        apart = ("--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup")
        control = Weakened(place.state, lambda words: [*apart, *without_flag("--unshare-all")(words)])
        assert run(control, attack).ended == SUCCEEDED
    finally:
        libc.shmctl(segment, 0, None)


@pytest.mark.parametrize("parent", ["/tmp", "/var/tmp", "/dev/shm"])
def test_other_peoples_temporary_files_are_hidden(place, confined, parent) -> None:
    with tempfile.TemporaryDirectory(dir=parent) as folder:
        decoy = Path(folder) / "decoy"
        decoy.write_text("secret")
        attack = place.spec("cat", str(decoy))
        assert run(confined, attack).ended != SUCCEEDED

        def show(words: list[str]) -> list[str]:
            if parent == "/tmp":  # the sandbox has its own HOME there, so only the decoy's folder is shown
                return [*words, "--ro-bind", folder, folder]
            at = next(i for i, word in enumerate(words) if word == "--bind" and words[i + 2] == parent)
            return [*words[:at], "--ro-bind", parent, *words[at + 2 :]]

        assert run(Weakened(place.state, show, as_root=True), attack).ended == SUCCEEDED


def test_our_records_are_hidden_wherever_they_lie(place) -> None:
    """A folder of the system stands in for a state home outside the places that are hidden anyway."""
    record = Path("/usr/share/common-licenses/GPL-3").resolve()
    attack = place.spec("cat", str(record))
    assert run(Bubblewrap(place.state, hidden=(record.parent,)), attack).ended != SUCCEEDED
    assert run(Bubblewrap(place.state), attack).ended == SUCCEEDED


def test_homes_are_hidden_and_toolchains_in_them_are_not(place) -> None:
    confined = Bubblewrap(place.state, hidden=(Path.home(),))
    homes = [folder for folder in (Path.home(), Path("/home"), Path("/root")) if os.access(folder, os.R_OK)]
    for home in homes:
        listing = run(confined, place.spec("ls", "-A", str(home)))
        # A home below a hidden place is not even there to be listed.
        shown = listing.output.decode().split() if listing.ended == SUCCEEDED else []
        named = (Path(sys.base_prefix), Path(place.project))
        allowed = {path.relative_to(home).parts[0] for path in named if home in path.parents}
        assert set(shown) <= allowed, home
    assert run(confined, place.spec(PYTHON, "-c", "import json, ssl")).ended == SUCCEEDED
    assert run(confined, place.spec("python3", "-c", "import json")).ended == SUCCEEDED


def test_our_environment_is_not_there(place, confined, monkeypatch) -> None:
    monkeypatch.setenv("AUTOPILOT_DECOY", "secret-31415")
    attack = place.sh("cat /proc/[0-9]*/environ /proc/self/environ | tr '\\0' '\\n' | grep secret-31415")
    assert run(confined, attack).ended != SUCCEEDED

    class Leaky(Weakened):
        def _own_environment(self) -> dict[str, str]:
            return dict(os.environ)

    assert run(Leaky(place.state, without_flag("--clearenv")), attack).ended == SUCCEEDED


def test_the_given_environment_is_there_and_not_on_any_command_line(place, confined) -> None:
    running = confined.start(place.sh("echo $TOKEN; sleep 60", env={"TOKEN": "secret-27182"}))
    assert next(running.lines()) == b"secret-27182"
    lines = list(Path("/proc").glob("[0-9]*/cmdline"))
    shown = [path for path in lines if path.exists() and b"secret-27182" in path.read_bytes()]
    running.stop(0)
    running.wait()
    assert shown == []


def test_the_environment_is_small_and_fixed(place, confined) -> None:
    names = run(confined, place.sh("env | cut -d= -f1 | sort")).output.decode().split()
    assert set(names) - {"PWD", "OLDPWD", "SHLVL", "_"} == {"HOME", "LANG", "LOGNAME", "PATH", "SHELL", "USER"}


def test_no_descriptor_of_ours_is_open_inside(place, confined) -> None:
    assert run(confined, place.sh("ls /proc/self/fd")).output.split() == [b"0", b"1", b"2", b"3"]  # 3 is ls itself


def test_the_machines_own_settings_cannot_be_written(place, confined) -> None:
    attack = place.sh("test -w /proc/sys/kernel/core_pattern")  # looked at, not touched
    assert run(confined, attack).ended != SUCCEEDED
    for as_root in (False, True):  # whoever is not root cannot in any case
        control = run(Weakened(place.state, without_mount("/proc/sys"), as_root=as_root), attack)
        assert (control.ended == SUCCEEDED) is (as_root and IS_ROOT)


def test_password_and_key_files_cannot_be_read(place, confined) -> None:
    attack = place.spec("cat", "/etc/shadow")
    assert run(confined, attack).ended != SUCCEEDED
    control = without_mount("/etc/shadow") if IS_ROOT else without_flag()
    assert (run(Weakened(place.state, control, as_root=True), attack).ended == SUCCEEDED) is IS_ROOT


def test_whatever_not_everybody_may_read_counts_as_a_key_file(tmp_path) -> None:
    for name, mode in (("open", 0o644), ("key", 0o600), ("group", 0o640)):
        (tmp_path / name).touch()
        (tmp_path / name).chmod(mode)
    (tmp_path / "private").mkdir(mode=0o700)
    (tmp_path / "private/inner").touch(mode=0o600)
    (tmp_path / "link").symlink_to("key")
    folders, files = find_secrets(str(tmp_path))
    assert folders == (tmp_path / "private",)
    assert set(files) == {tmp_path / "key", tmp_path / "group"}


def test_nobody_inside_has_a_capability_or_can_gain_one(place, confined) -> None:
    shown = run(confined, place.sh("grep -E '^(CapEff|CapPrm|CapBnd|NoNewPrivs)' /proc/self/status")).output.decode()
    assert {line.split()[1].lstrip("0") for line in shown.splitlines()} == {"", "1"}
    assert "NoNewPrivs:\t1" in shown


def test_nobody_inside_is_root(place, confined) -> None:
    assert run(confined, place.sh('[ "$(id -u)" != 0 ]')).ended == SUCCEEDED


@pytest.mark.parametrize("profile", [Profile.VERIFY, Profile.AGENT])
def test_to_the_kernel_nobody_inside_is_root_either(place, confined, alive, profile) -> None:
    def uids(sandbox: Bubblewrap, marker: str) -> set[int]:
        running = sandbox.start(place.sh(f"echo up; sleep {marker}", profile=profile))
        assert next(running.lines()) == b"up"
        try:
            for _ in range(500):  # the shell has printed, and starts it now
                if found := alive(f"sleep\0{marker}"):
                    return {Path(f"/proc/{pid}").stat().st_uid for pid in found}
                time.sleep(0.02)
            return set()
        finally:
            running.stop(0)
            running.wait()

    assert 0 not in uids(confined, "61.803")
    assert (0 in uids(Weakened(place.state, without_flag(), as_root=True), "61.804")) is IS_ROOT


def test_the_machines_control_groups_cannot_be_mounted_by_an_agent_with_a_sandbox_of_its_own(place, confined) -> None:
    """Looked for, not touched: whether the top of the tree, with all processes of the machine, could be written."""
    mount = "mkdir -p /tmp/groups && mount -t cgroup2 none /tmp/groups && test -w /tmp/groups/cgroup.procs"
    attack = place.sh(f"unshare -UrCm sh -c '{mount}'", profile=Profile.AGENT, nested=True)
    assert run(confined, attack).ended != SUCCEEDED

    # The control: without the filter an agent mounts its own group; as root it may write there.
    class Unfiltered(Weakened):
        def _filter(self, spec: CommandSpec) -> bytes | None:
            return None

    if IS_ROOT:
        assert run(Unfiltered(place.state, without_flag("--unshare-cgroup"), as_root=True), attack).ended == SUCCEEDED


@pytest.mark.parametrize("kind", ["sysfs", "proc", "cgroup", "cgroup2", "debugfs", "tracefs", "bpf", "configfs"])
def test_an_agent_without_a_sandbox_of_its_own_mounts_nothing(place, confined, kind) -> None:
    script = f"unshare -Urm sh -c 'mkdir -p /tmp/here && mount -t {kind} none /tmp/here'"
    assert run(confined, place.sh(script, profile=Profile.AGENT)).ended != SUCCEEDED


@pytest.mark.parametrize("profile", [Profile.VERIFY, Profile.SETUP, Profile.AGENT])
@pytest.mark.parametrize("top", ["/srv" if IS_ROOT else str(Path.home()), "/tmp"])
def test_what_is_not_named_is_not_there(place, confined, profile, top) -> None:
    """A private file and a repository outside of every home: neither is hidden one by one, they are just not shown."""
    with tempfile.TemporaryDirectory(dir=top) as folder:
        secret = Path(folder) / "secret"
        secret.write_text("decoy")
        attack = place.spec("cat", str(secret), profile=profile, network=True)
        assert run(confined, attack).ended != SUCCEEDED
        shown = Bubblewrap(place.state, shown=(Path(folder),))
        Path(folder).chmod(0o755)
        assert run(shown, attack).ended == SUCCEEDED
        assert run(shown, place.sh(f"echo x >{folder}/more", profile=profile)).ended != SUCCEEDED


def test_the_top_folders_are_those_of_the_system(place, confined) -> None:
    names = run(confined, place.sh("ls /")).output.decode().split()
    own = {str(path).split("/")[1] for path in (place.project, Path(sys.base_prefix))}
    allowed = {
        "bin",
        "dev",
        "etc",
        "lib",
        "lib32",
        "lib64",
        "libx32",
        "opt",
        "proc",
        "sbin",
        "sys",
        "tmp",
        "usr",
        "var",
    }
    assert set(names) <= allowed | own


FAMILIES = {"vsock": 40, "packet": 17, "algorithms": 38, "bluetooth": 31}


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("nested", [False, True])
def test_sockets_of_other_families_are_refused(place, confined, family, nested) -> None:
    script = f"""import ctypes, sys; libc = ctypes.CDLL(None, use_errno=True)
sys.exit(0 if libc.socket({FAMILIES[family]}, 5, 0) >= 0 or ctypes.get_errno() != 1 else 1)"""
    attack = place.spec(PYTHON, "-c", script, profile=Profile.AGENT, network=True, nested=nested)
    assert run(confined, attack).ended != SUCCEEDED


def test_a_new_user_namespace_cannot_be_made(place, confined) -> None:
    attack = place.spec("unshare", "-U", "true")
    assert run(confined, attack).ended != SUCCEEDED
    assert run(Weakened(place.state, without_flag("--disable-userns")), attack).ended == SUCCEEDED


def test_processes_outside_cannot_be_seen_or_signalled(place, confined) -> None:
    decoy = subprocess.Popen(["sleep", "60"])
    try:
        attack = place.sh(f"kill -0 {decoy.pid}")
        assert run(confined, attack).ended != SUCCEEDED

        def share(words: list[str]) -> list[str]:
            kept = without_flag("--unshare-all", "--as-pid-1")(words)
            at = kept.index("--proc")
            apart = ("--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup")
            return [*apart, *kept[:at], *kept[at + 2 :]]

        assert run(Weakened(place.state, share, as_root=True), attack).ended == SUCCEEDED
    finally:
        decoy.kill()
        decoy.wait()


def test_the_root_file_system_cannot_be_written(place, confined) -> None:
    attack = place.sh(f"test -w {Path(__file__).parent}")
    assert run(confined, attack).ended != SUCCEEDED


CALLS = {"keyctl": (250, 219), "io_uring_setup": (425, 425), "userfaultfd": (323, 282), "bpf": (321, 280)}


@pytest.mark.parametrize("name", CALLS)
def test_dangerous_system_calls_are_refused(place, confined, name) -> None:
    number = CALLS[name][0 if os.uname().machine == "x86_64" else 1]
    # Nonsense arguments: an allowed call fails too, but not with "not permitted".
    script = (
        "import ctypes; libc = ctypes.CDLL(None, use_errno=True); "
        f"libc.syscall({number}, -1, 0, 0, 0, 0); print(ctypes.get_errno())"
    )

    class Unfiltered(Bubblewrap):
        def _filter(self, spec: CommandSpec) -> bytes | None:
            return None

    assert run(confined, place.spec(PYTHON, "-c", script)).output == b"1\n"
    unfiltered = run(Unfiltered(place.state), place.spec(PYTHON, "-c", script)).output
    if name not in ("bpf", "userfaultfd"):  # those two the kernel refuses to the unprivileged on most machines
        assert unfiltered != b"1\n"


def test_the_number_of_processes_is_limited(place, confined) -> None:
    script = (
        "import os, signal\n"
        "made = 0\n"
        "while made < 700:\n"
        "    try:\n"
        "        child = os.fork()\n"
        "    except OSError:\n"
        "        break\n"
        "    if child == 0:\n"
        "        signal.pause()\n"
        "    made += 1\n"
        "print(made)\n"
    )
    attack = place.spec(PYTHON, "-c", script)
    assert int(run(confined, attack).output) < 520

    class Unlimited(Bubblewrap):
        def _limits(self, spec: CommandSpec) -> dict[int, int]:
            return {}

        def _group(self, spec: CommandSpec) -> Path | None:
            return None

    assert int(run(Unlimited(place.state), attack).output) == 700


def test_no_core_is_written_and_files_have_a_largest_size(place, confined) -> None:
    assert run(confined, place.spec("bash", "-c", "ulimit -c")).output == b"0\n"
    assert int(run(confined, place.spec("bash", "-c", "ulimit -f")).output) == (2048 + 1) * 1024


@pytest.mark.parametrize("count", [3, 600], ids=["few", "many"])
def test_all_of_a_folder_is_given_away_and_nothing_behind_its_links(tmp_path, confined, count: int) -> None:
    folder, decoy = tmp_path / "folder", tmp_path / "decoy"
    (folder / "inner").mkdir(parents=True)
    (decoy / "inner").mkdir(parents=True)
    for number in range(count):
        (folder / "inner" / f"{number}").touch()
    (folder / "link").symlink_to(decoy)
    owner = decoy.stat().st_uid
    confined.give_away(folder)
    given = {path.lstat().st_uid for path in (folder, *folder.rglob("*"))}
    assert given == {kernel_uid() or owner}
    assert {decoy.stat().st_uid, (decoy / "inner").stat().st_uid} == {owner}


def make_chain(top: Path, depth: int, target: Path) -> None:
    """Folders in each other, with a link in the last, by descriptors: a path would soon be too long."""
    here = os.open(top, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=here)
        inner = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.symlink(target, "link", dir_fd=here)
    os.close(here)


def test_a_tree_of_any_depth_can_be_given_away_and_searched_for_manifests(tmp_path, confined, place) -> None:
    """Deeper than a stack, with a link at its end: what the link leads to keeps its owner."""
    deep, decoy = tmp_path / "deep", tmp_path / "decoy"
    deep.mkdir()
    decoy.write_text("mine")
    make_chain(deep, 1200, decoy)
    (deep / "package.json").write_text("{}")
    owner = decoy.stat().st_uid
    confined.give_away(deep)
    assert decoy.stat().st_uid == owner
    assert list(walk_beneath(deep)) == ["package.json"]
    remove_tree(deep)


def test_a_scratch_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file in its place")
    with pytest.raises(Unavailable, match=r"the sandbox needs the empty folder .*/state/sandbox"):
        make_scratch(tmp_path / "state", None)
