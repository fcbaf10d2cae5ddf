"""Plans in every dialect. covers: PLAN, CRIT, BEH"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.model.planning.criterion import Expectation, Form, Kind, Strength, Want
from autopilot.model.planning.plan import Dialect, Plan
from autopilot.model.planning.roadmap import Phase, PhaseId
from autopilot.model.policy import Commands
from autopilot.planning.plan.folders import find_folder
from autopilot.planning.plan.plan import find_plans, parse_plan

COMMANDS = Commands(test="npm test")
TWO = PhaseId("2")

GSD = """\
---
phase: 02-pot
plan: 03
wave: 2
depends_on: ["02-01"]
files_modified: [a.ts]
requirements:
  - TEA-03
---
<objective>
A `<task>` is only a word here
</objective>
<tasks>

<task type="auto" tdd="true">
  <name>Task 1: Brew</name>
  <files>src/a.ts, src/b.ts (new)</files>
  <action>
Write `if (a < b && c > d)` and
```html
<verify>not this</verify>
</task>
<task>
```
**Files:** mentioned only
  </action>
  <verify>
    <automated>npx vitest run a.test.ts &amp;&amp; npm test</automated>
  </verify>
  <acceptance_criteria>
    - `grep -c 'x' src/a.ts` returns ≥ 2
    - `npm test` exits 0
    - The tea is brown
    - `grep x src/a.ts` shows nothing
  </acceptance_criteria>
  <done>Tea is brewed.</done>
</task>

<task type="checkpoint:human-verify" gate="blocking">
  <what-built>Tea</what-built>
  <how-to-verify>Taste it</how-to-verify>
</task>

<task type="auto"><n>Short</n><files>`c.ts`</files><verify>Run `npm run lint` - no errors. Then look.</verify></task>
</tasks>
"""

LABELS = """\
# Phase 2 Plan

## Traceability

| Requirement | Task(s) | Description |
|-------------|---------|-------------|
| TEA-01 | 02-01, 02-02 | both |
| TEA-02 | 02-02 | one |

## Wave 1

<task id="02-01" type="auto" complexity="medium">
### Task 02-01: Boil the water

**Files:**
- `src/kettle.py` (new)
- `src/stove.py`

**Action:**
1. Do it
   **Note:** with care

**Verify:**
- Water boils -- verified by: `python3 -m kettle` (contains "100")
- Stove traced -- verified by: `read src/stove.py:heat and trace to burner.on call`

**Acceptance Criteria:**
1. File is there -- verified by: `test -f src/kettle.py`
2. Count -- verified by: `grep -c a b` (expect 0)

**Done:** Boiled.
</task>

