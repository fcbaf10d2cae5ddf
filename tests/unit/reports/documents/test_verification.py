"""VERIFICATION.md: exact tables, and no word in it that contradicts what was seen."""

from __future__ import annotations

from typing import Any

import pytest

from autopilot.events.pieces import Deferral, TaskState
from autopilot.events.state import PhaseState
from autopilot.model.assessment import CannotVerify, CriterionReading, Failure, Trace, Traced
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.planning.criterion import Form, Kind, Strength
from autopilot.model.policy import Commands, Policy
from autopilot.model.result import Justification
from autopilot.model.ruling import Action, Finding
from autopilot.model.run import PhaseStatus, Step
from autopilot.reports.documents.observation_tables import assess
from autopilot.reports.documents.verification import render_verification
from autopilot.text.frontmatter import parse_frontmatter
from tests.unit.making import (
    START,
    make_criterion,
    make_observation,
    make_phase,
    make_state,
    make_task,
    make_verdict,
    make_verification,
)

# covers: SBX, BEH, VRFY-01, VRFY-05, TYPE, EXEC, STAT-02
CRITERIA = (
    make_criterion("01-01.c1", "it works", strength=Strength.GREP),
    make_criterion("01-01.c2", "it lasts", kind=Kind.KEEP),
    make_criterion("01-01.c3", "it feels right", form=Form.PROSE, command=""),
)
TASKS = {"01-01": TaskState(make_task("01-01", *CRITERIA), "verified", "c1")}


def render(**more: Any) -> str:
    policy = more.pop("policy", Policy(commands=Commands(compile="make", test="make test")))
    phase: PhaseState = make_phase(tasks=TASKS, **more)
    return render_verification(make_state(phase, policy=policy), phase)


def section(text: str, title: str) -> str:
    return text.partition(f"## {title}\n\n")[2].partition("\n## ")[0]


def script(*lines: tuple[str, bool], **more: Any) -> Observation:
    seen = more.pop("seen", Seen.PASSED if all(ok for _, ok in lines) else Seen.FAILED)
    return make_observation(
        "script:01-01",
        seen,
        command="bash x/tests/task-01-01.sh",
        strength=Strength.SCRIPT,
        exit_code=more.pop("exit_code", 0),
        lines=lines,
        **more,
    )


def test_every_executed_command_stands_in_one_table() -> None:
    text = render(
        observations=(
            make_observation("compile", command="make", exit_code=0, excerpt="ok\n"),
            make_observation(
                "test", Seen.TIMED_OUT, command="make test", reason="the command did not finish within 60 s"
            ),
            make_observation("01-01.c1", Seen.FAILED, command="grep -c a | wc", exit_code=1, excerpt="0"),
            make_observation("01-01.c2", Seen.NOTHING, reason="the sandbox did not start"),
            script(("it works", True)),
            make_observation("wire"),
            make_observation("cross_reference"),
        )
    )
    assert section(text, "Sandbox Execution Results") == (
        "| Criterion | Command | Exit Code | Output (truncated) | Assessment |\n"
        "| --- | --- | --- | --- | --- |\n"
        "| compile | `make` | 0 | ok | VERIFIED |\n"
        "| test | `make test` | - | the command did not finish within 60 s | TIMEOUT |\n"
        "| it works | `grep -c a \\| wc` | 1 | 0 | FAILED |\n"
        "| it lasts | `check 01-01.c2` | - | the sandbox did not start | NOT RUN |\n"
    )


