"""`autopilot import` as its user meets it: one commit, over nothing, and a run of what came of it. covers: IMPORT"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autopilot.simulation.forges.gh import Gh
from tests.scenario.kit.aftermath import state_of
from tests.scenario.kit.editing import POINTS, kill_at, read_tree
from tests.scenario.kit.world import World
from tests.scenario.stories import formats

ROADMAP = ".planning/ROADMAP.md"
SUBJECT = "docs: import 2 phases from spec-kit"


@pytest.fixture
def greeting(tmp_path: Path) -> World:
    return formats.speckit(tmp_path)


def test_an_import_is_one_commit_and_leaves_uncommitted_work_and_the_other_tools_files(greeting: World) -> None:
    before = read_tree(greeting)
    greeting.write("notes.txt", "mine\n")
    ran = greeting.autopilot("import")
    assert ran.status == 0, ran.err
    assert greeting.subjects[-1] == SUBJECT and "git revert" in ran.out
    assert greeting.git("status", "--porcelain") == "?? notes.txt"
    after = read_tree(greeting)
    assert {path: text for path, text in after.items() if path in before} == before
    shown = json.loads(greeting.autopilot("phase", "--json").out)
    assert [(phase["phase"], phase["standing"]) for phase in shown] == [("1", "open"), ("2", "done")]


def test_a_dry_run_prints_the_diff_that_the_import_would_be(greeting: World) -> None:
    shown = greeting.autopilot("import", "--dry-run")
    assert shown.status == 0 and greeting.git("status", "--porcelain") == ""
    patch = greeting.folder / "edit.patch"
    patch.write_text(shown.out, encoding="utf-8")
    greeting.git("apply", "--index", str(patch))
    applied = read_tree(greeting)
    greeting.git("stash")
    assert greeting.autopilot("import").status == 0
    assert read_tree(greeting) == applied


@pytest.mark.parametrize("path", [ROADMAP, "ROADMAP.md", ".planning/REQUIREMENTS.md"])
def test_it_writes_over_no_file(greeting: World, path: str) -> None:
    greeting.write(path, "mine\n")
    ran = greeting.autopilot("import")
    assert ran.status == 2 and f"{path} is there already" in ran.err and "move it away" in ran.err
    assert greeting.read(path) == "mine\n" and SUBJECT not in greeting.subjects


def test_without_a_commit_the_files_are_left_to_the_user(greeting: World) -> None:
    subjects = greeting.subjects
    ran = greeting.autopilot("import", "--no-commit", "--json")
    document = json.loads(ran.out)
    assert document["commit"] is None and ROADMAP in document["written"]
    assert greeting.subjects == subjects and (greeting.project / ROADMAP).is_file()


def test_a_format_that_is_named_and_not_here_is_refused_with_those_that_are(greeting: World) -> None:
    ran = greeting.autopilot("import", "--from", "openspec")
    assert ran.status == 2 and "here: spec-kit" in ran.err


def test_a_config_that_still_names_the_other_tool_is_told_of(greeting: World) -> None:
    greeting.write(".planning/config.json", '{"autopilot": {"planning": "spec-kit"}}\n')
    greeting.commit("Name it")
    ran = greeting.autopilot("import")
    assert ran.status == 0 and "so runs go on reading that: take the line out" in ran.out


@pytest.mark.parametrize(("call", "path"), POINTS)
def test_killed_anywhere_the_same_command_brings_everything_and_once(greeting: World, call: str, path: str) -> None:
    """covers: R-KILL"""
    greeting.autopilot("phase")
    kill_at(greeting, call, path, ("import",))
    again = greeting.autopilot("import")
    assert again.status == 0, again.err
    assert greeting.subjects.count(SUBJECT) == 1
    assert greeting.git("status", "--porcelain") == ""


def test_what_was_imported_runs_and_what_was_done_there_is_not_done_again(greeting: World) -> None:
    assert greeting.autopilot("import").status == 0
    folder = ".planning/phases/01-greeting"
    works = [formats.work("1", task, *formats.WORDS[task]) for task in formats.WORDS]
    greeting.play(formats.supplement(folder, "1", formats.WORDS), *works)
    ran = greeting.run()
    assert ran.status == 0, ran.out + ran.err
    assert {id: phase["status"] for id, phase in state_of(greeting)["phases"].items()} == {"1": "completed"}
    assert (greeting.project / "bye.sh").is_file()
    assert "- [x] **Phase 1: Greeting**" in greeting.read(ROADMAP)


class WithGh(World):
    """A user who has `gh`."""

    @property
    def gh(self) -> Path:
        return self.folder / "bin"

    @property
    def environment(self) -> dict[str, str]:
        places = {"LOG": str(self.gh / "log"), "ISSUES": str(self.gh / "issues.json"), "PULL": str(self.gh / "pull")}
        return {**super().environment, "PATH": f"{self.gh}:{super().environment['PATH']}", **places}


def test_the_issues_of_a_milestone_are_pinned_as_a_roadmap(tmp_path: Path) -> None:
    """covers: IMPORT-FORGE"""
    world = WithGh(tmp_path)
    gh = Gh(world.gh)
    issue = {"number": 7, "title": "Serve tea", "state": "OPEN", "stateReason": ""}
    body = "Tea, please.\n\n## Acceptance criteria\n\n- It is hot -- verified by: `touch /tmp/x`\n"
    cups = {"number": 3, "title": "Cups", "body": "", "state": "CLOSED", "stateReason": "COMPLETED"}
    gh.issues.write_text(json.dumps([{**issue, "body": body}, cups]))
    world.git("init", "-q", "-b", "main")
    world.git("remote", "add", "origin", "https://forge.example.org/o/r.git")
    world.write("README.md", "tea\n")
    world.commit("Begin")
    refused = world.autopilot("import", "--from", "github", "--milestone", "v1.2")
    assert refused.status != 0 and 'kind = "gh"' in refused.err
    world.set_settings('[forge]\nkind = "gh"\n')
    ran = world.autopilot("import", "--from", "github", "--milestone", "v1.2")
    assert ran.status == 0, ran.err
    assert "#7:5: a command in it is not taken over" in ran.out
    assert world.subjects == ["Begin", "docs: import 2 phases from GitHub issues"]
    shown = json.loads(world.autopilot("phase", "--json").out)
    assert [(phase["phase"], phase["standing"]) for phase in shown] == [("3", "done"), ("7", "open")]
    assert shown[1]["criteria"] == [{"text": "It is hot", "command": None}]