## Wave 2
<task id="02-02" type="auto" complexity="simple">
**Files:** x.py
**Verify:** `pytest tests/test_x.py`
</task>
"""


def parse(text: str, path: str = ".planning/phases/02-pot/02-03-PLAN.md") -> Plan:
    return parse_plan(text, path, TWO, COMMANDS)


def test_a_gsd_plan_is_read_though_it_is_not_xml() -> None:
    plan = parse(GSD)
    assert (plan.dialect, plan.requirements, plan.depends_on) == (Dialect.GSD, ("TEA-03",), ("02-01",))
    brew, taste, short = plan.tasks
    assert [task.id for task in plan.tasks] == ["02-03.1", "02-03.2", "02-03.3"]
    assert (brew.title, brew.files, brew.done, brew.wave, brew.line) == (
        "Brew",
        ("src/a.ts", "src/b.ts"),
        "Tea is brewed.",
        2,
        15,
    )
    assert "if (a < b && c > d)" in brew.action and "not this" in brew.action
    assert (taste.is_automatic, taste.action, taste.done, taste.criteria) == (False, "Tea", "Taste it", ())
    assert (short.title, short.files) == ("Short", ("c.ts",))


def test_gsd_criteria_come_from_automated_and_from_commands_in_text() -> None:
    brew, _, short = parse(GSD).tasks
    assert [(c.form, c.command, c.expectation, c.kind) for c in brew.criteria] == [
        (Form.COMMAND, "npx vitest run a.test.ts && npm test", Expectation(), Kind.NEW),
        (Form.COMMAND, "grep -c 'x' src/a.ts", Expectation(Want.AT_LEAST, 2), Kind.NEW),
        (Form.COMMAND, "npm test", Expectation(), Kind.KEEP),
        (Form.PROSE, "", Expectation(), Kind.NEW),
        (Form.PROSE, "", Expectation(), Kind.NEW),
    ]
    assert brew.criteria[1].strength is Strength.GREP and brew.criteria[1].line == 31
    assert [c.id for c in brew.criteria][-1] == "02-03.1.c5"
    assert [(c.command, c.kind) for c in short.criteria] == [("npm run lint", Kind.KEEP)]
    assert [
        "is unknown, so nothing is run for it: write (expect EXIT: 1)" in complaint.text
        for complaint in parse(GSD).complaints
    ] == [True]


def test_a_labelled_plan_is_read_with_waves_and_traceability() -> None:
    plan = parse(LABELS, ".planning/phases/02-pot/PLAN.md")
    boil, second = plan.tasks
    assert plan.dialect is Dialect.LABELS
    assert plan.traceability == (("TEA-01", ("02-01", "02-02")), ("TEA-02", ("02-02",)))
    assert (boil.id, boil.title, boil.complexity, boil.wave, second.wave) == ("02-01", "Boil the water", "medium", 1, 2)
    assert boil.files == ("src/kettle.py", "src/stove.py")
    assert boil.action.endswith("**Note:** with care") and boil.done == "Boiled."
    assert [c.form for c in boil.criteria] == [Form.COMMAND, Form.TRACE, Form.COMMAND, Form.PROSE]
    assert [c.id for c in boil.criteria] == ["02-01.c1", "02-01.c2", "02-01.c3", "02-01.c4"]
    (complaint,) = plan.complaints
    assert str(complaint).startswith(
        ".planning/phases/02-pot/PLAN.md:29: the expectation (expect 0) is unknown, so nothing is run for it: write "
    )
    assert [c.command for c in second.criteria] == ["pytest tests/test_x.py"]


def test_carriage_returns_stay_out_of_every_value() -> None:
    assert parse(GSD.replace("\n", "\r\n")).tasks == parse(GSD).tasks


def test_plain_markdown_tasks_are_the_last_resort() -> None:
    text = "# Plan\n## Task 1: One\n**Files:** a.py\n**Verify:**\n- `pytest a`\n### Detail\n"
    text += "## Task 02-07: Two\n## Notes\nx\n"
    plan = parse(text, "x/PLAN.md")
    assert plan.dialect is Dialect.MARKDOWN
    assert [(task.id, task.title, task.files) for task in plan.tasks] == [
        ("02-01", "One", ("a.py",)),
        ("02-07", "Two", ()),
    ]


def test_tasks_of_a_bullet_list_are_tasks() -> None:
    plan = parse('- <task id="W1-T1">Add `x`.</task>\n- <task id="W1-T2">Add y.</task>\n')
    assert [(task.id, task.action) for task in plan.tasks] == [("W1-T1", "Add `x`."), ("W1-T2", "Add y.")]


def test_an_id_that_could_leave_the_test_folder_is_replaced_and_said() -> None:
    plan = parse('<task id="../../etc/x">\n</task>\n<task id="a b">\n</task>')
    assert [task.id for task in plan.tasks] == ["02-03.1", "02-03.2"]
    assert [complaint.line for complaint in plan.complaints] == [1, 3]


def test_a_task_never_closed_ends_at_the_next_and_is_said() -> None:
    plan = parse('<task id="1-1">\n<name>A</name>\n<task id="1-2">\n<name>B</name>\n')
    assert [task.title for task in plan.tasks] == ["A", "B"]
    assert all("never closed" in complaint.text for complaint in plan.complaints) and len(plan.complaints) == 2


def test_a_file_without_tasks_says_so() -> None:
    assert "no task" in parse("# Plan\n\nWe should do things.\n").complaints[0].text


@pytest.mark.parametrize(
    ("verify", "commands"),
    [
        ("npm run typecheck", ["npm run typecheck"]),
        ("- pytest tests/a.py\n- cargo test foo", ["pytest tests/a.py", "cargo test foo"]),
        ("Run `go test ./x` to verify state.\nRun `go vet ./x`.", ["go test ./x", "go vet ./x"]),
        ("Run `npm run dev` and look", []),
        ("Run `anchor build`. Must compile without errors or warnings.", ["anchor build"]),
        ("Run `npm run typecheck` to confirm zero TypeScript errors.", ["npm run typecheck"]),
        ("`cd a && npm run build` -- build should succeed with no errors", ["cd a && npm run build"]),
        ("`go build ./...` to verify full compilation succeeds with zero errors", ["go build ./..."]),
        ("`python -c 'import a'` -- imports without error.", ["python -c 'import a'"]),
        ("Run `python -c 'import a'` -- should import without errors", ["python -c 'import a'"]),
        ("`python -c 'import a; print(len(a.T))'` prints 5", ["python -c 'import a; print(len(a.T))'"]),
        ("`python -c 'import a; print(len(a.T), a.T)'` -- should print 5 tools and the 5 names", []),
        ("`grep -c tool a.py` returns 5, one for each", ["grep -c tool a.py"]),
        ("`grep -i error log.txt` -- no errors", []),
        ("`npm test` shows 3 failures", []),
        ("`src/a.ts` exists", []),
        ("ls shows the file", []),
        ("The page loads", []),
        ("<automated>MISSING — task 2 writes it</automated>", []),
        ("<automated>\nbash -n a.sh && \\\ngrep -q b a.sh\n</automated>", ["bash -n a.sh && \\\ngrep -q b a.sh"]),
    ],
)
def test_commands_are_found_in_plain_verify_text(verify: str, commands: list[str]) -> None:
    (task,) = parse(f"<task>\n<name>x</name>\n<verify>{verify}</verify>\n</task>").tasks
    assert [criterion.command for criterion in task.criteria if criterion.form is Form.COMMAND] == commands


FOLDER = ".planning/phases/02-pot"


def test_plans_of_a_folder_are_found_in_order_and_nothing_else() -> None:
    plans = [
        f"{FOLDER}/{name}" for name in ("PLAN.md", "02-01-PLAN.md", "02-01a-PLAN.md", "02-02-PLAN.md", "02-10-PLAN.md")
    ]
    others = [
        "02-01-SUMMARY.md",
        "02-OUTLINE.md",
        "02-03-PLAN-OUTLINE.md",
        "02-01-PLAN.pre-bounce.md",
        "PLAN.autopilot.md",
    ]
    others += ["FIX-PLAN.md", "old/02-09-PLAN.md", "RESEARCH.md", "02-PLAN-CHECK.md"]
    paths = [*reversed(plans), *(f"{FOLDER}/{name}" for name in others), ".planning/phases/02-pots/PLAN.md"]
    assert find_plans(paths, FOLDER) == tuple(plans)


def test_nested_and_single_plans_are_found() -> None:
    assert find_plans(["p/2/plans/PLAN-02-b.md", "p/2/plans/PLAN-01-a.md", "p/2/plans/SUMMARY-01-a.md"], "p/2") == (
        "p/2/plans/PLAN-01-a.md",
        "p/2/plans/PLAN-02-b.md",
    )
    assert find_plans([f"{FOLDER}/02-PLAN.md"], FOLDER) == (f"{FOLDER}/02-PLAN.md",)


@pytest.mark.parametrize(
    ("paths", "folder"),
    [
        ([], ".planning/phases/02-pot"),
        ([".planning/phases/02-kettle/PLAN.md"], ".planning/phases/02-kettle"),
        ([".planning/phases/02-a/x.md", ".planning/phases/02-pot/x.md"], ".planning/phases/02-pot"),
        ([".planning/phases/CTRX-2-api/x.md"], ".planning/phases/CTRX-2-api"),
        ([".planning/phases/2/plans/PLAN-01.md"], ".planning/phases/2"),
        ([".planning/milestones/v1-phases/02-pot/x.md", ".planning/phases/02.1-x/y.md"], ".planning/phases/02-pot"),
    ],
)
def test_the_existing_folder_of_a_phase_is_used_before_a_new_one(paths: list[str], folder: str) -> None:
    assert find_folder(paths, Phase(TWO, "Pot", slug="pot")) == folder


def test_a_folder_of_a_phase_that_had_the_number_before_is_not_taken() -> None:
    paths, pot = [".planning/phases/02-pan/PLAN.md"], Phase(TWO, "Pot", slug="pot")
    assert find_folder(paths, pot) == ".planning/phases/02-pan"
    assert find_folder(paths, pot, {".planning/phases/02-pan"}) == ".planning/phases/02-pot"
    both = [*paths, ".planning/phases/02-the-pot/PLAN.md"]
    assert find_folder(both, pot, {".planning/phases/02-pan"}) == ".planning/phases/02-the-pot"


PIECES = [
    "<task>",
    '<task id="1-1" type="auto">',
    "</task>",
    "<name>",
    "</name>",
    "<verify>",
    "</verify>",
    "```",
    "## Task 1: a",
]
PIECES += [
    "**Files:**",
    "- `a.py`",
    "**Verify:**",
    "- x -- verified by: `a` (returns 1)",
    "---",
    "wave: 1",
    "| A | 1-1 |",
]
PIECES += ["## Traceability", "## Wave 3", "<automated>", "</automated>", "", "1. `pytest a` returns 3"]


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=20)).map("\n".join))
def test_any_text_is_read_without_a_traceback_and_ids_can_name_files(text: str) -> None:
    plan = parse(text)
    for task in plan.tasks:
        assert "/" not in task.id and ".." not in task.id and task.title
        assert len({criterion.id for criterion in task.criteria}) == len(task.criteria)
        assert 1 <= task.line <= text.count("\n") + 1
