"""Messages at their worst: each says what happened, why, and what to do, without a library's words. covers: INV-1"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.scenario.kit import warm
from tests.scenario.kit.looking import PATIENCE_S
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import Ran, World, make_world


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> World:
    """For commands that change nothing."""
    return make_world(tmp_path_factory.mktemp("messages"), Plot(planned=True))


def call(world: World, *words: str, cwd: Path | None = None, **environment: str) -> Ran:
    return Ran(*warm.call(words, cwd or world.project, {**world.environment, **environment}, PATIENCE_S))


ASKED = [
    (("fly",), "there is no command fly", "`autopilot --help` lists them all"),
    *(
        (words, "no run has been started in this repository", "`autopilot run all` starts one; ")
        for words in (("approve",), ("verdict", "3", "pass"), ("answer", "ok"), ("cancel",), ("watch",))
    ),
    (("run", "--agent", "claude,"), "the name of an agent is empty", "remove the extra comma, or choose one of: "),
    (
        ("run", "1", "--script", "README.md", "--agent", "claude"),
        "--script is played by the scripted agent alone",
        "out",
    ),
    (("phase", "show", "7"), "ROADMAP.md has no phase 7", "its only phase is 1"),
    (("phase", "move", "1", "--before", "1"), "phase 1 cannot be moved before itself", "name another phase"),
    (("phase", "edit", "1", "--depends-on", "7"), "ROADMAP.md has no phase 7", "its only phase is 1"),
    (
        ("debug", "continue", "foo"),
        "there is no debug session foo",
        '`autopilot debug start "what is wrong"` starts one',
    ),
    (("milestone", "complete"), "the roadmap names no milestone", "`autopilot milestone complete v1.0 --name NAME`"),
    (("run", "--force", "1"), "--force repeats completed phases, and phase 1 is not completed", "`autopilot run 1`"),
    (("doctor", "--attach", "/nowhere"), "there are no records named /nowhere", "`autopilot doctor` lists the records"),
    (("agents", "login", "claude", "--key"), "the key is empty", "`autopilot agents login claude --key < key.txt`"),
    (("issue", "Title"), "has no approved requirements yet: docs/issues/001-title/prd.md does not exist", "--define`"),
    (("issue", "3", "--steps", "foo"), '--steps foo: "foo" is not a phase of an issue', "--steps design=STEP,STEP"),
    (("issue", "3", "--max-iterations", "0"), "--max-iterations: `0` is not a whole number from 1 up", "STEP=4"),
    (("install",), "`autopilot install` needs one of claude, codex, gemini, opencode, cursor", "install --help`"),
    (("completion",), "`autopilot completion` needs one of bash, zsh, fish", "completion --help`"),
    (("debug", "continue"), "`autopilot debug continue` needs SESSION", "lists its arguments"),
    (("mcp", "/nowhere"), "/nowhere does not exist", "name a place in the git repository of your project"),
    (
        ("repomap", "build", "--commit", "nowhere"),
        "nowhere is no commit of this repository",
        "name one that `git log` shows",
    ),
    (("rails", "check_stuck"), "check_stuck needs LOG", "write: autopilot rails check_stuck LOG [WINDOW] [STEP]"),
    (("rails", "check_max_iterations", "1", "2", "3"), "check_max_iterations takes only CUR MAX: remove 3", "CUR MAX"),
    (("rails", "check_stuck", "LOG", "x"), 'WINDOW is invalid: "x" is not a number', "write digits only"),
    (("rails", "pin_anchor", "pin"), "standard input is empty: there is no text to pin", "pin_anchor PIN < prd.md"),
]


@pytest.mark.parametrize(("words", "message", "hint"), ASKED, ids=[" ".join(case[0]) for case in ASKED])
def test_a_wrong_request_is_explained_with_what_to_write(
    shared: World, words: tuple[str, ...], message: str, hint: str
) -> None:
    ran = call(shared, *words)
    first, second = ran.err.splitlines()
    assert (ran.status, ran.out) == (2, "")
    assert message in first and first.startswith("error: ")
    assert hint in second and second.startswith("hint: ")


def test_the_hint_about_missing_requirements_repeats_the_options_of_the_call(shared: World) -> None:
    ran = call(shared, "issue", "Title", "--script", str(shared.script))
    assert f"`autopilot issue Title --define --script {shared.script}`" in ran.err


def test_a_damaged_record_of_a_rail_is_named(shared: World) -> None:
    (shared.folder / "log.jsonl").write_bytes(b"\xff\x00\n")
    ran = call(shared, "rails", "check_sameness", str(shared.folder / "log.jsonl"))
    assert (ran.status, ran.err.startswith(f"error: {shared.folder / 'log.jsonl'}: line 1 ")) == (3, True), ran.err


def test_missing_red_evidence_says_that_no_failure_is_recorded(shared: World) -> None:
    ran = call(shared, "rails", "check_red_evidence", "aaaa", "bbbb", "/nowhere/red.jsonl")
    assert (ran.status, ran.err) == (
        1,
        "tripped: no failure of the test is recorded: /nowhere/red.jsonl does not exist\n",
    )


# -- the places of settings, records and repository


def test_a_folder_outside_of_any_repository_is_told_both_ways_on(shared: World) -> None:
    ran = call(shared, "run", cwd=shared.home)
    command = '`git init && git commit --allow-empty -m "First commit"`'
    hint = f"Change into your project's folder, or make this one a repository: {command}, then add your files."
    assert ran.err == f"error: {shared.home} is not in a git repository\nhint: {hint}\n"


def test_an_empty_repository_is_told_how_to_commit(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.git("init", "-q")
    assert '`git commit --allow-empty -m "First commit"`' in call(world, "run").err


def test_a_damaged_repository_is_called_damaged(tmp_path: Path) -> None:
    world = make_world(tmp_path)
    (world.project / ".git" / "HEAD").unlink()
    missing = world.project / ".git" / "HEAD"
    assert call(world, "status").err == (
        f"error: the git repository in {world.project} is damaged: {missing} is missing\n"
        "hint: Restore it from a backup, or clone the repository again.\n"
    )


@pytest.mark.parametrize(
    ("name", "environment", "message"),
    [
        (
            "no home",
            {"HOME": "", "AUTOPILOT_STATE_HOME": ""},
            "Autopilot does not know where to keep its records: HOME",
        ),
        ("a file", {"AUTOPILOT_STATE_HOME": "{file}"}, "Autopilot cannot keep its records in {file}: {file} is a file"),
        (
            "a device as home",
            {"HOME": "/dev/null", "AUTOPILOT_STATE_HOME": ""},
            "Autopilot cannot keep its records in /dev/null/.local/state: /dev/null is a file, not a folder",
        ),
    ],
)
def test_a_place_that_cannot_hold_records_is_named_once(
    shared: World, name: str, environment: Mapping[str, str], message: str
) -> None:
    file = str(shared.script)
    ran = call(shared, "run", **{key: value.format(file=file) for key, value in environment.items()})
    assert ran.status == 5, name
    assert ran.err.startswith(f"error: {message.format(file=file)}")
    assert "AUTOPILOT_STATE_HOME" in ran.err.splitlines()[1]


def put_folder(path: Path) -> None:
    path.mkdir()


def put_binary(path: Path) -> None:
    path.write_bytes(b"\xff\xfe\x00")


def put_half(path: Path) -> None:
    path.write_text("[budget\n")


SETTINGS: list[tuple[str, Callable[[Path], None], str]] = [
    ("a folder", put_folder, "{file} is a folder, not a file"),
    ("bytes", put_binary, "{file} is not a text file in UTF-8"),
    ("half a table", put_half, "{file} is not valid TOML: "),
]


@pytest.mark.parametrize(("put", "message"), [case[1:] for case in SETTINGS], ids=[case[0] for case in SETTINGS])
def test_settings_that_cannot_be_read_are_one_finding_of_doctor_and_stop_a_run(
    tmp_path: Path, put: Callable[[Path], None], message: str
) -> None:
    world = make_world(tmp_path, Plot(planned=True))
    file = world.home / ".config" / "autopilot" / "settings.toml"
    file.parent.mkdir(parents=True)
    put(file)
    said = message.format(file=file)
    ran = call(world, "run")
    assert (ran.status, ran.err.startswith(f"error: {said}"), ran.err.count(str(file))) == (2, True, 1)
    examined = call(world, "doctor")
    assert examined.status == 5
    assert f"problem   settings: {said}" in examined.out
    assert "ok        repository: " in examined.out, "the other checks are made"
    assert "no agent is chosen" not in examined.out, "the file may choose one"


def test_an_empty_journal_is_a_damaged_record(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(planned=True))
    world.assemble()
    journal = world.journal
    for file in journal.parent.glob("journal.db*"):
        file.unlink()
    journal.write_bytes(b"")
    ran = call(world, "log", "verify")
    message, hint = ran.err.splitlines()
    assert (ran.status, message) == (6, f"error: the record of runs is empty or damaged: {journal}")
    assert hint.endswith("; what has landed stays in git.")


# -- scripts, reports, config


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the agent script {file} is empty"),
        ('{"calls": [}', "the agent script {file} is not valid JSON: line 1, column 12"),
    ],
)
def test_a_script_that_cannot_be_read_is_named(tmp_path: Path, text: str, message: str) -> None:
    world = make_world(tmp_path, Plot(planned=True))
    world.script.write_text(text)
    assert message.format(file=world.script) in world.run().err


@pytest.mark.parametrize(
    ("make", "warning"),
    [
        (lambda path: path.write_text('{"project": 3}\n'), ":1: project is not an object: ignored"),
        (lambda path: path.mkdir(), ": is a folder, not a file: ignored"),
    ],
)
def test_a_dry_run_and_doctor_give_the_same_warning_about_a_config_without_effect(
    tmp_path: Path, make: Callable[[Path], object], warning: str
) -> None:
    world = make_world(tmp_path, Plot(planned=True))
    config = world.project / ".planning" / "config.json"
    config.unlink()
    make(config)
    told = f".planning/config.json{warning}"
    assert f"  warning: {told}\n" in call(world, "run", "--dry-run", "--script", str(world.script)).out
    assert f"warning   config: {told}\n" in call(world, "doctor").out


def test_doctor_says_once_that_no_command_is_known(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(planned=True), config={"project": {}})
    found = json.loads(call(world, "doctor", "--json").out)
    about = [(one["what"], one["detail"]) for one in found if one["what"] in ("commands", "config")]
    assert about == [("commands", "no compile, lint, build or test command is known: only the criteria will be run")]


def test_a_report_is_not_written_over_a_folder(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(planned=True))
    assert world.run("--junit", "/proc/x").err.count("/proc/x") == 1
    for option in ("--html", "--junit", "--summary"):
        ran = call(world, "report", option, ".")
        message, hint = ran.err.splitlines()
        assert (ran.status, message) == (2, "error: the report cannot be written to .: it is a folder")
        assert hint.startswith("hint: name a file")
    sealed = call(world, "log", "export", ".", AUTOPILOT_ARTEFACT_KEY="k" * 32)
    assert sealed.err.splitlines()[0] == "error: the artefact cannot be written to .: it is a folder"
    verified = call(world, "log", "verify").out
    found = json.loads(call(world, "log", "verify", "--json").out)
    events, texts = found["events"], found["texts"]
    anchor = f"its anchor at event {events} shows that no event up to there is missing"
    assert verified == f"the record is intact: {events} events of 1 run and {texts} stored texts; {anchor}\n"
    shutil.rmtree(world.state)


# -- before any run, and where none can be


READING = [("status",), ("report",), ("cancel",), ("log", "verify"), ("evidence", "1"), ("watch",), ("approve",)]


@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_who_plans_with_another_tool_is_told_to_run_and_not_to_write_a_roadmap(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    world = World(tmp_path)
    world.git("init", "-q")
    world.write("specs/001-login/spec.md", "# Feature Specification: Login\n")
    world.write("specs/001-login/tasks.md", "# Tasks: Login\n\n- [ ] T001 Sign in\n")
    assert "hint: `autopilot run all` starts one; " in call(world, *words).err


@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_who_only_looks_is_not_told_to_commit_or_to_make_a_repository(tmp_path: Path, words: tuple[str, ...]) -> None:
    world = World(tmp_path)
    world.git("init", "-q")
    ran = call(world, *words)
    assert (ran.status, ran.err.splitlines()[0]) == (2, "error: no run has been started in this repository")
    outside = call(world, *words, cwd=world.home)
    hint = "hint: change into your project's folder; `autopilot gates` lists what waits in all your repositories"
    assert outside.err.splitlines() == [f"error: {world.home} is not in a git repository", hint]


@pytest.mark.parametrize(
    ("content", "guess"),
    [("# Roadmap\n\n### Phase 1: Ä\n".encode("utf-16"), "UTF-16"), (b"\x7fELF\0\1\2" + b"code" * 9, "a binary file")],
)
def test_a_roadmap_that_is_no_text_is_called_so(tmp_path: Path, content: bytes, guess: str) -> None:
    world = make_world(tmp_path)
    (world.project / ".planning/ROADMAP.md").write_bytes(content)
    ran = call(world, "run", "--dry-run", "--script", str(world.script))
    assert ran.err.splitlines() == [
        f"error: .planning/ROADMAP.md is not UTF-8 text (it looks like {guess})",
        "hint: save it as UTF-8",
    ]


def test_a_detached_head_and_an_untouched_template_are_warned_of_before_the_run(tmp_path: Path) -> None:
    world = make_world(tmp_path)
    roadmap = world.project / ".planning/ROADMAP.md"
    roadmap.write_text(f"{roadmap.read_text()}\n### Phase 7: Later\n\n**Goal**: [To be defined]\n")
    world.git("checkout", "-q", "--detach")
    detached = "HEAD is detached: nothing can land"
    planned = call(world, "run", "--dry-run", "--script", str(world.script)).out
    assert f"{detached}; `git switch BRANCH` before the run" in planned
    assert ".planning/ROADMAP.md still contains [To be defined]" in planned
    examined = call(world, "doctor", "--no-try").out
    assert f"warning   repository: {detached}" in examined
    world.git("switch", "-q", "main")
    assert detached not in call(world, "run", "--dry-run", "--script", str(world.script)).out
