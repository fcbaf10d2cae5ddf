"""Whoever is asked can answer from anywhere, at any time, once; and sees in one place what waits.

covers: CKPT, STAT-05, CMAP-03, DISC, T7, NOTE, INV-8
"""

from __future__ import annotations

import json
import re
import shlex
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from autopilot.api.people.answers_file import AnswersFile, read_answers
from autopilot.api.people.gate_answers import record_answer
from autopilot.api.people.inbox import choose_run, read_open_runs
from autopilot.cli.dispatch import dispatch
from autopilot.events.entry import Entry
from autopilot.events.people import HumanAnswered
from autopilot.events.recovery import VerdictGiven
from autopilot.events.state import RunState
from autopilot.model.errors import UsageError
from tests.scenario.kit.aftermath import happened
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.resting import at_rest, open_journal, write_run
from tests.scenario.kit.terminal import talk
from tests.scenario.kit.world import World, make_world
from tests.unit import issue_runs
from tests.unit.asking import CHECKPOINT, DISCUSS, MAP, PICK

# covers: CMD-GATES, CMD-ANSWERS

MAP_WORDS = ("1.1=OAuth", "1.2=80", "2.1=")
QUESTIONS = ".autopilot/questions.md"


def state_of(world: World) -> RunState:
    return choose_run(read_open_runs(world.assemble()))


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> World:
    """For what is refused: nothing is recorded in it."""
    return at_rest(tmp_path_factory.mktemp("asking"), CHECKPOINT, MAP, PICK, deferred=True)


# --- by command


def test_an_answer_is_recorded_at_once_when_nobody_drives_and_a_second_one_is_shown_the_first(tmp_path: Path) -> None:
    world = at_rest(tmp_path, CHECKPOINT)
    said = world.autopilot("reject", "--reason", "the totals are wrong")
    assert (said.status, said.out) == (
        0,
        "checkpoint-1: your rejection is recorded, the run stops here; to continue after all: autopilot resume\n",
    )
    [answer] = happened(world, HumanAnswered)
    assert (answer.approved, answer.comment, answer.by) == (False, "the totals are wrong", "you")
    second = world.autopilot("approve", "checkpoint-1")
    assert second.status == 2
    first = r"error: checkpoint-1 has already been answered by you on \d{4}-\S+Z: rejected, the totals are wrong\n"
    assert re.match(first, second.err)
    assert "your answer is recorded; continue with: autopilot resume" in world.autopilot("status").out
    assert len(happened(world, HumanAnswered)) == 1


def test_while_a_run_is_driven_an_answer_waits_in_its_inbox(tmp_path: Path) -> None:
    world = at_rest(tmp_path, MAP)
    driving = world.assemble()
    driving.lock.take("a run")
    said = world.autopilot("answer", *MAP_WORDS)
    assert said.out == "map: your answer is saved; the running process reads it after its current step\n"
    second = world.autopilot("answer", "map", *MAP_WORDS)
    assert "map has already been answered by you; the run has not read it yet: 1.1: OAuth; 1.2: 80" in second.err
    assert json.loads(world.autopilot("gates", "--json").out)["waiting"] == [], "it is answered"
    assert happened(world, HumanAnswered) == []
    driving.lock.release()
    [message] = driving.ports.journal.inbox()
    assert message.event == HumanAnswered("map", {"1.1": "OAuth", "1.2": "80", "2.1": ""}, "you")


