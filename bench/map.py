"""P-MAP: the repository map over the parse alone and over its peers, on Django, `viem` and `effect` as published."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct
from peers.mappers import peers

from autopilot.repomap.languages import language_of

CHANGED = 10
PARSED = ("python", "typescript", "javascript", "tsx")
FLOOR = """
import sys, pathlib, tree_sitter, tree_sitter_python, tree_sitter_typescript
parsers = {"py": tree_sitter.Parser(tree_sitter.Language(tree_sitter_python.language())),
           "ts": tree_sitter.Parser(tree_sitter.Language(tree_sitter_typescript.language_typescript())),
           "js": tree_sitter.Parser(tree_sitter.Language(tree_sitter_typescript.language_tsx()))}
for name in sys.stdin.read().split("\\n"):
    parser = parsers.get(name.rpartition(".")[2])
    if parser: parser.parse(pathlib.Path(name).read_bytes())
"""


def main() -> None:
    say(f"machine: {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for label, fetch in (("django", fetch_django), ("viem+effect", fetch_scripts)):
            try:
                tree = fetch(folder)
            except (subprocess.SubprocessError, OSError, IndexError, StopIteration) as error:
                say(f"P-MAP {label}: missing, it could not be fetched ({error})")
                continue
            measure(label, make_repository(tree), folder / f"state-{label}")


def say(line: str) -> None:
    print(line, flush=True)


def measure(label: str, tree: Path, state: Path) -> None:
    files = [path for path in listed(tree) if language_of(path) in PARSED]
    floor = min(timed([sys.executable, "-c", FLOOR], tree, stdin="\n".join(files)).computed for _ in range(2))
    one, two = timed(build(1), tree, state / "one"), timed(build(2), tree, state / "two")
    say(f"{label}: {len(files)} files; parse {floor:.2f}, map {one.computed:.2f}, by two {two.computed:.2f} s of CPU")
    say(f"P-MAP {label} CPU over the parse: {one.computed / floor:.2f}x (goal <= 1.3x)")
    load, kilobytes = os.getloadavg()[0], max(one.kilobytes, two.kilobytes)
    say(f"P-MAP {label} two processes over one: {one.took / two.took:.2f}x (goal >= 1.6x), load {load:.1f}")
    say(f"P-MAP {label} memory of the largest process: {kilobytes / 1024:.0f} MB (goal <= 100 MB)")
    say(f"P-MAP {label} nothing changed: {refreshed(tree, state / 'one')} (goal <= 50 ms)")
    for path in files[:: max(1, len(files) // CHANGED)][:CHANGED]:
        with (tree / path).open("a", encoding="utf-8") as file:
            file.write("\n\n")
    say(f"P-MAP {label} ten changed files: {refreshed(tree, state / 'one')} (goal <= 200 ms)")
    for peer in peers(tree, files):
        if not peer.command:
            say(f"P-MAP {label} over {peer.name}: missing, it could not be installed")
            continue
        took = timed(peer.command, tree, stdin=peer.stdin).computed
        say(f"P-MAP {label} CPU over {peer.name}: {one.computed / took:.2f}x of {took:.2f} s ({peer.goal})")


def build(jobs: int) -> list[str]:
    return [sys.executable, "-m", "autopilot", "repomap", "build", "-q", "--jobs", str(jobs)]


REFRESH = """
import os, time; from pathlib import Path; from autopilot.api.assembly import find_repository
from autopilot.api.repomap import open_maps; from autopilot.settings.reading import read_settings
settings = read_settings(); maps = open_maps(find_repository(Path('.'), settings), settings)
before, began = os.times(), time.perf_counter(); maps.refresh(); took = time.perf_counter() - began
computed = sum(os.times()[:4]) - sum(before[:4])
print(f'{took * 1000:.0f} ms, {computed * 1000:.0f} ms of CPU')
"""


def refreshed(tree: Path, state: Path) -> str:
    """In a process that is running already, as before a phase."""
    env = {**os.environ, "AUTOPILOT_STATE_HOME": str(state)}
    command = [sys.executable, "-c", REFRESH]
    return subprocess.run(command, cwd=tree, env=env, capture_output=True, text=True, check=True).stdout.strip()


class Timed(Struct, frozen=True):
    computed: float
    took: float
    kilobytes: int  # of the largest of its processes


WATCHED = """
import json, resource, subprocess, sys, time
began = time.perf_counter()
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([used.ru_utime + used.ru_stime, time.perf_counter() - began, used.ru_maxrss]))
"""


def timed(command: Sequence[str], cwd: Path, state: Path | None = None, stdin: str = "") -> Timed:
    """By a process that has no other children: the largest of all so far would be counted."""
    env = {**os.environ, **({"AUTOPILOT_STATE_HOME": str(state)} if state else {})}
    watched = [sys.executable, "-c", WATCHED, *command]
    done = subprocess.run(watched, cwd=cwd, env=env, input=stdin, text=True, capture_output=True, check=True)
    return Timed(*json.loads(done.stdout))


def fetch_django(folder: Path) -> Path:
    pip = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "-q",
        "--no-deps",
        "--no-binary",
        "django",
        "-d",
        str(folder),
        "django",
    ]
    subprocess.run(pip, check=True, capture_output=True, timeout=300)
    return unpack(next(iter(folder.glob("[dD]jango-*.tar.gz"))), folder / "django", lambda _: True)


def fetch_scripts(folder: Path) -> Path:
    for package in ("viem", "effect"):
        done = subprocess.run(
            ["npm", "pack", "--silent", package], cwd=folder, check=True, capture_output=True, text=True, timeout=300
        )
        unpack(folder / done.stdout.split()[-1], folder / "scripts" / package, is_source)
    return folder / "scripts"


def is_source(path: str) -> bool:
    return path.endswith((".ts", ".tsx")) and not path.endswith(".d.ts")


def unpack(archive: Path, target: Path, wanted: Callable[[str], bool]) -> Path:
    with tarfile.open(archive) as packed:
        packed.extractall(target, [m for m in packed if m.isfile() and wanted(m.name)], filter="data")
    return target


def make_repository(tree: Path) -> Path:
    identity = ("-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "gc.auto=0")
    for words in (("init", "-q"), ("add", "-A"), (*identity, "commit", "-q", "-m", "all")):
        subprocess.run(["git", *words], cwd=tree, check=True, capture_output=True)
    return tree


def listed(tree: Path) -> list[str]:
    done = subprocess.run(["git", "ls-files", "-z"], cwd=tree, check=True, capture_output=True, text=True)
    return [path for path in done.stdout.split("\0") if path]


if __name__ == "__main__":
    main()
