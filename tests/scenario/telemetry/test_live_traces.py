"""Beside a run: a collector that is slow, gone or wrong is not waited for, and what it missed goes next time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from autopilot.api.telemetry.live import LiveTraces, traced
from autopilot.events.entry import Entry
from autopilot.events.happened import RunStopped
from autopilot.model.errors import Unavailable
from autopilot.model.run import RunStatus
from autopilot.model.secrecy.redaction import Redactor
from autopilot.model.telemetry.spans import Attribute, Span, Telemetry
from tests.scenario.kit.resting import at_rest, open_journal
from tests.scenario.kit.world import World
from tests.unit.asking import CHECKPOINT

# covers: OTEL-EXPORT


class Receiver:
    """Remembers what it was sent; ``broken``: refuses it."""

    def __init__(self, *, broken: bool = False) -> None:
        self.broken = broken
        self.names: list[str] = []

    def send(self, spans: Sequence[Span], resource: Mapping[str, Attribute]) -> None:
        if self.broken:
            raise Unavailable("the collector is gone", "start it")
        self.names += [span.name for span in spans]


def stop_again(world: World, number: int) -> None:
    journal = open_journal(world)
    journal.append([Entry("run-1", f"run-1/stop-{number}", RunStopped(RunStatus.PAUSED, "a cap", 4))])
    journal.close()


def test_what_happened_before_is_not_sent_and_what_happens_meanwhile_is(tmp_path: Path) -> None:
    world, receiver = at_rest(tmp_path, CHECKPOINT), Receiver()
    traces = LiveTraces(world.repository, receiver, Redactor({}))
    traces.start()
    stop_again(world, 1)
    assert traces.finish() == ""
    assert receiver.names == ["gate checkpoint", "run run-1"]


def test_a_collector_that_is_gone_is_a_warning_at_the_end(tmp_path: Path) -> None:
    world, receiver = at_rest(tmp_path, CHECKPOINT), Receiver(broken=True)
    traces = LiveTraces(world.repository, receiver, Redactor({}))
    traces.start()
    stop_again(world, 1)
    assert traces.finish() == "the collector is gone"


def test_nothing_listens_and_the_run_has_its_result_all_the_same(tmp_path: Path) -> None:
    world = at_rest(tmp_path, CHECKPOINT)
    settings = replace(world.settings, telemetry=Telemetry("http://127.0.0.1:1"))
    warnings: list[str] = []
    with traced(world.assemble(), settings, warnings.append):
        stop_again(world, 1)
    assert warnings == [
        "traces of this run are not complete: traces could not be sent to 127.0.0.1 (ConnectionRefusedError); "
        "`autopilot trace` sends them when it is back"
    ]
    with traced(world.assemble(), replace(settings, telemetry=Telemetry()), warnings.append):
        stop_again(world, 2)
    assert len(warnings) == 1
