"""Plans without task blocks: features to test first, lists, tables. covers: PLAN"""

from __future__ import annotations

import pytest

from autopilot.model.planning.complaint import Severity
from autopilot.model.planning.criterion import Form
from autopilot.model.planning.plan import Plan
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Commands
from autopilot.planning.plan.plan import parse_plan

FEATURE = """\
---
type: tdd
requirements: [TEA-01]
---
<objective>
Brew
</objective>

<feature>
  <name>Brewing</name>
  <files>src/brew.py, tests/test_brew.py</files>
  <behavior>
    brew:
    - water of 90 degrees -> tea
    - cold water -> error

    Cases: no water -> nothing
  </behavior>
  <implementation>Pour it slowly.</implementation>
</feature>

<verification>
`python3 -m pytest tests/test_brew.py` passes
</verification>
"""


def read(text: str) -> Plan:
    return parse_plan(text, ".planning/phases/02-pot/02-01-PLAN.md", PhaseId("2"), Commands())


def test_a_feature_is_a_task_whose_behaviour_is_what_must_hold() -> None:
    plan = read(FEATURE)
    assert [(task.id, task.title, task.type) for task in plan.tasks] == [("02-01.1", "Brewing", "tdd")]
    task = plan.tasks[0]
    assert task.files == ("src/brew.py", "tests/test_brew.py")
    assert "Pour it slowly." in task.action and "cold water -> error" in task.action
    assert [(criterion.text, criterion.form) for criterion in task.criteria] == [
        ("`python3 -m pytest tests/test_brew.py` succeeds", Form.COMMAND),
        ("brew: water of 90 degrees -> tea", Form.PROSE),
        ("brew: cold water -> error", Form.PROSE),
        ("brew: no water -> nothing", Form.PROSE),
    ]
    assert [criterion.line for criterion in task.criteria] == [23, 14, 15, 17]


def test_task_blocks_go_before_a_feature_and_their_behaviour_is_told_to_the_agent() -> None:
    text = FEATURE + "<task><name>Pour</name><action>Go</action><behavior>- full cup</behavior></task>\n"
    plan = read(text)
    assert [task.title for task in plan.tasks] == ["Pour"]
    assert plan.tasks[0].action == "Go\n\nExpected behavior:\n- full cup"


@pytest.mark.parametrize(
    ("text", "titles", "form"),
    [
        ("## Task `t1` - Boil\nx\n## Task `t2` - Pour\n", ["Boil", "Pour"], ""),
        ("- [ ] **Task 1: Boil**\n  - slowly\n- [x] **Task 2: Pour**\n", ["Boil", "Pour"], "list items"),
        ("- **Task 1**: Boil\n- **Task 2**: Pour\n", ["Boil", "Pour"], "list items"),
        ("**Task 1: Boil**\n\nSome text\n\n**Task 2: Pour**\n", ["Boil", "Pour"], "list items"),
        ("## Work\n### Step 1: Boil\nx\n### Step 2: Pour\n", ["Boil", "Pour"], "steps"),
        ("## Tasks\n### 1. Boil\nx\n### 2. Pour\n", ["Boil", "Pour"], "steps"),
        ("## Work units\n### WU-6: Boil\nx\n### WU-7: Pour\n", ["Boil", "Pour"], "steps"),
        ("## Wave 1: Heat\n### 2.1 - Boil\n### 2.2 - Pour\n", ["Boil", "Pour"], "steps"),
        ("## Wave 1\n- [ ] Boil\n- [ ] Pour\n## Verification\n- [ ] Hot\n", ["Boil", "Pour"], "check boxes"),
        ("| Task ID | Description |\n|---|---|\n| A | Boil |\n| B | Pour |\n", ["Boil", "Pour"], "rows of a table"),
        ("## Wave 1: Boil\n- hot\n## Wave 2: Pour\n- full\n", ["Boil", "Pour"], "waves"),
        (
            "## Implementation steps\n1. Boil\n2. Pour\n\n## Notes\n- tea\n",
            ["Boil", "Pour"],
            "list items below a heading",
        ),
    ],
)
def test_a_free_form_plan_is_read_and_its_form_is_said(text: str, titles: list[str], form: str) -> None:
    plan = read(f"# Plan\n\n{text}")
    assert [task.title for task in plan.tasks] == titles
    assert len({task.id for task in plan.tasks}) == len(titles)
    notes = [found.text for found in plan.complaints if found.severity is Severity.INFO]
    assert notes == ([f"there are no <task> blocks: 2 tasks are read from its {form}"] if form else [])


def test_an_item_says_which_files_it_is_about_and_how_it_is_seen() -> None:
    plan = read(
        "- [ ] **Task 1: Boil**\n  - Use gas\n  - Files: `a.py`, `b.py`\n  - Verify: `python3 -m pytest a.py`\n"
    )
    task = plan.tasks[0]
    assert (task.files, task.commands) == (("a.py", "b.py"), ["python3 -m pytest a.py"])
    assert "Use gas" in task.action and "Files" not in task.action


def test_waves_above_the_tasks_of_a_list_count() -> None:
    plan = read("## Wave 1\n- [ ] Boil\n## Wave 2\n- [ ] Pour\n")
    assert [task.wave for task in plan.tasks] == [1, 2]


@pytest.mark.parametrize("text", ["", "# Plan\n\nWe make tea.\n", "## Success criteria\n- [ ] hot\n"])
def test_a_plan_in_which_no_task_is_found_says_so(text: str) -> None:
    plan = read(text)
    assert plan.tasks == ()
    assert [found.text[:17] for found in plan.complaints] == ["no task was found"]
