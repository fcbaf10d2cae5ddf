"""A real agent works for an ordinary user too: when the tests run as root, this one becomes nobody first (T5)."""

from __future__ import annotations

import os
import subprocess
import sysconfig
from pathlib import Path

import autopilot
from tests.agents.installed import ROOT, installed

# covers: T5
SCRIPT = """
import os, sys
from pathlib import Path
from autopilot.simulation.model_server.script import Reply, Run, Write
from tests.agents.kit import ANSWER, COMMIT, Stage

assert os.getuid() != 0
stage = Stage(Path(sys.argv[1]))
server = stage.serve(Write(path="new.py", text="x = 1\\n"), Run(command=COMMIT), Reply(value=ANSWER))
reply = stage.hire("codex", server).call(stage.call())
stage.close()
assert (reply.ending, reply.value) == ("completed", ANSWER), reply
assert stage.world.git("show", "--format=%s", "--name-only", "HEAD").split() == ["by", "its", "own", "tools", "new.py"]
print("all is well")
"""


def test_codex_works_and_commits_for_an_ordinary_user(tmp_path: Path) -> None:
    installed("codex")
    packages = [Path(autopilot.__file__).parent.parent, ROOT, sysconfig.get_paths()["platlib"]]
    become = []
    if os.getuid() == 0:
        become = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        os.chown(tmp_path, 65534, 65534)
        for parent in (tmp_path, *tmp_path.parents):  # those above may be closed to everybody else
            if parent == Path("/tmp"):
                break
            if parent.owner() == "root":
                parent.chmod(parent.stat().st_mode | 0o011)
    env = {"PATH": "/usr/bin:/bin", "PYTHONPATH": ":".join(map(str, packages)), "PYTHONDONTWRITEBYTECODE": "1"}
    argv = [*become, "/usr/bin/python3", "-c", SCRIPT, str(tmp_path)]
    done = subprocess.run(argv, env=env, capture_output=True, text=True, check=False, timeout=120, cwd="/")
    assert done.stdout == "all is well\n", done.stderr
