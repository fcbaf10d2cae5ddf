"""Attacks by somebody who has read the source, each with a control in which the same attack succeeds.

All against decoys made here. An attack is a script that exits 0 when it succeeded; its control runs in an otherwise
identical sandbox without that one defence, or at the place where the attack is no attack (T5, T6).
"""

from __future__ import annotations

import os
import platform
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from autopilot.adapters.git.removal import remove_tree
from autopilot.adapters.sandbox.bubblewrap import Bubblewrap
from autopilot.adapters.sandbox.seccomp import _CALLS, _MOUNT_CALLS
from autopilot.adapters.sandbox.user import give_away, kernel_uid
from autopilot.gates.commit import leads_outside
from autopilot.ports.sandbox import CommandSpec, Exited, Mount, Outcome, Profile, TimedOut, run
from tests.contract.sandbox.conftest import Place, open_descriptors

# covers: T5, T6, R-SBX
pytestmark = pytest.mark.one_in(4)
PYTHON = f"{sys.base_prefix}/bin/python3"
SUCCEEDED = Exited(0)
IS_ROOT = os.getuid() == 0
IS_X86 = platform.machine() == "x86_64"
KERNEL = tuple(int(number) for number in platform.release().split(".")[:2])
NESTED = {"profile": Profile.AGENT, "nested": True}


def only_if(condition: bool) -> Callable[[Any], Any]:
    """A test of what this machine does not have is none: it is left out, not skipped."""
    return lambda test: test if condition else None


root_only = only_if(IS_ROOT)  # root gives folders away


class Unfiltered(Bubblewrap):
    def _filter(self, spec: CommandSpec) -> bytes | None:
        return None


class Lab:
    """One place for all attacks of this file: what they may change is thrown away, and most change nothing."""

    def __init__(self, folder: Path) -> None:
        self.place = Place(folder)
        self.folder = folder
        self.place.open_to_all()
        give_away(self.place.backing)
        self.confined = Bubblewrap(self.place.state)
        self.unfiltered = Unfiltered(self.place.state)

    def try_python(self, script: str, sandbox: Bubblewrap | None = None, **more: Any) -> Outcome:
        return run(sandbox or self.confined, self.place.spec(PYTHON, "-c", script, **more))

    def try_shell(self, script: str, sandbox: Bubblewrap | None = None, **more: Any) -> Outcome:
        return run(sandbox or self.confined, self.place.sh(script, **more))


@pytest.fixture(scope="module")
def lab() -> Iterator[Lab]:
    with tempfile.TemporaryDirectory(prefix="autopilot-test-", ignore_cleanup_errors=True) as folder:
        yield Lab(Path(folder).resolve())


# --- What is not shown cannot be read, by whatever way it is asked for. Control: the same way to a shown folder.

WAYS = {
    "by its path": "cat {decoy}",
    "through the root of the first process": "cat /proc/1/root{decoy}",
    "through the own root": "cat /proc/self/root{decoy}",
    "up from the project": "cat ./../../../../../../../../../../..{decoy}",
    "up from the own working folder": "cat /proc/self/cwd/../../../../../../../../..{decoy}",
    "by a link": "ln -sf {decoy} leading-there && cat leading-there",
    "by a link in HOME": "mkdir -p $HOME && ln -sf {folder} $HOME/there && cat $HOME/there/decoy",
    "through a descriptor of the root": "exec 7</ && cat /proc/self/fd/7{decoy}",
    "as the input of a shell": "read -r word <{decoy} && echo $word",
    "by a search": "find / -xdev -path /proc -prune -o -name decoy-of-the-lab -print 2>/dev/null | xargs grep -l secret",  # noqa: E501
    "in a root of its own": "unshare -Ur /usr/sbin/chroot / cat {decoy}",
    "by a bind mount": "unshare -Urm sh -c 'mkdir -p /tmp/b && mount --rbind / /tmp/b && cat /tmp/b{decoy}'",
    "in a process namespace of its own": "unshare -Urmpf --mount-proc cat /proc/1/root{decoy}",
}


# Not below /tmp, which every sandbox has for itself.
ELSEWHERE = "/srv" if IS_ROOT else str(Path.home())


@pytest.fixture(scope="module")
def decoy() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=ELSEWHERE) as folder:
        path = Path(folder) / "decoy"
        path.write_text("secret\n")
        Path(folder, "decoy-of-the-lab").write_text("secret\n")
        Path(folder).chmod(0o755)
        yield path


@pytest.mark.parametrize("way", WAYS)
def test_what_is_not_shown_cannot_be_read(lab, decoy, way) -> None:
    attack = WAYS[way].format(decoy=decoy, folder=decoy.parent)
    assert lab.try_shell(attack, **NESTED).ended != SUCCEEDED
    shown = Bubblewrap(lab.place.state, shown=(decoy.parent,))
    if way == "by a search":  # -xdev stays on one mount
        attack = attack.replace("find / -xdev", f"find {decoy.parent}")
    assert lab.try_shell(attack, shown, **NESTED).ended == SUCCEEDED


