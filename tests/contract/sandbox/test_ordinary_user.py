"""Everything works for an ordinary user too: when the tests run as root, this one becomes nobody first (T5, T6)."""

from __future__ import annotations

import os
import subprocess
import sysconfig
from pathlib import Path

import autopilot

# covers: T5, T6, T5.services, T5.caches
SCRIPT = """
import os, socket, subprocess, sys
from pathlib import Path, PurePosixPath
from autopilot.model.conditions import Daemon
from autopilot.model.egress import Egress
from autopilot.adapters.caches import find_caches
from autopilot.adapters.sandbox.bubblewrap import Bubblewrap
from autopilot.adapters.sandbox.layers import DependencyLayers
from autopilot.adapters.sandbox.unconfined import Unconfined
from autopilot.ports.layers import SetupRun
from autopilot.ports.sandbox import CommandSpec, Exited, Profile, TimedOut, run

folder = Path(sys.argv[1])
assert os.getuid() != 0
backing, project, state = folder / "backing", folder / "project", folder / "state"
backing.mkdir(); project.mkdir()
(backing / "kept.txt").write_text("original")
env = {"PATH": "/usr/bin:/bin", "HOME": str(folder)}
named = ["-c", "user.name=t", "-c", "user.email=t@example.invalid"]
for words in (["init", "-q"], ["add", "."], [*named, "commit", "-q", "-m", "first"]):
    subprocess.run(["git", *words], cwd=backing, check=True, env=env)

def spec(script, profile=Profile.VERIFY, **more):
    place = {"project": PurePosixPath(project), "backing": PurePosixPath(backing)}
    return CommandSpec(("sh", "-c", script), profile, **place, **more)

sandbox = Bubblewrap(state)
probe = sandbox.probe()
assert probe.usable, probe
shown = run(sandbox, spec("echo changed >kept.txt; git status --porcelain; id -u"))
assert shown.output.decode().split() == ["M", "kept.txt", str(os.getuid())], shown
assert (backing / "kept.txt").read_text() == "original"
assert run(sandbox, spec("exit 3")).ended == Exited(3)
assert run(sandbox, spec("cat kept.txt", watched=True)).opened == ("kept.txt",)
assert run(sandbox, spec("setsid sleep 300 & sleep 300", timeout_s=0.5)).ended == TimedOut(0.5)
assert run(sandbox, spec("unshare -U true")).ended != Exited(0)
assert run(sandbox, spec("[ $(ulimit -p 2>/dev/null || ulimit -u) -le 512 ]")).ended == Exited(0)
layers = DependencyLayers(state / "layers", sandbox)
def setup(command):
    return SetupRun(command, PurePosixPath(project), 30, "setup")
made = layers.ensure(setup("mkdir deps; echo x >deps/tool; rm kept.txt; mkdir kept.txt"), PurePosixPath(backing))
below = {"layers": (made.project,), "home_layers": (made.home,)}
used = run(sandbox, spec("cat deps/tool kept.txt; rm -rf deps && mkdir deps && ls deps", **below))
assert (used.ended, used.output) == (Exited(0), b"x\\noriginal"), used
failed = layers.ensure(setup("mkdir deps; exit 1"), PurePosixPath(backing))
assert failed.ended == Exited(1) and len(list((state / "layers").iterdir())) == 1
nested = "bwrap --unshare-user --unshare-pid --ro-bind / / --proc /proc --dev /dev true"
assert run(sandbox, spec(nested, Profile.AGENT, network=True, nested=True)).ended == Exited(0)
with socket.create_server(("127.0.0.1", 0)) as named, socket.create_server(("127.0.0.1", 0)) as other:
    ports = [server.getsockname()[1] for server in (named, other)]
    reach = "bash -c 'exec 3<>/dev/tcp/127.0.0.1/{}'"
    allowed = {"profile": Profile.AGENT, "egress": Egress((), ports[:1])}
    ended = [run(sandbox, spec(reach.format(port), **allowed)).ended for port in ports]
    assert ended == [Exited(0), Exited(1)], ended
ask = "exec 3<>/dev/tcp/127.0.0.1/47128; printf 'CONNECT a.example:443 HTTP/1.1\\r\\n\\r\\n' >&3; cat <&3"
refused = run(sandbox, spec(f'bash -c "{ask}"', Profile.AGENT, egress=Egress()))
assert refused.refused_hosts == ("a.example",), refused
programs = sorted(Path("/usr/lib/postgresql").iterdir())[-1] / "bin"
start = f"{programs}/initdb -D /tmp/pg -A trust -U app --no-sync && exec {programs}/postgres -D /tmp/pg -k /tmp"
database = Daemon("db", start, "psql -h 127.0.0.1 -U app -qc 'select 1' postgres", 5432, 60.0)
asked = run(sandbox, spec("psql -h 127.0.0.1 -U app -Atc 'select 6*7' postgres", services=(database,)))
assert (asked.ended, asked.output) == (Exited(0), b"42\\n"), asked
for name in (".cache/pip/wheel", ".npm/_cacache/entry"):
    (folder / name).parent.mkdir(parents=True)
    (folder / name).write_text("cached")
cached = Bubblewrap(state, caches=find_caches(("pip", "npm"), {"HOME": str(folder)}, is_owner=True))
change = 'cat "$PIP_CACHE_DIR/wheel" && rm "$npm_config_cache/_cacache/entry" && echo new >"$PIP_CACHE_DIR/wheel"'
used = run(cached, spec(change, Profile.SETUP))
assert (used.ended, used.output) == (Exited(0), b"cached"), used
assert {(folder / name).read_text() for name in (".cache/pip/wheel", ".npm/_cacache/entry")} == {"cached"}
assert run(Unconfined(state), spec("setsid sleep 300 & exit 4")).ended == Exited(4)
assert list((state / "processes").iterdir()) == []
print("all is well")
"""


def test_an_ordinary_user_gets_the_same_sandbox(tmp_path) -> None:
    packages = [Path(autopilot.__file__).parent.parent, sysconfig.get_paths()["platlib"]]
    become = []
    if os.getuid() == 0:
        # Root's own Python may lie in a home that nobody else can enter; folders above ours may be closed too.
        become = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        os.chown(tmp_path, 65534, 65534)
        for parent in (tmp_path, *tmp_path.parents):
            if parent.owner() == "root" and parent != Path("/tmp"):
                parent.chmod(parent.stat().st_mode | 0o011)
            if parent == Path("/tmp"):
                break
    env = {"PATH": "/usr/bin:/bin", "PYTHONPATH": ":".join(map(str, packages)), "PYTHONDONTWRITEBYTECODE": "1"}
    argv = [*become, "/usr/bin/python3", "-c", SCRIPT, str(tmp_path)]
    done = subprocess.run(argv, env=env, capture_output=True, text=True, check=False, timeout=120, cwd="/")
    assert done.stdout == "all is well\n", done.stderr
