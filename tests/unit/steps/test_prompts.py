"""Prompts: every placeholder filled and nothing else, their texts changed only on purpose, short (PRMT-01, P-TOK)."""

from __future__ import annotations

import re
from pathlib import Path
from string import Template

import msgspec
import pytest

from autopilot.model.agent import Role
from autopilot.model.run import Step
from autopilot.ports.reply import REPLIES, wire_schema
from autopilot.steps.prompt import FOLDER as PROMPTS
from autopilot.steps.prompt import bullets, render_prompt
from tests.unit.steps.snapshots import ASKING, FOLDER, prompt_of

# covers: PRMT-01
NAMES = sorted(path.stem for path in PROMPTS.glob("*.md"))
ROLES = {
    "research": Role.RESEARCHER,
    "plan": Role.PLANNER,
    "plan_check": Role.PLAN_CHECKER,
    "execute": Role.EXECUTOR,
    "debug": Role.DEBUGGER,
    "verify": Role.VERIFIER,
    "judge": Role.JUDGE,
    "rate": Role.RATER,
}


def template(name: str) -> Template:
    return Template((PROMPTS / f"{name}.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize("step", ASKING, ids=lambda step: step.value)
def test_a_prompt_reads_as_it_did(tmp_path: Path, step: Step) -> None:
    """On purpose? ``python -m tests.unit.steps.snapshots``."""
    assert prompt_of(step, tmp_path) == (FOLDER / f"{step.value}.md").read_text(encoding="utf-8")


def test_every_prompt_has_a_snapshot_and_a_role_and_nothing_else_has() -> None:
    kept = sorted(path.stem for path in FOLDER.glob("*.md"))
    assert kept == NAMES == sorted(ROLES) == sorted(step.value for step in ASKING)


@pytest.mark.parametrize("name", NAMES)
def test_a_placeholder_left_empty_is_an_error(name: str) -> None:
    places = template(name).get_identifiers()
    for missing in places:
        with pytest.raises(KeyError, match=missing):
            render_prompt(name, **{place: "x" for place in places if place != missing})


@pytest.mark.parametrize("name", NAMES)
def test_a_value_without_a_place_is_an_error(name: str) -> None:
    values = dict.fromkeys(template(name).get_identifiers(), "x")
    with pytest.raises(AssertionError, match="has no place for"):
        render_prompt(name, **values, mood="good")


@pytest.mark.parametrize("name", NAMES)
def test_no_placeholder_stays_behind_and_no_value_is_expanded(name: str) -> None:
    values = dict.fromkeys(template(name).get_identifiers(), "$phase ${name} $HOME")
    text = render_prompt(name, **values)
    assert text.count("$phase ${name} $HOME") >= len(values)
    assert re.sub(r"\$phase \$\{name\} \$HOME", "", text).count("$") == 0


@pytest.mark.parametrize("name", NAMES)
def test_a_prompt_has_at_most_seven_musts(name: str) -> None:
    musts = re.findall(r"^\d+\. ", template(name).template, re.MULTILINE)
    assert 1 <= len(musts) <= 7


@pytest.mark.parametrize("name", NAMES)
def test_a_prompt_asks_for_its_reply_last(name: str) -> None:
    last = template(name).template.rstrip().splitlines()[-1]
    assert last.endswith("Reply with the JSON asked for, nothing after it.")


def test_the_fixed_text_of_a_phase_of_three_tasks_is_below_ten_thousand_tokens() -> None:
    """P-TOK, at four characters a token, with the schemas of the replies; and none of it is spent on steering."""
    calls = ["research", "plan", "plan_check", *["execute"] * 3, "verify", "judge", "rate"]
    prompts = sum(len(re.sub(r"\$\w+", "", template(name).template)) for name in calls)
    schemas = sum(len(msgspec.json.encode(wire_schema(REPLIES[ROLES[name]]))) for name in calls)
    tokens, whole = prompts // 4, (prompts + schemas) // 4
    print(f"fixed prompt text of a phase of three tasks: {tokens} tokens, with reply schemas {whole}")
    assert whole <= 10_000


def test_a_list_is_written_line_by_line_and_an_empty_one_says_so() -> None:
    assert bullets(["a", "b"]) == "- a\n- b"
    assert bullets([], "none configured") == "none configured"
