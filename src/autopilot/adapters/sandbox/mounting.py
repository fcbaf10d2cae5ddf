"""What is mounted below the scratch space of one command: overlays, and places that are closed to its user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath, PurePosixPath

from autopilot.adapters.sandbox.user import is_open_to_all
from autopilot.ports.sandbox import CommandSpec, Profile


class Sources:
    """Where bubblewrap finds what it is to mount. Started as another user, it enters open folders only.

    What lies in a closed one is bound for it below the scratch space.
    """

    def __init__(self, scratch: Path, open_only: bool) -> None:
        self.scratch = scratch
        self._open_only = open_only
        self.bound: dict[str, str] = {}  # each under its name below the scratch space

    def find(self, source: PurePath) -> str:
        if not self._open_only or is_open_to_all(Path(source)):
            return str(source)
        if str(source) not in self.bound:
            self.bound[str(source)] = f"bound-{len(self.bound) + 1}"
        return f"{self.scratch}/{self.bound[str(source)]}"

    @property
    def folders(self) -> list[str]:
        return [name for source, name in self.bound.items() if Path(source).is_dir()]

    @property
    def files(self) -> list[str]:
        return [name for source, name in self.bound.items() if not Path(source).is_dir()]


def render_mounts(sources: Sources, overlays: tuple[str, str], more: Mapping[str, str] = {}) -> str:
    """What is to be mounted below the scratch space, a line each, in the form of /etc/fstab.

    ``more``: the options of further overlays, by their folder.
    """
    bound = [(source, name, "none", "rbind") for source, name in sources.bound.items()]
    overlaid = {**dict(zip(("project", "home"), overlays, strict=True)), **more}
    wanted = [*bound, *(("overlay", name, "overlay", options) for name, options in overlaid.items() if options)]
    return "\n".join(
        " ".join(_escape(field) for field in (source, f"{sources.scratch}/{name}", kind, options))
        for source, name, kind, options in wanted
    )


def _escape(field: str) -> str:
    return "".join(f"\\{ord(letter):03o}" if letter in " \t\n\\#" else letter for letter in field)


def overlay_options(spec: CommandSpec, scratch: Path, agent_work: Path | None) -> tuple[str, str]:
    """The mount options for project and HOME; "" where no overlay is wanted.

    An agent's clone is the upper layer itself: the agent sees what setup installed and writes to its clone alone.
    Nothing is copied by us, so no link that an agent committed can lead our writes anywhere.
    """
    if spec.profile is Profile.AGENT:
        lower = ":".join(str(path) for path in spec.layers)
        return (_render_options(lower, spec.backing, agent_work) if agent_work else ""), ""
    project = _options((spec.backing, *spec.layers), spec.keep_upper, scratch, "")
    has_home = spec.home_layers or spec.keep_home
    return project, _options(spec.home_layers, spec.keep_home, scratch, "home.") if has_home else ""


def _options(lowers: Sequence[PurePosixPath], keep: PurePosixPath | None, scratch: Path, prefix: str) -> str:
    lower = ":".join(str(path) for path in lowers) or f"{scratch}/none"  # an overlay needs one; this one is empty
    upper, work = (keep, work_beside(keep)) if keep else (scratch / f"{prefix}upper", scratch / f"{prefix}work")
    return _render_options(lower, upper, work)


def passing_options(lower: Path, scratch: Path, name: str) -> str:
    """A folder as it is, where what is written goes with the command."""
    return _render_options(str(lower), scratch / f"{name}.upper", scratch / f"{name}.work")


def _render_options(lower: str, upper: PurePath, work: PurePath) -> str:
    return f"lowerdir={lower},upperdir={upper},workdir={work},userxattr"


def work_beside(kept: PurePosixPath) -> PurePosixPath:
    """The overlay's own work folder has to lie on the same file system as the layer that is kept."""
    return kept.with_name(f"{kept.name}.work")
