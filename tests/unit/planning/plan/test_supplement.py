"""What a user's plan lacks is written beside it and only adds. covers: PLAN-03, T1, T8 (layer P)"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.model.planning.complaint import Severity
from autopilot.model.planning.criterion import Criterion, Form, Strength
from autopilot.model.planning.plan import Task
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Commands
from autopilot.planning.lint.plan_rules import lint_plan
from autopilot.planning.plan.files import SUPPLEMENT
from autopilot.planning.plan.plan import parse_plan
from autopilot.planning.plan.supplement import drop_unfailing, lacking, merge_supplement

USER, PATH = "p/02-01-PLAN.md", f"p/{SUPPLEMENT}"
PLAN = """\
<task type="auto">
  <name>Task 1: Brew</name>
  <files>tea.py</files>
  <verify>The tea is brown</verify>
  <acceptance_criteria>
    - It should work
  </acceptance_criteria>
  <done>Tea stands on the table.</done>
</task>
<task type="auto">
  <name>Task 2: Serve</name>
  <files>serve.py</files>
  <verify>`pytest tests/test_serve.py`</verify>
</task>
"""
EXTRA = """\
<task id="02-01.1">
**Files:** tea.py, other.py
**Verify:**
- Tea is brown -- verified by: `python3 -m tea` (contains "brown") (weight 5)
- It is nice
</task>
<task id="02-01.7">
**Verify:**
- x -- verified by: `true_thing`
</task>
<task>
**Verify:**
- y -- verified by: `other_thing`
</task>
"""


def parse(text: str, path: str) -> tuple[Task, ...]:
    return parse_plan(text, path, PhaseId("2"), Commands()).tasks


def test_criteria_are_added_by_task_id_and_everything_else_is_said_and_left_out() -> None:
    tasks = parse(PLAN, USER)
    merged, complaints = merge_supplement(tasks, parse(EXTRA, PATH))
    brew, serve = merged
    assert brew.criteria[:-1] == tasks[0].criteria and serve == tasks[1]
    added = brew.criteria[-1]
    assert (added.id, added.text, added.weight, added.path, added.line) == ("02-01.1.s1", "Tea is brown", 1.0, PATH, 4)
    assert brew.files == ("tea.py",)
    assert [str(complaint) for complaint in complaints] == [
        f"{PATH}:5: task 02-01.1: a criterion without a command adds nothing: It is nice",
        f"{PATH}:1: task 02-01.1 cannot be given more files (other.py)",
        f"{PATH}:7: task 02-01.7 is not a task of the plan: left out",
        f"{PATH}:11: task unnamed-3 is not a task of the plan: left out",
    ]


def test_a_task_without_an_id_in_a_supplement_means_no_task_of_the_plan() -> None:
    users = parse('<task type="auto"><name>A</name></task>', "p/PLAN.md")
    assert users[0].id == "02-01"
    merged, (complaint,) = merge_supplement(users, parse("<task>\n**Verify:** `pytest a`\n</task>", PATH))
    assert merged == users and "unnamed-1" in complaint.text


def test_what_the_plan_says_already_is_not_said_twice() -> None:
    tasks = parse(PLAN, USER)
    again = parse('<task id="02-01.2">\n**Verify:** `pytest tests/test_serve.py`\n</task>', PATH)
    assert merge_supplement(tasks, again)[0] == tasks


def test_a_task_that_asks_a_person_takes_no_criteria() -> None:
    look = (Task("1", "Look", type="checkpoint:human-verify", path=USER, line=1),)
    merged, (complaint,) = merge_supplement(look, parse('<task id="1">\n**Verify:** `pytest a`\n</task>', PATH))
    assert merged == look and "asks a person" in complaint.text


def test_a_second_supplement_block_goes_on_counting() -> None:
    extra = [
        Task("02-01.1", "x", path=PATH, criteria=(Criterion("c", "a", Form.COMMAND, command="a"),)),
        Task("02-01.1", "x", path=PATH, criteria=(Criterion("c", "b", Form.COMMAND, command="b"),)),
    ]
    merged, _ = merge_supplement(parse(PLAN, USER), extra)
    assert [c.id for c in merged[0].criteria][-2:] == ["02-01.1.s1", "02-01.1.s2"]


def test_what_is_lacking_is_asked_for_and_the_supplement_cures_it() -> None:
    tasks = parse(PLAN, USER)
    asked = lacking(tasks, {}, lint_plan(tasks, {}, False))
    assert asked.curable
    (ask,) = asked.asks
    assert "task 02-01.1 (p/02-01-PLAN.md:1, Brew)" in ask and "tests/task-02-01.1.sh" in ask
    assert "It should work" in ask
    script = 'if tea; then echo "PASS: Tea is brown"; else echo "FAIL: Tea is brown"; exit 1; fi\n'
    merged, _ = merge_supplement(tasks, parse(EXTRA, PATH))
    for cured, scripts in ((merged, dict[str, str]()), (tasks, {"02-01.1": script})):
        assert not [c for c in lint_plan(cured, scripts, False) if c.severity is Severity.BLOCKER]
        assert lacking(cured, scripts, lint_plan(cured, scripts, False)).asks == ()


def test_what_no_supplement_can_cure_is_told_apart() -> None:
    tasks = (*parse(PLAN, USER), Task("9", "Ask", type="checkpoint:decision", path=USER, line=20))
    asked = lacking(tasks, {}, lint_plan(tasks, {}, False))
    assert len(asked.asks) == 1 and not asked.curable
    assert len(asked.beyond) == 1 and asked.beyond[0] not in asked.asks
    assert not lacking((), {}, lint_plan((), {}, False)).curable


@pytest.mark.parametrize(
    ("extra", "script", "words"),
    [
        ("- Tea -- verified by: `brew || true`", "", "cannot fail"),
        ("- Tea -- verified by: `grep tea tea.py`", "", "by searching text"),
        ("- Tea -- verified by: `brew it`", "brew it\necho 'PASS: Tea'\nexit 0\n", "cannot fail"),
        ("- Tea -- verified by: `brew it`", "brew it && echo 'PASS: Soup' || exit 1\n", "asserts"),
    ],
)
def test_a_supplement_is_held_to_our_own_rules_and_its_faults_are_asked_back(
    extra: str, script: str, words: str
) -> None:
    merged, _ = merge_supplement(parse(PLAN, USER), parse(f'<task id="02-01.1">\n**Verify:**\n{extra}\n</task>', PATH))
    scripts = {"02-01.1": script} if script else {}
    said = lint_plan(merged, scripts, False)
    blockers = [c for c in said if c.severity is Severity.BLOCKER]
    assert len(blockers) == 1 and words in blockers[0].text
    assert blockers[0].path in (PATH, "p/tests/task-02-01.1.sh")
    asked = lacking(merged, scripts, said)
    assert asked.curable and asked.asks == (f"fix {blockers[0]}",)


def test_a_users_command_that_cannot_fail_is_set_aside_with_its_place() -> None:
    tasks = parse("<task>\n<name>A</name>\n<verify>`pytest a || true`</verify>\n</task>", USER)
    kept, (complaint,) = drop_unfailing(tasks)
    assert [(c.id, c.form, c.command) for c in kept[0].criteria] == [("02-01.1.c1", Form.PROSE, "")]
    assert complaint.severity is Severity.WARNING and str(complaint).startswith(f"{USER}:3: 02-01.1.c1: `pytest a")
    assert lacking(kept, {}, lint_plan(kept, {}, False)).curable
    assert drop_unfailing(parse(PLAN, USER)) == (parse(PLAN, USER), ())


IDS = st.sampled_from(["1", "2", "3", "unnamed-1"])
CRITERIA = st.builds(
    Criterion,
    id=st.sampled_from(["c1", "c2"]),
    text=st.sampled_from(["a", "b"]),
    form=st.sampled_from(list(Form)),
    command=st.sampled_from(["", "pytest a", "grep b c", "true"]),
    strength=st.sampled_from([Strength.COMMAND, Strength.GREP]),
    weight=st.sampled_from([1.0, 9.0]),
)
TASKS = st.lists(
    st.builds(
        Task,
        id=IDS,
        title=st.just("T"),
        type=st.sampled_from(["auto", "checkpoint:human-verify"]),
        files=st.lists(st.sampled_from(["a", "b"])).map(tuple),
        criteria=st.lists(CRITERIA, max_size=3).map(tuple),
        path=st.just(USER),
    ),
    max_size=4,
)


@given(TASKS, TASKS)
def test_a_supplement_never_takes_away_and_adds_nothing_but_criteria(tasks: list[Task], extra: list[Task]) -> None:
    extra = [Task(each.id, "X", files=each.files, criteria=each.criteria, path=PATH) for each in extra]
    merged, _ = merge_supplement(tasks, extra)
    assert len(merged) == len(tasks)
    for before, after in zip(tasks, merged, strict=True):
        assert after.criteria[: len(before.criteria)] == before.criteria
        assert all(each.path == PATH and each.weight == 1.0 for each in after.criteria[len(before.criteria) :])
        same = ("id", "title", "type", "complexity", "files", "action", "done", "wave", "line", "path")
        assert all(getattr(before, name) == getattr(after, name) for name in same)
