"""The audit of a whole run: what the auditor is told, what is checked of its word, and what follows.

covers: DONE-1
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from autopilot.engine.performing import STEPS
from autopilot.events.closing import Audited, IntegrationChecked, VersionAdvised
from autopilot.events.happened import Event
from autopilot.events.state import RunState
from autopilot.events.talk import AuditState
from autopilot.model.agent import AgentReply, Ending
from autopilot.model.audit import AuditReport, Gap, IntegrationReport, RequirementAudit, VersionAdvice, WiringIssue
from autopilot.model.run import PhaseStatus, SpecLock, Step
from autopilot.ports.sandbox import Exited, Outcome
from autopilot.steps.context import Result
from tests.unit.making import ONE, alter, make_phase, make_policy, make_state
from tests.unit.steps.sample import HEARSAY, OPINION, sample_world
from tests.unit.steps.snapshots import ASKING, come_to_question
from tests.unit.steps.world import Answering, World

FILES = {"src/a.py": b"one\ntwo\n", ".planning/REQUIREMENTS.md": b"- [ ] **REQ-1**: It works as it should\n"}
RULES = {"CLAUDE.md": b"Bump the minor version when a command is added.\n", "VERSION": b"1.2.0\n"}
RED = Answering({"check it": Outcome(Exited(1), b"no")})
SHOWN = "src/a.py:2 -- there"


def make(folder: Path, *replies: Any, sandbox: Any = RED, files: dict[str, bytes] | None = None) -> World:
    world = World(folder, files=FILES if files is None else files, sandbox=sandbox)
    said = [AgentReply(Ending.COMPLETED, value=msgspec.to_builtins(reply)) for reply in replies]
    world.ear.replies, world.ear.reply = said, AgentReply(Ending.CRASHED)
    return world


def audit(world: World, task: str, said: AuditState | None = None) -> tuple[Result, list[Event]]:
    phase = make_phase(status=PhaseStatus.COMPLETED)
    spec = SpecLock(".planning/REQUIREMENTS.md", "5" * 64)
    state: RunState = make_state(phase, tip="tip", spec=spec, policy=make_policy(agents={"default": "ear"}))
    running = STEPS[Step.AUDIT](world.context(alter(state, audit=said or AuditState()), phase, Step.AUDIT, task))
    events: list[Event] = []
    while True:
        try:
            events += next(running)
        except StopIteration as end:
            result: Result = end.value
            return result, [*events, *result.events]


def requirement(status: str = "pass", evidence: str = SHOWN, **more: Any) -> AuditReport:
    found = "" if status == "pass" else "it is missing"
    result = RequirementAudit("REQ-1", "1", "it works", "read", evidence, status, found, **more)
    return AuditReport((result,))


def looked(events: list[Event]) -> Audited:
    [found] = [event for event in events if isinstance(event, Audited)]
    return found


def test_a_pass_with_a_place_that_is_there_is_taken(tmp_path: Path) -> None:
    result, events = audit(make(tmp_path, requirement()), "requirements")
    assert result.status == "pass"
    assert [(r.requirement_id, r.status) for r in looked(events).results] == [("REQ-1", "pass")]
    assert looked(events).gaps == ()


def test_a_pass_without_a_place_is_asked_for_again_and_then_counts_as_not_shown(tmp_path: Path) -> None:
    world = make(tmp_path, requirement(evidence="src/gone.py:1"), requirement(evidence="src/a.py:3"))
    result, events = audit(world, "requirements")
    assert "REQ-1: file_line_evidence names no place that exists: src/gone.py:1" in world.ear.calls[1].prompt
    [gap] = looked(events).gaps
    assert result.status == "gaps" and gap.not_shown and gap.description.startswith("not shown")
    assert [r.status for r in looked(events).results] == ["gap"]


def test_a_second_answer_that_shows_it_is_taken(tmp_path: Path) -> None:
    result, _ = audit(make(tmp_path, requirement(evidence=""), requirement()), "requirements")
    assert result.status == "pass"


def test_a_requirement_left_out_twice_is_not_audited_and_no_gap(tmp_path: Path) -> None:
    world = make(tmp_path, AuditReport(()), AuditReport(()))
    _, events = audit(world, "requirements")
    assert "REQ-1: your report does not mention it" in world.ear.calls[1].prompt
    assert [r.status for r in looked(events).results] == ["not audited"] and looked(events).gaps == ()


def test_an_auditor_that_breaks_down_when_asked_again_is_taken_at_its_first_word(tmp_path: Path) -> None:
    _, events = audit(make(tmp_path, AuditReport(())), "requirements")
    assert [r.status for r in looked(events).results] == ["not audited"]


def test_an_auditor_that_breaks_down_at_once_is_an_error(tmp_path: Path) -> None:
    result, events = audit(make(tmp_path), "requirements")
    assert result.status == "error" and not [event for event in events if isinstance(event, Audited)]


@pytest.mark.parametrize(("check", "red"), [("check it", True), ("true", False), ("", False)])
def test_the_check_of_a_gap_is_run_by_us(tmp_path: Path, check: str, red: bool) -> None:
    _, events = audit(make(tmp_path, requirement("gap", check=check)), "requirements")
    [gap] = looked(events).gaps
    assert gap.check_is_red is red and (gap.seen is not None) is red


def again(**more: Any) -> AuditState:
    gap = Gap("REQ-1", "1", "it is missing", check="check it", check_is_red=True)
    wiring = Gap("INTEGRATION", "", "not mounted")
    return AuditState(passes=1, gaps=(replace(gap, **more), wiring))


def test_a_second_look_asks_only_for_what_was_missing_and_says_what_is_closed(tmp_path: Path) -> None:
    wired = RequirementAudit("INTEGRATION", "", "", "mounted", SHOWN, "pass")
    both = AuditReport((*requirement().results, wired))
    world = make(tmp_path, both, sandbox=Answering({}))
    _, events = audit(world, "requirements", again())
    assert "missing at the last audit: not mounted" in world.ear.calls[0].prompt
    assert looked(events).closed == ("REQ-1", "INTEGRATION") and looked(events).cycle == 1


def test_silence_closes_no_gap(tmp_path: Path) -> None:
    _, events = audit(make(tmp_path, requirement(), requirement(), sandbox=Answering({})), "requirements", again())
    assert looked(events).closed == ("REQ-1",)
    assert [gap.requirement for gap in looked(events).gaps] == ["INTEGRATION"]


def test_no_word_closes_a_gap_whose_check_is_still_red(tmp_path: Path) -> None:
    _, events = audit(make(tmp_path, requirement(), requirement()), "requirements", again())
    assert looked(events).closed == ()
    assert {(gap.requirement, gap.check_is_red) for gap in looked(events).gaps} == {
        ("INTEGRATION", False),
        ("REQ-1", True),
    }


@pytest.mark.parametrize(
    ("replies", "gaps"),
    [
        ([IntegrationReport(True, (), (SHOWN,))], []),
        ([IntegrationReport(False, (WiringIssue("not mounted", check="check it"),))], ["not mounted"]),
        ([IntegrationReport(True), IntegrationReport(True, (), (SHOWN,))], []),
        (
            [IntegrationReport(True), IntegrationReport(True)],
            ["not shown: evidence names no file and line that exists: list what you examined"],
        ),
    ],
)
def test_the_wiring_holds_only_where_something_shows_it(tmp_path: Path, replies: list[Any], gaps: list[str]) -> None:
    result, events = audit(make(tmp_path, *replies), "integration")
    [checked] = [event for event in events if isinstance(event, IntegrationChecked)]
    assert [gap.description for gap in checked.gaps] == gaps
    assert checked.report.passed is (not gaps) and result.status == ("gaps" if gaps else "pass")


GOOD = VersionAdvice("patch", "Bump the minor version when a command is added.")


@pytest.mark.parametrize(
    ("replies", "part", "problem"),
    [
        ([GOOD], "patch", ""),
        ([VersionAdvice("exact", GOOD.rule, "2.0.0")], "exact", ""),
        ([VersionAdvice("huge", GOOD.rule), GOOD], "patch", ""),
        ([VersionAdvice("minor", "always minor")] * 2, None, "CLAUDE.md and AGENTS.md do not contain: always minor"),
        (
            [VersionAdvice("exact", GOOD.rule, "1.1.0")] * 2,
            None,
            "'1.1.0' is not a version of three numbers after 1.2.0",
        ),
    ],
)
def test_advice_about_the_version_needs_a_sentence_of_the_project(
    tmp_path: Path, replies: list[Any], part: str | None, problem: str
) -> None:
    _, events = audit(make(tmp_path, *replies, files=RULES), "version")
    [advised] = [event for event in events if isinstance(event, VersionAdvised)]
    assert (advised.advice.part if advised.advice else None, advised.problem) == (part, problem)


@pytest.mark.parametrize("name", ["audit_integration", "audit_requirements", "audit_version"])
def test_an_auditor_is_told_nothing_that_anyone_said_of_the_work(tmp_path: Path, name: str) -> None:
    world = come_to_question(sample_world(tmp_path), ASKING[name])
    assert [word for word in (HEARSAY, OPINION) if word in world.told()] == []
    assert ONE in world.told()
