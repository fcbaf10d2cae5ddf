"""The sandbox: bubblewrap over a throw-away overlay, for verification, setup and agents."""

from __future__ import annotations

import os
import resource
import shutil
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from msgspec.structs import replace

from autopilot.adapters.beneath import has_folder_beneath
from autopilot.adapters.caches import PLACE, Cache, caches_of, lead_to
from autopilot.adapters.egress.dialing import Dial, dial
from autopilot.adapters.egress.doorway import hand_out
from autopilot.adapters.egress.proxy import Proxy
from autopilot.adapters.files import is_input
from autopilot.adapters.openings import Project
from autopilot.adapters.sandbox.bell import Bell, ShouldStop, never_stop
from autopilot.adapters.sandbox.cgroup import entrance, make_group
from autopilot.adapters.sandbox.child import FIRST_FD, Launch, Spelled, keep_in_memory
from autopilot.adapters.sandbox.confinement import Find, spell_arguments
from autopilot.adapters.sandbox.landlock import restrict
from autopilot.adapters.sandbox.mounting import Sources, overlay_options, passing_options, render_mounts, work_beside
from autopilot.adapters.sandbox.never import NeverStarted
from autopilot.adapters.sandbox.overlay_folders import OverlayFolders
from autopilot.adapters.sandbox.probe import probe_machine
from autopilot.adapters.sandbox.proctree import end_all, left_by_starter
from autopilot.adapters.sandbox.registry import Registry
from autopilot.adapters.sandbox.report import open_report
from autopilot.adapters.sandbox.seccomp import assemble_filter
from autopilot.adapters.sandbox.services.attending import attend, grant, limit
from autopilot.adapters.sandbox.supervisor import Supervised
from autopilot.adapters.sandbox.toolchains import find_toolchains
from autopilot.adapters.sandbox.usage import allow, default_memory_mb
from autopilot.adapters.sandbox.user import INSIDE as INSIDE_UID
from autopilot.adapters.sandbox.user import give_away, kernel_uid, render_accounts, render_map
from autopilot.adapters.sandbox.view import View, make_scratch, survey
from autopilot.model.conditions import Conditions
from autopilot.ports.sandbox import HOME, CommandSpec, Probe, Profile, Running

SCRATCH_MB = 2048
MOST_PROCESSES = {Profile.VERIFY: 512, Profile.SETUP: 1024, Profile.AGENT: 4096}
ACCOUNTS = Path("/etc/passwd")
_TOOLS = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

FOLDERS = ("project", "upper", "work", "home", "home.upper", "home.work", "tmp", "vartmp", "shm", "none")

# Runs in its own user and mount namespace. Everything it mounts is gone with the last process that sees it.
# Started by root, it waits until its users are mapped from outside, and becomes the other one at the end; places that
# are closed to that one are bound below the scratch space.
ENTER = """
set -e
umask 022
scratch=$1 size=$2 folders=$3 files=$4 mounts=$5 input=$6 group=$7 user=$8
shift 8
[ -z "$user" ] || read -r mapped
[ -z "$group" ] || echo 0 >"$group"
# A process that opens a terminal for reading may become its owner, and the command is to own it: it opens it once more.
case $input in /dev/pts/*) exec 3>"$input" ;; *) exec 3<"$input" ;; esac
mount -n -i -t tmpfs -o "$size" tmpfs "$scratch"
cd "$scratch"
# A copy without a name: a command that has a file as its input can open it for writing, past any read-only mount of it.
if [ -f "$input" ]; then cat <&3 >input; exec 3<input; rm input; fi
IFS=/
if [ -z "$user" ]; then mkdir $folders; else install -d -o "$user" -g "$user" $folders; fi
for file in $files; do : >"$file"; done
# All in one process. Before its newest interface, mount takes option strings longer than 256 bytes.
if [ -n "$mounts" ]; then
  printf '%s\\n' "$mounts" >table
  LIBMOUNT_FORCE_MOUNT2=always mount -n -i -a -T table
fi
cd /
[ -n "$user" ] || exec "$@"
exec setpriv --reuid "$user" --regid "$user" --clear-groups --inh-caps=-all --ambient-caps=-all "$@"
"""
# The first process of the pid namespace: when it ends, the kernel ends all others, before anyone hears of it.
# It waits for leave: by then it is written down, limited, its scratch space is being watched, and bubblewrap has tied
# it to us (--die-with-parent). Should we die before, its input ends and so does it. One instant is left: bubblewrap may
# die with us before it lets its child begin, which then waits for ever. The next start looks for such a child.
# Not exec: a command as first process would ignore signals, and a missing one must be 127 and not bubblewrap's 1.
INSIDE = 'echo ready >&0; read -r go || exit 125; "$@" <&3 3<&-; exit $?'


