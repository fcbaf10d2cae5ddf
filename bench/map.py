"""P-MAP: the repository map over the parse alone and over its peers, on Django, `viem` and `effect` as published."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

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
    print(f"machine: {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for label, fetch in (("django", fetch_django), ("viem+effect", fetch_scripts)):
            try:
                tree = fetch(folder)
            except (subprocess.SubprocessError, OSError, IndexError) as error:
                print(f"P-MAP {label}: missing, it could not be fetched ({error})")
                continue
            measure(label, make_repository(tree), folder / f"state-{label}")


def measure(label: str, tree: Path, state: Path) -> None:
    files = [path for path in listed(tree) if language_of(path) in PARSED]
    floor, _, _ = timed([sys.executable, "-c", FLOOR], tree, stdin="\n".join(files))
    one, one_wall, memory = timed(build(1), tree, state / "one")
    two, two_wall, _ = timed(build(2), tree, state / "two")
    print(f"{label}: {len(files)} files; parse {floor:.2f} s, map {one:.2f} s, by two processes {two:.2f} s of CPU")
    print(f"P-MAP {label} CPU over the parse: {one / floor:.2f}x (goal <= 1.3x)")
    print(f"P-MAP {label} two processes over one: {one_wall / two_wall:.2f}x (goal >= 1.6x)")
    print(f"P-MAP {label} memory of the largest process: {memory / 1024:.0f} MB (goal <= 100 MB)")
    print(f"P-MAP {label} nothing changed: {refresh_ms(tree, state / 'one'):.0f} ms (goal <= 50 ms)")
    for path in files[:: max(1, len(files) // CHANGED)][:CHANGED]:
        with (tree / path).open("a", encoding="utf-8") as file:
            file.write("\n\n")
    print(f"P-MAP {label} ten changed files: {refresh_ms(tree, state / 'one'):.0f} ms (goal <= 200 ms)")
    for peer, goal, command in peers(tree):
        if not command:
            print(f"P-MAP {label} over {peer}: missing, it could not be installed")
            continue
        took, _, _ = timed(command, tree)
        print(f"P-MAP {label} CPU over {peer}: {one / took:.2f}x ({goal})")


def build(jobs: int) -> list[str]:
    return [sys.executable, "-m", "autopilot", "repomap", "build", "-q", "--jobs", str(jobs)]


def refresh_ms(tree: Path, state: Path) -> float:
    """In a process that is running already, as before a phase."""
    code = (
        "import sys, time; from pathlib import Path; from autopilot.api.assembly import find_repository\n"
        "from autopilot.api.repomap import open_maps; from autopilot.settings.reading import read_settings\n"
        "settings = read_settings(); maps = open_maps(find_repository(Path('.'), settings), settings)\n"
        "from autopilot.repomap.extracting import extract; extract(b'', 'python'); extract(b'', 'typescript')\n"
        "began = time.perf_counter(); maps.refresh(); print((time.perf_counter() - began) * 1000)\n"
    )
    env = {**os.environ, "AUTOPILOT_STATE_HOME": str(state)}
    done = subprocess.run([sys.executable, "-c", code], cwd=tree, env=env, capture_output=True, text=True, check=True)
    return float(done.stdout)


def timed(command: Sequence[str], cwd: Path, state: Path | None = None, stdin: str = "") -> tuple[float, float, int]:
    """Seconds of CPU, seconds, and kilobytes of the largest process so far."""
    env = {**os.environ, **({"AUTOPILOT_STATE_HOME": str(state)} if state else {})}
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, cwd=cwd, env=env, input=stdin, text=True, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    computed = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return computed, time.perf_counter() - began, after.ru_maxrss


def peers(tree: Path) -> list[tuple[str, str, list[str]]]:
    ctags = shutil.which("ctags")
    grep = installed(["npm", "install", "--prefix", str(tree.parent / "peers"), "--silent", "@ast-grep/cli"])
    program = tree.parent / "peers" / "node_modules" / ".bin" / "ast-grep"
    aider = tree.parent / "aider"
    has_aider = installed([sys.executable, "-m", "venv", str(aider)]) and installed(
        [str(aider / "bin" / "pip"), "install", "-q", "aider-chat"]
    )
    shown = [
        str(aider / "bin" / "aider"),
        "--show-repo-map",
        "--map-tokens",
        "2000",
        "--no-check-update",
        "--yes-always",
    ]
    return [
        ("universal-ctags", "printed", [ctags, "-R", "-f", "/dev/null", "."] if ctags else []),
        ("ast-grep", "goal <= 1x", [str(program), "scan", "--inline-rules", RULES, "."] if grep else []),
        ("aider", "goal <= 0.17x", shown if has_aider else []),
    ]


RULES = """{id: f, language: python, rule: {kind: function_definition}}
---
{id: g, language: ts, rule: {kind: function_declaration}}"""


def installed(command: Sequence[str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False, timeout=300).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


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