@pytest.mark.parametrize(
    ("words", "error", "hint"),
    [
        (("answer", "maps", "1.1=a"), "there is no open gate named maps", "open: checkpoint-1, map, areas-1"),
        (("answer", "1.1=a"), "several gates are open; name one", "open: checkpoint-1, map, areas-1"),
        (("answer", "map", "7.1=a"), "map has no question 7.1", "its questions: 1.1, 1.2, 2.1"),
        (
            ("answer", "map", "1.1=a"),
            "your answer leaves out 2 questions (1.2, 2.1) of map",
            "fill in .autopilot/questions.md, then `autopilot answer --file .autopilot/questions.md`; to skip",
        ),
        (
            ("answer", "map", "hello"),
            '"hello" is not an answer: write QUESTION=TEXT',
            "autopilot answer map 1.1=… 1.2=… 2.1=…",
        ),
        (("answer", "areas-1", "areas=1,9"), "areas-1 needs numbers from 1 to 2", "autopilot answer areas-1 areas=1,2"),
        (
            ("answer", "areas-1", "areas=1", "--more", "x"),
            "--more applies to the questions of a discussion, and areas-1 asks which areas to discuss",
            "autopilot answer areas-1",
        ),
        (("answer", "checkpoint-1", "1=a"), "checkpoint-1 asks for a decision", "`autopilot approve checkpoint-1`"),
        (
            ("answer",),
            "no answer is given, and Autopilot can ask for one only at a terminal",
            "autopilot approve checkpoint-1, or autopilot reject checkpoint-1; autopilot answer map 1.1=… 1.2=… 2.1=…; "
            "autopilot answer areas-1 areas=…; the questions are in .autopilot/questions.md",
        ),
        (
            ("answer", "--file", "none.md"),
            "the answers file none.md does not exist",
            "a waiting run writes .autopilot/questions.md",
        ),
        (
            ("answer", "--file", "README.md"),
            "README.md answers none of the open questions",
            ".autopilot/questions.md lists them",
        ),
        (("approve", "map"), "map asks questions", "autopilot answer map"),
        (("approve",), "several gates or phases are waiting; name one of them", "waiting: checkpoint-1, 3"),
        (("reject", "7"), "the run has no phase 7", "its phases are "),
        (("verdict", "3"), "no verdict is given", "write `autopilot verdict 3 pass`"),
    ],
)
def test_what_answers_nothing_is_refused_with_what_would(
    asking: World,
    words: tuple[str, ...],
    error: str,
    hint: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(asking.project)
    for name, value in asking.environment.items():
        monkeypatch.setenv(name, value)
    assert dispatch(list(words)) == 2
    said = capsys.readouterr()
    last, remedy = said.err.splitlines()[-2:]
    assert (said.out, last.startswith(f"error: {error}"), remedy.startswith(f"hint: {hint}")) == ("", True, True)
    assert happened(asking, HumanAnswered) == []


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("requirements", "q1=yes"), "requirements-24-1 has already been answered by you on "),
        (("requirements-24-1", "q1=yes"), "requirements-24-1 has already been answered by you on "),
        (("cause", "the clock"), "there is no open gate named cause"),
        (("cause",), "there is no open gate named cause"),
    ],
)
def test_an_answer_that_names_one_gate_of_an_issue_never_decides_another(
    tmp_path: Path, words: tuple[str, ...], error: str
) -> None:
    world = make_world(tmp_path)
    approved = HumanAnswered("requirements-24-1", {}, "you", approved=True)
    events = (*issue_runs.SHOWN, issue_runs.REQUIREMENTS, approved, issue_runs.DESIGN_ASKED, issue_runs.WAITS)
    open_journal(world).append([Entry("run-1", f"run-1/{number}", event) for number, event in enumerate(events)])
    before = happened(world, HumanAnswered)
    refused = world.autopilot("answer", *words)
    assert (refused.status, refused.out) == (2, "")
    assert refused.err.startswith(f"error: {error}")
    assert refused.err.endswith("hint: open: design-24-1\n")
    assert happened(world, HumanAnswered) == before