@pytest.mark.parametrize(
    ("seen", "reason", "verdict", "word"),
    [
        (Seen.PASSED, "", Outcome.PASS, "VERIFIED"),
        (Seen.PASSED, "", Outcome.UNPROVEN, "VERIFIED (verdict: UNPROVEN)"),
        (Seen.PASSED, "", Outcome.FAIL, "VERIFIED (verdict: FAIL)"),
        (Seen.PASSED, "violation: it says so itself", None, "VERIFIED"),
        (Seen.FAILED, "violation: wrote /etc/passwd", Outcome.FAIL, "VIOLATION"),
        (Seen.FAILED, "", Outcome.PASS, "FAILED (verdict: PASS)"),
        (Seen.TIMED_OUT, "", Outcome.FAIL, "TIMEOUT"),
        (Seen.NOTHING, "", None, "NOT RUN"),
    ],
)
def test_an_execution_is_assessed_by_what_was_seen(seen: Seen, reason: str, verdict: Outcome | None, word: str) -> None:
    assert assess(make_observation("c", seen, reason=reason), verdict) == word


def test_test_scripts_have_a_table_with_their_assertions() -> None:
    text = render(observations=(script(("it works", True), ("it lasts", False), exit_code=1),))
    assert section(text, "Test Specification Results") == (
        "| Task | Test File | Assertions Passed | Assertions Failed | Exit Code | Status |\n"
        "| --- | --- | --- | --- | --- | --- |\n"
        "| 01-01 | tests/task-01-01.sh | 1 | 1 | 1 | FAILED |\n"
        "\n"
        "Not passed:\n"
        "\n"
        "- 01-01: it lasts\n"
    )
    assert "| 01-01 | tests/task-01-01.sh | 1 | 0 | 0 | ALL PASS |" in render(
        observations=(script(("it works", True)),)
    )
    assert "No task has a test script" in render(observations=())


def test_a_script_that_says_pass_and_did_not_is_shown_as_failed() -> None:
    text = render(observations=(script(("it works", True), seen=Seen.FAILED, exit_code=3, reason="exit 3"),))
    assert "| 01-01 | tests/task-01-01.sh | 1 | 0 | 3 | FAILED |" in text
    assert "- 01-01: exit 3" in text


def test_the_strength_shown_is_that_of_the_evidence_that_decides() -> None:
    own = make_observation("01-01.c1", strength=Strength.GREP, exit_code=0)
    verdicts = (make_verdict(Outcome.PASS),)
    by_script = render(observations=(own, script(("It  works", True))), verdicts=verdicts)
    assert "| it works | new | script | PASS | so it was seen | `check 01-01.c1` exit 0 |" in by_script
    by_command = render(observations=(own, script(("something else", True))), verdicts=verdicts)
    assert "| it works | new | grep | PASS | so it was seen | `check 01-01.c1` exit 0 |" in by_command
    silent = render(observations=(own, script(seen=Seen.TIMED_OUT)), verdicts=verdicts)
    assert "| it works | new | grep | PASS |" in silent


def test_before_any_gate_nothing_is_called_passed_or_failed() -> None:
    text = render(observations=(make_observation("01-01.c1", exit_code=0), make_observation("wire")))
    front = parse_frontmatter(text)
    assert (front.values["status"], front.values["score"]) == ("pending", "1/1 must-haves verified")
    assert "| it works | new | command | not judged yet |  | `check 01-01.c1` exit 0 |" in text
    assert "- it feels right: no command checks it" in text


def test_work_that_waits_for_a_person_says_so_to_other_tools() -> None:
    deferred = render(status=PhaseStatus.NEEDS_HUMAN_VERIFICATION, gate=Outcome.UNPROVEN, verdicts=())
    assert parse_frontmatter(deferred).values["status"] == "human_needed"
    ordered = render(action=Action.DEFER, gate=Outcome.UNPROVEN)
    assert parse_frontmatter(ordered).values["status"] == "human_needed"
    passed = render(status=PhaseStatus.COMPLETED, gate=Outcome.PASS)
    assert parse_frontmatter(passed).values["status"] == "passed"


def test_the_roadmaps_own_criteria_are_shown_beside_the_plans() -> None:
    own = make_criterion("phase.c1", "books are kept")
    brief = make_phase().brief
    phase = make_phase(tasks=TASKS, verdicts=(make_verdict(Outcome.FAIL, "phase.c1", "it failed"),))
    phase = type(phase)(
        **{**{f: getattr(phase, f) for f in phase.__struct_fields__}, "brief": with_criteria(brief, own)}
    )
    text = render_verification(make_state(phase), phase)
    assert "| books are kept | new | command | FAIL | it failed |" in text


