"""Model profiles without a line in the settings: each role a class of model, each agent its own model of that class."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from autopilot.adapters.agents.known import Roster
from autopilot.adapters.agents.presets import PRESETS
from autopilot.events.issue.state import IssueState
from autopilot.events.state import RunState
from autopilot.model.agent import Role
from autopilot.model.agent_config import AgentConfig
from autopilot.model.issue.issue import IssueBrief
from autopilot.model.policy import Policy
from autopilot.model.profile import _DECIDE, _EXPLORE, _REVIEW, PROFILES, Tier, roles_by_tier
from autopilot.planning.config.config import narrow, parse_config
from autopilot.rails.assignment import Assignment, find_assignment
from autopilot.steps.asking.agent_check import find_agents
from tests.unit.making import policy_of
from tests.unit.steps.asking.test_agent_check import Office

# covers: INV-9, ISSUE-MODELS

ROSTER = Roster(Path("/state/agents"))
CLAUDE = {"claude": {Tier.STRONG: "opus", Tier.MEDIUM: "sonnet", Tier.LIGHT: "haiku"}}


def of(profile: str, agent: str = "claude", models: Mapping[str, Mapping[str, str]] = CLAUDE) -> Policy:
    return policy_of(agents={"default": agent}, models=models, model_profile=profile)


@pytest.mark.parametrize(
    ("profile", "models"),
    [
        # The sources: quality opus, balanced sonnet, speed haiku. GSD: balanced plans with opus, budget with less.
        ("quality", "opus opus opus opus opus opus"),
        ("balanced", "opus sonnet sonnet sonnet opus sonnet"),
        ("budget", "sonnet sonnet haiku haiku sonnet haiku"),
        ("speed", "haiku haiku haiku haiku sonnet haiku"),
        ("inherit", ""),
    ],
)
def test_a_profile_gives_every_role_a_model_of_the_agents_own(profile: str, models: str) -> None:
    roles = ("planner", "executor", "researcher", "verifier", "designer", "implementer")
    assert " ".join(of(profile).chain(role)[0].model for role in roles).strip() == models


def test_every_role_has_a_class_in_every_profile_but_the_one_that_leaves_it_to_the_agent() -> None:
    for profile in PROFILES:
        roles = [role for found in roles_by_tier(profile).values() for role in found]
        assert sorted(roles) == (sorted(Role) if profile != "inherit" else [])


def test_every_role_decides_explores_reviews_or_works() -> None:
    """A new role joins one of these, or the usual class is given to it unseen."""
    works = (Role.EXECUTOR, Role.DEBUGGER, Role.IMPLEMENTER)
    assert sorted((*_DECIDE, *_EXPLORE, *_REVIEW, *works)) == sorted(Role)


@pytest.mark.parametrize(
    ("agents", "profiles", "chain"),
    [
        ({"default": "claude"}, {}, "claude:opus"),
        ({"default": "claude:haiku"}, {}, "claude:haiku"),
        ({"default": ("claude", "codex", "other")}, {}, "claude:opus codex:@high other"),
        ({"default": "claude"}, {"quality": {"planner": "claude:sonnet"}}, "claude:sonnet"),
    ],
)
def test_a_model_that_the_settings_name_goes_before_the_profiles(
    agents: Mapping[str, str], profiles: Mapping[str, Mapping[str, str]], chain: str
) -> None:
    models = {**CLAUDE, "codex": PRESETS["codex"].models}
    policy = policy_of(agents=agents, profiles=profiles, models=models, model_profile="quality")
    assert " ".join(map(str, policy.chain("planner"))) == chain


@pytest.mark.parametrize(
    ("config", "models"),
    [
        (AgentConfig(), CLAUDE["claude"]),
        (AgentConfig(models={"light": "sonnet"}), {**CLAUDE["claude"], "light": "sonnet"}),
        (AgentConfig(model="sonnet"), None),
        (AgentConfig(base_url="https://models.example.org"), None),
        (AgentConfig(pass_env=("ANTHROPIC_BASE_URL",)), None),
        (AgentConfig(env={"ANTHROPIC_MODEL": "x"}), None),
        (AgentConfig(args=("--model", "x")), None),
        (AgentConfig(base_url="https://models.example.org", models={"strong": "big"}), {"strong": "big"}),
    ],
)
def test_every_cell_can_be_set_and_an_agent_with_a_model_of_the_users_has_none(
    config: AgentConfig, models: Mapping[str, str] | None
) -> None:
    assert Roster(Path("/state/agents"), {"claude": config}).models("claude") == models


def test_no_cell_names_a_single_model_which_would_go_out_of_use() -> None:
    for name, preset in PRESETS.items():
        assert not [model for model in preset.models.values() if any(letter.isdigit() for letter in model)], name
    assert ROSTER.models("scripted") is None and ROSTER.models("opencode") == {}


def test_an_agent_without_such_a_model_says_so_before_the_run_and_what_to_write() -> None:
    policy = of("balanced", "opencode", {"opencode": {"medium": "some/model"}})
    (warning,) = find_agents(policy, Office()).warnings
    assert warning.startswith("profile balanced asks opencode for a strong model, and none is known: it uses the model")
    assert 'models = { strong = "MODEL" } below [agent.opencode]' in warning
    for silent in (of("inherit", "opencode", {"opencode": {}}), of("balanced"), of("balanced", "scripted")):
        assert find_agents(silent, Office()).warnings == ()


@pytest.mark.parametrize("profile", ["balanced", "budget", "speed"])
def test_an_issue_that_does_not_converge_is_implemented_by_a_stronger_model(profile: str) -> None:
    def implementer(*, escalated: bool) -> str:
        brief = IssueBrief(1, "One", "one", "docs/issues/001-one")
        found = find_assignment(RunState(issue=IssueState(brief, escalated=escalated)), of(profile), Role.IMPLEMENTER)
        assert isinstance(found, Assignment)
        return found.model

    order = ["haiku", "sonnet", "opus"]
    assert order.index(implementer(escalated=True)) == order.index(implementer(escalated=False)) + 1


@pytest.mark.parametrize("profile", PROFILES)
def test_the_repository_may_choose_any_profile_those_of_gsd_too(profile: str) -> None:
    policy, complaints = narrow(Policy(), parse_config(f'{{"model_profile": "{profile}"}}', "config.json"))
    assert (policy.model_profile, complaints) == (profile, ())
