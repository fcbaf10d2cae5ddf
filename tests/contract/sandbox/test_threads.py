"""Commands of several threads at once: none meets another, a stop reaches all, nothing is left (T5, T6, R-PROC)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path, PurePosixPath

import pytest

from autopilot.adapters.sandbox.bubblewrap import Bubblewrap
from autopilot.adapters.sandbox.layers import DependencyLayers
from autopilot.adapters.sandbox.proctree import Process
from autopilot.adapters.sandbox.registry import Registry
from autopilot.ports.layers import Layer, SetupRun
from autopilot.ports.sandbox import CommandSpec, Exited, Killed, Outcome, Running, run
from tests.contract.threads import CROWD, together
from tests.signals import AS_AT_A_TERMINAL

# covers: T6.end, R-PROC
pytestmark = pytest.mark.usefixtures("no_leaks")


class Counting(Bubblewrap):
    """Knows what it was asked to run."""

    started: list[str]

    def start(self, spec: CommandSpec) -> Running:
        self.started.append(spec.label)
        return super().start(spec)


@pytest.fixture
def counting(place) -> Counting:
    sandbox = Counting(place.state)
    sandbox.started = []
    return sandbox


@pytest.fixture
def layers(place, counting) -> DependencyLayers:
    return DependencyLayers(place.state / "layers", counting)


def ensure(layers: DependencyLayers, place, setup: str) -> Layer | Outcome:
    return layers.ensure(SetupRun(setup, PurePosixPath(place.project), 30, setup), PurePosixPath(place.backing))


def test_every_thread_gets_the_end_and_the_output_of_its_own_command(sandbox, place, alive) -> None:
    def work(number: int) -> None:
        for turn in range(3):
            words = f"{number}-{turn}"
            script = f"echo {words} | tee mine; sleep 0.0{turn}; cat mine; sleep 31.4159006 & exit {number}"
            outcome = run(sandbox, place.sh(script, label=words))
            assert (outcome.ended, outcome.output) == (Exited(number), f"{words}\n{words}\n".encode())

    together(work)
    assert alive("31.4159006") == []
    assert list((place.state / "processes").iterdir()) == []


def test_only_a_command_that_is_not_waited_for_at_once_has_a_thread_of_its_own(sandbox, place) -> None:
    def begin(attended: bool) -> tuple[Running, bool]:
        running = sandbox.start(place.sh("sleep 31.4159007", label="one", attended=attended))
        return running, "child one" in [thread.name for thread in threading.enumerate()]

    def wait_here(_: int) -> tuple[bool, object]:
        running, has_thread = begin(attended=True)
        threading.Timer(0.2, running.stop).start()
        return has_thread, running.wait().ended

    assert together(wait_here, crowd=1) == [(False, Killed("stopped"))]
    running, has_thread = begin(attended=False)
    running.stop()
    assert (has_thread, running.wait().ended) == (True, Killed("stopped"))


def test_looking_for_orphans_meanwhile_ends_nobody(sandbox, place) -> None:
    over = threading.Event()
    ended: list[str] = []

    def look() -> None:
        while not over.wait(0.002):
            ended.extend(sandbox.end_orphans())

    looking = threading.Thread(target=look)
    looking.start()
    try:
        outcomes = together(lambda _: [run(sandbox, place.sh("sleep 0.05; cat kept.txt")) for _ in range(3)])
    finally:
        over.set()
        looking.join()
    assert ended == []
    assert {(outcome.ended, outcome.output) for each in outcomes for outcome in each} == {(Exited(0), b"original\n")}


def test_a_record_goes_with_its_own_child_though_the_next_has_the_same_number(place) -> None:
    registry = Registry(place.state)
    first = registry.add(Process(99_999_999, 1), 1, "first")
    second = registry.add(Process(99_999_999, 2), 2, "second")
    registry.remove(first)
    assert list((place.state / "processes").iterdir()) == [second]
    assert registry.end_orphans() == ()
    assert second.exists()
    registry.remove(second)


def test_a_command_goes_on_when_the_thread_that_asked_is_gone_and_ends_with_its_watch(sandbox, place, alive) -> None:
    """The kernel ends what is tied to a thread when that thread ends: it must be the one that watches."""
    started: list[Running] = []

    def ask(_: int) -> None:
        started.append(sandbox.start(place.sh("sleep 0.4; echo still here; sleep 31.4159007 & exit 3")))

    together(ask)
    outcomes = [running.wait() for running in started]
    assert [(outcome.ended, outcome.output) for outcome in outcomes] == [(Exited(3), b"still here\n")] * CROWD
    assert alive("31.4159007") == []


def test_a_stop_of_one_leaves_the_others_alone(sandbox, place) -> None:
    naps = [60 if number % 2 else 2 for number in range(CROWD)]
    running = [sandbox.start(place.sh(f"echo up; sleep {nap}; exit {number}")) for number, nap in enumerate(naps)]
    assert [next(each.lines()) for each in running] == [b"up"] * CROWD
    together(lambda number: running[number].stop(0.1) if number % 2 else None)
    ends = together(lambda number: running[number].wait().ended)
    assert ends == [Killed("stopped") if number % 2 else Exited(number) for number in range(CROWD)]


def test_when_a_stop_is_wanted_the_commands_of_all_threads_end(place, alive) -> None:
    wanted: list[str] = []
    sandbox = Bubblewrap(place.state, should_stop=lambda: "".join(wanted))
    running = [sandbox.start(place.sh("echo up; sleep 271.828008")) for _ in range(CROWD)]
    assert [next(each.lines()) for each in running] == [b"up"] * CROWD
    wanted.append("cancel")
    assert together(lambda number: running[number].wait().ended) == [Killed("cancel")] * CROWD
    assert run(sandbox, place.sh("touch $HOME/late")).ended == Killed("cancel")
    assert alive("271.828008") == []


STOPPED = """
import signal, sys, threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath
from autopilot.adapters.clock import SteppedClock
from autopilot.adapters.interruption import Interruption
from autopilot.adapters.journal.memory import MemoryJournal
from autopilot.adapters.sandbox.bubblewrap import Bubblewrap
from autopilot.adapters.sandbox.unconfined import Unconfined
from autopilot.events.entry import Message
from autopilot.events.happened import CancelRequested
from autopilot.ports.sandbox import CommandSpec, Profile

