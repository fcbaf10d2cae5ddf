"""Prompts: every placeholder filled and nothing else, their texts changed only on purpose, short (PRMT-01, P-TOK)."""

from __future__ import annotations

import re
from pathlib import Path
from string import Template

import msgspec
import pytest

from autopilot.model.agent import Role
from autopilot.model.assessment import Divergence
from autopilot.model.audit import AuditReport, VersionAdvice
from autopilot.model.claim import DiagnosisClaim, DraftClaim, FixClaim, HypothesisClaim, SymptomsClaim
from autopilot.model.proposal import Digest, FollowUps
from autopilot.ports.reply import REPLIES, wire_schema
from autopilot.steps.asking.prompt import FOLDER as PROMPTS
from autopilot.steps.asking.prompt import bullets, render_prompt
from tests.unit.steps.sample import sample_world
from tests.unit.steps.snapshots import ASKING, FOLDER, come_to_question, prompt_of

# covers: PRMT-01
# Who is asked for more than one thing replies to each in its own way.
LATER = {"judge_divergence": Divergence, "discuss_more": FollowUps, "discuss_digest": Digest}
LATER |= {"audit_requirements": AuditReport, "audit_version": VersionAdvice}
LATER |= {"debugging/gather": SymptomsClaim, "debugging/hypothesize": HypothesisClaim, "debugging/fix": FixClaim}
LATER |= {"draft": DraftClaim}
LATER |= {"issue/reproduce": DiagnosisClaim, "issue/measure": DiagnosisClaim}
PARTS = PROMPTS / "parts"  # what several prompts have in common, filled into a place of theirs
FILES = [path for path in PROMPTS.rglob("*.md") if path.parent != PARTS]
NAMES = sorted(path.relative_to(PROMPTS).with_suffix("").as_posix() for path in FILES)
# What a phase of three tasks is sent when all goes well, each as often as it is sent.
HAPPY = (
    "research",
    "plan",
    "plan_check",
    *("execute", "mini_verify") * 3,
    "verify",
    "judge",
    "judge_divergence",
    "rate",
)


def template(name: str) -> Template:
    return Template((PROMPTS / f"{name}.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ASKING)
def test_a_prompt_reads_as_it_did(tmp_path: Path, name: str) -> None:
    """On purpose? ``python -m tests.unit.steps.snapshots``."""
    assert prompt_of(name, tmp_path) == (FOLDER / f"{name}.md").read_text(encoding="utf-8")


def test_every_prompt_is_sent_by_a_step_and_has_a_snapshot() -> None:
    kept = sorted(path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.rglob("*.md"))
    assert kept == NAMES == sorted(ASKING)


def test_no_two_prompts_are_sent_for_the_same_question(tmp_path: Path) -> None:
    """The control for the snapshots: each shows the prompt of its own name."""
    for name in ASKING:
        opening = template(name).template.split("$", 1)[0]
        assert prompt_of(name, tmp_path / name).startswith(opening), name


def test_every_role_is_asked_by_some_prompt(tmp_path: Path) -> None:
    asked = set()
    for name, question in ASKING.items():
        world = come_to_question(sample_world(tmp_path / name), question)
        call = world.ear.calls[question.nth]
        expected = LATER.get(name, REPLIES[call.role])
        assert call.schema == wire_schema(expected), name
        asked.add(call.role)
    assert asked == set(Role)


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


def test_the_fixed_text_of_a_phase_of_three_tasks_is_below_ten_thousand_tokens(tmp_path: Path) -> None:
    """P-TOK, at four characters a token, with the schemas of the replies; `bench/tokens.py` prints the figure."""
    prompts, schemas = 0, 0
    for name in HAPPY:
        world = come_to_question(sample_world(tmp_path), ASKING[name])
        prompts += len(re.sub(r"\$\w+", "", template(name).template))
        schemas += len(msgspec.json.encode(world.ear.calls[ASKING[name].nth].schema))
    assert (prompts + schemas) // 4 <= 10_000


def test_a_list_is_written_line_by_line_and_an_empty_one_says_so() -> None:
    assert bullets(["a", "b"]) == "- a\n- b"
    assert bullets([], "none configured") == "none configured"
