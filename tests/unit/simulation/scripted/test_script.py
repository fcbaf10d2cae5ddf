"""Scripts of the scripted agent: the fixed format of overview.md, and which call of a script is taken."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from autopilot.model.agent import Ending, Role, Usage
from autopilot.model.errors import UsageError
from autopilot.simulation.scripted.agent_script import KINDS, Call, ScriptedUsage, choose, load_script, parse_script
from autopilot.simulation.scripted.program import ACTIONS

GUIDE = Path(__file__).parents[4] / "docs" / "scripted-agent.md"


def test_every_field_of_the_format_is_read() -> None:
    script = parse_script(
        """{"calls": [{"role": "executor", "phase": 3, "task": "03-01", "attempt": 2, "call": 3,
        "do": [{"git": ["add", "-A"]}, {"usage": {"tokens_out": 7}}],
        "raw": "done", "usage": {"tokens_in": 5, "usd": 0.5}, "ending": "max_turns"}], "default": "fail"}"""
    )
    [call] = script.calls
    assert (call.role, call.phase, call.task, call.attempt, call.call) == (Role.EXECUTOR, 3, "03-01", 2, 3)
    assert call.do[0].git == ("add", "-A")
    assert call.do[1].usage == ScriptedUsage(tokens_out=7)
    assert (call.raw, call.reply, call.ending, script.default) == ("done", UNSET, Ending.MAX_TURNS, "fail")
    assert call.usage.tokens == Usage(tokens_in=5).tokens


def test_an_empty_script_is_honest() -> None:
    assert parse_script("{}").default == "honest"


def test_the_program_can_do_every_action_that_a_script_may_ask_for() -> None:
    assert {*ACTIONS, "usage"} == set(KINDS)


def test_the_guide_names_every_role_every_action_and_every_ending() -> None:
    guide = GUIDE.read_text(encoding="utf-8")
    unnamed = [name for name in (*Role, *KINDS, *Ending) if not re.search(rf'[`"]{name}[`"]', guide)]
    assert unnamed == [], f"{GUIDE.name} lists them: roles in the row `role`, actions in theirs, endings in `ending`"


def test_the_guide_says_what_every_role_answers_honestly() -> None:
    answers = GUIDE.read_text(encoding="utf-8").partition("## Honest answers")[2]
    first_cells = " ".join(re.findall(r"^\|([^|]+)\|", answers, re.MULTILINE))
    unnamed = [role for role in Role if not re.search(rf"\b{role}\b", first_cells)]
    assert unnamed == [], f"{GUIDE.name} has a table of honest answers: a row for each role"


def in_call(fields: dict[str, Any]) -> str:
    return json.dumps({"calls": [{"role": "judge"}, {"role": "judge", **fields}]})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nonsense", "the agent script is not valid JSON: line 1, column 1"),
        ('{"calls": [}', "the agent script is not valid JSON: line 1, column 12"),
        (" \n", "the agent script is empty"),
        ('{"call": []}', "unknown field `call`"),
        ('{"default": "lie"}', 'default is "lie", not one of honest, fail'),
        ('{"calls": [{}]}', "calls[0] has no role"),
        (in_call({"role": "boss"}), 'calls[1].role is "boss", not one of researcher, '),
        (in_call({"phase": 6.1}), "calls[1].phase: expected a whole number or text, got a number"),
        (in_call({"repl": {}}), "calls[1]: unknown field `repl`"),
        (in_call({"reply": {}, "raw": ""}), "calls[1]: "),
        (in_call({"ending": "well"}), 'calls[1].ending is "well", not one of completed, '),
        (in_call({"usage": {"token_in": 1}}), "calls[1].usage: unknown field `token_in`"),
        (in_call({"usage": {"tokens_in": -1}}), "calls[1].usage: "),
        (in_call({"call": 0}), "calls[1]: `call` must be 1 or more"),
        (in_call({"call": "2"}), "calls[1].call: expected a whole number, got text"),
        (in_call({"do": [{"usage": {"tokens": 1}}]}), "calls[1].do[0].usage: unknown field `tokens`"),
        (in_call({"do": [{"usage": {"usd": -0.5}}]}), "calls[1].do[0].usage: "),
        (in_call({"do": [{"usage": {}, "sleep": 1}]}), "found: sleep, usage"),
        (in_call({"do": [{"hang": True}, {}]}), "found: none"),
        (in_call({"do": [{"run": "ls", "sleep": 1}]}), "found: run, sleep"),
        (in_call({"do": [{"write": "a"}]}), "`write` needs `text`, and `text` needs `write`"),
        (in_call({"do": [{"run": "a", "text": "b"}]}), "`write` needs `text`, and `text` needs `write`"),
        (in_call({"do": [{"sleep": -1}]}), "`sleep` must be a number of seconds"),
        (in_call({"do": [{"crash": 0}]}), "`crash` must be an exit code"),
        (in_call({"do": [{"flood": -5}]}), "`flood` must be a number of bytes"),
        (in_call({"do": [{"hang": False}]}), "calls[1].do[0].hang"),
        (in_call({"do": [{"git": "add"}]}), "calls[1].do[0].git: expected a list, got text"),
    ],
)
def test_a_malformed_script_is_refused_with_the_place_of_the_fault(text: str, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse_script(text)
    assert message in str(raised.value)
    assert "docs/scripted-agent.md" in raised.value.hint


def test_a_script_that_is_not_there_is_the_requests_fault(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file") as raised:
        load_script(tmp_path / "missing.json")
    assert "--script" in raised.value.hint


@pytest.mark.parametrize(
    ("written", "asked", "fits"),
    [("3", "3", True), (3, "3", True), ("03", "3", True), ("06.1", "6.1", True), ("0", "0", True), ("30", "3", False)],
)
def test_phases_are_compared_without_their_padding(written: str | int, asked: str, fits: bool) -> None:
    assert Call(Role.JUDGE, phase=written).fits(Role.JUDGE, asked, "", 1) is fits


@pytest.mark.parametrize(
    ("written", "nth", "fits"), [(UNSET, 1, True), (UNSET, 2, False), (1, 1, True), (2, 2, True), (2, 1, False)]
)
def test_an_entry_that_names_no_call_is_for_the_first_one_alone(written: Any, nth: int, fits: bool) -> None:
    assert Call(Role.JUDGE, call=written).fits(Role.JUDGE, "1", "", 1, nth) is fits


ROLES = st.sampled_from([Role.EXECUTOR, Role.JUDGE])
PHASES = st.sampled_from(["1", "2"])
TASKS = st.sampled_from(["", "01-01"])
ATTEMPTS = st.integers(1, 2)
CALLS = st.builds(
    Call,
    role=ROLES,
    phase=st.just(UNSET) | PHASES,
    task=st.just(UNSET) | TASKS,
    attempt=st.just(UNSET) | ATTEMPTS,
    call=st.just(UNSET) | ATTEMPTS,
)


@given(calls=st.lists(CALLS, max_size=12), role=ROLES, phase=PHASES, task=TASKS, attempt=ATTEMPTS, nth=ATTEMPTS)
def test_the_most_specific_call_that_fits_is_taken_and_the_first_among_equals(
    calls: list[Call], role: Role, phase: str, task: str, attempt: int, nth: int
) -> None:
    chosen = choose(calls, role, phase, task, attempt, nth)
    fitting = [call for call in calls if call.fits(role, phase, task, attempt, nth)]
    if chosen is None:
        assert fitting == []
        return
    best = max(call.specificity for call in fitting)
    assert chosen is next(call for call in fitting if call.specificity == best)
    asked = {"phase": phase, "task": task, "attempt": attempt}
    assert nth == (1 if chosen.call is UNSET else chosen.call)
    assert chosen.role is role
    assert all(getattr(chosen, name) in (UNSET, value) for name, value in asked.items())
