"""Projects planned with other tools than GSD: a feature of spec-kit, a task of Task Master."""

from __future__ import annotations

from pathlib import Path

from tests.scenario.kit.calls import Call, commit_all, debugger_claim, executor_claim, usage
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import World
from tests.scenario.stories.story import Story

SPEC = """# Feature Specification: Greeting

**Feature Branch**: `001-greeting`
**Status**: Draft
**Input**: User description: "Say hello and goodbye from the shell"

## User Scenarios & Testing *(mandatory)*

### User Story 1 - Say hello (Priority: P1)

**Acceptance Scenarios**:

1. **Given** a shell, **When** `sh hello.sh Ann` runs, **Then** it prints "hello Ann"

## Requirements *(mandatory)*

### Functional Requirements

- **FR-001**: There MUST be a script for goodbye, `bye.sh`
"""
TASKS = """# Tasks: Greeting

## Format: `[ID] [P?] [Story] Description`

- **[P]**: Can run in parallel

## Phase 1: Setup

- [x] T001 Create the README in README.md

## Phase 2: User Story 1 - Say hello (Priority: P1)

- [ ] T002 [P] [US1] Print a hello for the name that is given in hello.sh
- [ ] T003 [US1] Print a goodbye for the name that is given in bye.sh

## Notes

- [ ] Commit after each task
"""
FEATURE = "specs/001-greeting"
WORDS = {"T002": ("hello.sh", "hello"), "T003": ("bye.sh", "goodbye")}


def speckit(folder: Path) -> World:
    """One task is ticked already, two are open, one of which its agent ticks itself; the second feature is done."""
    world = World(folder, Plot(phases=0))
    world.git("init", "-q", "-b", "main")
    world.write("README.md", "# greeting\n")
    world.write(".specify/memory/constitution.md", "# Constitution\n\nScripts are small.\n")
    world.write(f"{FEATURE}/spec.md", SPEC)
    (world.project / FEATURE / "tasks.md").write_bytes(TASKS.replace("\n", "\r\n").encode())
    world.write("specs/002-before/spec.md", SPEC.replace("Greeting", "Before"))
    world.write("specs/002-before/tasks.md", "# Tasks: Before\n\n- [x] T001 Be there in README.md\n")
    world.commit("greeting: a feature")
    folder_of_plan = ".planning/phases/01-greeting"
    by_hand = {"run": f"sed -i 's/^- ... T003/- [x] T003/' {FEATURE}/tasks.md"}
    first, second = (work("1", task, *WORDS[task]) for task in WORDS)
    ticks = {**second, "do": [by_hand, *second["do"]]}
    mends = {**second, "role": "debugger", "reply": debugger_claim()}
    world.play(supplement(folder_of_plan, "1", WORDS), first, ticks, mends)
    return world


def supplement(folder: str, phase: str, words: dict[str, tuple[str, str]]) -> Call:
    """What the tasks of a list in prose lack: a command and a script for each."""
    blocks = [
        f'<task id="{task}">\n**Verify:**\n- {path} prints {word} and the name -- verified by: `sh {path} Ann` '
        f'(contains "{word} Ann")\n</task>\n'
        for task, (path, word) in words.items()
    ]
    actions: list[Call] = [{"write": f"{folder}/PLAN.autopilot.md", "text": "\n".join(blocks)}]
    for task, (path, word) in words.items():
        test = f"if [ \"$(sh {path} Ann)\" = '{word} Ann' ]; then echo 'PASS: {path} prints {word} and the name'\n"
        text = f"{test}else echo 'FAIL: {path} prints {word} and the name'; exit 1; fi\n"
        actions.append({"write": f"{folder}/tests/task-{task}.sh", "text": text})
    actions += [{"git": ["add", "-f", ".planning"]}, {"git": ["commit", "-q", "-m", "beside the list"]}]
    claim = {"plans_created": 1, "waves": 1, "total_tasks": len(words), "complexity": "simple"}
    reply = {**claim, "dependencies": [], "concerns": []}
    return {"role": "planner", "phase": phase, "do": actions, "reply": reply, "usage": usage()}


def work(phase: str, task: str, path: str, word: str) -> Call:
    do = [{"write": path, "text": f'echo "{word} $1"\n'}, *commit_all(task)]
    return {
        "role": "executor",
        "phase": phase,
        "task": task,
        "do": do,
        "reply": executor_claim(task),
        "usage": usage(),
    }


TASK_LIST = """{
  "master": {
    "tasks": [
      {
        "id": 1,
        "title": "Have a README",
        "description": "README.md is there",
        "priority": "low",
        "status": "done",
        "dependencies": []
      },
      {"id": "7", "title": "Greet", "description": "Say hello and goodbye", "priority": "high", "status": "pending",
        "details": "", "testStrategy": "Verify that `sh hello.sh Ann` prints hello Ann.",
        "dependencies": [1], "subtasks": [
          {"id": 1, "title": "Print a hello", "description": "hello.sh", "details": "in hello.sh", "status": "pending"},
          {"id": 2, "title": "Print a goodbye", "description": "bye.sh", "details": "in bye.sh",
            "status": "in-progress", "dependencies": [1]},
          {"id": 3, "title": "In colour", "description": "Later", "status": "deferred", "dependencies": ["7.1"]}
        ]
      },
      {"id": 8, "title": "Ship it", "description": "Ship", "priority": "low", "status": "review",
        "dependencies": ["7"], "testStrategy": ""},
      {"id": 9, "title": "Tell of it", "description": "Tell", "priority": "low", "status": "pending",
        "dependencies": [8], "testStrategy": ""}
    ],
    "metadata": {"description": "caf\\u00e9", "taskCount": 19}
  }
}
"""
TASK_FILE = ".taskmaster/tasks/tasks.json"
SUBTASKS = {"7.1": WORDS["T002"], "7.2": WORDS["T003"]}


def taskmaster(folder: Path) -> World:
    """One task is done, one is open, one is in review, and the last one waits for that. Of the open one an agent writes
    a roadmap as well, which would count before these tasks."""
    world = World(folder, Plot(phases=0))
    world.git("init", "-q", "-b", "main")
    world.write("README.md", "# greeting\n")
    world.write(TASK_FILE, TASK_LIST)
    world.write(".taskmaster/state.json", '{"currentTag": "master"}\n')
    world.write(".taskmaster/docs/prd.txt", "A shell greets people.\n")
    world.commit("greeting: tasks")
    words = supplement(".planning/phases/07-greet", "7", SUBTASKS)
    first, second = (work("7", task, *SUBTASKS[task]) for task in SUBTASKS)
    replans = {**second, "do": [{"write": "ROADMAP.md", "text": "### Phase 1: What an agent likes\n"}, *second["do"]]}
    mends = {**second, "role": "debugger", "reply": debugger_claim()}
    world.play(words, first, replans, mends)
    return world


STORIES = (Story("speckit", speckit, 0), Story("taskmaster", taskmaster, 0))
