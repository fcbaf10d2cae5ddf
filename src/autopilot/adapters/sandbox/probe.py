"""Can this machine confine commands? Found out by trying, each answer with what to do about it."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path, PurePosixPath

from autopilot.ports.sandbox import CommandSpec, Exited, Probe, Profile, Sandbox, describe_ended, run

_TOOLS = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_OLDEST = (0, 8)
_APPARMOR = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
_SYSCTL = Path("/proc/sys/kernel/unprivileged_userns_clone")
_MAXIMUM = Path("/proc/sys/user/max_user_namespaces")

# Removing a folder that came from below and making it anew is what older kernels refuse on a tmpfs.
_OVERLAY = """
mount -t tmpfs tmpfs "$1" && cd "$1" && mkdir -p lower/d upper work merged && : >lower/d/file &&
mount -t overlay overlay -o "lowerdir=$1/lower,upperdir=$1/upper,workdir=$1/work,userxattr" merged &&
rm -rf merged/d && mkdir merged/d && [ ! -e merged/d/file ]
"""


def probe_machine(sandbox: Sandbox, bwrap: str = "bwrap") -> Probe:
    version = _try([bwrap, "--version"])[1]
    problem = _check_tools(bwrap, version) or _check_overlay()
    return problem or _check_whole(sandbox, version)


def parse_version(text: str) -> tuple[int, int] | None:
    found = re.search(r"(\d{1,9})\.(\d{1,9})", text)
    return (int(found[1]), int(found[2])) if found else None


def _check_tools(bwrap: str, reply: str) -> Probe | None:
    if shutil.which(bwrap, path=_TOOLS) is None:
        return Probe(
            False, "bubblewrap (bwrap) is not installed", "`apt-get install bubblewrap`, or your system's package"
        )
    for tool in ("unshare", "mount"):
        if shutil.which(tool, path=_TOOLS) is None:
            return Probe(False, f"{tool} is not installed", "`apt-get install util-linux mount`")
    version = parse_version(reply)
    if version is None or version < _OLDEST:
        return Probe(
            False, f"bubblewrap {version} is too old", "install bubblewrap 0.8 or newer (Debian 12, Ubuntu 24.04)"
        )
    return None


def _namespace_remedy() -> str:
    if _reads(_APPARMOR, "1"):
        return (
            "AppArmor restricts user namespaces (Ubuntu 24.04): allow them for bwrap and unshare with a profile, or "
            "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0"
        )
    if _reads(_SYSCTL, "0"):
        return "sudo sysctl kernel.unprivileged_userns_clone=1"
    if _reads(_MAXIMUM, "0"):
        return "sudo sysctl user.max_user_namespaces=10000"
    return (
        "in a container: start it with --security-opt seccomp=unconfined --security-opt apparmor=unconfined "
        "--security-opt systempaths=unconfined (Docker's defaults forbid user namespaces and a /proc of their own; "
        "Podman calls the last one unmask=ALL)"
    )


def _check_overlay() -> Probe | None:
    """In namespaces of its own: where these cannot be made, that is the reason."""
    with tempfile.TemporaryDirectory() as folder:
        ok, output = _try(["unshare", "-Ur", "-m", "--propagation", "private", "sh", "-c", _OVERLAY, "probe", folder])
    if ok:
        return None
    can_unshare, refusal = _try(["unshare", "-Ur", "-m", "true"])
    if not can_unshare:
        return Probe(False, f"user namespaces cannot be made: {refusal}", _namespace_remedy())
    return Probe(False, f"an overlay over a tmpfs does not work here: {output}", "use Linux 6.6 or newer")


def _check_whole(sandbox: Sandbox, version: str) -> Probe:
    with tempfile.TemporaryDirectory() as folder:
        backing = PurePosixPath(folder)
        outcome = run(sandbox, CommandSpec(("true",), Profile.VERIFY, backing, backing, timeout_s=20, label="probe"))
    if outcome.ended != Exited(0):
        return Probe(False, f"a trial command did not run: {describe_ended(outcome.ended)}", _namespace_remedy())
    return Probe(True, f"{version}, overlay on tmpfs")


def _try(argv: list[str]) -> tuple[bool, str]:
    try:
        done = subprocess.run(argv, env={"PATH": _TOOLS}, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return False, str(error)
    return done.returncode == 0, (done.stdout or done.stderr).strip()


def _reads(path: Path, value: str) -> bool:
    try:
        return path.read_text().strip() == value
    except OSError:
        return False
