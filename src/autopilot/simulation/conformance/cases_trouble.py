"""Cases about trouble: with the model, with a person who stops it, and with silence."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from autopilot.adapters.sandbox.proctree import Process
from autopilot.model.agent import Caps, Ending
from autopilot.simulation.conformance.cases_work import answer
from autopilot.simulation.conformance.finding import Finding, demand, failed, not_supported, passed, tell_end
from autopilot.simulation.conformance.processes import offspring, survivors
from autopilot.simulation.conformance.stage import CAPS, Stage
from autopilot.simulation.model_server.script import Fault, Run, Turn, Wrong

QUICKLY = Caps(wall_s=60.0, stall_s=60.0)
PATIENCE_S = (3.0, 12.0, 36.0)  # an agent may be silent for so long before it asks its model at all
TOLD_S = 4711.0
# Waits without end, and without the word that some agents refuse to wait by.
HOLD = "mkfifo hold && touch started && sh -c 'read line <hold' {mark}"


class Trouble(Struct, frozen=True):
    """What goes wrong, and as what a call that meets it may end."""

    fault: Fault
    endings: tuple[Ending, ...]
    caps: Caps = CAPS


LIMIT = Trouble(Fault(kind=Wrong.RATE_LIMIT), (Ending.RATE_LIMITED,))
# To a run both are one: it waits, and tries again. A program with an exit code for an answer cannot tell them apart.
OVERLOAD = Trouble(Fault(kind=Wrong.OVERLOADED), (Ending.OVERLOADED, Ending.RATE_LIMITED))
WRONG_KEY = Trouble(Fault(kind=Wrong.AUTH), (Ending.AUTH,), QUICKLY)


def tells_a_limit(stage: Stage) -> Finding:
    return _meet(stage, LIMIT)


def tells_an_overload(stage: Stage) -> Finding:
    return _meet(stage, OVERLOAD)


def tells_a_wrong_key(stage: Stage) -> Finding:
    return _meet(stage, WRONG_KEY)


def tells_when_a_limit_ends(stage: Stage) -> Finding:
    with stage.sit(Fault(kind=Wrong.RATE_LIMIT, retry_after_s=TOLD_S), answer(stage)) as sitting:
        reply = sitting.ask(caps=QUICKLY)
    if reply.ending is not Ending.RATE_LIMITED:
        return failed(f"told to wait for {TOLD_S:g} s, {tell_end(reply)}")
    if reply.retry_after_s is None and reply.resets_at is None:
        return not_supported("it says that it is limited, not until when")
    when = f"for {reply.retry_after_s:g} s" if reply.retry_after_s is not None else f"until {reply.resets_at}"
    return passed(f"limited {when}")


def recovers_from_a_drop(stage: Stage) -> Finding:
    with stage.sit(Fault(kind=Wrong.DROP, first=1), Run(command="touch done.txt"), answer(stage)) as sitting:
        sitting.complete()
        demand(bool(sitting.played("drop")), "its model was never asked")
        demand((sitting.clone / "done.txt").exists(), "it ended as if all were well, and left its model's order undone")
    return passed("asked again, and went on")


def ends_when_stalled(stage: Stage) -> Finding:
    for stall_s in PATIENCE_S:
        with stage.sit(Fault(kind=Wrong.HANG)) as sitting:
            reply = sitting.ask(caps=Caps(wall_s=20 * stall_s, stall_s=stall_s))
            if not sitting.played("hang") and reply.ending is Ending.STALLED:
                continue  # it had not come to asking its model
        fitting = (Ending.STALLED, Ending.OVERLOADED)
        demand(reply.ending in fitting, f"its model fell silent, and {tell_end(reply)}")
        whose = f"our cap of {stall_s:g} s" if reply.ending is Ending.STALLED else "itself, which tried again first"
        return passed(f"ended by {whose}")
    return failed(f"{PATIENCE_S[-1]:g} s of silence before it asked its model anything")


def ends_when_told(stage: Stage) -> Finding:
    before = offspring()
    seen: set[Process] = set()
    places: list[Path] = []

    def in_mid_tool() -> str:
        if not any((clone / "started").exists() for clone in places):
            return ""
        seen.update(offspring() - before)
        return "the test of it"

    turns: tuple[Turn, ...] = (Run(command=HOLD.format(mark=stage.mark)), answer(stage))
    with stage.sit(*turns, should_stop=in_mid_tool) as sitting:
        places.append(sitting.clone)
        reply = sitting.ask()
        left = survivors(seen, stage.mark)
    demand(bool(seen), f"it was never seen in the middle of its model's command; {tell_end(reply)}")
    demand(not left, f"{len(left)} of its processes live on: {'; '.join(left)[:120]}")
    demand(reply.ending is Ending.CANCELLED, f"stopped in mid-work, {tell_end(reply)}")
    return passed(f"{len(seen)} processes ended, none left")


def _meet(stage: Stage, trouble: Trouble) -> Finding:
    with stage.sit(trouble.fault, answer(stage)) as sitting:
        reply = sitting.ask(caps=trouble.caps)
        times = sitting.played(trouble.fault.kind.value)
    demand(bool(times), f"its model was never asked; {tell_end(reply)}")
    demand(reply.ending in trouble.endings, tell_end(reply))
    tries = "one request" if times == 1 else f"{times} requests"
    return passed(f"{reply.ending.value} after {tries}, {reply.duration_ms / 1000:.1f} s")
