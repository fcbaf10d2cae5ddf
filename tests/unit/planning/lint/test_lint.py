"""Plan lint. covers: PLAN, PLAN-03, PCHK, CRIT, BEH, HV, T8 (layer P)"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.model.planning.complaint import Severity
from autopilot.model.planning.criterion import Criterion, Expectation, Form, Kind, Strength, Want
from autopilot.model.planning.phase_type import PhaseType
from autopilot.model.planning.plan import Dialect, Plan, Task
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Commands
from autopilot.planning.lint.plan_rules import Scope, lint_plan
from autopilot.planning.plan.plan import parse_plan

BLOCKER, WARNING, INFO = Severity.BLOCKER, Severity.WARNING, Severity.INFO
GOOD = Criterion("2-1.c1", "works", Form.COMMAND, command="pytest tests/a.py", line=5)
GREP = Criterion("2-1.c2", "there", Form.COMMAND, command="grep a b", strength=Strength.GREP, line=6)
PROSE = Criterion("2-1.c3", "is nice", Form.PROSE, line=7)
TRACE = Criterion("2-1.c4", "opens", Form.TRACE, command="read A.tsx:onClick and trace to open", line=8)
SCRIPT = """\
#!/bin/bash
failed=0
check() { if $2; then echo "PASS: $1"; else echo "FAIL: $1"; failed=1; fi; }
check "works" "pytest tests/a.py"
check 'there' "python3 -m a"
exit $failed
"""


def task(
    *criteria: Criterion,
    id: str = "2-1",
    type: str = "auto",
    action: str = "do it",
    files: tuple[str, ...] = ("a.py",),
) -> Task:
    return Task(
        id,
        "T",
        type=type,
        complexity="simple",
        files=files,
        action=action,
        criteria=criteria,
        done="done",
        path="p/PLAN.md",
        line=3,
    )


Found = list[tuple[Severity, str]]


def found(tasks: list[Task], ours: bool, scripts: dict[str, str] | None = None, scope: Scope | None = None) -> Found:
    said = lint_plan(tasks, scripts or {}, ours, scope or Scope())
    assert all(complaint.line >= 1 and complaint.path for complaint in said), "every finding has its place"
    return [(complaint.severity, complaint.text) for complaint in said]


def test_a_sound_plan_of_ours_has_no_finding() -> None:
    second = task(GOOD, id="2-2")
    assert found([task(GOOD, GREP), second], True, {"2-1": SCRIPT, "2-2": SCRIPT}) == []


def test_a_sound_plan_of_the_user_needs_no_script() -> None:
    assert found([task(GOOD)], False) == []


def test_a_plan_without_tasks_is_blocked_where_it_stands() -> None:
    assert found([], False) == [(BLOCKER, "the plan has no task")]
    (complaint,) = lint_plan([], {}, True, Scope((Plan("x/02-01-PLAN.md", Dialect.GSD),)))
    assert str(complaint) == "x/02-01-PLAN.md:1: the plan has no task"


def test_a_number_given_twice_is_blocked_once() -> None:
    assert found([task(GOOD), task(GOOD)], False) == [(BLOCKER, "task 2-1 appears 2 times")]


@pytest.mark.parametrize(("count", "said"), [(1, True), (2, False), (5, False), (6, True)])
def test_our_plans_have_two_to_five_tasks(count: int, said: bool) -> None:
    tasks = [task(GOOD, id=f"2-{n}") for n in range(count)]
    scripts = {each.id: SCRIPT for each in tasks}
    assert bool([s for s, text in found(tasks, True, scripts) if "a plan has 2 to 5" in text]) is said
    assert found(tasks, False) == []


def test_a_task_that_nothing_can_check_is_blocked_whoever_wrote_it() -> None:
    texts = found([task(PROSE)], False)
    assert (BLOCKER, "task 2-1 has no criterion that can be run and no test script") in texts
    assert (WARNING, "2-1.c3 has no command: is nice") in texts
    assert (BLOCKER, "task 2-1 has no criterion that can be run and no test script") in found([task(TRACE)], False)


@pytest.mark.parametrize(("ours", "severity"), [(True, BLOCKER), (False, WARNING)])
def test_prose_and_bare_grep_block_our_plans_and_warn_in_the_users(ours: bool, severity: Severity) -> None:
    assert (severity, "2-1.c3 has no command: is nice") in found([task(GOOD, PROSE)], ours, {"2-1": SCRIPT})
    assert any(s is severity and "by searching text" in text for s, text in found([task(GREP)], ours))
    assert not any("by searching text" in text for _, text in found([task(GREP)], ours, {"2-1": SCRIPT}))


@pytest.mark.parametrize(
    "words",
    [
        "It should work",
        "Properly handles errors",
        "The output is correct",
        "Works as expected",
        "It functions correctly",
        "Login is implemented",
    ],
)
def test_words_that_nobody_can_see_are_named(words: str) -> None:
    vague = Criterion("c", words, Form.PROSE, line=2)
    (text,) = [text for _, text in found([task(GOOD, vague)], True, {"2-1": SCRIPT}) if words in text]
    assert "cannot be checked" in text
    runnable = Criterion("c", words, Form.COMMAND, command="pytest b", line=2)
    assert not any("cannot be checked" in text for _, text in found([task(runnable)], False))


def test_our_plans_need_a_script_for_every_task() -> None:
    words = "task 2-1 lacks its test script tests/task-2-1.sh"
    assert (BLOCKER, words) in found([task(GOOD)], True, {"2-1": " \n"})
    assert found([task(GOOD)], False, {"2-1": " \n"}) == []


@pytest.mark.parametrize(("ours", "severity"), [(True, BLOCKER), (False, WARNING)])
def test_a_criterion_its_script_never_asserts_is_found_but_a_trace_needs_no_assertion(
    ours: bool, severity: Severity
) -> None:
    other = Criterion("2-1.c9", "sings at dawn", Form.COMMAND, command="sing", line=9)
    said = lint_plan([task(GOOD, other, TRACE)], {"2-1": SCRIPT}, ours)
    assert [(c.severity, str(c)) for c in said if "asserts" in c.text] == [
        (severity, "p/tests/task-2-1.sh:1: no line of the script asserts 2-1.c9: `sings at dawn`")
    ]


@pytest.mark.parametrize(("ours", "severity"), [(True, BLOCKER), (False, WARNING)])
def test_a_script_that_cannot_fail_is_found_at_its_last_line(ours: bool, severity: Severity) -> None:
    script = "#!/bin/bash\npytest tests/a.py\necho 'PASS: works'\nexit 0\n"
    said = [c for c in lint_plan([task(GOOD)], {"2-1": script}, ours) if "cannot fail" in c.text]
    assert [(c.severity, c.path, c.line) for c in said] == [(severity, "p/tests/task-2-1.sh", 4)]


def test_a_command_that_cannot_fail_is_blocked_unless_its_output_is_judged() -> None:
    def texts(command: str, expectation: Expectation) -> Found:
        criterion = Criterion("c", "x", Form.COMMAND, command=command, expectation=expectation, line=4)
        return [(s, text) for s, text in found([task(criterion)], False) if "cannot fail" in text]

    assert [s for s, _ in texts("grep -c a b || true", Expectation())] == [BLOCKER]
    assert texts("grep -c a b || true", Expectation(Want.EQUALS, 0)) == []
    assert texts("echo 5", Expectation(Want.EQUALS, 5))
    assert texts("grep -c a b", Expectation(Want.AT_LEAST, 0))
    assert texts("grep -c a b", Expectation(Want.AT_LEAST, 1)) == []
    assert texts("./a; echo done", Expectation(Want.CONTAINS, text="done"))
    assert texts("./a && echo done", Expectation(Want.CONTAINS, text="done")) == []
    assert texts("./a; true", Expectation(Want.EXIT, 3)) == []


def test_a_task_with_nothing_new_to_see_is_a_warning() -> None:
    keep = Criterion("c", "x", Form.COMMAND, command="npm test", kind=Kind.KEEP, line=4)
    assert [s for s, text in found([task(keep)], False) if "no new criterion" in text] == [WARNING]


@pytest.mark.parametrize("ours", [True, False])
def test_a_task_that_asks_a_person_to_look_needs_neither_command_nor_script(ours: bool) -> None:
    look = task(type="checkpoint:human-verify", id="2-2")
    assert found([task(GOOD), look], ours, {"2-1": SCRIPT}) == []
    assert any(s is BLOCKER for s, _ in found([look], ours)) == ours, "a plan of ours builds something"


@pytest.mark.parametrize("ours", [True, False])
@pytest.mark.parametrize("type", ["checkpoint:decision", "checkpoint:human-action", "checkpoint", "checkpoint:else"])
def test_another_question_to_a_person_is_blocked_whoever_wrote_it(type: str, ours: bool) -> None:
    words = f"task 2-2 asks a person ({type}): not possible unattended yet"
    assert found([task(GOOD), task(type=type, id="2-2")], ours, {"2-1": SCRIPT}) == [(BLOCKER, words)]


def test_fields_that_are_missing_are_warnings() -> None:
    bare = Task("2-1", "T", criteria=(GOOD,), path="PLAN.md", line=1)
    assert found([bare], False) == [
        (WARNING, "1 of its tasks have no complexity (simple, medium or complex)"),
        (WARNING, "task 2-1 lists no files"),
    ]
    ours = [text for s, text in found([bare], True, {"2-1": SCRIPT}) if s is WARNING]
    assert "task 2-1 does not say what to do" in ours and "task 2-1 does not say when it is done" in ours
    assert "task 2-1 has no complexity (simple, medium or complex)" in ours


def test_a_complexity_nobody_knows_is_a_warning_and_capitals_are_not() -> None:
    text = '<task id="1" complexity="Medium">\n**Files:** a\n</task>\n<task id="2" complexity="huge">\n</task>\n'
    tasks = list(parse_plan(text, "PLAN.md", PhaseId("1"), Commands()).tasks)
    assert [text for _, text in found(tasks, False) if "complexity" in text] == [
        "task 2 has the complexity `huge`, not simple, medium or complex"
    ]


@pytest.mark.parametrize(
    ("type", "action", "criteria", "said"),
    [
        (PhaseType.UI, "wire the onClick handler", (GREP,), True),
        (PhaseType.MIXED, "add handleSubmit", (GREP,), True),
        (PhaseType.MIXED, "change the drag-and-drop", (GREP,), True),
        (PhaseType.DATA, "wire the onClick handler", (GREP,), False),
        (None, "wire the onClick handler", (GREP,), False),
        (PhaseType.UI, "wire the onClick handler", (GREP, TRACE), False),
        (PhaseType.UI, "wire the onClick handler", (GREP, GOOD), False),
        (PhaseType.UI, "rename a column", (GREP,), False),
    ],
)
def test_what_a_user_acts_on_wants_a_criterion_that_traces_it(
    type: PhaseType | None, action: str, criteria: tuple[Criterion, ...], said: bool
) -> None:
    scope = Scope(phase_type=type)
    texts = [(s, text) for s, text in found([task(*criteria, action=action)], False, scope=scope) if "traces" in text]
    assert [s for s, _ in texts] == ([WARNING] if said else [])


@pytest.mark.parametrize(
    ("files", "criteria", "has_ui", "is_last", "ours", "said"),
    [
        (("src/ui/Cart.tsx",), (GOOD,), True, False, True, [BLOCKER]),
        (("src/ui/Cart.tsx",), (GOOD,), True, True, True, [WARNING]),  # the phase does not fail for it
        (("src/ui/Cart.tsx",), (GOOD,), True, False, False, [WARNING]),
        (("src/ui/Cart.tsx",), (GOOD, TRACE), True, False, True, []),
        (("src/ui/cart.css", "cart.html"), (GOOD,), True, False, True, []),  # nothing there handles anything
        (("src/ui/Cart.test.tsx",), (GOOD,), True, False, True, []),
        (("api/cart.py",), (GOOD,), False, False, True, []),
    ],
)
def test_a_phase_of_a_user_interface_has_one_handler_followed(
    files: tuple[str, ...],
    criteria: tuple[Criterion, ...],
    has_ui: bool,
    is_last: bool,
    ours: bool,
    said: list[Severity],
) -> None:
    # covers: BEH
    scope = Scope(phase_type=PhaseType.MIXED, has_ui=has_ui, is_last=is_last)
    texts = found([task(*criteria, files=files)], ours, scope=scope)
    assert [s for s, text in texts if "follows a handler" in text] == said


def test_a_task_that_runs_nothing_is_noted_only_when_there_are_commands_to_run() -> None:
    def noted(criteria: tuple[Criterion, ...], commands: Commands) -> list[Severity]:
        said = found([task(*criteria)], False, scope=Scope(commands=commands))
        return [s for s, text in said if "none of the project's commands" in text]

    assert noted((GREP,), Commands(test="npm test")) == [INFO]
    assert noted((GREP,), Commands(setup="npm ci")) == []
    assert noted((GREP, GOOD), Commands(test="npm test")) == []


PLAN = """\
## Traceability

