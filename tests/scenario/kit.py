"""A small world for whole runs: a repository with a roadmap, a script its agents play, and a home of its own.

Every phase N has tasks NN-01, NN-02, …; each adds a shell script of its own (``part-NN-01.sh``) that must say its
name. The honest script plans and does just that, and nothing else, so that a scenario only has to say where it differs.
"""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from autopilot.api.assembly import Assembly, Repository, assemble, find_repository
from autopilot.api.running import run
from autopilot.engine.ledger import Recorded
from autopilot.events.state import RunState
from autopilot.model.run import RunRequest
from autopilot.settings.reading import Settings, read_settings

Call = dict[str, Any]
PATIENCE_S = 60.0
IDENTITY = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "User"), ("EMAIL", "user@localhost"))
}


@dataclass(frozen=True)
class Ran:
    """One call of the command line, as its user sees it."""

    status: int
    out: str
    err: str


@dataclass(frozen=True)
class Plot:
    """What the roadmap is about: how many phases, how many tasks in each, and what depends on what."""

    phases: int = 1
    tasks: int = 1
    depends: Mapping[int, Sequence[int]] = field(default_factory=dict)
    planned: bool = False  # the plans are in the repository already, as a user's own
    criteria: bool = False  # the roadmap's criteria carry commands, so triage can look

    def folder(self, phase: int) -> str:
        return f".planning/phases/{phase:02}-part-{phase}"

    def task_ids(self, phase: int) -> list[str]:
        return [f"{phase:02}-{number:02}" for number in range(1, self.tasks + 1)]


class World:
    """One repository with everything around it below one folder."""

    def __init__(self, folder: Path, plot: Plot) -> None:
        self.plot = plot
        self.folder = folder
        self.project = folder / "project"
        self.state = folder / "state"
        self.home = folder / "home"
        self.script = folder / "script.json"
        for made in (self.project, self.home):
            made.mkdir(parents=True, exist_ok=True)

    # -- the command line

    @property
    def environment(self) -> dict[str, str]:
        return {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "HOME": str(self.home),
            "AUTOPILOT_STATE_HOME": str(self.state),
            "LANG": "C.UTF-8",
            **IDENTITY,
        }

    def autopilot(self, *words: str, cwd: Path | None = None) -> Ran:
        """Run a command to its end."""
        process = self.start(*words, cwd=cwd)
        out, err = process.communicate(timeout=PATIENCE_S)
        return Ran(process.returncode, out, err)

    def start(self, *words: str, cwd: Path | None = None, wrapper: Sequence[str] = ()) -> subprocess.Popen[str]:
        """Begin a command and leave it running."""
        return subprocess.Popen(
            (*wrapper, sys.executable, "-m", "autopilot", *words),
            cwd=cwd or self.project,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *words: str) -> Ran:
        return self.autopilot("run", *words, "--script", str(self.script))

    def resume(self, *words: str) -> Ran:
        return self.autopilot("resume", *words, "--script", str(self.script))

    def set_settings(self, text: str) -> None:
        """The user's own settings.toml."""
        path = self.home / ".config" / "autopilot" / "settings.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    # -- the same from inside

    @property
    def settings(self) -> Settings:
        return replace(read_settings(self.environment), agents={"default": "scripted"}, script=self.script)

    @property
    def repository(self) -> Repository:
        return find_repository(self.project, self.settings)

    @property
    def journal(self) -> Path:
        return self.repository.home.journal

    def assemble(self) -> Assembly:
        return assemble(self.repository, self.settings)

    def drive(self, request: RunRequest | None = None) -> Generator[Recorded, None, None]:
        """Every recorded batch, while the run goes on."""
        yield from run(request or RunRequest(), self.settings.policy(), self.assemble(), "a test")

    def drive_until(self, happened: type, request: RunRequest | None = None) -> RunState:
        """Drive until an event of this kind is recorded, then let go at once, as a killed process would."""
        driving = self.drive(request)
        for recorded in driving:
            if any(isinstance(stored.event, happened) for stored in recorded.entries):
                driving.close()
                return recorded.state
        raise AssertionError(f"{happened.__name__} never happened")

    # -- the repository

    def git(self, *words: str, check: bool = True) -> str:
        done = subprocess.run(
            ("git", *words), cwd=self.project, env=self.environment, capture_output=True, text=True, check=check
        )
        return done.stdout.strip()

    def write(self, path: str, text: str) -> None:
        target = self.project / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def read(self, path: str) -> str:
        return (self.project / path).read_text(encoding="utf-8")

    def commit(self, subject: str = "more") -> str:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", subject)
        return self.head

    @property
    def head(self) -> str:
        return self.git("rev-parse", "HEAD")

    @property
    def subjects(self) -> list[str]:
        """Subjects on the user's branch, oldest first."""
        return self.git("log", "--reverse", "--format=%s").splitlines()

    @property
    def branches(self) -> list[str]:
        return self.git("for-each-ref", "--format=%(refname:short)", "refs/heads").splitlines()

    # -- what a run says of itself

    @property
    def status(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.autopilot("status", "--json").out)
        return document

    # -- the script

    def play(self, *calls: Call, default: str = "honest") -> None:
        """The honest script, with these calls before it: among equals the first wins."""
        script = {"calls": [*calls, *honest_calls(self.plot)], "default": default}
        self.script.write_text(json.dumps(script), encoding="utf-8")