kind, state, backing, wish, marker = sys.argv[1:]
journal = MemoryJournal(SteppedClock())
interruption = Interruption(journal)
interruption.install()
sandbox = {"confined": Bubblewrap, "unconfined": Unconfined}[kind](Path(state), should_stop=interruption.reason)
place = PurePosixPath(backing)
spec = CommandSpec(("sh", "-c", "echo up; sleep " + marker), Profile.AGENT, place, place, timeout_s=300, label="part")
up = threading.Barrier(9)

def work(_):
    running = sandbox.start(spec)
    next(running.lines())
    up.wait()
    ended = running.wait().ended
    return getattr(ended, "reason", repr(ended))

with ThreadPoolExecutor(8) as pool:
    ends = [pool.submit(work, number) for number in range(8)]
    up.wait()
    if wish == "cancel":
        journal.post(Message("cancel/1", "run-1", CancelRequested("somebody")))
    if wish == "SIGINT elsewhere":
        threading.Timer(0.3, lambda: signal.pthread_kill(threading.get_ident(), signal.SIGINT)).start()
    print("up", flush=True)
    print([end.result() for end in ends], interruption.reason(), flush=True)
"""


@pytest.mark.parametrize("kind", ["confined", "unconfined"])
@pytest.mark.parametrize("wish", ["SIGINT", "SIGTERM", "SIGINT elsewhere", "cancel"])
def test_a_signal_or_a_cancel_ends_the_children_of_all_threads(place, alive, kind, wish) -> None:
    """Elsewhere: the signal meets another thread, and nothing wakes the main one, the only one that runs handlers."""
    marker = f"271.828009{os.getpid()}"
    argv = [*AS_AT_A_TERMINAL, sys.executable, "-c", STOPPED, kind, str(place.state), str(place.backing), wish, marker]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "up\n"
        if wish in signal.Signals.__members__:
            process.send_signal(signal.Signals[wish])
        said = process.stdout.read()
    reason = wish.removesuffix(" elsewhere")
    assert said == f"{[reason] * CROWD} {reason}\n"
    assert alive(marker) == []
    assert list((place.state / "processes").iterdir()) == []


def test_a_layer_wanted_by_all_is_made_once(layers, counting, place) -> None:
    made = together(lambda _: ensure(layers, place, "sleep 0.3; mkdir deps; date +%N >deps/when"))
    assert len(counting.started) == 1
    assert len({layer.key for layer in made if isinstance(layer, Layer)}) == 1 and len(made) == CROWD
    assert [path.name for path in (place.state / "layers").iterdir()] == [made[0].key]


def test_layers_made_at_once_do_not_meet(layers, counting, place) -> None:
    setups = [f"sleep 0.2; mkdir deps; echo {number} >deps/mine" for number in range(3)]
    made = together(lambda number: ensure(layers, place, setups[number % 3]))
    for number, layer in enumerate(made):
        assert isinstance(layer, Layer)
        assert Path(layer.project / "deps/mine").read_text() == f"{number % 3}\n"
    assert len(counting.started) == 3
    assert sorted(path.name for path in (place.state / "layers").iterdir()) == sorted({layer.key for layer in made})


def test_a_layer_that_stands_is_had_at_once_while_another_is_made(layers, place) -> None:
    ready = ensure(layers, place, "mkdir deps")
    slow: list[Layer | Outcome] = []
    making = threading.Thread(target=lambda: slow.append(ensure(layers, place, "sleep 2; mkdir other")))
    making.start()
    while not list((place.state / "layers").glob("making-*")):
        time.sleep(0.01)
    assert ensure(layers, place, "mkdir deps") == ready
    assert slow == []
    making.join()
    assert isinstance(slow[0], Layer)


def test_a_failed_setup_is_told_to_all_who_wait_and_tried_again_by_the_next(layers, counting, place) -> None:
    outcomes = together(lambda _: ensure(layers, place, "sleep 0.3; exit 9"))
    assert [outcome.ended for outcome in outcomes if isinstance(outcome, Outcome)] == [Exited(9)] * CROWD
    assert len(counting.started) == 1
    assert isinstance(ensure(layers, place, "sleep 0.3; exit 9"), Outcome)
    assert len(counting.started) == 2
    assert list((place.state / "layers").iterdir()) == []


def test_what_is_passed_on_never_has_a_number_that_the_scripts_use_themselves() -> None:
    """With threads about any number may just have come free; here 3 is, and the scripts put their input there."""
    script = "from autopilot.adapters.sandbox.child import keep_in_memory; print(keep_in_memory(b'') >= 10)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
