"""Exports a golden journal: one real run of the demo, or one issue, as lines of JSON, and the summary of its fold.

``python -m tests.unit.events.golden.export N`` at the top of the repository writes ``journal-N.jsonl`` and
``journal-N.json`` here; ``… N issue`` those of an issue. A journal that stands here is never written again: a run may
wait for days while Autopilot is upgraded. Make the next number when a kind of event is new or changes its shape.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from autopilot.api.assembly import assemble, find_repository
from autopilot.api.demo import make_sample
from autopilot.api.running import run
from autopilot.events.codec import encode
from autopilot.events.entry import Stored
from autopilot.events.fold import fold_all
from autopilot.model.run import RunRequest
from autopilot.settings.reading import Settings
from tests.chaos.record import read_record
from tests.chaos.session import hold_session, sessions_of
from tests.scenario.stories import issues
from tests.unit.events.golden.reading import FOLDER, read_golden, summarise

# Where this machine keeps its tools and folders is not part of what happened.
PLACES = re.compile(r"/(?:[\w.+-]+/)+(?=python3)|/tmp/tmp\w+(?:/world/project)?")


def main(number: str, kind: str = "demo") -> None:
    target = FOLDER / f"journal-{number}.jsonl"
    if target.exists():
        raise SystemExit(f"{target.name} exists, and a golden journal is never written again")
    with tempfile.TemporaryDirectory() as folder:
        told = run_issue(Path(folder)) if kind == "issue" else run_demo(Path(folder))
        lines = [render_line(stored) for stored in told]
    target.write_text("".join(lines), encoding="utf-8")
    summary = json.dumps(summarise(fold_all(read_golden(target))), indent=2, ensure_ascii=False)
    target.with_suffix(".json").write_text(summary + "\n", encoding="utf-8")


def run_demo(folder: Path) -> Iterator[Stored]:
    project, script = make_sample(folder)
    environment = {"HOME": str(folder), "PATH": os.environ["PATH"]}
    settings = Settings(folder / "state", environment, agents={"default": "scripted"}, script=script)
    assembly = assemble(find_repository(project, settings), settings)
    for _ in run(RunRequest(), settings.policy(), assembly, "golden"):
        pass
    return assembly.ports.journal.read()


def run_issue(folder: Path) -> Iterator[Stored]:
    """One that halts and is mended."""
    story = next(story for story in issues.STORIES if story.name == "issue_halted_then_mended")
    world = story.make(folder / "world")
    for session in sessions_of(story):
        hold_session(world, session)
    return iter(read_record(world))


def render_line(stored: Stored) -> str:
    kind, payload = encode(stored.event)
    document = {"run": stored.run, "key": stored.key, "at": stored.at.isoformat(), "kind": kind}
    text = json.dumps({**document, "payload": json.loads(payload)}, ensure_ascii=False)
    return PLACES.sub("", text) + "\n"


if __name__ == "__main__":
    main(*sys.argv[1:])