def test_an_area_to_hear_more_about_is_one_of_the_talk(tmp_path: Path) -> None:
    world = at_rest(tmp_path, DISCUSS)
    answers = {"1.1": "up", "1.2": "", "2.1": "you decide"}
    with pytest.raises(UsageError, match='no area "Colours"') as caught:
        record_answer(world.assemble(), HumanAnswered("discuss-1-0", answers, "you", more=("Colours",)))
    assert caught.value.hint == "areas: 1 Totals; 2 Refunds"
    words = (f"{id}={text}" for id, text in answers.items())
    assert world.autopilot("answer", *words, "--more", "refunds", "--more", "2").status == 0
    assert state_of(world).people.gates["discuss-1-0"].answered == HumanAnswered(
        "discuss-1-0", answers, "you", more=("Refunds",)
    )


@pytest.mark.parametrize("words", [("wrong",), ("the totals are wrong",), ("the", "totals"), ("3 totals are wrong",)])
def test_the_words_of_a_rejection_are_not_taken_for_the_name_of_a_gate(tmp_path: Path, words: tuple[str, ...]) -> None:
    world = at_rest(tmp_path, CHECKPOINT)
    assert world.autopilot("reject", *words).status == 0
    [answer] = happened(world, HumanAnswered)
    assert (answer.approved, answer.comment) == (False, " ".join(words))


def test_a_yes_or_a_no_to_a_phase_is_its_verdict(tmp_path: Path) -> None:
    world = at_rest(tmp_path, deferred=True)
    assert world.autopilot("reject", "--reason", "nobody answers").out.startswith("phase 3: fail is recorded")
    assert happened(world, VerdictGiven)[0].issues == ("nobody answers",)
    again = world.autopilot("approve", "3")
    assert re.match(r"error: phase 3 already has a verdict: fail \(nobody answers\), by you on \d{4}-", again.err)


# --- by file


def test_the_questions_file_is_there_while_something_is_open_and_answers_it_when_filled_in(tmp_path: Path) -> None:
    world = at_rest(tmp_path, CHECKPOINT, MAP, deferred=True)
    world.autopilot("approve", "3")
    file = world.read(QUESTIONS)
    assert file.startswith("# Open in run-1: checkpoint-1, map\n"), "what is answered is not asked any more"
    world.write(QUESTIONS, file.replace("Q1:\n", "Q1: OAuth\n", 1))
    assert world.autopilot("approve", "checkpoint-1").status == 0
    kept = world.read(QUESTIONS)
    assert kept.startswith("# Open in run-1: map\n") and "Q1: OAuth\n" in kept, "what was typed is not lost"
    half = world.autopilot("answer", "--file", QUESTIONS)
    assert (half.status, "has no answer to 1.2, 2.1, so map stays open" in half.err) == (2, True)
    world.write(QUESTIONS, kept.replace("Q2:\n", "Q2: 80\n").replace("Q1:\n", "Q1: -\n"))
    assert world.autopilot("answer", "--file", QUESTIONS).out.startswith("map: your answer is recorded")
    said = happened(world, HumanAnswered)[-1]
    assert (said.answers, said.by) == ({"1.1": "OAuth", "1.2": "80", "2.1": ""}, "you, in questions.md")
    assert not (world.project / QUESTIONS).exists()


# --- what waits, anywhere


def files_below(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def beside(world: World, folder: Path) -> World:
    """Another repository of the same user."""
    other = make_world(folder)
    other.state = world.state
    return other


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[World, World]]:
    """Two repositories in which something waits, one that has gone, one whose record is broken, one with no run."""
    folder = tmp_path_factory.mktemp("several")
    here = at_rest(folder / "here", CHECKPOINT, deferred=True)
    there, gone, broken, silent = (beside(here, folder / name) for name in ("o'there", "gone", "broken", "silent"))
    for world in (there, gone, broken):
        write_run(world, MAP)
    open_journal(silent).close()
    broken.journal.write_bytes(b"this is no journal" * 100)
    gone.project.rename(gone.folder / "moved")
    yield here, there


