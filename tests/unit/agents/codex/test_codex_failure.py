"""Why a turn of Codex failed: by kind, by status, by how its own sentences begin, and by nothing else."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from autopilot.adapters.agents.codex.failure import Failure, tell_ending, tell_reset
from autopilot.model.agent import Ending

NOW = datetime(2026, 11, 16, 23, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("info", "ending"),
    [
        ("usage_limit_exceeded", Ending.RATE_LIMITED),
        ("context_window_exceeded", Ending.CONTEXT_EXHAUSTED),
        ("server_overloaded", Ending.OVERLOADED),
        ("unauthorized", Ending.AUTH),
        ("cyber_policy", Ending.REFUSED),
        ({"http_connection_failed": {"http_status_code": 403}}, Ending.AUTH),
        ({"http_connection_failed": {"http_status_code": 503}}, Ending.OVERLOADED),
        ({"response_too_many_failed_attempts": {"http_status_code": 429}}, Ending.RATE_LIMITED),
        ({"http_connection_failed": {"http_status_code": 404}}, Ending.CRASHED),
        ({"http_connection_failed": {"http_status_code": None}}, Ending.CRASHED),
        ("other", Ending.CRASHED),
        (None, Ending.CRASHED),
        (7, Ending.CRASHED),
    ],
)
def test_the_kind_that_codex_gives_a_failure_decides(info: Any, ending: Ending) -> None:
    assert tell_ending(Failure(message="gone", known="gone", info=info)) is ending


def test_a_kind_counts_only_for_the_failure_that_was_reported() -> None:
    assert tell_ending(Failure(message="gone", known="other", info="usage_limit_exceeded")) is Ending.CRASHED


@pytest.mark.parametrize(
    ("message", "ending"),
    [
        ("exceeded retry limit, last status: 429 Too Many Requests", Ending.RATE_LIMITED),
        ("unexpected status 529 <unknown status code>: Overloaded", Ending.OVERLOADED),
        ("unexpected status 502 Bad Gateway: see 401", Ending.OVERLOADED),
        ("unexpected status 401 Unauthorized: Incorrect API key provided.", Ending.AUTH),
        ("unexpected status 404 Not Found: last status: 429", Ending.CRASHED),
        ("You’ve hit your usage limit. Try again at 5:55 AM.", Ending.RATE_LIMITED),
        ("Quota exceeded. Check your plan and billing details.", Ending.RATE_LIMITED),
        ("Connection failed: error sending request", Ending.OVERLOADED),
        ("Missing environment variable: `SOME_KEY`.", Ending.AUTH),
        ("Your access token could not be refreshed because your refresh token was revoked.", Ending.AUTH),
        ('{"error":{"message":"m","type":"t","code":"context_length_exceeded"}}', Ending.CONTEXT_EXHAUSTED),
        ('{"error":{"message":"unexpected status 429","type":"t","code":null}}', Ending.CRASHED),
        ("{ not JSON", Ending.CRASHED),
        ("the answer was: exceeded retry limit, last status: 429 Too Many Requests", Ending.CRASHED),
        ("stream disconnected before completion: the model said 529", Ending.CRASHED),
        ("", Ending.CRASHED),
    ],
)
def test_without_a_kind_only_how_the_message_begins_decides(message: str, ending: Ending) -> None:
    assert tell_ending(Failure(message=message)) is ending


@pytest.mark.parametrize(
    ("message", "reset"),
    [
        ("or try again at 11:55 PM.", datetime(2026, 11, 16, 23, 55, tzinfo=UTC)),
        ("or try again at 5:05 AM.", datetime(2026, 11, 17, 5, 5, tzinfo=UTC)),
        ("or try again at Dec 1st, 2026 12:00 AM.", datetime(2026, 12, 1, tzinfo=UTC)),
        ("or try again at Feb 30th, 2026 1:00 AM.", None),
        ("or try again later.", None),
    ],
)
def test_the_time_in_the_message_is_today_or_tomorrow_unless_it_has_a_date(
    message: str, reset: datetime | None
) -> None:
    assert tell_reset(Failure(message=message, time=NOW)) == reset


def test_a_bare_time_means_nothing_without_the_day_it_was_said() -> None:
    assert tell_reset(Failure(message="try again at 5:05 AM.")) is None


@pytest.mark.parametrize(
    ("primary", "secondary", "reset"),
    [
        ((100.0, 1_794_800_000), (40.0, 1_795_000_000), 1_794_800_000),
        ((100.0, 1_794_800_000), (100, 1_795_000_000), 1_795_000_000),
        ((99.0, 1_794_800_000), (40.0, 1_795_000_000), None),
        ((100.0, None), (40.0, 1_795_000_000), None),
        ((100.0, 1 << 60), (40.0, 1_795_000_000), None),
    ],
)
def test_a_plan_is_free_again_when_every_window_is_that_was_used_up(
    primary: tuple[float, int | None], secondary: tuple[float, int | None], reset: int | None
) -> None:
    windows = {"primary": primary, "secondary": secondary}
    limits = {name: {"used_percent": used, "resets_at": end} for name, (used, end) in windows.items()}
    expected = None if reset is None else datetime.fromtimestamp(reset, UTC)
    assert tell_reset(Failure(message="limited", limits=limits, time=NOW)) == expected
