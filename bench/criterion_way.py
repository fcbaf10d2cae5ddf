"""Which files hold a criterion on its way from ROADMAP.md to VERIFICATION.md, seen in the smallest whole run.

    python bench/criterion_way.py

`scripts/criterion_path.py` counts every file that could touch one, edits of roadmaps, gaps and lint included. This
counts those that did: a function defined there held a criterion, alone or in a tuple, list or dictionary, among its
variables or in what it returned, while a project of one phase went from its roadmap to its landed documents.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from worlds.graph import make_project, make_script

GRAPH = {1: ()}
NAME = "Criterion"
LOOKED_AT = 5  # of what stands together, the first few
WATCH, RESULT = "--watch", "CRITERION_WAY"


class Watch:
    """Called for every function; a file that has held a criterion is not looked at again."""

    def __init__(self, source: str) -> None:
        self._source = source
        self.held: dict[str, str] = {}

    def __call__(self, frame: FrameType, event: str, result: Any) -> None:
        file = frame.f_code.co_filename
        if event != "return" or not file.startswith(self._source) or file in self.held:
            return
        if is_held(result) or any(map(is_held, frame.f_locals.values())):
            self.held[file] = frame.f_code.co_name


def is_held(value: Any) -> bool:
    values: Iterable[Any] = value.values() if type(value) is dict else value if type(value) in (tuple, list) else ()
    together = [each for each, _ in zip(values, range(LOOKED_AT), strict=False)]
    return any(type(each).__name__ == NAME for each in (value, *together))


def main(arguments: Sequence[str]) -> None:
    if arguments[:1] == [WATCH]:
        watch_run(arguments[1:])
        return
    with tempfile.TemporaryDirectory() as name:
        held = start_run(Path(name))
    for file, function in sorted(held.items()):
        print(f"{file}: {function}")
    print(f"files that held a criterion on its way: {len(held)}")


def start_run(folder: Path) -> dict[str, str]:
    project, script = make_project(folder, GRAPH), make_script(folder, GRAPH, 0.0, waiting=())
    (folder / "home").mkdir()
    own = {"PATH": os.environ["PATH"], "HOME": str(folder / "home"), "AUTOPILOT_STATE_HOME": str(folder / "state")}
    own |= {RESULT: str(folder / "held.json"), "PYTHONPATH": os.environ.get("PYTHONPATH", "")}
    command = (sys.executable, __file__, WATCH, "run", "all", "--script", str(script))
    ran = subprocess.run(command, cwd=project, env=own, check=False, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    read: dict[str, str] = json.loads((folder / "held.json").read_text(encoding="utf-8"))
    return read


def watch_run(arguments: Sequence[str]) -> None:
    import autopilot
    from autopilot.__main__ import main as run_autopilot

    source = str(Path(autopilot.__file__).parent)
    watch = Watch(source)
    threading.setprofile(watch)
    sys.setprofile(watch)
    status = run_autopilot(list(arguments))
    sys.setprofile(None)
    named = {str(Path(file).relative_to(source)): function for file, function in watch.held.items()}
    Path(os.environ[RESULT]).write_text(json.dumps(named), encoding="utf-8")
    sys.exit(status)


if __name__ == "__main__":
    main(sys.argv[1:])