def test_everything_that_waits_is_listed_over_all_repositories_with_the_command_for_it(
    several: tuple[World, World],
) -> None:
    here, there = several
    before = files_below(here.state)
    ran = here.autopilot("gates", "--json")
    assert ran.status == 0, ran.err
    document: dict[str, list[dict[str, Any]]] = json.loads(ran.out)
    waits = {(each["repository"], each["name"]): each for each in document["waiting"]}
    assert {place: each["command"] for place, each in waits.items()} == {
        (str(here.project), "checkpoint-1"): "autopilot approve checkpoint-1",
        (str(here.project), "3"): "autopilot verdict 3 pass",
        (str(there.project), "map"): f"cd {shlex.quote(str(there.project))} && autopilot answer map",
    }
    assert all(each["run"] == "run-1" and each["since"] for each in waits.values())
    unread = {Path(each["repository"]).parent.name: each["problem"] for each in document["unread"]}
    assert set(unread) == {"gone", "broken"}
    assert "1 waiting, but the repository no longer exists" in unread["gone"]
    assert files_below(here.state) == before, "it only reads"


def test_the_list_is_for_people_too_and_needs_no_repository_around_it(several: tuple[World, World]) -> None:
    here, _ = several
    ran = here.autopilot("gates", cwd=here.folder)
    lines = ran.out.splitlines()
    assert f"    cd {here.project} && autopilot approve checkpoint-1" in lines
    assert any(line.startswith("  verdict of phase 3 (run-1, since ") for line in lines)


def test_where_nothing_waits_it_says_so(tmp_path: Path) -> None:
    assert make_world(tmp_path).autopilot("gates").out == "nothing is waiting for you\n"


def test_what_waits_in_a_repository_that_is_gone_is_not_said_to_be_nothing(tmp_path: Path) -> None:
    world = at_rest(tmp_path, MAP)
    world.project.rename(tmp_path / "elsewhere")
    ran = world.autopilot("gates", cwd=tmp_path)
    first, second = ran.out.splitlines()
    assert first == "nothing is waiting for you in a repository that is still there; in one that is gone:"
    assert (ran.status, second.startswith(f"{world.project}: 1 waiting, but the repository no longer exists")) == (
        5,
        True,
    )


def test_a_record_that_cannot_be_read_is_not_taken_for_one_in_which_nothing_waits(tmp_path: Path) -> None:
    world = at_rest(tmp_path, MAP)
    world.journal.write_bytes(b"this is no journal" * 100)
    ran = world.autopilot("gates")
    first, second = ran.out.splitlines()
    assert (ran.status, first) == (5, "nothing is waiting for you in the records that could be read; not read: 1")
    assert second.startswith(f"{world.project}: ")


def test_a_place_for_records_that_is_no_folder_is_an_error_and_not_an_empty_list(tmp_path: Path) -> None:
    world = make_world(tmp_path)
    world.state.write_text("in the way")
    ran = world.autopilot("gates")
    assert (ran.status, ran.out) == (5, "")
    assert ran.err.startswith(f"error: Autopilot cannot read its records in {world.state}: {world.state} is a file")


# --- at a terminal


def test_questions_are_shown_together_and_asked_in_turn(tmp_path: Path) -> None:
    world = at_rest(tmp_path, MAP)
    ran = talk(world, ("answer",), ("> ", "OAuth\n"), ("> ", "80, 443\n"), ("> ", "\n"), NO_COLOR="1", columns=40)
    assert ran.status == 0, ran.out
    assert state_of(world).people.gates["map"].answered == HumanAnswered(
        "map", {"1.1": "OAuth", "1.2": "80, 443", "2.1": ""}, "you"
    )
    together = ran.out[: ran.out.index("> ")]
    assert all(words in together for words in ("1.1", "1.2", "2.1", "two are possible"))
    assert "\x1b" not in ran.out
    assert max(map(len, ran.out.splitlines())) <= 79, "the last line is data"
    assert max(map(len, together.splitlines())) < 40


