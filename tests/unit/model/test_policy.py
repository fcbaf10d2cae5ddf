"""Whom a policy names for a role: the order of a chain, models, profiles, and whose limits an agent shares."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.model.agent import Role, Usage
from autopilot.model.policy import KIN, Assignment, Choice
from tests.unit.making import policy_of

# covers: INV-9

WORDS = st.text("abc-._/", min_size=1)
COUNTS = st.integers(0, 2**40)
MONEY = st.integers(0, 2**40).map(lambda cents: cents / 128)  # sums of these are exact
USAGES = st.builds(Usage, COUNTS, COUNTS, COUNTS, MONEY, st.booleans())


@pytest.mark.parametrize(
    ("word", "assignment"),
    [
        ("claude", Assignment("claude")),
        ("claude:opus", Assignment("claude", "opus")),
        ("opencode:openai/gpt-5.5", Assignment("opencode", "openai/gpt-5.5")),
        ("ollama:qwen3:32b", Assignment("ollama", "qwen3:32b")),  # a model may have a colon in its name
        (" claude : opus ", Assignment("claude", "opus")),
        ("claude:", Assignment("claude")),
    ],
)
def test_a_word_names_an_agent_and_perhaps_its_model(word: str, assignment: Assignment) -> None:
    assert Assignment.parse(word) == assignment


@given(WORDS, st.one_of(st.just(""), WORDS, st.just("a:b")))
def test_a_seat_is_read_back_as_it_is_written(agent: str, model: str) -> None:
    assert Assignment.parse(str(Assignment(agent, model))) == Assignment(agent, model)


@pytest.mark.parametrize(
    ("agents", "profiles", "role", "chain"),
    [
        ({}, {}, "judge", ""),
        ({"default": "claude"}, {}, "judge", "claude"),
        ({"default": "claude", "judge": "codex"}, {}, "judge", "codex"),
        ({"default": ("claude", "codex:small", "opencode")}, {}, "judge", "claude codex:small opencode"),
        ({"executor": "claude"}, {}, "judge", ""),
        ({"default": "claude"}, {"balanced": {"default": "claude:mid"}}, "judge", "claude:mid"),
        ({"default": "claude"}, {"balanced": {"judge": ("claude:big", "codex")}}, "judge", "claude:big codex"),
        ({"default": "claude"}, {"balanced": {"judge": "claude:big"}}, "rater", "claude"),
        ({"judge": "claude"}, {"balanced": {"judge": "codex"}}, "judge", "codex"),
        ({"default": "claude"}, {"speed": {"default": "codex"}}, "judge", "claude"),  # another profile's
    ],
)
def test_a_role_has_the_chain_its_profile_names_or_else_the_one_of_all(
    agents: Mapping[str, Choice], profiles: Mapping[str, Mapping[str, Choice]], role: str, chain: str
) -> None:
    assert " ".join(map(str, policy_of(agents=agents, profiles=profiles).chain(role))) == chain


# Settings that name agents one by one name at least these, and are written down on users' machines.
ALWAYS_NAMED = """
    researcher planner plan_checker executor mini_verifier debugger verifier judge rater splitter
"""


def test_settings_that_name_the_first_roles_one_by_one_name_an_agent_for_every_later_role() -> None:
    policy = policy_of(agents=dict.fromkeys(ALWAYS_NAMED.split(), "claude"))
    unnamed = [role.value for role in Role if not policy.chain(role.value)]
    assert unnamed == [], "a new role needs a row in KIN of model/policy.py: without it such settings refuse the run"
    assert KIN.keys() <= set(Role) and set(KIN.values()) <= set(ALWAYS_NAMED.split())


def test_every_agent_that_may_be_asked_is_named_once() -> None:
    agents: dict[str, Choice] = {"default": ("codex", "claude"), "judge": "claude:big"}
    policy = policy_of(
        agents=agents, profiles={"balanced": {"rater": ("opencode", "codex")}, "speed": {"judge": "gemini"}}
    )
    assert policy.agent_names == ("claude", "codex", "opencode")
    asked = {assignment.agent for role in Role for assignment in policy.chain(role.value)}
    assert asked == set(policy.agent_names)


def test_an_agent_shares_the_limits_of_its_provider_and_has_its_own_where_none_is_named() -> None:
    policy = policy_of(providers={"claude": "anthropic", "claude-api": "anthropic"})
    assert policy.provider("claude") == policy.provider("claude-api") == "anthropic"
    assert policy.provider("codex") == "codex"


@given(USAGES, USAGES)
def test_what_came_on_top_of_an_earlier_total_is_the_difference(before: Usage, more: Usage) -> None:
    since = (before + more).since(before)
    assert (since.tokens_in, since.tokens_out, since.tokens_cached) == (
        more.tokens_in,
        more.tokens_out,
        more.tokens_cached,
    )
    assert since.usd == pytest.approx(more.usd)


@given(USAGES, USAGES)
def test_a_count_that_began_anew_never_gives_back_what_was_used(total: Usage, before: Usage) -> None:
    since = total.since(before)
    assert min(since.tokens_in, since.tokens_out, since.tokens_cached, since.usd) >= 0