def make_world(folder: Path, plot: Plot | None = None, *, config: Mapping[str, Any] | None = None) -> World:
    """The repository, committed, and the honest script."""
    world = World(folder, plot or Plot())
    world.git("init", "-q", "-b", "main")
    world.write("README.md", "# parts\n")
    world.write("check.sh", 'for part in part-*.sh; do [ ! -e "$part" ] || sh -n "$part" || exit 1; done\n')
    world.write(".planning/REQUIREMENTS.md", requirements_text(world.plot))
    world.write(".planning/ROADMAP.md", roadmap_text(world.plot))
    world.write(".planning/config.json", json.dumps({**base_config(), **(config or {})}, indent=2) + "\n")
    if world.plot.planned:
        for phase in range(1, world.plot.phases + 1):
            for path, text in plan_files(world.plot, phase).items():
                world.write(path, text)
    world.commit("parts: a beginning")
    world.play()
    return world


def base_config() -> dict[str, Any]:
    return {"project": {"commands": {"test": "sh check.sh"}}}


# -- what stands in the repository


def requirements_text(plot: Plot) -> str:
    lines = [f"- [ ] **PART-{phase:02}**: There is a part {phase}" for phase in range(1, plot.phases + 1)]
    return "\n".join(["# Requirements", "", *lines, ""])


def roadmap_text(plot: Plot) -> str:
    numbers = range(1, plot.phases + 1)
    boxes = [f"- [ ] **Phase {n}: Part {n}** - the part with number {n}" for n in numbers]
    rows = [f"| {n}. Part {n} | 0/1 | Not started | - |" for n in numbers]
    table = [
        "| Phase | Plans Complete | Status | Completed |",
        "|-------|----------------|--------|-----------|",
        *rows,
    ]
    sections = [line for n in numbers for line in _section(plot, n)]
    head = ["# Roadmap: parts", "", "Some words of the user's own.", "", "## Phases", ""]
    return "\n".join([*head, *boxes, "", "## Phase Details", "", *sections, "## Progress", "", *table, ""])


def _section(plot: Plot, phase: int) -> list[str]:
    needed = ", ".join(f"Phase {n}" for n in plot.depends.get(phase, ())) or "Nothing"
    task = f"{phase:02}-01"
    proof = f' -- verified by: `sh part-{task}.sh` (contains "part {task}")' if plot.criteria else ""
    return [
        f"### Phase {phase}: Part {phase}",
        f"**Goal**: Part {phase} says its name",
        f"**Depends on**: {needed}",
        f"**Requirements**: PART-{phase:02}",
        "**Success Criteria** (what must be TRUE):",
        f"  1. Part {phase} says its name{proof}",
        "",
    ]


def plan_files(plot: Plot, phase: int) -> dict[str, str]:
    """PLAN.md and its test scripts, by path."""
    folder, tasks = plot.folder(phase), plot.task_ids(phase)
    parts = [
        f"# Phase {phase} Plan: Part {phase}",
        "",
        "## Traceability",
        "",
        "| Requirement | Task(s) | Description |",
    ]
    parts += ["|---|---|---|", f"| PART-{phase:02} | {', '.join(tasks)} | part {phase} |", ""]
    for wave, task in enumerate(tasks, start=1):
        parts += [f"## Wave {wave}", "", *_task_lines(task), ""]
    files = {f"{folder}/PLAN.md": "\n".join(parts)}
    return files | {f"{folder}/tests/task-{task}.sh": test_script(task) for task in tasks}


def _task_lines(task: str) -> list[str]:
    return [
        f'<task id="{task}" type="auto" complexity="simple">',
        f"### Task {task}: Part {task} speaks",
        "",
        f"**Files:** part-{task}.sh",
        "",
        f"**Action:** Add part-{task}.sh, which prints its name.",
        "",
        "**Verify:**",
        f'- Part {task} says its name -- verified by: `sh part-{task}.sh` (contains "part {task}")',
        "",
        "**Done:** It speaks.",
        "</task>",
    ]


def test_script(task: str) -> str:
    return (
        "#!/bin/bash\n"
        f'if [ "$(sh part-{task}.sh)" = "part {task}" ]; then echo "PASS: Part {task} says its name"; exit 0; fi\n'
        f'echo "FAIL: Part {task} says its name"\nexit 1\n'
    )


