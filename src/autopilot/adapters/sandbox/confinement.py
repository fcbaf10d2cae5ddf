"""The arguments of bubblewrap: the walls, the view of the file system, and the environment of one command."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path, PurePath

from autopilot.adapters.egress.doorway import render_environment
from autopilot.adapters.sandbox.toolchains import render_path, render_search
from autopilot.adapters.sandbox.user import INSIDE, find_name
from autopilot.adapters.sandbox.view import View
from autopilot.ports.sandbox import HOME, CommandSpec, Profile

PRIVATE = ("/tmp", "/var/tmp", "/dev/shm")  # every command has its own

# Where bubblewrap finds what is to be mounted: a place that is closed to it was handed in under another name.
Find = Callable[[PurePath], str]


def spell_arguments(spec: CommandSpec, view: View, find: Find = str) -> list[str]:
    """Everything but the descriptors and the command. Only what is named here is to be seen."""
    scratch = view.scratch
    return [
        *_walls(spec),
        *_environment(spec, view),
        *(word for folder in view.shown for word in _mount(find(folder), folder)),
        *(word for target, place in view.links for word in ("--symlink", target, place)),
        *("--bind", f"{scratch}/tmp", "/tmp", "--bind", f"{scratch}/vartmp", "/var/tmp"),
        *("--dev", "/dev", "--bind", f"{scratch}/shm", "/dev/shm"),
        *("--proc", "/proc", *_proc(spec, view)),
        *(word for folder in (*_within_private(view), *view.toolchains) for word in _mount(find(folder), folder)),
        *(word for place in view.covered for word in ("--ro-bind", f"{scratch}/none", str(place))),
        # On a mount without devices /dev/null cannot be opened.
        *(word for secret in view.secrets for word in ("--ro-bind", "/dev/null", str(secret))),
        *(("--ro-bind", find(view.resolver), str(view.resolver)) if spec.network and view.resolver else ()),
        *_project(spec, view, find),
        *(word for mount in spec.mounts for word in _mount(find(mount.source), mount.target, mount.writable)),
        # The two places that are not on the scratch space, whose size is watched.
        *("--remount-ro", "/dev", "--remount-ro", "/"),
        *("--chdir", str(spec.project)),
    ]


def _walls(spec: CommandSpec) -> list[str]:
    arguments = [
        "--unshare-all",
        "--unshare-user",
        "--cap-drop",
        "ALL",
        "--die-with-parent",
        "--new-session",
        "--as-pid-1",
    ]
    if spec.network:
        arguments.append("--share-net")
    if not spec.nested:
        arguments.append("--disable-userns")
    return [*arguments, "--uid", str(os.getuid() or INSIDE), "--gid", str(os.getgid() or INSIDE)]


def _environment(spec: CommandSpec, view: View) -> list[str]:
    env: Mapping[str, str] = {
        **render_search(render_path(view.toolchains), spec.search, spec.project),
        "HOME": str(HOME),
        "LANG": "C.UTF-8",
        **_of_a_shell(),
        **spec.env,
        **(render_environment(spec.egress) if spec.egress else {}),
    }
    return ["--clearenv", *(word for name, value in env.items() for word in ("--setenv", name, value))]


def _of_a_shell() -> dict[str, str]:
    """What every login sets: code must not know a check by their absence."""
    name = find_name(os.getuid() or INSIDE)
    return {"USER": name, "LOGNAME": name, "SHELL": "/bin/bash"}


def _proc(spec: CommandSpec, view: View) -> list[str]:
    """Read-only views of what belongs to the machine; a covered /proc cannot be mounted again from inside.

    A sandbox of the agent's own may need that, and gets a /proc of its own processes: nothing there is its to write.
    """
    if spec.nested:
        return []
    return [word for place in view.proc for word in ("--ro-bind", place, place)]


def _project(spec: CommandSpec, view: View, find: Find) -> list[str]:
    home = ["--bind", f"{view.scratch}/home", str(HOME)]
    merged = view.scratch / "project"
    if spec.profile is Profile.AGENT:
        return [*_mount(str(merged) if spec.layers else find(spec.backing), spec.project, writable=True), *home]
    arguments = ["--bind", str(merged), str(spec.project), *home]
    if (Path(spec.backing) / ".git").exists():
        arguments += ["--ro-bind", f"{merged}/.git", f"{spec.project}/.git"]
    return arguments


def _within_private(view: View) -> list[Path]:
    """Shown folders that a scratch folder has just covered, to be mounted once more."""
    return [folder for folder in view.shown if any(folder.is_relative_to(place) for place in PRIVATE)]


def _mount(source: str, target: PurePath, writable: bool = False) -> list[str]:
    return ["--bind" if writable else "--ro-bind", source, str(target)]
