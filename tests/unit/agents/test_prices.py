"""Money an agent does not report is estimated: by the model's own price, the user's, or the dearest there is."""

from __future__ import annotations

import pytest

from autopilot.adapters.agents.listening import PartialReply
from autopilot.adapters.agents.prices import DEAREST, PRICES, estimate, find_price, with_price
from autopilot.model.agent import Usage
from autopilot.model.agent_config import Price


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("gpt-5", "gpt-5"),
        ("gpt-5-codex", "gpt-5"),
        ("gpt-5-mini-2026-08-07", "gpt-5-mini"),
        ("gpt-5.4-mini", "gpt-5.4-mini"),
        ("gpt-5.5", "gpt-5."),
        ("gpt-6.1-sol", "gpt-6.1-sol"),
        ("gpt-6-astra", "gpt-6"),
        ("openai/gpt-6-luna", "gpt-6-luna"),
        ("claude-sonnet-4-5", "claude-sonnet"),
        ("opus", "claude-opus"),
    ],
)
def test_a_model_is_found_by_the_longest_name_its_own_begins_with(model: str, name: str) -> None:
    assert find_price(model) is PRICES[name]


@pytest.mark.parametrize("model", ["", "m1", "our-own-model"])
def test_a_model_nobody_knows_is_as_dear_as_the_dearest(model: str) -> None:
    assert find_price(model) is DEAREST
    assert all(price.output <= DEAREST.output for price in PRICES.values())


def test_the_name_of_a_family_is_never_cheaper_than_its_members() -> None:
    for family in ("gpt-5.", "gpt-6"):
        members = [price for name, price in PRICES.items() if name.startswith(family)]
        assert PRICES[family].output == max(price.output for price in members)


def test_what_came_from_a_cache_is_counted_at_its_own_price_and_once() -> None:
    usage = Usage(tokens_in=1_000_000, tokens_out=100_000, tokens_cached=600_000)
    estimated = estimate(usage, Price(input=2, output=10, cached=0.5))
    assert estimated.usd == pytest.approx(0.4 * 2 + 0.6 * 0.5 + 0.1 * 10)
    assert estimated.usd_is_estimate
    assert estimate(usage, Price(input=2, output=10)).usd == pytest.approx(2 + 1)


def test_reported_money_stays_as_it_was_reported() -> None:
    said = PartialReply(usage=Usage(tokens_in=10, usd=0.5))
    assert with_price(said, "gpt-5", None).usage == said.usage


@pytest.mark.parametrize(
    ("model", "own", "counted"),
    [
        ("claude-sonnet", None, 100 + 90 + 10),  # a cached token costs a tenth
        ("o3", None, 100 + 225 + 10),  # a quarter
        ("nobody-knows-it", None, 100 + 90 + 10),
        ("claude-sonnet", Price(input=2, output=10), 100 + 900 + 10),  # as dear as any, unless said
    ],
)
def test_a_cached_token_counts_towards_caps_as_its_price_does(model: str, own: Price | None, counted: int) -> None:
    # covers: R-BUDGET
    said = PartialReply(usage=Usage(tokens_in=1_000, tokens_out=10, tokens_cached=900, usd=0.5))
    usage = with_price(said, model, own).usage
    assert (usage.tokens, usage.tokens_counted, usage.usd) == (1_010, counted, 0.5)
    assert (usage + usage).tokens_counted == 2 * counted and (usage + usage).since(usage).tokens_counted == counted


def test_nothing_used_costs_nothing_and_is_no_estimate() -> None:
    said = PartialReply()
    assert with_price(said, "gpt-5", None) is said


def test_the_users_own_price_goes_before_the_table() -> None:
    said = PartialReply(usage=Usage(tokens_in=1_000_000))
    assert with_price(said, "gpt-5", Price(input=7, output=0)).usage.usd == 7


def test_the_model_an_agent_names_goes_before_the_one_it_was_asked_for() -> None:
    said = PartialReply(usage=Usage(tokens_in=1_000_000), model="gpt-6.1-sol")
    assert with_price(said, "", None).usage.usd == 2