@pytest.mark.parametrize("profile", [Profile.VERIFY, Profile.SETUP, Profile.AGENT])
@pytest.mark.parametrize("verb", ["link", "rename", "chmod", "stat", "access"])
def test_what_is_not_shown_cannot_be_touched_either(lab, decoy, profile, verb) -> None:
    calls = {
        "link": "os.link(decoy, 'stolen')",
        "rename": "os.rename(decoy, 'stolen')",
        "chmod": "os.chmod(decoy, 0o777)",
        "stat": "os.stat(decoy)",
        "access": "assert os.access(decoy, os.F_OK)",
    }
    before = decoy.stat()
    attack = f"import os; decoy = {str(decoy)!r}; {calls[verb]}"
    assert lab.try_python(attack, profile=profile).ended != SUCCEEDED
    assert decoy.stat() == before
    own = f"import os; decoy = 'own'; open('own', 'w').close(); {calls[verb]}; [os.unlink(n) for n in os.listdir() if n in ('own', 'stolen')]"  # noqa: E501
    assert lab.try_python(own, profile=profile).ended == SUCCEEDED


# --- What is covered stays covered for an agent that may make mounts. Control: nothing is covered.

UNCOVERINGS = {
    "read": "cat {secret}",
    "unmount": "umount {cover} && cat {secret}",
    "unmount lazily": "umount -l {cover} && cat {secret}",
    "move the cover": "mkdir -p /tmp/away && mount --move {cover} /tmp/away && cat {secret}",
    "bind the parent without it": "mkdir -p /tmp/p && mount --bind {parent} /tmp/p && cat /tmp/p/{name}/decoy",
    "bind the parent as a slave": "mkdir -p /tmp/p && mount --make-rslave / && mount --bind {parent} /tmp/p && cat /tmp/p/{name}/decoy",  # noqa: E501
    "overlay over the parent": "mkdir -p /tmp/o && mount -t overlay o -o lowerdir={parent}:/tmp/home /tmp/o && cat /tmp/o/{name}/decoy",  # noqa: E501
    "pivot and let go": "mkdir -p /tmp/n && mount --rbind / /tmp/n && cd /tmp/n && /usr/sbin/pivot_root . tmp && umount -l tmp; cat {secret}",  # noqa: E501
    "remove the cover": "rmdir {cover}; mv {cover} /tmp/x; cat {secret}",
}


@pytest.fixture(scope="module")
def covered() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=ELSEWHERE) as folder:
        secret = Path(folder) / "hidden" / "decoy"
        secret.parent.mkdir()
        secret.write_text("secret\n")
        Path(folder).chmod(0o755)
        yield secret


@pytest.mark.parametrize("way", UNCOVERINGS)
def test_what_is_covered_stays_covered(lab, covered, way) -> None:
    cover, parent = covered.parent, covered.parent.parent
    script = UNCOVERINGS[way].format(secret=covered, cover=cover, parent=parent, name=cover.name)
    attack = f"unshare -Urm sh -c '{script}'"
    sandbox = Bubblewrap(lab.place.state, shown=(parent,), hidden=(cover,))
    assert lab.try_shell(attack, sandbox, **NESTED).ended != SUCCEEDED
    uncovered = "cat {secret}" if "cover}" in UNCOVERINGS[way] else UNCOVERINGS[way]
    control = uncovered.format(secret=covered, cover=cover, parent=parent, name=cover.name)
    shown = Bubblewrap(lab.place.state, shown=(parent,))
    assert lab.try_shell(f"unshare -Urm sh -c '{control}'", shown, **NESTED).ended == SUCCEEDED


# --- What is mounted read-only cannot be changed, though it belongs to the command. Control: mounted writable.

CHANGES = {
    "write": "open(place + '/paper', 'w').write('forged')",
    "append": "open(place + '/paper', 'a').write('forged')",
    "truncate": "os.truncate(place + '/paper', 0)",
    "remove": "os.unlink(place + '/paper')",
    "rename": "os.rename(place + '/paper', place + '/other')",
    "change its mode": "os.chmod(place + '/paper', 0o4777)",
    "change its time": "os.utime(place + '/paper', (0, 0))",
    "give it attributes": "os.setxattr(place + '/paper', 'user.forged', b'1')",
    "add a file": "open(place + '/more', 'w').close()",
    "add a folder": "os.mkdir(place + '/more')",
    "add a link": "os.symlink('/etc', place + '/more')",
    "add a pipe": "os.mkfifo(place + '/more')",
    "open it again": "fd = os.open(place + '/paper', os.O_RDONLY); os.open(f'/proc/self/fd/{fd}', os.O_RDWR)",
    "open it through the first process": "open('/proc/1/root' + place + '/paper', 'w').write('forged')",
    "map it": "import mmap; mmap.mmap(os.open(place + '/paper', os.O_RDWR), 1)[0] = 120",
    "change the folder's mode": "os.chmod(place, 0o777)",
    "change by a descriptor": "os.fchmod(os.open(place + '/paper', os.O_RDONLY), 0o4777)",
}


@pytest.fixture
def paper(lab) -> Iterator[Path]:
    folder = lab.folder / "papers"
    folder.mkdir()
    (folder / "paper").write_text("genuine")
    give_away(folder)
    yield folder
    remove_tree(folder)


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_mounted_to_be_read_cannot_be_changed(lab, paper, change) -> None:
    target = PurePosixPath("/tmp/papers")
    script = f"import os; place = {str(target)!r}; {CHANGES[change]}"

    def attack(writable: bool) -> Outcome:
        return lab.try_python(script, mounts=(Mount(PurePosixPath(paper), target, writable),), **NESTED)

    before = {path: path.lstat() for path in (paper, *paper.iterdir())}
    assert attack(writable=False).ended != SUCCEEDED
    assert {path: path.lstat() for path in (paper, *paper.iterdir())} == before
    assert attack(writable=True).ended == SUCCEEDED