| Requirement | Task(s) |
|---|---|
| TEA-01 | 02-01 |

<task id="02-01" type="auto" complexity="simple">
**Files:** a.py
**Action:** brew
**Verify:**
- Tea is hot -- verified by: `python3 -m tea` (expect 0)
**Done:** hot
</task>
"""


def test_an_expectation_nobody_knows_stays_a_finding() -> None:
    plan = parse_plan(PLAN, "PLAN.md", PhaseId("2"), Commands())
    (complaint,) = plan.complaints
    assert str(complaint).startswith(
        "PLAN.md:11: the expectation (expect 0) is unknown, so nothing is run for it: write "
    )
    assert (BLOCKER, "02-01.c1 has no command: Tea is hot") in found(list(plan.tasks), True, {"02-01": SCRIPT})


def test_a_criterion_without_a_command_among_others_is_not_passed_over() -> None:
    verify = "- Tea -- verified by: `brew it`\n  - a remark\n- The tea is properly made\n- Script: tests/task-02-01.sh"
    text = PLAN.replace("- Tea is hot -- verified by: `python3 -m tea` (expect 0)", verify)
    (only,) = parse_plan(text, "PLAN.md", PhaseId("2"), Commands()).tasks
    assert [(c.text, c.form) for c in only.criteria] == [
        ("Tea", Form.COMMAND),
        ("The tea is properly made", Form.PROSE),
    ]


def test_a_script_alone_is_no_criterion_in_our_plans() -> None:
    words = "task 2-1 has no criterion with a command"
    assert (BLOCKER, words) in found([task()], True, {"2-1": SCRIPT})
    assert (BLOCKER, words) not in found([task()], False, {"2-1": SCRIPT})
    assert (BLOCKER, words) not in found([task(TRACE)], True, {"2-1": SCRIPT})


def test_requirements_and_order_are_part_of_the_lint() -> None:
    plan = parse_plan(PLAN, "p/02-01-PLAN.md", PhaseId("2"), Commands())
    waiting = Plan("p/02-02-PLAN.md", Dialect.GSD, depends_on=("02-02",), depends_line=4)
    said = lint_plan(plan.tasks, {}, False, Scope((plan, waiting), ("TEA-01", "TEA-02")))
    assert [str(c) for c in said if c.severity is BLOCKER][:2] == [
        "p/02-02-PLAN.md:4: plans depend on each other: 02-02-PLAN.md -> 02-02-PLAN.md",
        "p/02-01-PLAN.md:1: requirement TEA-02 has no task",
    ]


CRITERIA = st.sampled_from([GOOD, GREP, PROSE, TRACE])
TYPES = st.sampled_from(["auto", "tdd", "checkpoint:human-verify", "checkpoint:decision"])
TASKS = st.lists(
    st.builds(
        lambda criteria, type, id: task(*criteria, type=type, id=id),
        st.lists(CRITERIA, max_size=4),
        TYPES,
        st.sampled_from(["2-1", "2-2", "2-3"]),
    ),
    max_size=4,
)


@given(TASKS, st.dictionaries(st.sampled_from(["2-1", "2-2"]), st.sampled_from([SCRIPT, "exit 0", "echo PASS: x"])))
def test_what_blocks_a_users_plan_would_block_ours(tasks: list[Task], scripts: dict[str, str]) -> None:
    def blockers(ours: bool) -> set[str]:
        return {text for severity, text in found(tasks, ours, scripts) if severity is BLOCKER}

    assert blockers(False) <= blockers(True)
