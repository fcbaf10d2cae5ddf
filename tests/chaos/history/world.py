"""The world of one fix: the release before as a repository, its issue, and an agent that plays a variant of the fix."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from autopilot.engine.history import read_history
from autopilot.events.issue.state import IssueState
from tests.chaos.history.fixes import Fix
from tests.chaos.history.variants import Case, Texts, Variant
from tests.chaos.record import read_record
from tests.liars.tools import search_path
from tests.scenario.kit.calls import Call, usage
from tests.scenario.kit.world import Ran, World

NUMBER = 1
GATE = f"cause-{NUMBER}-1"
LONGEST_S = 120.0  # of one test command


class HistoryWorld(World):
    def __init__(self, folder: Path, programs: Path) -> None:
        super().__init__(folder)
        self._path = search_path(programs)

    @property
    def environment(self) -> dict[str, str]:
        return {**super().environment, "PATH": self._path}

    def issue(self) -> Ran:
        """One iteration: nobody mends what was refused, so that the first verdict is what counts."""
        words = (str(NUMBER), "--route", "bugfix", "--max-iterations", "fixing-bugs=1")
        return self.autopilot("issue", *words, "--script", str(self.script))


def stage(case: Case, variant: Variant, folder: Path, programs: Path) -> HistoryWorld:
    world = HistoryWorld(folder, programs)
    fix = case.fix
    ours = {
        # What an installation in place leaves behind: some packages ask for their own version.
        f"{fix.before.package}.egg-info/PKG-INFO": case.base["PKG-INFO"].decode(),
        ".planning/config.json": json.dumps(config(fix), indent=2) + "\n",
        f"docs/issues/{NUMBER:03}-{fix.name}/issue.md": fix.issue,
    }
    for path, content in {**{path: text.encode() for path, text in ours.items()}, **case.base}.items():
        target = world.project / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    world.git("init", "-q", "-b", "main")
    world.git("config", "core.autocrlf", "false")
    world.git("add", "-A", "-f")  # archives hold what their projects ignore
    world.git("commit", "-q", "-m", f"{fix.before.package} {fix.before.version}")
    calls = [reproduces(fix, case.reproduction), implements(variant.writes)]
    world.script.write_text(json.dumps({"calls": calls, "default": "honest"}), encoding="utf-8")
    return world


def issue_of(world: World) -> IssueState:
    """As it stands in the record."""
    state = next(reversed(read_history(read_record(world)).runs.values()))
    assert state.issue is not None
    return state.issue


def config(fix: Fix) -> dict[str, Any]:
    """Only the suite is run: what would be detected besides is switched off."""
    commands = {"setup": None, "compile": None, "lint": None, "build": None, "test": fix.suite}
    return {"project": {"commands": commands, "accept_red": ["all"]}, "autopilot": {"timeouts_s": {"test": LONGEST_S}}}


def reproduces(fix: Fix, tests: Texts) -> Call:
    cause = {"kind": "C", "text": fix.cause, "test": fix.test, "files": list(tests)}
    reply = {"decisions": [], "concerns": [], "cause": cause}
    return {**_works(tests, "Show it"), "role": "designer", "phase": "design", "reply": reply}


def implements(files: Texts) -> Call:
    """Every variant says the same of itself."""
    reply = {"done": True, "summary": "mended", "concerns": []}
    return {**_works(files, "Mend it"), "role": "implementer", "phase": "impl", "reply": reply}


def _works(files: Texts, subject: str) -> Call:
    written = [{"write": path, "text": text} for path, text in files.items()]
    return {"do": [*written, {"git": ["add", "-A"]}, {"git": ["commit", "-q", "-m", subject]}], "usage": usage()}