REMOUNTS = {
    "remount": "mount -o remount,bind,rw {place} && echo forged >{place}/paper",
    "bind again": "mkdir -p /tmp/w && mount --bind {place} /tmp/w && mount -o remount,bind,rw /tmp/w && echo forged >/tmp/w/paper",  # noqa: E501
    "unmount": "umount {place} && cat {place}/paper",
    "overlay": "mkdir -p /tmp/o && mount -t overlay o -o lowerdir=/tmp/home,upperdir={place},workdir={place} /tmp/o && echo forged >/tmp/o/paper",  # noqa: E501
    "propagate": "mount --make-rshared / && mount -t tmpfs t {place} && nsenter -t 1 -m cat {place}/paper",
}


@pytest.mark.parametrize("way", REMOUNTS)
def test_mounts_of_an_agents_own_do_not_make_it_writable(lab, paper, way) -> None:
    target = PurePosixPath("/tmp/papers")
    script = REMOUNTS[way].format(place=target)
    mounts = (Mount(PurePosixPath(paper), target),)
    assert lab.try_shell(f"unshare -Urm sh -c '{script}'", mounts=mounts, **NESTED).ended != SUCCEEDED
    assert (paper / "paper").read_text() == "genuine"
    # Control: a mount of its own can be treated like that.
    own = "mkdir -p /tmp/own && mount -t tmpfs t /tmp/own && echo x >/tmp/own/paper && mount -o remount,bind,ro /tmp/own && mount -o remount,bind,rw /tmp/own && echo y >/tmp/own/paper"  # noqa: E501
    assert lab.try_shell(f"unshare -Urm sh -c '{own}'", mounts=mounts, **NESTED).ended == SUCCEEDED


# --- System calls. One run of all of them with the filter, one without.

COLUMN = 0 if IS_X86 else 1
REFUSED = {name: numbers[COLUMN] for name, numbers in {**_CALLS, **_MOUNT_CALLS}.items()}
PROBE = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
for name, number in {calls!r}.items():
    ctypes.set_errno(0)
    libc.syscall(number, -1, 0, 0, 0, 0)
    print(name, ctypes.get_errno())
"""
# Without any capability, the kernel refuses these with the same error as the filter does.
ALSO_REFUSED_BY_THE_KERNEL = {
    *("bpf", "userfaultfd", "kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module"),
    *("reboot", "swapon", "swapoff", "acct", "quotactl", "quotactl_fd", "umount2", "pivot_root", "open_tree"),
    *("move_mount", "fsopen", "fsmount", "fspick", "mount_setattr", "open_by_handle_at", "mount"),
    "syslog",  # where kernel.dmesg_restrict is set
}


def _errors(outcome: Outcome) -> dict[str, int]:
    pairs = [line.split() for line in outcome.output.decode().splitlines()]
    return {name: int(error) for name, error in pairs}


@pytest.fixture(scope="module")
def errors(lab) -> tuple[dict[str, int], dict[str, int]]:
    script = PROBE.format(calls=REFUSED)
    return _errors(lab.try_python(script)), _errors(lab.try_python(script, lab.unfiltered))


@only_if(platform.machine() in ("x86_64", "aarch64"))
@pytest.mark.parametrize("name", REFUSED)
def test_a_system_call_that_only_harms_is_refused(errors, name) -> None:
    filtered, unfiltered = errors
    assert filtered[name] == 1  # EPERM
    if name not in ALSO_REFUSED_BY_THE_KERNEL:
        assert unfiltered[name] != 1


@only_if(IS_X86)
@pytest.mark.parametrize("number", [41, 250, 425, 165, 272], ids=["socket", "keyctl", "io_uring", "mount", "unshare"])
def test_the_x32_numbering_leads_nowhere(lab, number) -> None:
    script = "import ctypes, sys; libc = ctypes.CDLL(None, use_errno=True); libc.syscall({}, -1, 0, 0, 0); sys.exit(ctypes.get_errno() in (1, 38))"  # noqa: E501
    assert lab.try_python(script.format(number | 0x40000000)).ended != SUCCEEDED
    assert lab.try_python(script.format(39)).ended == SUCCEEDED  # getpid: the way of asking is right


INT80 = """
import ctypes, mmap, sys
code = bytes([0x53, 0x89, 0xf8, 0x31, 0xdb, 0x31, 0xc9, 0x31, 0xd2, 0xcd, 0x80, 0x5b, 0xc3])
page = mmap.mmap(-1, 4096, prot=7)
page.write(code)
call = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
sys.exit(call({number}) in (-1, -38))
"""


@only_if(IS_X86)
@pytest.mark.parametrize("number", [20, 288, 359], ids=["getpid", "keyctl", "socket"])
def test_the_32_bit_entry_leads_nowhere(lab, number) -> None:
    # With nonsense arguments, all but refused calls answer something else than "not permitted" and "no such call".
    script = INT80.format(number=number)
    assert lab.try_python(script).ended != SUCCEEDED
    control = lab.try_python(INT80.format(number=20), lab.unfiltered)
    assert control.ended in (SUCCEEDED, Exited(139), Exited(1))  # a kernel may be built without that entry


FAMILIES = (0, 3, 4, 5, 8, 9, 15, 17, 21, 29, 30, 31, 32, 37, 38, 39, 40, 41, 43, 44)
OPEN_SOCKETS = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
for family in {families}:
    for kind in (1, 2, 3, 5):
        print(family, libc.socket(family, kind, 0) < 0 and ctypes.get_errno())
"""