def with_criteria(brief: Any, *criteria: Any) -> Any:
    return type(brief)(brief.id, brief.name, brief.goal, (), (), brief.folder, criteria)


def test_a_verdict_of_no_criterion_is_shown_too() -> None:
    verdicts = (
        make_verdict(Outcome.FAIL, "task 01-01", "the agent committed nothing"),
        make_verdict(Outcome.FAIL, "validity"),
    )
    text = render(verdicts=verdicts)
    assert "| task 01-01 | new | script | FAIL | the agent committed nothing |  |" in text
    assert "| validity | keep | command | FAIL | so it was seen |  |" in text


def test_traces_stand_in_the_sources_table() -> None:
    traces = (
        Trace(
            "join opens the page",
            "ui/a.ts:42 -- join",
            ("openURL", "shell.open"),
            "ui/b.ts:7 -- opens it",
            Traced.VERIFIED,
        ),
        Trace("it works", "ui/a.ts:9 -- go", (), "ui/b.ts:1 -- nothing", Traced.VERIFIED),
        Trace("it is gone", "ui/c.ts:1", (), "a library", Traced.UNVERIFIABLE),
    )
    text = render(verification=make_verification(traces=traces), verdicts=(make_verdict(Outcome.FAIL),))
    assert section(text, "Behavioral Traces") == (
        "| Handler | File:Line | Chain | Terminal Action | Criterion Match | Status |\n"
        "| --- | --- | --- | --- | --- | --- |\n"
        "| join | ui/a.ts:42 | openURL -> shell.open | ui/b.ts:7 -- opens it | join opens the page | VERIFIED |\n"
        "| go | ui/a.ts:9 |  | ui/b.ts:1 -- nothing | it works | VERIFIED (observed: FAIL) |\n"
        "| ui/c.ts:1 | ui/c.ts:1 |  | a library | it is gone | BEHAVIORAL_UNVERIFIABLE |\n"
        "\n"
        "2 of 3 traced to the end.\n"
    )


def test_orphans_are_named_one_by_one() -> None:
    loose = make_observation("wire", Seen.FAILED, reason="shelf/x.py; shelf/y.py")
    assert section(render(observations=(loose,)), "Wire Check") == (
        "- ORPHANED FILE: shelf/x.py\n- ORPHANED FILE: shelf/y.py\n"
    )
    assert "Something refers to every new file." in render(observations=(make_observation("wire"),))
    assert section(render(observations=()), "Wire Check") == "Not checked.\n"
    unseen = make_observation("wire", Seen.NOTHING, reason="too large")
    assert section(render(observations=(unseen,)), "Wire Check") == "Could not be checked: too large\n"


def test_what_the_type_demands_is_shown_as_looked_at() -> None:
    seen = (
        make_observation("cross_reference", excerpt="cross-references of 1 file -> nothing found"),
        make_observation("validity:data/a.json", Seen.FAILED, excerpt="data-parses", reason="data/a.json:1: no JSON"),
        make_observation("type:contracts", excerpt="contracts"),
    )
    assert section(render(observations=seen, phase_type="mixed"), "Type checks") == (
        "The phase is of type `mixed`.\n"
        "\n"
        "| Check | Inspected | Result | Findings |\n"
        "| --- | --- | --- | --- |\n"
        "| cross_reference | cross-references of 1 file -> nothing found | passed | - |\n"
        "| validity:data/a.json | data-parses | failed | data/a.json:1: no JSON |\n"
        "| type:contracts | contracts | passed | - |\n"
    )