def test_areas_are_asked_for_until_they_are_understood(tmp_path: Path) -> None:
    world = at_rest(tmp_path, PICK)
    ran = talk(
        world, ("answer",), ("Which areas? ", "the first\n"), ("Which areas? ", "\n"), ("Which areas? ", "2,1\n")
    )
    assert (ran.status, ran.out.count("numbers from 1 to 2")) == (0, 2)
    assert state_of(world).people.gates["areas-1"].answered == HumanAnswered("areas-1", {"areas": "2,1"}, "you")


def test_a_talk_goes_area_by_area_and_can_be_deepened(tmp_path: Path) -> None:
    world = at_rest(tmp_path, DISCUSS)
    turns = (
        ("> ", "up\n"),
        ("> ", "\n"),
        ("More questions about Totals, or the next area?", "more\n"),
        ("Area: Refunds", ""),
    )
    ran = talk(
        world,
        ("answer", "discuss-1-0"),
        *turns,
        ("> ", "all\n"),
        ("More questions about Refunds, or the next area?", "next\n"),
    )
    assert ran.status == 0, ran.out
    said = HumanAnswered("discuss-1-0", {"1.1": "up", "1.2": "", "2.1": "all"}, "you", more=("Totals",))
    assert state_of(world).people.gates["discuss-1-0"].answered == said
    assert "All areas are covered: Totals, Refunds." in ran.out


def test_a_verdict_with_its_issues_is_given_at_the_terminal(tmp_path: Path) -> None:
    world = at_rest(tmp_path, deferred=True)
    wrong = "What is wrong?"
    turns = (("Your verdict (", "good\n"), ("Your verdict (", "issues_found\n"), (wrong, "too loud\n"), (wrong, "\n"))
    ran = talk(world, ("verdict",), *turns)
    assert ran.status == 0, ran.out
    assert "the work is on branch autopilot/deferred-phase-3-run-1" in ran.out
    assert [(given.verdict, given.issues) for given in happened(world, VerdictGiven)] == [
        ("issues_found", ("too loud",))
    ]


@pytest.mark.parametrize("typed", ["later\n", "\x04", "\x03"])
def test_whoever_would_rather_answer_another_time_leaves_it_open(asking: World, typed: str) -> None:
    ran = talk(asking, ("answer", "checkpoint-1"), ("Continue the run? [y/n/later] ", typed))
    assert ran.status == 3, ran.out
    assert happened(asking, HumanAnswered) == []


# --- a run that asks, without a person and with one


def asking_world(folder: Path) -> World:
    """A roadmap of one phase that says too little, for a run that only asks."""
    world = make_world(folder, Plot(phases=1))
    roadmap = world.read(".planning/ROADMAP.md")
    world.write(".planning/ROADMAP.md", roadmap.replace("Part 1 says its name", "[To be planned]", 1))
    world.commit("a plan to be made")
    told = world.folder / "told"
    world.set_settings(f"[notify]\ncommand = 'echo \"$AUTOPILOT_NOTICE $AUTOPILOT_COMMAND\" >> {told}'\n")
    return world


def told(world: World) -> list[str]:
    return (world.folder / "told").read_text().splitlines()


def test_a_run_rests_until_a_file_answers_everything_and_tells_each_rest_once(tmp_path: Path) -> None:
    world = asking_world(tmp_path)
    world.write("../answers.md", "Q9: nothing\n\n1.1: OAuth\nno idea\n7.1: blue\n")
    ran = world.run("--map", "--answers", "../answers.md", "--host", "claude-code")
    assert ran.status == 3, ran.err
    assert "warning: ../answers.md has no answer to 1.2" in ran.err
    assert re.search(r"warning: \.\./answers\.md:1: the question \S*9 is not open: not used\n", ran.err)
    assert "warning: ../answers.md:5: the question 7.1 is not open: not used\n" in ran.err
    assert "`/clear` then `autopilot answer map`" in ran.out
    assert world.resume().status == 3
    assert told(world) == ["gate autopilot answer map"], "the same rest is told once"
    filled = re.sub(r"(?m)^(Q\d):$", r"\1: so", world.read(QUESTIONS))
    world.write("../answers.md", filled)
    ran = world.resume("--answers", "../answers.md")
    assert ran.status == 0, ran.err
    assert set(happened(world, HumanAnswered)[0].answers.values()) == {"so"}
    assert told(world) == ["gate autopilot answer map", "completion "]