def part_text(task: str) -> str:
    """The honest work of a task."""
    return f"echo part {task}\n"


# -- what agents do and say


def honest_calls(plot: Plot) -> list[Call]:
    phases = range(1, plot.phases + 1)
    calls = [] if plot.planned else [plan_call(plot, phase) for phase in phases]
    return calls + [work(task) for phase in phases for task in plot.task_ids(phase)]


def plan_call(plot: Plot, phase: int) -> Call:
    actions: list[Call] = [{"write": path, "text": text} for path, text in plan_files(plot, phase).items()]
    actions += [{"git": ["add", "-f", ".planning"]}, {"git": ["commit", "-q", "-m", f"plan {phase}"]}]
    claim = {"plans_created": 1, "waves": plot.tasks, "total_tasks": plot.tasks, "complexity": "simple"}
    reply = {**claim, "dependencies": [], "concerns": []}
    return {"role": "planner", "phase": str(phase), "do": actions, "reply": reply, "usage": usage()}


def work(task: str, *, role: str = "executor", text: str | None = None) -> Call:
    """Write the task's part, commit it, claim that all is done."""
    part = part_text(task) if text is None else text
    return claim(task, {"write": f"part-{task}.sh", "text": part}, *commit_all(task), role=role)


def claim(task: str, *actions: Call, role: str = "executor") -> Call:
    """Whatever was done: the claim is always the same."""
    said = executor_claim(task) if role == "executor" else debugger_claim()
    phase = str(int(task.split("-")[0]))
    return {"role": role, "phase": phase, "task": task, "do": list(actions), "reply": said, "usage": usage()}


def commit_all(subject: str) -> tuple[Call, ...]:
    return {"git": ["add", "-A"]}, {"git": ["commit", "-q", "-m", f"{subject} done"]}


def hang(role: str, phase: int | None = None) -> Call:
    call: Call = {"role": role, "do": [{"hang": True}]}
    return call if phase is None else {**call, "phase": str(phase)}


def executor_claim(task: str) -> Call:
    evidence = {"task_id": task, "criteria_met": ["all of them"], "commands_run": ["tests -> OK"]}
    done = {"tasks_completed": "1/1", "tasks_failed": "0/1", "commit_shas": ["HEAD"]}
    return {**done, "evidence": [evidence], "deviations": [], "confidence": 9.5}


def debugger_claim() -> Call:
    said = {"fixed": True, "changes": ["mended"], "commits": ["HEAD"]}
    return {**said, "remaining_issues": [], "failure_categories": []}


def usage(tokens: int = 1000) -> dict[str, int]:
    return {"tokens_in": tokens - 100, "tokens_out": 100}


# -- looking


def photograph(project: Path) -> dict[str, Any]:
    """Every file outside .autopilot and .git with kind, mode and bytes; the index; what git status says."""
    picture: dict[str, Any] = {}
    for path in sorted(project.rglob("*")):
        name = path.relative_to(project).as_posix()
        if name.split("/")[0] in (".git", ".autopilot"):
            continue
        facts = path.lstat()
        content = path.read_bytes() if stat.S_ISREG(facts.st_mode) else b""
        picture[name] = (oct(facts.st_mode), content, str(path.readlink()) if path.is_symlink() else "")
    for words in (("ls-files", "-s"), ("status", "--porcelain")):
        # Without the lock, looking changes nothing: git would otherwise refresh the index.
        done = subprocess.run(("git", "--no-optional-locks", *words), cwd=project, capture_output=True, check=True)
        picture[" ".join(words)] = done.stdout
    return picture


def processes_of(folder: Path) -> list[str]:
    """Command lines of living processes that stand in a folder or name it."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            words = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            standing = str((entry / "cwd").readlink())
        except OSError:
            continue
        if str(folder) in words or standing.startswith(str(folder)):
            found.append(f"{entry.name}: {words}")
    return found


def wait_until(holds: Callable[[], object], what: str) -> None:
    """Look again and again; a deadline only keeps a broken test from hanging."""
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline, f"never happened: {what}"
        time.sleep(0.02)


def wait_for_line(process: subprocess.Popen[str], words: str) -> list[str]:
    """Read what a command says until it says these words."""
    assert process.stderr is not None
    said = []
    for line in process.stderr:
        said.append(line)
        if words in line:
            return said
    raise AssertionError(f"never said {words!r}, but:\n{''.join(said)}")


def end(process: subprocess.Popen[str]) -> None:
    """Clean up a command that a failed test may have left running."""
    if process.poll() is None:
        process.send_signal(signal.SIGKILL)
    process.communicate(timeout=PATIENCE_S)
