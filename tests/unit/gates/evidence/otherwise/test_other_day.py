"""Work that holds on the day it was written alone. covers: T8.H, T8.lies"""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime, timedelta

import pytest

from autopilot.gates.evidence.otherwise.other_day import judge_other_day, names_time
from autopilot.model.evidence.objection import Weight
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.testtools.outside.clock import DAYS, spell_on_another_day

NOW = datetime(2031, 3, 9, 12, tzinfo=UTC)
NAMED = [
    "2031-03-09",
    "20310309",
    "09.03.2031",
    "3/9/2031",
    "date(2031, 3, 9)",
    "new Date(2031, 2, 9)",
    "March 9, 2031",
]


LATER = ["date.year == 2031", "2031-03-10", "Date.now() < Date.UTC(2032, 0, 31)", "time.time() > 1_970_000_000"]


@pytest.mark.parametrize("text", [*NAMED, *LATER])
def test_a_day_from_today_on_is_known_however_it_is_spelled(text: str) -> None:
    assert names_time([text], NOW)


@pytest.mark.parametrize(
    "text", ["date 2030-03-09", "date 20319", "now v2.2031.1", "now x2031", "price = 2031", "time > 1_400_000_000"]
)
def test_other_numbers_are_no_day_from_today_on(text: str) -> None:
    assert not names_time([text], NOW)


@pytest.mark.parametrize(
    ("seen", "line", "weights"),
    [
        (Seen.FAILED, 'return "2031-03-09"', [Weight.REFUSE]),
        (Seen.FAILED, "return time.time() > 1_970_000_000", [Weight.REFUSE]),
        (Seen.FAILED, "return now.year == 2031", [Weight.FLAG]),
        (Seen.PASSED, 'return "2031-03-09"', []),
        (Seen.TIMED_OUT, 'return "2031-03-09"', []),
        (Seen.NOTHING, 'return "2031-03-09"', []),
    ],
)
def test_what_holds_today_alone_is_refused_where_it_names_the_day(seen: Seen, line: str, weights: list[Weight]) -> None:
    found = judge_other_day("c1", Observation("input:c1", "true", "c0ffee", seen), {"a.py": [line]}, NOW)
    assert [objection.weight for objection in found] == weights


PYTHON = (
    'python3 -c "import datetime, time; print(datetime.date.today(), isinstance(datetime.date.today(), datetime.date))"'
)
NODE = 'node -p "new Date().toISOString().slice(0, 10)"'


@pytest.mark.parametrize(("command", "ending"), [(PYTHON, " True"), (NODE, ""), ("date -u +%F", "")])
def test_a_command_is_told_another_day(command: str, ending: str) -> None:
    ran = subprocess.run(["bash", "-c", spell_on_another_day(command)], capture_output=True, text=True, check=True)
    days = [datetime.now(UTC).date() + timedelta(days=DAYS + shift) for shift in (-1, 0, 1)]
    assert ran.stdout.strip() in [f"{day}{ending}" for day in days]
