"""What of this machine is to be seen inside a sandbox: named places, and nothing else."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from msgspec import Struct

from autopilot.adapters.files import translated

# Programs, libraries and settings of the system; some are links, since most systems have them all in /usr.
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/nix/store", "/gnu/store", "/snap")
# How many processors there are; the rest of /sys tells of the machine, and leads to its control groups.
DEVICES = Path("/sys/devices/system/cpu")
# Writable to root on the machine itself, and a way out of any sandbox (core_pattern names a program to run).
PROC_OF_THE_MACHINE = ("sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi", "mtrr")
# Root's scratch space: the state home is closed to whom root's commands run as.
_PUBLIC = Path("/run/autopilot")


class View(Struct, frozen=True):
    """What stands for every command of one sandbox; looked up once, because it costs more than a system call or two."""

    scratch: Path  # where the wrapper mounts its throw-away file system, and bubblewrap finds it
    links: tuple[tuple[str, str], ...]  # target and place
    shown: tuple[Path, ...]  # read-only, at their own places
    toolchains: tuple[Path, ...]
    covered: tuple[Path, ...]  # folders within those shown that show an empty one instead
    secrets: tuple[Path, ...]  # files that cannot be opened
    proc: tuple[str, ...]
    resolver: Path | None  # the target of /etc/resolv.conf where it lies elsewhere


def survey(
    scratch: Path, hidden: Iterable[Path], toolchains: tuple[Path, ...], shown: Iterable[Path], uid: int | None
) -> View:
    """``uid``: the number that commands have to the kernel, where it is another than ours."""
    links = tuple((str(Path(place).readlink()), place) for place in SYSTEM if Path(place).is_symlink())
    system = [Path(place) for place in SYSTEM if Path(place).is_dir() and not Path(place).is_symlink()]
    visible = (*system, *optional_programs(toolchains), *(path for path in shown if path.exists()))
    # Whom root's commands run as may read what everybody may, and no more.
    folders, files = find_secrets() if uid is None else ((), ())
    resolver = Path("/etc/resolv.conf").resolve()
    return View(
        scratch,
        links=links,
        shown=(*visible, *([DEVICES] if DEVICES.is_dir() else [])),
        toolchains=toolchains,
        covered=_outermost([*hidden, *folders], within=(*visible, *toolchains)),
        secrets=files,
        proc=tuple(place for name in PROC_OF_THE_MACHINE if Path(place := f"/proc/{name}").exists()),
        resolver=resolver if resolver.exists() and resolver.parent != Path("/etc") else None,
    )


def find_secrets(top: str = "/etc") -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """Folders and files that not everybody may read, but we may: host keys, password hashes, tokens of services.

    A command that runs for a member of some group must not profit from that.
    """
    closed_folders: list[Path] = []
    closed_files: list[Path] = []
    for parent, folders, files in os.walk(top):
        closed = [name for name in folders if _is_private(Path(parent, name), stat.S_IROTH | stat.S_IXOTH)]
        closed_folders += (Path(parent, name) for name in closed)
        folders[:] = [name for name in folders if name not in closed]
        closed_files += (path for name in files if _is_private(path := Path(parent, name), stat.S_IROTH))
    return tuple(closed_folders), tuple(closed_files)


def optional_programs(
    toolchains: Iterable[Path], top: Path = Path("/opt"), programs: Iterable[str] = ("/usr/bin", "/usr/local/bin")
) -> list[Path]:
    """The packages in /opt that the system's programs lead to; others may be anything, data of services too."""
    found: set[Path] = set()
    if not top.is_dir() or not os.listdir(top):  # noqa: PTH208 - hundreds of links are not worth following then
        return []
    real = cache(_resolve)
    for folder in programs:
        with os.scandir(folder) as entries:
            links = [entry.path for entry in entries if entry.is_symlink()]
        # A bare name leads to another entry of the same folder, which is looked at by itself.
        targets = [_follow(link, real) for link in links if "/" in os.readlink(link)]  # noqa: PTH115
        inside = (Path(target) for target in targets if target.startswith(f"{top}/"))
        found |= {top / program.relative_to(top).parts[0] for program in inside}
    return sorted(path for path in found - set(toolchains) if path.is_dir())


def _follow(link: str, real: Callable[[str], str]) -> str:
    """Where a link leads in the end. Hundreds of them share a few folders, each of which is resolved once."""
    for _ in range(40):  # as many as the kernel follows
        folder, name = os.path.split(link)
        if name in ("", ".", ".."):
            break
        link = os.path.join(real(folder), name)  # noqa: PTH118
        try:
            link = os.path.join(real(folder), os.readlink(link))  # noqa: PTH115, PTH118
        except OSError:
            return link
    return os.path.realpath(link)


def _resolve(folder: str) -> str:
    return os.path.realpath(folder)


def _is_private(path: Path, needed: int) -> bool:
    try:
        mode = path.lstat().st_mode
    except OSError:
        return False
    return not stat.S_ISLNK(mode) and mode & needed != needed and os.access(path, os.R_OK)


def make_scratch(state: Path, uid: int | None) -> Path:
    """An empty folder, on which every command mounts a file system that it alone sees."""
    scratch = state / "sandbox" if uid is None else _PUBLIC
    with translated(scratch, f"the sandbox needs the empty folder {scratch}, and it cannot be made"):
        scratch.mkdir(parents=True, exist_ok=True, mode=0o700 if uid is None else 0o755)
    return scratch


def _outermost(places: Iterable[Path], within: Iterable[Path]) -> tuple[Path, ...]:
    """Those below a shown folder, by their real path, without any that lies below another of them."""
    roots = {place.resolve() for place in within}
    real = {place.resolve() for place in places if place.is_dir()}
    below = {place for place in real if roots & {place, *place.parents}}
    return tuple(sorted(place for place in below if not below & set(place.parents)))
