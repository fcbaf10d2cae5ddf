"""What stands at the doors: hostile folders, readers that go away, words that are wrong, and commands to paste.

INV-8, STATE, T7.projections, T5.refusal
"""

from __future__ import annotations

import io
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from autopilot.adapters.clock import SystemClock
from autopilot.adapters.journal.memory import MemoryJournal
from autopilot.api.projections import Projections
from autopilot.cli.screen import Screen
from autopilot.engine.ledger import Recorded
from autopilot.events.fold import fold_all
from autopilot.events.happened import Event, PhaseStarted, RunStarted, StepStarted
from autopilot.model.run import Step
from autopilot.reports.live.columns import shorten_to_width
from autopilot.settings.reading import read_settings
from tests.scenario.kit.calls import once_more, usage, work
from tests.scenario.kit.looking import PATIENCE_S
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import Ran, World, base_config, few_tries, make_world
from tests.unit.making import ONE, make_started, store

# covers: CMD-STATUS

BAD = (work("01-01", text="echo to be done\n"), once_more())
ERROR_FORM = re.compile(r"error: [^\n]+\nhint: [^\n]+\n")


# -- the folder for people


def link_out(world: World) -> None:
    (world.folder / "elsewhere").mkdir()
    (world.project / ".autopilot").symlink_to("../elsewhere")


def link_inside(world: World) -> None:
    (world.project / ".autopilot").symlink_to(".planning")


def put_a_file(world: World) -> None:
    world.write(".autopilot", "a file of the user's\n")


HOSTILE = pytest.mark.parametrize("make", [link_out, link_inside, put_a_file])


@HOSTILE
def test_a_folder_of_reports_that_is_none_is_left_alone_and_stops_no_run(
    world: World, make: Callable[[World], None]
) -> None:
    make(world)
    ran = world.run()
    assert ran.status == 0, ran.err
    assert ran.err.count("warning: files in .autopilot could not be written; the run continues: ") == 1
    assert "  Report: its files could not be written; `autopilot report` prints it" in ran.out
    assert_untouched(world, make)
    assert world.autopilot("status", "--line").out.endswith(" completed 1/1\n"), "what is prepared needs no folder"


@HOSTILE
def test_a_repository_that_brings_the_folder_along_is_refused_before_anything_is_written(
    world: World, make: Callable[[World], None]
) -> None:
    make(world)
    world.commit("what the repository brings along")
    ran = world.run()
    assert ran.status == 2
    assert ran.err.startswith("error: .autopilot is committed in this repository")
    assert_untouched(world, make)


def assert_untouched(world: World, make: Callable[[World], None]) -> None:
    assert not list(world.folder.glob("elsewhere/*"))
    assert not list((world.project / ".planning").glob("state.json*"))
    assert (world.project / ".autopilot").is_file() == (make is put_a_file)


def recorded_one_by_one(*events: Event) -> Iterable[Recorded]:
    entries = store(*events)
    for number in range(1, len(entries) + 1):
        yield Recorded(tuple(entries[number - 1 : number]), fold_all(entries[:number]))


def test_whoever_looks_during_a_long_step_sees_that_step(tmp_path: Path) -> None:
    journal = MemoryJournal(SystemClock())
    projections = Projections(tmp_path, journal)
    started = StepStarted(ONE, Step.RESEARCH, 1)
    for recorded in recorded_one_by_one(make_started(), PhaseStarted(ONE, 1, "base"), started):
        projections.take(recorded)
    file = json.loads((tmp_path / ".autopilot" / "state.json").read_text())
    prepared = [journal.prepared(name) for name in ("line", "status")]
    documents = [file, *(json.loads(row[1]) for row in prepared if row is not None)]
    assert [document["_meta"]["current_step"] for document in documents] == ["research"] * 3
    assert (tmp_path / ".autopilot" / "state.json.backup").exists()
    assert (tmp_path / ".autopilot" / ".gitignore").read_text() == "*\n"


def test_a_failed_phase_has_documents_to_read_and_none_of_an_earlier_attempt(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(planned=True), config=few_tries())
    world.play(*BAD)
    ran = world.run()
    assert ran.status == 1, ran.err
    folder = world.project / ".autopilot" / "diagnostics" / "phase-1"
    assert "the evidence is in .autopilot/diagnostics/phase-1/" in ran.out
    assert {path.name for path in folder.iterdir()} >= {"VERIFICATION.md", "SUMMARY.md", "EXECUTION-LOG.md"}
    assert "status: gaps_found" in (folder / "VERIFICATION.md").read_text()
    (folder / "SCORECARD.md").write_text("of an earlier attempt\n")
    assert world.resume().status == 1
    assert not (folder / "SCORECARD.md").exists()
    assert world.git("status", "--porcelain") == ""


