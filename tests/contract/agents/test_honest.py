"""Honest answers of the scripted agent: valid for every role, and true to the facts it is given (T2, BEH, RATE)."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest

from autopilot.adapters.sandbox.unconfined import Unconfined
from autopilot.gates.deferral import refuse_evidence
from autopilot.gates.integrity import refuse_judgement, refuse_mini, refuse_verification
from autopilot.model.agent import Ending, Role
from autopilot.model.assessment import (
    CheckReading,
    Divergence,
    JudgeFindings,
    Judgement,
    MiniVerification,
    PlanCheck,
    Recommendation,
    SplitProposal,
    Traced,
    Verification,
)
from autopilot.model.claim import (
    AnalystClaim,
    DebuggerClaim,
    DesignClaim,
    DiagnosisClaim,
    ExecutorClaim,
    ImplementerClaim,
    PlannerClaim,
    ResearchClaim,
)
from autopilot.model.proposal import AreaDecisions, Digest, FollowUps, GrayAreas
from autopilot.planning.people.gray_areas import check_areas, new_questions
from autopilot.ports.rating import RatingReply, read_rating
from autopilot.ports.reply import REPLIES, Problem, read_reply
from autopilot.ports.transcripts import Transcripts
from autopilot.simulation.scripted.agent import ScriptedAgent
from tests.contract.agents.harness import Watched, World

# covers: T2, VRFY-01, VRFY-02, BEH, RATE, SPLIT, PVRF-01

FOLDER = ".planning/phases/01-begin"
CRITERION = {"id": "phase.c1", "text": "It says hello", "command": "grep -q hello README.md", "task": ""}
FACTS = {
    "phase": {"id": "1", "name": "Begin", "goal": "Begin.", "folder": FOLDER, "requirements": ["BEG-01"]},
    "task": None,
    "criteria": [CRITERION],
}

ROLES = [
    *REPLIES.items(),
    (Role.JUDGE, Divergence),
    (Role.DISCUSSER, FollowUps),
    (Role.DISCUSSER, Digest),
    (Role.DESIGNER, DiagnosisClaim),
]

Reply = TypeVar("Reply")
Ask = Callable[[type[Reply]], Reply]


@pytest.fixture
def ask(sandbox: Watched, transcripts: Transcripts, world: World, tmp_path: Path) -> Callable[[type[Any]], Any]:
    """The honest reply of the role that replies with this type."""
    script = tmp_path / "script.json"
    script.write_text("{}")
    agent = ScriptedAgent(script, sandbox, transcripts)
    tell(world, "facts.json", FACTS)

    def reply_of(kind: type[Any]) -> Any:
        [role] = [role for role, reply in ROLES if reply is kind]
        reply = agent.call(world.call(role=role))
        assert reply.ending is Ending.COMPLETED, reply.detail
        value = read_reply(reply.value, kind)
        assert not isinstance(value, Problem), value.because
        return value

    return reply_of


def tell(world: World, name: str, content: Any) -> None:
    path = world.context / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content))


def observe(world: World, *seen: str) -> None:
    words = {"text": "It says hello", "command": "grep -q hello README.md", "exit_code": 0, "excerpt": ""}
    subjects = ("phase.c1", "compile", "test")
    tell(world, "observations.json", [{"subject": s, "seen": w, **words} for s, w in zip(subjects, seen, strict=False)])


@pytest.fixture
def changed(world: World) -> World:
    (world.clone / "README.md").write_text("a project\nhello\n")
    world.git("commit", "--quiet", "-am", "say hello")
    return world


@pytest.mark.parametrize(("role", "kind"), ROLES, ids=lambda each: getattr(each, "__name__", each))
def test_every_role_is_answered_with_a_valid_reply_even_without_any_facts(
    role: Role, kind: type[Any], sandbox: Watched, transcripts: Transcripts, world: World, tmp_path: Path
) -> None:
    if kind is Divergence:
        tell(world, "findings.json", {})
        tell(world, "VERIFICATION.md", "# Nothing is said")
    if kind in (FollowUps, Digest):
        tell(world, "talk.json", {"more": ["Order"] if kind is FollowUps else []})
    script = tmp_path / "script.json"
    script.write_text("{}")
    call = world.call(role=role)
    reply = ScriptedAgent(script, sandbox, transcripts).call(call)
    assert reply.ending is Ending.COMPLETED, reply.detail
    value = read_reply(reply.value, kind)
    assert not isinstance(value, Problem), value.because


def test_the_researcher_lists_what_is_there(ask: Ask[ResearchClaim]) -> None:
    claim = ask(ResearchClaim)
    assert "README.md" in claim.key_findings
    assert "It says hello" in claim.recommended_approach


def test_the_planner_commits_a_plan_and_its_test_script(ask: Ask[PlannerClaim], world: World) -> None:
    claim = ask(PlannerClaim)
    assert (claim.plans_created, claim.total_tasks, claim.concerns) == (1, 1, ())
    assert world.git("show", "--name-only", "--format=").split() == [
        f"{FOLDER}/PLAN.md",
        f"{FOLDER}/tests/task-01-01.sh",
    ]


def test_the_planner_makes_no_plan_where_nothing_can_be_checked(ask: Ask[PlannerClaim], world: World) -> None:
    tell(world, "facts.json", {**FACTS, "criteria": [{**CRITERION, "command": ""}]})
    before = world.git("rev-parse", "HEAD")
    claim = ask(PlannerClaim)
    assert claim.plans_created == 0
    assert "It says hello" in claim.concerns[0]
    assert world.git("rev-parse", "HEAD") == before


def test_the_plan_checker_passes_a_sound_plan_and_names_the_faults_of_another(
    ask: Ask[PlanCheck], world: World
) -> None:
    tell(world, "plan/PLAN.md", 'BEG-01 <task id="01-01">- so -- verified by: `true`</task>')
    refused = ask(PlanCheck)
    assert not refused.passed
    assert [issue.description for issue in refused.issues] == ["task 01-01 has no test script"]
    tell(world, "plan/scripts.json", {"01-01": "exit 0"})
    assert ask(PlanCheck).passed


def test_executor_and_debugger_do_nothing_and_say_so(ask: Callable[[type[Any]], Any], world: World) -> None:
    executed: ExecutorClaim = ask(ExecutorClaim)
    assert (executed.tasks_completed, executed.commit_shas, executed.confidence) == ("0/1", (), 0.0)
    debugged: DebuggerClaim = ask(DebuggerClaim)
    assert (debugged.fixed, debugged.commits, debugged.remaining_issues) == (False, (), ("nothing was done",))
    assert world.git("status", "--porcelain") == ""


ISSUE = {"number": 24, "title": "Greet", "folder": "docs/issues/024-greet", "text": "- it says hello\n"}


def test_analyst_and_designer_commit_the_documents_of_an_issue_and_nothing_else(
    ask: Callable[[type[Any]], Any], world: World
) -> None:
    tell(world, "facts.json", {"issue": ISSUE, "step": ""})
    drafted: AnalystClaim = ask(AnalystClaim)
    assert ([each.file for each in drafted.decisions], drafted.questions) == (["docs/issues/024-greet/prd.md"], ())
    tell(world, "facts.json", {"issue": ISSUE, "step": "extracting-user-stories"})
    tell(world, "findings.json", [{"evidence_ref": "shorter", "detail": "", "priority": 0, "about": ""}])
    ask(DesignClaim)
    tell(world, "facts.json", {"issue": ISSUE, "step": "writing-plan-and-tests", "at_command": "make test"})
    designed: DesignClaim = ask(DesignClaim)
    assert len(designed.concerns) == 1
    made = world.git("diff", "--name-only", "origin/main", "HEAD").split()
    folder = ISSUE["folder"]
    assert made == [f"{folder}/{name}.md" for name in ("acceptance-tests", "plan", "prd", "user-stories")]
    assert "shorter" in world.git("show", f"HEAD:{folder}/user-stories.md")


def test_the_implementer_does_nothing_and_says_so(ask: Ask[ImplementerClaim], world: World) -> None:
    claim = ask(ImplementerClaim)
    assert (claim.done, claim.summary.split(":")[0]) == (False, "nothing was done")
    assert world.git("log", "--oneline", "origin/main..HEAD") == ""


@pytest.mark.parametrize("role", [Role.ANALYST, Role.DESIGNER, Role.IMPLEMENTER])
def test_what_a_script_committed_for_an_issue_stays_as_it_is(
    role: Role, sandbox: Watched, transcripts: Transcripts, world: World, tmp_path: Path
) -> None:
    tell(world, "facts.json", {"issue": ISSUE, "step": "extracting-user-stories"})
    path = f"{ISSUE['folder']}/{'prd' if role is Role.ANALYST else 'user-stories'}.md"
    steps = [{"write": path, "text": "mine\n"}, {"git": ["add", "-A"]}, {"git": ["commit", "-q", "-m", "by script"]}]
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"calls": [{"role": role.value, "do": steps}]}))
    reply = ScriptedAgent(script, sandbox, transcripts).call(world.call(role=role))
    assert not isinstance(read_reply(reply.value, REPLIES[role]), Problem)
    assert world.git("log", "--format=%s", "origin/main..HEAD").split("\n")[:-1] == ["by script"]
    assert world.git("show", f"HEAD:{path}") == "mine\n"


def test_reviewers_approve_what_was_seen_to_pass(ask: Callable[[type[Any]], Any], changed: World) -> None:
    observe(changed, "passed", "passed")
    verified: Verification = ask(Verification)
    assert verified.passed
    assert verified.commands_run
    reading = verified.criteria_results[0]
    assert (reading.criterion, reading.status) == ("It says hello", "verified")
    assert reading.evidence.startswith("README.md:2 -- ")
    judged: JudgeFindings = ask(JudgeFindings)
    assert judged.recommendation is Recommendation.PROCEED
    assert judged.independent_evidence == ("README.md:2 -- changed here",)
    assert verified.automated_checks == (CheckReading("compile", True),)
    assert (verified.autonomous_confidence, verified.deferral_evidence) == (9.0, ())
    rated: RatingReply = ask(RatingReply)
    [score] = rated.scorecard
    assert (score.criterion, score.score) == ("It says hello", "9.6")
    assert score.verification_command == "grep -q hello README.md"
    assert rated.commands_run
    assert not isinstance(read_rating(rated), str)


@pytest.mark.parametrize("seen", ["failed", "timed out", "could not be run"])
def test_reviewers_refuse_what_was_not_seen_to_pass(ask: Callable[[type[Any]], Any], changed: World, seen: str) -> None:
    observe(changed, seen, "passed")
    verified: Verification = ask(Verification)
    assert not verified.passed
    assert len(verified.failures) == 1
    assert verified.autonomous_confidence < 5
    judged: JudgeFindings = ask(JudgeFindings)
    assert judged.recommendation is Recommendation.DEBUG
    assert judged.concerns
    rated: RatingReply = ask(RatingReply)
    assert rated.scorecard[0].score == "3.2"


def test_a_failing_check_counts_although_it_is_no_criterion(ask: Ask[Verification], changed: World) -> None:
    observe(changed, "passed", "failed")
    verified = ask(Verification)
    assert not verified.passed
    assert verified.failures[0].category == "compilation_failure"
    assert verified.automated_checks == (CheckReading("compile", False),)


def test_a_check_that_could_not_be_run_is_neither_called_passed_nor_failed(
    ask: Ask[Verification], changed: World
) -> None:
    observe(changed, "passed", "could not be run")
    verified = ask(Verification)
    assert verified.automated_checks == ()
    assert not verified.passed


def test_a_criterion_that_nobody_observed_is_not_approved(ask: Callable[[type[Any]], Any], changed: World) -> None:
    tell(changed, "facts.json", {**FACTS, "criteria": [CRITERION, {**CRITERION, "id": "phase.c2", "text": "And bye"}]})
    observe(changed, "passed")
    verified: Verification = ask(Verification)
    assert not verified.passed
    assert [each.category for each in verified.failures] == ["tool_failure"]
    assert [each.score for each in ask(RatingReply).scorecard] == ["9.6", "3.2"]


def test_the_mini_verifier_reads_the_criteria_of_its_task_alone(ask: Ask[MiniVerification], changed: World) -> None:
    other = {**CRITERION, "id": "01-02.c1", "text": "Another task's", "task": "01-02"}
    own = {**CRITERION, "task": "01-01"}
    tell(changed, "facts.json", {**FACTS, "task": {"id": "01-01", "criteria": [own]}, "criteria": [own, other]})
    observe(changed, "passed")
    reading = ask(MiniVerification)
    assert reading.passed
    assert [(each.criterion, each.status) for each in reading.criteria_results] == [("It says hello", "verified")]
    assert reading.criteria_results[0].evidence.startswith("README.md:2 -- ")
    assert (reading.concerns, bool(reading.commands_run)) == ((), True)
    observe(changed, "passed", "failed")
    assert ask(MiniVerification).passed, "how a check stood before the task is not its to know"
    observe(changed, "failed")
    assert not ask(MiniVerification).passed


TRACE = {
    "id": "phase.c2",
    "text": "Saying leads to hello",
    "command": "read say.py:on_say and trace to print_hello",
    "form": "trace",
    "task": "",
}
PROSE = {"id": "phase.c3", "text": "It feels friendly", "command": "", "form": "prose", "task": ""}


def test_a_trace_is_verified_with_both_places_when_a_search_finds_them(
    ask: Callable[[type[Any]], Any], changed: World
) -> None:
    (changed.clone / "say.py").write_text("def on_say():\n    print_hello()\n")
    changed.git("add", "-A")
    changed.git("commit", "--quiet", "-m", "say it")
    tell(changed, "facts.json", {**FACTS, "criteria": [CRITERION, TRACE]})
    observe(changed, "passed")
    verified: Verification = ask(Verification)
    [trace] = verified.traces
    assert (trace.criterion, trace.status) == (TRACE["text"], Traced.VERIFIED)
    assert (trace.trigger, trace.terminal_action) == ("say.py:1 -- on_say", "say.py:2 -- print_hello")
    assert (verified.passed, verified.autonomous_confidence) == (True, 9.0)
    assert [each.status for each in verified.criteria_results] == ["verified", "verified"]
    rated: RatingReply = ask(RatingReply)
    assert rated.traces == verified.traces == ask(JudgeFindings).traces
    assert [each.score for each in rated.scorecard] == ["9.6", "9.6"]
    assert rated.scorecard[1].verification_command == "git grep -n -w -F -e print_hello"


def test_what_it_cannot_decide_is_neither_approved_nor_failed_and_it_says_what_it_tried(
    ask: Callable[[type[Any]], Any], changed: World
) -> None:
    tell(changed, "facts.json", {**FACTS, "criteria": [CRITERION, TRACE, PROSE]})
    observe(changed, "passed")
    verified: Verification = ask(Verification)
    assert [each.status for each in verified.traces] == [Traced.UNVERIFIABLE]
    assert [each.status for each in verified.criteria_results] == ["verified", "unverifiable", "unverifiable"]
    assert verified.deferral_evidence == ()  # nobody is there to defer to
    assert len(verified.concerns) == 2
    assert (verified.passed, verified.autonomous_confidence) == (True, 3.0)
    rated: RatingReply = ask(RatingReply)
    assert [each.score for each in rated.scorecard] == ["9.6", "6.5", "6.5"]
    assert all(each.verification_command for each in rated.scorecard)
    assert len(rated.concerns) == 2
    assert not isinstance(read_rating(rated), str)


def test_what_a_checkpoint_keeps_for_a_person_is_deferred_with_what_was_tried(
    ask: Ask[Verification], changed: World
) -> None:
    person = {"id": "01-02", "title": "Pay with a card", "files": [], "type": "checkpoint:human-verify"}
    tell(changed, "facts.json", {**FACTS, "criteria": [CRITERION, PROSE], "tasks": [person]})
    observe(changed, "passed")
    verified = ask(Verification)
    assert (verified.passed, verified.autonomous_confidence) == (True, 4.0)
    assert [each.criterion for each in verified.deferral_evidence] == [PROSE["text"], "Pay with a card"]
    assert refuse_evidence(verified.deferral_evidence) == ""
    tell(changed, "facts.json", {**FACTS, "criteria": [{**CRITERION, "task": "01-02"}], "tasks": [person]})
    verified = ask(Verification)
    assert (verified.autonomous_confidence, verified.deferral_evidence) == (9.0, ())


def test_a_hint_is_a_concern_and_decides_nothing(ask: Callable[[type[Any]], Any], changed: World) -> None:
    wire = {"subject": "wire", "text": "wire", "command": "looks for references to new files", "seen": "failed"}
    hello = {"subject": "phase.c1", "text": "It says hello", "command": "grep -q hello README.md", "seen": "passed"}
    tell(changed, "observations.json", [hello, wire])
    verified: Verification = ask(Verification)
    assert (verified.passed, verified.concerns) == (True, ("wire: the check failed",))
    judged: JudgeFindings = ask(JudgeFindings)
    assert judged.recommendation is Recommendation.PROCEED
    assert "wire: the check failed" in judged.concerns


def test_a_tasks_test_script_decides_before_the_criterions_own_command(
    ask: Callable[[type[Any]], Any], changed: World
) -> None:
    own = {**CRITERION, "id": "01-01.c1", "task": "01-01"}
    tell(changed, "facts.json", {**FACTS, "criteria": [own]})
    failed = {"subject": "01-01.c1", "text": own["text"], "command": own["command"], "seen": "failed", "excerpt": "no"}
    script = {"subject": "script:01-01", "command": "bash tests/task-01-01.sh", "seen": "passed", "excerpt": "PASS: so"}
    tell(changed, "observations.json", [failed, script])
    assert ask(Verification).passed
    [score] = ask(RatingReply).scorecard
    assert (score.score, score.verification_command) == ("9.6", "bash tests/task-01-01.sh")
    tell(changed, "observations.json", [failed, {**script, "seen": "failed"}])
    assert not ask(Verification).passed
    [score] = ask(RatingReply).scorecard
    assert (score.score, score.verification_command) == ("3.2", own["command"])


def test_no_honest_review_is_refused_for_its_form(ask: Callable[[type[Any]], Any], changed: World) -> None:
    observe(changed, "passed", "passed")
    assert refuse_verification(ask(Verification), 1.0, 0.0) == ""
    assert refuse_mini(ask(MiniVerification)) == ""
    found: JudgeFindings = ask(JudgeFindings)
    tell(changed, "findings.json", msgspec.json.encode(found).decode())
    tell(changed, "VERIFICATION.md", report("verified"))
    second: Divergence = ask(Divergence)
    judgement = Judgement(
        **{name: getattr(found, name) for name in ("recommendation", "concerns", "independent_evidence", "notes")},
        **{name: getattr(found, name) for name in ("scope_creep", "missing_requirements")},
        verifier_missed=second.verifier_missed,
        verifier_agreement=second.verifier_agreement,
    )
    assert refuse_judgement(judgement, minimum_concerns=2) == ""


def report(status: str) -> str:
    return f"| Criterion | Reading | Evidence |\n|---|---|---|\n| It says hello | {status} | README.md:2 -- here |\n"


@pytest.mark.parametrize(
    ("seen", "status", "first", "agrees", "recommendation"),
    [
        ("passed", "verified", "proceed", True, Recommendation.PROCEED),
        ("failed", "failed", "debug", True, Recommendation.DEBUG),
        ("failed", "verified", "debug", False, Recommendation.DEBUG),
        ("passed", "failed", "proceed", False, Recommendation.DEBUG),
        ("passed", "verified", "halt", True, Recommendation.HALT),
    ],
)
def test_the_judges_second_word_sets_its_findings_beside_the_verifiers_report(
    ask: Ask[Divergence],
    changed: World,
    seen: str,
    status: str,
    first: str,
    agrees: bool,
    recommendation: Recommendation,
) -> None:
    observe(changed, seen)
    tell(changed, "findings.json", {"recommendation": first, "concerns": []})
    tell(changed, "VERIFICATION.md", report(status))
    word = ask(Divergence)
    assert (word.verifier_agreement, word.recommendation) == (agrees, recommendation)
    assert bool(word.agreements) is agrees
    assert bool(word.disagreements) is not agrees


def test_the_splitter_keeps_tasks_together_that_share_a_file(ask: Ask[SplitProposal], world: World) -> None:
    files = {"20-01": ["a"], "20-02": ["b"], "20-03": ["a", "c"]}
    tasks = [{"id": task, "title": task, "files": named, "complexity": "complex"} for task, named in files.items()]
    tell(world, "facts.json", {**FACTS, "tasks": tasks})
    assert [part.tasks for part in ask(SplitProposal).sub_phases] == [("20-01", "20-03"), ("20-02",)]


def test_the_discusser_asks_about_what_the_facts_name_and_repeats_what_was_answered(
    ask: Callable[[type[Any]], Any], world: World
) -> None:
    found: GrayAreas = ask(GrayAreas)
    checked = check_areas(found)
    assert (checked.problems, len(checked.areas)) == ((), 4)
    assert checked.areas[0].area == "Begin: It says hello"
    asked = {"id": "1.1", "area": "Begin: It says hello", "question": "How?", "answer": "loudly"}
    left = {**asked, "id": "1.2", "question": "When?", "answer": "you decide"}
    tell(world, "talk.json", {"questions": [asked, left], "more": [asked["area"]]})
    [more] = ask(FollowUps).areas
    assert more.area == asked["area"]
    assert len(new_questions(more.questions, ["How?", "When?"])) == 2
    tell(world, "talk.json", {"questions": [asked, left], "more": []})
    digest: Digest = ask(Digest)
    assert digest.decisions == (AreaDecisions("Begin: It says hello", ("How? -- loudly",)),)
    assert (digest.discretion, digest.deferred) == (("Begin: It says hello: When?",), ())


def conflicted(world: World) -> None:
    """A merge that git gave up on, as it stands in the clone."""
    for branch, line in (("one", "eins"), ("two", "zwei")):
        world.git("switch", "--quiet", "--create", branch, "origin/main")
        (world.clone / "README.md").write_text(f"a project\n{line}\n")
        world.git("commit", "--quiet", "-am", line)
    with pytest.raises(subprocess.CalledProcessError):
        world.git("merge", "--quiet", "one")


@pytest.mark.parametrize("is_committed", [False, True], ids=["unmerged", "committed with its markers"])
def test_a_resolver_keeps_both_sides_of_a_conflict_and_says_what_it_did_not_check(
    ask: Ask[ExecutorClaim], world: World, is_committed: bool
) -> None:
    conflicted(world)
    if is_committed:
        world.git("commit", "--quiet", "-am", "as it is")
    tell(world, "facts.json", {**FACTS, "task": {"id": "r", "type": "resolve", "files": ["README.md"], "criteria": []}})
    claim = ask(ExecutorClaim)
    assert world.git("show", "HEAD:README.md") == "a project\nzwei\neins\n"
    assert world.git("status", "--porcelain") == ""
    assert claim.commit_shas[0] == world.git("rev-parse", "HEAD").strip()
    assert "README.md: both sides were kept; not checked whether they agree" in claim.deviations


@pytest.mark.parametrize("kind", ["resolve", "remediation"])
def test_without_a_conflict_there_is_nothing_it_can_do_by_itself(
    ask: Ask[ExecutorClaim], world: World, kind: str
) -> None:
    tell(world, "facts.json", {**FACTS, "task": {"id": "r", "type": kind, "files": [], "criteria": [CRITERION]}})
    before = world.git("rev-parse", "HEAD")
    claim = ask(ExecutorClaim)
    assert (claim.tasks_completed, claim.tasks_failed, claim.confidence) == ("0/1", "1/1", 0.0)
    assert claim.deviations[0].startswith("nothing was done")
    assert world.git("rev-parse", "HEAD") == before


def test_a_file_named_by_markers_alone_is_left_when_the_task_is_about_another(
    ask: Ask[ExecutorClaim], world: World
) -> None:
    example = "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n"
    (world.clone / "guide.md").write_text(example)
    world.git("add", "-A")
    world.git("commit", "--quiet", "-m", "an example")
    tell(world, "facts.json", {**FACTS, "task": {"id": "r", "type": "resolve", "files": ["README.md"], "criteria": []}})
    assert ask(ExecutorClaim).commit_shas == ()
    assert (world.clone / "guide.md").read_text() == example


def test_where_nothing_was_seen_nothing_is_approved(ask: Callable[[type[Any]], Any], changed: World) -> None:
    assert not ask(Verification).passed
    assert not ask(MiniVerification).passed
    assert ask(JudgeFindings).recommendation is Recommendation.DEBUG
    assert [each.score for each in ask(RatingReply).scorecard] == ["3.2"]


def test_without_walls_the_facts_are_read_where_they_lie(
    transcripts: Transcripts, world: World, tmp_path: Path
) -> None:
    tell(world, "facts.json", FACTS)
    script = tmp_path / "script.json"
    script.write_text("{}")
    agent = ScriptedAgent(script, Unconfined(tmp_path / "state"), transcripts)
    claim = read_reply(agent.call(world.call(role=Role.RESEARCHER)).value, ResearchClaim)
    assert isinstance(claim, ResearchClaim)
    assert "It says hello" in claim.recommended_approach