def test_a_file_that_git_tracks_gives_no_approval_and_no_verdict(tmp_path: Path) -> None:
    """An agent's commit, landed, may have written it."""
    world = at_rest(tmp_path, CHECKPOINT, deferred=True)
    said = "## checkpoint-1\n\napprove\n\n## Phase 3\n\nverdict: pass\n"
    for path in ("answers.md", "../answers.md"):
        world.write(path, said)
    world.commit("answers, for everyone to see")
    assembly = world.assemble()
    heard: list[str] = []
    for path in (world.project / "answers.md", world.folder / "answers.md"):
        AnswersFile(read_answers(str(path)), assembly).start(heard.append)(state_of(world))
        kinds = [type(message.event) for message in assembly.ports.journal.inbox()]
        assert kinds == ([] if path.parent == world.project else [HumanAnswered, VerdictGiven]), heard
    assert len([words for words in heard if "git tracks this file" in words]) == 2


def test_whoever_sits_at_the_terminal_is_asked_there_and_then_and_the_run_goes_on(tmp_path: Path) -> None:
    world = asking_world(tmp_path)
    asked = ("run", "--map", "--script", str(world.script))
    left = talk(world, asked, ("> ", "OAuth\n"), ("> ", "\x04"))
    assert (left.status, "open questions stay open" in left.out) == (3, True)
    assert happened(world, HumanAnswered) == []
    count = len(state_of(world).open_gates[0].asked.questions)
    turns = [("> ", f"answer {number}\n") for number in range(count)]
    done = talk(world, ("resume", "--script", str(world.script)), *turns)
    assert done.status == 0, done.out
    assert list(happened(world, HumanAnswered)[0].answers.values()) == [f"answer {number}" for number in range(count)]
    assert (world.project / ".autopilot" / "context-map.json").exists()


def test_questions_answered_at_another_terminal_move_the_one_that_waits_and_it_shows_how_the_run_ends(
    tmp_path: Path,
) -> None:
    # covers: INV-6
    world = asking_world(tmp_path)

    def answer_elsewhere() -> str:
        questions = state_of(world).open_gates[0].asked.questions
        assert world.autopilot("answer", *(f"{question.id}=so" for question in questions)).status == 0
        return "half a sent"

    ran = talk(world, ("run", "--map", "--script", str(world.script)), ("> ", answer_elsewhere))
    assert (ran.status, "was answered in another terminal; the run goes on" in ran.out) == (0, True), ran.out
    assert "questions answered" in ran.out, "how it ended"
    assert set(happened(world, HumanAnswered)[0].answers.values()) == {"so"}


@pytest.mark.parametrize("is_key_lost", [True, False], ids=["key lost", "entry changed"])
def test_a_record_that_does_not_verify_is_not_believed(tmp_path: Path, is_key_lost: bool) -> None:
    world = at_rest(tmp_path, MAP)
    assert "autopilot answer map" in world.autopilot("gates").out, "the control"
    if is_key_lost:
        world.journal.with_name("key").unlink()
    else:
        with closing(sqlite3.connect(world.journal)) as database, database:
            database.execute("UPDATE events SET at = '2020-01-01T00:00:00Z' WHERE seq = 2")
    ran = world.autopilot("gates")
    first, *_ = ran.out.splitlines()
    assert (ran.status, first) == (5, "nothing is waiting for you in the records that could be read; not read: 1")
