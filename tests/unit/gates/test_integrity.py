"""The integrity checks: each accepts what is founded and refuses, or warns of, what is not."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.gates.integrity import (
    CHECKS,
    Records,
    check_result,
    refuse_judgement,
    refuse_mini,
    refuse_verification,
    unclassified,
)
from autopilot.model.assessment import CriterionReading, Failure, MiniVerification, Trace, Traced
from autopilot.model.evidence.observation import Seen
from autopilot.model.failure import Category
from autopilot.model.result import Justification, PhaseResult, ResultEvidence
from autopilot.model.ruling import Finding
from autopilot.model.run import Step
from tests.unit.making import make_judgement, make_observation, make_verification

# covers: CHK-2, CHK-3, CHK-7, CHK-8, CHK-9, CHK-10, CHK-11, CHK-12, CHK-13, CHK-14
# covers: STAT-01, STAT-02, STAT-03, VRFY-02, VRFY-03, VRFY-04, VRFY-05, ALREADY
DIFF = "2 files changed, 9 insertions"
SPAWNED = {"status": "pass", "agent_spawned": True}
STEPS = dict.fromkeys(("execute", "verify", "judge", "rate"), SPAWNED)
CHECKS_SEEN = {"compile": True, "lint": True, "build": True, "test": "n/a"}
WAITS, ALREADY = "needs_human_verification", {"commit_shas": (), "already_implemented": True}


def make_result(**more: Any) -> PhaseResult:
    evidence = ResultEvidence(("a.py:3 -- it is there",), ("make test -> passed",), DIFF)
    fields: dict[str, Any] = {
        "phase": "1", "status": "completed", "alignment_score": 9.3, "tasks_completed": "2/2", "tasks_failed": "0/2",
        "commit_shas": ("abc",), "automated_checks": CHECKS_SEEN, "issues": (), "debug_attempts": 0,
        "replan_attempts": 0, "recommendation": "proceed", "summary": "", "checkpoint_sha": "abc",
        "verification_duration_seconds": 200.0, "evidence": evidence, "phase_type": "ui", "pipeline_steps": STEPS,
    }  # fmt: skip
    return PhaseResult(**{**fields, **more})


def make_records(**more: Any) -> Records:
    fields: dict[str, Any] = {
        "criteria": ("it works",),
        "observations": (make_observation("compile"), make_observation("build")),
        "verification": make_verification(criteria_results=(CriterionReading("it works", "verified", "a.py:3 -- so"),)),
        "judgement": make_judgement(concerns=("a name is long",)),
        "duration_s": 900.0,
    }
    return Records(**{**fields, **more})


def told(check: int, result: PhaseResult, records: Records) -> list[Finding]:
    return list(CHECKS[check](result, records))


def waiting(task: str = "01-02", description: str = "", passed: int = 2, total: int = 2) -> dict[str, Any]:
    return {"status": WAITS, "human_verify_justification": Justification(task, description, passed, total)}


def test_a_sound_result_is_found_in_order() -> None:
    assert check_result(make_result(), make_records()) == ()


def test_each_finding_carries_the_number_of_its_check_and_they_come_in_order() -> None:
    steps = {**STEPS, "rate": {"status": "skipped"}}
    result = make_result(commit_shas=(), pipeline_steps=steps, **waiting("", "take a look"))
    records = Records(
        criteria=("it works",), judgement=make_judgement(independent_evidence=(), concerns=()), duration_s=3.0
    )
    findings = check_result(result, records)
    assert sorted({f.check for f in findings}) == [2, 3, 7, 8, 9, 11, 13, 14]
    assert [f.check for f in findings] == sorted(f.check for f in findings)
    assert {f.check for f in findings if not f.refuses} == {2, 3}
    assert all(f.step is not None for f in findings if f.refuses), "a refusal names the step to run again"


@pytest.mark.parametrize(
    ("tasks", "commits", "warns"),
    [("2/2", ("abc",), False), ("2/2", (), True), ("0/2", (), False), ("0/0", (), False), ("", (), False)],
)
def test_finished_tasks_without_a_commit_are_written_down(tasks: str, commits: tuple[str, ...], warns: bool) -> None:
    found = told(2, make_result(tasks_completed=tasks, commit_shas=commits), make_records())
    assert [f.refuses for f in found] == ([False] if warns else [])


@pytest.mark.parametrize(
    ("tasks", "seconds", "steps", "words"),
    [
        ("2/2", 299.0, STEPS, None),
        ("2/2", 300.0, STEPS, None),
        ("1/1", 10.0, STEPS, None),
        ("2/2", None, STEPS, None),
        (
            "2/2",
            10.0,
            {"execute": SPAWNED, "verify": {"status": "skipped"}, "judge": SPAWNED},
            "took only 10 s and skipped verify, rate",
        ),
    ],
)
def test_a_fast_phase_is_looked_at_for_missing_steps(
    tasks: str, seconds: float | None, steps: dict[str, Any], words: str | None
) -> None:
    result = make_result(tasks_completed=tasks, pipeline_steps=steps)
    found = told(3, result, make_records(duration_s=seconds))
    assert [f.refuses for f in found] == ([] if words is None else [False])
    assert words is None or words in found[0].message


NA = {**CHECKS_SEEN, "compile": "n/a", "build": "n/a"}


@pytest.mark.parametrize(
    ("kind", "checks", "seen", "missing"),
    [
        ("ui", CHECKS_SEEN, ("compile", "build"), ""),
        ("ui", CHECKS_SEEN, ("compile",), "build"),
        ("ui", CHECKS_SEEN, ("lint", "test"), "compile, build"),
        ("ui", NA, (), ""),  # what is not configured is not demanded
        ("ui", {**CHECKS_SEEN, "build": "n/a"}, ("compile",), ""),
        ("ui", {}, (), "compile, build"),
        ("protocol", NA, ("cross_reference",), ""),
        ("protocol", NA, ("cross_reference:docs/a.md",), ""),
        ("protocol", CHECKS_SEEN, ("compile", "build"), "cross_reference"),
        ("data", NA, ("validity:shelf.json",), ""),
        ("data", NA, ("cross_reference",), "validity"),
        ("mixed", CHECKS_SEEN, ("compile", "build", "cross_reference", "validity"), ""),
        ("mixed", CHECKS_SEEN, ("compile", "build", "validity"), "cross_reference"),
        ("mixed", {**NA, "validity": "n/a"}, ("cross_reference",), ""),  # a mix without data
        ("", CHECKS_SEEN, (), ""),
    ],
)
def test_what_the_type_of_a_phase_demands_was_looked_at(
    kind: str, checks: dict[str, Any], seen: tuple[str, ...], missing: str
) -> None:
    records = make_records(observations=tuple(make_observation(subject) for subject in seen))
    found = told(7, make_result(phase_type=kind, automated_checks=checks), records)
    assert [(f.refuses, f.step) for f in found] == ([(True, Step.VERIFY)] if missing else [])
    assert not missing or found[0].message.endswith(f": {missing}")


def test_a_look_that_failed_is_evidence_and_one_that_never_was_is_none() -> None:
    for seen, count in ((Seen.FAILED, 0), (Seen.TIMED_OUT, 0), (Seen.NOTHING, 1)):
        looks = (make_observation("compile", seen), make_observation("build"))
        assert len(told(7, make_result(), make_records(observations=looks))) == count


@pytest.mark.parametrize(
    ("more", "steps"),
    [
        ({}, []),
        ({"evidence": ResultEvidence((), ("make -> ok",), "")}, [Step.EXECUTE]),
        ({"evidence": ResultEvidence((), ("make -> ok",), "  ")}, [Step.EXECUTE]),
        ({"evidence": ResultEvidence((), ("make -> ok",), ""), "already_implemented": True}, []),
        ({"evidence": ResultEvidence((), (), DIFF)}, [Step.VERIFY]),
        ({"evidence": ResultEvidence((), ("",), DIFF)}, [Step.VERIFY]),
        ({"evidence": ResultEvidence(), "status": "failed"}, []),
        ({"evidence": ResultEvidence(), "status": WAITS, "tasks_completed": "0/0"}, []),
        ({"evidence": ResultEvidence(), "status": WAITS, "tasks_completed": "1/2"}, [Step.VERIFY, Step.EXECUTE]),
    ],
)
def test_finished_work_shows_a_change_and_what_was_run(more: dict[str, Any], steps: list[Step]) -> None:
    assert [f.step for f in told(7, make_result(**more), make_records())] == steps


TWO = ("it works", "it lasts")


@pytest.mark.parametrize(
    ("more", "checked", "readings", "missing"),
    [
        (ALREADY, ("a.py:3 -- x", "b.py:9 -- y"), (("it works", "a.py:3"), ("it lasts", "b.py:9 so")), ""),
        (ALREADY, ("a.py:3 -- x",), (("it works", "a.py:3"), ("it  lasts", "a.py:3")), ""),  # one line may show both
        (ALREADY, ("a.py:3 -- x",), (("it works", "a.py:3"),), "it lasts"),
        (ALREADY, ("a.py:3 -- x",), (("it works", "a.py:3"), ("it lasts", "I looked")), "it lasts"),
        (ALREADY, ("a.py:3 -- x",), (("it works", "a.py:3"), ("it lasts", "b.py:9")), "it lasts"),  # never checked
        (ALREADY, ("a.py", "b.py"), (("it works", "a.py"), ("it lasts", "b.py")), "it works; it lasts"),
        (ALREADY, (), (), "it works; it lasts"),
        ({"commit_shas": ()}, (), (), "it works; it lasts"),  # also when nobody calls it so
        ({"commit_shas": (), "tasks_completed": "0/2"}, (), (), ""),
        ({"commit_shas": (), "status": "failed"}, (), (), ""),
        ({"commit_shas": ("abc",)}, (), (), ""),
        ({**ALREADY, "tasks_completed": "0/0"}, (), (), "it works; it lasts"),  # a phase without a plan
    ],
)
def test_what_is_called_already_there_is_shown_for_each_criterion(
    more: dict[str, Any], checked: tuple[str, ...], readings: tuple[tuple[str, str], ...], missing: str
) -> None:
    evidence = ResultEvidence(checked, ("make -> ok",), "")
    read = tuple(CriterionReading(text, "verified", place) for text, place in readings)
    records = make_records(criteria=TWO, verification=make_verification(criteria_results=read))
    found = told(8, make_result(evidence=evidence, **more), records)
    assert [(f.refuses, f.step) for f in found] == ([(True, Step.VERIFY)] if missing else [])
    assert not missing or found[0].message.endswith(f"shows: {missing}")


CONCERN = ("a name is long",)


@pytest.mark.parametrize(
    ("fields", "nine", "eleven"),
    [
        ({"verifier_agreement": True, "independent_evidence": ("a.py:1 read",)}, False, False),
        ({"verifier_agreement": True, "independent_evidence": ()}, True, True),
        ({"verifier_agreement": True, "independent_evidence": ("", " ")}, True, True),
        ({"verifier_agreement": False, "independent_evidence": ()}, True, False),
        ({"verifier_agreement": True, "independent_evidence": (), "verifier_missed": ("a test",)}, False, False),
        ({"verifier_agreement": True, "independent_evidence": (), "disagreements": ("c2",)}, False, True),
        ({"verifier_agreement": False, "independent_evidence": (), "disagreements": ("c2",)}, False, False),
    ],
)
def test_a_judge_that_adds_nothing_is_refused(fields: dict[str, Any], nine: bool, eleven: bool) -> None:
    judgement = make_judgement(concerns=CONCERN, **fields)
    records = make_records(judgement=judgement)
    assert bool(told(9, make_result(), records)) is nine
    assert bool(told(11, make_result(), records)) is eleven
    assert bool(refuse_judgement(judgement)) is (nine or eleven)
    assert {f.step for n in (9, 11) for f in told(n, make_result(), records)} <= {Step.JUDGE}


@pytest.mark.parametrize(
    ("concerns", "minimum", "refused"),
    [
        (CONCERN, 1, False),
        ((), 1, True),
        (("", " "), 1, True),
        ((), 0, False),
        (CONCERN, 2, True),
        (("one", "two"), 2, False),
        (("one", " one "), 2, True),  # said twice is one concern
    ],
)
def test_a_judge_names_its_concerns_and_two_when_looked_at_harder(
    concerns: tuple[str, ...], minimum: int, refused: bool
) -> None:
    judgement = make_judgement(concerns=concerns)
    assert bool(refuse_judgement(judgement, minimum)) is refused
    found = told(11, make_result(), make_records(judgement=judgement, minimum_concerns=minimum))
    assert [f.refuses for f in found] == ([True] if refused else [])


def test_a_judge_that_was_asked_and_left_no_report_is_noticed() -> None:
    records = make_records(judgement=None)
    assert [f.step for f in told(9, make_result(), records)] == [Step.JUDGE]
    assert told(9, make_result(pipeline_steps={"judge": {"status": "skipped", "agent_spawned": False}}), records) == []
    assert told(11, make_result(), records) == []


@pytest.mark.parametrize(
    ("duration", "minimum", "commands", "words"),
    [
        (200.0, 120.0, ("make test -> ok",), ""),
        (120.0, 120.0, ("make test -> ok",), ""),
        (119.9, 120.0, ("make test -> ok",), "took 120 s, below the minimum of 120 s"),
        (3.0, 0.0, ("make test -> ok",), ""),  # off by default
        (None, 120.0, ("make test -> ok",), "an unknown time"),
        (None, 0.0, ("make test -> ok",), ""),
        (float("nan"), 120.0, ("make test -> ok",), "below the minimum"),
        (200.0, 120.0, (), "ran no command"),
        (200.0, 0.0, (" ",), "ran no command"),
    ],
)
def test_a_verifier_takes_its_time_and_runs_something(
    duration: float | None, minimum: float, commands: tuple[str, ...], words: str
) -> None:
    verification = make_verification(commands_run=commands)
    refused = refuse_verification(verification, duration, minimum)
    assert words in refused if words else refused == ""
    result = make_result(verification_duration_seconds=duration)
    found = told(10, result, make_records(verification=verification, verifier_min_s=minimum))
    assert [(f.refuses, f.step, f.message) for f in found] == ([(True, Step.VERIFY, refused)] if words else [])


@pytest.mark.parametrize(
    ("status", "refused"),
    [
        ("verified", False),
        ("failed", False),
        ("unverifiable", False),
        ("BEHAVIORAL_UNVERIFIABLE", False),
        ("FAILED", True),  # would not be seen as a failure
        ("partially verified", True),
        ("", True),
    ],
)
def test_a_reading_is_one_of_the_known_words(status: str, refused: bool) -> None:
    readings = (CriterionReading("it works", status, "a.py:3"),)
    assert bool(refuse_verification(make_verification(criteria_results=readings), 9.0, 0.0)) is refused
    assert bool(refuse_mini(MiniVerification(True, readings, (), ("make test -> ok",)))) is refused


def test_a_reading_of_a_task_reads_something_and_runs_something() -> None:
    reading = MiniVerification(True, (CriterionReading("it works", "verified", "a.py:3"),), (), ("make test -> ok",))
    assert refuse_mini(reading) == ""
    assert "no command" in refuse_mini(replace(reading, commands_run=()))
    assert "no criterion" in refuse_mini(replace(reading, criteria_results=()))


@pytest.mark.parametrize(
    ("category", "known"), [*((c.value, c is not Category.NONE) for c in Category), ("bug", False)]
)
def test_a_failure_without_a_category_is_only_warned_of(category: str, known: bool) -> None:
    failure = Failure("it does not add", category)
    assert unclassified((failure,)) == (() if known else ("it does not add",))
    found = told(12, make_result(), make_records(verification=make_verification(False, failures=(failure,))))
    assert [(f.refuses, f.message) for f in found] == (
        [] if known else [(False, "unclassified failure: it does not add")]
    )


@pytest.mark.parametrize(
    ("more", "refused"),
    [
        (waiting("01-02"), False),
        (waiting(""), True),
        (waiting("  "), True),
        ({"status": WAITS}, True),
        ({"status": "completed"}, False),
        ({"status": "failed"}, False),
    ],
)
def test_whoever_waits_for_a_person_names_the_task(more: dict[str, Any], refused: bool) -> None:
    assert [f.refuses for f in told(13, make_result(**more), make_records())] == ([True] if refused else [])


@pytest.mark.parametrize(
    ("more", "refused"),
    [
        (waiting(description="Visual confirmation of the page"), True),
        (waiting(description="Visual confirmation of the page", passed=1), False),  # not all is well without it
        (waiting(description="Visual confirmation of the page", passed=0, total=0), False),  # nothing else passed
        (waiting(description="Visually confirm that paying with a real card shows a receipt"), False),
        (waiting(description="Verify payment flow processes a real transaction"), False),
        (waiting(description=""), True),
        ({**waiting(description="Take a look"), "status": "completed"}, False),
        ({"status": WAITS}, False),  # that is the thirteenth check's
    ],
)
def test_a_mere_look_is_no_reason_to_wait_when_all_else_passed(more: dict[str, Any], refused: bool) -> None:
    assert [f.refuses for f in told(14, make_result(**more), make_records())] == ([True] if refused else [])


def test_a_verifier_that_left_out_what_it_had_to_read_is_asked_again() -> None:
    (finding,) = told(17, make_result(), make_records(unread=("SC-2 (it is kind)", "SC-4 (it is plain)")))
    assert (finding.refuses, finding.step) == (True, Step.VERIFY)
    assert finding.message.endswith("no reading with file and line of: SC-2 (it is kind); SC-4 (it is plain)")


def test_a_reading_in_a_place_that_is_not_there_is_told_from_one_that_is_missing() -> None:
    records = make_records(unread=("SC-2 (it is kind)",), unplaced=("SC-4 (it is plain), which says 'x.py:9'",))
    (finding,) = told(17, make_result(), records)
    assert (
        "no reading with file and line of: SC-2 (it is kind); the verifier's report names no place" in finding.message
    )
    assert finding.message.endswith("in its reading of: SC-4 (it is plain), which says 'x.py:9'")


def test_what_the_roadmap_itself_asks_to_be_seen_is_no_needless_checkpoint() -> None:
    result = make_result(**waiting("SC-5", "Visual check that the page looks good"))
    assert [f.refuses for f in told(14, result, make_records())] == [True]
    assert told(14, result, make_records(asked_by_owner=True)) == []


TRACE = Trace("it opens", "Cart.tsx:9 -- onClick", ("open()",), "shell.ts:3 -- openExternal", Traced.VERIFIED)


@pytest.mark.parametrize(
    ("handlers", "traces", "asked_again", "refuses"),
    [
        (("ui/Cart.tsx",), (), False, [True]),
        (("ui/Cart.tsx",), (), True, [False]),  # asked for once: after that it is written down
        (("ui/Cart.tsx",), (replace(TRACE, status=Traced.UNVERIFIABLE),), False, []),  # an honest limit
        (("ui/Cart.tsx",), (TRACE,), False, []),
        ((), (), False, []),
    ],
)
def test_18_a_verifier_of_what_people_act_on_is_asked_to_follow_a_handler(
    handlers: tuple[str, ...], traces: tuple[Trace, ...], asked_again: bool, refuses: list[bool]
) -> None:
    # covers: BEH
    records = make_records(verification=make_verification(traces=traces), handlers=handlers, asked_again=asked_again)
    assert [finding.refuses for finding in told(18, make_result(), records)] == refuses
