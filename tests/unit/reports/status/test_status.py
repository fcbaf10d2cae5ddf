"""Status and ending: where a run stands in a line, on a page, and for whoever comes back to it (INV-8, PROG)."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.adapters.agents.presets import PRESETS
from autopilot.events.fold import fold_all
from autopilot.events.pieces import BreakerState, Deferral, Landing, Limit, OpenStep, Outage, TaskState
from autopilot.events.state import PhaseState, RunState
from autopilot.model.agent import Usage
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.git import LandingState
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Policy
from autopilot.model.result import Justification
from autopilot.model.run import PhaseStatus, RunStatus, Step, StopKind
from autopilot.reports.documents.summary import render_summary
from autopilot.reports.run.ending import render_ending
from autopilot.reports.run.ways_on import CONFIG, CommandOptions
from autopilot.reports.status.caught import find_caught
from autopilot.reports.status.gates import find_waiting, landing_words
from autopilot.reports.status.remedy import SIGN_IN, remedy_lines
from autopilot.reports.status.state_json import state_document
from autopilot.reports.status.status import status_document
from autopilot.reports.status.status_text import (
    line_facts,
    render_doing,
    render_line,
    render_status,
    render_time,
    run_word,
)
from tests.unit.events.golden.reading import FOLDER, read_golden
from tests.unit.making import ONE, START, TWO, alter, make_phase, make_state, make_task, make_verdict, policy_of

# covers: INV-8, PROG, CENF-03, STAT-05, CB, MTRC-02
CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")
DONE = make_phase(
    status=PhaseStatus.COMPLETED, score=9.6, verdicts=(make_verdict(Outcome.PASS),), landing=Landing("landed")
)
FAILED = make_phase(
    TWO, status=PhaseStatus.FAILED, failure="c1 failed", failure_step="gate", diagnostic_branch="autopilot/diag"
)
DEFERRED = make_phase(
    status=PhaseStatus.COMPLETED,
    score=9.6,
    landing=Landing("deferred", because="a.py is modified", branch="autopilot/run-1"),
)


def document(*phases: PhaseState, **more: Any) -> dict[str, Any]:
    state = make_state(*phases, **more)
    found = status_document(state, state_document(state, [{"event": "run_started"}]), landing_words(state))
    return json.loads(json.dumps(found))  # type: ignore[no-any-return]


def test_the_status_document_is_the_state_without_its_log_and_with_what_can_be_done() -> None:
    found = document(DONE, warnings=("no command is known",))
    assert "event_log" not in found
    assert found["warnings"] == ["no command is known"]
    assert (found["landing"], found["caught"]) == ("", [])


def test_what_was_caught_is_part_of_the_status() -> None:
    lying = make_phase(tasks={"01-01": TaskState(make_task(), caught=("the agent committed nothing",))})
    assert document(lying)["caught"] == [{"phase": "1", "task": "01-01", "because": "the agent committed nothing"}]


def test_what_was_caught_in_an_attempt_that_failed_is_told_after_the_next_one_passed() -> None:
    # covers: RES-1
    idle = TaskState(make_task(), caught=("the agent committed nothing",))
    first = make_phase(tasks={"01-01": idle}, status=PhaseStatus.FAILED)
    failed = make_state(first, failures=(first,))
    second = make_phase(tasks={"01-01": TaskState(make_task())}, attempt=2, status=PhaseStatus.COMPLETED)
    passed = make_state(second, failures=(first,))
    assert find_caught(failed) == find_caught(passed) == [("1", "01-01", "the agent committed nothing")]


def test_a_line_says_the_run_its_word_its_phases_and_the_step() -> None:
    running = make_phase(TWO, open=OpenStep(Step.EXECUTE, 1, 1, "02-01"))
    assert render_line(document(DONE, running), alive=True) == "run-1 running 1/2 phase 2 execute"
    assert render_line(document(DONE, make_phase(TWO)), alive=True) == "run-1 running 1/2 phase 2"
    assert render_line(document(DONE, status=RunStatus.COMPLETED), alive=False) == "run-1 completed 1/1"


@pytest.mark.parametrize(
    ("status", "alive", "word"),
    [
        ("running", True, "running"),
        ("running", False, "interrupted"),
        ("paused", False, "paused"),
        ("completed", True, "completed"),
    ],
)
def test_a_run_that_nobody_drives_was_interrupted(status: str, alive: bool, word: str) -> None:
    assert run_word({"status": status}, alive) == word


def test_the_line_needs_no_more_than_its_facts() -> None:
    whole = document(DONE, FAILED)
    assert render_line(line_facts(whole), alive=False) == render_line(whole, alive=False)


def test_a_page_lists_every_phase_and_what_it_came_to() -> None:
    lines = render_status(document(DONE, FAILED, status=RunStatus.FAILED, stop_reason="phase 2 did not pass"), False)
    head, first, second, *_ = lines.splitlines()
    assert head == "run-1: failed (phase 2 did not pass)"
    assert first.split() == ["phase", "1", "completed", "9.6/10", "Part", "1"]
    assert "failed" in second and "c1 failed" in second


def test_a_page_says_what_waits_and_what_ran_without_walls() -> None:
    page = render_status(document(DEFERRED, policy=Policy(confined=False)), alive=False)
    assert "landing waits (a.py is modified); the work is on branch autopilot/run-1" in page
    assert "WITHOUT a sandbox" in page


def test_a_page_names_the_agents_of_the_run_that_may_reach_any_host() -> None:
    policy = policy_of(agents={"default": "claude"}, open_egress=("claude", "unused"))
    page = render_status(document(DONE, policy=policy), alive=False)
    assert "claude may reach any host and every service of this machine, by your settings" in page
    assert "may reach" not in render_status(document(DONE), alive=False)


def test_an_ending_says_what_each_phase_came_to() -> None:
    text = render_ending(make_state(DONE, FAILED, status=RunStatus.FAILED, stop_reason="phase 2 did not pass"))
    assert text.splitlines() == [
        "run-1: failed, phase 2 did not pass",
        "  phase 1 passed: 1/1 proven, 9.6/10, landed; report .planning/phases/01-part/VERIFICATION.md",
        "  phase 2 failed in gate: c1 failed; the attempt is kept on autopilot/diag; "
        "the evidence is in .autopilot/diagnostics/phase-2/, the post-mortem in "
        ".autopilot/diagnostics/phase-2-postmortem.json",
        "  to continue: `autopilot resume`; to start over: `autopilot run --fresh 2`",
        "  a resumed run keeps the roadmap, plan and config it started with; after changing them: "
        "`autopilot run --fresh 2`",
    ]


def waiting(obstacle: LandingState, **more: Any) -> RunState:
    landing = Landing("deferred", because="it was in the way", branch="autopilot/run-1", obstacle=obstacle)
    phase = make_phase(status=PhaseStatus.COMPLETED, score=9.6, landing=landing)
    return make_state(phase, status=RunStatus.WAITING, exit_status=3, **more)


def paused(exit_status: int, kind: StopKind | None = None) -> RunState:
    return make_state(make_phase(), status=RunStatus.PAUSED, exit_status=exit_status, stop_kind=kind)


def stopped_by_breaker(kind: StopKind | None = None) -> RunState:
    breaker = BreakerState("open", reason="no progress", until=START)
    return make_state(make_phase(), status=RunStatus.PAUSED, stop_kind=kind, breaker=breaker)


USED_UP = make_phase(TWO, status=PhaseStatus.FAILED, attempt=2)
RESUME, FRESH = "`autopilot resume --script 's 1'`", "autopilot run --fresh {} --script 's 1'`"
KEEPS = "a resumed run keeps the roadmap, plan and config it started with; after changing them:"
KEPT = f"{KEEPS} `{FRESH}"
SPENT = "nothing is left to run: phase 2 has used its 2 attempts"
CHANGED = "after changing roadmap, plan or config:"
MOVED = make_phase(
    status=PhaseStatus.COMPLETED,
    score=9.6,
    landing=Landing("deferred", because="main moved", branch="autopilot/run-1", obstacle=LandingState.BRANCH_MOVED),
)
NOW = "from 12:00 UTC on, or immediately: `autopilot resume --now --script 's 1'`"
ENDINGS = {
    "the circuit breaker": (
        stopped_by_breaker(),
        f"to continue: remove the cause, then {RESUME} {NOW}",
        KEPT.format(1),
    ),
    "the circuit breaker, by a cap": (
        stopped_by_breaker(StopKind.CAP),
        f"to continue: raise the cap in /s.toml, then {RESUME} {NOW}",
    ),
    "uncommitted work": (
        waiting(LandingState.NOT_CLEAN),
        f"to land it: `git stash`, then {RESUME}, then `git stash pop`; "
        "or commit, then `git merge autopilot/run-1 && autopilot resume --script 's 1'`",
    ),
    "a file in the way": (waiting(LandingState.UNTRACKED), f"to land it: move those files away, then {RESUME}"),
    "a merge in progress": (
        waiting(LandingState.IN_PROGRESS),
        f"to land it: finish or abort that operation (`git status` names the commands), then {RESUME}",
    ),
    "a lock": (
        waiting(LandingState.LOCKED),
        f"to land it: wait for the other git, or delete that file if none runs, then {RESUME}",
    ),
    "a second worktree": (
        waiting(LandingState.TWO_WORKTREES),
        f"to land it: switch the other worktree to another branch, then {RESUME}",
    ),
    "a branch that moved": (
        waiting(LandingState.BRANCH_MOVED),
        "to land it: `git merge autopilot/run-1 && autopilot resume --script 's 1'`",
    ),
    "another branch": (
        waiting(LandingState.OTHER_BRANCH, branch="a b"),
        "to land it: `git switch 'a b' && autopilot resume --script 's 1'`; or merge it into your current branch: "
        "`git merge autopilot/run-1 && autopilot resume --script 's 1'`",
    ),
    "no branch at all": (
        waiting(LandingState.DETACHED, branch=""),
        "to land it: switch to the branch that the work is meant for, then "
        "`git merge autopilot/run-1 && autopilot resume --script 's 1'`",
    ),
    "no branch any more": (
        waiting(LandingState.DETACHED, branch="main"),
        "to land it: `git switch main && autopilot resume --script 's 1'`",
    ),
    "a cap": (paused(4, StopKind.CAP), f"to continue: raise the cap in /s.toml, then {RESUME}"),
    "the cap of one call": (
        paused(4, StopKind.CALL),
        f"to continue with a new call: {RESUME}",
        "if tokens or usd below [agent.NAME] in /s.toml sets that cap: raise it there",
    ),
    "something missing": (
        paused(5, StopKind.PROBLEM),
        f"to continue: fix the problem named above, then {RESUME}",
        KEPT.format(1),
    ),
    "a full disk": (paused(4, StopKind.PROBLEM), f"to continue: fix the problem named above, then {RESUME}"),
    "a signal": (paused(130), f"to continue: {RESUME}; to start over: `{FRESH.format(1)}"),
    "a failure": (
        make_state(DONE, FAILED, status=RunStatus.FAILED, exit_status=1),
        f"to continue: {RESUME}; to start over: `{FRESH.format(2)}",
        KEPT.format(2),
    ),
    "a phase without what it depends on": (
        make_state(replace(FAILED, brief=replace(FAILED.brief, depends_on=(ONE,))), status=RunStatus.FAILED),
        f"to continue with what it depends on: `{FRESH.format('1 2')}",
    ),
    "a second failure": (
        make_state(DONE, USED_UP, status=RunStatus.FAILED, exit_status=1),
        SPENT,
        f"{CHANGED} `{FRESH.format(2)}",
    ),
    "a second failure beside work that waits": (
        make_state(DEFERRED, USED_UP, status=RunStatus.FAILED, exit_status=1),
        f"to land it: `git stash`, then {RESUME}, then `git stash pop`; "
        "or commit, then `git merge autopilot/run-1 && autopilot resume --script 's 1'`",
        SPENT,
        f"{CHANGED} `git merge autopilot/run-1 && {FRESH.format(2)}",
    ),
    "a failure beside work on a branch that moved": (
        make_state(MOVED, FAILED, status=RunStatus.FAILED, exit_status=1),
        "to land it: `git merge autopilot/run-1 && autopilot resume --script 's 1'`",
        f"to continue: {RESUME}; to start over: `git merge autopilot/run-1 && {FRESH.format(2)}",
        f"{KEEPS} `git merge autopilot/run-1 && {FRESH.format(2)}",
    ),
    "an audit that was cancelled": (
        make_state(DONE, status=RunStatus.PAUSED, exit_status=130),
        f"to continue: {RESUME}",
    ),
}


@pytest.mark.parametrize("case", ENDINGS.values(), ids=ENDINGS.keys())
def test_whoever_comes_back_is_given_a_command_to_paste(case: tuple[RunState, *tuple[str, ...]]) -> None:
    state, *last = case
    said = render_ending(state, CommandOptions(after=" --script 's 1'", caps="/s.toml"))
    assert [line.strip() for line in said.splitlines()[-len(last) :]] == last
    assert ("keeps the roadmap" in said) == any("keeps the roadmap" in line for line in last)


def test_the_gate_of_work_without_a_branch_to_land_on_names_one_to_switch_to() -> None:
    [lost] = find_waiting(waiting(LandingState.DETACHED, branch=""))
    assert lost.command == "git switch BRANCH && git merge autopilot/run-1 && autopilot resume"


PERSONS = Deferral(Justification("02-02", "pay with a real card", 1, 1), (), 4.0, "autopilot/waiting")
WAITS = make_phase(TWO, status=PhaseStatus.NEEDS_HUMAN_VERIFICATION, deferral=PERSONS)


def test_work_that_waits_for_a_person_names_the_verdict_command() -> None:
    said = render_ending(make_state(DONE, WAITS, status=RunStatus.WAITING), CommandOptions("cd /p && ", " --script s"))
    assert said.splitlines()[-2:] == [
        "  phase 2 waits for your verdict: task 02-02, pay with a real card; the work is on autopilot/waiting",
        "  to decide: `cd /p && autopilot verdict 2 pass`, or fail, or issues_found",
    ]
    page = render_status(document(DONE, WAITS), alive=False)
    look = "    look at it: git diff main...autopilot/waiting\n"
    assert f" - waits for your verdict: autopilot verdict 2 pass\n{look}" in page
    assert (
        render_line(document(DONE, WAITS, status=RunStatus.WAITING), alive=False)
        == "run-1 waiting 1/2, 1 waiting for you"
    )


def test_work_that_waits_for_a_person_does_not_hide_what_waits_to_land() -> None:
    said = render_ending(make_state(DEFERRED, WAITS, status=RunStatus.WAITING)).splitlines()
    assert said[-2].startswith("  to decide: `autopilot verdict 2 pass`")
    assert said[-1].startswith("  to land it: `git stash`, then `autopilot resume`")


def test_a_verdict_that_was_given_is_not_asked_for_again() -> None:
    given = replace(WAITS, deferral=replace(PERSONS, verdict="pass"))
    assert "to decide" not in render_ending(make_state(given, status=RunStatus.PAUSED))
    assert "waits for your verdict" not in render_status(document(given), alive=False)
    assert "waiting for you" not in render_line(line_facts(document(given)), alive=False)


def test_a_phase_that_counts_as_incomplete_is_named_with_its_diagnostic() -> None:
    short = alter(DONE, score=8.0, incomplete=True)
    said = render_ending(make_state(short, status=RunStatus.COMPLETED))
    path = ".autopilot/diagnostics/phase-1-confidence.md"
    assert "  phase 1 passed as incomplete: 1/1 proven, 8.0/10, landed; report " in said
    assert f"; what is missing: {path}\n" in said
    assert "  1 passed below 9.0/10 (force_incomplete): phase 1\n" in said
    assert f" - incomplete, see {path}\n" in render_status(document(short), alive=False)


def test_the_estimate_stands_beside_what_was_used() -> None:
    state = make_state(alter(DONE, estimate=132_000), FAILED, usage=Usage(90_000, 1_500, usd=1.5))
    assert "  91,500 tokens used (132,000 expected), 1.50 USD\n" in render_ending(state)
    page = render_status(document(alter(DONE, estimate=132_000)), alive=True)
    assert page.endswith("  0 tokens used (132,000 expected), 0.00 USD")


def test_money_that_was_worked_out_says_so_wherever_it_is_shown() -> None:
    used = Usage(1_500, 150, usd=0.012, usd_is_estimate=True)
    phase = alter(DONE, estimate=78_000, usage=used)
    words = "1,650 tokens used (78,000 expected), ~0.01 USD (estimate)"
    assert f"  {words}\n" in render_ending(make_state(phase, usage=used))
    found = document(phase, FAILED, usage=used)
    assert render_status(found, alive=True).endswith(f"  {words}")
    assert (found["metrics"]["total_usd"], found["metrics"]["usd_is_estimate"]) == (0.012, True)
    assert [(p["usd"], p["usd_is_estimate"]) for p in found["phases"].values()] == [(0.012, True), (0.0, False)]
    assert f"\n{words}.\n" in render_summary(make_state(phase), phase)


WHY = "Your token could not be refreshed. Log out and sign in again: https://example.org/login"
MISSING = 'no program "gem" on the PATH; install it, or write [agent.gemini] program = "PATH" into your settings.toml'


def test_agents_that_are_out_are_told_each_with_what_to_do() -> None:
    out = {"codex": Outage(WHY, "codex"), "gemini": Outage(MISSING, remedy=MISSING.partition("; ")[2])}
    reason = "no agent is available for the role judge: " + "; ".join(f"{agent}: {why}" for agent, why in out.items())
    state = make_state(status=RunStatus.PAUSED, exit_status=5, stop_kind=StopKind.PROBLEM, stop_reason=reason, out=out)
    lines = render_ending(state).splitlines()
    short = 'codex: Your token could not be refreshed; gemini: no program "gem" on the PATH'
    assert lines[0].startswith(f"run-1: paused, no agent is available for the role judge: {short}")
    remedies = [
        "  to continue: `autopilot agents login codex --key` or `autopilot agents login codex`",
        '  to continue: gemini: install it, or write [agent.gemini] program = "PATH" into your settings.toml',
    ]
    assert lines[-3:] == [*remedies, "  then: `autopilot resume`"]
    page = render_status(status_document(state, state_document(state, ()), ""), alive=False)
    assert page.splitlines()[-3:-1] == remedies or page.splitlines()[-2:] == remedies
    assert short in page and "example.org" not in page


def test_a_remedy_names_only_what_exists() -> None:
    agents = ("claude", "mine", "scripted")
    out = {agent: Outage("not signed in", agent) for agent in agents} | {"gone": Outage("not_found")}
    assert remedy_lines(make_state(out=out)) == [
        "`autopilot agents login claude --key` or `autopilot agents login claude`",
        "`autopilot agents login mine --key`",
        "scripted plays a script and needs no sign-in: correct the script, or choose another agent with --agent",
        "install gone, or choose another agent with --agent",
    ]
    assert {name for name, preset in PRESETS.items() if preset.dialect().login.command} == set(SIGN_IN)


def test_the_report_of_work_that_has_not_landed_is_read_from_its_branch() -> None:
    shown = "report `git show autopilot/run-1:.planning/phases/01-part/VERIFICATION.md`"
    assert f"not landed yet; {shown}\n" in render_ending(make_state(DEFERRED))
    plain = render_ending(make_state(DEFERRED, policy=Policy(commit_docs=False)))
    assert "not landed yet; report .planning/phases/01-part/VERIFICATION.md\n" in plain


def test_a_limit_is_told_by_its_first_sentence_and_the_rest_of_the_reason_stays() -> None:
    why = "codex reached its provider's rate limit: You've hit your limit. Upgrade: https://example.org/plus"
    later = "Autopilot would ask again at 2025-01-01 13:39 UTC, which is later than"
    reason = f"{why}; {later} the longest wait allowed (5 minutes)"
    limits = {"codex": Limit(START, START, 1, why)}
    state = make_state(status=RunStatus.PAUSED, exit_status=4, stop_reason=reason, limits=limits)
    shown = reason.replace(". Upgrade: https://example.org/plus", "")
    assert render_ending(state).startswith(f"run-1: paused, {shown}\n")
    assert document(stop_reason=reason)["_meta"]["stop_reason"] == reason


def test_a_run_that_was_asked_to_stop_is_stopping_until_it_rests() -> None:
    asked = document(make_phase(), cancelled_by="you")
    assert run_word(asked["_meta"], alive=True) == "stopping"
    assert run_word(asked["_meta"], alive=False) == "interrupted"
    assert render_line({**asked, **line_facts(asked)}, alive=True) == "run-1 stopping 0/1 phase 1"
    pausing = document(make_phase(), pause_wanted_by="you")
    assert render_line({**pausing, **line_facts(pausing)}, alive=True) == "run-1 pausing 0/1 phase 1"
    rested = document(make_phase(), cancelled_by="you", status=RunStatus.PAUSED, exit_status=1)
    assert run_word(rested["_meta"], alive=True) == "paused"


def test_a_page_shows_the_breaker_and_the_parts_of_a_split_phase() -> None:
    parts = {"1a": make_phase(PhaseId("1a"), parent=ONE, status=PhaseStatus.FAILED, score=6.1, failure="red")}
    breaker = BreakerState("open", reason="no progress", until=START)
    lines = render_status(document(make_phase(parts=("1a",)), parts=parts, breaker=breaker), alive=False).splitlines()
    assert lines[2].split() == ["part", "1a", "failed", "6.1/10", "Part", "1a", "-", "red"]
    assert lines[3] == "  the circuit breaker is open, until 2025-01-01T12:00:00Z: no progress"


def test_a_page_of_an_older_version_can_still_be_shown() -> None:
    old = document(DONE)
    del old["phases"]["1"]["sub_phases"], old["metrics"]["total_estimated_tokens"], old["circuit_breaker"]["reason"]
    assert "phase 1" in render_status(old, alive=False)


def test_what_was_caught_in_a_part_is_told_once() -> None:
    told = TaskState(make_task(), caught=("refused: the agent committed nothing",))
    parts = {"1a": make_phase(PhaseId("1a"), parent=ONE, tasks={"01-01": told})}
    state = make_state(make_phase(tasks={"01-01": told}, parts=("1a",)), parts=parts)
    assert render_ending(state).count("caught: task 01-01 of phase 1 was refused: the agent committed nothing") == 1


@pytest.mark.parametrize("page", ["ending", "status"])
def test_what_was_caught_again_and_again_is_told_once_with_how_often(page: str) -> None:
    idle = "refused: the agent committed nothing"
    phase = make_phase(tasks={"01-01": TaskState(make_task(), caught=(idle, "refused: it hid a file", idle))})
    text = render_ending(make_state(phase)) if page == "ending" else render_status(document(phase), alive=False)
    assert [line.strip() for line in text.splitlines() if "caught" in line] == [
        "caught: task 01-01 of phase 1 was refused: the agent committed nothing (2 times)",
        "caught: task 01-01 of phase 1 was refused: it hid a file",
    ]


def test_the_page_of_a_paused_run_gives_its_reason_once_and_the_way_to_continue() -> None:
    breaker = BreakerState("open", reason="no progress", until=START)
    reason = "no progress; the circuit breaker cools down until 12:00 UTC"
    page = render_status(
        document(make_phase(), status=RunStatus.PAUSED, exit_status=1, stop_reason=reason, breaker=breaker), alive=False
    )
    assert page.count("no progress") == 1
    (line,) = [line.strip() for line in page.splitlines() if "to continue" in line]
    assert line.startswith("to continue: remove the cause, then `autopilot resume`")


def test_the_page_of_a_run_whose_process_was_killed_gives_the_command_that_continues_it() -> None:
    running = document(make_phase())
    assert render_status(running, alive=False).splitlines()[-1] == "  to continue: `autopilot resume`"
    assert "to continue" not in render_status(running, alive=True)
    issue = {"number": 24, "title": "t", "route": "", "branch": "b", "where": "w", "outcome": "", "reason": ""}
    issue |= {"oracle": None, "remedy": (), "findings": (), "merge_command": ""}
    del running["resume"]  # as in a row that an older version prepared
    page = render_status({**running, "issue": issue}, alive=False)
    assert page.splitlines()[-1] == "  to continue: `autopilot issue 24`"


def test_the_line_names_every_phase_that_is_under_way() -> None:
    phases = [make_phase(PhaseId(id), status=PhaseStatus.IN_PROGRESS) for id in ("1", "4")]
    assert render_line(document(*phases), alive=True).endswith(" phases 1, 4")


def test_a_cap_of_the_repository_needs_a_fresh_run() -> None:
    said = render_ending(paused(4, StopKind.CAP), CommandOptions(caps=CONFIG))
    assert said.endswith("to continue: raise the cap in .planning/config.json, then `autopilot run --fresh 1`\n")


@pytest.mark.parametrize("status", [RunStatus.WAITING, RunStatus.FAILED, RunStatus.PAUSED])
def test_every_ending_names_the_branch_of_work_that_waits(status: RunStatus) -> None:
    said = render_ending(make_state(DEFERRED, FAILED, status=status))
    assert "  landing waits (a.py is modified); the work is on branch autopilot/run-1\n" in said


def test_a_completed_run_asks_for_nothing() -> None:
    assert "`" not in render_ending(make_state(DONE, status=RunStatus.COMPLETED))


def test_the_ending_of_the_demo_tells_that_a_lie_was_caught() -> None:
    text = render_ending(fold_all(read_golden(FOLDER / "journal-1.jsonl")))
    assert "phase 1 passed: 8/8 proven" in text
    assert "caught: task 02-01 of phase 2 was claimed as done, and refused: " in text


EVIL = "\x1b[2Jx\n  phase 1 passed: 9/9 proven\r\x9b1m"


def test_a_hostile_reason_can_neither_drive_the_terminal_nor_write_a_line_of_its_own() -> None:
    bad = make_phase(status=PhaseStatus.FAILED, failure=EVIL, tasks={"01-01": TaskState(make_task(), caught=(EVIL,))})
    ending = render_ending(make_state(bad, status=RunStatus.FAILED, stop_reason=EVIL))
    assert not CONTROLS.search(ending)
    assert not any(line.startswith("  phase 1 passed") for line in ending.splitlines())
    page = render_status(document(bad, stop_reason=EVIL), alive=False)
    assert not any(line.startswith("  phase 1 passed") for line in page.splitlines())


def test_the_phases_of_the_document_keep_the_order_they_run_in() -> None:
    assert list(document(make_phase(TWO), make_phase(ONE))["phases"]) == ["2", "1"]


DOING = {"agent": "claude", "role": "executor", "phase": "2", "task": "02-01", "activity": "Bash: pytest -q"}


@pytest.mark.parametrize(
    ("changes", "columns", "line"),
    [
        ({"tokens": 12_340, "elapsed_s": 125}, 80, "claude executor 02-01 · Bash: pytest -q · 12,340 tokens · 2m 05s"),
        ({"tokens": 0, "elapsed_s": 5, "activity": ""}, 80, "claude executor 02-01 · 5s"),
        ({"tokens": 0, "elapsed_s": 5, "task": "", "activity": ""}, 80, "claude executor phase 2 · 5s"),
        (
            {"tokens": 1, "elapsed_s": 5, "activity": "x" * 99},
            60,
            f"claude executor 02-01 · {'x' * 19}… · 1 tokens · 5s",
        ),
    ],
)
def test_an_agent_at_work_is_told_in_one_line_with_as_much_of_its_activity_as_fits(
    changes: dict[str, Any], columns: int, line: str
) -> None:
    assert render_doing({**DOING, **changes}, columns) == line
    assert len(line) <= columns


@pytest.mark.parametrize(
    ("seconds", "words"), [(0, "0s"), (59, "59s"), (60, "1m 00s"), (3599, "59m 59s"), (7500, "2h 05m")]
)
def test_a_time_is_told_in_two_units_at_most(seconds: int, words: str) -> None:
    assert render_time(seconds) == words


def test_status_tells_what_every_agent_is_doing_now() -> None:
    now = [{**DOING, "tokens": 5, "elapsed_s": 1, "task": task} for task in ("02-01", "02-02")]
    page = render_status({**document(DONE), "now": now}, alive=True)
    assert [line.split(" · ")[0] for line in page.splitlines() if "now:" in line] == [
        "  now: claude executor 02-01",
        "  now: claude executor 02-02",
    ]