# -- readers that go away


def test_a_reader_that_goes_away_neither_stops_the_run_nor_changes_its_status(world: World) -> None:
    world.write("README.md", "# not committed, so that landing waits\n")
    words = ("-m", "autopilot", "run", "--script", str(world.script))
    process = subprocess.Popen(
        (sys.executable, *words),
        cwd=world.project,
        env=world.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert process.stdout is not None
    assert process.stdout.readline().startswith(b"Autopilot: ")
    process.stdout.close()
    assert process.wait(PATIENCE_S) == 3
    assert world.status["_meta"]["exit_status"] == 3


class Gone(io.StringIO):
    """Nobody reads it."""

    def write(self, _: str) -> int:
        raise BrokenPipeError


def test_a_screen_that_nobody_sees_goes_quiet() -> None:
    stream = Gone()
    with Screen(stream) as screen:
        screen.line("one")
        screen.line("three")
    assert stream.getvalue() == ""


@pytest.mark.parametrize(
    ("text", "columns", "shown"),
    [
        ("short", 10, "short"),
        ("exactly 10", 10, "exactly 10"),
        ("rather too long", 10, "rather to…"),
        ("日本語日本語", 10, "日本語日…"),
        ("日本語日本", 10, "日本語日本"),
        ("naïve → ok", 10, "naïve → ok"),
    ],
)
def test_a_line_is_cut_where_the_terminal_ends(text: str, columns: int, shown: str) -> None:
    assert shorten_to_width(text, columns) == shown


# -- words that are wrong


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("fly",), "autopilot --help"),
        (("run", "--nonsense"), "autopilot run --help"),
        (("run", "--script"), "autopilot run --help"),
        (("status", "--json", "--line"), "autopilot status --help"),
        (("log", "burn"), "autopilot log --help"),
    ],
)
def test_words_that_no_command_knows_are_refused_in_the_form_of_every_error(
    world: World, words: tuple[str, ...], hint: str
) -> None:
    ran = world.autopilot(*words)
    assert (ran.status, ran.out) == (2, "")
    assert ERROR_FORM.fullmatch(ran.err), ran.err
    assert f"`{hint}` " in ran.err.splitlines()[-1]


def test_a_relative_state_home_is_refused_by_every_door(world: World) -> None:
    assert world.run().status == 0
    for words in (("status", "--line"), ("status",), ("log", "verify"), ("run",), ("doctor",)):
        ran = called_with(world, {"AUTOPILOT_STATE_HOME": "../state"}, *words)
        assert ran.status == 2, (words, ran)
        assert ran.out == ""
        assert ran.err.startswith("error: AUTOPILOT_STATE_HOME is a relative path: ../state\nhint: ")
    assert not (world.home / ".local").exists()


def called_with(world: World, more: dict[str, str], *words: str) -> Ran:
    command = ("env", *(f"{name}={value}" for name, value in more.items()))
    process = world.start(*words, wrapper=command)
    out, err = process.communicate(timeout=PATIENCE_S)
    return Ran(process.returncode, out, err)


# -- doctor and init


def findings(world: World, what: str) -> list[dict[str, str]]:
    return [one for one in json.loads(world.autopilot("doctor", "--json").out) if one["what"] == what]


def test_a_misspelt_setting_is_told_by_doctor_and_stops_no_run(world: World) -> None:
    world.set_settings('sandbx = "on"\n[budget]\ntoken = 5\n[scripted]\nfile = "x"\n[agents]\njury = "scripted"\n')
    told = findings(world, "settings")
    assert [one["state"] for one in told] == ["warning"] * 4
    text = "\n".join(one["detail"] for one in told)
    for name in (
        "sandbx in line 1 (",
        "budget.token in line 3 (did you mean tokens? ",
        "scripted.file in line 5 (",
        "agents.jury in line 7 (",
    ):
        assert name in text
    assert all("settings.toml" in one["remedy"] for one in told)
    ran = world.run()
    assert (ran.status, ran.err.count("settings.toml: unknown key ")) == (0, 4)


