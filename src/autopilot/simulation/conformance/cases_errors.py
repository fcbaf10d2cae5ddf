"""Cases about errors of the model, cancellation and timeouts."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from autopilot.adapters.sandbox.proctree import Process
from autopilot.model.agent import Caps, Ending
from autopilot.simulation.conformance.cases_work import make_reply
from autopilot.simulation.conformance.environment import CAPS, CaseEnvironment
from autopilot.simulation.conformance.processes import find_descendants, find_survivors
from autopilot.simulation.conformance.result import Finding, describe_end, failed, not_supported, passed, require
from autopilot.simulation.model_server.script import Fault, Run, Turn, Wrong

SHORT_CAPS = Caps(wall_s=60.0, stall_s=60.0)
STALL_TIMEOUTS_S = (3.0, 12.0, 36.0)  # an agent may need this long before its first request
RETRY_AFTER_S = 4711.0
# Blocks forever, without `sleep`, which some agents refuse to run.
BLOCKING_COMMAND = "mkfifo hold && touch started && sh -c 'read line <hold' {mark}"


class ModelError(Struct, frozen=True):
    """An error of the model, and the endings that a call may have then."""

    fault: Fault
    endings: tuple[Ending, ...]
    caps: Caps = CAPS


LIMIT = ModelError(Fault(kind=Wrong.RATE_LIMIT), (Ending.RATE_LIMITED,))
# A run treats both alike: it waits and retries. An agent with only an exit code cannot tell them apart.
OVERLOAD = ModelError(Fault(kind=Wrong.OVERLOADED), (Ending.OVERLOADED, Ending.RATE_LIMITED))
WRONG_KEY = ModelError(Fault(kind=Wrong.AUTH), (Ending.AUTH,), SHORT_CAPS)


def reports_rate_limit(environment: CaseEnvironment) -> Finding:
    return _check_error(environment, LIMIT)


def reports_overload(environment: CaseEnvironment) -> Finding:
    return _check_error(environment, OVERLOAD)


def reports_wrong_key(environment: CaseEnvironment) -> Finding:
    return _check_error(environment, WRONG_KEY)


def reports_limit_end(environment: CaseEnvironment) -> Finding:
    with environment.start_session(
        Fault(kind=Wrong.RATE_LIMIT, retry_after_s=RETRY_AFTER_S), make_reply(environment)
    ) as session:
        reply = session.ask(caps=SHORT_CAPS)
    if reply.ending is not Ending.RATE_LIMITED:
        return failed(f"asked to wait for {RETRY_AFTER_S:g} s, {describe_end(reply)}")
    if reply.retry_after_s is None and reply.resets_at is None:
        return not_supported("it reports the rate limit, but not when it ends")
    when = f"for {reply.retry_after_s:g} s" if reply.retry_after_s is not None else f"until {reply.resets_at}"
    return passed(f"limited {when}")


def recovers_from_drop(environment: CaseEnvironment) -> Finding:
    with environment.start_session(
        Fault(kind=Wrong.DROP, first=1), Run(command="touch done.txt"), make_reply(environment)
    ) as session:
        session.complete()
        require(bool(session.played("drop")), "it never sent a request to the model")
        require(
            (session.clone / "done.txt").exists(),
            "it reported success, but did not run the command that the model requested",
        )
    return passed("it retried and continued")


def ends_when_stalled(environment: CaseEnvironment) -> Finding:
    for stall_s in STALL_TIMEOUTS_S:
        with environment.start_session(Fault(kind=Wrong.HANG)) as session:
            reply = session.ask(caps=Caps(wall_s=20 * stall_s, stall_s=stall_s))
            if not session.played("hang") and reply.ending is Ending.STALLED:
                continue  # it had not sent its first request yet
        allowed = (Ending.STALLED, Ending.OVERLOADED)
        require(reply.ending in allowed, f"the model stopped responding, and {describe_end(reply)}")
        cause = f"our cap of {stall_s:g} s" if reply.ending is Ending.STALLED else "the agent itself, after a retry"
        return passed(f"ended by {cause}")
    return failed(f"no request to the model within {STALL_TIMEOUTS_S[-1]:g} s")


def ends_when_cancelled(environment: CaseEnvironment) -> Finding:
    before = find_descendants()
    seen: set[Process] = set()
    clones: list[Path] = []

    def in_mid_tool() -> str:
        if not any((clone / "started").exists() for clone in clones):
            return ""
        seen.update(find_descendants() - before)
        return "the conformance test"

    turns: tuple[Turn, ...] = (Run(command=BLOCKING_COMMAND.format(mark=environment.mark)), make_reply(environment))
    with environment.start_session(*turns, should_stop=in_mid_tool) as session:
        clones.append(session.clone)
        reply = session.ask()
        survivors = find_survivors(seen, environment.mark)
    require(bool(seen), f"it did not run the command that the model requested; {describe_end(reply)}")
    require(not survivors, f"{len(survivors)} of its processes are still running: {'; '.join(survivors)[:120]}")
    require(reply.ending is Ending.CANCELLED, f"stopped during its work, {describe_end(reply)}")
    return passed(f"{len(seen)} processes ended, none left")


def _check_error(environment: CaseEnvironment, error: ModelError) -> Finding:
    with environment.start_session(error.fault, make_reply(environment)) as session:
        reply = session.ask(caps=error.caps)
        requests = session.played(error.fault.kind.value)
    require(bool(requests), f"it never sent a request to the model; {describe_end(reply)}")
    require(reply.ending in error.endings, describe_end(reply))
    count = "one request" if requests == 1 else f"{requests} requests"
    return passed(f"{reply.ending.value} after {count}, {reply.duration_ms / 1000:.1f} s")