class Bubblewrap:
    def __init__(
        self,
        state: Path,
        *,
        hidden: tuple[Path, ...] = (),
        toolchains: tuple[Path, ...] | None = None,
        shown: tuple[Path, ...] = (),
        should_stop: ShouldStop = never_stop,
        scratch_mb: int | None = None,
        memory_mb: int | None = None,
        bwrap: str = "bwrap",
        dial: Dial = dial,
        granted: Mapping[str, str] = {},
        allowed: Conditions | None = None,
        caches: tuple[Cache, ...] = (),
    ) -> None:
        """``state`` is this repository's folder in the state home; it is hidden, as are all of ``hidden``.

        ``toolchains`` are shown and stand first on the search path; unless given, that is this Python alone. Besides
        them, the system's own folders and the folders in ``shown`` can be read; nothing else of the machine is there.
        ``granted``: variables of the user's, for commands that name them; ``allowed``: the most that a check may reach;
        ``caches`` of package managers are for setups.
        """
        self._state = state
        self._overlays = OverlayFolders(state / "overlays")
        self._hidden = (state, *hidden)
        self._toolchains = find_toolchains() if toolchains is None else toolchains
        self._shown = shown
        self._registry = Registry(state)
        self._bell = Bell(should_stop)
        self._scratch_mb = scratch_mb or SCRATCH_MB
        self._memory_mb = memory_mb or default_memory_mb()
        self._bwrap = bwrap
        self._dial = dial
        self._granted = granted
        self._allowed = allowed
        self._caches = caches
        self._works: Probe | None = None  # what was found out, once everything was found to work

    def start(self, spec: CommandSpec) -> Running:
        bwrap, unshare = (shutil.which(tool, path=_TOOLS) for tool in (self._bwrap, "unshare"))
        if bwrap is None or unshare is None:
            return NeverStarted(f"{'unshare' if bwrap else 'bubblewrap (bwrap)'} is not installed")
        if problem := find_problem(spec, self._view.scratch) or find_blocked_mount(spec):
            return NeverStarted(problem)
        for kept in filter(None, (spec.keep_upper, spec.keep_home)):
            Path(work_beside(kept)).mkdir(exist_ok=True)
        try:
            spec = limit(grant(spec, self._granted, self._allowed), self._allowed)
            spec = lead_to(spec, caches_of(spec, self._caches))
            report, spec = open_report(spec)
            services, spec = attend(spec)
        except OSError as error:
            return NeverStarted(f"no descriptor for its report: {error}")
        work = self._overlays.make() if spec.profile is Profile.AGENT and spec.layers else None
        group = self._group(spec)
        door = str(entrance(group)) if group else ""
        proxy = Proxy(spec.egress, self._dial) if spec.egress else None

        def spell(status_fd: int) -> Spelled:
            return self._spell(spec, (unshare, bwrap), status_fd, door, work, proxy)

        def cleanup() -> str:
            if proxy is not None:
                proxy.close()
            if work is not None:
                self._overlays.remove(work)
            return ""

        launch = Launch(
            spell=spell,
            env=self._own_environment(),
            walled=True,
            limits=self._limits(spec),
            group=group,
            sealed=spec.profile is Profile.AGENT,
            report=report,
            services=services,
            id_map=render_map(uid) if (uid := self._uid()) else "",
            scratch=str(self._view.scratch),
            scratch_mb=self._scratch_mb,
            watched=Project(str(spec.backing), f"{self._view.scratch}/project") if spec.watched else None,
            allowance=allow(self._memory_mb, written_folder(spec)),
            cleanup=cleanup,
            refused_hosts=lambda: proxy.refused if proxy else (),
            unreached_hosts=lambda: proxy.unreached if proxy else (),
        )
        return Supervised(spec, launch, self._registry, self._bell)

    def probe(self) -> Probe:
        """Asked at every phase, tried out once: a machine that could confine commands goes on to."""
        if self._works is None:
            probe = probe_machine(self, self._bwrap)
            if not probe.usable:
                return probe
            shown = ", ".join(map(str, (*self._view.shown, *self._view.toolchains)))
            as_user = f"; commands run as user {uid}" if (uid := self._uid()) else ""
            self._works = replace(probe, detail=f"{probe.detail}; shows {shown}{as_user}")
        return self._works

    def give_away(self, folder: Path) -> None:
        give_away(folder)

    def end_orphans(self) -> tuple[str, ...]:
        ended = self._registry.end_orphans()
        end_all(lambda: left_by_starter(b"bwrap", INSIDE.encode()))
        self._overlays.remove_leftovers()
        return ended

    @cached_property
    def _view(self) -> View:
        uid = self._uid()
        scratch = make_scratch(self._state, uid)
        return survey(scratch, self._hidden, self._toolchains, self._shown, uid)

    # Each defence has a method of its own, so that a test can take away exactly one.

    def _uid(self) -> int | None:
        return kernel_uid()

    def _arguments(self, spec: CommandSpec, find: Find) -> list[str]:
        return spell_arguments(spec, self._view, find)

    def _filter(self, spec: CommandSpec) -> bytes | None:
        return assemble_filter(allow_mounts=spec.nested)

    def _command(self, spec: CommandSpec) -> tuple[str, ...]:
        """A command that shares the machine's network shares its abstract sockets, unless they are closed to it."""
        return restrict(spec.argv) if spec.network and not spec.nested else spec.argv

    def _limits(self, spec: CommandSpec) -> dict[int, int]:
        return limits_for(spec.profile, self._scratch_mb, self._memory_mb)

    def _group(self, spec: CommandSpec) -> Path | None:
        return make_group(MOST_PROCESSES[spec.profile])

    def _accounts(self) -> str:
        """Of the machine, where the user inside is missing among them; "" where it is there."""
        try:
            text = ACCOUNTS.read_text(encoding="utf-8", errors="surrogateescape")
        except OSError:
            return ""
        return render_accounts(text, os.getuid() or INSIDE_UID, str(HOME))

    def _own_environment(self) -> dict[str, str]:
        """bubblewrap's own: what stands there can be read inside, whatever --clearenv does for the command."""
        return {"PATH": _TOOLS}

    def _spell(
        self,
        spec: CommandSpec,
        programs: tuple[str, str],
        status_fd: int,
        group: str,
        work: Path | None,
        proxy: Proxy | None,
    ) -> Spelled:
        (unshare, bwrap), uid = programs, self._uid()
        scratch = self._view.scratch
        sources = Sources(scratch, open_only=uid is not None)
        arguments = [*self._arguments(spec, sources.find), "--json-status-fd", str(status_fd)]
        caches = caches_of(spec, self._caches)
        for cache in caches:
            arguments += ["--bind", f"{scratch}/{cache.overlay}", str(PLACE / cache.name)]
        fds = []
        filter_program = self._filter(spec)
        if filter_program is not None:
            fds.append(keep_in_memory(filter_program))
            arguments += ["--seccomp", str(fds[-1])]
        if accounts := self._accounts():
            fds.append(keep_in_memory(accounts.encode(errors="surrogateescape")))
            arguments += ["--ro-bind-data", str(fds[-1]), str(ACCOUNTS)]
        # By descriptor: a command line can be read by everyone on the machine, and the environment is in here.
        fds.append(keep_in_memory(b"".join(os.fsencode(word) + b"\0" for word in arguments)))
        enter = [
            *("sh", "-c", ENTER, "sandbox", str(scratch)),
            f"size={self._scratch_mb}m,nr_inodes={self._scratch_mb * 512},mode=0755,nosuid,nodev",
            "/".join((*FOLDERS, *sources.folders, *_overlay_folders(caches))),
            "/".join(sources.files),
            render_mounts(sources, overlay_options(spec, scratch, work), _overlaid(caches, scratch)),
            *(str(spec.stdin or "/dev/null"), group, str(INSIDE_UID) if uid else ""),
        ]
        command = [bwrap, "--args", str(fds[-1]), "--", "/bin/sh", "-c", INSIDE, "sh"]
        if proxy is not None and spec.egress is not None:
            fds.append(proxy.start(FIRST_FD))
            command += hand_out(spec.argv, spec.egress, fds[-1])
        else:
            command += self._command(spec)
        namespaces = [unshare, "-m", "--propagation", "private"]
        # Root's map has two users, and is written by us; an ordinary user maps itself.
        namespaces += ["-U", "--keep-caps"] if uid else ["-Ur"]
        return Spelled([*namespaces, *enter, *command], tuple(fds))


