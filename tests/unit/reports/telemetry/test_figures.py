"""Figures in the text form of Prometheus, with few labels however many repositories there are."""

from __future__ import annotations

import re
from collections import Counter

from autopilot.events.fold import fold_all
from autopilot.events.state import RunState
from autopilot.model.agent import Usage
from autopilot.reports.run.over_time import StepCost
from autopilot.reports.telemetry.figures import MOST_REPOSITORIES, Recorded, render_figures
from tests.unit.events.golden.reading import FOLDER, read_golden

# covers: OTEL-METRICS

SAMPLE = re.compile(r'[a-z_]+\{([a-z]+="(?:[^"\\\n]|\\["\\n])*")(,[a-z]+="(?:[^"\\\n]|\\["\\n])*")*\} [0-9.e+-]+')


def golden() -> RunState:
    return fold_all(list(read_golden(FOLDER / "journal-1.jsonl")))


def samples(text: str) -> dict[str, float]:
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert [line for line in lines if not SAMPLE.fullmatch(line)] == []
    assert len({line.rpartition(" ")[0] for line in lines}) == len(lines), "no sample stands twice"
    return {name: float(figure) for name, _, figure in (line.rpartition(" ") for line in lines)}


def test_what_runs_took_and_came_to_is_counted_by_repository() -> None:
    state = golden()
    costs = [{"execute": StepCost(2, Usage(10, 5), 1500)}, {"execute": StepCost(1, Usage(), 500)}]
    found = samples(render_figures("1.2.3", [Recorded("shop", (state, state), costs, is_driven=True)]))
    assert found['autopilot_info{version="1.2.3"}'] == 1
    assert found['autopilot_run_in_progress{repository="shop"}'] == 1
    assert found[f'autopilot_runs{{repository="shop",status="{state.status.value}"}}'] == 2
    assert found['autopilot_tokens_total{repository="shop",direction="input"}'] == 2 * state.totals.usage.tokens_in
    assert found['autopilot_agent_calls_total{repository="shop",step="execute"}'] == 3
    assert found['autopilot_agent_seconds_total{repository="shop",step="execute"}'] == 2


def test_every_family_says_its_kind_before_its_samples() -> None:
    lines = render_figures("1", [Recorded("shop", (golden(),))]).splitlines()
    known = ""
    for line in lines:
        if line.startswith("# TYPE "):
            known = line.split()[2]
            assert line.split()[3] == ("counter" if known.endswith("_total") else "gauge")
        elif not line.startswith("#"):
            assert line.partition("{")[0] == known


def test_a_thousand_repositories_have_no_more_labels_than_a_few() -> None:
    state = golden()
    recorded = [Recorded(f"repository {number}", (state,)) for number in range(1_000)]
    found = samples(render_figures("1", recorded))
    by_family = Counter(name.partition("{")[0] for name in found)
    assert by_family["autopilot_cost_usd_total"] == MOST_REPOSITORIES + 1
    assert max(by_family.values()) <= (MOST_REPOSITORIES + 1) * 3
    ran = [figure for name, figure in found.items() if name.startswith("autopilot_runs{")]
    assert sum(ran) == 1_000, "what has no label of its own is counted with the others"


def test_two_of_one_name_are_added_and_no_name_breaks_a_line() -> None:
    hostile = 'a"} 1\nautopilot_runs{repository="b\\\x1b[2J\u202e' + "x" * 500
    found = samples(render_figures("1", [Recorded(hostile, (golden(),)), Recorded(hostile, (golden(),))]))
    runs = [(name, figure) for name, figure in found.items() if name.startswith("autopilot_runs")]
    assert [figure for _, figure in runs] == [2]
    assert "\x1b" not in runs[0][0]
    assert len(runs[0][0]) < 200
