"""The naive check: the test command, run where the agent worked, and its exit status believed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

from tests.liars.case import Act, Case, acts_of
from tests.liars.world import Stage, named, stage


def believes(case: Case, folder: Path, programs: Path) -> bool:
    """Whether who looks at nothing but the exit status takes the work for done."""
    world = stage(case, folder, programs)
    for name, task in named(case):
        for act in acts_of(task, name):
            play(world, act, case.timeout_s)
    return run(world, case.test, case.timeout_s) == 0


def play(world: Stage, act: Act, timeout_s: float) -> None:
    """What the scripted agent does with the same action, without its sandbox."""
    match act:
        case {"write": str(path), "text": str(text)}:
            target = world.project / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text.encode())
        case {"delete": str(path)}:
            (world.project / path).unlink()
        case {"git": list(words)}:
            world.git(*words)
        case {"run": str(command)}:
            run(world, command, timeout_s)
        case _:
            raise ValueError(f"the naive check does not know the action {sorted(act)}")


def run(world: Stage, command: str, timeout_s: float) -> int | None:
    """Its exit status; None where it did not end in time. Whatever it left running is ended."""
    process = subprocess.Popen(
        (shutil.which("bash") or "/bin/bash", "-c", command),
        cwd=world.project,
        env=world.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return process.wait(timeout_s)
    except subprocess.TimeoutExpired:
        return None
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
