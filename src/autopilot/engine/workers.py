"""Parallel steps: each is performed by a thread of its own, and one thread records for all of them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from queue import Empty, SimpleQueue

from autopilot.engine.ledger import Ledger, Recorded
from autopilot.engine.performing import STEPS, Performing, Steps, begin_step
from autopilot.events.happened import Event
from autopilot.flows.command import RunStep
from autopilot.model.planning.roadmap import PhaseId
from autopilot.ports.bundle import Ports

POLL_S = 1.0  # how often the inbox is checked while all workers are busy


class Worker:
    """One step in progress. It hands over each batch and continues when that is recorded."""

    def __init__(self, performing: Performing, ready: SimpleQueue[Worker]) -> None:
        self.performing = performing
        self.batch: tuple[Event, ...] | None = ()
        self.broken: BaseException | None = None
        self._ready = ready
        self._recorded = threading.Semaphore(0)
        # A child dies with the thread that started it, so this one lives exactly as long as its step.
        self._thread = threading.Thread(target=self._work, name=performing.label, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def go_on(self) -> None:
        self._recorded.release()

    def join(self) -> None:
        self._thread.join()

    def _work(self) -> None:
        try:
            for batch in self.performing.batches():
                self.batch = batch
                self._ready.put(self)
                self._recorded.acquire()
            self.batch = None
        except BaseException as error:  # noqa: BLE001 - carried over to the recording thread, which raises it
            self.broken = error
        self._ready.put(self)


class Workers:
    def __init__(self, ledger: Ledger, ports: Ports, steps: Steps = STEPS) -> None:
        self._ledger = ledger
        self._ports = ports
        self._steps = steps
        self._ready: SimpleQueue[Worker] = SimpleQueue()
        self._workers: dict[PhaseId, Worker] = {}

    @property
    def phases(self) -> frozenset[PhaseId]:
        return frozenset(self._workers)

    def begin(self, command: RunStep) -> Iterator[Recorded]:
        """Record the step's start, then start its worker."""
        started, performing = begin_step(command, self._ledger, self._ports, self._steps)
        yield started
        worker = Worker(performing, self._ready)
        self._workers[command.phase] = worker
        worker.start()

    def listen(self, is_interrupted: Callable[[], bool] = lambda: False) -> Iterator[Recorded]:
        """Record the next batch any worker hands over. The error of a step is raised once the others have ended."""
        while (worker := self._next_ready()) is None:
            if is_interrupted():
                return
        yield from self._take(worker)

    def _next_ready(self) -> Worker | None:
        try:
            return self._ready.get(timeout=POLL_S)
        except Empty:
            return None

    def _take(self, worker: Worker) -> Iterator[Recorded]:
        if worker.broken is not None:
            yield from self._wind_up(worker)
            raise worker.broken
        if worker.batch is None:
            worker.join()
            del self._workers[worker.performing.phase]
            return
        yield worker.performing.record(self._ledger, worker.batch)
        worker.go_on()

    def _wind_up(self, broken: Worker) -> Iterator[Recorded]:
        """What the others bring back meanwhile is recorded as always: it was paid for."""
        del self._workers[broken.performing.phase]
        while self._workers:
            worker = self._ready.get()
            if worker.broken is not None:
                del self._workers[worker.performing.phase]
                continue
            yield from self._take(worker)
