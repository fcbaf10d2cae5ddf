"""The attacks of hostile checkouts and clones, once more as an ordinary user: the tests often run as root (T1, T3)."""

from __future__ import annotations

import os
import subprocess
import sysconfig
from pathlib import Path

import autopilot

# covers: T1, T3
ROOT = Path(__file__).parents[3]
FILES = ("test_hostile_checkouts.py", "test_hostile_redirections.py", "test_hostile_clones.py")
EVERY = os.environ.get("AUTOPILOT_CHAOS", "") != ""
SAMPLE = "twice or submodule or object or link"  # names of attacks; all of them in `make chaos`


def test_no_attack_works_against_an_ordinary_user(tmp_path: Path) -> None:
    packages = [Path(autopilot.__file__).parent.parent, ROOT, sysconfig.get_paths()["platlib"]]
    become = []
    if os.getuid() == 0:
        become = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        os.chown(tmp_path, 65534, 65534)
        for parent in (tmp_path, *tmp_path.parents):  # those above may be closed to everybody else
            if parent.owner() == "root" and parent not in (Path("/tmp"), Path("/")):
                parent.chmod(parent.stat().st_mode | 0o011)
    env = {"PATH": "/usr/bin:/bin", "PYTHONPATH": ":".join(map(str, packages)), "PYTHONDONTWRITEBYTECODE": "1"}
    env |= {"TMPDIR": str(tmp_path), "HOME": str(tmp_path), "PYTEST_DEBUG_TEMPROOT": str(tmp_path)}
    files = [str(ROOT / "tests/contract/git" / name) for name in FILES]
    words = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", *([] if EVERY else ["-k", SAMPLE]), *files]
    done = subprocess.run(
        [*become, "/usr/bin/python3", "-m", "pytest", *words],
        env=env, capture_output=True, text=True, check=False, timeout=600, cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout and "skipped" not in done.stdout