def test_settings_that_are_all_known_are_not_remarked_upon(tmp_path: Path) -> None:
    settings = tmp_path / "autopilot" / "settings.toml"
    settings.parent.mkdir()
    settings.write_text(
        'sandbox = "on"\n[agents]\ndefault = "scripted"\nplan_checker = "scripted"\n[scripted]\nscript = "x"\n'
        "[budget]\ntokens = 1\ntokens_per_phase = 1\nusd = 1.0\nminutes = 1\n"
    )
    assert read_settings({"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}).file.unknown == ()


def test_doctor_makes_no_records_and_its_remedy_for_a_move_works(world: World) -> None:
    assert world.autopilot("doctor").status in (0, 5)
    assert not world.state.exists(), "looking makes nothing"
    assert world.run().status == 0
    run = world.status["_meta"]["run_id"]
    world.project.rename(world.folder / "moved")
    world.project = world.folder / "moved"
    [found] = findings(world, "records")
    remedy = re.search(r"`(autopilot doctor --attach \w+)`", found["remedy"])
    assert remedy is not None
    said = world.autopilot(*shlex.split(remedy[1])[1:])
    assert said.status == 0, said.err
    assert world.status["_meta"]["run_id"] == run
    assert world.autopilot("log", "verify").status == 0


def test_records_find_back_to_a_moved_repository_that_has_an_empty_home_already(world: World) -> None:
    world.drive_until(RunStarted)
    name = world.repository.home.root.name
    world.project.rename(world.folder / "moved")
    world.project = world.folder / "moved"
    assert world.autopilot("init").status == 0, "it makes a home without an event"
    assert world.repository.home.journal.exists()
    said = world.autopilot("doctor", "--attach", name)
    assert said.status == 0, said.err
    assert [path.name for path in (world.state / "autopilot").iterdir()] == [world.repository.home.root.name]
    assert world.resume().status == 0


def test_records_are_never_put_over_other_records(world: World) -> None:
    world.drive_until(RunStarted)
    name = world.repository.home.root.name
    world.project.rename(world.folder / "moved")
    world.project = world.folder / "moved"
    state = world.drive_until(RunStarted)
    said = world.autopilot("doctor", "--attach", name)
    assert said.status == 2
    assert said.err.startswith("error: this repository already has records of its own\n")
    assert world.status["_meta"]["run_id"] == state.run


def test_doctor_after_init_names_what_init_could_not_find(tmp_path: Path) -> None:
    world = make_world(tmp_path, config={"project": {}})
    assert world.autopilot("init").status == 0
    [commands] = findings(world, "commands")
    assert commands["state"] == "warning"
    assert "init" not in commands["remedy"]
    assert '.planning/config.json, such as {"project": {"commands": {' in commands["remedy"]
    [agents] = findings(world, "agents")
    assert agents["remedy"].startswith("install one of ") or "; installed: " in agents["remedy"]


def test_doctor_sees_a_roadmap_that_nobody_has_filled_in(tmp_path: Path) -> None:
    world = make_world(tmp_path)
    (world.project / ".planning/ROADMAP.md").unlink()
    assert world.autopilot("init").status == 0
    told = [one["detail"] for one in findings(world, "roadmap") if one["state"] == "warning"]
    assert ".planning/ROADMAP.md still contains [To be defined]" in told


def test_what_init_writes_is_to_be_committed_by_a_command_that_works(tmp_path: Path) -> None:
    world = make_world(tmp_path)
    world.git("rm", "-rq", ".planning")
    world.git("commit", "-q", "-m", "no plans")
    world.write("other.txt", "staged, and none of it\n")
    world.git("add", "other.txt")
    ran = world.autopilot("init")
    assert ran.status == 0, ran.err
    assert "next: fill in .planning/ROADMAP.md, commit the new files: " in ran.out
    assert "commit the new files: " in world.autopilot("init").out, "they are still not committed"
    command = re.search(r"commit the new files: `([^`]+)`", ran.out)
    assert command is not None, ran.out
    subprocess.run(command[1], shell=True, cwd=world.project, env=world.environment, check=True, capture_output=True)
    assert world.git("show", "--name-only", "--format=").split() == [".planning/ROADMAP.md", ".planning/config.json"]
    assert world.git("status", "--porcelain") == "A  other.txt"
    assert "commit the new files" not in world.autopilot("init").out, "nothing was written"


def test_init_names_a_roadmap_of_the_users_own_that_is_not_committed(tmp_path: Path) -> None:
    world = make_world(tmp_path)
    world.git("rm", "-q", "--cached", ".planning/ROADMAP.md")
    world.git("commit", "-q", "-m", "no roadmap")
    out = world.autopilot("init").out
    assert "fill in" not in out, "it is filled in"
    assert re.search(r"next: commit the new files: `git add .*\.planning/ROADMAP\.md", out), out


def test_init_does_not_ask_for_a_commit_of_what_git_ignores(tmp_path: Path) -> None:
    world = make_world(tmp_path)
    world.git("rm", "-rq", ".planning")
    world.write(".gitignore", ".planning/\n")
    world.commit("private plans")
    assert "commit" not in world.autopilot("init").out


def test_init_says_so_when_a_file_stands_where_the_planning_folder_belongs(tmp_path: Path) -> None:
    world = make_world(tmp_path)
    world.git("rm", "-rq", ".planning")
    world.write(".planning", "a file\n")
    ran = world.autopilot("init")
    assert ran.status == 2
    assert ERROR_FORM.fullmatch(ran.err), ran.err


# -- commands to paste


def pasted(world: World, ran: Ran, after: str) -> Ran:
    """Run the command that the ending gives after some words, as a user would."""
    given = re.search(re.escape(after) + r"[^`\n]*`([^`]+)`", ran.out)
    assert given is not None, ran.out
    shell = 'autopilot() { "$PYTHON" -m autopilot "$@"; }\n' + given[1]
    done = subprocess.run(
        ("sh", "-c", shell),
        cwd=world.project,
        env={**world.environment, "PYTHON": sys.executable},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def test_the_way_on_after_a_failure_is_pasted_as_it_is_until_only_a_fresh_run_is_left(tmp_path: Path) -> None:
    world = make_world(tmp_path / "with a space", Plot(planned=True), config=few_tries())
    world.play(*BAD)
    first = world.run()
    assert first.status == 1
    second = pasted(world, first, "to continue:")
    assert second.status == 1, second.err
    assert "to continue:" not in second.out
    assert f"autopilot run --fresh 1 --script {shlex.quote(str(world.script))}`" in second.out
    world.play()
    third = pasted(world, second, "after changing roadmap, plan or config:")
    assert third.status == 0, third.err


def test_a_cap_of_the_users_names_the_users_file_and_a_cap_of_the_repository_its_own(tmp_path: Path) -> None:
    spend = {"role": "plan_checker", "phase": "1", "usage": usage(5000)}
    world = make_world(tmp_path / "user", Plot(planned=True))
    world.set_settings("[budget]\ntokens = 5000\n")
    world.play(spend)
    mine = world.run()
    assert mine.status == 4, mine.err
    assert (
        f"raise budget.tokens in {world.home}/.config/autopilot/settings.toml, then `autopilot resume --script "
        in mine.out
    )
    world.set_settings("")
    assert pasted(world, mine, "to continue:").status == 0
    capped = {**base_config(), "circuit_breaker_config": {"cost_cap_tokens_total": 5000}}
    other = make_world(tmp_path / "repository", Plot(planned=True), config=capped)
    other.play(spend)
    theirs = other.run()
    assert theirs.status == 4, theirs.err
    again = other.resume("--budget-tokens", "1000000")
    assert (
        "raise circuit_breaker_config.cost_cap_tokens_total in .planning/config.json, then `autopilot run --fresh 1 "
        in again.out
    ), again.err
    other.write(".planning/config.json", json.dumps(base_config()))
    other.commit("no cap")
    assert (
        "raise circuit_breaker_config.cost_cap_tokens_total in .planning/config.json, then `autopilot run --fresh 1 "
        in theirs.out
    )
    assert pasted(other, theirs, "to continue:").status == 0


def test_a_branch_that_moved_asks_for_a_merge_and_not_for_a_commit(world: World) -> None:
    world.drive_until(PhaseStarted)
    world.write("mine.txt", "mine\n")
    world.commit("meanwhile")
    ran = world.resume()
    assert ran.status == 3, ran.err
    assert "commit or put aside" not in ran.out
    assert re.search(
        r"landing waits: main has new commits [\s\S]*\n  the verified work is on branch autopilot/run-", ran.out
    )
    assert pasted(world, ran, "to land it:").status == 0
    assert world.read("part-01-01.sh") == "echo part 01-01\n"


def test_a_checkout_on_another_branch_is_told_the_way_back(world: World) -> None:
    world.git("branch", "side;line")
    world.git("checkout", "-q", "side;line")
    world.drive_until(PhaseStarted)
    world.git("checkout", "-q", "main")
    ran = world.resume()
    assert ran.status == 3, ran.err
    assert "`git switch 'side;line' && autopilot resume --script " in ran.out
    assert pasted(world, ran, "to land it:").status == 0
    assert world.git("branch", "--show-current") == "side;line"
