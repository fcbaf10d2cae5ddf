"""P-SBX: what the throw-away overlay costs, as sandboxed ``true`` over plain bubblewrap with the same walls and view.

Both are measured turn by turn in one run, from the request to the reaped child, and compared by their medians. The
product's side includes everything it does for a command: registry, limits, control group, supervising thread.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from autopilot.adapters.sandbox.bubblewrap import Bubblewrap
from autopilot.adapters.sandbox.confinement import spell_arguments
from autopilot.adapters.sandbox.seccomp import assemble_filter
from autopilot.adapters.sandbox.view import survey
from autopilot.ports.sandbox import CommandSpec, Exited, Profile, run

GOAL = 2.5
ROUNDS = 60


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with tempfile.TemporaryDirectory() as folder:
        spec = make_project(Path(folder))
        sandbox = Bubblewrap(Path(folder) / "state")
        plain = plain_command(spec, Path(folder) / "state")

        def sandboxed() -> None:
            outcome = run(sandbox, spec)
            assert outcome.ended == Exited(0), outcome

        def unlayered() -> None:
            fd = os.memfd_create("filter", 0)
            os.write(fd, assemble_filter(allow_mounts=False) or b"")
            os.lseek(fd, 0, os.SEEK_SET)
            command = [*plain, "--seccomp", str(fd), "--", "/bin/sh", "-c", '"$@"; exit $?', "sh", *spec.argv]
            subprocess.run(command, env={}, stdin=subprocess.DEVNULL, pass_fds=(fd,), check=True)
            os.close(fd)

        took = measure({"sandboxed": sandboxed, "plain": unlayered}, rounds)
    for name, value in took.items():
        print(f"{name}: {value * 1000:.1f} ms")
    ratio = took["sandboxed"] / took["plain"]
    print(f"P-SBX: {ratio:.2f}x (goal <= {GOAL}x)")
    return 0 if ratio <= GOAL else 1


def make_project(folder: Path) -> CommandSpec:
    (folder / "backing/.git").mkdir(parents=True)
    (folder / "backing/file").write_text("content\n")
    (folder / "project").mkdir()
    backing, project = PurePosixPath(folder / "backing"), PurePosixPath(folder / "project")
    return CommandSpec(("true",), Profile.VERIFY, project=project, backing=backing, label="bench")


def plain_command(spec: CommandSpec, state: Path) -> list[str]:
    """The same arguments with the checkout bound directly, and an ordinary tmpfs where the scratch space stood."""
    scratch = state / "sandbox"
    words = iter(spell_arguments(spec, survey(scratch, (state,), (), (), None)))
    plain = ["bwrap"]
    for word in words:
        if word not in ("--bind", "--ro-bind"):
            plain.append(word)
            continue
        source, target = next(words), next(words)
        if source.startswith(f"{scratch}/project"):
            plain += [word, source.replace(f"{scratch}/project", str(spec.backing)), target]
        elif source.startswith(str(scratch)):
            plain += ["--tmpfs", target]
        else:
            plain += [word, source, target]
    return plain


def measure(subjects: dict[str, Callable[[], None]], rounds: int) -> dict[str, float]:
    took: dict[str, list[float]] = {name: [] for name in subjects}
    for _ in range(rounds):
        for name, subject in subjects.items():
            began = time.perf_counter()
            subject()
            took[name].append(time.perf_counter() - began)
    return {name: statistics.median(values) for name, values in took.items()}


if __name__ == "__main__":
    raise SystemExit(main())
