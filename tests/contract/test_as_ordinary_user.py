"""Every attack once more as an ordinary user, because the tests often run as root (T1, T3, T5, T6).

Of the first file of one room a sample of the day in `make test`, all of all files in `make chaos`.
"""

from __future__ import annotations

import os
import subprocess
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import autopilot
from tests.memory import MEMORY, has_room
from tests.seed import NAME, seed

# covers: T1, T3, T5, T6
ROOT = Path(__file__).parents[2]
NOBODY = 65534
ATTACKS = {
    "git": ("test_hostile_checkouts.py", "test_hostile_redirections.py", "test_hostile_clones.py"),
    "parsing": ("test_process.py",),
    "sandbox": ("test_red_team.py", "test_walls.py", "test_seccomp.py", "test_agent_profile.py", "test_usage.py"),
}
CHAOS = os.environ.get("AUTOPILOT_CHAOS", "")
HOUR_S = 3600


@pytest.fixture
def home() -> Iterator[Path]:
    """Not below /tmp, which every sandbox has for itself; and root's folders may be closed to everybody else.

    The sample of `make test` lies in memory: root attacks the same on a disk, and `make chaos` does both there."""
    open_to_all = MEMORY if has_room() and not CHAOS else "/srv"
    place = open_to_all if os.getuid() == 0 else None
    with tempfile.TemporaryDirectory(dir=place, ignore_cleanup_errors=True) as folder:
        if os.getuid() == 0:
            os.chown(folder, NOBODY, NOBODY)
        yield Path(folder)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("room", ATTACKS)
def test_no_attack_works_against_an_ordinary_user(home: Path, room: str) -> None:
    become = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"] if os.getuid() == 0 else []
    packages = [Path(autopilot.__file__).parent.parent, ROOT, sysconfig.get_paths()["platlib"]]
    env = {"PATH": "/usr/bin:/bin", "PYTHONPATH": ":".join(map(str, packages)), "PYTHONDONTWRITEBYTECODE": "1"}
    env |= {"TMPDIR": str(home), "HOME": str(home), "PYTEST_DEBUG_TEMPROOT": str(home)}
    env |= {NAME: seed(), "AUTOPILOT_CHAOS": CHAOS}
    files = [str(ROOT / "tests/contract" / room / name) for name in ATTACKS[room][: None if CHAOS else 1]]
    pytest_words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    done = subprocess.run(
        [*become, "/usr/bin/python3", *pytest_words, *files],
        env=env, capture_output=True, text=True, check=False, timeout=HOUR_S, cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout and "skipped" not in done.stdout
