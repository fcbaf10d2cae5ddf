"""What bubblewrap is told: the walls, the view of the file system, and the environment of one command."""

from __future__ import annotations

import os
import pwd
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from msgspec import Struct

from autopilot.adapters.sandbox.toolchains import render_path
from autopilot.ports.sandbox import HOME, CommandSpec, Profile

# Homes, sockets, mounted disks, mail and logs. /tmp, /var/tmp and /dev/shm get fresh ones.
HIDDEN = ("/home", "/root", "/run", "/mnt", "/media", "/var/spool", "/var/log")
# Writable to root on the machine itself, and a way out of any sandbox (core_pattern names a program to run).
PROC_OF_THE_MACHINE = ("sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi", "mtrr")


class View(Struct, frozen=True):
    """What stands for every command of one sandbox; looked up once, because it costs more than a system call or two."""

    scratch: Path  # where the wrapper mounts its throw-away file system
    toolchains: tuple[Path, ...]
    covered: tuple[Path, ...]  # folders that show an empty one instead
    secrets: tuple[Path, ...]  # files that cannot be opened
    proc: tuple[str, ...]
    resolver: Path | None  # the target of /etc/resolv.conf where it lies elsewhere


def survey(scratch: Path, hidden: Iterable[Path], toolchains: tuple[Path, ...]) -> View:
    folders, files = find_secrets()
    resolver = Path("/etc/resolv.conf").resolve()
    return View(
        scratch,
        toolchains,
        covered=_outermost([*(Path(place) for place in HIDDEN), *_own_home(), *hidden, *folders]),
        secrets=files,
        proc=tuple(place for name in PROC_OF_THE_MACHINE if Path(place := f"/proc/{name}").exists()),
        resolver=resolver if resolver.exists() and resolver.parent != Path("/etc") else None,
    )


def find_secrets(top: str = "/etc") -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """Folders and files that not everybody may read, but we may: host keys, password hashes, tokens of services.

    A command that runs for root, or for a member of some group, must not profit from that.
    """
    closed_folders: list[Path] = []
    closed_files: list[Path] = []
    for parent, folders, files in os.walk(top):
        closed = [name for name in folders if _is_private(Path(parent, name), stat.S_IROTH | stat.S_IXOTH)]
        closed_folders += (Path(parent, name) for name in closed)
        folders[:] = [name for name in folders if name not in closed]
        closed_files += (path for name in files if _is_private(path := Path(parent, name), stat.S_IROTH))
    return tuple(closed_folders), tuple(closed_files)


def _is_private(path: Path, needed: int) -> bool:
    try:
        mode = path.lstat().st_mode
    except OSError:
        return False
    return not stat.S_ISLNK(mode) and mode & needed != needed and os.access(path, os.R_OK)


def spell_arguments(spec: CommandSpec, view: View) -> list[str]:
    """Everything but the descriptors and the command."""
    scratch = view.scratch
    return [
        *_walls(spec),
        *_environment(spec, view),
        *("--ro-bind", "/", "/"),
        *(word for place in view.covered for word in ("--bind", f"{scratch}/{empty_folder(place)}", str(place))),
        *("--bind", f"{scratch}/tmp", "/tmp", "--bind", f"{scratch}/vartmp", "/var/tmp"),
        *("--dev", "/dev", "--bind", f"{scratch}/shm", "/dev/shm"),
        *("--proc", "/proc", *_proc(spec, view)),
        # On a mount without devices /dev/null cannot be opened.
        *(word for secret in view.secrets for word in ("--ro-bind", "/dev/null", str(secret))),
        *(word for folder in view.toolchains for word in ("--ro-bind", str(folder), str(folder))),
        *(("--ro-bind", str(view.resolver), str(view.resolver)) if spec.network and view.resolver else ()),
        *_project(spec, view),
        *(word for mount in spec.mounts for word in _mount(mount.source, mount.target, mount.writable)),
        *("--remount-ro", "/dev"),  # the one place that is not on the scratch space, whose size is watched
        *("--chdir", str(spec.project)),
    ]


def empty_folder(place: Path) -> str:
    """The folder of the scratch space that stands in for a hidden one: cheaper than a tmpfs, and capped with it."""
    return "hidden" + str(place).replace("/", "-")


def _walls(spec: CommandSpec) -> list[str]:
    words = ["--unshare-all", "--unshare-user", "--cap-drop", "ALL", "--die-with-parent", "--new-session", "--as-pid-1"]
    if spec.network:
        words.append("--share-net")
    if spec.profile is not Profile.AGENT:  # agents bring their own sandbox, which needs user namespaces
        words.append("--disable-userns")
    # Root's files must stay readable without being root: any other number maps to the same owner outside.
    return [*words, "--uid", str(os.getuid() or 1000), "--gid", str(os.getgid() or 1000)]


def _environment(spec: CommandSpec, view: View) -> list[str]:
    env: Mapping[str, str] = {
        "PATH": render_path(view.toolchains),
        "HOME": str(HOME),
        "LANG": "C.UTF-8",
        **spec.env,
    }
    return ["--clearenv", *(word for name, value in env.items() for word in ("--setenv", name, value))]


def _proc(spec: CommandSpec, view: View) -> list[str]:
    """Read-only views of what belongs to the machine.

    An ordinary user cannot write there in any case, and a covered /proc keeps an agent's own sandbox from mounting one.
    """
    if spec.profile is Profile.AGENT and os.getuid() != 0:
        return []
    return [word for place in view.proc for word in ("--ro-bind", place, place)]


def _project(spec: CommandSpec, view: View) -> list[str]:
    home = ["--bind", f"{view.scratch}/home", str(HOME)]
    merged = view.scratch / "project"
    if spec.profile is Profile.AGENT:
        return [*_mount(PurePosixPath(merged) if spec.layers else spec.backing, spec.project, writable=True), *home]
    words = ["--bind", str(merged), str(spec.project), *home]
    if (Path(spec.backing) / ".git").exists():
        words += ["--ro-bind", f"{merged}/.git", f"{spec.project}/.git"]
    return words


def _mount(source: PurePosixPath, target: PurePosixPath, writable: bool) -> list[str]:
    return ["--bind" if writable else "--ro-bind", str(source), str(target)]


def _own_home() -> list[Path]:
    """The user's home where it is not under /home; a system folder that merely serves as one is not hidden."""
    try:
        home = Path(pwd.getpwuid(os.getuid()).pw_dir)
        return [home] if home != Path("/") and home.stat().st_uid == os.getuid() != 0 else []
    except (KeyError, OSError):
        return []


def _outermost(places: Iterable[Path]) -> tuple[Path, ...]:
    """Those that exist, by their real path, without any that lies below another or in a place that is replaced."""
    replaced = {Path("/tmp"), Path("/var/tmp"), Path("/dev")}
    real = {place.resolve() for place in places if place.is_dir()}
    return tuple(sorted(place for place in real if not ({place, *place.parents} & (real | replaced) - {place})))