@pytest.mark.parametrize("nested", [False, True])
def test_only_four_families_of_sockets_can_be_opened(lab, nested) -> None:
    more = {"profile": Profile.AGENT, "network": True, "nested": nested}
    outcome = lab.try_python(OPEN_SOCKETS.format(families=(*FAMILIES, 1)), **more)
    tried = [line.split() for line in outcome.output.decode().splitlines()]
    assert {error for family, error in tried if family != "1"} == {"1"}  # EPERM
    assert "False" in {error for family, error in tried if family == "1"}
    unfiltered = lab.try_python(OPEN_SOCKETS.format(families=FAMILIES), lab.unfiltered, **more)
    assert {line.split()[1] for line in unfiltered.output.decode().splitlines()} != {"1"}


# --- Kernel settings, devices and file systems of the machine.

SETTINGS = (
    *("/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe", "/proc/sys/kernel/hostname"),
    *("/proc/sys/vm/overcommit_memory", "/proc/sys/fs/binfmt_misc/register", "/proc/sys/net/ipv4/ip_forward"),
    *("/proc/sysrq-trigger", "/proc/sys/fs/suid_dumpable", "/proc/kcore", "/proc/kmsg"),
    *("/sys/kernel/uevent_helper", "/sys/fs/cgroup/cgroup.procs", "/dev/mem", "/dev/kmsg", "/dev/vda", "/dev/fuse"),
)


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("setting", SETTINGS)
def test_no_setting_and_no_device_of_the_machine_can_be_opened_to_write(lab, setting, nested) -> None:
    """Opened, never written to."""
    script = "import os; os.close(os.open({!r}, os.O_WRONLY))"
    more = {"profile": Profile.AGENT, "network": True, "nested": nested}
    assert lab.try_python(script.format(setting), **more).ended != SUCCEEDED
    assert lab.try_python(script.format("/dev/null"), **more).ended == SUCCEEDED


KINDS = ("sysfs", "cgroup", "cgroup2", "debugfs", "tracefs", "securityfs", "configfs", "devtmpfs", "ext4", "efivarfs")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("namespaces", ["-Urm", "-Urmn", "-Urmpfniu"])
def test_an_agent_with_a_sandbox_of_its_own_mounts_no_part_of_the_machine(lab, kind, namespaces) -> None:
    attack = f"unshare {namespaces} sh -c 'mkdir -p /tmp/here && mount -t {{}} none /tmp/here'"
    assert lab.try_shell(attack.format(kind), **NESTED).ended != SUCCEEDED
    assert lab.try_shell(attack.format("tmpfs"), **NESTED).ended == SUCCEEDED


@pytest.mark.parametrize("kind", ["c 1 1", "c 1 11", "b 7 0", "b 254 0", "c 5 1"])
@pytest.mark.parametrize("wrapper", ["sh -c", "unshare -Urm sh -c"])
def test_no_device_can_be_made(lab, kind, wrapper) -> None:
    script = f"{wrapper} 'mknod /tmp/device {{}}'"
    assert lab.try_shell(script.format(kind), **NESTED).ended != SUCCEEDED
    assert lab.try_shell(script.format("p"), **NESTED).ended == SUCCEEDED


PRIVILEGES = {
    "become root": "os.setuid(0)",
    "change groups": "os.setgroups([0])",
    "map root into the own namespace": "os.write(os.open('/proc/self/uid_map', os.O_WRONLY), b'0 0 1')",
    "let groups be changed": "os.write(os.open('/proc/self/setgroups', os.O_WRONLY), b'allow')",
    "be spared when memory is short": "os.write(os.open('/proc/self/oom_score_adj', os.O_WRONLY), b'-1000')",
    "run before all others": "os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))",
    "be nicer to itself": "os.nice(-5)",
    "name the machine": "import socket; socket.sethostname('forged')",
    "set the clock": "import time; time.clock_settime(time.CLOCK_REALTIME, time.time())",
    "raise its limit of processes": "import resource; resource.setrlimit(resource.RLIMIT_NPROC, (10**6, 10**6))",
    "raise its limit of cores": "import resource; resource.setrlimit(resource.RLIMIT_CORE, (1, 1))",
    "change its root": "os.chroot('/tmp')",
    "give a file away": "open('given', 'w').close(); os.chown('given', 0, 0)",
    "make a set-user-id file of another": "open('given', 'w').close(); os.chown('given', 4711, -1)",
    "enter the namespace of the first process's parent": "import ctypes; assert not ctypes.CDLL(None).setns(os.open('/proc/1/ns/mnt', 0), 0)",  # noqa: E501
    "gain by a set-user-id program": "import subprocess; assert subprocess.run(['su', '-c', 'true'], stdin=subprocess.DEVNULL).returncode == 0",  # noqa: E501
}


