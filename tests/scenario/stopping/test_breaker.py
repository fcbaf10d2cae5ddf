"""When retries bring no progress: caps that end an agent at work, and the circuit breaker.

CB, MTRC-02, R-BUDGET
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from autopilot.events.happened import AgentReplied
from autopilot.model.agent import Ending
from tests.scenario.kit.aftermath import happened, state_of
from tests.scenario.kit.calls import commit_all, debugger_claim
from tests.scenario.kit.looking import processes_of
from tests.scenario.kit.plot import part_text
from tests.scenario.kit.telling import tell
from tests.scenario.kit.world import Ran, World
from tests.scenario.stories.recovery import CAP, REPORT, REPORTS, STORIES

RAISED = 10 * CAP
SETTINGS = {"run_cap": "tokens", "phase_cap": "tokens_per_phase"}
COOLING = "cools down for 5 more minutes"


@dataclass(frozen=True)
class Session:
    """One call of the command line, and what it left behind."""

    ran: Ran
    state: dict[str, Any]
    processes: list[str]
    subjects: list[str]

    @property
    def breaker(self) -> dict[str, Any]:
        breaker: dict[str, Any] = self.state["circuit_breaker"]
        return breaker

    @property
    def steps(self) -> list[str]:
        return [row["step"] for row in self.state["event_log"] if row["event"] in ("step_started", "debug_attempt")]

    @property
    def breaker_events(self) -> list[str]:
        names = (row["event"] for row in self.state["event_log"])
        return [name.removeprefix("circuit_breaker_") for name in names if name.startswith("circuit_breaker_")]


def look(world: World, ran: Ran) -> Session:
    return Session(ran, state_of(world), processes_of(world.folder), world.subjects)


# -- caps. covers: CB, MTRC-02, R-BUDGET


@dataclass(frozen=True)
class Capped:
    """A run stopped by a cap; taken up before the cap is raised, by agents that must not be asked; and after it."""

    world: World
    name: str
    first: Session
    early: Session
    raised: Session


@pytest.fixture(scope="module", params=["run_cap", "phase_cap"])
def capped(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Capped:
    name = request.param
    told = tell(STORIES, name, tmp_path_factory.mktemp(name))
    world, first = told.world, look(told.world, told.ran)
    script = world.script.read_text(encoding="utf-8")
    world.script.write_text('{"calls": [], "default": "fail"}', encoding="utf-8")
    early = look(world, world.resume("--now"))
    world.script.write_text(script, encoding="utf-8")
    if name == "phase_cap":  # by what was printed, and nothing else
        printed = re.findall("for this run alone: `autopilot ([^`]+)`", first.ran.out)
        return Capped(world, name, first, early, look(world, world.autopilot(*shlex.split(*printed))))
    world.set_settings(f"[budget]\n{SETTINGS[name]} = {RAISED}\n")
    return Capped(world, name, first, early, look(world, world.resume("--now")))


def test_an_agent_is_ended_at_its_cap_and_at_most_one_report_is_spent_over_it(capped: Capped) -> None:
    spent = next(reply for reply in happened(capped.world, AgentReplied) if reply.role == "executor")
    assert spent.ending is Ending.BUDGET
    assert CAP < spent.usage.tokens <= CAP + REPORT
    assert spent.usage.tokens < REPORT * REPORTS, "the control: it meant to report once more"
    assert capped.first.processes == [], "its daemon neither"
    assert capped.first.subjects == ["parts: a beginning"]


def test_the_run_pauses_with_the_cap_the_figures_and_the_command_that_leads_on(capped: Capped) -> None:
    out, state = capped.first.ran.out, capped.first.state
    assert "token cap" in out.splitlines()[0]
    assert "is reached: 12,000 of 10,000" in out.splitlines()[0]
    assert "12,000 tokens used (78,000 expected), 0.00 USD" in out, "estimate beside actual"
    (lead_on,) = (line for line in out.splitlines() if "to continue: " in line)
    settings = f"{capped.world.home}/.config/autopilot/settings.toml"
    assert f"raise budget.{SETTINGS[capped.name]} in {settings}, then `autopilot resume --script" in lead_on
    assert (state["_meta"]["status"], state["_meta"]["exit_status"]) == ("paused", 4)
    assert state["phases"]["1"]["status"] == "in_progress", "a cap is nobody's failure"
    assert state["metrics"]["total_tokens_used"] == 12_000


def test_a_cap_of_the_phase_opens_the_breaker_one_of_the_run_does_not(capped: Capped) -> None:
    first = capped.first
    if capped.name == "phase_cap":
        assert first.breaker["state"] == "open"
        assert "the token cap of phase 1 is reached" in first.breaker["reason"]
        assert first.breaker_events == ["opened"]
    else:
        assert "the run's token cap is reached" in first.ran.out
        assert (first.breaker["state"], first.breaker_events) == ("closed", [])


def test_a_resume_spends_nothing_before_the_cap_is_raised(capped: Capped) -> None:
    assert capped.early.ran.status == 4, capped.early.ran.err
    assert capped.early.steps == capped.first.steps
    assert capped.early.state["metrics"]["total_tokens_used"] == 12_000


def test_a_resume_after_the_cap_is_raised_goes_on_at_the_step_it_was_in(capped: Capped) -> None:
    late = capped.raised
    assert late.ran.status == 0, late.ran.err + late.ran.out
    again = late.steps[len(capped.first.steps) :]
    assert again == ["execute", "mini_verify", "verify", "judge", "rate", "gate", "land"]
    assert capped.world.read("part-01-01.sh") == part_text("01-01")
    assert late.state["metrics"]["total_tokens_used"] == 12_000 + REPORT * REPORTS
    assert late.breaker["state"] == "closed"
    assert late.processes == []


# -- no progress. covers: CB


@pytest.fixture(scope="module")
def idle(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Session]:
    """Agents that do nothing in the first of two phases; resumed with agents no better, and with one that works."""
    told = tell(STORIES, "no_progress", tmp_path_factory.mktemp("no_progress"))
    world = told.world
    sessions = {"first": look(world, told.ran)}
    mended = [{"write": "part-01-01.sh", "text": part_text("01-01")}, *commit_all("mended")]
    world.play({"role": "debugger", "phase": "1", "do": mended, "reply": debugger_claim()})
    sessions["mended"] = look(world, world.resume())
    return sessions


def test_a_phase_whose_work_changes_nothing_fails_and_the_run_goes_on_with_the_others(idle: dict[str, Session]) -> None:
    first, reason = idle["first"], "no progress: 3 steps of work in a row changed nothing"
    assert first.ran.status == 1
    assert first.breaker_events == [], "nothing that would hit every phase"
    assert [first.state["phases"][phase]["status"] for phase in ("1", "2")] == ["failed", "completed"]
    assert reason in first.ran.out
    assert first.state["phases"]["1"]["failure_category"] == "executor_incomplete"


def test_a_phase_that_got_nowhere_is_tried_again_by_a_resume(idle: dict[str, Session]) -> None:
    mended = idle["mended"]
    assert mended.ran.status == 0, mended.ran.err + mended.ran.out
    assert mended.state["phases"]["1"]["status"] == "completed", "a debugger did what no executor had done"
    assert mended.breaker["total_retries"] == 0, "it was worth its retry"


# -- the same error, and retries. covers: CB


@pytest.fixture(scope="module")
def crashing(tmp_path_factory: pytest.TempPathFactory) -> tuple[Session, Session]:
    """Verifiers that crash; refused while it cools down, and again after a resume."""
    told = tell(STORIES, "same_error", tmp_path_factory.mktemp("same_error"))
    first = look(told.world, told.ran)
    early = (told.world.resume(), told.world.run())
    assert [ran.status for ran in early] == [1, 1]
    for ran in early:
        assert "error: the same error 3 times in a row" in ran.err
        assert COOLING in ran.err
        assert "hint: remove the cause first; `autopilot resume --now --script " in ran.err
    return first, look(told.world, told.world.resume("--now"))


def test_the_same_error_again_and_again_opens_the_breaker_across_phases(crashing: tuple[Session, Session]) -> None:
    first, reason = crashing[0], "the same error 3 times in a row: verify: the verifier crashed"
    assert f"Circuit breaker: OPEN -- {reason}" in first.ran.err
    assert (first.breaker["reason"], first.breaker["consecutive_same_error"]) == (reason, 3)
    phases = first.state["phases"]
    assert [phases[n]["status"] for n in ("1", "2")] == ["failed", "in_progress"]
    assert phases["1"]["failure_category"] == "coordination_failure"


def test_half_open_the_error_that_opened_it_opens_it_again_at_once(crashing: tuple[Session, Session]) -> None:
    first, again = crashing
    assert again.ran.status == 1
    assert again.steps[len(first.steps) :] == ["verify"]
    assert again.breaker["state"] == "open"
    assert again.breaker_events == ["opened", "opened"]


def test_half_open_a_step_that_goes_well_closes_it_and_the_run_goes_home(tmp_path: Path) -> None:
    world = tell(STORIES, "same_error", tmp_path).world
    world.play({"role": "verifier", "phase": "2"})
    mended = look(world, world.resume("--now"))
    assert "Circuit breaker: CLOSED" in mended.ran.err
    closed = ("closed", None, None)
    assert (mended.breaker["state"], mended.breaker["cooldown_until"], mended.breaker["reason"]) == closed
    assert mended.breaker_events == ["opened", "closed"]


def test_no_more_retries_than_a_run_may_have(tmp_path_factory: pytest.TempPathFactory) -> None:
    told = tell(STORIES, "retries_spent", tmp_path_factory.mktemp("retries"))
    assert "Circuit breaker: OPEN -- the run has used all of its 2 retries" in told.ran.err
    assert state_of(told.world)["circuit_breaker"]["total_retries"] == 2
