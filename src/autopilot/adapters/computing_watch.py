"""Interrupts pure code that computes for too long, so that no text of strangers holds a run for good (ADR 28)."""

from __future__ import annotations

import signal
import sys
import threading
import time
from types import FrameType, TracebackType

from autopilot.model.errors import Overdue

LIMIT_S = 5.0  # of the thread's own computing; what it waits for does not count
LOOK_EVERY_S = 1.0  # of the process's computing
_COMPUTED_BY_THREAD = 6  # of Linux: CPUCLOCK_PERTHREAD_MASK and CPUCLOCK_SCHED
# What reads and judges the texts of strangers. Folding and rendering grow with the record, which is ours.
ROOMS = ("text", "testtools", "inspection", "planning", "gates", "rails", "repomap", "flows")
_PACKAGES = tuple(f"autopilot.{room}." for room in ROOMS)


class ComputingWatch:
    """A timer of the kernel counts what this process computes; its signal finds out who is at it.

    The same call into a pure room, met at every look for longer than the limit, gets ``Overdue`` raised inside of it.
    """

    def __init__(self, limit_s: float = LIMIT_S, look_every_s: float = LOOK_EVERY_S) -> None:
        self._limit_s = limit_s
        self._look_every_s = look_every_s
        self._calls: dict[int, tuple[FrameType, float]] = {}  # by thread: what it computes, and its clock then

    def __enter__(self) -> None:
        if threading.current_thread() is threading.main_thread():  # no other can handle a signal
            signal.signal(signal.SIGPROF, self._look)
            signal.siginterrupt(signal.SIGPROF, False)
            signal.setitimer(signal.ITIMER_PROF, self._look_every_s, self._look_every_s)

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        if threading.current_thread() is threading.main_thread():
            signal.setitimer(signal.ITIMER_PROF, 0)
            # One may be on its way still, and the kernel's own answer to it is to end the process.
            signal.signal(signal.SIGPROF, signal.SIG_IGN)
            self._calls.clear()

    def _look(self, _: int, interrupted: FrameType | None) -> None:
        own = threading.get_ident()
        before, self._calls = self._calls, {}
        tasks = {thread.ident: thread.native_id for thread in threading.enumerate()}
        for thread, innermost in sys._current_frames().items():
            call = _pure_call(interrupted if thread == own else innermost)
            clock_s = _computed_s(tasks.get(thread)) if call is not None else None
            if call is None or clock_s is None:
                continue
            known = before.get(thread)
            since_s = known[1] if known is not None and known[0] is call else clock_s
            if clock_s - since_s < self._limit_s:
                self._calls[thread] = (call, since_s)
            elif thread != own:
                _raise_in(thread, _name(call), self._limit_s)
            else:
                raise _overdue(_name(call), self._limit_s)


class Charges:
    """What another process computed for a call into a pure room, counted as the call's own computing."""

    def __init__(self, limit_s: float = LIMIT_S) -> None:
        self._limit_s = limit_s
        self._spent: dict[int, tuple[FrameType, float]] = {}  # by thread: the call, and what was computed for it

    def add(self, computed_s: float) -> None:
        """For the call that this thread is in. Raises ``Overdue`` when that is over the limit."""
        call = _pure_call(sys._getframe())
        if call is None:
            return
        thread = threading.get_ident()
        known = self._spent.get(thread)
        spent_s = computed_s + (known[1] if known is not None and known[0] is call else 0.0)
        self._spent[thread] = (call, spent_s)
        if spent_s >= self._limit_s:
            raise _overdue(_name(call), self._limit_s)


def _computed_s(task: int | None) -> float | None:
    """Of a thread, by its number in the kernel; None where it has ended.

    Never by ``pthread_getcpuclockid``: that reads the memory of the thread, and of one that has just ended it ends the
    process. The kernel's own name of such a clock is made of the number, and it refuses those that it does not know.
    """
    if task is None:
        return None
    try:
        return time.clock_gettime(~task << 3 | _COMPUTED_BY_THREAD)
    except OSError:
        return None


def _pure_call(frame: FrameType | None) -> FrameType | None:
    """The outermost frame in a pure room: the call that began there, whatever it has called since."""
    found = None
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith(_PACKAGES):
            found = frame
        frame = frame.f_back
    return found


def _name(call: FrameType) -> str:
    return f"{call.f_globals['__name__'].removeprefix('autopilot.')}.{call.f_code.co_qualname}"


def _overdue(name: str, limit_s: float) -> Overdue:
    return Overdue(
        f"{name} computed for over {limit_s:g} seconds and was interrupted",
        "look for a text made to be slow in what it reads: a plan, a report, a changed file",
    )


def _raise_in(thread: int, name: str, limit_s: float) -> None:
    """Raised when that thread next runs Python code. The interpreter takes a class only, so the message is inside."""
    import ctypes

    class Named(Overdue):
        def __init__(self) -> None:
            overdue = _overdue(name, limit_s)
            super().__init__(str(overdue), overdue.hint)

    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(Named))