@pytest.mark.parametrize("privilege", PRIVILEGES)
@pytest.mark.parametrize("profile", [Profile.VERIFY, Profile.AGENT])
def test_no_privilege_can_be_gained(lab, privilege, profile) -> None:
    assert lab.try_python(f"import os; {PRIVILEGES[privilege]}", profile=profile).ended != SUCCEEDED


# --- Other processes.

REACHES = {
    "signal": "os.kill({pid}, 0)",
    "descriptor": "os.pidfd_open({pid})",
    "look": "os.stat('/proc/{pid}')",
    "memory": "open('/proc/{pid}/mem', 'rb')",
    "environment": "open('/proc/{pid}/environ', 'rb').read()",
    "limits": "import resource; resource.prlimit({pid}, resource.RLIMIT_CPU)",
    "priority": "os.getpriority(os.PRIO_PROCESS, {pid})",
    "schedule": "os.sched_getaffinity({pid})",
    "session": "os.getsid({pid})",
    "trace": "import ctypes; assert ctypes.CDLL(None).ptrace(0x4206, {pid}, 0, 0) == 0",
}

# What succeeds against a child of its own. Its environment and memory can be read there, too.
OWN_CHILD = """
import os, subprocess
child = subprocess.Popen(["sleep", "9"])
exec({way!r}.format(pid=child.pid))
"""


@pytest.mark.parametrize("way", REACHES)
def test_a_process_outside_cannot_be_reached_in_any_way(lab, way) -> None:
    decoy = subprocess.Popen(["sleep", "60"])
    try:
        # A process inside that happens to have that number would be another one.
        assert lab.try_python(f"import os; os.stat('/proc/{decoy.pid}')").ended != SUCCEEDED
        for more in ({}, NESTED):
            assert lab.try_python(f"import os; {REACHES[way]}".format(pid=decoy.pid), **more).ended != SUCCEEDED
        own = OWN_CHILD.format(way=REACHES[way])
        assert lab.try_python(own).ended == SUCCEEDED
    finally:
        decoy.kill()
        decoy.wait()


def test_all_that_can_be_signalled_is_the_commands_own(lab) -> None:
    decoy = subprocess.Popen(["sleep", "60"], preexec_fn=_become_the_commands_user if IS_ROOT else None)
    try:
        assert lab.try_shell("sleep 60 & kill -9 -1; exit 0").ended in (SUCCEEDED, Exited(137))
        assert decoy.poll() is None
    finally:
        decoy.kill()
        assert decoy.wait() == -9


def _become_the_commands_user() -> None:
    os.setuid(kernel_uid() or 0)


PEER = """
import ctypes, os, socket, struct, sys
end = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, fileno=1)
pidfd = struct.unpack("i", end.getsockopt(socket.SOL_SOCKET, 77, 4))[0]
end.detach()
libc = ctypes.CDLL(None, use_errno=True)
{attack}
"""


@only_if(IS_X86 and KERNEL >= (6, 5))  # older ones do not tell who made the other end
@pytest.mark.parametrize(
    "attack", ["sys.exit(libc.syscall(424, pidfd, 0, 0, 0) < 0)", "sys.exit(libc.syscall(438, pidfd, 0, 0) < 0)"],
    ids=["signal", "take a descriptor"],
)  # fmt: skip
def test_the_process_at_the_other_end_of_the_output_cannot_be_reached(lab, attack) -> None:
    """An agent's output is a socket, and a socket tells who made its other end: Autopilot."""
    assert lab.try_python(PEER.format(attack=""), profile=Profile.AGENT).ended == SUCCEEDED
    assert lab.try_python(PEER.format(attack=attack), profile=Profile.AGENT).ended != SUCCEEDED
    own = PEER.format(attack=f"pidfd = os.pidfd_open(os.getpid())\n{attack}")
    assert lab.try_python(own, profile=Profile.AGENT).ended == SUCCEEDED


# --- Two agents at once: to the kernel they are the same user.

SECRETS = """
import ctypes, os, socket, time
for place in ("/tmp", "/var/tmp", "/dev/shm", os.environ["HOME"], "."):
    os.makedirs(place, exist_ok=True)
    open(place + "/of-a-neighbour", "w").write("secret")
libc = ctypes.CDLL(None)
assert libc.shmget(0x0BADCAFE, 4096, 0o1666) >= 0
assert libc.msgget(0x0BADCAFE, 0o1666) >= 0
assert libc.semget(0x0BADCAFE, 1, 0o1666) >= 0
servers = []
for family, name in ((1, "\\0of-a-neighbour"), (1, "/tmp/socket-of-a-neighbour"), (2, ("127.0.0.1", 47113))):
    servers.append(socket.socket(family))
    servers[-1].bind(name)
    servers[-1].listen()
"""
STEPS = {
    "temporary files": "open('/tmp/of-a-neighbour')",
    "more temporary files": "open('/var/tmp/of-a-neighbour')",
    "shared memory files": "open('/dev/shm/of-a-neighbour')",
    "home": "open(os.environ['HOME'] + '/of-a-neighbour')",
    "clone": "open('of-a-neighbour')",
    "shared memory": "assert libc.shmget(0x0BADCAFE, 0, 0) >= 0",
    "messages": "assert libc.msgget(0x0BADCAFE, 0) >= 0",
    "semaphores": "assert libc.semget(0x0BADCAFE, 1, 0) >= 0",
    "an abstract socket": "socket.socket(1).connect('\\0of-a-neighbour')",
    "a socket": "socket.socket(1).connect('/tmp/socket-of-a-neighbour')",
    "a port": "socket.socket(2).connect(('127.0.0.1', 47113))",
}


