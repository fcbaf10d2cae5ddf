"""What counts as seen: only a reported exit is evidence, expectations decide, lines must agree (CRIT, T5.status)."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest
from msgspec.structs import replace

from autopilot.events.issue.state import IssueState
from autopilot.model.errors import Interrupted
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind
from autopilot.model.evidence.testing import Ended, Grade, TestReport, TestResult
from autopilot.model.issue.issue import IssueBrief
from autopilot.model.planning.criterion import Expectation, Form, Strength, Want
from autopilot.model.policy import Commands, Evidence, Policy, Timeouts
from autopilot.model.run import Step
from autopilot.model.secrecy.redaction import Redactor
from autopilot.model.secrecy.terminal import strip_controls
from autopilot.ports.layers import Layer
from autopilot.ports.sandbox import KEPT_BYTES, Exited, Killed, NeverRan, Outcome, Profile, Stalled, TimedOut
from autopilot.steps.observing.observing import (
    FINDINGS_BYTES,
    Check,
    list_configured_checks,
    list_criterion_checks,
    list_script_checks,
    make_repeat_check,
    observe,
)
from autopilot.steps.observing.test_reports import clean_report
from autopilot.testtools.formats.results import shortened
from tests.unit.making import make_criterion, make_observation, make_phase, make_state, make_task
from tests.unit.steps.world import World

# covers: CRIT, PLAN-03, T5.status, SBX, T7.redaction
CHECK = Check("01-01.c1", "make it", Expectation(), Strength.COMMAND, 60.0)
SCRIPT = Check("script:01-01", "bash task.sh", Expectation(), Strength.SCRIPT, 60.0, is_script=True)


def exited(code: int, output: str = "") -> Outcome:
    return Outcome(Exited(code), output.encode())


def see(world: World, check: Check = CHECK, policy: Policy | None = None, *, at_base: bool = False) -> Observation:
    state = make_state(policy=policy or Policy())
    [observation] = observe(world.context(state, make_phase(), Step.VERIFY), "c1", [check], at_base=at_base)
    return observation


@pytest.mark.parametrize(
    ("ended", "seen", "code"),
    [
        (Exited(0), Seen.PASSED, 0),
        (Exited(1), Seen.FAILED, 1),
        (Exited(127), Seen.FAILED, 127),
        (TimedOut(60.0), Seen.TIMED_OUT, None),
        (Stalled(30.0), Seen.TIMED_OUT, None),
        (NeverRan("no bwrap"), Seen.NOTHING, None),
    ],
)
def test_a_command_is_seen_by_how_it_ended(
    tmp_path: Path, ended: Exited | TimedOut | Stalled | NeverRan, seen: Seen, code: int | None
) -> None:
    observation = see(World(tmp_path, Outcome(ended)))
    assert (observation.subject, observation.commit) == ("01-01.c1", "c1")
    assert (observation.seen, observation.exit_code) == (seen, code)


def test_a_check_of_the_work_that_did_not_end_in_time_is_run_once_more(tmp_path: Path) -> None:
    """A busy machine is no fault of the work; before the work, and of a probe, nothing hangs on it."""
    late, ended = Outcome(TimedOut(60.0)), exited(0)
    assert see(World(tmp_path, late, ended)).seen is Seen.PASSED
    assert see(World(tmp_path, late, late, ended)).seen is Seen.TIMED_OUT
    assert see(World(tmp_path, late, ended), at_base=True).seen is Seen.TIMED_OUT
    probe = replace(CHECK, subject="again:01-01.c1")
    context = World(tmp_path, late, ended).context(make_state(), make_phase(), Step.VERIFY)
    assert observe(context, "c1", [probe])[0].seen is Seen.TIMED_OUT


def test_a_command_that_never_ran_says_why(tmp_path: Path) -> None:
    assert see(World(tmp_path, Outcome(NeverRan("no bwrap")))).reason == "no bwrap"


def test_a_sandbox_that_fails_is_tried_again_before_nothing_counts_as_seen(tmp_path: Path) -> None:
    nothing = Outcome(NeverRan("no bwrap"))
    recovering, broken = World(tmp_path, nothing, nothing, exited(0)), World(tmp_path, nothing)
    assert see(recovering).seen is Seen.PASSED
    assert see(broken).seen is Seen.NOTHING
    assert broken.sandbox is not None and len(broken.sandbox.specs) == Policy().attempts.observations == 3


def test_a_failure_is_believed_at_once(tmp_path: Path) -> None:
    world = World(tmp_path, exited(1), exited(0))
    assert see(world).seen is Seen.FAILED
    assert world.sandbox is not None and len(world.sandbox.specs) == 1


def test_a_command_that_was_stopped_is_no_observation_at_all(tmp_path: Path) -> None:
    with pytest.raises(Interrupted) as stopped:
        see(World(tmp_path, Outcome(Killed("SIGTERM"))))
    assert stopped.value.exit_status == 143


@pytest.mark.parametrize(
    ("expectation", "outcome", "seen"),
    [
        (Expectation(Want.EXIT, 3), exited(3), Seen.PASSED),
        (Expectation(Want.EXIT, 3), exited(0), Seen.FAILED),
        (Expectation(Want.EQUALS, 0), exited(1, "0\n"), Seen.PASSED),  # grep -c that rightly finds none
        (Expectation(Want.EQUALS, 2), exited(0, "3\n"), Seen.FAILED),
        (Expectation(Want.AT_LEAST, 2), exited(0, "3\n"), Seen.PASSED),
        (Expectation(Want.AT_MOST, 2), exited(0, "3\n"), Seen.FAILED),
        (Expectation(Want.CONTAINS, text="ready"), exited(0, "all ready.\n"), Seen.PASSED),
        (Expectation(Want.CONTAINS, text="ready"), exited(0, "nothing\n"), Seen.FAILED),
    ],
)
def test_the_expectation_decides_what_an_exit_means(
    tmp_path: Path, expectation: Expectation, outcome: Outcome, seen: Seen
) -> None:
    assert see(World(tmp_path, outcome), replace(CHECK, expectation=expectation)).seen is seen


@pytest.mark.parametrize(
    ("code", "output", "seen", "reason"),
    [
        (0, "PASS: one\nPASS: two\n", Seen.PASSED, ""),
        (0, "PASS: one\nFAIL: two\n", Seen.FAILED, "FAIL: two"),  # its exit status lies
        (1, "PASS: one\nPASS: two\n", Seen.FAILED, "exit 1"),
        (1, "FAIL: one\nFAIL: two\nFAIL: three\n", Seen.FAILED, "FAIL: one (and 2 more)"),
        (0, "", Seen.FAILED, "it printed no PASS or FAIL line"),
        (0, "all fine\n  PASS: indented\n", Seen.FAILED, "it printed no PASS or FAIL line"),
        (2, "bash: syntax error\n", Seen.FAILED, "exit 2"),
    ],
)
def test_the_lines_and_the_exit_of_a_test_script_must_agree(
    tmp_path: Path, code: int, output: str, seen: Seen, reason: str
) -> None:
    observation = see(World(tmp_path, exited(code, output)), SCRIPT)
    assert (observation.seen, observation.reason) == (seen, reason)


def test_each_line_of_a_script_is_kept_for_its_criterion(tmp_path: Path) -> None:
    observation = see(World(tmp_path, exited(1, "noise\nPASS: one  \nFAIL: two: a colon\n")), SCRIPT)
    assert observation.lines == (("one", True), ("two: a colon", False))


def test_a_script_whose_output_was_cut_cannot_pass_for_a_red_line_may_be_among_what_is_gone(tmp_path: Path) -> None:
    cut = Outcome(Exited(0), b"PASS: one\n", dropped=12)
    observation = see(World(tmp_path, cut), SCRIPT)
    assert observation.seen is Seen.FAILED
    assert observation.reason.startswith("it printed so much that 12 bytes were left out")
    assert see(World(tmp_path, cut)).seen is Seen.PASSED, "an ordinary command is judged by its exit"


def test_output_is_judged_as_it_was_printed_and_kept_without_secrets(tmp_path: Path) -> None:
    secret = "s3cr3t-value-of-mine"
    world = World(tmp_path, exited(0, f"{secret}\n"), secrets={"TOKEN": secret})
    check = replace(CHECK, expectation=Expectation(Want.CONTAINS, text=secret))
    observation = see(world, check)
    assert observation.seen is Seen.PASSED
    assert secret not in observation.excerpt and secret.encode() not in world.blobs.get(observation.output)


def test_lines_of_an_ordinary_command_mean_nothing(tmp_path: Path) -> None:
    observation = see(World(tmp_path, exited(0, "FAIL: one\n")))
    assert (observation.seen, observation.lines) == (Seen.PASSED, ())


def test_what_is_kept_of_the_output_is_short_clean_and_found_again(tmp_path: Path) -> None:
    secret = "s3cr3t-value-of-mine"
    world = World(tmp_path, exited(0, f"\x1b[31mred\x1b[0m {secret} " + "x" * 500), secrets={"TOKEN": secret})
    observation = see(world)
    assert len(observation.excerpt) == 200
    assert observation.excerpt.startswith("red [redacted:TOKEN] xxx")
    kept = world.blobs.get(observation.output)
    assert secret.encode() not in kept and len(kept) > 500


def test_the_lines_of_a_script_are_recorded_without_secrets(tmp_path: Path) -> None:
    """They are part of the record itself: a test that tells what it compared would write a token into it for good."""
    secret = "s3cr3t-value-of-mine"
    script = exited(1, f"PASS: it signs in\nFAIL: {secret} is not admin\n")
    observation = see(World(tmp_path, script, secrets={"TOKEN": secret}), SCRIPT)
    assert observation.lines == (("it signs in", True), ("[redacted:TOKEN] is not admin", False))
    assert secret not in str(observation)
    assert secret in str(see(World(tmp_path / "control", script), SCRIPT)), "the control: it is no secret there"


@pytest.mark.parametrize("colour", ["\x1b[7m", "\x1b]0;x\x07", "\x08", "\x9b7m", "\u202e"])
def test_a_colour_in_the_middle_of_a_secret_does_not_hide_it_in_a_report_of_tests(colour: str) -> None:
    """Test tools colour where two values differ; what is shown of a report has no colours, and would have the value."""
    secret = "s3cr3t-value-of-mine"
    coloured = f"got {secret[:9]}{colour}{secret[9:]}"
    result = TestResult(f"t.py::a[{coloured}]", Ended.FAILED, message=shortened(coloured))
    report = TestReport("pytest", Grade.REPORT, (result,), coloured, (coloured,))
    shown = strip_controls(str(clean_report(report, Redactor({"TOKEN": secret}).clean)))
    assert secret not in shown and shown.count("[redacted:TOKEN]") == 4
    assert strip_controls(str(clean_report(report, Redactor({}).clean))).count(secret) == 4, "the control"


def test_a_command_runs_at_the_users_path_on_the_export_with_pipefail(tmp_path: Path) -> None:
    world = World(tmp_path, exited(0))
    see(world)
    assert world.sandbox is not None
    [spec] = world.sandbox.specs
    assert spec.argv == ("bash", "-o", "pipefail", "-c", "make it")
    assert (spec.profile, spec.network) == (Profile.VERIFY, False)
    assert (spec.project, spec.backing) == (PurePosixPath("/home/you/project"), PurePosixPath("/exports/c1"))


class Installed:
    """Layers where setup ends as foretold."""

    def __init__(self, *results: Layer | Outcome, control: Outcome | None = None) -> None:
        self._results, self._control = list(results), control or Outcome(Exited(0))

    def ensure(self, *_: object, **_more: object) -> Layer | Outcome:
        return self._results.pop(0) if len(self._results) > 1 else self._results[0]

    def repeat(self, *_: object, **_more: object) -> Outcome:
        return self._control


@pytest.mark.parametrize(
    ("subject", "code", "printed", "reason"),
    [
        ("lint", 127, "bash: line 1: ruff: command not found\n", "ruff is not installed"),
        ("test", 1, "/usr/bin/python3: No module named pytest\n", "the Python module pytest is not installed"),
        ("lint", 1, "a.py:1:1: F401 x\nsh: 1: eslint: not found\n", ""),  # it told of findings: it ran
        ("lint", 1, "3 problems\n", ""),
        ("01-01.c1", 127, "bash: line 1: ruff: command not found\n", ""),  # what a task is yet to build
    ],
)
def test_a_configured_check_that_never_ran_says_why(
    tmp_path: Path, subject: str, code: int, printed: str, reason: str
) -> None:
    observation = see(World(tmp_path, exited(code, printed)), replace(CHECK, subject=subject))
    assert observation.seen is Seen.FAILED
    assert observation.is_not_run is bool(reason)
    assert observation.reason.startswith(reason)


def test_more_is_kept_of_what_a_configured_check_prints(tmp_path: Path) -> None:
    kept = []
    for subject in ("lint", "01-01.c1"):
        world = World(tmp_path, exited(0))
        see(world, replace(CHECK, subject=subject))
        assert world.sandbox is not None
        kept.append(world.sandbox.specs[0].keep_bytes)
    assert kept == [FINDINGS_BYTES, KEPT_BYTES]


WITH_SETUP = Policy(commands=Commands(setup="pip install ."))


def test_commands_stand_on_what_setup_installed(tmp_path: Path) -> None:
    layer = Layer("key", PurePosixPath("/layers/project"), PurePosixPath("/layers/home"))
    world = World(tmp_path, exited(0), layers=Installed(layer))
    assert see(world, policy=WITH_SETUP).seen is Seen.PASSED
    assert world.sandbox is not None
    assert world.sandbox.specs[0].layers == (layer.project,)
    assert world.sandbox.specs[0].home_layers == (layer.home,)


@pytest.mark.parametrize(
    ("setup", "at_base", "seen", "reason"),
    [
        (exited(1, "collecting\nno such package\n"), True, Seen.NOTHING, "exit 1: no such package"),
        (exited(1, "collecting\nno such package\n"), False, Seen.FAILED, "exit 1: no such package"),
        (exited(3), False, Seen.FAILED, "exit 3, and it printed nothing"),
        (Outcome(TimedOut(60.0)), True, Seen.NOTHING, "the command did not finish within 60 s"),
        (Outcome(TimedOut(60.0)), False, Seen.FAILED, "the command did not finish within 60 s"),
        (Outcome(NeverRan("no bwrap")), True, Seen.NOTHING, "no bwrap"),
        (Outcome(NeverRan("no bwrap")), False, Seen.NOTHING, "no bwrap"),  # ours, before the change or after it
    ],
)
def test_without_its_dependencies_nothing_is_run_and_what_broke_them_is_blamed(
    tmp_path: Path, setup: Outcome, at_base: bool, seen: Seen, reason: str
) -> None:
    world = World(tmp_path, exited(0), layers=Installed(setup))
    observation = see(world, policy=WITH_SETUP, at_base=at_base)
    assert (observation.seen, observation.reason) == (seen, f"setup did not succeed: {reason}")
    assert world.sandbox is not None and world.sandbox.specs == []


DOWN = Outcome(Exited(7), head=b"could not resolve host\n")
LAYER = Layer("key", PurePosixPath("/layers/project"), PurePosixPath("/layers/home"))


@pytest.mark.parametrize(
    ("layers", "seen"),
    [
        (Installed(DOWN, control=DOWN), Seen.NOTHING),  # nobody could set it up now, changed or not
        (Installed(DOWN, LAYER), Seen.PASSED),  # it is up again
        (Installed(DOWN), Seen.FAILED),  # the control: what the change broke
    ],
)
def test_a_setup_that_fails_as_well_where_nothing_was_changed_is_no_fault_of_the_change(
    tmp_path: Path, layers: Installed, seen: Seen
) -> None:
    assert see(World(tmp_path, exited(0), layers=layers), policy=WITH_SETUP, at_base=False).seen is seen


def test_a_setup_that_was_stopped_is_no_observation_at_all(tmp_path: Path) -> None:
    with pytest.raises(Interrupted):
        see(World(tmp_path, exited(0), layers=Installed(Outcome(Killed("SIGTERM")))), policy=WITH_SETUP)


def test_a_criterion_that_is_a_configured_check_may_take_as_long_as_the_check(tmp_path: Path) -> None:
    policy = Policy(commands=Commands(test="make test"), timeouts=Timeouts(criterion=5.0, test=7.0))
    phase = make_phase()
    ctx = World(tmp_path).context(make_state(phase, policy=policy), phase, Step.VERIFY)
    criteria = [make_criterion("a"), replace(make_criterion("b"), command="make test")]
    assert [check.timeout_s for check in list_criterion_checks(ctx, criteria)] == [5.0, 7.0]


def test_what_is_looked_at_is_every_runnable_criterion_every_configured_check_and_the_script(tmp_path: Path) -> None:
    policy = Policy(commands=Commands(compile="make", test="make test"), timeouts=Timeouts(criterion=5.0, test=7.0))
    phase = make_phase()
    script = f"{phase.brief.folder}/tests/task-01-01.sh"
    ctx = World(tmp_path, files={script: b"exit 1\n"}).context(make_state(phase, policy=policy), phase, Step.VERIFY)
    criteria = [make_criterion(), make_criterion("p", form=Form.PROSE), make_criterion("t", form=Form.TRACE)]
    assert [(check.subject, check.timeout_s) for check in list_criterion_checks(ctx, criteria)] == [("01-01.c1", 5.0)]
    assert {check.subject: check.command for check in list_configured_checks(ctx)} == {
        "compile": "make",
        "test": "make test",
    }
    [check] = list_script_checks(ctx, make_task(), "c1")
    assert (check.subject, check.command, check.timeout_s) == ("script:01-01", f"bash {script}", 7.0)
    assert list_script_checks(ctx, make_task("01-02"), "c1") == []


def test_the_criterion_of_an_issue_may_take_as_long_as_its_tests(tmp_path: Path) -> None:
    """It is the whole suite; looked at again it is no shorter."""
    phase, policy = make_phase(), Policy(timeouts=Timeouts(criterion=5.0, test=7.0, lint=3.0))
    issue = IssueState(IssueBrief(24, "sort", "sort", "docs/issues/024-sort"))
    seen = make_observation("at"), make_observation("lint")
    found = {}
    for name, state in {"phase": make_state(policy=policy), "issue": make_state(policy=policy, issue=issue)}.items():
        ctx = World(tmp_path).context(state, phase, Step.ORACLE)
        again = [make_repeat_check(ctx, each, ProbeKind.AGAIN).timeout_s for each in seen]
        found[name] = [list_criterion_checks(ctx, [make_criterion("at")])[0].timeout_s, *again]
    assert found == {"phase": [5.0, 5.0, 3.0], "issue": [7.0, 7.0, 3.0]}


# covers: SBX
@pytest.mark.parametrize(
    ("code", "said", "told"),
    [
        (1, "touch: cannot touch '/etc/x': Read-only file system", "violation: it reports 'Read-only file system'"),
        (6, "curl: (6) Could not resolve host: example.invalid", "violation: it reports 'Could not resolve host'"),
        (1, "AssertionError: 1 != 2", ""),
        (0, "as expected: Read-only file system", ""),
    ],
)
def test_a_refused_call_is_shown_when_the_failing_command_itself_reports_it(
    tmp_path: Path, code: int, said: str, told: str
) -> None:
    seen = see(World(tmp_path, exited(code, said)))
    assert (seen.seen is Seen.FAILED, seen.reason) == (code != 0, told)


@pytest.mark.parametrize(
    ("subject", "expectation", "seen"),
    [
        ("01-01.c1", Expectation(), Seen.FAILED),
        ("replay:01-01.c1", Expectation(), Seen.FAILED),
        ("01-01.c1", Expectation(Want.CONTAINS, text="ok"), Seen.FAILED),
        ("test", Expectation(), Seen.PASSED),  # a project may have no tests yet
        ("pinned:test", Expectation(), Seen.PASSED),
    ],
)
def test_a_criterion_is_not_green_by_tests_that_were_not_there(
    tmp_path: Path, subject: str, expectation: Expectation, seen: Seen
) -> None:
    """``go test -run TestSoon`` ends well before anybody has written TestSoon."""
    events = b'{"Action":"output","Package":"a","Output":"ok a [no tests to run]"}\n{"Action":"pass","Package":"a"}\n'
    report = b"".join(b"\n#report %d %s\n%s" % (len(c), n, c) for n, c in ((b"1.pwd", b"/p\n"), (b"1.json", events)))
    world = World(tmp_path, Outcome(Exited(0), b"ok a [no tests to run]\n", report=report))
    check = Check(subject, "go test -run TestSoon ./...", expectation, Strength.COMMAND, 60.0)
    observation = see(world, check, Policy(evidence=Evidence.full()))
    assert observation.tests is not None
    assert (observation.tests.ran, observation.seen) == (0, seen)


def test_a_command_with_two_names_is_run_once_and_one_that_is_repeated_each_time(tmp_path: Path) -> None:
    world = World(tmp_path, exited(3), exited(0))
    named = replace(CHECK, subject="test", timeout_s=600.0)
    expecting = replace(CHECK, expectation=Expectation(Want.EXIT, 3))
    first = observe(world.context(make_state(), make_phase(), Step.VERIFY), "c1", [expecting, named])
    assert [observation.seen for observation in first] == [Seen.PASSED, Seen.FAILED], "each by what it expects"
    assert world.sandbox is not None
    [spec] = world.sandbox.specs
    assert (spec.timeout_s, spec.keep_bytes) == (600.0, FINDINGS_BYTES)
    observe(world.context(make_state(), make_phase(), Step.VERIFY), "c1", [CHECK] * 3)
    assert len(world.sandbox.specs) == 4
