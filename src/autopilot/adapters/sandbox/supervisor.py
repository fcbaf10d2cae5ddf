"""Watches one child from its start to its end, and sees to it that nothing of its tree outlives the watch."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from autopilot.adapters.openings import DRAIN_EVERY_S, Openings
from autopilot.adapters.sandbox.bell import Bell
from autopilot.adapters.sandbox.cgroup import pids_in, remove_group
from autopilot.adapters.sandbox.child import Child, Launch
from autopilot.adapters.sandbox.output import HeadAndTail, Lines
from autopilot.adapters.sandbox.proctree import end_all, send
from autopilot.adapters.sandbox.registry import Registry
from autopilot.adapters.sandbox.report import take_report
from autopilot.adapters.sandbox.services.attending import are_ready, judge
from autopilot.adapters.sandbox.services.time_limit import TimeLimit
from autopilot.adapters.sandbox.usage import CHECK_EVERY_S
from autopilot.adapters.sandbox.watch import Watch
from autopilot.model.secrecy.cutting import cut_beginning
from autopilot.ports.sandbox import (
    CommandSpec,
    DaemonRun,
    Ended,
    Exited,
    Killed,
    NeverRan,
    Outcome,
    OverLimit,
    Profile,
    Stalled,
    TimedOut,
)

NAP_S = 0.25
CLOSE_NAP_S = 0.01  # while the scratch space fills up: it may be full and emptied again within an ordinary nap
LONG_NAP_S = 5.0
SETTLED_AFTER_S = 2.0  # from then on an agent is listened to, and woken for everything else
START_LIMIT_S = 30.0
GRACE_S = 0.5
LAST_PATIENCE_S = 10.0
LAST_WORDS = 600  # characters of what a command printed, where it did not end by itself
RECENT_S = 5.0  # within this, process numbers cannot have started over twice


def _is_left_alone() -> bool:
    """Whether no signal raises in this thread: what is raised in the middle of a watch could leave a child behind."""
    if threading.current_thread() is not threading.main_thread():
        return True
    return signal.getsignal(signal.SIGINT) is not signal.default_int_handler


class Supervised:
    """A ``Running``. One thread starts the child, reads it, ends it and reaps it: its own, or the one that waits."""

    def __init__(self, spec: CommandSpec, launch: Launch, registry: Registry, bell: Bell) -> None:
        self._spec = spec
        self._launch = launch
        self._registry = registry
        self._bell = bell
        self._report, self._services = launch.report, launch.services
        self._wake = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        self._wake_guard = threading.Lock()
        self._stop_grace_s: float | None = None
        self._asked_at = 0.0
        self._checked_after_s = 0.0
        self._record: Path | None = None
        self._openings: Openings | None = None
        self._kept = HeadAndTail(spec.keep_bytes)
        self._lines = Lines(self._ring)
        self._outcome = Outcome(NeverRan("the supervising thread ended early"))
        self._thread: threading.Thread | None = None
        if not (spec.attended and _is_left_alone()):
            self._thread = threading.Thread(target=self._supervise, name=f"child {spec.label}", daemon=True)
            self._thread.start()

    def lines(self) -> Iterator[bytes]:
        return self._lines.read()

    def stop(self, grace_s: float = GRACE_S) -> None:
        if self._stop_grace_s is None or grace_s < self._stop_grace_s:
            self._stop_grace_s = grace_s
        self._ring()

    def wait(self) -> Outcome:
        self._lines.discard(unless_read=True)
        if self._thread is None:
            self._supervise()
            return self._outcome
        try:
            self._thread.join()
        except BaseException:
            # A signal reached the waiting thread: the tree ends first, then the news travels on.
            self.stop(grace_s=0)
            self._thread.join()
            raise
        return self._outcome

    def _ring(self) -> None:
        with self._wake_guard:
            if self._wake >= 0:
                os.eventfd_write(self._wake, 1)

    def _supervise(self) -> None:
        problem = ""
        try:
            try:
                ended, took_s = self._live()
            finally:
                if self._launch.group is not None:
                    remove_group(self._launch.group)
                problem = self._launch.cleanup()
            if problem:
                ended = NeverRan(problem)
            kept = self._kept
            took_ms, report = round(took_s * 1000), take_report(self._report)
            self._report = -1
            services: tuple[DaemonRun, ...] = ()
            if self._services >= 0:
                written, self._services = take_report(self._services), -1
                ended, services = judge(self._spec, ended, written)
            hosts = self._launch.refused_hosts(), self._launch.unreached_hosts()
            seen = (self._openings.opened, self._openings.changed) if self._openings else (None, ())
            kept_output = bytes(kept.head), kept.tail, kept.dropped
            self._outcome = Outcome(ended, *kept_output, took_ms, report, *hosts, *seen, services)
        finally:
            take_report(self._report)
            take_report(self._services)
            if self._openings:
                self._openings.close()
            self._lines.close()
            self._bell.leave(self._ring)
            with self._wake_guard:
                os.close(self._wake)
                self._wake = -1

    def _live(self) -> tuple[Ended, float]:
        """From start to burial; how the command ended and how long it ran."""
        try:
            child = Child(self._launch)
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            return NeverRan(f"could not be started: {error}"), 0.0
        began = time.monotonic()
        try:
            watch = Watch(child, self._wake, self._kept, self._lines)
            cause = self._prepare(child, watch)
            began = time.monotonic()
            cause = cause or self._follow(child, watch, began)
            took_s = time.monotonic() - began
            child.look_at_scratch()
            self._finish(child, watch, took_s)
            if self._openings:
                self._openings.take()
            return self._judge(child, cause), took_s
        except OSError as error:
            return NeverRan(f"could not be supervised: {error}"), time.monotonic() - began
        finally:
            self._bury(child)

    def _prepare(self, child: Child, watch: Watch) -> Ended | None:
        """Write the child down and wait until its surroundings stand; None when it may go."""
        identity = child.identity
        if identity is not None:
            self._record = self._registry.add(
                identity, child.mark, self._spec.label, str(self._launch.group or ""), self._spec.shown
            )
        deadline = time.monotonic() + START_LIMIT_S
        while not child.ready:
            watch.turn(NAP_S)
            if watch.has_exited() and not child.ready:
                return NeverRan("the sandbox could not be set up")
            if time.monotonic() > deadline:
                return NeverRan(f"the sandbox was not set up within {START_LIMIT_S:.0f} s")
            if reason := self._stop_reason():
                return Killed(reason)
        if self._launch.scratch:
            child.watch_scratch(self._launch.scratch)
        child.limit(self._launch.limits)
        if self._launch.watched:
            self._openings = child.watch_files(self._launch.watched)
        return None

    def _follow(self, child: Child, watch: Watch, began: float) -> Ended | None:
        """Let it go and watch until the command has ended (None) or there is a cause to end it."""
        child.release()
        spec = self._spec
        watch.active_at = began
        limit = TimeLimit(spec, began, lambda: are_ready(self._services))
        while not watch.has_exited() and child.code is None:
            now = time.monotonic()
            naps = [self._longest_nap_s(now - began), limit.deadline - now]
            if spec.stall_s is not None:
                naps.append(watch.active_at + spec.stall_s - now)
            if child.scratch_is_filling:
                naps.append(CLOSE_NAP_S)
            if self._openings:
                naps.append(DRAIN_EVERY_S)
                self._openings.take()
            watch.turn(max(0.0, min(naps)))
            child.look_at_scratch()
            if watch.has_exited() or child.code is not None:
                break
            now = time.monotonic()
            if reason := self._stop_reason():
                cause: Ended = Killed(reason)
            elif limit.is_over(now):
                cause = TimedOut(spec.timeout_s)
            elif spec.stall_s is not None and now >= watch.active_at + spec.stall_s:
                cause = Stalled(spec.stall_s)
            elif excess := self._find_excess(child, now - began):
                cause = OverLimit(excess)
            else:
                continue
            self._ask_to_end(child, watch)
            return cause
        return None

    def _find_excess(self, child: Child, lasted_s: float) -> str:
        """What is over soon is not looked at; of what lasts, every second or, of an agent, whenever we are awake."""
        allowance = self._launch.allowance
        if allowance is None or lasted_s < self._checked_after_s + CHECK_EVERY_S:
            return ""
        self._checked_after_s = lasted_s
        return allowance.find_excess(lambda: self._list_pids(child))

    def _list_pids(self, child: Child) -> list[int]:
        group = self._launch.group
        pids = pids_in(group) if group is not None else []
        return pids or [process.pid for process in child.members(fresh=False)]

    def _longest_nap_s(self, lasted_s: float) -> float:
        """Agents are many and run for long: hundreds of them that look up four times a second would cost a core.

        A command of ours is looked at more often: were its scratch space full in between, it would prove nothing.
        """
        if self._spec.profile is not Profile.AGENT or lasted_s < SETTLED_AFTER_S:
            return NAP_S
        self._bell.listen(self._ring)
        return LONG_NAP_S

    def _stop_reason(self) -> str:
        if self._stop_grace_s is not None:
            return "stopped"
        now = time.monotonic()
        if now - self._asked_at < NAP_S / 2:  # asking may cost something, and a flood of output wakes us often
            return ""
        self._asked_at = now
        return self._bell.ask()

    def _ask_to_end(self, child: Child, watch: Watch) -> None:
        asked = time.monotonic()
        for process in child.members():
            send(process, signal.SIGTERM)
        while not watch.has_exited() and child.code is None:
            grace_s = GRACE_S if self._stop_grace_s is None else self._stop_grace_s
            left = asked + grace_s - time.monotonic()
            if left <= 0:
                return
            watch.turn(min(left, NAP_S))

    def _finish(self, child: Child, watch: Watch, took_s: float) -> None:
        """End whatever is left of the tree, then the wrapper, and read what still stands in the pipes."""
        watch.let_end()
        deadline = time.monotonic() + LAST_PATIENCE_S
        # An exit code was reported: bubblewrap is on its way out. Otherwise there is nothing to wait for.
        watch.turn(0.0 if child.code is None else 0.05)
        while not watch.has_exited() and time.monotonic() < deadline:
            if not end_all(child.members):
                break  # something sits in the kernel and cannot be killed
            child.kill()
            watch.turn(0.05)
        child.kill()
        child.reap()
        end_all(lambda: child.stragglers(long_ago=took_s > RECENT_S))
        watch.drain()

    def _judge(self, child: Child, cause: Ended | None) -> Ended:
        output = (bytes(self._kept.head) + self._kept.tail).decode(errors="replace").strip()
        output = cut_beginning(output, LAST_WORDS)
        if isinstance(cause, NeverRan):
            return NeverRan(f"{cause.reason}: {output}" if output else cause.reason)
        if cause is not None:
            return cause
        if child.code is None:
            return NeverRan(f"no exit code was reported: {output}" if output else "no exit code was reported")
        # The file system alone decides: a test that prints "No space left on device" would choose its own verdict.
        if child.scratch_was_full:
            size = f"{self._launch.scratch_mb:,} MB"
            more = f"sandbox_scratch_mb = {self._launch.scratch_mb * 2} in your settings.toml gives it more"
            return NeverRan(f"the sandbox's {size} of scratch space was full: let the command write less, or {more}")
        return Exited(child.code)

    def _bury(self, child: Child) -> None:
        """Whatever went wrong before, nothing is left; after an orderly end this finds nothing to do."""
        if not child.reaped:
            end_all(child.members)
            child.kill()
            child.reap()
        if self._record is not None:
            self._registry.remove(self._record)
        child.close()
