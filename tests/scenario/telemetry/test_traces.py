"""Traces go to the collector of the user's settings, whole, nested and priced."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.scenario.kit.resting import at_rest
from tests.scenario.kit.world import World
from tests.scenario.telemetry.receiving import Receiver, attributes_of, receiving
from tests.unit.asking import CHECKPOINT, MAP

# covers: OTEL-EXPORT, CMD-TRACE

KEY = "a-key-of-nobody-4711"


def switch_on(world: World, receiver: Receiver) -> None:
    world.set_settings(f'[telemetry]\notlp = "{receiver.address}"\n')


def price(world: World) -> None:
    """Every call of the script costs money."""
    script = json.loads(world.script.read_text())
    for number, call in enumerate(script["calls"], 1):
        call["usage"] = {**call.get("usage", {}), "usd": 0.01 * number}
    world.script.write_text(json.dumps(script))


def test_a_run_that_stops_and_goes_on_is_one_trace_whose_costs_are_those_of_its_status(world: World) -> None:
    price(world)
    with receiving() as receiver:
        switch_on(world, receiver)
        stopped = world.run("--budget-usd", "0.005")
        first = dict(receiver.latest)
        resumed = world.resume("--budget-usd", "100")
        spans, live = receiver.latest, len(receiver.requests)
        receiver.requests.clear()
        again = world.autopilot("trace")
        later = receiver.latest
    assert (stopped.status, resumed.status, again.status) == (4, 0, 0), resumed.err
    assert first.keys() <= spans.keys() == later.keys()
    assert live >= 2, "each of the two commands sent what it saw"
    assert len({span.trace_id for span in spans.values()}) == 1

    [root] = [span for span in spans.values() if not span.parent_span_id]
    assert all(span.parent_span_id in spans for span in spans.values() if span is not root)
    for span in spans.values():
        outer = spans.get(span.parent_span_id, span)
        assert outer.start_time_unix_nano <= span.start_time_unix_nano <= span.end_time_unix_nano
        assert span.end_time_unix_nano <= outer.end_time_unix_nano

    calls = [attributes_of(span) for span in spans.values() if span.name.startswith("invoke_agent")]
    figures = world.status["metrics"]
    assert calls
    assert sum(call["autopilot.usd"] for call in calls) == pytest.approx(figures["total_usd"])
    assert attributes_of(root)["autopilot.usd"] == pytest.approx(figures["total_usd"])
    used = sum(call["gen_ai.usage.input_tokens"] + call["gen_ai.usage.output_tokens"] for call in calls)
    assert used == figures["total_tokens_used"]
    steps = Counter(span.name for span in spans.values())
    assert {"phase 1", "plan_check", "execute", "verify", "judge", "rate", "gate", "land"} <= steps.keys()


def test_what_was_recorded_is_sent_afterwards_with_the_header_of_the_settings(tmp_path: Path) -> None:
    world = at_rest(tmp_path, CHECKPOINT, MAP, deferred=True)
    assert "your settings name no collector" in world.autopilot("trace").err
    with receiving() as receiver:
        world.set_settings(f'[telemetry]\notlp = "{receiver.address}/"\nheaders_env = {{ Authorization = "LANG" }}\n')
        assert world.autopilot("trace", "run-1").out == f"sent {len(receiver.spans)} spans of run-1\n"
        assert "there is no run named 'run-2'" in world.autopilot("trace", "run-2").err
    [(path, headers, _)] = receiver.requests
    assert (path, headers["content-type"], headers["authorization"]) == (
        "/v1/traces",
        "application/x-protobuf",
        "C.UTF-8",
    )


def test_a_collector_that_refuses_or_points_elsewhere_is_named_by_its_host_alone(tmp_path: Path) -> None:
    world = at_rest(tmp_path, CHECKPOINT)
    with receiving() as receiver:
        world.set_settings(f'[telemetry]\notlp = "{receiver.address}/{KEY}"\n')
        for status in (503, 307):
            receiver.status = status
            refused = world.autopilot("trace")
            assert (refused.status, KEY in refused.err) == (5, False)
            assert f"127.0.0.1 answered {status} to traces" in refused.err
    assert [path for path, _, _ in receiver.requests] == [f"/{KEY}/v1/traces"] * 2, "nothing went elsewhere"


def test_a_repository_switches_no_traces_on(tmp_path: Path) -> None:
    """Neither by its config nor by a variable that OpenTelemetry knows."""
    world = at_rest(tmp_path, CHECKPOINT)
    with receiving() as receiver:
        world.write(".planning/config.json", json.dumps({"telemetry": {"otlp": receiver.address}}))
        world.write("settings.toml", f'[telemetry]\notlp = "{receiver.address}"\n')
        assert "your settings name no collector" in world.autopilot("trace").err
    assert receiver.requests == []
