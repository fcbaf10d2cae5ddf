"""A question at this terminal ends when it is answered at another one."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from autopilot.api.assembly import Assembly
from autopilot.api.people.inbox import read_state
from autopilot.reports.status.gates import wait_for_verdict

LOOK_EVERY_S = 0.5


class AnsweredElsewhere(Exception):
    """What is asked here was settled by another process."""


@contextmanager
def until(is_settled: Callable[[], bool]) -> Iterator[None]:
    """Ask only until it is settled elsewhere: then the question ends with ``AnsweredElsewhere``, whatever was typed."""

    def end(*_: object) -> None:
        if not over.is_set():  # else an answer was typed in the same instant
            raise AnsweredElsewhere

    def watch() -> None:
        while not over.wait(LOOK_EVERY_S):
            if is_settled():
                # A signal to this very thread: nothing else ends its wait for a line.
                signal.pthread_kill(asking, signal.SIGUSR1)
                return

    over, asking = threading.Event(), threading.get_ident()
    before = signal.signal(signal.SIGUSR1, end)
    watching = threading.Thread(target=watch, name="answers", daemon=True)
    watching.start()
    try:
        yield
    finally:
        over.set()
        watching.join()
        signal.signal(signal.SIGUSR1, before)


class SettledElsewhere:
    """Whether a gate, or a phase that waits for a verdict, is no longer open. Reads only what was recorded since."""

    def __init__(self, assembly: Assembly, run: str, name: str) -> None:
        self._assembly = assembly
        self._run = run
        self._name = name
        self._seen = assembly.ports.journal.head().seq

    def __call__(self) -> bool:
        seq = self._assembly.ports.journal.head().seq
        if seq == self._seen:
            return False
        self._seen = seq
        state = read_state(self._assembly, self._run)
        is_open = {gate.asked.gate for gate in state.open_gates} | {phase.id for phase in wait_for_verdict(state)}
        return self._name not in is_open