def test_a_reading_that_denies_what_was_seen_stands_beside_it() -> None:
    readings = (
        CriterionReading("it works", "verified", "shelf/a.py:3 -- surely"),
        CriterionReading("it feels right", "verified", "shelf/a.py:4 -- nice"),
    )
    text = render(
        verification=make_verification(
            True,
            criteria_results=readings,
            failures=(Failure("slow", ""), Failure("red", "lint_failure")),
            scope_creep=("a cache",),
        ),
        observations=(make_observation("01-01.c1", Seen.FAILED, exit_code=1),),
        verdicts=(make_verdict(Outcome.FAIL),),
        gate=Outcome.FAIL,
    )
    assert "| it works | verified | FAIL | shelf/a.py:3 -- surely |" in text
    assert "| it feels right | verified | not checked | shelf/a.py:4 -- nice |" in text
    assert parse_frontmatter(text).values["status"] == "gaps_found"
    assert "- slow [unclassified]\n- red [lint_failure]\n" in text
    assert "- a cache" in text and "Autonomous confidence: 9/10." in text


def test_a_reading_of_a_check_stands_beside_that_check() -> None:
    names = ("compile", "script:01-01", "validity", "anything")
    readings = tuple(CriterionReading(name, "verified", "a.py:1") for name in names)
    text = render(
        verification=make_verification(criteria_results=readings),
        observations=(make_observation("compile", Seen.FAILED), make_observation("validity")),
        verdicts=(make_verdict(Outcome.FAIL, "compile"), make_verdict(Outcome.PASS, "script:01-01")),
    )
    shown = [
        f"| {name} | verified | {seen} | a.py:1 |"
        for name, seen in zip(names, ("FAIL", "PASS", "passed", "not checked"), strict=True)
    ]
    assert [row for row in shown if row not in text] == []


def test_why_no_verifier_was_asked_is_told_as_it_was() -> None:
    assert "the phase stopped before verification" in render()
    assert "the observations already fail the phase" in render(observations=())
    assert "see the reports of the parts" in render(parts=("1a",))


def test_a_check_that_is_configured_and_was_not_run_is_not_called_inapplicable() -> None:
    text = render(observations=(make_observation("compile", command="make"),))
    assert section(text, "Automated checks") == (
        "| Check | Command | Result |\n"
        "| --- | --- | --- |\n"
        "| compile | `make` | passed |\n"
        "| lint |  | n/a |\n"
        "| build |  | n/a |\n"
        "| test |  | not run |\n"
    )


def test_what_is_left_to_a_person_is_told_with_what_was_tried() -> None:
    evidence = (CannotVerify("it feels right", ("read a.py", "ran it"), "colours cannot be run"),)
    deferral = Deferral(Justification("01-02", "look at it", 2, 3), evidence, 4.5, "autopilot/deferred")
    assert section(render(deferral=deferral), "Deferred to a person") == (
        "- Checkpoint: task 01-02, look at it\n"
        "- Automatic tasks passed: 2/3\n"
        "- Autonomous confidence: 4.5/10\n"
        "- The work waits on branch `autopilot/deferred`\n"
        "\n"
        "| Criterion | Methods Attempted | Why Insufficient |\n"
        "| --- | --- | --- |\n"
        "| it feels right | read a.py; ran it | colours cannot be run |\n"
    )
    answered = Deferral(
        deferral.justification, (), 4.5, "b", verdict="issues_found", issues=("too dark",), verdict_at=START
    )
    told = section(render(deferral=answered), "Deferred to a person")
    assert "- Verdict: issues_found, 2025-01-01T12:00:00Z\n- Issue: too dark\n" in told
    assert "waits" not in told
    alone = render(verification=make_verification(deferral_evidence=evidence))
    assert "no person was asked" in section(alone, "Not proven by the verifier alone")
    assert "person" not in render()


def test_integrity_findings_are_told() -> None:
    text = render(
        integrity=(Finding(3, False, None, "it was quick"), Finding(10, True, Step.VERIFY, "no command")),
        enforced=("say more",),
    )
    assert section(text, "Integrity") == (
        "- check 3: it was quick\n- check 10: no command (refused)\n- step repeated: say more\n"
    )