@pytest.fixture(scope="module")
def neighbour(lab) -> Iterator[set[str]]:
    """An agent at work in another clone; the names of the steps that succeed where it is."""
    clone = lab.folder / "neighbour"
    clone.mkdir()
    give_away(clone)
    tries = "".join(
        f"\ntry:\n    {step}\n    print({name!r}, flush=True)\nexcept Exception as error: pass"
        for name, step in STEPS.items()
    )
    script = f"{SECRETS}{tries}\nprint('up', flush=True)\ntime.sleep(60)"
    spec = CommandSpec(
        (PYTHON, "-c", script), Profile.AGENT, PurePosixPath(lab.place.project), PurePosixPath(clone), label="neighbour"
    )
    running = lab.confined.start(spec)
    reached = set()
    for line in running.lines():
        if line == b"up":
            break
        reached.add(line.decode())
    yield reached
    running.stop(0)
    running.wait()


@pytest.mark.parametrize("step", STEPS)
def test_an_agent_reaches_nothing_of_another_one(lab, neighbour, step) -> None:
    attack = f"import ctypes, os, socket; libc = ctypes.CDLL(None); {STEPS[step]}"
    assert lab.try_python(attack, profile=Profile.AGENT).ended != SUCCEEDED
    assert step in neighbour


# --- Nothing outlives the end, whatever it does to not be found.

MARK = f"31.4{os.getpid()}"  # other tests run beside this one
HIDINGS = {
    "two forks and a session": "os.fork() and os._exit(0)\nos.setsid()\nos.fork() and os._exit(0)",
    "deaf to signals": "[signal.signal(n, signal.SIG_IGN) for n in (1, 2, 3, 15)]",
    "a lower mark": "resource.setrlimit(10, (7, 7))",
    "stopped": "os.fork() or os.kill(os.getpid(), signal.SIGSTOP)",
    "reaper of its own": "ctypes.CDLL(None).prctl(36, 1)\nos.fork() and time.sleep(60)",
    "another name": "ctypes.CDLL(None).prctl(15, b'a) Z 1 (', 0, 0, 0)",
    "all descriptors closed": "os.closerange(0, 256)",
    "not to be dumped": "ctypes.CDLL(None).prctl(4, 0)",
    "first process traced": "ctypes.CDLL(None).ptrace(16, 1, 0, 0)",
    "dead leader": "threading.Thread(target=lambda: time.sleep(60)).start()\nctypes.CDLL(None).syscall(LEAVE, 0)",
}


@pytest.mark.parametrize("hiding", HIDINGS)
@pytest.mark.parametrize("profile", [Profile.VERIFY, Profile.AGENT])
def test_nothing_that_hides_outlives_its_time(lab, alive, hiding, profile) -> None:
    leave = 60 if IS_X86 else 93
    script = f"import ctypes, os, resource, signal, threading, time\nLEAVE = {leave}\n{HIDINGS[hiding]}\nos.execvp('sleep', ['sleep', '{MARK}'])"  # noqa: E501
    shell = f'{PYTHON} -c "$1" & sleep {MARK}'
    began = time.monotonic()
    spec = lab.place.spec("sh", "-c", shell, "sh", script, profile=profile, timeout_s=0.7)
    running = lab.confined.start(spec)
    time.sleep(0.3)
    assert alive(f"sleep\0{MARK}") or time.monotonic() - began > 0.5
    assert running.wait().ended == TimedOut(0.7)
    assert alive(f"sleep\0{MARK}") == []
    assert alive(f"'{MARK}'") == []


# --- Reports, exit codes and the wrapper's own channels.