def _overlay_folders(caches: tuple[Cache, ...]) -> list[str]:
    return [f"{cache.overlay}{part}" for cache in caches for part in ("", ".upper", ".work")]


def _overlaid(caches: tuple[Cache, ...], scratch: Path) -> dict[str, str]:
    return {cache.overlay: passing_options(cache.folder, scratch, cache.overlay) for cache in caches}


def written_folder(spec: CommandSpec) -> str:
    """What it fills lies there on the disk: an agent's clone, a setup's layer; a check has scratch space alone."""
    return str(spec.backing if spec.profile is Profile.AGENT else spec.keep_upper or "")


def find_problem(spec: CommandSpec, scratch: Path) -> str:
    """What would make the wrapper misread the request, said before anything is started; "" when all is well."""
    kept = [path for path in (spec.keep_upper, spec.keep_home) if path]
    for path in (spec.backing, *spec.layers, *spec.home_layers, *kept, scratch):
        if any(letter in str(path) for letter in ',:\\"\n'):
            return (
                f"the path {str(path)!r} has a character that an overlay cannot take (comma, colon, backslash, quote)"
            )
        if path != scratch and not Path(path).is_dir():
            return f"the folder {path} is not there"
    if spec.stdin and not is_input(Path(spec.stdin)):
        return f"the input file {spec.stdin} is not there"
    arguments = (*spec.argv, *spec.env, *spec.env.values())
    if not spec.argv or any("\0" in word for word in arguments):
        return "a command needs at least one word, and no word may hold a NUL"
    return ""