FORGERIES = {
    "cut short": "os.ftruncate(fd, 0)",
    "made longer": "os.ftruncate(fd, 1 << 40)",
    "cut short through another descriptor": "os.close(os.open(f'/proc/self/fd/{fd}', os.O_RDWR | os.O_TRUNC))",
    "written beyond its end": "os.pwrite(fd, b'x', 64 << 20)",
    "reserved beyond its end": "os.posix_fallocate(fd, 0, 65 << 20)",
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_report_keeps_its_size(lab, forgery) -> None:
    script = "import os\nfd = int(os.environ['REPORT_FD'])\nos.write(fd, b'genuine')\n"
    outcome = lab.try_python(script + FORGERIES[forgery], report=True)
    assert outcome.ended != SUCCEEDED
    assert outcome.report == b"genuine"


SEALS = {"written no more": 8, "sealed for good": 1, "both": 9, "not through new mappings": 16}


@pytest.mark.parametrize("seal", SEALS)
def test_a_report_can_be_read_however_it_is_sealed(lab, seal) -> None:
    script = f"import fcntl, os; fd = int(os.environ['REPORT_FD']); os.write(fd, b'genuine'); fcntl.fcntl(fd, 1033, {SEALS[seal]})"  # noqa: E501
    outcome = lab.try_python(script, report=True)
    assert (outcome.ended, outcome.report) == (SUCCEEDED, b"genuine")


SAYINGS = ("ready", "go", '{"exit-code": 0}', '{ "child-pid": 1, "exit-code": 0 }', "mapped")


@only_if(IS_X86)
@pytest.mark.parametrize("saying", SAYINGS)
def test_what_is_said_through_the_first_process_does_not_change_the_exit_code(lab, saying) -> None:
    """A command may trace the first process inside and take its descriptors; none of them is evidence."""
    script = f"""
import ctypes, os, sys
libc = ctypes.CDLL(None)
pidfd = os.pidfd_open(1)
said = 0
for number in range(64):
    taken = libc.syscall(438, pidfd, number, 0)
    if taken >= 0:
        try:
            os.write(taken, {saying!r}.encode() + b"\\n")
            said += 1
        except OSError:
            pass
sys.exit(40 + bool(said))
"""
    outcome = lab.try_python(script)
    assert outcome.ended == Exited(41)


@pytest.mark.parametrize("how", [16, 0x4206], ids=["attached", "seized"])
@pytest.mark.parametrize("profile", [Profile.VERIFY, Profile.AGENT])
def test_nobody_holds_up_the_first_process_and_with_it_the_end_of_the_command(lab, how, profile) -> None:
    """The control: a process of one's own is traced."""
    script = f"""
import ctypes, os, signal, sys, time
trace = ctypes.CDLL(None).ptrace
own = os.fork() or time.sleep(60)
traced = [trace({how}, pid, 0, 0) == 0 for pid in (own, 1)]
os.kill(own, signal.SIGKILL)
sys.exit(40 + 2 * traced[0] + traced[1])
"""
    assert lab.try_python(script, profile=profile).ended == Exited(42)


def test_descriptors_sent_through_the_output_are_not_kept(lab) -> None:
    before = open_descriptors()
    script = """
import array, os, socket
end = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, fileno=1)
files = [os.open("/etc/passwd", os.O_RDONLY) for _ in range(100)]
for _ in range(5):
    end.sendmsg([b"x\\n"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))])
end.send(b"!", socket.MSG_OOB)
end.detach()
"""
    outcome = lab.try_python(script, profile=Profile.AGENT)
    assert outcome.ended == SUCCEEDED
    assert outcome.output.count(b"x\n") == 5
    assert open_descriptors() <= before


OUTPUTS = {
    "shut down": "socket.socket(socket.AF_UNIX, fileno=1).shutdown(socket.SHUT_RDWR)",
    "never read": "os.set_blocking(1, False)",
    "urgent": "socket.socket(socket.AF_UNIX, fileno=1).send(b'!', socket.MSG_OOB)",
    "a flood without lines": "[os.write(2, b'x' * 65536) for _ in range(500)]",
    "a flood of empty lines": "[os.write(2, b'\\n' * 65536) for _ in range(500)]",
}


@pytest.mark.parametrize("output", OUTPUTS)
def test_no_treatment_of_the_output_keeps_autopilot_busy_or_waiting(lab, output) -> None:
    began, used = time.monotonic(), time.process_time()
    script = f"import os, socket, time\n{OUTPUTS[output]}\ntime.sleep(60)"
    assert lab.try_python(script, profile=Profile.AGENT, timeout_s=2).ended == TimedOut(2)
    assert time.monotonic() - began < 15
    assert time.process_time() - used < 1.5


# --- Folders that are given to the command's user, and removed after it.

LURES: dict[str, Callable[[Path, Path], None]] = {
    "a link to a file": lambda folder, target: (folder / "lure").symlink_to(target / "file"),
    "a link to a folder": lambda folder, target: (folder / "lure").symlink_to(target),
    "a link within a folder": lambda folder, target: ((folder / "in").mkdir(), (folder / "in/lure").symlink_to(target))[
        1
    ],
    "a link up": lambda folder, target: (folder / "lure").symlink_to(f"../{target.name}"),
    "a link through the process": lambda folder, target: (folder / "lure").symlink_to(f"/proc/self/root{target}"),
    "a dangling link": lambda folder, target: (folder / "lure").symlink_to(target / "not there"),
    "a link to itself": lambda folder, _: (folder / "lure").symlink_to("lure"),
    "a pipe": lambda folder, _: os.mkfifo(folder / "lure"),
}


@root_only
@pytest.mark.parametrize("lure", LURES)
def test_nothing_outside_a_folder_is_given_away_or_removed_with_it(tmp_path, lure) -> None:
    target, folder = tmp_path / "target", tmp_path / "folder"
    for path in (target, folder):
        path.mkdir()
    (target / "file").write_text("kept")
    LURES[lure](folder, target)
    give_away(folder)
    assert {path.stat().st_uid for path in (target, target / "file")} == {0}
    assert {path.lstat().st_uid for path in (folder, *folder.rglob("*"))} == {kernel_uid()}
    # The control: followed, a link to something that is there changes its owner.
    led = next(path for path in (folder / "lure", folder / "in/lure") if os.path.lexists(path))
    with suppress(OSError):
        os.chown(led, 4711, 4711)
        assert 4711 in {path.lstat().st_uid for path in (target, target / "file", led)}
    remove_tree(folder)
    assert (target / "file").read_text() == "kept"
    assert not folder.exists()


REMAINS = {
    "folders without rights": "mkdir -p a/b/c && touch a/b/c/d && chmod 0 a/b/c a/b a",
    "set-user-id files": "cp /bin/true own && chmod 6755 own",
    "pipes and sockets": f"mkfifo pipe && {PYTHON} -c \"import socket; socket.socket(1).bind('s')\"",
    "a thousand links": "for n in $(seq 1000); do ln -s /etc/passwd l$n; done",
    "a folder deeper than any path": f"{PYTHON} -c \"import os\nfor _ in range(3000): os.mkdir('deep'); os.chdir('deep')\"",  # noqa: E501
    "hard links": "echo x >one && ln one two && ln one three",
    "names that are no text": "touch \"$(printf 'a\\377b')\" \"$(printf 'new\\nline')\" ./-rf",
    "attributes of an overlay": f"mkdir o && {PYTHON} -c \"import os; [os.setxattr('o', 'user.overlay.' + n, b'y') for n in ('opaque', 'redirect', 'metacopy', 'origin')]\" || true",  # noqa: E501
}


@pytest.mark.parametrize("remains", REMAINS)
@pytest.mark.parametrize("with_layer", [False, True])
def test_what_an_agent_leaves_in_its_clone_can_be_removed(lab, tmp_path, remains, with_layer) -> None:
    clone, layer = tmp_path / "clone", tmp_path / "layer"
    for folder in (clone, layer):
        folder.mkdir()
    (layer / "one").mkdir()
    give_away(clone)
    spec = CommandSpec(
        ("sh", "-c", f"rm -rf one; {REMAINS[remains]}"), Profile.AGENT, PurePosixPath(lab.place.project),
        PurePosixPath(clone), layers=(PurePosixPath(layer),) if with_layer else (), label="remains",
    )  # fmt: skip
    outcome = run(lab.confined, spec)
    assert outcome.ended == SUCCEEDED, outcome.output
    assert list(clone.iterdir())
    remove_tree(clone)
    assert not clone.exists()
    assert (layer / "one").is_dir()


@pytest.mark.parametrize("attribute", ["redirect", "metacopy", "origin", "opaque", "whiteout", "upper"])
@pytest.mark.parametrize("value", ["/", "/../../../../../../../etc", "../../../etc", "y"])
def test_attributes_of_an_overlay_in_a_clone_lead_nowhere(lab, tmp_path, attribute, value) -> None:
    """An agent writes them while its clone is mounted as it is; then the clone becomes the upper layer."""
    clone, layer = tmp_path / "clone", tmp_path / "layer"
    for folder in (clone, layer, layer / "lure"):
        folder.mkdir()
    give_away(clone)

    def go(script: str, **more: Any) -> Outcome:
        spec = CommandSpec(
            (PYTHON, "-c", script), Profile.AGENT, PurePosixPath(lab.place.project), PurePosixPath(clone), **more
        )
        return run(lab.confined, spec)

    plant = f"import os; os.mkdir('lure'); os.setxattr('lure', 'user.overlay.{attribute}', {value.encode()!r})"
    assert go(plant).ended == SUCCEEDED
    assert os.getxattr(clone / "lure", f"user.overlay.{attribute}") == value.encode()
    attack = "import os, sys; sys.exit(not any(os.path.exists(f'lure/{name}') for name in ('passwd', 'etc', 'usr')))"
    assert go(attack, layers=(PurePosixPath(layer),)).ended != SUCCEEDED
    control = "import os; os.symlink('/etc', 'led'); assert os.path.exists('led/passwd')"
    assert go(control).ended == SUCCEEDED


# --- Links of a commit.

LEADING_OUT = (
    *("/", "/etc/passwd", "//etc", "..", "../..", "../../x", "a/../../x", "./../..", "x/..", ".", "", "./"),
    *(".git", ".git/hooks", ".GIT/config", "a/.git/x", "git~1", "GIT~1/hooks", "../.git", "a/./../../b", "../a/../.."),
)


@pytest.mark.parametrize("target", LEADING_OUT)
def test_a_link_that_may_lead_out_of_the_repository_is_seen(target) -> None:
    assert leads_outside("folder/link", target) or target in ("..",)
    assert leads_outside("link", target)
    assert not leads_outside("folder/link", "../other/file")


# --- The machine's network without the network.


@pytest.mark.parametrize("kind", ["tcp", "udp", "unix file", "abstract"])
def test_services_of_the_machine_are_out_of_reach_without_a_network(lab, kind) -> None:
    server = socket.socket(
        socket.AF_UNIX if kind in ("unix file", "abstract") else socket.AF_INET,
        socket.SOCK_DGRAM if kind == "udp" else socket.SOCK_STREAM,
    )
    name: Any = ("127.0.0.1", 0)
    if kind == "unix file":
        name = str(lab.folder / "service")
    elif kind == "abstract":
        name = f"\0red-team-{os.getpid()}"
    with server:
        server.bind(name)
        server.settimeout(0.3)
        if kind != "udp":
            server.listen()
        address = server.getsockname()
        address = address.decode() if isinstance(address, bytes) else address
        script = f"import socket; s = socket.socket({int(server.family)}, {int(server.type)}); s.connect({address!r}); s.send(b'x')"  # noqa: E501
        outcome = lab.try_python(script, profile=Profile.SETUP)
        if kind == "udp":
            with pytest.raises(TimeoutError):
                server.recv(1)
        else:
            assert outcome.ended != SUCCEEDED
        subprocess.run([PYTHON, "-c", script], check=True)  # the control: outside it is reached
        if kind == "udp":
            assert server.recv(1) == b"x"