def find_blocked_mount(spec: CommandSpec) -> str:
    """Why a folder cannot be mounted below an agent's project; "" when all can.

    Bubblewrap follows links to where it mounts. The clone is the upper layer, so a folder made there hides what a
    dependency layer has under that name; what the clone itself has there was committed, and is not ours to remove.
    """
    if spec.profile is not Profile.AGENT:
        return ""
    inside = (mount.target for mount in spec.mounts if mount.target.is_relative_to(spec.project))
    names = (str(target.relative_to(spec.project)) for target in inside if target != spec.project)
    blocked = [name for name in names if not has_folder_beneath(Path(spec.backing), name)]
    return (
        f"{blocked[0]} in the repository is not a folder, and the agent's context is mounted there" if blocked else ""
    )


def limits_for(profile: Profile, scratch_mb: int, memory_mb: int) -> dict[int, int]:
    # Of one process, what it can write to; address space that is only reserved, as Node and Go do, does not count.
    limits = {resource.RLIMIT_CORE: 0, resource.RLIMIT_DATA: memory_mb * 2**20}
    if _counts_processes_per_namespace():
        limits[resource.RLIMIT_NPROC] = MOST_PROCESSES[profile]
    if profile is Profile.VERIFY:
        # Larger than the scratch space: a file that fills it meets "no space left", which is known to prove nothing,
        # and not a limit by which a command fails as if by itself.
        limits |= {resource.RLIMIT_FSIZE: (scratch_mb + 1) * 1024 * 1024, resource.RLIMIT_NOFILE: 4096}
    return limits


def _counts_processes_per_namespace() -> bool:
    """Before Linux 5.14 the limit counts all of the user's processes, and a busy desktop would be over it already."""
    major, minor = os.uname().release.split(".")[:2]
    return (int(major), int("".join(c for c in minor if c.isdigit()) or 0)) >= (5, 14)
